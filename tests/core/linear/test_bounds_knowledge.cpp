// What a search for bounds knows, against the solutions that it has seen so far.
#include "check.hpp"
#include "linear/bounds_knowledge.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Range {
  Whole least, most;
};
Range range_of(const std::vector<Whole>& all) {
  Range out{all[0], all[0]};
  for (const Whole& x : all)
    for (std::size_t i = 0; i < x.size(); ++i) {
      out.least[i] = std::min(out.least[i], x[i]);
      out.most[i] = std::max(out.most[i], x[i]);
    }
  return out;
}

}  // namespace

TEST(witnesses_one_by_one) {
  Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(4), dice.below(3), 2);
    const std::vector<Whole> all = solutions(system);
    Knowledge known(system);
    std::vector<Whole> seen;
    for (const Whole& x : all) {
      known.witness([&](std::size_t i) { return x[i]; });
      seen.push_back(x);
      const Range truth = range_of(seen);
      CHECK_EQ(known.least, truth.least);
      CHECK_EQ(known.most, truth.most);
      CHECK_EQ(known.n_witnesses, seen.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK_EQ(known.open(i, 1), truth.most[i] < system.upper[i]);
        CHECK_EQ(known.open(i, -1), truth.least[i] > system.lower[i]);
      }
    }
    CHECK_EQ(known.lower, system.lower);
    CHECK_EQ(known.upper, system.upper);
  }
}

// Without a witness every end is open, that of a fixed cell too: some solution must be found.
TEST(nothing_is_closed_before_the_first_witness) {
  LinearSystem system;
  system.lower = {2, 0};
  system.upper = {2, 5};
  Knowledge known(system);
  for (std::size_t i = 0; i < 2; ++i) CHECK(known.open(i, 1) && known.open(i, -1));
  known.witness([](std::size_t i) { return i == 0 ? 2 : 5; });
  CHECK(!known.open(0, 1) && !known.open(0, -1));
  CHECK(!known.open(1, 1) && known.open(1, -1));
  CHECK_EQ(known.endless, std::vector<char>(2, false));
}

// Bounds that are proved close what the witnesses attain, in any order, and never widen.
TEST(bounds_and_witnesses_meet) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(4), 1 + dice.below(2), 2);
    std::vector<Whole> all = solutions(system);
    if (all.empty()) continue;
    const Range truth = range_of(all);
    Knowledge known(system);
    for (const Whole& x : all) known.witness([&](std::size_t i) { return x[i]; });
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      for (const std::int64_t slack : {2, 0, 1}) {  // the second one is the best, the third weaker
        known.narrow(i, 1, truth.most[i] + slack);
        known.narrow(i, -1, -(truth.least[i] - slack));
      }
      CHECK_EQ(known.upper[i], truth.most[i]);
      CHECK_EQ(known.lower[i], truth.least[i]);
      CHECK(!known.open(i, 1) && !known.open(i, -1));
    }
  }
}

// A table next to a witness counts as a whole by the cells in which it differs.
TEST(a_witness_by_what_it_changed) {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    LinearSystem system;
    system.lower.assign(6, 0);
    system.upper.assign(6, 9);
    Knowledge whole(system), by_changes(system);
    Whole x(6, 4);
    const auto value = [&](std::size_t i) { return x[i]; };
    whole.witness(value);
    by_changes.witness(value);
    for (int step = 0; step < 5; ++step) {
      std::vector<std::uint32_t> changed;
      for (int k = dice.below(4); k > 0; --k) {  // the same cell may come twice
        changed.push_back(static_cast<std::uint32_t>(dice.below(6)));
        x[changed.back()] = dice.below(10);
      }
      whole.witness(value);
      by_changes.witness_at(changed, value);
    }
    CHECK(whole.least == by_changes.least && whole.most == by_changes.most);
    CHECK_EQ(whole.n_witnesses, by_changes.n_witnesses);
  }
}

TEST(effort_starts_at_nothing) {
  const Effort effort;
  CHECK_EQ(effort.programmes, 0u);
  CHECK_EQ(effort.branches, 0u);
  CHECK_EQ(Knowledge(LinearSystem{}).n_witnesses, 0u);
}
