// Networks of sums against the sums by their definition, and lists of edges against sets.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/circulation.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Case {
  Whole cells;
  std::vector<Partition> down, up;
};

// A family from coarse to fine: each partition splits the parts of the one before at random, or
// leaves some cells out once and for all.
std::vector<Partition> random_family(Dice& dice, std::size_t n) {
  std::vector<Partition> out;
  Partition now(n, 1);
  for (int levels = dice.below(4); levels > 0; --levels) {
    std::map<std::pair<std::uint32_t, int>, std::uint32_t> numbers;
    Partition next(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      if (now[i] == 0 || dice.below(8) == 0) continue;
      const auto key = std::pair{now[i], dice.below(2)};
      next[i] = numbers.emplace(key, static_cast<std::uint32_t>(numbers.size() + 1)).first->second;
    }
    out.push_back(next);
    now = next;
  }
  return out;
}

Case random_case(Dice& dice) {
  Case out;
  const std::size_t n = 1 + static_cast<std::size_t>(dice.below(8));
  for (std::size_t i = 0; i < n; ++i) out.cells.push_back(dice.below(20));
  out.down = random_family(dice, n);
  out.up = random_family(dice, n);
  return out;
}

bool conserved(const Circulation& c) {
  Whole excess(c.n_nodes, 0);
  for (std::size_t e = 0; e < c.n_edges(); ++e) {
    excess[c.from[e]] -= c.value[e];
    excess[c.to[e]] += c.value[e];
  }
  return excess == Whole(c.n_nodes, 0);
}

// Every partition has an edge for each part, which carries its sum, and the total comes last.
bool sums_fit(const Circulation& c, const Case& wanted) {
  std::vector<Partition> all = wanted.down;
  all.insert(all.end(), wanted.up.begin(), wanted.up.end());
  all.push_back(Partition(wanted.cells.size(), 1));
  if (c.above.size() != all.size()) return false;
  std::set<std::uint32_t> edges;
  for (std::size_t p = 0; p < all.size(); ++p) {
    std::map<std::uint32_t, std::int64_t> sums;
    std::map<std::uint32_t, std::uint32_t> edge_of;
    for (std::size_t i = 0; i < all[p].size(); ++i) sums[all[p][i]] += wanted.cells[i];
    for (std::size_t i = 0; i < all[p].size(); ++i) {
      const std::uint32_t edge = c.above[p][i], part = all[p][i];
      if ((part == 0) != (edge == Circulation::kNoEdge)) return false;
      if (part == 0) continue;
      if (edge < c.n_cells || edge >= c.n_edges() || c.value[edge] != sums[part]) return false;
      if (edge_of.emplace(part, edge).first->second != edge) return false;
    }
    for (const auto& [part, edge] : edge_of)
      if (!edges.insert(edge).second) return false;  // each part has an edge of its own
  }
  return edges.size() + c.n_cells == c.n_edges() &&
         edges.count(static_cast<std::uint32_t>(c.n_edges() - 1)) == 1;
}

// The half-edges of a node among the edges in play, in ascending order.
std::vector<std::uint32_t> halves(const Circulation& c, const std::set<std::uint32_t>& in_play,
                                  std::uint32_t node) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t e : in_play) {
    if (c.from[e] == node) out.push_back(2 * e);
    if (c.to[e] == node) out.push_back(2 * e + 1);
  }
  return out;
}

bool lists_fit(const EdgeLists& lists, const Circulation& c,
               const std::set<std::uint32_t>& in_play) {
  for (std::uint32_t node = 0; node < c.n_nodes; ++node) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t h = lists.first(node); !lists.at_end(h); h = lists.next(h)) {
      found.push_back(h);
      const std::uint32_t e = h / 2;
      if (lists.across(h) != (h % 2 == 0 ? c.to[e] : c.from[e])) return false;
    }
    if (found != halves(c, in_play, node)) return false;
  }
  for (std::uint32_t e = 0; e < c.n_edges(); ++e)
    if (lists.holds(e) != (in_play.count(e) == 1)) return false;
  return true;
}

}  // namespace

TEST(random_families) {
  Dice dice(1);
  for (int round = 0; round < 1500; ++round) {
    Case c = random_case(dice);
    Circulation got = make_circulation(c.cells, c.down, c.up);
    CHECK_EQ(got.n_cells, c.cells.size());
    CHECK(conserved(got));
    CHECK(sums_fit(got, c));
    // Other cells in the same network.
    for (std::int64_t& x : c.cells) x = dice.below(1000);
    got.load(c.cells);
    CHECK(conserved(got));
    CHECK(sums_fit(got, c));
  }
}

// A two-way table: rows in one family, columns in the other.
TEST(a_two_way_table) {
  const Circulation got =
      make_circulation({1, 2, 3, 4, 5, 6}, {{1, 2, 1, 2, 1, 2}}, {{1, 1, 2, 2, 3, 3}});
  CHECK_EQ(got.n_nodes, 7u);
  CHECK_EQ(got.value, Whole({1, 2, 3, 4, 5, 6, 9, 12, 3, 7, 11, 21}));
  for (std::size_t e = 0; e < 6; ++e) {
    CHECK_EQ(got.from[e], 2 + e % 2);
    CHECK_EQ(got.to[e], 4 + e / 2);
  }
}

TEST(no_sums_but_the_total) {
  const Circulation got = make_circulation({4, 0, 2}, {}, {});
  CHECK_EQ(got.n_nodes, 2u);
  CHECK_EQ(got.value, Whole({4, 0, 2, 6}));
  const Circulation empty = make_circulation({}, {}, {});
  CHECK_EQ(empty.value, Whole{0});
}

// Every pair of partitions of four cells: it is refused where a part of the finer one lies in two
// parts of the coarser one.
TEST(all_pairs_of_partitions) {
  each_between(Whole(8, 0), Whole(8, 2), [&](const Whole& x) {
    const Partition coarse(x.begin(), x.begin() + 4), fine(x.begin() + 4, x.end());
    bool nested = true;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        if (fine[i] != 0 && fine[i] == fine[j]) nested = nested && coarse[i] == coarse[j];
    if (nested)
      CHECK(conserved(make_circulation({1, 2, 3, 4}, {coarse, fine}, {})));
    else
      CHECK_THROWS(InputError, make_circulation({1, 2, 3, 4}, {}, {coarse, fine}));
  });
}

TEST(edges_are_taken_out) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const Case c = random_case(dice);
    const Circulation network = make_circulation(c.cells, c.down, c.up);
    std::vector<bool> flags(network.n_edges());
    std::set<std::uint32_t> in_play;
    for (std::uint32_t e = 0; e < flags.size(); ++e) {
      flags[e] = dice.below(4) != 0;
      if (flags[e]) in_play.insert(e);
    }
    EdgeLists lists(network, flags);
    CHECK(lists_fit(lists, network, in_play));
    while (!in_play.empty()) {
      auto at = in_play.begin();
      std::advance(at, dice.below(static_cast<int>(in_play.size())));
      lists.remove(*at);
      in_play.erase(at);
      CHECK(lists_fit(lists, network, in_play));
    }
  }
}
