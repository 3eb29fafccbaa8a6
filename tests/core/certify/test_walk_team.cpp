// Batches of searches: the same for any number of threads, and without a trace when they are cut.
#include "cases.hpp"
#include "certify/walk_team.hpp"
#include "check.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const WalkEffort kEffort{20, 60, 100000};
const StopAsked kGoOn = [] { return false; };

struct Case {
  Dense x;
  std::vector<Mask> sets;
  Stored stored;
  ComponentTable table;

  explicit Case(PublicRandom& random)
      : x(random_dense(random, {3, 2, 3, 2}, 4, 1)),
        sets(random_frontier(random, 4, 4)),
        stored(x, 100),
        table(stored.layout, stored.view(), x.all(), 10000) {}
  std::vector<MoveSet> moves() const {
    std::vector<MoveSet> out;
    for (Mask set : minimal_outside(x.n_variables(), sets))
      out.push_back({static_cast<LocalSet>(set), 0});
    return out;
  }
  bool keeps(const CellChanges& change) const {
    Dense out = x;
    for (const CellChange& c : change) out.counts[c.cell] += c.by;
    for (std::int64_t count : out.counts)
      if (count < 0) return false;
    return std::all_of(sets.begin(), sets.end(),
                       [&](Mask set) { return out.margin(set) == x.margin(set); });
  }
};

// All cells in batches of six, each to be raised by two.
std::vector<CellChanges> raise_all(const Case& c, WalkMemory& memory, WorkerPool& pool) {
  WalkTeam team(c.table, memory, pool, kGoOn);
  team.move_on(c.moves(), true);
  std::vector<CellChanges> out(36);
  for (std::uint32_t at = 0; at < 36; at += 6)
    CHECK(team.run(6, [&](std::size_t i, DebtWalk& walk, PublicRandom& random) {
      const std::uint32_t cell = at + static_cast<std::uint32_t>(i);
      walk.raise(cell, c.table.count[cell] + 2, kEffort, random, out[cell]);
    }));
  return out;
}

bool equal(const std::vector<CellChanges>& a, const std::vector<CellChanges>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](CellChange p, CellChange q) { return p.cell == q.cell && p.by == q.by; });
  });
}

}  // namespace

TEST(batches_do_not_depend_on_the_number_of_threads) {
  PublicRandom random(1);
  int wrong = 0, found = 0;
  for (int round = 0; round < 12; ++round) {
    const Case c(random);
    WorkerPool one(1);
    WalkMemory first(7);
    const auto expected = raise_all(c, first, one);
    for (const CellChanges& change : expected) {
      wrong += !c.keeps(change);
      found += !change.empty();
    }
    for (std::size_t n_threads : {2, 3}) {
      WorkerPool pool(n_threads);
      WalkMemory memory(7);
      wrong += !equal(raise_all(c, memory, pool), expected);
      wrong += memory.learned != first.learned || memory.n_looks != first.n_looks;
      wrong += memory.n_searches != 36;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(found > 100);
}

// What was learned goes on to the next batch, and to no search of the same one.
TEST(lessons_are_put_together_after_the_batch) {
  PublicRandom random(2);
  int more = 0;
  for (int round = 0; round < 10; ++round) {
    const Case c(random);
    WorkerPool pool(1);
    WalkMemory memory(7);
    WalkTeam team(c.table, memory, pool, kGoOn);
    team.move_on(c.moves(), true);
    const auto in_vain = [&](std::size_t, DebtWalk& walk, PublicRandom& numbers) {
      CellChanges change;
      walk.raise(0, 1000, {2, 20, 1000}, numbers, change);
    };
    team.run(1, in_vain);
    const std::vector<std::int16_t> known = memory.learned;
    team.run(3, in_vain);
    for (std::size_t i = 0; i < known.size(); ++i) CHECK(memory.learned[i] >= known[i]);
    more += known != std::vector<std::int16_t>(36, 1);
    team.move_on(c.moves(), true);
    CHECK(memory.learned.empty());
  }
  CHECK(more > 3);
}

TEST(batches_that_are_cut_leave_no_trace) {
  PublicRandom random(3);
  const Case c(random);
  WorkerPool pool(2);
  WalkMemory memory(7);
  WalkTeam team(c.table, memory, pool, kGoOn);
  team.move_on(c.moves(), true);
  const auto search = [&](std::size_t, DebtWalk& walk, PublicRandom& numbers) {
    CellChanges change;
    walk.raise(5, c.table.count[5] + 2, kEffort, numbers, change);
  };
  CHECK(team.run(2, search));
  const std::vector<std::int16_t> known = memory.learned;
  const std::uint64_t n = memory.n_searches;
  std::size_t n_asked = 0;
  const StopAsked late = [&] { return ++n_asked > 1; };  // not before, but during the batch
  WalkTeam cut(c.table, memory, pool, late);
  cut.move_on(c.moves(), false);
  CHECK(!cut.run(2, [&](std::size_t, DebtWalk& walk, PublicRandom& numbers) {
    CellChanges change;
    walk.raise(5, 2000, {1000000, 60, SIZE_MAX / 2}, numbers, change);  // in vain
  }));
  CHECK(cut.stopped() && !cut.run(1, search));
  CHECK(memory.learned == known && memory.n_searches == n);
  CHECK(n_asked < 10);
}

TEST(what_the_clock_throws_goes_on) {
  PublicRandom random(4);
  const Case c(random);
  WorkerPool pool(2);
  WalkMemory memory(7);
  const StopAsked interrupted = []() -> bool { throw 3; };
  WalkTeam team(c.table, memory, pool, interrupted);
  int caught = 0;
  try {
    team.run(1, [](std::size_t, DebtWalk&, PublicRandom&) {});
  } catch (int what) {
    caught = what;
  }
  CHECK_EQ(caught, 3);
}
