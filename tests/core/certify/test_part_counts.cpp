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
  CHECK_EQ(n_parts(0), 0);
  CHECK_EQ(n_parts(5), 3);
  CHECK_EQ(n_parts((SubTable{1} << 40) - 1), (std::int64_t{1} << 40) - 1);
}
