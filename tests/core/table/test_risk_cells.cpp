// Margins at the cells at risk: against sums over all cells.
#include "base/deadline.hpp"
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "table/risk_cells.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

int faults(const cases::Dense& x, const cases::Stored& stored) {
  const RiskCells risk = stored.risk();
  int wrong = 0;
  for (Mask set = 0; set <= x.all(); ++set) {
    auto expected = x.margin(set);
    const std::vector<std::int64_t> found = risk.margin(set);
    wrong += found.size() != risk.size();
    for (std::size_t k = 0; k < found.size(); ++k)
      wrong += found[k] != expected[x.at(stored.risk_cell(k), set)];
  }
  return wrong;
}

}  // namespace

TEST(margins_are_sums_over_all_cells_that_agree) {
  PublicRandom random(1);
  int wrong = 0;
  std::size_t asked = 0;
  for (int round = 0; round < 120; ++round) {
    const std::size_t n = 1 + random.below(5);
    const cases::Dense x =
        cases::random_dense(random, cases::random_levels(random, n, 1, 3), 6, random.below(4));
    const cases::Stored stored(x, round % 2 == 0 ? 2 : 1000);
    wrong += faults(x, stored);
    asked += stored.at_risk.size();
  }
  CHECK_EQ(wrong, 0);
  CHECK(asked > 500);
}

// Fields at the end of a word, in a second and a third one.
TEST(margins_of_keys_of_several_words) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 24; ++round) {
    const bool halves = round % 2 == 0;
    const std::size_t n = halves ? 5 : 3;
    const cases::Dense x = cases::random_dense(random, cases::Levels(n, 3), 6, 2);
    const cases::Stored stored(x, 3, cases::Levels(n, halves ? 40000u : 4000000000u));
    CHECK(stored.layout.n_words() > 1);
    wrong += faults(x, stored);
  }
  CHECK_EQ(wrong, 0);
}

TEST(cells_know_their_counts_and_levels) {
  PublicRandom random(3);
  for (int round = 0; round < 40; ++round) {
    const cases::Dense x = cases::random_dense(random, {3, 4, 2}, 5, random.below(4));
    const cases::Stored stored(x, 3);
    const RiskCells risk = stored.risk();
    std::int64_t total = 0, least = 0;
    for (std::int64_t count : x.counts) total += count;
    for (std::size_t k = 0; k < risk.size(); ++k) {
      const std::int64_t count = x.counts[stored.risk_cell(k)];
      least = k == 0 ? count : std::min(least, count);
      CHECK_EQ(risk.count(k), count);
      for (std::size_t v = 0; v < 3; ++v)
        CHECK_EQ(risk.level(k, v), x.level(stored.risk_cell(k), v));
    }
    CHECK_EQ(risk.total(), total);
    CHECK_EQ(risk.least_count(), least);
    CHECK_EQ(risk.size(), stored.at_risk.size());
    CHECK(risk.at_risk() == stored.at_risk);
    CHECK_EQ(risk.all_variables(), 7u);
  }
}

// The total over no variable is the grand total, that over all the count; more variables never
// show more.
TEST(margins_shrink_with_more_variables) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const cases::Dense x = cases::random_dense(random, {2, 3, 2, 2}, 7, 1);
    const cases::Stored stored(x, 4);
    const RiskCells risk = stored.risk();
    for (std::size_t k = 0; k < risk.size(); ++k) {
      wrong += risk.margin(0)[k] != risk.total();
      wrong += risk.margin(15)[k] != risk.count(k);
    }
    for (Mask set = 0; set < 16; ++set) {
      const auto margin = risk.margin(set), more = risk.margin(set | Mask{1} << random.below(4));
      for (std::size_t k = 0; k < risk.size(); ++k) wrong += more[k] > margin[k];
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(nothing_at_risk_and_nothing_stored) {
  const cases::Dense x{{2, 2}, {5, 0, 7, 9}}, empty{{2, 2}, {0, 0, 0, 0}};
  const cases::Stored safe(x, 3), none(empty, 3);
  CHECK(safe.risk().margin(3).empty());
  CHECK_EQ(safe.risk().least_count(), 0);
  CHECK_EQ(safe.risk().total(), 21);
  CHECK(none.risk().margin(1).empty());
  CHECK_EQ(none.risk().total(), 0);
}

TEST(whether_a_cell_may_be_empty_is_kept) {
  const cases::Dense x{{2}, {1, 2}};
  const cases::Stored stored(x, 2);
  RiskCells risk = stored.risk();
  CHECK(!risk.may_be_empty());
  risk.let_be_empty();
  CHECK(risk.may_be_empty());
}

TEST(large_counts_are_exact) {
  const std::int64_t large = std::int64_t{1} << 50;
  const cases::Dense x{{2, 2}, {large + 1, 1, large, large - 1}};
  const cases::Stored stored(x, INT64_MAX);
  CHECK(stored.risk().margin(1) ==
        (std::vector<std::int64_t>{2 * large + 1, large, 2 * large + 1, large}));
  CHECK_EQ(stored.risk().total(), 3 * large + 1);
}

TEST(sixty_four_variables_are_allowed_and_no_more) {
  const std::vector<double> counts = {3};
  const Layout most(std::vector<std::uint32_t>(64, 2)), more(std::vector<std::uint32_t>(65, 2));
  const std::vector<std::uint64_t> keys(2, 0);
  const RiskCells risk(most, {keys.data(), counts.data(), 1}, {0});
  CHECK_EQ(risk.all_variables(), ~Mask{0});
  CHECK(risk.margin(~Mask{0}) == (std::vector<std::int64_t>{3}));
  CHECK_THROWS(TooLargeError, RiskCells(more, {keys.data(), counts.data(), 1}, {0}));
}

TEST(summing_can_be_stopped) {
  const cases::Dense x{{2}, {1, 2}};
  const cases::Stored stored(x, 2);
  const RiskCells risk = stored.risk();
  const Deadline over([] { return true; });
  CHECK_THROWS(WorkTimeUp, risk.margin(1));
}
