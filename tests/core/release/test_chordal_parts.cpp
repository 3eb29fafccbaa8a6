// Cliques and comparisons that enumeration and search share, by their definitions.
#include <algorithm>

#include "base/random.hpp"
#include "check.hpp"
#include "release/chordal_parts.hpp"

using namespace sdclattice;

TEST(cliques_are_the_maximal_sets_once) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<SubTable> with(random.below(7));
    for (SubTable& set : with) set = 1 + random.below(31);
    const std::vector<SubTable> found = cliques_of(with);
    for (SubTable set = 1; set < 32; ++set) {
      bool there = false, inside_other = false;
      for (SubTable x : with) {
        there = there || x == set;
        inside_other = inside_other || (x != set && (x & set) == set);
      }
      const auto n = std::count(found.begin(), found.end(), set);
      wrong += n != (there && !inside_other ? 1 : 0);
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(all_pairs_of_a_clique_are_joined) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    SubTable graph[5] = {};
    for (std::size_t u = 0; u < 5; ++u)
      for (std::size_t v = 0; v < u; ++v)
        if (random.below(3) != 0) {
          graph[u] |= bit(v);
          graph[v] |= bit(u);
        }
    for (SubTable set = 0; set < 32; ++set) {
      bool joined = true;
      for (std::size_t u = 0; u < 5; ++u)
        for (std::size_t v = 0; v < u; ++v)
          if ((set >> u & 1) != 0 && (set >> v & 1) != 0)
            joined = joined && (graph[u] >> v & 1) != 0;
      wrong += is_clique(graph, set) != joined;
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(sums_of_fractions_may_differ_in_their_last_digits) {
  const AdditiveUtility whole({2, 3}, {}, {}), fractions({.1, .2}, {}, {});
  const double sum = .1 + .2;
  CHECK(sum != .3);
  CHECK(Comparison(fractions)(.3, sum));
  CHECK(!Comparison(fractions)(.3, .3001));
  CHECK(Comparison(whole)(3, 3) && !Comparison(whole)(2, 3));
}
