// Nearest controlled roundings against all roundings, for both aims and in ties.
#include <tuple>

#include "check.hpp"
#include "round/rounding_nearest.hpp"
#include "round/small_roundings.hpp"

using namespace sdclattice;
using namespace small_roundings;

namespace {

// What is made least, first to last; then the cells themselves.
using Rank = std::tuple<std::int64_t, std::int64_t, Whole>;

Rank rank_of(const Circulation& network, const Whole& edges, RoundingAim aim) {
  std::int64_t cells = 0, sums = 0;
  for (std::size_t e = 0; e < edges.size(); ++e)
    (e < network.n_cells ? cells : sums) += std::abs(edges[e] - network.value[e]);
  const Whole own(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(network.n_cells));
  return aim == RoundingAim::cells ? Rank{cells, sums, own} : Rank{cells + sums, cells, own};
}

// The best of all roundings, of which there is one at least.
Whole best_of_all(const Circulation& network, std::int64_t base, RoundingAim aim) {
  Whole best;
  each_rounding(network, base, [&](const Whole& edges) {
    if (best.empty() || rank_of(network, edges, aim) < rank_of(network, best, aim)) best = edges;
  });
  return best;
}

}  // namespace

TEST(random_tables_against_all_roundings) {
  Dice dice(1);
  for (int round = 0; round < 500; ++round) {
    const Circulation network = random_table(dice, 9, 20).network();
    const std::int64_t base = dice.between(2, 7);
    for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all})
      CHECK_EQ(round_nearest(network, base, aim, {}), best_of_all(network, base, aim));
  }
}

// Even bases and residues of half a base: nothing but ties.
TEST(ties_go_to_the_smallest_cells) {
  Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    Table table = random_table(dice, 9, 1);
    for (std::int64_t& x : table.cells) x = 2 * x + 4 * dice.below(2);
    const Circulation network = table.network();
    for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all})
      CHECK_EQ(round_nearest(network, 4, aim, {}), best_of_all(network, 4, aim));
  }
}

// Every 2 x 2 table of residues to base 3 and 4.
TEST(all_small_tables) {
  for (const std::int64_t base : {3, 4})
    each_between(Whole(4, 0), Whole(4, base - 1), [&](const Whole& cells) {
      const Circulation network = make_circulation(cells, {{1, 2, 1, 2}}, {{1, 1, 2, 2}});
      for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all})
        CHECK_EQ(round_nearest(network, base, aim, {}), best_of_all(network, base, aim));
    });
}

// A rounded table is its own nearest rounding, and so is every table to base 1.
TEST(rounding_twice_is_rounding_once) {
  Dice dice(3);
  for (int round = 0; round < 100; ++round) {
    const Table table = random_table(dice, 16, 1000);
    Circulation network = table.network();
    CHECK_EQ(round_nearest(network, 1, RoundingAim::all, {}), network.value);
    const Whole once = round_nearest(network, 5, RoundingAim::cells, {});
    network.load(Whole(once.begin(), once.begin() + static_cast<std::ptrdiff_t>(network.n_cells)));
    CHECK_EQ(network.value, once);  // it adds up
    CHECK_EQ(round_nearest(network, 5, RoundingAim::cells, {}), once);
  }
}

// Larger tables: every edge at an adjacent multiple, and adding multiples of the base to cells adds
// them to the rounding.
TEST(multiples_are_carried_along) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    Table table = random_table(dice, 16, 50);
    const std::int64_t base = dice.between(2, 12);
    const Circulation network = table.network();
    const Whole plain = round_nearest(network, base, RoundingAim::all, {});
    for (std::size_t e = 0; e < plain.size(); ++e)
      CHECK(is_adjacent(plain[e], network.value[e], base));
    Whole more;
    for (std::int64_t& x : table.cells) {
      more.push_back(base * dice.below(1000));
      x += more.back();
    }
    Whole wanted = plain;
    const Whole sums = all_sums(network, more);
    for (std::size_t e = 0; e < wanted.size(); ++e) wanted[e] += sums[e];
    CHECK_EQ(round_nearest(table.network(), base, RoundingAim::all, {}), wanted);
  }
}

TEST(the_ends_of_the_range) {
  const std::int64_t base = 1000000000, top = std::int64_t{1} << 50;
  const Circulation network =
      make_circulation({top, 1, base - 1, 0}, {{1, 2, 1, 2}}, {{1, 1, 2, 2}});
  for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all})
    CHECK_EQ(round_nearest(network, base, aim, {}), best_of_all(network, base, aim));
  CHECK_EQ(round_nearest(make_circulation({}, {}, {}), 3, RoundingAim::all, {}), Whole{0});
  CHECK_EQ(round_nearest(make_circulation({7}, {}, {}), 5, RoundingAim::all, {}), Whole({5, 5}));
  CHECK_EQ(round_nearest(make_circulation({8}, {}, {}), 5, RoundingAim::all, {}), Whole({10, 10}));
}
