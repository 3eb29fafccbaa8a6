// What is judged before the draw: components, exact laws of cells, simulation, known cells.
#include <cmath>
#include <map>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/risk.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

using Counts = std::vector<std::int64_t>;
using Entries = std::vector<std::pair<int, int>>;

CycleSet set_of(std::size_t n_cells, const std::vector<Entries>& moves) {
  CycleSet set;
  set.n_cells = n_cells;
  for (const Entries& move : moves) {
    for (const auto& [cell, coef] : move) set.add(cell, static_cast<std::int8_t>(coef));
    set.close();
  }
  return set;
}

const Entries square{{0, 1}, {1, -1}, {2, -1}, {3, 1}};

std::map<std::size_t, ChangeLaw> laws_of(const Counts& counts, const CycleSet& set,
                                         const Mechanism& me, std::size_t max_tables) {
  std::map<std::size_t, ChangeLaw> out;
  forward_laws(counts, set, me, {max_tables, 1e9},
               [&](std::size_t cell, const ChangeLaw& law) { out[cell] = law; });
  return out;
}

double at(const ChangeLaw& law, int change) {
  const int i = change - law.lowest;
  return i < 0 || i >= static_cast<int>(law.probability.size()) ? 0 : law.probability[i];
}

// All coin sequences, with perturb() and one coin of each kind (alpha = beta = 1/4).
std::map<Counts, double> all_results(const Counts& counts, const CycleSet& set,
                                     const Mechanism& me) {
  constexpr std::uint64_t coin[] = {0, std::uint64_t(1) << 62, std::uint64_t(1) << 63};
  constexpr double weight[] = {.25, .25, .5};
  std::map<Counts, double> out;
  const std::size_t steps = me.sequence.size();
  for (std::size_t code = 0; code < static_cast<std::size_t>(std::pow(3, steps)); ++code) {
    std::vector<std::uint64_t> coins;
    double p = 1;
    for (std::size_t i = 0, rest = code; i < steps; ++i, rest /= 3) {
      coins.push_back(coin[rest % 3]);
      p *= weight[rest % 3];
    }
    out[perturb(counts, set, me, coins).counts] += p;
  }
  return out;
}

}  // namespace

TEST(components_are_numbered_from_one) {
  const CycleSet set = set_of(8, {{{0, 1}, {2, -1}}, {{5, 1}, {6, -1}}, {{2, 1}, {4, -1}}});
  CHECK(cell_components(set) == std::vector<std::int32_t>({1, 0, 1, 0, 1, 2, 2, 0}));
  CHECK(cell_components(set_of(3, {})) == std::vector<std::int32_t>({0, 0, 0}));
}

TEST(one_step_by_hand) {
  const CycleSet set = set_of(5, {square});
  const Mechanism me{{0}, {.3}, {.2}, ZeroRule::blocked};
  auto laws = laws_of({1, 1, 1, 9, 0}, set, me, 100);
  CHECK_EQ(laws.size(), 5u);
  CHECK(laws[0].kind == ChangeLaw::Kind::convolution);  // one step takes at most what is there
  CHECK_NEAR(at(laws[0], 1), .3, 1e-15);
  CHECK_NEAR(at(laws[1], 1), .2, 1e-15);
  CHECK_NEAR(at(laws[2], 0), .5, 1e-15);
  CHECK_EQ(at(laws[4], 0), 1.0);
  laws = laws_of({0, 1, 1, 9, 0}, set, me, 100);
  CHECK(laws[1].kind == ChangeLaw::Kind::enumeration);
  CHECK_NEAR(at(laws[1], 0), 1, 1e-15);
  const Mechanism loose{{0}, {.3}, {.2}, ZeroRule::nonnegative};
  laws = laws_of({0, 1, 1, 9, 0}, set, loose, 100);
  CHECK_NEAR(at(laws[0], 1), .3, 1e-15);
  CHECK_NEAR(at(laws[0], 0), .7, 1e-15);
}

