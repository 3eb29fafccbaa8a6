// Values with few decimals, and some with more.
#include <vector>

#include "base/random.hpp"
#include "check.hpp"
#include "magnitude/whole_units.hpp"

using namespace sdclattice;

TEST(values_with_a_decimal_have_units) {
  PublicRandom random(9);
  for (std::size_t n : {0, 1, 1000, 70000}) {
    std::vector<double> values, wanted, units(n);
    for (std::size_t i = 0; i < n; ++i) {
      wanted.push_back(static_cast<double>(random.below(1000000)) - 1000);
      values.push_back(wanted.back() / 10);
    }
    for (std::size_t threads : {1, 2, 3, 7}) {
      CHECK(find_units(values.data(), n, 10, threads, units.data()));
      CHECK(units == wanted);
    }
    if (n == 0) continue;
    values[n - 1] = .25;
    CHECK(!find_units(values.data(), n, 10, 2, units.data()));
    CHECK(find_units(values.data(), n, 100, 2, units.data()));
    CHECK_EQ(units[n - 1], 25);
  }
}
