// The chains that are made for one publication, for several of one set and of different sets, and
// for sets that skip zeros, against a forward run of every outcome of the coins.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/chain_maker.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Case {
  std::vector<Publication> sources;
  std::vector<Whole> tables;
  std::vector<std::vector<double>> published;
};

Case publish_all(Dice& dice, std::vector<Publication> sources, const Whole& original) {
  Case out;
  for (const Publication& source : sources)
    out.tables.push_back(draw(publish(source.cycles, source.mechanism, original), dice));
  for (const Whole& table : out.tables) out.published.push_back(as_doubles(table));
  out.sources = std::move(sources);
  for (std::size_t k = 0; k < out.sources.size(); ++k)
    out.sources[k].published = out.published[k].data();
  return out;
}

Whole random_table(Dice& dice, std::size_t n, int most) {
  Whole out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(dice.between(0, most));
  return out;
}

Mechanism some_steps(Dice& dice, const CycleSet& set, int most) {
  return random_mechanism(dice, set, dice.below(most + 1),
                          dice.below(2) ? ZeroRule::blocked : ZeroRule::nonnegative);
}

// Open bands: one of two lines, or a triad of three.
CycleSet sweeping(int lines, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(lines * n);
  for (int a = 0; a < (lines == 2 ? 1 : 3); ++a) {
    const int b = (a + 1) % lines;
    for (int i = 0; i + 1 < n; ++i) {
      set.add(a + lines * i, 1), set.add(a + lines * (i + 1), -1);
      set.add(b + lines * (i + 1), 1), set.add(b + lines * i, -1);
      set.close();
      set.next.push_back(i + 2 < n ? static_cast<std::int32_t>(set.size()) : -1);
    }
  }
  return set;
}

Mechanism sweeps(Dice& dice, const CycleSet& set, int times) {
  Mechanism out = random_mechanism(dice, set, 0, ZeroRule::blocked);
  for (int t = 0; t < times; ++t)
    for (std::size_t c = 0; c < set.size(); ++c)
      out.sequence.push_back(static_cast<std::int32_t>(c));
  return out;
}

TableLaw truth_of(const Case& c) {
  return joint_originals(c.sources, c.tables);
}

struct Answer {
  double log_evidence = 0;
  std::vector<double> laws;
};

Answer ask(ChainMaker& maker, int reach) {
  Answer out;
  out.laws.assign(maker.linkage().n_laws() * (2 * static_cast<std::size_t>(reach) + 1), 0);
  for (const Component& part : maker.linkage().components) {
    const ChainMaker::Plan plan = maker.plan(part);
    const ChainCost& cost = plan.cost;
    const Chain chain = maker.build(plan, {});
    if (!maker.skips_zeros() && maker.problem().n_sources() == 1)
      CHECK(cost.states >= 1 && cost.width >= 1 && cost.bytes > 0);
    out.log_evidence += chain_infer(chain, {}, reach, out.laws.data(), {});
  }
  return out;
}

void compare(Case& c) {
  std::vector<std::int32_t> room(c.tables[0].size());
  ChainMaker maker(c.sources, room.data());
  const TableLaw truth = truth_of(c);
  // In sets that skip zeros a cell can change by a count for each step and each sweep's pending
  // one.
  constexpr int reach = 12;
  const Answer got = ask(maker, reach);
  const double all = total(truth);
  CHECK_NEAR(std::exp(got.log_evidence), all, 1e-12);
  bool fits = true;
  for (std::size_t i = 0; i < room.size(); ++i) {
    std::vector<double> wanted(2 * reach + 1, 0);
    for (const auto& [table, p] : truth) {
      const auto change = static_cast<int>(c.tables[0][i] - table[i]);
      wanted[static_cast<std::size_t>(reach + (room[i] < 0 ? -change : change))] += p / all;
    }
    for (std::size_t d = 0; room[i] != 0 && d < wanted.size(); ++d)
      fits =
          fits &&
          std::fabs(wanted[d] -
                    got.laws[static_cast<std::size_t>(std::abs(room[i]) - 1) * wanted.size() + d]) <
              1e-12;
  }
  CHECK(fits);
}

// The steps of a component add up over its sources to those of the mechanisms, and its cycles are
// numbered in each.
void count_cycles_of(Case& c) {
  std::vector<std::int32_t> room(c.tables[0].size());
  const ChainMaker maker(c.sources, room.data());
  for (std::size_t k = 0; k < c.sources.size(); ++k) {
    double steps = 0;
    std::vector<int> seen(c.sources[k].cycles.size(), 0);
    for (const Component& part : maker.linkage().components) {
      steps += maker.steps_of(part, static_cast<int>(k));
      for (const std::int32_t own : maker.cycles_of(part, static_cast<int>(k)).cycles)
        ++seen[static_cast<std::size_t>(own)];
    }
    CHECK_EQ(steps, c.sources[k].mechanism.sequence.size());
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
  }
}

}  // namespace

TEST(one_publication) {
  Dice dice(1);
  for (int round = 0; round < 150; ++round) {
    const CycleSet set = random_cycles(dice, 2 + dice.below(4), 1 + dice.below(3), 2);
    Case c = publish_all(dice, {{set, some_steps(dice, set, 4), nullptr}},
                         random_table(dice, set.n_cells, 3));
    compare(c);
    count_cycles_of(c);
  }
}

