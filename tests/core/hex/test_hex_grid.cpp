// The lattice of hexagons: distances by steps, cells by their places, shells by sorting.
#include "base/error.hpp"
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_grid.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

HexMap row(const Values& q, const Values& count) {
  return {q, Values(q.size(), 0), count};
}

}  // namespace

TEST(steps_lead_to_the_neighbours_and_opposite_ones_back) {
  std::vector<Place> found;
  for (int d = 0; d < 6; ++d) {
    found.emplace_back(kHexStep[d][0], kHexStep[d][1]);
    CHECK_EQ(kHexStep[d][0], -kHexStep[(d + 3) % 6][0]);
    CHECK_EQ(kHexStep[d][1], -kHexStep[(d + 3) % 6][1]);
    CHECK_EQ(hex_distance(kHexStep[d][0], kHexStep[d][1]), 1);
  }
  std::vector<Place> expected = beside({0, 0});
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  CHECK(found == expected);
}

TEST(distance_is_the_number_of_steps) {
  int wrong = 0;
  std::map<std::int64_t, int> at;
  for (const auto& [place, steps] : steps_from({0, 0}, 12)) {
    wrong += hex_distance(place.first, place.second) != steps;
    wrong += hex_distance(-place.first, -place.second) != steps;
    ++at[steps];
  }
  CHECK_EQ(wrong, 0);
  for (std::int64_t d = 1; d <= 12; ++d) CHECK_EQ(at[d], 6 * d);
}

TEST(distances_obey_the_triangle_and_do_not_overflow) {
  PublicRandom random(1);
  int wrong = 0;
  const HexMap map = random_map(random, 40, 60, 1);
  for (std::size_t a = 0; a < 40; ++a)
    for (std::size_t b = 0; b < 40; ++b) {
      wrong += map.distance(a, b) != map.distance(b, a);
      wrong += (map.distance(a, b) == 0) != (a == b);
      for (std::size_t c = 0; c < 40; ++c)
        wrong += map.distance(a, c) > map.distance(a, b) + map.distance(b, c);
    }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(hex_distance(2 * kHexReach, 2 * kHexReach), 4 * kHexReach);
  CHECK_EQ(hex_distance(2 * kHexReach, -2 * kHexReach), 2 * kHexReach);
}

TEST(cells_are_found_by_their_places_and_others_are_not) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 40; ++round) {
    const std::int64_t side = 3 + static_cast<std::int64_t>(random.below(30));
    HexMap map =
        random_map(random, 1 + random.below(static_cast<std::size_t>(side * side / 2)), side, 5);
    if (round % 4 == 0) map.r.back() = kHexReach;
    const HexIndex index(map);
    std::map<Place, std::uint32_t> twin;
    for (std::uint32_t i = 0; i < map.size(); ++i) twin[{map.q[i], map.r[i]}] = i;
    for (std::int64_t q = -side; q <= side; ++q)
      for (std::int64_t r = -side; r <= side; ++r) {
        const auto at = twin.find({q, r});
        wrong += index.at(q, r) != (at == twin.end() ? HexIndex::kNone : at->second);
      }
    wrong += index.at(map.q.back(), map.r.back()) != map.size() - 1;
  }
  CHECK_EQ(wrong, 0);
}

TEST(shells_are_sorted_distances) {
  PublicRandom random(3);
  int wrong = 0, many = 0;
  for (int round = 0; round < 60; ++round) {
    // Crowded maps are walked in rings, scattered ones are sorted.
    HexMap map = random_map(random, 1 + random.below(40), round % 2 == 0 ? 8 : 40, 5);
    if (round % 3 == 0) map.r.back() += 1000000000;
    const HexIndex index(map);
    for (std::size_t from = 0; from < map.size(); ++from) {
      std::vector<std::pair<std::int64_t, std::uint32_t>> expected, found;
      for (std::uint32_t j = 0; j < map.size(); ++j)
        if (j != from) expected.emplace_back(map.distance(from, j), j);
      std::sort(expected.begin(), expected.end());
      std::int64_t before = 0;
      index.each_shell(from, [&](std::int64_t d, const std::vector<std::uint32_t>& cells) {
        wrong += d <= before || cells.empty();
        before = d;
        for (std::uint32_t j : cells) found.emplace_back(d, j);
        return true;
      });
      wrong += expected != found;
      many += expected.size() > 20;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(many > 100);
}

TEST(shells_end_when_they_are_told_to) {
  PublicRandom random(4);
  for (const std::int64_t side : {8, 60}) {
    const HexMap map = random_map(random, 30, side, 5);
    const HexIndex index(map);
    for (std::size_t last = 1; last <= 5; ++last) {
      std::size_t calls = 0;
      index.each_shell(
          7, [&](std::int64_t, const std::vector<std::uint32_t>&) { return ++calls < last; });
      CHECK_EQ(calls, last);
    }
  }
}

TEST(maps_are_checked) {
  check_hex_map(HexMap{});
  check_hex_map(row({-kHexReach, 0, kHexReach}, {1, 1, 1}));
  check_hex_map({{5, 0}, {0, 1}, {1, 1}});
  CHECK_THROWS(InputError, (check_hex_map(row({0, 0}, {1, 1})), 0));
  CHECK_THROWS(InputError, (check_hex_map(row({1, 0}, {1, 1})), 0));
  CHECK_THROWS(InputError, (check_hex_map(row({0, 1}, {1, 0})), 0));
  CHECK_THROWS(InputError, (check_hex_map(row({0}, {-1})), 0));
  CHECK_THROWS(InputError, (check_hex_map(row({kHexReach + 1}, {1})), 0));
  CHECK_THROWS(InputError, (check_hex_map({{0}, {-kHexReach - 1}, {1}}), 0));
  CHECK_THROWS(InputError, (check_hex_map({{0, 5}, {1, 0}, {1, 1}}), 0));
}
