// Limits of releases by conflicts: never below the largest safe release of all.
#include "cases.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/conflict_limit.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// Are the sub-tables that the bits name all that lie inside them? Bit m - 1 stands for sub-table m.
bool is_closed(std::size_t release, std::size_t n_sets) {
  for (Mask m = 1; m <= n_sets; ++m)
    for (Mask part = 1; part < m; ++part)
      if (in(release, m - 1) && inside(part, m) && !in(release, part - 1)) return false;
  return true;
}

// The most sub-tables that are safe together, by all tables with the same margins; nothing where
// that takes too long.
std::int64_t largest_safe(const Dense& x, const Stored& stored, std::int64_t beta,
                          const std::vector<SubTable>& admissible) {
  std::size_t allowed = 0;
  for (SubTable s : admissible) allowed |= std::size_t{1} << (s - 1);
  const std::size_t n_sets = (std::size_t{1} << x.n_variables()) - 1;
  std::int64_t best = 0;
  for (std::size_t release = 1; release < std::size_t{1} << n_sets; ++release) {
    const auto size = static_cast<std::int64_t>(size_of(release));
    if (size <= best || !inside(release, allowed) || !is_closed(release, n_sets)) continue;
    std::vector<Mask> sets;
    for (Mask m = 1; m <= n_sets; ++m)
      if (in(release, m - 1)) sets.push_back(m);
    const std::vector<Interval> bounds = sharp_bounds(x, maximal(sets), 200000);
    if (bounds.empty()) return -1;
    bool safe = true;
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
      safe = safe && bounds[stored.risk_cell(k)].width() >= beta;
    if (safe) best = size;
  }
  return best;
}

}  // namespace

TEST(no_safe_release_is_larger) {
  PublicRandom random(1);
  int wrong = 0, lower = 0, reached = 0, plain = 0;
  for (int round = 0; round < 30000 && lower < 15; ++round) {
    const Dense x = random_dense(random, random_levels(random, 3, 2, 3), 3, 1);
    const Stored stored(x, 2);
    if (x.counts.size() > 12 || stored.at_risk.empty()) continue;
    const RiskCells risk = stored.risk();
    const std::int64_t beta = 2 + static_cast<std::int64_t>(random.below(2));
    const std::vector<SubTable> admissible = admissible_sets(risk, beta, 1000);
    const ConflictLimit found = conflict_limit(risk, admissible, beta, {}, {});
    wrong += (found.n_conflicts > 0) != (found.n_sets < admissible.size());
    if (found.n_conflicts == 0 && ++plain > 30) continue;
    const std::int64_t best = largest_safe(x, stored, beta, admissible);
    if (best < 0) continue;
    const auto limit = static_cast<std::int64_t>(found.n_sets);
    wrong += limit < best;
    lower += found.n_conflicts > 0;
    reached += limit == best && found.n_conflicts > 0;
    for (ConflictWork less : {ConflictWork{0, 100, 100}, {1e9, 0, 100}, {1e9, 100, 0}})
      wrong += conflict_limit(risk, admissible, beta, less, {}).n_sets != admissible.size();
  }
  CHECK_EQ(wrong, 0);
  CHECK(lower > 10 && reached > 5);
}

// Four variables, so that there are conflicts inside conflicts; all releases would be too many, and
// the bounds of each conflict are asked for instead.
TEST(the_conflicts_are_those_of_sharp_bounds) {
  PublicRandom random(2);
  int wrong = 0, several = 0;
  for (int round = 0; round < 400 && several < 5; ++round) {
    const Dense x = random_dense(random, {2, 2, 2, 2}, 3, 1);
    const Stored stored(x, 2);
    if (stored.at_risk.empty()) continue;
    const RiskCells risk = stored.risk();
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 1000);
    const ConflictLimit found = conflict_limit(risk, admissible, 2, {}, {});
    if (found.n_conflicts < 2) continue;
    // all admissible ones together are unsafe
    const std::vector<Interval> bounds =
        sharp_bounds(x, maximal({admissible.begin(), admissible.end()}), 2000000);
    if (bounds.empty()) continue;
    ++several;
    std::int64_t width = INT64_MAX;
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
      width = std::min(width, bounds[stored.risk_cell(k)].width());
    wrong += width >= 2;
  }
  CHECK_EQ(wrong, 0);
  CHECK(several > 0);
}
