// Whether a demand can be met at all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// Proved: with these cells free, and all others as they are, no tables meet the demand against the
// reader (a knower or OpenDemand::kNobody). False when they do, and when `seconds` of processor
// time do not tell.
bool is_unattainable(const SuppressionProblem& problem, const std::vector<char>& usable,
                     const Demand& demand, std::uint32_t reader, double seconds, const Tick& tick);

// Marks those of the open demands that cannot be met with these cells, as far as the time suffices.
// `known`: of a demand and a reader, whether that was proved before.
std::vector<char> unattainable(
    const SuppressionProblem& problem, const std::vector<char>& usable,
    const std::vector<OpenDemand>& open,
    const std::function<bool(std::uint32_t demand, std::uint32_t reader)>& known, double seconds,
    const Tick& tick);

}  // namespace sdclattice
