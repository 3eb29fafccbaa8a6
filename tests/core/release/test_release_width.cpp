// Widths of releases: against all tables with the released margins.
#include "cases.hpp"
#include "check.hpp"
#include "release/release_width.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const Tick kQuiet = [](double) {};

// Now and then a triangle or a ring of pairs, which no chain of cliques explains.
std::vector<Mask> some_sets(PublicRandom& random, std::size_t n) {
  if (n >= 3 && random.below(2) == 0) return {3, 5, 6};
  if (n == 4 && random.below(2) == 0) return {3, 6, 9, 12};
  return random_frontier(random, n, 4);
}

struct Case {
  Dense x;
  std::vector<Mask> sets;
  Stored stored;
  std::vector<Interval> exact;

  Case(PublicRandom& random, bool wide)
      : x(random_dense(random, random_levels(random, 2 + random.below(3), 1, wide ? 3 : 2), 3,
                       random.below(3))),
        sets(some_sets(random, x.n_variables())),
        stored(x, 2),
        exact(sharp_bounds(x, sets)) {}
  bool usable() const { return !exact.empty() && !stored.at_risk.empty(); }
  const Interval& truth(std::size_t k) const { return exact[stored.risk_cell(k)]; }
  std::int64_t width() const {
    std::int64_t out = INT64_MAX;
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k) out = std::min(out, truth(k).width());
    return out;
  }
  // Are the intervals around the truth, and what is attained inside it?
  int faults(const ReleaseWidth& found) const {
    int wrong = found.inner > width() || found.outer < width();
    for (std::size_t k = 0; k < found.lower.size(); ++k) {
      wrong += found.lower[k] > truth(k).lower || found.upper[k] < truth(k).upper;
      wrong += found.least[k] < truth(k).lower || found.most[k] > truth(k).upper;
      wrong += found.least[k] > x.counts[stored.risk_cell(k)];
      wrong += found.most[k] < x.counts[stored.risk_cell(k)];
    }
    return wrong;
  }
};

}  // namespace

TEST(widths_are_exact_and_all_intervals_true) {
  PublicRandom random(1);
  int wrong = 0, n = 0, open = 0, several = 0;
  for (int round = 0; round < 900; ++round) {
    const Case c(random, round % 2 == 0);
    if (!c.usable()) continue;
    const ReleaseWidth found = release_width(c.stored.risk(), c.sets, {}, kQuiet);
    wrong += c.faults(found) + !found.exact() + (found.inner != c.width());
    wrong += found.lower.size() != c.stored.at_risk.size() || found.stopped;
    wrong += found.n_open > found.n_components;
    ++n;
    open += found.n_open > 0;
    several += found.n_components > 1;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 300 && open > 100 && several > 100);
}

TEST(targets_are_met_exactly_when_the_width_is_that_large) {
  PublicRandom random(2);
  int wrong = 0, yes = 0, no = 0;
  for (int round = 0; round < 120; ++round) {
    const Case c(random, true);
    if (!c.usable()) continue;
    for (std::int64_t target = 1; target <= 4; ++target) {
      WidthLimits limits;
      limits.target = target;
      const ReleaseWidth found = release_width(c.stored.risk(), c.sets, limits, kQuiet);
      wrong += (found.inner >= target) != (c.width() >= target);
      wrong += found.inner < target && found.outer >= target;
      wrong += found.inner > c.width() || found.outer < std::min(c.width(), target);
      ++(c.width() >= target ? yes : no);
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(yes > 40 && no > 40);
}

TEST(poorer_methods_say_nothing_wrong) {
  PublicRandom random(3);
  int wrong = 0, loose = 0;
  for (int round = 0; round < 600; ++round) {
    const Case c(random, true);
    if (!c.usable()) continue;
    WidthLimits limits;
    limits.fibre.programmes = round % 2 == 0;
    if (round % 3 == 0) limits.max_component_cells = 1;
    if (round % 3 == 1) limits.max_super_cells = 1;
    if (round % 4 == 0) limits.covers = 0;
    if (round % 5 == 0) limits.fibre.max_programme_cells = 1;
    const ReleaseWidth found = release_width(c.stored.risk(), c.sets, limits, kQuiet);
    wrong += c.faults(found);
    loose += !found.exact();
  }
  CHECK_EQ(wrong, 0);
  CHECK(loose > 2);
}

TEST(more_released_is_never_wider) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 80; ++round) {
    const Dense x = random_dense(random, {2, 3, 2}, 6, 1);
    const Stored stored(x, 3);
    if (stored.at_risk.empty()) continue;
    std::vector<Mask> sets = {1, 2, 4};
    std::int64_t before = release_width(stored.risk(), sets, {}, kQuiet).inner;
    for (int i = 0; i < 3; ++i) {
      sets.push_back(1 + random.below(7));
      const ReleaseWidth found = release_width(stored.risk(), sets, {}, kQuiet);
      wrong += !found.exact() || found.inner > before;
      before = found.inner;
    }
    sets.push_back(7);
    wrong += release_width(stored.risk(), sets, {}, kQuiet).outer != 0;
  }
  CHECK_EQ(wrong, 0);
}

// Sets inside others, twice, and in any order change nothing.
TEST(only_the_frontier_matters) {
  PublicRandom random(5);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const Case c(random, true);
    if (!c.usable()) continue;
    std::vector<Mask> sets = c.sets;
    for (Mask set : c.sets) {
      sets.push_back(set);
      sets.push_back(set & random());
    }
    sets.erase(std::remove(sets.begin(), sets.end(), Mask{0}), sets.end());
    random.shuffle(sets.begin(), sets.end());
    wrong += release_width(c.stored.risk(), sets, {}, kQuiet).inner != c.width();
  }
  CHECK_EQ(wrong, 0);
}

TEST(time_that_is_up_leaves_true_intervals) {
  PublicRandom random(6);
  int wrong = 0, stopped = 0;
  for (int round = 0; round < 100; ++round) {
    const Case c(random, true);
    if (!c.usable()) continue;
    WidthLimits limits;
    limits.seconds = 0;
    const ReleaseWidth found = release_width(c.stored.risk(), c.sets, limits, kQuiet);
    wrong += c.faults(found);
    stopped += found.stopped;
  }
  CHECK_EQ(wrong, 0);
  CHECK(stopped > 0);
}
