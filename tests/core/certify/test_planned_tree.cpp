// Planned trees, before and after steps of growth: their pairs of tables pass the checker, which
// shares no code with them.
#include "base/error.hpp"
#include "certify/checked_pairs.hpp"
#include "certify/planned_tree.hpp"
#include "certify/random_risks.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace random_risks;

namespace {

WorkerPool one_thread(1);
const PlanWork kGoOn{one_thread, [] { return false; }};

PlanEffort small_effort() {
  PlanEffort out;
  out.looks = {20000, 50000};
  out.repair_looks = out.enlarge_looks = 20000;
  out.max_passes = 1;
  return out;
}

bool run_all(PlannedTree& tree) {
  for (std::size_t j = 0; j < tree.n_components(); ++j)
    if (!tree.plan(j).run(small_effort(), kGoOn)) return false;
  return true;
}

// The sets inside some set of the frontier.
std::size_t count_inside(const std::vector<SubTable>& frontier, SubTable all) {
  std::size_t n = 0;
  for (SubTable s = 1; s <= all; ++s)
    n += std::any_of(frontier.begin(), frontier.end(), [s](SubTable f) { return holds(f, s); });
  return n;
}

}  // namespace

TEST(trees_and_their_steps_are_certified) {
  PublicRandom random(4);
  std::size_t n_trees = 0, n_steps = 0, n_uncovered = 0;
  for (int round = 0; round < 40; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 2}, round % 3 == 0 ? 4 : 9);
    if (x.at_risk.empty()) continue;
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::int64_t beta = 1 + round % 3;
    const std::vector<SubTable> admissible = admissible_sets(risk, beta, 10000);
    if (admissible.size() < 5) continue;
    TreeLimits limits;
    limits.max_variables = 2 + random.below(2);
    const auto trees = plan_trees(x.layout, admissible, {}, limits, one_thread, {});
    PlanRules rules;
    rules.beta = beta;
    PlannedTree tree(risk, admissible, trees[0], rules);
    if (!run_all(tree)) continue;
    CHECK(tree.covers());
    ++n_trees;
    CHECK(check_pairs(x, tree.frontier(), beta, tree.certify({})).fault == CertificateFault::none);
    CHECK_EQ(tree.n_sets(), count_inside(tree.frontier(), risk.all_variables()));
    ++limits.max_variables;
    PartCounts counts(5, admissible);
    for (const TreeStep& step :
         growth_steps(x.layout, tree.tree(), tree.released(), limits, counts)) {
      PlannedTree grown(tree, step);
      if (!grown.plan(step.made).run(small_effort(), kGoOn)) continue;
      CHECK_EQ(grown.n_sets(), count_inside(grown.frontier(), risk.all_variables()));
      CHECK(grown.n_sets() <= tree.n_sets() + static_cast<std::size_t>(step.gain));
      if (!grown.covers()) {
        ++n_uncovered;
        continue;
      }
      ++n_steps;
      CHECK(check_pairs(x, grown.frontier(), beta, grown.certify({})).fault ==
            CertificateFault::none);
    }
  }
  CHECK(n_trees > 10 && n_steps > 20);
}
