// Levels and distinct values of columns of microdata.
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "table/column_values.hpp"
#include "table/records.hpp"

using namespace records;

TEST(levels_of_integers_are_found) {
  const std::vector<std::int32_t> x{5, -2, 5, kMissing, 0};
  std::vector<std::int32_t> levels;
  bool missing = false;
  CHECK(find_levels(x.data(), x.size(), 100, levels, missing));
  CHECK(levels == std::vector<std::int32_t>{-2, 0, 5});
  CHECK(missing);
  CHECK(!find_levels(x.data(), x.size(), 7, levels, missing));
  levels.clear();
  CHECK(find_levels(x.data(), 0, 7, levels, missing));
  CHECK(levels.empty() && !missing);
  const std::vector<std::int32_t> extremes{INT32_MAX, INT32_MIN + 1};
  CHECK(!find_levels(extremes.data(), 2, 1u << 20, levels, missing));
}

TEST(distinct_numbers_are_found_and_tabulated) {
  const double none = std::nan("");
  const std::vector<double> x{.5, -0.0, none, 0.0, .5, -3};
  ValueBits words;
  words.bytes = reinterpret_cast<const unsigned char*>(x.data());
  words.width = sizeof(double);
  words.real = true;
  bool missing = false;
  const std::vector<std::size_t> first = find_distinct(words, x.size(), missing);
  CHECK(first == std::vector<std::size_t>{0, 1, 5});
  CHECK(missing);
  const ValueNumbers map = number_values(words, first);
  const std::vector<std::int32_t> lookup{2, 1, 0};
  Column column;
  column.values = words;
  column.numbers = &map;
  column.lookup = lookup.data();
  column.lookup_size = 3;
  column.level_of_missing = 3;
  const Layout layout({4});
  CHECK(agrees(layout, tabulate(layout, {column}, x.size(), nullptr, 1, {}).cells,
               {{{0}, 1}, {{1}, 2}, {{2}, 2}, {{3}, 1}}));
  column.level_of_missing = -1;
  CHECK(tabulate(layout, {column}, x.size(), nullptr, 1, {}).missing ==
        std::vector<std::size_t>{1});
}

TEST(addresses_of_both_widths_are_words) {
  const std::vector<std::uint64_t> wide{800, 16, 800, 7};
  const std::vector<std::uint32_t> narrow{800, 16, 800, 7};
  for (std::size_t width : {sizeof(std::uint32_t), sizeof(std::uint64_t)}) {
    ValueBits words;
    words.bytes = width == 8 ? reinterpret_cast<const unsigned char*>(wide.data())
                             : reinterpret_cast<const unsigned char*>(narrow.data());
    words.width = width;
    words.missing = 7;
    bool missing = false;
    CHECK(find_distinct(words, 4, missing) == std::vector<std::size_t>{0, 1});
    CHECK(missing);
  }
}

TEST(levels_are_the_sorted_distinct_values) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int32_t> x;
    std::set<std::int32_t> twin;
    bool any = false;
    const std::uint32_t span = 1 + dice.below(round % 2 == 0 ? 20 : 3000);
    for (std::uint32_t i = dice.below(60); i > 0; --i) {
      x.push_back(dice.below(9) == 0 ? kMissing : static_cast<std::int32_t>(dice.below(span)) - 50);
      if (x.back() == kMissing)
        any = true;
      else
        twin.insert(x.back());
    }
    std::vector<std::int32_t> levels;
    bool missing = !any;
    CHECK(find_levels(x.data(), x.size(), span, levels, missing));
    CHECK(levels == std::vector<std::int32_t>(twin.begin(), twin.end()));
    CHECK_EQ(missing, any);
  }
}

TEST(distinct_words_come_first_where_they_come_first) {
  Dice dice;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> x;
    std::map<double, std::size_t> first;
    for (std::uint32_t i = dice.below(3000); i > 0; --i) {
      x.push_back(dice.below(1 + dice.below(2000)) / 8.0);
      first.emplace(x.back(), x.size() - 1);
    }
    ValueBits values;
    values.bytes = reinterpret_cast<const unsigned char*>(x.data());
    values.width = sizeof(double);
    values.real = true;
    bool missing = true;
    const std::vector<std::size_t> found = find_distinct(values, x.size(), missing);
    std::vector<std::size_t> expected;
    for (const auto& [value, at] : first) expected.push_back(at);
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected && !missing);
  }
}
