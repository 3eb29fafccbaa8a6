// Values in units of powers of two.
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/whole_values.hpp"
#include "check.hpp"

using namespace sdclattice;

TEST(values_become_whole) {
  const WholeValues plain = whole_values({0, 1, 7});
  CHECK(plain.exact && plain.unit == 1 && plain.values[2] == 7);
  const WholeValues halves = whole_values({0, .5, 2.25});
  CHECK(halves.exact && halves.unit == .25 && halves.values[2] == 9);
  CHECK_NEAR(
      static_cast<double>(whole_values({0, .1, 1e6}).values[1]) * whole_values({0, .1, 1e6}).unit,
      .1, 1e-12);
  CHECK_THROWS(InputError, whole_values({0, 1e300}));
}

TEST(whole_values_are_the_values_in_units) {
  PublicRandom random(6);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> values = {0};
    const int scale = static_cast<int>(random.below(60)) - 30;
    for (std::size_t i = 1 + random.below(15); i > 0; --i)
      values.push_back(std::ldexp(static_cast<double>(random.below(1000000)), scale));
    const WholeValues found = whole_values(values);
    CHECK(found.exact);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK_EQ(static_cast<double>(found.values[i]) * found.unit, values[i]);
      sum += found.values[i];
    }
    CHECK(sum < std::int64_t{1} << 61);
    int power = 0;
    CHECK_EQ(std::frexp(found.unit, &power), .5);
  }
  const WholeValues rounded = whole_values({0, 1, 0x1p-70});
  CHECK(!rounded.exact);
}
