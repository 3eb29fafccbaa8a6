// Steps of growth: each gives a tree of components again, with one new one, and says rightly what
// it may bring.
#include <algorithm>

#include "certify/random_risks.hpp"
#include "certify/tree_growth.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace random_risks;

namespace {

WorkerPool one_thread(1);

// Some admissible sets of each component: all up to three variables, and what must be there.
ReleasedParts some_released(PublicRandom& random, const ComponentTree& tree,
                            const std::vector<SubTable>& admissible) {
  ReleasedParts out(tree.components.size());
  for (std::size_t j = 0; j < out.size(); ++j) {
    const std::size_t most = 1 + random.below(3);
    for (SubTable s : admissible) {
      bool in = holds(tree.components[j], s) && set_size(s) <= most;
      for (std::size_t k = 1; k < tree.components.size(); ++k)
        in = in || ((k == j || tree.parent[k] == j) && holds(tree.separators[k], s));
      if (in) out[j].push_back(s);
    }
  }
  return out;
}

std::int64_t value_of(const ComponentTree& tree, const std::vector<std::int64_t>& sets) {
  std::int64_t out = 0;
  for (std::size_t j = 0; j < tree.components.size(); ++j)
    out += sets[j] - LevelSteps().n_inside(tree.separators[j]);
  return out;
}

bool is_released(const ReleasedParts& released, std::size_t j, SubTable set) {
  return set == 0 || std::find(released[j].begin(), released[j].end(), set) != released[j].end();
}

void check_shape(const ComponentTree& tree, SubTable variables) {
  SubTable seen = tree.components[0];
  CHECK_EQ(tree.separators[0], 0u);
  for (std::size_t j = 1; j < tree.components.size(); ++j) {
    CHECK(tree.parent[j] < j);
    CHECK_EQ(tree.components[j] & tree.components[tree.parent[j]], tree.separators[j]);
    CHECK_EQ(tree.components[j] & seen, tree.separators[j]);  // running intersection
    CHECK(tree.components[j] != tree.separators[j]);
    seen |= tree.components[j];
  }
  CHECK_EQ(seen, variables);
}

}  // namespace

TEST(steps_give_trees_with_one_new_component) {
  PublicRandom random(5);
  std::size_t n_steps = 0, n_joined = 0, n_moved = 0;
  for (int round = 0; round < 80; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2, 2}, 12);
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> admissible = admissible_sets(risk, 2, 10000);
    TreeLimits limits;
    limits.max_variables = 2 + random.below(3);
    limits.forced = {admissible[random.below(admissible.size())]};
    if (set_size(limits.forced[0]) > limits.max_variables) continue;
    const auto trees = plan_trees(x.layout, admissible, {}, limits, one_thread, {});
    if (trees.empty()) continue;
    const ComponentTree& tree = trees[random.below(trees.size())];
    const ReleasedParts released = some_released(random, tree, admissible);
    limits.max_variables += random.below(3);
    limits.max_cells = 24 + random.below(200);
    PartCounts counts(7, admissible);
    std::int64_t last = INT64_MAX;
    for (const TreeStep& step : growth_steps(x.layout, tree, released, limits, counts)) {
      ++n_steps;
      check_shape(step.tree, risk.all_variables());
      CHECK(step.gain > 0 && step.gain <= last);
      last = step.gain;
      std::vector<std::int64_t> before, after;
      for (const auto& sets : released) before.push_back(static_cast<std::int64_t>(sets.size()));
      for (std::size_t j = 0; j < step.tree.components.size(); ++j) {
        const SubTable component = step.tree.components[j];
        if (j == step.made) {
          CHECK(step.from[j] == TreeStep::kNew);
          CHECK(set_size(component) <= limits.max_variables);
          CHECK(n_cells(risk, component) <= static_cast<double>(limits.max_cells));
          after.push_back(counts(component));
        } else {
          CHECK_EQ(component, tree.components[step.from[j]]);
          after.push_back(before[step.from[j]]);
          // What others release must hold the separators.
          for (std::size_t k = 1; k < step.tree.components.size(); ++k)
            if (k == j || step.tree.parent[k] == j)
              CHECK(is_released(released, step.from[j], step.tree.separators[k]));
        }
      }
      CHECK_EQ(value_of(step.tree, after) - value_of(tree, before), step.gain);
      n_joined += step.tree.components.size() < tree.components.size();
      n_moved += step.tree.components.size() == tree.components.size();
      CHECK(std::any_of(step.tree.components.begin(), step.tree.components.end(),
                        [&](SubTable c) { return holds(c, limits.forced[0]); }));
    }
  }
  CHECK(n_steps > 200 && n_joined > 50 && n_moved > 50);
}
