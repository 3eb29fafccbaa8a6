// Sub-tables that may be released: against the least count of every sub-table.
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

std::vector<Mask> by_all_margins(const Dense& x, const Stored& stored, std::int64_t beta,
                                 const std::vector<Mask>& forbidden) {
  std::vector<Mask> out;
  std::int64_t total = 0;
  for (std::int64_t count : x.counts) total += count;
  if (total < beta) return out;
  for (Mask set = 1; set <= x.all(); ++set) {
    auto margin = x.margin(set);
    bool may = true;
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
      may = may && margin[x.at(stored.risk_cell(k), set)] >= beta;
    for (Mask f : forbidden) may = may && !inside(f, set);
    if (may) out.push_back(set);
  }
  return out;
}

}  // namespace

TEST(sub_tables_are_those_with_large_counts_at_all_cells_at_risk) {
  PublicRandom random(1);
  int wrong = 0, some = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(5);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 9, random.below(4));
    // Every fourth table has keys of several words, and so many levels that pairs are hashed.
    const Stored stored(x, 3, round % 4 == 0 ? Levels(n, 70000) : Levels());
    const auto beta = static_cast<std::int64_t>(random.below(25));
    std::vector<Mask> forbidden;
    while (random.below(3) == 0) forbidden.push_back(1 + random.below((std::size_t{1} << n) - 1));
    const auto expected = by_all_margins(x, stored, beta, forbidden);
    const RiskCells risk = stored.risk();
    wrong += admissible_sets(risk, beta, 31, {}, forbidden) != expected;
    wrong += admissible_sets(risk, beta, expected.size(), {}, forbidden) != expected;
    some += !expected.empty() && expected.size() < x.all();
    if (expected.empty()) continue;
    CHECK_THROWS(TooLargeError, admissible_sets(risk, beta, expected.size() - 1, {}, forbidden));
  }
  CHECK_EQ(wrong, 0);
  CHECK(some > 60);
}

TEST(parts_of_admissible_sub_tables_are_admissible_and_come_before) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 30; ++round) {
    const Dense x = random_dense(random, Levels(7, 2), 30, 1);
    const Stored stored(x, 4);
    const auto found = admissible_sets(stored.risk(), 40, 1000);
    for (std::size_t i = 0; i < found.size(); ++i) {
      wrong += i > 0 && found[i] <= found[i - 1];
      for (Mask part = (found[i] - 1) & found[i]; part != 0; part = (part - 1) & found[i])
        wrong += !std::binary_search(found.begin(), found.end(), part);
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(more_is_asked_less_is_admissible) {
  PublicRandom random(3);
  const Dense x = random_dense(random, {2, 3, 2, 3}, 12, 1);
  const Stored stored(x, 4);
  std::vector<Mask> before = admissible_sets(stored.risk(), 0, 100);
  CHECK_EQ(before.size(), 15u);
  for (std::int64_t beta = 1; !before.empty(); ++beta) {
    const std::vector<Mask> found = admissible_sets(stored.risk(), beta, 100);
    CHECK(std::includes(before.begin(), before.end(), found.begin(), found.end()));
    before = found;
  }
}

TEST(without_cells_at_risk_all_are_admissible) {
  const Dense x{{2, 2, 2}, {9, 9, 9, 9, 9, 9, 9, 9}};
  const Stored stored(x, 0);
  CHECK_EQ(admissible_sets(stored.risk(), 72, 100).size(), 7u);
  CHECK(admissible_sets(stored.risk(), 73, 100).empty());
}

TEST(forbidden_sub_tables_take_all_that_holds_them) {
  const Dense x{{2, 2, 2, 2}, std::vector<std::int64_t>(16, 1)};
  const Stored stored(x, 1);
  CHECK(admissible_sets(stored.risk(), 1, 100, {}, {1, 2, 4, 8}).empty());
  CHECK(admissible_sets(stored.risk(), 1, 100, {}, {2, 4}) == (std::vector<Mask>{1, 8, 9}));
  CHECK_EQ(admissible_sets(stored.risk(), 1, 100, {}, {15}).size(), 14u);
}

TEST(searches_can_be_stopped) {
  const Dense x{Levels(7, 2), std::vector<std::int64_t>(128, 9)};
  const Stored stored(x, 9);
  CHECK_THROWS(int, admissible_sets(stored.risk(), 1, 1000, [](double) { throw 1; }));
}
