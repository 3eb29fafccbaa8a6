// Cycles share the states of their coins exactly when they are applied equally often under one
// rule.
#include "check.hpp"
#include "posterior/cycle_states.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

TEST(states_are_those_of_the_rule_and_the_applications) {
  Dice dice(31);
  for (int round = 0; round < 100; ++round) {
    std::vector<Publication> sources(1 + static_cast<std::size_t>(dice.below(2)));
    const std::vector<double> table(6, 5);
    for (Publication& source : sources) {
      source.cycles = random_cycles(dice, 6, 1 + dice.below(4), 2);
      source.mechanism = random_mechanism(dice, source.cycles, dice.below(7), ZeroRule::blocked);
      source.mechanism.rule = static_cast<ZeroRule>(dice.below(4));
      source.published = table.data();
    }
    for (Publication& source : sources)  // all cells differ only where some cycle goes
      for (std::int32_t i = 0; i < 6; ++i) source.cycles.add(i, 1), source.cycles.close();
    for (Publication& source : sources)
      if (source.mechanism.alpha.size() > 1)
        source.mechanism.alpha.resize(source.cycles.size(), .25),
            source.mechanism.beta.resize(source.cycles.size(), .25);
    std::vector<std::int32_t> room(6);
    const Problem problem(sources, room.data());
    CycleStates states(problem);
    const auto n = static_cast<std::int32_t>(problem.linkage().n_cycles);
    for (std::int32_t c = 0; c < n; ++c) {
      const CoinStates& own = states.of(c);
      CHECK_EQ(own.applications(), problem.applications(c));
      CHECK(own.rule() == problem.rule(problem.source_of(c)));
      for (std::int32_t d = 0; d < c; ++d)
        CHECK_EQ(&states.of(d) == &own,
                 problem.applications(c) == problem.applications(d) &&
                     problem.rule(problem.source_of(c)) == problem.rule(problem.source_of(d)));
    }
  }
}
