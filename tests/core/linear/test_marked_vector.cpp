// Visits in order, with marks set on the way, against a plain vector.
#include <cstdint>

#include "check.hpp"
#include "linear/marked_vector.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

std::vector<std::size_t> marked(const std::vector<char>& is_marked, std::size_t from) {
  std::vector<std::size_t> out;
  for (std::size_t i = from; i < is_marked.size(); ++i)
    if (is_marked[i]) out.push_back(i);
  return out;
}

}  // namespace

TEST(visits_in_order) {
  Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = static_cast<std::size_t>(1 + dice.below(200));
    MarkedVector x(n);
    std::vector<char> is_marked(n, 0);
    std::vector<double> value(n, 0.0);
    for (int k = dice.below(20); k > 0; --k) {
      const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(n)));
      const double by = dice.below(5) - 2;
      is_marked[i] = 1;
      dice.below(2) == 0 ? (x.add(i, by), value[i] += by) : (x.set(i, by), value[i] = by);
    }
    std::vector<std::size_t> up, down, all;
    const auto from = static_cast<std::size_t>(dice.below(static_cast<int>(n)));
    x.ascend(from, [&](std::size_t i) { up.push_back(i); });
    x.descend([&](std::size_t i) { down.insert(down.begin(), i); });
    x.each([&](std::size_t i) { all.push_back(i); });
    CHECK(up == marked(is_marked, from));
    CHECK(down == marked(is_marked, 0));
    CHECK(all == down);
    for (std::size_t i = 0; i < n; ++i) CHECK(x[i] == value[i]);
    x.clear();
    x.each([&](std::size_t) { CHECK(false); });
    for (std::size_t i = 0; i < n; ++i) CHECK(x[i] == 0.0);
  }
}

// Places that a visit marks further on are visited too, also within the same 64.
TEST(marks_set_on_the_way) {
  for (std::size_t by = 1; by < 130; ++by) {
    MarkedVector x(300);
    x.add(3, 1.0);
    std::vector<std::size_t> seen, expected;
    for (std::size_t i = 3; i < 300; i += by) expected.push_back(i);
    x.ascend(0, [&](std::size_t i) {
      seen.push_back(i);
      if (i + by < 300) x.add(i + by, 1.0);
    });
    CHECK(seen == expected);
    MarkedVector y(300);
    y.add(expected.back(), 1.0);
    seen.clear();
    y.descend([&](std::size_t i) {
      seen.insert(seen.begin(), i);
      if (i >= 3 + by) y.add(i - by, 1.0);
    });
    CHECK(seen == expected);
  }
}

TEST(forgotten_places_keep_their_mark) {
  MarkedVector x(70);
  x.add(69, 2.0);
  x.forget(69);
  CHECK(x[69] == 0.0);
  std::size_t n = 0;
  x.each([&](std::size_t i) { n += i; });
  CHECK_EQ(n, 69u);
  CHECK_EQ(x.size(), 70u);
}