TEST(publications_that_share_their_set) {
  Dice dice(2);
  for (int round = 0; round < 100; ++round) {
    const CycleSet set = random_cycles(dice, 2 + dice.below(3), 1 + dice.below(2), 2);
    std::vector<Publication> sources;
    for (int k = 2 + dice.below(2); k > 0; --k)
      sources.push_back({set, some_steps(dice, set, 3), nullptr});
    Case c = publish_all(dice, sources, random_table(dice, set.n_cells, 3));
    compare(c);
    count_cycles_of(c);
  }
}

TEST(publications_of_different_sets) {
  Dice dice(3);
  for (int round = 0; round < 100; ++round) {
    const int n = 2 + dice.below(3);
    std::vector<Publication> sources;
    for (int k = 2; k > 0; --k) {
      const CycleSet set = random_cycles(dice, n, 1 + dice.below(2), 1);
      sources.push_back({set, some_steps(dice, set, 2), nullptr});
    }
    Case c = publish_all(dice, sources, random_table(dice, static_cast<std::size_t>(n), 3));
    compare(c);
    count_cycles_of(c);
  }
}

TEST(sets_that_skip_zeros) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    const bool triad = dice.below(3) == 0;
    const CycleSet set = triad ? sweeping(3, 2) : sweeping(2, 2 + dice.below(3));
    const Mechanism mechanism = sweeps(dice, set, triad || set.size() > 2 ? 1 : 1 + dice.below(2));
    Case c = publish_all(dice, {{set, mechanism, nullptr}}, random_table(dice, set.n_cells, 2));
    compare(c);
  }
}

TEST(two_publications_of_one_set_that_skips_zeros) {
  Dice dice(5);
  for (int round = 0; round < 40; ++round) {
    const CycleSet set = sweeping(2, 2 + dice.below(2));
    Case c = publish_all(
        dice, {{set, sweeps(dice, set, 1), nullptr}, {set, sweeps(dice, set, 1), nullptr}},
        random_table(dice, set.n_cells, 2));
    compare(c);
  }
}

TEST(what_cannot_be_joined) {
  Dice dice(6);
  const CycleSet skipping = sweeping(2, 3);
  CycleSet plain = skipping;
  plain.next.clear();
  const Mechanism mechanism = sweeps(dice, skipping, 1);
  const std::vector<double> table(6, 3.0);
  std::vector<std::int32_t> room(6);
  std::vector<Publication> mixed{{skipping, mechanism, table.data()},
                                 {plain, mechanism, table.data()}};
  CHECK_THROWS(TooLargeError, ChainMaker(mixed, room.data()));
  std::vector<Publication> alike{{skipping, mechanism, table.data()},
                                 {skipping, mechanism, table.data()}};
  CHECK(ChainMaker(alike, room.data()).skips_zeros());
}

TEST(publications_that_contradict_each_other) {
  CycleSet set;
  set.n_cells = 4;
  set.add(0, 1), set.add(1, -1), set.add(2, 1), set.close();
  const Mechanism mechanism{{0}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> a{3, 3, 3, 3}, still{3, 3, 3, 4}, apart{4, 3, 3, 3}, far{1e12, 3, 3, 3};
  std::vector<std::int32_t> room(4);
  for (const auto& other : {still, apart, far}) {
    std::vector<Publication> sources{{set, mechanism, a.data()}, {set, mechanism, other.data()}};
    CHECK_THROWS(InfeasibleError, ChainMaker(sources, room.data()));
  }
  const std::vector<double> moved{4, 2, 4, 3};
  std::vector<Publication> sources{{set, mechanism, a.data()}, {set, mechanism, moved.data()}};
  CHECK_EQ(ChainMaker(sources, room.data()).linkage().n_laws(), 1u);
}

// A component that was planned is not planned again, and another one may come between.
TEST(plans_do_not_mix) {
  CycleSet set;
  set.n_cells = 4;
  set.add(0, 1), set.add(1, -1), set.close();
  set.add(2, 1), set.add(3, -1), set.close();
  const Mechanism mechanism{{0, 1, 1}, {.25}, {.125}, ZeroRule::blocked};
  const std::vector<double> table{0, 2, 5, 5};
  std::vector<Publication> sources{{set, mechanism, table.data()}};
  std::vector<std::int32_t> room(4);
  ChainMaker maker(sources, room.data());
  const auto& parts = maker.linkage().components;
  CHECK_EQ(parts.size(), 2u);
  const ChainMaker::Plan plans[] = {maker.plan(parts[0]), maker.plan(parts[1])};
  const auto evidence = [&](const ChainMaker::Plan& plan) {
    return chain_evidence(maker.build(plan, {}), {}, {});
  };
  const double one = evidence(plans[0]), two = evidence(plans[1]);
  CHECK_EQ(evidence(maker.plan(parts[0])), one);
  CHECK_EQ(evidence(maker.plan(parts[1])), two);
  CHECK_EQ(evidence(plans[0]), one);  // what was planned before is still good
  CHECK_NEAR(two, 0, 1e-12);
  CHECK(one != two);
}
