// Counts and places of bits against loops over all 64 places, and sums, differences and products
// against what whole numbers of any size say.
#include <vector>

#include "base/big_count.hpp"
#include "base/bits.hpp"
#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

void check_word(std::uint64_t word) {
  int count = 0, lowest = -1, highest = -1;
  for (int at = 0; at < 64; ++at) {
    if ((word >> at & 1) == 0) continue;
    ++count;
    highest = at;
    if (lowest < 0) lowest = at;
  }
  CHECK_EQ(count_bits(word), count);
  if (word == 0) return;
  CHECK_EQ(lowest_bit(word), lowest);
  CHECK_EQ(highest_bit(word), highest);
}

TEST(bits_are_counted_and_found) {
  check_word(0);
  check_word(UINT64_MAX);
  for (int a = 0; a < 64; ++a)
    for (int b = 0; b <= a; ++b) check_word(std::uint64_t{1} << a | std::uint64_t{1} << b);
  PublicRandom random(1);
  for (int i = 0; i < 500; ++i) check_word(random() >> random.below(64));
}

// Whether a function of two numbers finds `exact`, or says that 64 bits do not hold it.
template <class Overflows>
bool is_found(Overflows overflows, std::int64_t a, std::int64_t b, const BigCount& exact) {
  std::int64_t out = 0;
  const bool fits = exact >= INT64_MIN && exact <= INT64_MAX;
  return overflows(a, b, &out) ? !fits : fits && exact == out;
}

bool are_found(std::int64_t a, std::int64_t b) {
  using Overflows = bool (*)(std::int64_t, std::int64_t, std::int64_t*);
  const BigCount x = a, y = b;
  return is_found<Overflows>(sum_overflows, a, b, x + y) &&
         is_found<Overflows>(difference_overflows, a, b, x - y) &&
         is_found<Overflows>(product_overflows, a, b, x * y);
}

TEST(overflows_are_seen) {
  std::vector<std::int64_t> ends{
      INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, INT64_MIN / 3, -2,       -1, 0, 1,
      2,         3037000499,    3037000500,    INT64_MAX / 2, INT64_MAX};
  for (const std::int64_t a : ends)
    for (const std::int64_t b : ends) CHECK(are_found(a, b));
  PublicRandom random(2);
  bool all = true;
  for (int i = 0; i < 20000; ++i)
    all = all && are_found(static_cast<std::int64_t>(random()) >> random.below(63),
                           static_cast<std::int64_t>(random()) >> random.below(63));
  CHECK(all);
}

}  // namespace
