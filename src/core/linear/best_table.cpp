#include "linear/best_table.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/wide_int.hpp"
#include "base/work_clock.hpp"
#include "linear/table_reach.hpp"

namespace sdclattice {

namespace {

// The system with one more cell, the weighted sum, which is the last.
LinearSystem with_sum(const LinearSystem& system, const std::vector<std::int64_t>& weight) {
  LinearSystem out = system;
  const auto sum = static_cast<std::uint32_t>(system.n_cells());
  WideInt least = 0, most = 0;
  for (std::uint32_t i = 0; i < sum; ++i) {
    const WideInt low = wide_product(weight[i], system.lower[i]),
                  high = wide_product(weight[i], system.upper[i]);
    least += low < high ? low : high;
    most += low < high ? high : low;
    if (weight[i] == 0) continue;
    out.cell.push_back(i);
    out.coefficient.push_back(-weight[i]);
  }
  const WideInt limit = static_cast<WideInt>(1) << 53;
  if (least < -limit || most > limit) throw TooLargeError("The weighted sum exceeds 2^53.");
  out.cell.push_back(sum);
  out.coefficient.push_back(1);
  out.start.push_back(out.cell.size());
  out.row_lower.push_back(0);
  out.row_upper.push_back(0);
  out.lower.push_back(static_cast<std::int64_t>(least));
  out.upper.push_back(static_cast<std::int64_t>(most));
  return out;
}

// Halves what is open between the bound and the best table, as far as a level does it.
void halve(TableReach& reach, std::uint32_t sum, SearchLevel level) {
  for (;;) {
    const TableReach::Ends ends = reach.ends(sum);
    if (ends.least >= kNoLimit || ends.least <= ends.lower) return;
    const std::int64_t middle = ends.lower + (ends.least - ends.lower) / 2;
    if (reach.reaches(sum, -1, middle, level) == Reach::unsure) return;
  }
}

}  // namespace

BestTable best_table(const LinearSystem& system, const std::vector<std::int64_t>& weight,
                     double seconds, const Tick& tick) {
  WorkClock clock(seconds, tick);
  const LinearSystem whole = with_sum(system, weight);
  const auto sum = static_cast<std::uint32_t>(system.n_cells());
  BestTable out;
  out.bound = whole.lower[sum];
  std::optional<TableReach> reach;
  try {
    reach.emplace(whole, std::vector<std::int64_t>{}, clock);
    for (const SearchLevel level : kSearchLevels) {
      reach->find_table(level);
      if (level < SearchLevel::whole)
        reach->close(sum, -1, level);
      else
        halve(*reach, sum, level);
    }
  } catch (const WorkTimeUp&) {
  } catch (const WorkInterrupted&) {
    out.interrupted = true;
  }
  if (!reach) return out;
  out.bound = reach->ends(sum).lower;
  out.values = reach->table(sum, -1);
  if (out.values.empty()) return out;
  out.sum = out.values.back();
  out.values.pop_back();
  return out;
}

}  // namespace sdclattice
