// Numbers in two words, which wide_int.hpp takes where the compiler has none of 128 bits, against
// whole numbers of any size modulo 2^128, and against the built-in type where there is one.
#include <cmath>
#include <vector>

#include "base/big_count.hpp"
#include "base/random.hpp"
#include "base/two_words.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using Signed = TwoWords<true>;
using Unsigned = TwoWords<false>;

const BigCount kBeyond = BigCount(1) << 128;

BigCount value(const Unsigned& x) {
  return (BigCount(x.high()) << 64) | BigCount(x.low());
}
BigCount value(const Signed& x) {
  const BigCount out = value(Unsigned(x));
  return x.below_zero() ? out - kBeyond : out;
}

// What 128 bits keep of a number: from 0 on, or from -2^127 on.
template <class T>
BigCount kept(const BigCount& x) {
  BigCount out = x % kBeyond;
  if (out < 0) out += kBeyond;
  return std::is_same_v<T, Signed> && out >= kBeyond / 2 ? out - kBeyond : out;
}

// Numbers around every end of a word and of its half, and their neighbours in size.
template <class T>
std::vector<T> samples() {
  const std::uint64_t words[] = {0,
                                 1,
                                 2,
                                 UINT32_MAX,
                                 std::uint64_t{1} << 32,
                                 static_cast<std::uint64_t>(INT64_MAX),
                                 std::uint64_t{1} << 63,
                                 UINT64_MAX - 1,
                                 UINT64_MAX};
  std::vector<T> out;
  for (const std::uint64_t high : words)
    for (const std::uint64_t low : words) out.push_back(T::of(high, low));
  PublicRandom random(1);
  for (int i = 0; i < 60; ++i)
    out.push_back(T::of(random(), random()) >> static_cast<int>(random.below(127)));
  return out;
}

template <class T>
bool is_right(const T& a, const T& b) {
  const BigCount x = value(a), y = value(b);
  const bool sums = value(a + b) == kept<T>(x + y) && value(a - b) == kept<T>(x - y) &&
                    value(a * b) == kept<T>(x * y) && value(-a) == kept<T>(-x);
  const bool order = (a < b) == (x < y) && (a <= b) == (x <= y) && (a > b) == (x > y) &&
                     (a >= b) == (x >= y) && (a == b) == (x == y) && (a != b) == (x != y);
  const bool ratio = b == 0 || (value(a / b) == kept<T>(x / y) && value(a % b) == kept<T>(x % y));
  return sums && order && ratio;
}

template <class T>
bool all_right() {
  const std::vector<T> numbers = samples<T>();
  for (const T& a : numbers)
    for (const T& b : numbers)
      if (!is_right(a, b)) return false;
  return true;
}

TEST(sums_products_ratios_and_the_order_are_those_of_whole_numbers) {
  CHECK(all_right<Signed>());
  CHECK(all_right<Unsigned>());
}

template <class T>
bool shifts_are_right(const T& a, int n) {
  const BigCount x = value(a), by = BigCount(1) << n;
  const BigCount rest = ((x % by) + by) % by;
  return value(a << n) == kept<T>(x * by) && value(a >> n) == (x - rest) / by;
}

TEST(shifts_multiply_and_divide_downwards) {
  bool same = true;
  for (int n = 0; n < 128; ++n) {
    for (const Signed& a : samples<Signed>()) same = same && shifts_are_right(a, n);
    for (const Unsigned& a : samples<Unsigned>()) same = same && shifts_are_right(a, n);
  }
  CHECK(same);
}

TEST(numbers_of_the_language_come_and_go) {
  for (const std::int64_t x : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    CHECK(value(Signed(x)) == x);
    CHECK_EQ(static_cast<std::int64_t>(Signed(x)), x);
    CHECK_EQ(static_cast<int>(Signed(x)), static_cast<int>(x));
  }
  CHECK(value(Unsigned(-1)) == kBeyond - 1);
  CHECK(value(Signed(UINT64_MAX)) == UINT64_MAX);
  CHECK(value(Signed(true)) == 1);
  CHECK(static_cast<bool>(Signed::of(1, 0)) && !static_cast<bool>(Signed()));
  CHECK(Signed(5) - 7 < 0 && 3 * Signed(-4) == -12);
}

TEST(overflows_are_seen) {
  const BigCount least = -(kBeyond / 2), most = kBeyond / 2 - 1;
  bool sums = true, products = true;
  for (const Signed& a : samples<Signed>())
    for (const Signed& b : samples<Signed>()) {
      Signed out;
      const BigCount sum = value(a) + value(b), product = value(a) * value(b);
      sums = sums && sum_overflows(a, b, &out) == (sum < least || sum > most);
      products = products && product_overflows(a, b, &out) == (product < least || product > most);
    }
  CHECK(sums);
  CHECK(products);
}

// No other double is nearer, and none of two that are as near is the even one.
bool is_nearest(const BigCount& x, double d) {
  const auto apart = [&x](double y) { return BigCount(abs(x - BigCount(y))); };
  const double up = std::nextafter(d, HUGE_VAL), down = std::nextafter(d, -HUGE_VAL);
  const BigCount own = apart(d);
  int exponent = 0;
  const bool even = std::fmod(std::ldexp(std::frexp(d, &exponent), 53), 2) == 0;
  return (own < apart(up) || (even && own == apart(up))) &&
         (own < apart(down) || (even && own == apart(down)));
}

TEST(the_nearest_double_is_found) {
  for (const Signed& a : samples<Signed>())
    if (a.high() != 0) CHECK(is_nearest(value(a), static_cast<double>(a)));
  // Ties, and what is next to them.
  for (const int shift : {11, 12, 40, 64, 70})
    for (const std::uint64_t last : {1, 3})
      for (const int by : {-1, 0, 1}) {
        const Signed half = Signed(1) << (shift - 1);
        const Signed a = (Signed((std::uint64_t{1} << 52) + last) << shift) + half + by;
        CHECK(is_nearest(value(a), static_cast<double>(a)));
        CHECK(is_nearest(value(-a), static_cast<double>(-a)));
      }
  CHECK_EQ(static_cast<double>(Unsigned(-1)), 0x1p128);
  CHECK_EQ(static_cast<double>(Signed(-7)), -7.0);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 BuiltIn;

bool is_same(const Signed& a, BuiltIn b) {
  return a.low() == static_cast<std::uint64_t>(b) &&
         a.high() == static_cast<std::uint64_t>(b >> 64);
}

TEST(the_built_in_type_agrees) {
  PublicRandom random(3);
  bool same = true;
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> random.below(63);
    const auto b = static_cast<std::int64_t>(random()) >> random.below(63);
    const auto d = static_cast<std::int64_t>(random()) >> random.below(63);
    if (d == 0) continue;
    const Signed x = Signed(a) * b;
    const BuiltIn y = BuiltIn{a} * b;
    same = same && is_same(x, y) && is_same(x / d, y / d) && is_same(x % d, y % d) &&
           is_same(x >> 7, y >> 7) && is_same(x + d, y + d);
  }
  CHECK(same);
}
#endif

}  // namespace
