// Certificates for hidden cells that somebody else has chosen: another program, last year's
// publication, the user.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "suppress/programme_pattern.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

struct CertifiedPattern {
  SuppressionPattern pattern;  // the hidden cells are as given; its bound is 0
  // Of each lacking demand: proved that the reader gets to know more than the demand allows, with
  // these cells hidden. Where it is 0 neither that nor a certificate was found in the time.
  std::vector<char> exposed;
};

// `hidden`: of each cell; primary cells are hidden in any case, open and unseen ones are not. An
// exposed demand that no pattern can meet is `impossible`.
CertifiedPattern certify_pattern(const SuppressionProblem& problem, const std::vector<char>& hidden,
                                 const ProgrammeLimits& limits, const Tick& tick);

}  // namespace sdclattice
