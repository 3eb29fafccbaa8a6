// Dives for several questions at once, against the list of all tables: wishes never change whether
// there is a table, and they are granted where they can be.
#include "check.hpp"
#include "linear/shared_dive.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

TEST(random_systems_against_all_tables) {
  Dice dice(1);
  PublicRandom random(1);
  int n_found = 0, n_empty = 0, n_granted = 0;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(3));
    const std::vector<Whole> tables = solutions(system);
    SparseSimplex simplex(system, 1, {});
    RepairWalk walk(system);
    SharedDive shared(system, simplex, walk);
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      const std::int64_t value = system.lower[i] + dice.below(4);
      Whole lower = system.lower, upper = system.upper, x;
      if (value > upper[i]) continue;
      lower[i] = upper[i] = value;
      std::vector<Wish> wishes;
      for (int k = 0; k < 2; ++k)  // some of them beyond the limits
        wishes.push_back({static_cast<std::uint32_t>(dice.below(static_cast<int>(lower.size()))),
                          dice.between(-1, 5)});
      const bool exists = std::any_of(tables.begin(), tables.end(),
                                      [&](const Whole& other) { return other[i] == value; });
      const DiveEnd end = shared.run(lower, upper, wishes, random, {200, 1, 50, 1}, x);
      CHECK(end == (exists ? DiveEnd::found : DiveEnd::empty));
      n_empty += end == DiveEnd::empty;
      if (end != DiveEnd::found) continue;
      ++n_found;
      CHECK(std::find(tables.begin(), tables.end(), x) != tables.end());
      CHECK_EQ(x[i], value);
      n_granted += x[wishes[0].cell] == wishes[0].value;
    }
  }
  CHECK(n_found > 500 && n_empty > 100 && n_granted > 100);
}

// Two cells of a row whose sum allows both wishes, but not the third.
TEST(wishes_are_granted_in_turn) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, 10);
  add_row(system, {1, 1, 1, 1}, 10, 10);
  SparseSimplex simplex(system, 1, {});
  RepairWalk walk(system);
  SharedDive shared(system, simplex, walk);
  PublicRandom random(1);
  Whole lower = system.lower, upper = system.upper, x;
  lower[0] = upper[0] = 4;
  CHECK(shared.run(lower, upper, {{1, 3}, {2, 5}, {3, 3}}, random, {}, x) == DiveEnd::found);
  CHECK_EQ(x, Whole({4, 3, 0, 3}));
  CHECK(simplex.restore() && simplex.climb(0, 1) == ClimbEnd::optimal);
  CHECK_NEAR(simplex.value(0), 10, 1e-6);
}

// Wishes that no whole table grants, though the programme does, are left out in time.
TEST(wishes_that_never_pay_are_left_out) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, 3);
  add_row(system, {2, 2, 1, 0}, 3, 3);
  add_row(system, {0, 0, 1, 1}, 3, 3);
  SparseSimplex simplex(system, 1, {});
  RepairWalk walk(system);
  SharedDive shared(system, simplex, walk);
  PublicRandom random(1);
  for (int k = 0; k < 5; ++k) {
    Whole x;
    CHECK(shared.run(system.lower, system.upper, {{2, 2}}, random, {}, x) == DiveEnd::found);
    CHECK(holds(system, x));
    CHECK_EQ(shared.takes_wishes(), k < 2);
  }
}
