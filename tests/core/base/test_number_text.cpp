// Numbers in messages.
#include <limits>

#include "base/number_text.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

TEST(powers_of_ten_are_rounded_up) {
  CHECK_EQ(power_of_ten(0), "10^0");
  CHECK_EQ(power_of_ten(1), "10^0");
  CHECK_EQ(power_of_ten(1.5), "10^1");
  CHECK_EQ(power_of_ten(10), "10^1");
  CHECK_EQ(power_of_ten(1e12), "10^12");
  CHECK_EQ(power_of_ten(1.0001e12), "10^13");
  CHECK_EQ(power_of_ten(std::numeric_limits<double>::infinity()), "10^inf");
}

TEST(digits_stand_in_groups_of_three) {
  CHECK_EQ(in_groups(0), "0");
  CHECK_EQ(in_groups(999), "999");
  CHECK_EQ(in_groups(1000), "1,000");
  CHECK_EQ(in_groups(123456), "123,456");
  CHECK_EQ(in_groups(1234567), "1,234,567");
}

}  // namespace
