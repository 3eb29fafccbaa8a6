// Dives for a whole table, against the list of all tables.
#include <stdexcept>

#include "check.hpp"
#include "linear/dive.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

bool inside(const Whole& x, const Whole& lower, const Whole& upper) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < lower[i] || x[i] > upper[i]) return false;
  return true;
}

struct Count {
  int found = 0, empty = 0, unknown = 0;
  void add(DiveEnd end) {
    found += end == DiveEnd::found;
    empty += end == DiveEnd::empty;
    unknown += end == DiveEnd::unknown;
  }
};

}  // namespace

// One programme for all questions about a system: what one dive leaves behind must not change the
// answer of the next.
TEST(random_systems_against_all_tables) {
  Dice dice(1);
  PublicRandom random(1);
  Count count;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(3));
    const std::vector<Whole> tables = solutions(system);
    SparseSimplex simplex(system, 1, {});
    RepairWalk walk(system);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      for (std::int64_t value = system.lower[i]; value <= system.upper[i]; ++value) {
        Whole lower = system.lower, upper = system.upper, x;
        lower[i] = upper[i] = value;
        const bool exists = std::any_of(tables.begin(), tables.end(),
                                        [&](const Whole& other) { return other[i] == value; });
        const DiveLimits limits{60, static_cast<std::size_t>(dice.below(2)), 30,
                                static_cast<std::size_t>(dice.below(3))};
        const DiveEnd end = dive(system, simplex, walk, lower, upper, random, limits, x);
        count.add(end);
        CHECK(end != (exists ? DiveEnd::empty : DiveEnd::found));
        if (end == DiveEnd::found) CHECK(holds(system, x) && inside(x, lower, upper));
      }
  }
  CHECK(count.found > 2000 && count.empty > 500 && count.unknown < 10);
}

// The programme allows fractions everywhere: every leaf must be proved empty.
TEST(parity_forbids_what_fractions_allow) {
  LinearSystem system;
  system.lower = Whole(5, 0);
  system.upper = Whole(5, 2);
  add_row(system, {2, 2, -2, 4, 2}, 3, 3);
  SparseSimplex simplex(system, 1, {});
  RepairWalk walk(system);
  PublicRandom random(1);
  Whole x;
  std::size_t n_nodes = 0;
  DiveLimits limits{1000, 2, 30, 1};
  CHECK(dive(system, simplex, walk, system.lower, system.upper, random, limits, x, &n_nodes) ==
        DiveEnd::empty);
  CHECK(n_nodes > 1 && x.empty());
  const std::size_t needed = n_nodes;
  limits.nodes = 2;
  CHECK(dive(system, simplex, walk, system.lower, system.upper, random, limits, x, &n_nodes) ==
        DiveEnd::unknown);
  CHECK_EQ(n_nodes, needed + 2);
}

// A table of three variables with its two-way margins, where most vertices are fractional: a cell
// at each value that some table has is found, with the limits that the search has put back.
TEST(three_way_tables) {
  Dice dice(2);
  PublicRandom random(2);
  const std::size_t k = 4;
  LinearSystem system;
  Whole truth;
  for (std::size_t i = 0; i < k * k * k; ++i) truth.push_back(dice.below(3));
  system.lower = Whole(truth.size(), 0);
  system.upper = Whole(truth.size(), 20);
  for (const auto& [a, b, c] : {std::array<std::size_t, 3>{1, 4, 16}, {1, 16, 4}, {4, 16, 1}})
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j) {
        Whole row(truth.size(), 0);
        std::int64_t sum = 0;
        for (std::size_t l = 0; l < k; ++l) {
          row[i * a + j * b + l * c] = 1;
          sum += truth[i * a + j * b + l * c];
        }
        add_row(system, row, sum, sum);
      }
  SparseSimplex simplex(system, 1, {});
  RepairWalk walk(system);
  Count count;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    bool ended = false;  // beyond a value that no table has, there is none
    for (std::int64_t value = truth[i]; value < truth[i] + 5; ++value) {
      Whole lower = system.lower, upper = system.upper, x;
      lower[i] = value;
      simplex.load(truth);
      const DiveEnd end = dive(system, simplex, walk, lower, upper, random, {200, 2, 100, 1}, x);
      count.add(end);
      CHECK(end != (ended               ? DiveEnd::found
                    : value == truth[i] ? DiveEnd::empty
                                        : DiveEnd::unknown));
      ended = ended || end == DiveEnd::empty;
      if (end == DiveEnd::found) CHECK(holds(system, x) && inside(x, lower, upper));
    }
    simplex.load(truth);
    CHECK(simplex.climb(i, 1) == ClimbEnd::optimal && simplex.value(i) > truth[i] - 1e-6);
  }
  CHECK(count.found > 64 && count.empty > 64);
}

TEST(same_seed_same_result) {
  Dice dice(3);
  const LinearSystem system = random_system(dice, 6, 2, 1);
  const auto ask = [&] {
    SparseSimplex simplex(system, 7, {});
    RepairWalk walk(system);
    PublicRandom random(7);
    Whole x;
    std::size_t n_nodes = 0;
    dive(system, simplex, walk, system.lower, system.upper, random, {}, x, &n_nodes);
    x.push_back(static_cast<std::int64_t>(n_nodes));
    return x;
  };
  CHECK_EQ(ask(), ask());
}

// Interrupted in the middle, the programme has the limits of the system, and works on.
TEST(an_interrupt_puts_the_limits_back) {
  LinearSystem system;
  system.lower = Whole(10, 0);
  system.upper = Whole(10, 2);
  add_row(system, {2, 2, -2, 4, 2, 2, -2, 2, 4, -2}, 3, 3);
  int left = 1 << 20, n_stopped = 0;
  SparseSimplex simplex(system, 1, [&left] {
    if (--left == 0) throw std::runtime_error("stop");
  });
  RepairWalk walk(system);
  PublicRandom random(4);
  for (int after = 1; after < 20; ++after) {
    Whole lower = system.lower, upper = system.upper, x;
    lower[static_cast<std::size_t>(after) % 10] = 1;
    upper[static_cast<std::size_t>(after + 1) % 10] = 1;
    left = after;
    try {
      dive(system, simplex, walk, lower, upper, random, {4000, 0, 0, 0}, x);
    } catch (const std::runtime_error&) {
      ++n_stopped;
    }
    left = 1 << 20;
    CHECK(simplex.restore());
    for (std::size_t i = 0; i < 10; ++i)
      for (const int sign : {1, -1}) {
        CHECK(simplex.climb(i, sign) == ClimbEnd::optimal);
        CHECK_NEAR(simplex.value(i), sign > 0 ? 2.0 : 0.0, 1e-6);
      }
  }
  CHECK(n_stopped > 10);
}
