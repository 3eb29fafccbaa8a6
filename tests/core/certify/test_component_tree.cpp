// Trees of components: they cover all variables, their separators are admissible, and they count
// their sub-tables rightly.
#include <algorithm>

#include "base/error.hpp"
#include "certify/component_table.hpp"
#include "certify/component_tree.hpp"
#include "certify/random_risks.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace random_risks;

namespace {

WorkerPool one_thread(1);

void check_tree(const ComponentTree& tree, const std::vector<SubTable>& admissible,
                std::size_t size, SubTable variables) {
  SubTable all = 0;
  for (std::size_t j = 0; j < tree.components.size(); ++j) {
    CHECK(set_size(tree.components[j]) <= size);
    const SubTable s = tree.separators[j];
    if (j > 0) {
      CHECK(tree.parent[j] < j);
      CHECK_EQ(tree.components[j] & tree.components[tree.parent[j]], s);
      CHECK_EQ(tree.components[j] & all, s);  // running intersection
      CHECK(s == 0 || std::binary_search(admissible.begin(), admissible.end(), s));
      CHECK((tree.below(j) & s) == 0);
    }
    all |= tree.components[j];
  }
  CHECK_EQ(all, variables);
  // Each admissible sub-table inside some component counts once.
  std::size_t n_sets = 0;
  for (SubTable set : admissible)
    n_sets += std::any_of(tree.components.begin(), tree.components.end(),
                          [set](SubTable c) { return (set & ~c) == 0; });
  CHECK_EQ(tree.n_sets, n_sets);
  for (std::size_t j = 1; j < tree.components.size(); ++j) {
    SubTable hangs = 0;
    for (std::size_t k = j; k < tree.components.size(); ++k) {
      std::size_t up = k;
      while (up > j) up = tree.parent[up];
      if (up == j) hangs |= tree.components[k];
    }
    CHECK_EQ(tree.below(j), hangs & ~tree.separators[j]);
  }
}

}  // namespace

TEST(trees_cover_all_variables_with_admissible_separators) {
  PublicRandom random(8);
  for (std::size_t size = 2; size <= 6; ++size) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2, 2}, 9);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    TreeLimits limits;
    limits.max_variables = size;
    const auto trees = plan_trees(x.layout, admissible, {}, limits, one_thread, {});
    CHECK(!trees.empty());
    for (const ComponentTree& tree : trees)
      check_tree(tree, admissible, size, risk.all_variables());
  }
}

TEST(forced_sets_lie_in_components) {
  PublicRandom random(31);
  std::size_t n_found = 0, n_apart = 0;
  for (int round = 0; round < 60; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2, 2}, 40);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    TreeLimits limits;
    limits.max_variables = 3 + random.below(3);
    SubTable together = 0;
    for (std::size_t n = 1 + random.below(3); limits.forced.size() < n;) {
      const SubTable s = admissible[random.below(admissible.size())];
      if (set_size(s) > limits.max_variables) continue;
      limits.forced.push_back(s);
      together |= s;
    }
    const auto trees = plan_trees(x.layout, admissible, {}, limits, one_thread, {});
    n_found += !trees.empty();
    n_apart += !trees.empty() && set_size(together) > limits.max_variables;
    // A root that holds all of them is always found.
    if (set_size(together) <= limits.max_variables) CHECK(!trees.empty());
    for (const ComponentTree& tree : trees) {
      check_tree(tree, admissible, limits.max_variables, risk.all_variables());
      for (SubTable s : limits.forced)
        CHECK(std::any_of(tree.components.begin(), tree.components.end(),
                          [s](SubTable c) { return (s & ~c) == 0; }));
    }
  }
  CHECK(n_found > 40);
  CHECK(n_apart > 10);
}

