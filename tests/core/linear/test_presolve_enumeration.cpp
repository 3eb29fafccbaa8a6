// A presolved system has the range of each cell that the system has, by going through all solutions
// of both.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/presolve.hpp"
#include "linear/small_releases.hpp"

using namespace sdclattice;
using small_releases::Range;

namespace {

Range range_of(const LinearSystem& system, std::size_t budget = 4000) {
  const bool unlimited = std::count(system.upper.begin(), system.upper.end(), kNoLimit) > 0;
  return unlimited ? small_releases::enumerate_unlimited(system)
                   : small_releases::enumerate(system, budget);
}

LinearSystem with_implied(const PresolvedPart& part) {
  LinearSystem out = part.system;
  const LinearSystem& more = part.implied;
  for (std::size_t r = 0; r < more.n_rows(); ++r) {
    for (std::size_t e = more.start[r]; e < more.start[r + 1]; ++e) {
      out.cell.push_back(more.cell[e]);
      out.coefficient.push_back(more.coefficient[e]);
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(more.row_lower[r]);
    out.row_upper.push_back(more.row_upper[r]);
  }
  return out;
}

struct Compared {
  bool complete = true, equal = true;
};

// The limits of a cell from those of the unknown that it became.
bool is_image(const CellHome& home, const std::vector<Range>& parts, std::int64_t lower,
              std::int64_t upper) {
  if (home.sign == 0) return lower == home.shift && upper == home.shift;
  const std::int64_t low = parts[home.part].lower[home.place];
  const std::int64_t high = parts[home.part].upper[home.place];
  const std::int64_t open = home.sign > 0 ? kNoLimit : -kNoLimit;
  const std::int64_t first = home.shift + home.sign * low;
  const std::int64_t last = high >= kNoLimit ? open : home.shift + home.sign * high;
  return lower == std::min(first, last) && upper == std::max(first, last);
}

Compared compare(const LinearSystem& system, const Range& range) {
  Compared out;
  std::vector<Range> parts;
  bool feasible = true;
  Presolved small;
  try {
    small = presolve(system, {});
  } catch (const InfeasibleError&) {
    out.equal = !range.feasible;
    return out;
  }
  for (const PresolvedPart& part : small.parts) {
    parts.push_back(range_of(part.system, 20000));
    const Range both = range_of(with_implied(part), 20000);
    out.complete = out.complete && parts.back().complete && both.complete;
    out.equal = out.equal && parts.back().lower == both.lower && parts.back().upper == both.upper;
    feasible = feasible && parts.back().feasible;
  }
  if (!out.complete) return out;
  out.equal = out.equal && feasible == range.feasible;
  for (std::size_t i = 0; feasible && out.equal && i < system.n_cells(); ++i)
    out.equal = is_image(small.home[i], parts, range.lower[i], range.upper[i]);
  return out;
}

}  // namespace

TEST(a_presolved_system_keeps_the_range_of_each_cell) {
  small_tables::Dice dice(23);
  const int n = check::cases(800, 12000);
  int done = 0, infeasible = 0, open = 0;
  for (int k = 0; k < n; ++k) {
    const LinearSystem system = small_releases::sample_of(dice, k % small_releases::kKinds).system;
    const Range range = range_of(system);
    if (!range.complete) continue;
    const Compared found = compare(system, range);
    if (!found.complete) continue;
    ++done;
    infeasible += !range.feasible;
    open += range.feasible && range.lower != range.upper;
    check::record(found.equal, __FILE__, __LINE__, ("system " + std::to_string(k)).c_str());
  }
  CHECK(done > n / 6 * 5 && infeasible > n / 18 && open > n / 4);
}

// x3 <= 5 - x0 + 2 x1 and x1 = 2 x3 - 3 raise each other's least value without end.
TEST(limits_that_creep_upwards_are_no_error) {
  LinearSystem system;
  system.lower = {1, 0, 1};
  system.upper = {3, kNoLimit, kNoLimit};
  small_tables::add_row(system, {1, -2, 1}, 4, 5);
  small_tables::add_row(system, {0, 1, -2}, -3, -3);
  CHECK(compare(system, Range{}).equal || !presolve(system, {}).parts.empty());
}
