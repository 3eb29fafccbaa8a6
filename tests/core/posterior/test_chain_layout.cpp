// Steps of a layout: laws in order, a front that fits, and the costs that the chain then has.
#include "check.hpp"
#include "posterior/chain.hpp"
#include "posterior/chain_layout.hpp"
#include "posterior/elimination.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Case {
  std::vector<Publication> sources;
  std::vector<double> table;
  std::vector<std::int32_t> room;
};

Case random_case(Dice& dice) {
  Case out;
  const int n_cells = 3 + dice.below(6);
  out.sources.resize(1);
  out.sources[0].cycles = random_cycles(dice, n_cells, 1 + dice.below(5), 2);
  out.sources[0].mechanism =
      random_mechanism(dice, out.sources[0].cycles, dice.below(8), ZeroRule::blocked);
  for (int i = 0; i < n_cells; ++i) out.table.push_back(dice.below(4));
  out.room.resize(out.table.size());
  return out;
}

}  // namespace

TEST(steps_hold_all_laws_and_their_messages_fit) {
  Dice dice(33);
  int n_steps = 0;
  for (int round = 0; round < 600; ++round) {
    Case c = random_case(dice);
    c.sources[0].published = c.table.data();
    const Problem problem(c.sources, c.room.data());
    Elimination elimination(problem);
    for (const Component& part : problem.linkage().components) {
      const std::shared_ptr<ChainLayout> layout = elimination.plan(part);
      std::size_t next = 0;
      for (const ChainLayout::Step& step : layout->steps) {
        CHECK_EQ(step.first_law, next);
        CHECK(step.n_laws >= 1 && step.n_laws <= 4);
        next += step.n_laws;
      }
      CHECK_EQ(next, static_cast<std::size_t>(part.n_laws));
      const Chain chain = elimination.build(part, *layout);
      CHECK(layout->is_filled());
      CHECK_EQ(chain.steps.size(), layout->steps.size());
      double most = 1;
      for (std::size_t j = 0; j < chain.steps.size(); ++j, ++n_steps) {
        const ChainStep& step = chain.steps[j];
        CHECK_EQ(step.n_before(), j == 0 ? 1 : chain.steps[j - 1].n_after());
        CHECK_EQ(step.n_after(), j + 1 < chain.steps.size() ? chain.steps[j + 1].n_before() : 1);
        most = std::max(most, static_cast<double>(step.n_before()));
        if (!step.permutation) continue;
        std::vector<std::uint32_t> sorted = *step.permutation;
        std::sort(sorted.begin(), sorted.end());
        CHECK_EQ(sorted.size(), step.n_before());
        for (std::uint32_t i = 0; i < sorted.size(); ++i) CHECK_EQ(sorted[i], i);
      }
      CHECK_EQ(layout->cost.states, most);
      CHECK(chain_work(chain) <= layout->cost.products);  // where nothing is forbidden they agree
    }
  }
  CHECK(n_steps > 300);
}

// Another maker fills a copy in the same way.
TEST(unfilled_layouts_give_the_same_chain) {
  Dice dice(34);
  for (int round = 0; round < 60; ++round) {
    Case c = random_case(dice);
    c.sources[0].published = c.table.data();
    const Problem problem(c.sources, c.room.data());
    Elimination one(problem), two(problem);
    for (const Component& part : problem.linkage().components) {
      const std::shared_ptr<ChainLayout> layout = one.plan(part);
      const Chain chain = one.build(part, *layout);
      ChainLayout copy = layout->unfilled();
      CHECK(copy.steps.empty() || !copy.is_filled());
      const Chain other = two.build(part, copy);
      CHECK(other.laws == chain.laws);
      CHECK_EQ(chain_work(other), chain_work(chain));
      CHECK_EQ(chain_evidence(other, {}, {}), chain_evidence(chain, {}, {}));
    }
  }
}