TEST(trees_come_with_most_sub_tables_first_and_no_more_than_asked) {
  PublicRandom random(9);
  for (int round = 0; round < 20; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2, 2}, 20);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    TreeLimits limits;
    limits.max_variables = 4;
    limits.n_trees = 1 + random.below(5);
    const auto trees = plan_trees(x.layout, admissible, {}, limits, one_thread, {});
    CHECK(!trees.empty() && trees.size() <= limits.n_trees);
    WorkerPool three_threads(3);
    const auto same = plan_trees(x.layout, admissible, {}, limits, three_threads, {});
    CHECK(std::equal(trees.begin(), trees.end(), same.begin(), same.end(),
                     [](const ComponentTree& a, const ComponentTree& b) {
                       return a.components == b.components && a.separators == b.separators;
                     }));
    for (std::size_t t = 1; t < trees.size(); ++t) CHECK(trees[t].n_sets <= trees[t - 1].n_sets);
  }
}

// Where the whole table fits it is the only component, and all that is admissible counts.
TEST(what_fits_is_not_split) {
  PublicRandom random(10);
  const Case x = random_case(random, {2, 3, 2, 2}, 9);
  const RiskCells risk(x.layout, x.view(), x.at_risk);
  const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
  const auto trees = plan_trees(x.layout, admissible, {}, {}, one_thread, {});
  CHECK(!trees.empty());
  CHECK(trees[0].components == std::vector<SubTable>{15});
  CHECK_EQ(trees[0].n_sets, admissible.size());
}

TEST(components_have_no_more_cells_than_allowed) {
  PublicRandom random(11);
  for (std::size_t most : {12, 24, 48}) {
    const Case x = random_case(random, {2, 3, 4, 2, 3}, 30);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 1, 10000);
    TreeLimits limits;
    limits.max_cells = most;
    for (const ComponentTree& tree : plan_trees(x.layout, admissible, {}, limits, one_thread, {})) {
      check_tree(tree, admissible, 5, risk.all_variables());
      for (SubTable set : tree.components) {
        std::size_t cells = 1;
        for (std::size_t v = 0; v < 5; ++v)
          if ((set >> v & 1) != 0) cells *= x.layout.n_levels(v);
        CHECK(cells <= most);
      }
    }
  }
}

TEST(given_roots_come_first) {
  PublicRandom random(12);
  const Case x = random_case(random, {2, 3, 2, 2, 3, 2, 2}, 20);
  const RiskCells risk(x.layout, x.view(), x.at_risk);
  const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
  TreeLimits limits;
  limits.max_variables = 4;
  for (SubTable root : {SubTable{0b1111}, SubTable{0b1010101}, SubTable{0b11}}) {
    const auto trees = plan_trees(x.layout, admissible, {root}, limits, one_thread, {});
    CHECK_EQ(trees.size(), 1u);
    for (const ComponentTree& tree : trees)
      CHECK(std::any_of(tree.components.begin(), tree.components.end(),
                        [&](SubTable c) { return (root & ~c) == 0; }));
  }
}

// Of random chordal graphs: the sub-tables inside cliques, each once.
TEST(cliques_make_a_tree) {
  PublicRandom random(14);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(9);
    std::vector<SubTable> cliques{1};
    for (std::size_t v = 1; v < n; ++v) {
      const SubTable part = cliques[random.below(cliques.size())] & random();
      const SubTable more = part | SubTable{1} << v;
      const auto within = std::find(cliques.begin(), cliques.end(), part);
      if (within != cliques.end()) cliques.erase(within);
      cliques.push_back(more);
    }
    std::vector<SubTable> below;
    for (SubTable s = 1; s < SubTable{1} << n; ++s)
      if (std::any_of(cliques.begin(), cliques.end(), [s](SubTable c) { return (s & ~c) == 0; }))
        below.push_back(s);
    random.shuffle(cliques.begin(), cliques.end());
    check_tree(tree_of_cliques(cliques), below, n, (SubTable{1} << n) - 1);
  }
  CHECK_THROWS(InputError, tree_of_cliques({3, 6, 5}));
  CHECK_THROWS(InputError, tree_of_cliques({3, 6, 12, 9}));
}
