// The table of least weight, against the list of all tables.
#include "base/error.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/best_table.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

std::int64_t weight_of(const Whole& x, const Whole& weight) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out += x[i] * weight[i];
  return out;
}

Whole random_weight(Dice& dice, std::size_t n) {
  Whole out(n);
  for (std::int64_t& w : out) w = dice.between(-4, 4);
  return out;
}

}  // namespace

TEST(random_systems_against_all_tables) {
  Dice dice(1);
  int n_tables = 0, n_empty = 0;
  for (int round = 0; round < 400; ++round) {
    LinearSystem system =
        random_system(dice, 2 + dice.below(5), 1 + dice.below(3), 1 + dice.below(2));
    if (round % 4 == 0) system.lower[0] = system.upper[0];
    const Whole weight = random_weight(dice, system.n_cells());
    const std::vector<Whole> tables = solutions(system);
    if (tables.empty()) {
      CHECK_THROWS(InfeasibleError, best_table(system, weight, 100, {}));
      ++n_empty;
      continue;
    }
    std::int64_t least = weight_of(tables[0], weight);
    for (const Whole& x : tables) least = std::min(least, weight_of(x, weight));
    const BestTable found = best_table(system, weight, 100, {});
    CHECK(found.proved() && satisfies(system, found.values));
    CHECK_EQ(found.sum, least);
    CHECK_EQ(weight_of(found.values, weight), least);
    ++n_tables;
  }
  CHECK(n_tables > 200 && n_empty > 10);
}

// A row that only fractions satisfy: 2 x + 2 y = 3.
TEST(parity_leaves_no_table) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {1, 1};
  add_row(system, {2, 2}, 3, 3);
  CHECK_THROWS(InfeasibleError, best_table(system, {1, 1}, 100, {}));
}

// Wherever the time ends, the bound holds and the table is one.
TEST(what_is_stopped_says_nothing_wrong) {
  Dice dice(2);
  for (int round = 0; round < 60; ++round) {
    const LinearSystem system = random_system(dice, 6, 3, 1);
    const std::vector<Whole> tables = solutions(system);
    if (tables.empty()) continue;
    const Whole weight = random_weight(dice, 6);
    std::int64_t least = weight_of(tables[0], weight);
    for (const Whole& x : tables) least = std::min(least, weight_of(x, weight));
    for (const double seconds : {0.0, 1e-5, 1e-4}) {
      const BestTable found = best_table(system, weight, seconds, {});
      CHECK(found.bound <= least);
      if (found.values.empty()) continue;
      CHECK(satisfies(system, found.values) && found.sum == weight_of(found.values, weight));
      CHECK(found.sum >= least);
    }
  }
}

TEST(sums_beyond_53_bits_are_refused) {
  LinearSystem system;
  system.lower = {0};
  system.upper = {std::int64_t{1} << 40};
  CHECK_THROWS(TooLargeError, best_table(system, {std::int64_t{1} << 20}, 100, {}));
}

TEST(work_can_be_interrupted) {
  LinearSystem system;
  system.lower = Whole(8, 0);
  system.upper = Whole(8, 9);
  add_row(system, {3, 5, 7, 11, 13, 17, 19, 23}, 101, 101);
  add_row(system, {5, 3, 11, 7, 17, 13, 23, 19}, 103, 103);
  const Tick stop = [](double) { throw WorkInterrupted(); };
  const BestTable found = best_table(system, Whole(8, 1), 100, stop);
  CHECK(found.interrupted || found.proved());
  CHECK(found.bound <= 9 * 8);
}
