// Lists of numbers in one piece of memory against a vector of vectors.
#include <set>

#include "base/number_lists.hpp"
#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

void check_lists(const NumberLists& found, const Lists& expected) {
  for (std::size_t list = 0; list < expected.size(); ++list) {
    std::vector<std::uint32_t> all, some;
    CHECK(found.each(list, [&](std::uint32_t number) {
      all.push_back(number);
      return true;
    }));
    CHECK_EQ(all, expected[list]);
    const bool whole = found.each(list, [&](std::uint32_t number) {
      some.push_back(number);
      return some.size() < 2;
    });
    CHECK_EQ(whole, all.size() < 2);
    CHECK_EQ(some.size(), std::min<std::size_t>(2, all.size()));
  }
}

}  // namespace

TEST(lists_keep_their_numbers_in_order) {
  PublicRandom random(1);
  for (int i = 0; i < 50; ++i) {
    Lists expected(1 + random.below(20));
    NumberLists lists(expected.size());
    for (int round = 0; round < 3; ++round) {
      std::set<std::size_t> used;
      for (std::size_t k = random.below(200); k > 0; --k) {
        const std::size_t list = random.below(expected.size());
        const auto number = static_cast<std::uint32_t>(random());
        lists.push_back(list, number);
        expected[list].push_back(number);
        used.insert(list);
      }
      check_lists(lists, expected);
      if (round == 0) lists.clear(used);
      if (round == 1) lists.clear();
      expected.assign(expected.size(), {});
      check_lists(round < 2 ? lists : NumberLists(expected.size()), expected);
    }
  }
}
