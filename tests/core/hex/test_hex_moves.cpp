// Moves of counts on a map: carried out, measured, and cells in the order in which they are taken.
#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "hex/hex_moves.hpp"

using namespace sdclattice;

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
