// Originals of a filled map: against filling every map with the same hexagons and sum.
#include <functional>

#include "base/error.hpp"
#include "check.hpp"
#include "hex/hex_attack.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_outliers.hpp"
#include "hex/hex_redistribute.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

const Tick kQuiet = [](double) {};

// All positive counts with a given sum.
void each_original(std::size_t n, std::int64_t total,
                   const std::function<void(const Values&)>& act) {
  Values counts(n, 0);
  const auto go = [&](auto&& self, std::size_t i, std::int64_t left) -> void {
    if (i + 1 == n) {
      counts[i] = left;
      if (left > 0) act(counts);
      return;
    }
    for (counts[i] = 1; counts[i] < left; ++counts[i]) self(self, i + 1, left - counts[i]);
  };
  go(go, 0, total);
}

HexFill fill_by(int method, std::int64_t t) {
  return [=](HexMap& x) {
    if (method == 0) fill_locally(x, t, HexOrder::smallest, kQuiet);
    if (method == 1) fill_globally(x, t, 1e6, kQuiet);
    if (method == 2) fill_optimally(x, t, 1e6, kQuiet);
    if (method == 3) fill_locally(x, t, HexOrder::position, kQuiet);
  };
}

std::multiset<Values> listed(const HexMap& map, const Values& all) {
  std::multiset<Values> out;
  for (std::size_t k = 0; k < all.size(); k += map.size())
    out.emplace(all.begin() + static_cast<std::ptrdiff_t>(k),
                all.begin() + static_cast<std::ptrdiff_t>(k + map.size()));
  return out;
}

// A map that has been filled, of few units.
HexMap filled_map(PublicRandom& random, const HexFill& fill, std::int64_t t) {
  for (;;) {
    HexMap map = random_map(random, 2 + random.below(4), 4, 5);
    if (sum(map.count) < t * static_cast<std::int64_t>(map.size()) || sum(map.count) > 15) continue;
    fill(map);
    return map;
  }
}

}  // namespace

TEST(originals_are_those_of_a_full_search) {
  PublicRandom random(6);
  std::size_t several = 0;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t t = 2 + round % 2;
    const HexFill fill = fill_by(round % 4, t);
    const HexMap map = filled_map(random, fill, t);
    for (const bool no_outliers : {false, true}) {
      std::multiset<Values> expected;
      each_original(map.size(), sum(map.count), [&](const Values& counts) {
        HexMap x = map;
        x.count = counts;
        if (no_outliers && !find_outliers(x, t).empty()) return;
        fill(x);
        if (x.count == map.count) expected.insert(counts);
      });
      CHECK(listed(map, find_hex_originals(map, t, no_outliers, fill, 100000, kQuiet)) == expected);
      several += expected.size() > 2;
    }
  }
  CHECK(several > 30);
}

// What was filled is among its own originals.
TEST(the_true_map_is_always_among_them) {
  PublicRandom random(7);
  int wrong = 0, n = 0;
  for (int round = 0; round < 80; ++round) {
    const std::int64_t t = 3;
    const HexMap map = random_map(random, 2 + random.below(4), 4, 6);
    if (sum(map.count) < t * static_cast<std::int64_t>(map.size())) continue;
    const HexFill fill = fill_by(round % 3, t);
    HexMap after = map;
    fill(after);
    wrong +=
        listed(map, find_hex_originals(after, t, false, fill, 1000000, kQuiet)).count(map.count) !=
        1;
    ++n;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 20);
}

TEST(safe_maps_may_have_been_so_and_too_many_candidates_are_refused) {
  const HexMap map{{0, 1}, {0, 0}, {5, 6}};
  const HexFill fill = fill_by(0, 3);
  CHECK(find_hex_originals(map, 3, false, fill, 1, kQuiet) == (Values{5, 6}));
  const HexMap at_t{{0, 1, 2}, {0, 0, 0}, {3, 3, 5}};
  CHECK_THROWS(TooLargeError, find_hex_originals(at_t, 3, false, fill, 2, kQuiet));
  CHECK(find_hex_originals(at_t, 3, false, fill, 100, kQuiet).size() >= 6);
}

TEST(searches_can_be_stopped) {
  const HexMap map{{0, 1, 2, 3, 4, 5}, Values(6, 0), {4, 4, 4, 4, 4, 9}};
  CHECK_THROWS(int,
               find_hex_originals(map, 4, false, fill_by(0, 4), 1000000, [](double) { throw 1; }));
}
