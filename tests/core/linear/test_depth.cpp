// How many choices may be open at a time.
#include <functional>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/depth.hpp"

using namespace sdclattice;

namespace {

// Opens n choices, one within the other, and says how deep that was.
std::size_t descend(std::size_t& depth, std::size_t n) {
  if (n == 0) return depth;
  const Depth deeper(depth);
  return descend(depth, n - 1);
}

}  // namespace

TEST(choices_are_counted_and_closed) {
  std::size_t depth = 0;
  for (const std::size_t n : {0, 1, 2, 100, 4000}) {
    CHECK_EQ(descend(depth, n), n);
    CHECK_EQ(depth, 0u);
  }
}

TEST(one_too_many_is_refused_and_all_are_closed) {
  std::size_t depth = 0;
  CHECK_THROWS(TooLargeError, descend(depth, 4001));
  CHECK_EQ(depth, 0u);
  CHECK_THROWS(TooLargeError, descend(depth, 100000));
  CHECK_EQ(descend(depth, 4000), 4000u);
}

// Searches share a depth when they share its counter, and only then.
TEST(a_counter_for_each_search) {
  std::size_t here = 3999, there = 0;
  {
    const Depth last(here);
    CHECK_EQ(here, 4000u);
    CHECK_THROWS(TooLargeError, Depth(here));
    CHECK_EQ(here, 4000u);
    const Depth other(there);
    CHECK_EQ(there, 1u);
  }
  CHECK_EQ(here, 3999u);
  CHECK_EQ(there, 0u);
}
