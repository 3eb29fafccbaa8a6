// One step seen from the table that it left, against the step itself by its definition, from every
// small table.
#include <array>

#include "check.hpp"
#include "perturb/undo.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Step {
  std::vector<CellMove> moves;
  std::vector<int> cycle;
};

Step make_step(const std::vector<int>& cycle) {
  Step out{{}, cycle};
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (cycle[i] != 0) out.moves.push_back({static_cast<std::int32_t>(i), cycle[i]});
  return out;
}

Undo undo(const Step& step, ZeroRule rule, double alpha, double beta) {
  return {step.moves.data(), step.moves.data() + step.moves.size(), rule, alpha, beta};
}

auto values_of(const Whole& table) {
  return [&table](const CellMove& m) { return table[static_cast<std::size_t>(m.place)]; };
}

Whole moved_by(Whole table, const std::vector<int>& cycle, int sign) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i] += sign * cycle[i];
  return table;
}

TableLaw step_law(const Whole& table, const std::vector<int>& cycle, ZeroRule rule, double alpha,
                  double beta) {
  CycleSet set;
  set.n_cells = cycle.size();
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (cycle[i] != 0) set.add(static_cast<std::int32_t>(i), static_cast<std::int8_t>(cycle[i]));
  set.close();
  return publish(set, {{0}, {alpha}, {beta}, rule}, table);
}

double chance_of(const TableLaw& law, const Whole& table) {
  const auto at = law.find(table);
  return at == law.end() ? 0 : at->second;
}

const std::vector<std::vector<int>> cycles{{1, -1, 0},  {1, -1, 1}, {-1, 1, -1},
                                           {2, -1, -1}, {-3, 2, 1}, {0, 0, 1}};
constexpr std::array<std::pair<double, double>, 5> sides{
    std::pair{.25, .25}, {.6, .1}, {1.0, 0.0}, {0.0, .3}, {.7, .3}};

}  // namespace

TEST(moves_and_stays_against_the_step) {
  for (const ZeroRule rule : {ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::none})
    for (const auto& cycle : cycles)
      for (const auto& [alpha, beta] : sides)
        each_between({0, 0, 0}, {4, 4, 4}, [&, a = alpha, b = beta](const Whole& before) {
          const Step step = make_step(cycle);
          const Undo back = undo(step, rule, a, b);
          const TableLaw law = step_law(before, cycle, rule, a, b);
          const auto value = values_of(before);
          for (const int sign : {1, -1}) {
            const Whole after = moved_by(before, cycle, sign);
            const bool possible =
                std::all_of(after.begin(), after.end(), [](auto v) { return v >= 0; });
            // Callers ask for tables that are there: after a step none has a negative cell.
            if (possible || rule == ZeroRule::none)
              CHECK_NEAR(back.moved(value, sign), chance_of(law, after), 1e-15);
          }
          CHECK_NEAR(back.stayed(value), chance_of(law, before), 1e-15);
        });
}

// What was there before the step had no negative cell, unless no rule says so.
TEST(no_step_leaves_a_negative_table) {
  for (const auto& cycle : cycles)
    each_between({-1, -1, -1}, {2, 2, 2}, [&](const Whole& before) {
      const Step step = make_step(cycle);
      bool negative = false;
      for (std::size_t i = 0; i < before.size(); ++i)
        negative = negative || (cycle[i] != 0 && before[i] < 0);
      for (const ZeroRule rule : {ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::roehrig})
        for (const int sign : {1, -1})
          if (negative) CHECK_EQ(undo(step, rule, .25, .25).moved(values_of(before), sign), 0);
      CHECK_EQ(undo(step, ZeroRule::none, .25, .4).moved(values_of(before), 1), .25);
      CHECK_EQ(undo(step, ZeroRule::none, .25, .4).moved(values_of(before), -1), .4);
    });
}

// The slides: any step from a table without negative cells, and weight 1 for staying at a zero.
TEST(the_rule_of_the_slides) {
  for (const auto& cycle : cycles)
    each_between({0, 0, 0}, {3, 3, 3}, [&](const Whole& table) {
      const Step step = make_step(cycle);
      const Undo back = undo(step, ZeroRule::roehrig, .3, .2);
      bool zero = false;
      for (std::size_t i = 0; i < table.size(); ++i)
        zero = zero || (cycle[i] != 0 && table[i] == 0);
      CHECK_EQ(back.stayed(values_of(table)), zero ? 1 : stay_probability(.3, .2));
      CHECK_EQ(back.moved(values_of(table), 1), .3);
      CHECK_EQ(back.moved(values_of(table), -1), .2);
    });
}

TEST(fits_and_open_by_their_words) {
  for (const auto& cycle : cycles)
    each_between({-1, -1, -1}, {3, 3, 3}, [&](const Whole& table) {
      const Step step = make_step(cycle);
      const Undo back = undo(step, ZeroRule::blocked, .25, .25);
      for (const int sign : {-1, 0, 1}) {
        bool fits = true;
        for (const CellMove& m : step.moves)
          fits = fits && table[static_cast<std::size_t>(m.place)] + sign * m.coef >= 0;
        CHECK_EQ(back.fits(values_of(table), sign), fits);
      }
      CHECK_EQ(back.open(values_of(table)), step_allowed(table, cycle, 1, ZeroRule::blocked));
    });
}

// A step without cells changes nothing, and is never prevented.
TEST(a_step_without_cells) {
  const Step step = make_step({0, 0});
  const Whole table{0, 0};
  for (const ZeroRule rule : {ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::none}) {
    const Undo back = undo(step, rule, .2, .3);
    CHECK_EQ(back.moved(values_of(table), 1), .2);
    CHECK_EQ(back.moved(values_of(table), -1), .3);
    CHECK_EQ(back.stayed(values_of(table)), .5);
  }
}
