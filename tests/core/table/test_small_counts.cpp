// Remembered cells: what they show is true, and they show it wherever it is.
#include "cases.hpp"
#include "check.hpp"
#include "table/small_counts.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

bool small_at(const RiskCells& risk, Mask set, const std::vector<std::size_t>& cells,
              std::int64_t beta) {
  const auto margin = risk.margin(set);
  return std::any_of(cells.begin(), cells.end(), [&](std::size_t k) { return margin[k] < beta; });
}

}  // namespace

TEST(small_counts_are_found_exactly_at_the_remembered_cells) {
  PublicRandom random(1);
  int wrong = 0, found = 0, asked = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 2 + random.below(4);
    const cases::Dense x = cases::random_dense(random, cases::random_levels(random, n, 1, 3), 6, 1);
    const cases::Stored stored(x, 2, round % 3 == 0 ? cases::Levels(n, 50000) : cases::Levels());
    const RiskCells risk = stored.risk();
    const auto beta = static_cast<std::int64_t>(random.below(12));
    SmallCounts small(risk, beta);
    std::vector<std::size_t> remembered;
    for (std::size_t k = 0; k < risk.size() && k < 60; ++k) {
      if (random.below(3) > 0) continue;
      small.remember(k);
      remembered.push_back(k);
      for (Mask set = 0; set <= risk.all_variables(); ++set) {
        const bool expected = small_at(risk, set, remembered, beta);
        wrong += small.found_in(set) != expected;
        found += expected;
        ++asked;
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(found > 300 && asked - found > 300);
}

TEST(nothing_remembered_shows_nothing) {
  const cases::Dense x{{2, 2}, {1, 1, 1, 1}};
  const cases::Stored stored(x, 1);
  const RiskCells risk = stored.risk();
  SmallCounts small(risk, 1000);
  for (Mask set = 0; set < 4; ++set) CHECK(!small.found_in(set));
}

TEST(no_count_is_below_nothing_and_the_limit_itself_is_not_small) {
  const cases::Dense x{{2, 2}, {3, 1, 4, 2}};
  const cases::Stored stored(x, 10);
  const RiskCells risk = stored.risk();
  for (std::int64_t beta = 0; beta <= 11; ++beta) {
    SmallCounts small(risk, beta);
    small.remember(1);
    CHECK_EQ(small.found_in(3), 1 < beta);
    CHECK_EQ(small.found_in(1), 3 < beta);
    CHECK_EQ(small.found_in(2), 4 < beta);
    CHECK_EQ(small.found_in(0), 10 < beta);
  }
}

// Of 65 cells the one that has shown nothing for longest is forgotten; what is left is still true.
TEST(of_many_cells_the_last_ones_are_kept) {
  cases::Dense x{{100}, std::vector<std::int64_t>(100, 5)};
  x.counts[0] = 1;
  const cases::Stored stored(x, 5);
  const RiskCells risk = stored.risk();
  SmallCounts forgets(risk, 3), keeps(risk, 3);
  for (std::size_t k = 0; k < 64; ++k) {
    forgets.remember(k);
    keeps.remember(k);
  }
  CHECK(keeps.found_in(1));  // to the front
  forgets.remember(64);
  keeps.remember(64);
  CHECK(!forgets.found_in(1));
  CHECK(keeps.found_in(1));
  for (std::size_t k = 65; k < 100; ++k) keeps.remember(k);
  CHECK(keeps.found_in(1));
}

// More stored cells than one word of bits has, and cells just at its ends.
TEST(counts_are_summed_over_all_words_of_bits) {
  for (std::size_t n : {63, 64, 65, 127, 128, 129, 300}) {
    const cases::Dense x{{2, static_cast<std::uint32_t>(n)}, std::vector<std::int64_t>(2 * n, 1)};
    const cases::Stored stored(x, 1);
    const RiskCells risk = stored.risk();
    const auto sum = static_cast<std::int64_t>(n);
    for (std::int64_t beta : {sum, sum + 1}) {
      SmallCounts small(risk, beta);
      small.remember(2 * n - 1);
      CHECK_EQ(small.found_in(1), sum < beta);
      CHECK_EQ(small.found_in(0), 2 * sum < beta);
      CHECK(small.found_in(2));
    }
  }
}
