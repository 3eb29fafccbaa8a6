// Simulated publications and their figures.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/simulate.hpp"
#include "risk_cases.hpp"

using namespace sdclattice;
using namespace risk_cases;

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
  CHECK_EQ(out.figures.size(), n * kFigures);
}

TEST(figures_without_a_meaning_are_nan) {
  const CycleSet set = set_of(4, {square});
  const Mechanism me{{0}, {0}, {0}, ZeroRule::blocked};
  const Simulation out =
      simulate_publications({5, 5, 5, 5}, {2, 2}, {0, 0, 0, 0}, set, me, 0, 1, 1);
  const auto figure = [&](Figure f) { return out.figures[static_cast<std::size_t>(f)]; };
  CHECK_EQ(figure(Figure::unchanged), 1.0);
  for (const Figure f : {Figure::unchanged_small, Figure::prevented, Figure::zero_true,
                         Figure::bias_zero, Figure::bias_small, Figure::chi_square})
    CHECK(std::isnan(figure(f)));
  CHECK_EQ(figure(Figure::positive_false), 0.0);
  CHECK_EQ(figure(Figure::log_odds), 0.0);
  CHECK_EQ(figure(Figure::hellinger), 0.0);
  CHECK_THROWS(InputError,
               simulate_publications({5, 5, 5, 5}, {2, 3}, {0, 0, 0, 0}, set, me, 0, 1, 1));
  CHECK_THROWS(InputError, simulate_publications({5, 5, 5, 5}, {2, 2}, {0}, set, me, 0, 1, 1));
}

// The means over cells, from the published tables themselves.
TEST(figures_are_those_of_the_published_tables) {
  const CycleSet set = cycles_lenz(3, 3);
  const Mechanism me{{0, 1, 2, 0, 1, 2}, {.3}, {.3}, ZeroRule::blocked};
  const Counts before{1, 2, 0, 3, 1, 1, 0, 2, 4};
  std::vector<std::uint8_t> small;
  for (const std::int64_t x : before) small.push_back(x > 0 && x < 3);
  const std::size_t n = 200;
  const Simulation out = simulate_publications(before, {3, 3}, small, set, me, 7, n, 9);
  for (std::size_t r = 0; r < n; ++r) {
    const Counts after = simulate_publication(before, set, me, 9, 7 + r).counts;
    double same = 0, size = 0, small_same = 0, n_small = 0, zeros = 0, both = 0, hellinger = 0;
    for (std::size_t i = 0; i < 9; ++i) {
      same += after[i] == before[i];
      size += std::fabs(static_cast<double>(after[i] - before[i]));
      n_small += small[i];
      small_same += small[i] && after[i] == before[i];
      zeros += after[i] == 0;
      both += after[i] == 0 && before[i] == 0;
      hellinger += std::pow(std::sqrt(double(after[i])) - std::sqrt(double(before[i])), 2);
    }
    const auto figure = [&](Figure f) {
      return out.figures[r * kFigures + static_cast<std::size_t>(f)];
    };
    CHECK_NEAR(figure(Figure::unchanged), same / 9, 1e-12);
    CHECK_NEAR(figure(Figure::abs_change), size / 9, 1e-12);
    CHECK_NEAR(figure(Figure::unchanged_small), small_same / n_small, 1e-12);
    CHECK_NEAR(figure(Figure::zero_true), both / zeros, 1e-12);
    CHECK_NEAR(figure(Figure::hellinger), std::sqrt(hellinger / 28), 1e-12);
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
      CHECK_NEAR(out.figures[r * kFigures + static_cast<std::size_t>(Figure::unchanged)],
                 kept / static_cast<double>(n), 1e-12);
      CHECK_NEAR(out.figures[r * kFigures + static_cast<std::size_t>(Figure::abs_change)],
                 moved / static_cast<double>(n), 1e-12);
    }
    CHECK_EQ(out.same, same);
    CHECK_EQ(out.change, change);
    CHECK_EQ(out.size, size);
    CHECK_EQ(out.square, square);
  }
}
