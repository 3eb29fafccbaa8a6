// Cells that are added to a problem: every way keeps what they say.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/known_parts.hpp"
#include "suppress/tied_pattern.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

bool has_possible(const SuppressionPattern& pattern) {
  for (const OpenDemand& open : pattern.lacking)
    if (!open.impossible) return true;
  return false;
}

void check_certified(const SuppressionProblem& problem, const SuppressionPattern& pattern) {
  for (const Certificate& certificate : pattern.certificates)
    CHECK(certifies(problem, pattern.hidden, certificate));
  CHECK(open_set(pattern.lacking) == open_set(open_demands(problem, pattern.certificates)));
}

}  // namespace

TEST(what_was_added_to_a_problem_is_kept_by_every_way) {
  Dice dice(48);
  std::size_t n_changed = 0;
  for (int i = 0; i < 20; ++i) {
    PatternCase c = random_pattern_case(dice, 30, false);
    const StoredCells cells = c.table.stored();
    const auto n = static_cast<std::uint32_t>(cells.n_cells());
    // some cells exceed others by no more than they do
    for (std::uint32_t cell = 0; cell + 1 < n; cell += 3)
      add_excess(c.problem, cell, {cell + 1},
                 std::max<std::int64_t>(0, c.problem.value[cell + 1] - c.problem.value[cell]));
    PatternLimits limits;
    limits.seconds = 1;
    const SuppressionPattern whole = tied_pattern(cells, c.problem, limits, nullptr);
    check_certified(c.problem, whole);
    const SuppressionPattern parts = tied_pattern(cells, c.problem, limits, nullptr, {}, 0);
    check_certified(c.problem, parts);
    if (whole.optimal) CHECK(has_possible(parts) || parts.cost >= whole.cost);
    for (const Certificate& one : parts.certificates) n_changed += one.cell.back() >= n ? 1 : 0;
  }
  CHECK(n_changed > 0);
}