TEST(laws_agree_with_all_coin_sequences) {
  std::mt19937_64 dice(7);
  for (int round = 0; round < 60; ++round) {
    const std::size_t m = 2 + dice() % 2, n = 2 + dice() % 2;
    const CycleSet set = round % 2 ? cycles_chain(m, n) : cycles_lenz(m, n);
    Counts before(m * n);
    for (std::int64_t& x : before) x = static_cast<std::int64_t>(dice() % 4);
    Mechanism me{{}, {.25}, {.25}, round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative};
    for (std::size_t i = 0; i < 2 * set.size(); ++i)
      me.sequence.push_back(static_cast<std::int32_t>(dice() % set.size()));
    const auto results = all_results(before, set, me);
    const auto laws = laws_of(before, set, me, 10000);
    CHECK_EQ(laws.size(), m * n);
    double off = 0;
    for (const auto& [cell, law] : laws) {
      std::map<int, double> wanted;
      for (const auto& [table, p] : results)
        wanted[static_cast<int>(table[cell] - before[cell])] += p;
      double sum = 0;
      for (const double p : law.probability) sum += p;
      off = std::max(off, std::fabs(sum - 1));
      for (const auto& [change, p] : wanted) off = std::max(off, std::fabs(at(law, change) - p));
    }
    CHECK_NEAR(off, 0, 1e-12);
  }
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

TEST(limits_leave_cells_out) {
  const CycleSet set = cycles_lenz(3, 3);
  const Mechanism me{{0, 1, 2}, {.25}, {.25}, ZeroRule::blocked};
  CHECK_EQ(laws_of(Counts(9, 1), set, me, 100).size(), 9u);
  CHECK_EQ(laws_of(Counts(9, 1), set, me, 2).size(), 0u);
  CHECK_EQ(laws_of(Counts(9, 50), set, me, 2).size(), 9u);
  CHECK_THROWS(InputError, laws_of(Counts(8, 1), set, me, 100));
}

TEST(simulation_repeats_itself_and_agrees_with_the_laws) {
  const CycleSet set = cycles_lenz(3, 3);
  const Mechanism me{{0, 1, 2}, {.3}, {.1}, ZeroRule::nonnegative};
  const Counts before{1, 2, 0, 3, 1, 1, 0, 2, 4};
  const std::size_t n = 20000;
  const std::vector<std::uint8_t> small(9, 1);
  const Simulation out = simulate_publications(before, {3, 3}, small, set, me, 0, n, 5);
  const Simulation again = simulate_publications(before, {3, 3}, small, set, me, 0, n, 5);
  CHECK(out.change == again.change && out.same == again.same);
  for (const auto& [cell, law] : laws_of(before, set, me, 1000))
    CHECK_NEAR(out.same[cell] / n, at(law, 0), .02);
  const Perturbed first = simulate_publication(before, set, me, 5, 0);
  const Simulation one = simulate_publications(before, {3, 3}, small, set, me, 0, 1, 5);
  for (std::size_t i = 0; i < 9; ++i) CHECK_EQ(one.change[i], double(first.counts[i] - before[i]));
  CHECK_EQ(out.figures.size(), n * n_figures);
}

TEST(figures_without_a_meaning_are_nan) {
  const CycleSet set = set_of(4, {square});
  const Mechanism me{{0}, {0}, {0}, ZeroRule::blocked};
  const Simulation out =
      simulate_publications({5, 5, 5, 5}, {2, 2}, {0, 0, 0, 0}, set, me, 0, 1, 1);
  CHECK_EQ(out.figures[unchanged], 1.0);
  for (const Figure f : {unchanged_small, prevented, zero_true, bias_zero, bias_small, chi_square})
    CHECK(std::isnan(out.figures[f]));
  CHECK_EQ(out.figures[positive_false], 0.0);
  CHECK_EQ(out.figures[log_odds], 0.0);
  CHECK_EQ(out.figures[hellinger], 0.0);
  CHECK_THROWS(InputError,
               simulate_publications({5, 5, 5, 5}, {2, 3}, {0, 0, 0, 0}, set, me, 0, 1, 1));
  CHECK_THROWS(InputError, simulate_publications({5, 5, 5, 5}, {2, 2}, {0}, set, me, 0, 1, 1));
}

// Law 1 has its truth exactly where law 0 has; law 2 is independent; law 3 is in another component.
TEST(the_most_revealing_law_is_found) {
  std::mt19937_64 dice(3);
  const std::size_t n = 2000;
  std::vector<std::int8_t> shifts(4 * n);
  for (std::size_t draw = 0; draw < n; ++draw) {
    const bool hit = dice() % 2;
    shifts[4 * draw] = hit ? 1 : 0;
    shifts[4 * draw + 1] = hit ? -1 : 2;
    shifts[4 * draw + 2] = dice() % 4 == 0;
    shifts[4 * draw + 3] = hit ? 1 : 0;
  }
  const auto best = most_revealing(shifts, {1, -1, 1, 1}, {1, 1, 1, 2}, {1, 1, 1, 1}, 10);
  CHECK_EQ(best[0], 1.0);
  CHECK_EQ(best[1], 1.0);
  CHECK_NEAR(best[2], .25, .06);
  CHECK_EQ(best[3], -1.0);
  const auto few = most_revealing(shifts, {1, -1, 1, 1}, {1, 1, 1, 2}, {0, 1, 1, 1}, n);
  CHECK_EQ(few[0], -1.0);
  CHECK_EQ(few[1], -1.0);
  CHECK(most_revealing({}, {}, {}, {}, 1).empty());
  CHECK_THROWS(InputError, most_revealing(shifts, {1, -1, 1, 1}, {1}, {1, 1, 1, 1}, 10));
}

namespace {

struct SmallCase {
  CycleSet set;
  Mechanism mechanism;
  Counts original;
};

SmallCase small_case(small_tables::Dice& dice, int round) {
  SmallCase out;
  out.set = small_tables::random_cycles(dice, dice.between(2, 5), dice.between(1, 3), 2);
  out.mechanism = small_tables::random_mechanism(
      dice, out.set, dice.below(5), round % 2 ? ZeroRule::blocked : ZeroRule::nonnegative);
  for (std::size_t i = 0; i < out.set.n_cells; ++i) out.original.push_back(dice.below(6));
  return out;
}

// Of all draws, those in which law `known` has its true shift, and of these, those in which `law`
// has its own.
double share_told(const std::vector<std::int8_t>& shifts, const std::vector<std::int32_t>& truth,
                  std::size_t from, std::size_t to, std::size_t law, std::size_t known,
                  double& times) {
  double both = 0;
  times = 0;
  for (std::size_t d = from; d < to; ++d) {
    if (shifts[d * truth.size() + known] != truth[known]) continue;
    ++times;
    both += shifts[d * truth.size() + law] == truth[law];
  }
  return times == 0 ? 0 : both / times;
}

}  // namespace

// Sets of any form, by convolution or enumeration, against a forward run by the definition.
TEST(laws_of_random_sets) {
  small_tables::Dice dice(1);
  int convolved = 0, enumerated = 0;
  for (int round = 0; round < 200; ++round) {
    const SmallCase c = small_case(dice, round);
    const auto truth = small_tables::publish(c.set, c.mechanism, c.original);
    for (const auto& [cell, law] : laws_of(c.original, c.set, c.mechanism, 100000)) {
      (law.kind == ChangeLaw::Kind::convolution ? convolved : enumerated) += 1;
      std::map<int, double> wanted;
      for (const auto& [table, p] : truth)
        wanted[static_cast<int>(table[cell] - c.original[cell])] += p;
      double worst = 0, sum = 0;
      for (int d = -20; d <= 20; ++d) worst = std::max(worst, std::fabs(at(law, d) - wanted[d]));
      for (const double p : law.probability) sum += p;
      CHECK(worst < 1e-12);
      CHECK_NEAR(sum, 1, 1e-12);
    }
  }
  CHECK(convolved > 50);
  CHECK(enumerated > 50);
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

// Every simulated publication is one that can be, and the sums of a simulation are theirs.
TEST(simulations_are_publications) {
  small_tables::Dice dice(3);
  for (int round = 0; round < 60; ++round) {
    const SmallCase c = small_case(dice, round);
    const auto truth = small_tables::publish(c.set, c.mechanism, c.original);
    const std::size_t n = c.original.size();
    std::vector<std::uint8_t> small(n);
    for (std::size_t i = 0; i < n; ++i) small[i] = c.original[i] == 1 || c.original[i] == 2;
    const Simulation out =
        simulate_publications(c.original, {n}, small, c.set, c.mechanism, 3, 7, 99);
    std::vector<double> same(n, 0), change(n, 0), size(n, 0), square(n, 0);
    for (std::size_t r = 0; r < 7; ++r) {
      const Counts now = simulate_publication(c.original, c.set, c.mechanism, 99, 3 + r).counts;
      CHECK(truth.count(now) == 1);
      double kept = 0, moved = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const auto d = static_cast<double>(now[i] - c.original[i]);
        same[i] += d == 0, change[i] += d, size[i] += std::fabs(d), square[i] += d * d;
        kept += d == 0, moved += std::fabs(d);
      }
      CHECK_NEAR(out.figures[r * n_figures + unchanged], kept / static_cast<double>(n), 1e-12);
      CHECK_NEAR(out.figures[r * n_figures + abs_change], moved / static_cast<double>(n), 1e-12);
    }
    CHECK_EQ(out.same, same);
    CHECK_EQ(out.change, change);
    CHECK_EQ(out.size, size);
    CHECK_EQ(out.square, square);
  }
}

TEST(most_revealing_by_its_words) {
  small_tables::Dice dice(4);
  int told = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_laws = static_cast<std::size_t>(dice.between(1, 5)),
                      n = 2 * static_cast<std::size_t>(dice.between(1, 100)),
                      least = static_cast<std::size_t>(dice.below(8));
    std::vector<std::int8_t> shifts;
    for (std::size_t k = 0; k < n * n_laws; ++k)
      shifts.push_back(static_cast<std::int8_t>(dice.between(-1, 1)));
    std::vector<std::int32_t> truth, component;
    std::vector<std::uint8_t> target;
    for (std::size_t l = 0; l < n_laws; ++l) {
      truth.push_back(dice.between(-1, 1));
      component.push_back(dice.below(2));
      target.push_back(dice.below(4) != 0);
    }
    const std::vector<double> got = most_revealing(shifts, truth, component, target, least);
    for (std::size_t l = 0; l < n_laws; ++l) {
      double best = -1, wanted = -1;
      for (std::size_t k = 0; k < n_laws; ++k) {
        double first, second;
        const double chosen = share_told(shifts, truth, 0, n / 2, l, k, first);
        const double judged = share_told(shifts, truth, n / 2, n, l, k, second);
        if (k == l || !target[l] || component[k] != component[l]) continue;
        if (first < 1 || second < 1 || first < static_cast<double>(least)) continue;
        if (chosen > best) best = chosen, wanted = judged;
      }
      CHECK_NEAR(got[l], wanted, 1e-12);
      told += wanted >= 0;
    }
  }
  CHECK(told > 100);
  CHECK_THROWS(InputError, most_revealing({}, {0, 1}, {0}, {1, 1}, 1));
}
