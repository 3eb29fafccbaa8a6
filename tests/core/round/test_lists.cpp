// Lists and their transposes, from the definition.
#include <algorithm>

#include "base/random.hpp"
#include "check.hpp"
#include "round/lists.hpp"

using namespace sdclattice;

TEST(each_item_knows_its_lists) {
  PublicRandom random(1);
  for (int k = 0; k < 100; ++k) {
    const std::size_t n = random.below(8), m = random.below(8);
    Lists lists;
    for (std::size_t l = 0; l < m; ++l) {
      for (std::uint32_t i = 0; i < n; ++i)
        if (random.below(2) == 0) lists.item.push_back(i);
      lists.close();
    }
    const Lists back = transposed(lists.start, lists.item, n);
    CHECK_EQ(lists.n(), m);
    CHECK_EQ(back.n(), n);
    CHECK_EQ(back.item.size(), lists.item.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      CHECK(std::is_sorted(back.begin(i), back.end(i)));
      CHECK_EQ(back.size(i), static_cast<std::size_t>(back.end(i) - back.begin(i)));
      for (std::uint32_t l = 0; l < m; ++l)
        CHECK_EQ(std::count(back.begin(i), back.end(i), l),
                 std::count(lists.begin(l), lists.end(l), i));
    }
  }
}
