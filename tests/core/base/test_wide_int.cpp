// Wide products, ratios and checked arithmetic at the limits of 64 bits, and against each other.
#include <string>
#include <vector>

#include "base/random.hpp"
#include "base/wide_int.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

const std::vector<std::int64_t> kEnds{INT64_MIN,
                                      INT64_MIN + 1,
                                      -(std::int64_t{1} << 32),
                                      -3,
                                      -2,
                                      -1,
                                      0,
                                      1,
                                      2,
                                      3,
                                      std::int64_t{1} << 31,
                                      std::int64_t{1} << 32,
                                      INT64_MAX - 1,
                                      INT64_MAX};

bool fits(WideInt x) {
  return x >= INT64_MIN && x <= INT64_MAX;
}

// Runs `work`, which gives `wanted` when that fits and throws when not.
template <class Work>
bool is_checked(WideInt wanted, Work work) {
  try {
    const std::int64_t found = work();
    return fits(wanted) && found == wanted;
  } catch (const TooLargeError& e) {
    return !fits(wanted) && std::string(e.what()) == "Too large.";
  }
}

TEST(checked_arithmetic_gives_the_result_or_an_error) {
  for (std::int64_t a : kEnds)
    for (std::int64_t b : kEnds) {
      const WideInt x = a, y = b;
      CHECK(is_checked(x + y, [&] { return checked_sum(a, b, "Too large."); }));
      CHECK(is_checked(x - y, [&] { return checked_difference(a, b, "Too large."); }));
      CHECK(is_checked(x * y, [&] { return checked_product(a, b, "Too large."); }));
    }
}

TEST(sizes_have_a_place_in_the_addresses_or_are_errors) {
  for (const std::int64_t x : {std::int64_t{0}, std::int64_t{1} << 30, std::int64_t{1} << 31,
                               std::int64_t{1} << 33, INT64_MAX}) {
    bool fine = true;
    try {
      CHECK_EQ(static_cast<std::int64_t>(checked_size(x, "Too large.")), x);
    } catch (const TooLargeError&) {
      fine = false;
    }
    CHECK_EQ(fine, x <= static_cast<std::int64_t>(SIZE_MAX / 2));
  }
}

TEST(wide_overflows_are_seen) {
  const WideInt half = static_cast<WideInt>(1) << 126;
  WideInt out = 0;
  CHECK(sum_overflows(half, half, &out) && product_overflows(half, 2, &out));
  CHECK(!sum_overflows(half, half - 1, &out) && out == half + (half - 1));
  CHECK(!sum_overflows(-half, -half, &out) && out == -half - half);
  CHECK(!product_overflows(-half, 2, &out) && out == -half - half);
  CHECK(product_overflows(-half - half, -1, &out));
}

TEST(the_largest_products_are_exact) {
  const WideUint top = static_cast<WideUint>(wide_product(INT64_MIN, INT64_MIN));
  CHECK(top == static_cast<WideUint>(1) << 126);
  CHECK(wide_product(INT64_MAX, INT64_MIN) == -(static_cast<WideInt>(INT64_MAX) << 63));
}

TEST(magnitudes_have_no_sign) {
  CHECK_EQ(magnitude(std::int64_t{-5}), 5);
  CHECK_EQ(magnitude(std::int64_t{5}), 5);
  CHECK_EQ(magnitude(INT64_MIN + 1), INT64_MAX);
  CHECK(magnitude(static_cast<WideInt>(INT64_MIN)) == static_cast<WideInt>(INT64_MAX) + 1);
}

// floor is the q with q b <= a < (q + 1) b for b > 0, and with the signs of both turned for b < 0.
bool is_floor(WideInt q, WideInt a, WideInt b) {
  return b > 0 ? q * b <= a && a < (q + 1) * b : q * b >= a && a > (q + 1) * b;
}

TEST(ratios_are_rounded_down_and_up) {
  for (std::int64_t a = -13; a <= 13; ++a)
    for (std::int64_t b = -5; b <= 5; ++b) {
      if (b == 0) continue;
      CHECK(is_floor(floor_ratio(a, b), a, b));
      CHECK_EQ(ceil_ratio(a, b), -floor_ratio(-a, b));
    }
  for (std::int64_t a : kEnds)
    for (std::int64_t b : kEnds) {
      if (b == 0) continue;
      const WideInt x = wide_product(a, 5) + 3, y = b;
      CHECK(is_floor(floor_ratio(x, y), x, y));
      CHECK(ceil_ratio(x, y) == -floor_ratio(-x, y));
    }
}

TEST(ratios_of_both_widths_agree) {
  PublicRandom random(1);
  bool same = true;
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> random.below(63);
    const auto b = static_cast<std::int64_t>(random()) >> random.below(63);
    if (b == 0 || (a == INT64_MIN && b == -1)) continue;
    const WideInt x = a, y = b;
    same = same && floor_ratio(a, b) == floor_ratio(x, y) && ceil_ratio(a, b) == ceil_ratio(x, y);
  }
  CHECK(same);
}

}  // namespace
