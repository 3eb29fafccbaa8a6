// Walks from table to table, against the list of all tables: what they end at satisfies everything,
// what they give up leaves no trace, and they do find most of what there is.
#include <set>

#include "check.hpp"
#include "linear/repair_walk.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

bool inside(const Whole& x, const Whole& lower, const Whole& upper) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < lower[i] || x[i] > upper[i]) return false;
  return true;
}

// Whether changes() is the difference of two tables.
bool tells_changes(const RepairWalk& walk, const Whole& before, const Whole& after) {
  Whole back = after;
  std::set<std::uint32_t> seen;
  for (const auto& [cell, was] : walk.changes()) {
    if (!seen.insert(cell).second || back[cell] == was) return false;
    back[cell] = was;
  }
  return back == before;
}

// A table of three variables with all its two-way margins, and the mean count 1.
struct ThreeWay {
  LinearSystem system;
  Whole x;

  ThreeWay(Dice& dice, std::size_t k) {
    for (std::size_t i = 0; i < k * k * k; ++i) x.push_back(dice.below(3));
    system.lower = Whole(x.size(), 0);
    system.upper = Whole(x.size(), 2 * static_cast<std::int64_t>(k));
    for (const auto& [a, b, c] :
         {std::array<std::size_t, 3>{1, k, k * k}, {1, k * k, k}, {k, k * k, 1}})
      for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j) {
          Whole row(x.size(), 0);
          std::int64_t sum = 0;
          for (std::size_t l = 0; l < k; ++l) {
            row[i * a + j * b + l * c] = 1;
            sum += x[i * a + j * b + l * c];
          }
          add_row(system, row, sum, sum);
        }
  }
};

}  // namespace

TEST(random_systems_against_all_tables) {
  Dice dice(1);
  PublicRandom random(1);
  int found = 0, there = 0;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(2));
    const std::vector<Whole> tables = solutions(system);
    RepairWalk walk(system);
    for (std::size_t t = 0; t < std::min<std::size_t>(tables.size(), 4); ++t)
      for (std::size_t i = 0; i < system.n_cells(); ++i)
        for (std::int64_t value = -1; value <= 5; ++value) {
          const bool exists = std::any_of(tables.begin(), tables.end(),
                                          [&](const Whole& other) { return other[i] == value; });
          Whole x = tables[t];
          const bool moved = walk.move(x, i, value, system.lower, system.upper, random, 100);
          there += exists;
          found += moved;
          if (!moved) {
            CHECK_EQ(x, tables[t]);
            CHECK(walk.changes().empty());
            continue;
          }
          CHECK_EQ(x[i], value);
          CHECK(inside(x, system.lower, system.upper) && holds(system, x));
          CHECK(tells_changes(walk, tables[t], x));
        }
  }
  CHECK(there > 1000 && found > .9 * there);
}

// Limits that are narrower than those of the system hold too.
TEST(narrower_limits_are_kept) {
  Dice dice(2);
  PublicRandom random(2);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system = random_system(dice, 3 + dice.below(3), 1 + dice.below(2), 1);
    const std::vector<Whole> tables = solutions(system);
    if (tables.size() < 2) continue;
    RepairWalk walk(system);
    Whole x = tables[0], lower = system.lower, upper = system.upper;
    for (std::size_t i = 0; i < x.size(); ++i) (dice.below(2) ? lower : upper)[i] = x[i];
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::int64_t value = lower[i]; value <= upper[i]; ++value)
        if (walk.move(x, i, value, lower, upper, random)) {
          ++found;
          CHECK(inside(x, lower, upper) && holds(system, x));
        }
  }
  CHECK(found > 300);
}

TEST(from_any_numbers_with_held_cells) {
  Dice dice(3);
  PublicRandom random(3);
  int found = 0, there = 0;
  for (int round = 0; round < 600; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(2));
    const std::vector<Whole> tables = solutions(system);
    RepairWalk walk(system);
    for (int k = 0; k < 5; ++k) {
      Whole x;
      for (std::size_t i = 0; i < system.n_cells(); ++i) x.push_back(dice.between(-2, 6));
      const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(x.size())));
      there += std::any_of(tables.begin(), tables.end(),
                           [&](const Whole& other) { return other[cell] == x[cell]; });
      const Whole before = x;
      if (!walk.repair(x, {cell}, system.lower, system.upper, random)) {
        CHECK_EQ(x, before);
        continue;
      }
      ++found;
      CHECK_EQ(x[cell], before[cell]);
      CHECK(inside(x, system.lower, system.upper) && holds(system, x));
      CHECK(tells_changes(walk, before, x));
    }
  }
  CHECK(there > 500 && found > .9 * there && found <= there);
}

// Calls leave nothing behind: a walk that has worked for long does what a new one does.
TEST(a_used_walk_is_as_good_as_new) {
  Dice dice(4);
  const ThreeWay table(dice, 4);
  RepairWalk used(table.system);
  int found = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RepairWalk fresh(table.system);
    const auto cell = static_cast<std::size_t>(dice.below(64));
    const std::int64_t value = table.x[cell] + dice.between(1, 3);
    const Whole& upper = table.system.upper;
    Whole a = table.x, b = table.x;
    PublicRandom random_a(seed), random_b(seed);
    const bool yes = used.move(a, cell, value, table.system.lower, upper, random_a, 60);
    CHECK_EQ(yes, fresh.move(b, cell, value, table.system.lower, upper, random_b, 60));
    CHECK_EQ(a, b);
    found += yes;
    if (seed % 3 == 0) {  // a repair in between, from numbers far away
      Whole far(64, 2);
      const bool repaired = used.repair(far, {}, table.system.lower, upper, random_a, 60);
      CHECK_EQ(holds(table.system, far), repaired);
    }
  }
  CHECK(found > 30 && found < 300);
}

// Numbers near the largest that limits may be: no sum overflows, and what is too far is refused.
TEST(large_numbers) {
  const std::int64_t most = std::int64_t{1} << 53;
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {most, most, kNoLimit};
  add_row(system, {100, 100, -1}, -kNoLimit, 5);
  add_row(system, {1, 1, 0}, most, most);
  PublicRandom random(5);
  RepairWalk walk(system);
  Whole x{most / 2, most / 2, 100 * most};
  const Whole before = x;
  CHECK(!walk.move(x, 0, most, system.lower, system.upper, random));
  CHECK_EQ(x, before);
  CHECK(walk.move(x, 0, most / 2 + 1000, system.lower, system.upper, random));
  CHECK_EQ(x[0] + x[1], most);
  Whole far{most, most, 0};
  CHECK(!walk.repair(far, {}, system.lower, system.upper, random));
  CHECK_EQ(far, Whole({most, most, 0}));
}

// A row longer than the window of one step.
TEST(long_rows) {
  LinearSystem system;
  const std::size_t n = 1000;
  system.lower = Whole(n, 0);
  system.upper = Whole(n, 1);
  add_row(system, Whole(n, 1), 1, 1);
  Whole odd(n, 0);
  for (std::size_t i = 0; i < n; i += 2) odd[i] = 1;
  add_row(system, odd, 0, 1);
  Whole x(n, 0);
  x[17] = 1;
  PublicRandom random(6);
  RepairWalk walk(system);
  for (std::size_t i = 0; i < n; i += 37) {
    CHECK(walk.move(x, i, 1, system.lower, system.upper, random));
    CHECK(x[i] == 1 && holds(system, x) && inside(x, system.lower, system.upper));
  }
}
