// Utilities of releases: against sums over all sub-tables one by one.
#include <cmath>

#include "cases.hpp"
#include "check.hpp"
#include "release/additive_utility.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// Worth by definition: the product of the factors, and each listed value.
struct Twin {
  std::vector<double> factors;
  std::vector<SubTable> sets;
  std::vector<double> values;

  double of(SubTable set) const {
    if (set == 0) return 0;
    double out = 1;
    for (std::size_t v = 0; v < factors.size(); ++v)
      if (in(set, v)) out *= factors[v];
    for (std::size_t i = 0; i < sets.size(); ++i)
      if (sets[i] == set) out += values[i];
    return out;
  }
  // All parts of `set` that hold all of `with`.
  double sum(SubTable set, SubTable with) const {
    double out = 0;
    for (SubTable part = 1; part < SubTable{1} << factors.size(); ++part)
      if (inside(part, set) && inside(with, part)) out += of(part);
    return out;
  }
  AdditiveUtility core() const { return {factors, sets, values}; }
};

Twin random_twin(PublicRandom& random, std::size_t n, bool whole) {
  Twin out;
  for (std::size_t v = 0; v < n; ++v)
    out.factors.push_back(static_cast<double>(random.below(5)) * (whole ? 1 : .25));
  for (std::size_t i = random.below(6); i > 0; --i) {
    out.sets.push_back(1 + random.below((std::size_t{1} << n) - 1));  // may come twice
    out.values.push_back(static_cast<double>(random.below(9)) * (whole ? 1 : .5));
  }
  return out;
}

}  // namespace

TEST(all_sums_are_those_over_all_sub_tables) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random.below(5);
    const Twin twin = random_twin(random, n, round % 2 == 0);
    const AdditiveUtility worth = twin.core();
    for (SubTable set = 0; set < SubTable{1} << n; ++set) {
      // Quarters of small numbers: all sums are exact.
      wrong += worth.of(set) != twin.of(set);
      wrong += worth.below(set) != twin.sum(set, 0);
      for (std::size_t v = 0; v < n; ++v) {
        if (in(set, v)) continue;
        const SubTable one = SubTable{1} << v;
        wrong += worth.gain(v, set) != twin.sum(set | one, one);
        wrong += worth.gain(v, set) != worth.below(set | one) - worth.below(set);
        for (std::size_t u = 0; u < v; ++u) {
          const SubTable pair = one | SubTable{1} << u;
          wrong += worth.with_edge(set | pair, u, v) != twin.sum(set | pair, pair);
        }
      }
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(releases_are_worth_their_sub_tables) {
  PublicRandom random(2);
  const std::vector<char> chordal = chordal_codes(5);
  const Twin whole = random_twin(random, 5, true), broken = random_twin(random, 5, false);
  int wrong = 0;
  for (std::size_t code = 0; code < chordal.size(); ++code) {
    if (chordal[code] == 0) continue;
    const DecomposableGraph graph = graph_of(5, code);
    const CliqueTree tree = graph.clique_tree();
    for (const Twin& twin : {whole, broken}) {
      double sum = 0;
      for (SubTable set = 1; set < 32; ++set)
        if (graph.complete(set)) sum += twin.of(set);
      wrong += twin.core().release(tree.cliques, tree.separators) != sum;
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(an_edge_is_worth_the_difference_of_the_releases) {
  const std::vector<char> chordal = chordal_codes(5);
  const auto pairs = pairs_of(5);
  double worst = 0;
  for (std::uint64_t kind = 0; kind < 3; ++kind) {
    const AdditiveUtility utility = some_utility(kind);
    const auto worth = [&](std::size_t code) {
      const CliqueTree tree = graph_of(5, code).clique_tree();
      return utility.release(tree.cliques, tree.separators);
    };
    for (std::size_t code = 0; code < chordal.size(); ++code)
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t more = code | std::size_t{1} << i;
        if (more == code || chordal[code] == 0 || chordal[more] == 0) continue;
        const auto [u, v] = pairs[i];
        const SubTable clique =
            graph_of(5, code).common(u, v) | SubTable{1} << u | SubTable{1} << v;
        const double difference = worth(more) - worth(code);
        worst = std::max(worst, std::abs(difference - utility.with_edge(clique, u, v)));
      }
  }
  CHECK(worst < 1e-9);
}

TEST(whole_values_are_known_as_such) {
  CHECK(AdditiveUtility({1, 2, 0}, {3}, {4}).whole());
  CHECK(AdditiveUtility({}, {}, {}).whole());
  CHECK(!AdditiveUtility({1, 2.5}, {3}, {4}).whole());
  CHECK(!AdditiveUtility({1, 2}, {3, 1}, {4, .125}).whole());
}

TEST(sixty_four_variables_are_counted) {
  const AdditiveUtility worth(std::vector<double>(64, 1), {~SubTable{0}}, {3});
  CHECK_EQ(worth.of(~SubTable{0}), 4.0);
  CHECK_EQ(worth.below(~SubTable{0}), 0x1p64 - 1 + 3);
  CHECK_EQ(worth.gain(63, ~SubTable{0} >> 1), 0x1p63 + 3);
  CHECK_EQ(worth.with_edge(~SubTable{0}, 0, 63), 0x1p62 + 3);
}
