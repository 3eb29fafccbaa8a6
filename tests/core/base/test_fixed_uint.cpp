// Sums and products modulo a power of two against whole numbers of any size.
#include "base/fixed_uint.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

template <std::size_t n>
void compare(std::uint64_t seed) {
  PublicRandom random(seed);
  const BigCount top = BigCount(1) << (64 * n);
  for (int round = 0; round < 200; ++round) {
    // Words of ones and zeros make long carries.
    BigCount a = 0, b = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint64_t kind = random() % 9;
      a = (a << 64) | (kind % 3 == 0 ? 0 : kind % 3 == 1 ? UINT64_MAX : random());
      b = (b << 64) | (kind / 3 == 0 ? 1 : kind / 3 == 1 ? UINT64_MAX : random());
    }
    FixedUint<n> sum(a), difference(a);
    sum += FixedUint<n>(b);
    difference -= FixedUint<n>(b);
    CHECK_EQ(BigCount(FixedUint<n>(a)), a);
    CHECK_EQ(BigCount(sum), BigCount((a + b) % top));
    CHECK_EQ(BigCount(difference), BigCount((a + top - b) % top));
    CHECK_EQ(BigCount(FixedUint<n>(a) * FixedUint<n>(b)), BigCount((a * b) % top));
    CHECK_EQ(FixedUint<n>(a) <= FixedUint<n>(b), a <= b);
    CHECK_EQ(FixedUint<n>(a) == FixedUint<n>(b), a == b);
    CHECK(FixedUint<n>(a) == FixedUint<n>(BigCount(a + top)));
  }
}

}  // namespace

TEST(arithmetic_wraps_at_the_last_word) {
  compare<1>(1);
  compare<3>(2);
  compare<4>(3);
  compare<16>(4);
  CHECK(FixedUint<4>(7) == FixedUint<4>(BigCount(7)));
}

template <class T>
bool comes_back(const BigCount& x) {
  return to_big(from_big<T>(x)) == x;
}

TEST(numbers_of_any_size_come_and_go) {
  for (const int shift : {0, 1, 63, 64, 65, 126, 127})
    for (const int less : {0, 1}) {
      const BigCount x = (BigCount(1) << shift) - less;
      CHECK(comes_back<WideUint>(x) && comes_back<FixedUint<4>>(x) && comes_back<BigCount>(x));
      CHECK(shift > 63 || comes_back<std::uint64_t>(x));
    }
  CHECK(comes_back<WideUint>((BigCount(1) << 128) - 1));
}
