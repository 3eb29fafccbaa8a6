// Components of cells, and the tables that they can become.
#include <random>

#include "check.hpp"
#include "perturb/component_tables.hpp"
#include "risk_cases.hpp"

using namespace sdclattice;
using namespace risk_cases;

TEST(components_are_numbered_from_one) {
  const CycleSet set = set_of(8, {{{0, 1}, {2, -1}}, {{5, 1}, {6, -1}}, {{2, 1}, {4, -1}}});
  CHECK(cell_components(set) == std::vector<std::int32_t>({1, 0, 1, 0, 1, 2, 2, 0}));
  CHECK(cell_components(set_of(3, {})) == std::vector<std::int32_t>({0, 0, 0}));
}

// Two squares apart: 3 and 1 tables, the second one stopped by its zero.
TEST(tables_of_components_side_by_side) {
  const CycleSet set = set_of(9, {square, {{4, 1}, {5, -1}, {6, -1}, {7, 1}}});
  const Mechanism me{{0, 1}, {.3}, {.2}, ZeroRule::blocked};
  const ComponentTables out = component_tables({1, 1, 1, 1, 0, 1, 1, 1, 5}, set, me, {100, 1e9});
  CHECK_EQ(out.n_components, 2u);
  CHECK_EQ(out.n_tables, 3u);
  CHECK(out.weight == std::vector<double>({.2, 1, 1 - .3 - .2, 0, .3, 0}));
  for (int t = 0; t < 3; ++t) {
    CHECK_EQ(out.change[9 * t], t - 1);
    CHECK_EQ(out.change[9 * t + 1], 1 - t);
    for (int k = 4; k < 9; ++k) CHECK_EQ(out.change[9 * t + k], 0);
  }
  CHECK_EQ(component_tables(Counts(9, 1), set, me, {2, 1e9}).n_tables, 0u);
}

// One component of the whole table, so that its tables are those that the coins can make.
TEST(tables_are_those_of_all_coin_sequences) {
  std::mt19937_64 dice(8);
  int n_tables = 0;
  for (int round = 0; round < 60; ++round) {
    const CycleSet set = round % 2 ? cycles_chain(2, 3) : cycles_lenz(3, 2);
    Counts before(6);
    for (std::int64_t& x : before) x = static_cast<std::int64_t>(dice() % 3);
    Mechanism me{{}, {.25}, {.25}, round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative};
    for (std::size_t i = 0; i < 5; ++i)
      me.sequence.push_back(static_cast<std::int32_t>(dice() % set.size()));
    const ComponentTables out = component_tables(before, set, me, {10000, 1e9});
    if (out.n_components != 1) continue;
    const auto results = all_results(before, set, me);
    CHECK_EQ(out.n_tables, results.size());
    for (std::size_t t = 0; t < out.n_tables; ++t) {
      Counts after = before;
      for (std::size_t i = 0; i < 6; ++i) after[i] += out.change[6 * t + i];
      CHECK(results.count(after) == 1);
      CHECK_NEAR(out.weight[t], results.at(after), 1e-12);
      ++n_tables;
    }
  }
  CHECK(n_tables > 200);
}

TEST(parts_hold_each_cell_and_each_step_once) {
  const CycleSet set = set_of(9, {square, {{4, 1}, {5, -1}, {6, -1}, {7, 1}}});
  const std::vector<CellComponent> parts = components_of(set, {{1, 0, 1}, {.3}, {.2}, {}});
  CHECK_EQ(parts.size(), 3u);
  CHECK(parts[0].cells == std::vector<std::int32_t>({8}) && parts[0].steps.empty());
  CHECK(parts[1].cells == std::vector<std::int32_t>({0, 1, 2, 3}));
  CHECK(parts[1].steps == std::vector<std::int32_t>({0}));
  CHECK(parts[2].cells == std::vector<std::int32_t>({4, 5, 6, 7}));
  CHECK(parts[2].steps == std::vector<std::int32_t>({1, 1}));
}

// Components are independent: a whole table has the product of their weights.
TEST(tables_of_components_multiply) {
  small_tables::Dice dice(2);
  for (int round = 0; round < 120; ++round) {
    const SmallCase c = small_case(dice, round);
    const ComponentTables out = component_tables(c.original, c.set, c.mechanism, {100000, 1e9});
    const std::vector<std::int32_t> part = cell_components(c.set);
    small_tables::TableLaw law{{c.original, 1.0}};
    for (std::size_t k = 0; k < out.n_components; ++k) {
      small_tables::TableLaw next;
      for (const auto& [table, p] : law)
        for (std::size_t t = 0; t < out.n_tables; ++t) {
          const double w = out.weight[t * out.n_components + k];
          if (w == 0) continue;
          Counts x = table;
          for (std::size_t i = 0; i < x.size(); ++i)
            if (part[i] == static_cast<std::int32_t>(k + 1)) x[i] += out.change[t * x.size() + i];
          next[x] += p * w;
        }
      law = std::move(next);
    }
    const auto truth = small_tables::publish(c.set, c.mechanism, c.original);
    CHECK_EQ(law.size(), truth.size());
    double worst = 0;
    for (const auto& [table, p] : truth) worst = std::max(worst, std::fabs(law[table] - p));
    CHECK(worst < 1e-12);
  }
}
