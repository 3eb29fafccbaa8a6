// The most that a decomposable release can be worth: against all graphs.
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/decomposable_limit.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

TEST(forced_sets_lower_the_limit) {
  // Variables 0 to 2 may be together, and 3 with 0 or 1.
  const std::vector<SubTable> admissible = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK_EQ(decomposable_limit(4, admissible, tables(4)), 7 + 2);
  CHECK_EQ(decomposable_limit(4, admissible, AdditiveUtility({1, 1, 1, 1}, {10}, {1.5})), 7 + 3.5);
  // With 0 and 3 forced, 3 gains no more than with 0.
  CHECK_EQ(decomposable_limit(4, admissible, AdditiveUtility({1, 1, 1, 1}, {10}, {1.5}), {9}),
           7 + 2);
  CHECK_EQ(decomposable_limit(4, admissible, tables(4), {12}), -1);
  CHECK_EQ(decomposable_limit(3, {1, 2}, tables(3)), -1);
}

// No release is worth more than the limit, whatever is forced or forbidden; without either, it is
// met more often than not.
TEST(no_release_is_worth_more) {
  int below = 0, met = 0, n = 0, impossible = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    const std::int64_t beta = 1 + static_cast<std::int64_t>(seed % 9);
    if (cells.size() == 0) continue;
    const AdditiveUtility utility = some_utility(seed);
    std::vector<SubTable> forced, forbidden;
    if (seed % 3 == 1) forced = {0b101, 0b1010};
    if (seed % 3 == 2) forbidden = {0b110};
    const double best = best_of_all(cells, beta, utility, forced, forbidden);
    const double limit =
        decomposable_limit(5, admissible_sets(cells, beta, 31, {}, forbidden), utility, forced);
    below += limit < best - 1e-9;
    met += limit <= best + 1e-9;
    impossible += limit < 0;
    ++n;
  }
  CHECK_EQ(below, 0);
  CHECK(n > 40 && 2 * met > n && impossible > 0);
}

// With everything admissible the limit is the whole table; where values are listed it may count
// one for two variables, but is never below.
TEST(where_all_is_admissible_the_limit_is_everything) {
  std::vector<SubTable> all;
  for (SubTable set = 1; set < 32; ++set) all.push_back(set);
  for (std::uint64_t kind = 0; kind < 2; ++kind) {
    const AdditiveUtility utility = some_utility(kind);
    CHECK_NEAR(decomposable_limit(5, all, utility), utility.below(31), 1e-12);
    CHECK_NEAR(decomposable_limit(5, all, utility, {31}), utility.below(31), 1e-12);
  }
  CHECK(decomposable_limit(5, all, some_utility(2)) >= some_utility(2).below(31));
}

// Only one-way tables: each is worth what it is worth alone.
TEST(where_only_single_variables_are_admissible_the_limit_is_their_sum) {
  const AdditiveUtility utility({2, 3, 5}, {4, 3}, {7, 100});
  CHECK_EQ(decomposable_limit(3, {1, 2, 4}, utility), 2.0 + 3 + 5 + 7);
  CHECK_EQ(decomposable_limit(3, {1, 2, 4}, utility, {3}), -1);
  CHECK_EQ(decomposable_limit(3, {}, utility), -1);
}

TEST(less_admissible_is_worth_no_more) {
  PublicRandom random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<SubTable> before;
    for (SubTable set = 1; set < 32; ++set) before.push_back(set);
    const AdditiveUtility utility = some_utility(random.below(3));
    double limit = decomposable_limit(5, before, utility);
    for (int i = 0; i < 4; ++i) {
      const SubTable gone = 1 + random.below(31);
      std::vector<SubTable> less;
      for (SubTable set : before)
        if ((gone & ~set) != 0) less.push_back(set);
      const double found = decomposable_limit(5, less, utility);
      CHECK(found <= limit + 1e-9);
      limit = found;
      before = less;
    }
  }
}
