// Counts of admissible sub-tables inside sets, against a loop.
#include <algorithm>

#include "base/random.hpp"
#include "certify/part_counts.hpp"
#include "check.hpp"

using namespace sdclattice;

TEST(counts_inside_sets_agree_with_a_loop) {
  PublicRandom random(1);
  for (std::size_t n : {1, 5, 12, 20, 21, 40, 64}) {
    const SubTable all = n == 64 ? ~SubTable{0} : (SubTable{1} << n) - 1;
    std::vector<SubTable> sets;
    for (int i = 0; i < 200; ++i) sets.push_back(random() & random() & random() & all);
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    PartCounts counts(n, sets);
    for (int i = 0; i < 100; ++i) {
      const SubTable within = (random() | random()) & all;
      const auto twin =
          std::count_if(sets.begin(), sets.end(), [&](SubTable s) { return (s & ~within) == 0; });
      CHECK_EQ(counts(within), twin);
      CHECK_EQ(counts(within), twin);  // when it is remembered
    }
  }
}

TEST(a_complete_set_has_all_its_parts) {
  const std::vector<SubTable> none;
  const PartCounts counts(3, none);
  CHECK_EQ(counts.of_whole(0), 0);
  CHECK_EQ(counts.of_whole(5), 3);
  CHECK_EQ(counts.of_whole((SubTable{1} << 40) - 1), (std::int64_t{1} << 40) - 1);
}

TEST(with_levels_closed_sets_alone_are_counted) {
  for (const std::vector<std::size_t>& n_levels :
       {std::vector<std::size_t>{2, 1, 3}, {3, 3}, {1, 1, 2}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
    const LevelSteps steps(n_levels);
    PublicRandom random(steps.n_steps());
    std::vector<SubTable> sets;
    for (int i = 0; i < 60; ++i) {
      const SubTable set = random() & random() & steps.all();
      sets.push_back(i % 2 == 0 ? set : steps.closure(set));
    }
    std::sort(sets.begin(), sets.end());
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    PartCounts counts(steps.n_steps(), sets, steps);
    for (int i = 0; i < 40; ++i) {
      const SubTable within = (random() | random()) & steps.all();
      CHECK_EQ(counts(within), std::count_if(sets.begin(), sets.end(), [&](SubTable s) {
                 return steps.is_closed(s) && holds(within, s);
               }));
    }
    if (steps.n_steps() > 8) continue;
    for (SubTable whole = 0; whole <= steps.all(); ++whole) {
      std::int64_t n = -1;
      for_closed_sets(steps, [&](std::size_t, SubTable s) { n += holds(whole, s); });
      CHECK_EQ(counts.of_whole(whole), n);
    }
  }
}
