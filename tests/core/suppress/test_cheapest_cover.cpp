// The cheapest cover against all sets of cells.
#include "check.hpp"
#include "small_tables.hpp"
#include "suppress/cheapest_cover.hpp"

using namespace sdclattice;
using small_tables::Dice;

namespace {

std::vector<CellCut> random_cuts(Dice& dice, int n_cells, int n_cuts) {
  std::vector<CellCut> out;
  for (int k = 0; k < n_cuts; ++k) {
    CellCut cut;
    for (int i = 0; i < n_cells; ++i)
      if (dice.below(4) == 0) cut.push_back(static_cast<std::uint32_t>(i));
    if (!cut.empty()) out.push_back(cut);
  }
  return out;
}

bool hits(const CellCut& cut, std::uint32_t set) {
  return std::any_of(cut.begin(), cut.end(), [&](std::uint32_t i) { return (set >> i & 1) != 0; });
}

std::int64_t cost_of(std::uint32_t set, const std::vector<std::int64_t>& cost) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < cost.size(); ++i)
    if ((set >> i & 1) != 0) out += cost[i];
  return out;
}

std::int64_t least_cost(const std::vector<CellCut>& cuts, const std::vector<std::int64_t>& cost) {
  std::int64_t out = INT64_MAX;
  for (std::uint32_t set = 0; set < 1u << cost.size(); ++set)
    if (std::all_of(cuts.begin(), cuts.end(), [&](const CellCut& c) { return hits(c, set); }))
      out = std::min(out, cost_of(set, cost));
  return out;
}

bool covers(const CellCover& cover, const std::vector<CellCut>& cuts,
            const std::vector<std::int64_t>& cost) {
  std::uint32_t set = 0;
  for (const std::uint32_t i : cover.cells) set |= 1u << i;
  return cost_of(set, cost) == cover.cost &&
         std::all_of(cuts.begin(), cuts.end(), [&](const CellCut& c) { return hits(c, set); });
}

}  // namespace

TEST(random_cuts_against_all_sets) {
  Dice dice(1);
  PublicRandom random(1);
  int n_dear = 0, n_quick = 0;
  for (int round = 0; round < 300; ++round) {
    const int n = 1 + dice.below(10);
    const std::vector<CellCut> cuts = random_cuts(dice, n, dice.below(14));
    std::vector<std::int64_t> cost;
    for (int i = 0; i < n; ++i) cost.push_back(round % 2 == 0 ? 1 : dice.between(1, 30));
    const CellCover cover = cheapest_cover(cuts, cost, 100, {});
    const std::int64_t least = least_cost(cuts, cost);
    CHECK(covers(cover, cuts, cost) && cover.proved());
    CHECK_EQ(cover.cost, least);
    n_dear += least > 3 ? 1 : 0;
    const CellCover known = cheapest_cover(cuts, cost, 100, {}, cover.cells);
    CHECK(covers(known, cuts, cost) && known.proved() && known.cost == least);
    const CellCover quick = quick_cover(cuts, cost, 20, least, random);
    CHECK(covers(quick, cuts, cost) && quick.cost >= least && quick.bound <= least);
    n_quick += quick.cost == least ? 1 : 0;
  }
  CHECK(n_dear > 50 && n_quick > 250);
}

TEST(no_cuts_cost_nothing) {
  const CellCover cover = cheapest_cover({}, {3, 4}, 1, {});
  CHECK(cover.cells.empty() && cover.cost == 0 && cover.proved());
}

TEST(only_the_strongest_cuts_remain) {
  Dice dice(2);
  int n_weak = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<CellCut> cuts = random_cuts(dice, 8, 12);
    const std::vector<CellCut> strong = strongest_cuts(cuts);
    for (std::uint32_t set = 0; set < 256; ++set) {
      const auto is_hit = [&](const CellCut& c) { return hits(c, set); };
      CHECK_EQ(std::all_of(cuts.begin(), cuts.end(), is_hit),
               std::all_of(strong.begin(), strong.end(), is_hit));
    }
    for (std::size_t a = 0; a < strong.size(); ++a)
      for (std::size_t b = 0; b < strong.size(); ++b)
        CHECK(a == b || !std::includes(strong[a].begin(), strong[a].end(), strong[b].begin(),
                                       strong[b].end()));
    n_weak += strong.size() < cuts.size() ? 1 : 0;
  }
  CHECK(n_weak > 20);
}

// Costs that doubles do not hold: the bound is rounded down, the cost is exact.
TEST(large_costs_keep_the_bound_below) {
  Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    const int n = 9;
    const std::vector<CellCut> cuts = random_cuts(dice, n, 12);
    std::vector<std::int64_t> cost;
    for (int i = 0; i < n; ++i)
      cost.push_back((std::int64_t{1} << 55) + static_cast<std::int64_t>(dice.word() >> 10));
    const CellCover cover = cheapest_cover(cuts, cost, 100, {});
    const std::int64_t least = least_cost(cuts, cost);
    CHECK(covers(cover, cuts, cost) && cover.bound <= least && cover.cost >= least);
    CHECK(cover.cost - cover.bound <= std::int64_t{1} << 20);
  }
}

TEST(without_time_the_bound_holds) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    const std::vector<CellCut> cuts = random_cuts(dice, 10, 20);
    std::vector<std::int64_t> cost;
    for (int i = 0; i < 10; ++i) cost.push_back(dice.between(1, 9));
    const CellCover cover = cheapest_cover(cuts, cost, 0, {});
    CHECK(covers(cover, cuts, cost) && cover.bound <= least_cost(cuts, cost));
  }
}
