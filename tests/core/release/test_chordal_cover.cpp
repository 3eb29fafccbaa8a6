// Covers of a release by chordal graphs: each is one, holds the release, and its closed form is
// that of all tables with its cliques.
#include <set>

#include "base/bits.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/chordal_cover.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// The graph in which the sets of a cover are joined; adds to `wrong` what is no elimination.
DecomposableGraph graph_of_cover(std::size_t n, const ChordalCover& cover, int& wrong) {
  const DecomposableGraph graph(n, cover.with);
  SubTable left = (SubTable{1} << n) - 1;
  wrong += cover.with.size() != n || cover.without.size() != n;
  for (std::size_t k = 0; k < cover.with.size(); ++k) {
    const SubTable one = cover.with[k] & ~cover.without[k];
    wrong += size_of(one) != 1 || !inside(cover.without[k], cover.with[k]) || !inside(one, left);
    left &= ~one;
    // All neighbours that are left, and these joined to each other.
    const auto v = static_cast<std::size_t>(lowest_bit(one));
    wrong += (graph.neighbours(v) & left) != cover.without[k] || !graph.complete(cover.with[k]);
  }
  wrong += left != 0;
  return graph;
}

}  // namespace

TEST(neighbours_are_those_that_share_a_set) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(6);
    const auto sets = random_frontier(random, n, 4);
    const auto found = independence_neighbours(n, sets);
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) {
        bool share = false;
        for (Mask set : sets) share = share || (u != v && in(set, u) && in(set, v));
        wrong += in(found[u], v) != share;
      }
  }
  CHECK_EQ(wrong, 0);
}

TEST(covers_are_chordal_hold_the_graph_and_differ) {
  int wrong = 0, several = 0, none = 0;
  for (std::size_t n = 1; n <= 5; ++n)
    for (std::size_t code = 0; code < std::size_t{1} << (n * (n - 1) / 2); ++code) {
      const DecomposableGraph graph = graph_of(n, code);
      std::vector<SubTable> neighbours;
      for (std::size_t v = 0; v < n; ++v) neighbours.push_back(graph.neighbours(v));
      std::set<std::vector<SubTable>> seen;
      for (const ChordalCover& cover : chordal_covers(neighbours, 4, code)) {
        const DecomposableGraph filled = graph_of_cover(n, cover, wrong);
        std::vector<SubTable> rows;
        for (std::size_t v = 0; v < n; ++v) {
          wrong += !inside(neighbours[v], filled.neighbours(v));
          rows.push_back(filled.neighbours(v));
        }
        wrong += filled.complete((SubTable{1} << n) - 1) || !chordal_by_cycles(filled);
        if (chordal_by_cycles(graph)) wrong += rows != neighbours;
        std::vector<SubTable> key = cover.with;
        std::sort(key.begin(), key.end());
        wrong += !seen.insert(key).second;
      }
      several += seen.size() > 1;
      none += seen.empty();
    }
  CHECK_EQ(wrong, 0);
  CHECK(several > 100 && none > 0);
}

TEST(closed_forms_are_the_bounds_of_all_tables_with_the_cliques) {
  PublicRandom random(2);
  int wrong = 0, n = 0, positive = 0;
  for (int round = 0; round < 80; ++round) {
    const Dense x = random_dense(random, {2, 3, 2}, 3, 1);
    const auto sets = random_frontier(random, 3, 3);
    const auto covers = chordal_covers(independence_neighbours(3, sets), 3, 7);
    std::int64_t total = 0;
    for (std::int64_t count : x.counts) total += count;
    std::map<SubTable, std::vector<std::int64_t>> kept;
    const MarginAtCells margin = [&](SubTable set) -> const std::vector<std::int64_t>& {
      std::vector<std::int64_t>& out = kept[set];
      auto sums = x.margin(set);
      out.clear();
      for (std::size_t c = 0; c < x.counts.size(); ++c) out.push_back(sums[x.at(c, set)]);
      return out;
    };
    const auto outer = sharp_bounds(x, sets);
    for (const ChordalCover& cover : covers) {
      const auto exact = sharp_bounds(x, maximal(cover.with));
      if (exact.empty()) continue;
      const ClosedForm found = closed_form(cover, margin, total, x.counts.size());
      for (std::size_t c = 0; c < x.counts.size(); ++c) {
        wrong += found.lower[c] != exact[c].lower || found.upper[c] != exact[c].upper;
        positive += found.lower[c] > 0;
        // Whoever releases more tells more.
        if (!outer.empty())
          wrong += found.lower[c] < outer[c].lower || found.upper[c] > outer[c].upper;
        ++n;
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 300 && positive > 30);
}

TEST(the_complete_graph_has_no_cover_and_no_try_finds_none) {
  CHECK(chordal_covers({6, 5, 3}, 10, 1).empty());
  CHECK(chordal_covers({0, 0, 0}, 0, 1).empty());
  CHECK_EQ(chordal_covers({0, 0, 0}, 1, 1).size(), 1u);
  // A ring of four: one of two diagonals.
  CHECK_EQ(chordal_covers({10, 5, 10, 5}, 200, 1).size() >= 2, true);
}

TEST(equal_seeds_give_equal_covers) {
  PublicRandom random(3);
  for (int round = 0; round < 20; ++round) {
    const auto neighbours = independence_neighbours(8, random_frontier(random, 8, 9));
    const auto first = chordal_covers(neighbours, 5, 11),
               second = chordal_covers(neighbours, 5, 11);
    CHECK_EQ(first.size(), second.size());
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i)
      CHECK(first[i].with == second[i].with && first[i].without == second[i].without);
  }
}
