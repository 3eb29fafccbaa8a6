#include "suppress/demand_proof.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/work_clock.hpp"
#include "linear/integer_bounds.hpp"

namespace sdclattice {

namespace {

constexpr double kSecondsEach = 2;

}  // namespace

bool is_unattainable(const SuppressionProblem& problem, const std::vector<char>& usable,
                     const Demand& demand, std::uint32_t reader, double seconds, const Tick& tick) {
  LinearSystem system = problem.system;
  const auto fix = [&](std::uint32_t i) { system.lower[i] = system.upper[i] = problem.value[i]; };
  for (std::uint32_t i = 0; i < usable.size(); ++i)
    if (!usable[i]) fix(i);
  if (reader != OpenDemand::kNobody)
    for (const std::uint32_t i : problem.knowers[reader]) fix(i);
  BoundsLimits limits;
  limits.seconds = seconds;
  if (demand.up <= 0 && demand.down <= 0) limits.enough = demand.slide;
  const IntegerBounds found = integer_bounds(system, {demand.cell}, limits, tick, problem.value);
  const std::int64_t y = problem.value[demand.cell], most = found.upper[demand.cell],
                     least = found.lower[demand.cell];
  return most - y < demand.up || y - least < demand.down || most - least < demand.slide;
}

// What a reader excludes everybody excludes who knows as much.
std::vector<char> unattainable(
    const SuppressionProblem& problem, const std::vector<char>& usable,
    const std::vector<OpenDemand>& open,
    const std::function<bool(std::uint32_t demand, std::uint32_t reader)>& known, double seconds,
    const Tick& tick) {
  constexpr std::uint32_t kNobody = OpenDemand::kNobody;
  WorkClock clock(seconds, tick);
  std::vector<char> out(open.size(), 0), for_all(problem.demands.size(), 0);
  std::set<std::pair<std::uint32_t, std::uint32_t>> proved;
  const auto is_for_part = [&](std::uint32_t d, std::uint32_t who) {
    const std::vector<std::uint32_t>& others = included(problem, who);
    return std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
      return proved.count({d, other}) > 0;
    });
  };
  for (const bool outsider : {true, false})
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::uint32_t d = open[k].demand, who = open[k].knower;
      if ((who == kNobody) != outsider) continue;
      out[k] = for_all[d] || known(d, who) || is_for_part(d, who);
      const double left = std::min(clock.seconds_left(), kSecondsEach);
      if (!out[k] && left > 0)
        out[k] = is_unattainable(problem, usable, problem.demands[d], who, left, tick);
      if (outsider && out[k]) for_all[d] = 1;
      if (out[k]) proved.emplace(d, who);
    }
  return out;
}

}  // namespace sdclattice
