// Dense tables and checks of counts.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check.hpp"
#include "table/records.hpp"
#include "table/table.hpp"

using namespace records;

TEST(dense_counts_go_there_and_back) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Layout layout(random_dim(dice, dice.below(5), 6));
    std::vector<double> dense(static_cast<std::size_t>(layout.n_cells()));
    for (double& x : dense) x = dice.below(3);
    const Stored x = store(cells_from_dense(layout, dense.data(), dense.size()));
    std::vector<double> back(dense.size(), 0);
    write_dense(layout, x.view(), back.data());
    CHECK(back == dense);
    for (std::size_t v = 0; v < layout.n_variables(); ++v) {
      std::vector<std::int32_t> levels(x.counts.size());
      write_levels(layout, x.view(), v, 1, levels.data());
      bool same = true;
      for (std::size_t i = 0; i < levels.size(); ++i)
        same = same && levels[i] == 1 + static_cast<std::int32_t>(
                                            layout.level(&x.keys[i * layout.n_words()], v));
      CHECK(same);
    }
  }
}

TEST(counts_are_checked) {
  const auto fault = [](double x) { return check_counts(&x, 1).fault; };
  CHECK(fault(3) == CountFault::none);
  CHECK(fault(std::nan("")) == CountFault::missing);
  CHECK(fault(std::numeric_limits<double>::infinity()) == CountFault::infinite);
  CHECK(fault(-1) == CountFault::negative);
  CHECK(fault(.5) == CountFault::fractional);
  CHECK(fault(static_cast<double>(kMaxCount) + 2) == CountFault::too_large);
  const std::vector<double> two(2, static_cast<double>(kMaxCount));
  CHECK(check_counts(two.data(), 2).total_too_large);
  const std::vector<double> last{1, 2, -3};
  CHECK_EQ(check_counts(last.data(), 3).at, 2u);
}

TEST(rows_hold_a_key_and_a_count) {
  Dice dice;
  for (std::size_t words = 1; words <= 3; ++words) {
    Cells cells(words);
    std::vector<std::vector<std::uint64_t>> keys;
    for (std::uint64_t i = 0; i < 20; ++i) {
      std::vector<std::uint64_t> key;
      for (std::size_t w = 0; w < words; ++w) key.push_back(dice.below(1000));
      cells.add(key.data(), i + 1);
      keys.push_back(key);
      CHECK_EQ(cells.size(), keys.size());
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      CHECK(std::equal(keys[i].begin(), keys[i].end(), cells.row(i)));
      CHECK_EQ(cells.count(i), i + 1);
    }
  }
}

// The first fault is told, whatever comes after it.
TEST(the_first_wrong_count_is_named) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<double, CountFault>> wrong = {{nan, CountFault::missing},
                                                            {inf, CountFault::infinite},
                                                            {-2, CountFault::negative},
                                                            {2.5, CountFault::fractional},
                                                            {0x1p60, CountFault::too_large}};
  for (const auto& [first, fault] : wrong)
    for (const auto& [second, other] : wrong)
      for (std::size_t at = 0; at < 4; ++at) {
        std::vector<double> x(6, 7);
        x[5] = second;
        x[at] = first;
        const CountCheck found = check_counts(x.data(), x.size());
        CHECK(found.fault == fault);
        CHECK_EQ(found.at, at);
      }
  CHECK(check_counts(nullptr, 0).fault == CountFault::none);
}
