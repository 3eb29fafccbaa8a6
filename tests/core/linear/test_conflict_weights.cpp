// Weights of rows that contradict each other, against sums by hand, and dives that use them.
#include "check.hpp"
#include "linear/conflict_weights.hpp"
#include "linear/dive.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

LinearSystem chain() {
  LinearSystem out;
  out.lower = Whole(4, 0);
  out.upper = Whole(4, 3);
  add_row(out, {1, 1, 0, 0}, 3, 3);
  add_row(out, {0, 1, 1, 0}, 3, 3);
  add_row(out, {0, 0, 1, 1}, 3, 3);
  return out;
}

}  // namespace

TEST(a_cell_weighs_what_its_rows_do) {
  const LinearSystem system = chain();
  ConflictWeights weights(system);
  for (std::uint32_t i = 0; i < 4; ++i) CHECK_NEAR(weights.of_cell(i), 0.0, 0.0);
  weights.add(std::vector<double>{0.0, -2.0, 1e-12});
  const double once = weights.of_cell(1);
  CHECK(once > 0.0);
  CHECK_NEAR(weights.of_cell(2), once, 1e-12);
  CHECK_NEAR(weights.of_cell(0), 0.0, 0.0);
  CHECK_NEAR(weights.of_cell(3), 0.0, 0.0);
  weights.add(std::vector<double>{1.0, 0.5, 0.0});
  CHECK(weights.of_cell(1) > weights.of_cell(2) && weights.of_cell(2) > weights.of_cell(0));
}

TEST(older_contradictions_count_less) {
  const LinearSystem system = chain();
  ConflictWeights weights(system);
  weights.add(0);
  double before = weights.of_cell(0);
  // far beyond the largest number that the amounts may have
  for (int k = 0; k < 60000; ++k) {
    weights.add(2);
    const double now = weights.of_cell(0);
    CHECK(now <= before && now >= 0.0);
    before = now;
  }
  CHECK(before < 1e-6);
  CHECK(weights.of_cell(3) > 1.0 && weights.of_cell(3) < 1000.0);
}

TEST(dives_with_weights_against_all_tables) {
  Dice dice(5);
  PublicRandom random(5);
  int found = 0, empty = 0;
  for (int round = 0; round < 200; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(3));
    const std::vector<Whole> tables = solutions(system);
    SparseSimplex simplex(system, 1, {});
    RepairWalk walk(system);
    ConflictWeights weights(system);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      for (std::int64_t value = system.lower[i]; value <= system.upper[i]; ++value) {
        Whole lower = system.lower, upper = system.upper, x;
        lower[i] = upper[i] = value;
        const bool exists = std::any_of(tables.begin(), tables.end(),
                                        [&](const Whole& other) { return other[i] == value; });
        const DiveLimits limits{200, 0, 0, 0};
        const DiveEnd end =
            dive(system, simplex, walk, lower, upper, random, limits, x, nullptr, &weights);
        CHECK(end != (exists ? DiveEnd::empty : DiveEnd::found));
        found += end == DiveEnd::found;
        empty += end == DiveEnd::empty;
      }
  }
  CHECK(found > 800 && empty > 200);
}
