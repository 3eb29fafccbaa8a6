// Outliers of a map of hexagons: against their definition, cell by cell.
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_outliers.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

HexMap line(const Values& q, const Values& count) {
  return {q, Values(q.size(), 0), count};
}

// One or two adjacent sensitive cells with no other cell within distance t of any of them.
std::set<std::vector<std::uint32_t>> by_definition(const HexMap& map, std::int64_t t) {
  std::set<std::vector<std::uint32_t>> out;
  const auto alone = [&](const std::vector<std::uint32_t>& group) {
    for (std::uint32_t i : group)
      for (std::uint32_t j = 0; j < map.size(); ++j)
        if (std::find(group.begin(), group.end(), j) == group.end() && map.distance(i, j) <= t)
          return false;
    return true;
  };
  for (std::uint32_t i = 0; i < map.size(); ++i) {
    if (map.count[i] >= t) continue;
    if (alone({i})) out.insert({i});
    for (std::uint32_t j = i + 1; j < map.size(); ++j)
      if (map.count[j] < t && map.distance(i, j) == 1 && alone({i, j})) out.insert({i, j});
  }
  return out;
}

}  // namespace

TEST(outliers_of_the_definition) {
  CHECK_EQ(find_outliers(line({0, 3}, {5, 1}), 3).size(), 0u);
  CHECK_EQ(find_outliers(line({0, 4}, {5, 1}), 3).size(), 1u);
  CHECK_EQ(find_outliers(line({0, 4, 5}, {5, 1, 2}), 3).size(), 1u);
  CHECK_EQ(find_outliers(line({0, 4, 5}, {5, 1, 3}), 3).size(), 0u);
  CHECK_EQ(find_outliers(line({0, 4, 5, 6}, {5, 1, 1, 1}), 3).size(), 0u);
  CHECK_EQ(find_outliers(line({0}, {1}), 3).size(), 1u);
  HexMap two = line({0, 9}, {1, 2});
  CHECK_EQ(redistribute_outliers(two, 3).size(), 1u);
  CHECK_EQ(two.count, (Values{0, 3}));
  HexMap alone = line({0}, {1});
  CHECK_EQ(redistribute_outliers(alone, 3).size(), 0u);
}

TEST(outliers_are_those_of_the_definition_on_random_maps) {
  PublicRandom random(1);
  int wrong = 0, singles = 0, pairs = 0;
  for (int round = 0; round < 300; ++round) {
    const std::int64_t t = 2 + round % 3;
    const HexMap map = random_map(random, 2 + random.below(12), 20, 4);
    std::set<std::vector<std::uint32_t>> found;
    for (const HexOutlier& o : find_outliers(map, t)) {
      std::vector<std::uint32_t> cells(o.cell, o.cell + o.size);
      std::sort(cells.begin(), cells.end());
      wrong += !found.insert(cells).second;
      ++(o.size == 1 ? singles : pairs);
    }
    wrong += found != by_definition(map, t);
  }
  CHECK_EQ(wrong, 0);
  CHECK(singles > 50 && pairs > 5);
}

// Every count that moves comes from an outlier of the first map, and none is lost.
TEST(moved_outliers_leave_the_sum_and_move_from_outliers_only) {
  PublicRandom random(2);
  int wrong = 0, moved = 0;
  for (int round = 0; round < 200; ++round) {
    const std::int64_t t = 3;
    const HexMap map = random_map(random, 3 + random.below(9), 18, 5);
    HexMap after = map;
    const auto moves = redistribute_outliers(after, t);
    wrong += sum(after.count) != sum(map.count) || after.q != map.q || after.r != map.r;
    Values count = map.count;
    std::set<std::uint32_t> cells;
    for (const auto& group : by_definition(map, t)) cells.insert(group.begin(), group.end());
    for (const HexMove& m : moves) {
      wrong += m.amount <= 0 || cells.count(m.from) == 0;
      count[m.from] -= m.amount;
      count[m.to] += m.amount;
      ++moved;
    }
    wrong += count != after.count;
    for (std::int64_t c : after.count) wrong += c < 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK(moved > 100);
}
