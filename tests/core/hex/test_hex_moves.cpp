// Moves of counts on a map: carried out, measured, and cells in the order in which they are taken.
#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_moves.hpp"

using namespace sdclattice;
using namespace hex_cases;

TEST(counts_are_moved_and_their_sum_stays) {
  HexMap map{{0, 1, 2}, {0, 0, 0}, {5, 1, 3}};
  carry_out(map, {{0, 1, 2}, {2, 1, 3}});
  CHECK_EQ(map.count, (std::vector<std::int64_t>{3, 6, 0}));
  CHECK_EQ(total_distance(map, {{0, 1, 2}, {2, 0, 3}}), 2 + 2 * 3);
  CHECK_EQ(total_distance(map, {}), 0);
}

TEST(distances_beyond_2_53_are_refused) {
  const std::int64_t far = std::int64_t{1} << 26;
  const HexMap map{{0, far}, {0, 0}, {1, 1}};
  CHECK_EQ(total_distance(map, {{0, 1, std::int64_t{1} << 27}}), std::int64_t{1} << 53);
  CHECK_THROWS(TooLargeError, total_distance(map, {{0, 1, (std::int64_t{1} << 27) + 1}}));
}

TEST(cells_are_ordered_by_count_and_found_below_the_threshold) {
  PublicRandom random(1);
  for (int round = 0; round < 100; ++round) {
    HexMap map;
    const std::size_t n = random.below(12);
    for (std::size_t i = 0; i < n; ++i) {
      map.q.push_back(static_cast<std::int64_t>(i));
      map.r.push_back(0);
      map.count.push_back(static_cast<std::int64_t>(random.below(4)));
    }
    std::vector<std::uint32_t> cells, low;
    for (std::uint32_t i = 0; i < n; ++i) {
      cells.push_back(i);
      if (map.count[i] < 2) low.push_back(i);
    }
    CHECK_EQ(sensitive_cells(map, 2), low);
    random.shuffle(cells.begin(), cells.end());
    sort_by_count(map, cells);
    bool ordered = true;
    for (std::size_t k = 1; k < cells.size(); ++k) {
      const std::int64_t a = map.count[cells[k - 1]], b = map.count[cells[k]];
      ordered = ordered && (a > b || (a == b && cells[k - 1] < cells[k]));
    }
    CHECK(ordered);
  }
}

TEST(moves_are_summed_as_they_are_made) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const HexMap map = random_map(random, 2 + random.below(9), 12, 9);
    HexMap after = map;
    std::vector<HexMove> moves;
    Values count = map.count;
    std::int64_t length = 0;
    for (std::size_t i = random.below(8); i > 0; --i) {
      const auto from = static_cast<std::uint32_t>(random.below(map.size()));
      const auto to = static_cast<std::uint32_t>(random.below(map.size()));
      if (count[from] == 0) continue;
      moves.push_back({from, to, 1});
      --count[from];
      ++count[to];
      length += map.distance(from, to);
    }
    wrong += total_distance(map, moves) != length;
    carry_out(after, moves);
    wrong += after.count != count || sum(after.count) != sum(map.count);
  }
  CHECK_EQ(wrong, 0);
}

TEST(cells_are_sorted_by_count_and_found_by_threshold) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const HexMap map = random_map(random, 1 + random.below(20), 12, 4);
    std::vector<std::uint32_t> cells;
    std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < map.size(); ++i) {
      if (random.below(3) == 0) continue;
      cells.push_back(i);
      expected.emplace_back(-map.count[i], i);
    }
    random.shuffle(cells.begin(), cells.end());
    std::sort(expected.begin(), expected.end());
    sort_by_count(map, cells);
    for (std::size_t k = 0; k < cells.size(); ++k) wrong += cells[k] != expected[k].second;
    for (std::int64_t t = 0; t <= 6; ++t) {
      std::vector<std::uint32_t> low;
      for (std::uint32_t i = 0; i < map.size(); ++i)
        if (map.count[i] < t) low.push_back(i);
      wrong += sensitive_cells(map, t) != low;
    }
  }
  CHECK_EQ(wrong, 0);
}
