// Few certificates out of many: the proof that goes with a pattern.
#pragma once

#include <vector>

#include "suppress/certificate_pool.hpp"
#include "suppress/reader_demands.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// For each demand and each reader certificates of the pool that show it, as far as the pool has
// them, that change only these candidates, primary cells and unseen cells. One that is chosen
// serves all demands that it can.
std::vector<Certificate> chosen_certificates(const SuppressionProblem& problem,
                                             const CertificatePool& pool,
                                             const CellBits& candidates);

// The cells that a reader with this knowledge cannot know when these candidates are hidden.
CellBits free_cells(const SuppressionProblem& problem, const CellBits& candidates,
                    const std::vector<std::uint32_t>& known);

// Do certificates that change no candidate meet the demand? Then every pattern meets it.
bool is_met_anyway(const SuppressionProblem& problem, const CertificatePool& pool,
                   const ReaderDemand& reader);

}  // namespace sdclattice
