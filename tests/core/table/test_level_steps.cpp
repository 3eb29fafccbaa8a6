// Closed sets of steps against choices of one level for each variable.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "table/level_steps.hpp"

using namespace sdclattice;

namespace {

using Levels = std::vector<std::size_t>;

std::vector<Levels> shapes() {
  return {{1}, {3}, {1, 1, 1}, {2, 1}, {1, 4}, {2, 3, 1}, {1, 2, 2, 1}, {5, 2}};
}

// All choices, the first variable fastest.
std::vector<Levels> choices(const Levels& n_levels) {
  std::vector<Levels> out = {Levels(n_levels.size(), 0)};
  for (std::size_t v = 0; v < n_levels.size(); ++v) {
    const std::vector<Levels> before = out;
    for (std::size_t level = 1; level <= n_levels[v]; ++level)
      for (Levels choice : before) {
        choice[v] = level;
        out.push_back(choice);
      }
  }
  return out;
}

SubTable steps_of(const Levels& n_levels, const Levels& choice) {
  SubTable out = 0;
  std::size_t step = 0;
  for (std::size_t v = 0; v < n_levels.size(); ++v)
    for (std::size_t level = 1; level <= n_levels[v]; ++level, ++step)
      if (level <= choice[v]) out |= SubTable{1} << step;
  return out;
}

bool is_coarser(const Levels& a, const Levels& b) {
  for (std::size_t v = 0; v < a.size(); ++v)
    if (a[v] > b[v]) return false;
  return true;
}

}  // namespace

TEST(closed_sets_are_the_choices_of_levels_in_the_same_order) {
  for (const Levels& n_levels : shapes()) {
    const LevelSteps steps(n_levels);
    const std::vector<Levels> all = choices(n_levels);
    std::vector<SubTable> sets;
    for_closed_sets(steps, [&](std::size_t place, SubTable set) {
      CHECK_EQ(place, sets.size());
      CHECK_EQ(steps.place(set), place);
      sets.push_back(set);
    });
    CHECK_EQ(sets.size(), all.size());
    CHECK_EQ(steps.n_places(), static_cast<double>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK_EQ(sets[i], steps_of(n_levels, all[i]));
      std::size_t n = 0;
      for (std::size_t v = 0; v < n_levels.size(); ++v) {
        CHECK_EQ(steps.level_of(sets[i], v), all[i][v]);
        n += all[i][v] > 0;
      }
      CHECK_EQ(steps.n_variables_in(sets[i]), n);
      for (std::size_t j = 0; j < all.size(); ++j) {
        CHECK_EQ(holds(sets[j], sets[i]), is_coarser(all[i], all[j]));
        CHECK(steps.is_closed(sets[i] & sets[j]) && steps.is_closed(sets[i] | sets[j]));
      }
    }
  }
}

TEST(closures_interiors_and_neighbours_are_those_of_all_closed_sets) {
  for (const Levels& n_levels : shapes()) {
    const LevelSteps steps(n_levels);
    std::vector<SubTable> closed;
    for_closed_sets(steps, [&](std::size_t, SubTable set) { closed.push_back(set); });
    for (SubTable set = 0; set <= steps.all(); ++set) {
      const bool is_closed = std::find(closed.begin(), closed.end(), set) != closed.end();
      CHECK_EQ(steps.is_closed(set), is_closed);
      SubTable around = steps.all(), within = 0;
      for (SubTable other : closed) {
        if (holds(other, set)) around &= other;
        if (holds(set, other)) within |= other;
      }
      CHECK_EQ(steps.closure(set), around);
      CHECK_EQ(steps.interior(set), within);
      if (!is_closed) continue;
      SubTable next = 0, last = 0;
      for (std::size_t step = 0; step < steps.n_steps(); ++step) {
        const SubTable other = set ^ SubTable { 1 } << step;
        if (std::find(closed.begin(), closed.end(), other) == closed.end()) continue;
        (holds(other, set) ? next : last) |= SubTable{1} << step;
      }
      CHECK_EQ(steps.next_steps(set), next);
      CHECK_EQ(steps.last_steps(set), last);
    }
  }
}

TEST(layouts_and_counts_are_those_of_looking_at_each_set) {
  for (const Levels& n_levels : shapes()) {
    const LevelSteps steps(n_levels);
    std::vector<SubTable> closed;
    for_closed_sets(steps, [&](std::size_t, SubTable set) { closed.push_back(set); });
    for (std::size_t i = 0; i < closed.size(); ++i) {
      const std::vector<SubTable> two = {closed[i], closed[(7 * i + 3) % closed.size()]};
      const std::vector<char> below = lay_out_below(steps, two), above = lay_out_above(steps, two);
      const auto count = count_between(steps, two[0] & two[1], two[0]);
      std::vector<double> counted(steps.n_variables() + 1, 0);
      for (std::size_t place = 0; place < closed.size(); ++place) {
        const SubTable set = closed[place];
        CHECK_EQ(below[place] != 0, holds(two[0], set) || holds(two[1], set));
        CHECK_EQ(above[place] != 0, holds(set, two[0]) || holds(set, two[1]));
        if (holds(two[0], set) && holds(set, two[0] & two[1])) ++counted[steps.n_variables_in(set)];
      }
      CHECK(count == counted);
    }
  }
}

TEST(sixty_four_variables_of_one_level_are_sixty_four_steps) {
  const LevelSteps steps(64);
  CHECK_EQ(steps.all(), ~SubTable{0});
  CHECK_EQ(steps.next_steps(0), ~SubTable{0});
  CHECK_EQ(steps.last_steps(~SubTable{0}), ~SubTable{0});
  CHECK(steps.is_closed(SubTable{1} << 63));
  const LevelSteps one(std::vector<std::size_t>{64});
  CHECK_EQ(one.next_steps(~SubTable{0} >> 1), SubTable{1} << 63);
  CHECK_EQ(one.closure(SubTable{1} << 63), ~SubTable{0});
}
