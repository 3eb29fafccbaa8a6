// Walks with debts: what they find keeps the margins and reaches its target, and they find what is
// there, by all tables with the margins.
#include "cases.hpp"
#include "certify/debt_walk.hpp"
#include "check.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const WalkEffort kEffort{20, 60, 100000};

struct Case {
  Dense x;
  std::vector<Mask> sets;
  Stored stored;
  ComponentTable table;

  Case(Dense dense, std::vector<Mask> frontier)
      : x(std::move(dense)),
        sets(std::move(frontier)),
        stored(x, 100),
        table(stored.layout, stored.view(), x.all(), 10000) {}
  std::vector<MoveSet> moves() const {
    std::vector<MoveSet> out;
    for (Mask set : minimal_outside(x.n_variables(), sets))
      out.push_back({static_cast<LocalSet>(set), 0});
    return out;
  }
  // The table after a change that keeps all margins and all cells at least 0; else nothing.
  std::vector<std::int64_t> after(const CellChanges& change) const {
    Dense out = x;
    for (const CellChange& c : change) out.counts[c.cell] += c.by;
    for (std::int64_t count : out.counts)
      if (count < 0) return {};
    for (Mask set : sets)
      if (out.margin(set) != x.margin(set)) return {};
    return out.counts;
  }
};

}  // namespace

TEST(changes_keep_the_margins_and_reach_their_target) {
  PublicRandom random(1);
  int wrong = 0, found = 0;
  for (int round = 0; round < 40; ++round) {
    const Case c(random_dense(random, {3, 2, 3, 2}, 6, 1), random_frontier(random, 4, 4));
    DebtWalk walk(c.table);
    walk.move_on(c.moves(), true);
    for (std::uint32_t cell = 0; cell < 36; cell += 5) {
      const std::int32_t count = c.table.count[cell];
      const auto target = count + 1 + static_cast<std::int32_t>(random.below(4));
      CellChanges change;
      if (walk.raise(cell, target, kEffort, random, change)) {
        const auto after = c.after(change);
        wrong += after.empty() || after[cell] < target;
        ++found;
      }
      const auto low = static_cast<std::int32_t>(random.below(static_cast<std::size_t>(count) + 1));
      if (walk.lower(cell, low, kEffort, random, change)) {
        const auto after = c.after(change);
        wrong += after.empty() || after[cell] > low;
        ++found;
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(found > 200);
}

// Up to the sharp bound of each cell nearly everything is found, beyond it nothing.
TEST(walks_find_what_all_tables_show) {
  PublicRandom random(2);
  int wrong = 0, n = 0, found = 0;
  for (int round = 0; round < 60; ++round) {
    const Case c(random_dense(random, {2, 3, 2}, 2, 1), random_frontier(random, 3, 3));
    const auto exact = sharp_bounds(c.x, c.sets);
    if (exact.empty()) continue;
    DebtWalk walk(c.table);
    walk.move_on(c.moves(), true);
    for (std::uint32_t cell = 0; cell < 12; ++cell) {
      const auto upper = static_cast<std::int32_t>(exact[cell].upper);
      const auto lower = static_cast<std::int32_t>(exact[cell].lower);
      CellChanges change;
      wrong += walk.raise(cell, upper + 1, {3, 40, 5000}, random, change);
      if (lower > 0) wrong += walk.lower(cell, lower - 1, {3, 40, 5000}, random, change);
      if (upper > c.table.count[cell]) {
        ++n;
        found += walk.raise(cell, upper, kEffort, random, change);
      }
      if (lower < c.table.count[cell]) {
        ++n;
        found += walk.lower(cell, lower, kEffort, random, change);
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 100 && found > n * 95 / 100);
}

TEST(equal_generators_give_equal_walks) {
  PublicRandom random(3);
  for (int round = 0; round < 20; ++round) {
    const Case c(random_dense(random, {3, 3, 2}, 5, 1), {3, 5, 6});
    DebtWalk a(c.table), b(c.table);
    a.move_on(c.moves(), true);
    b.move_on(c.moves(), true);
    PublicRandom one(7), two(7);
    for (std::uint32_t cell = 0; cell < 18; cell += 3) {
      CellChanges x, y;
      const std::int32_t target = c.table.count[cell] + 2;
      CHECK_EQ(a.raise(cell, target, kEffort, one, x), b.raise(cell, target, kEffort, two, y));
      CHECK_EQ(x.size(), y.size());
      for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
        CHECK(x[i].cell == y[i].cell && x[i].by == y[i].by);
    }
    CHECK_EQ(a.n_looks(), b.n_looks());
  }
}

// A set with a penalty is moved on only where nothing else helps.
TEST(penalties_are_paid_only_where_they_must_be) {
  PublicRandom random(4);
  int wrong = 0, free = 0, paid = 0;
  for (int round = 0; round < 60; ++round) {
    // {0, 1} may be given up for a price; {0, 1, 2} is free.
    const Case kept(random_dense(random, {2, 2, 2}, 3, 1), {3, 5, 6});
    const auto exact = sharp_bounds(kept.x, kept.sets);
    DebtWalk walk(kept.table);
    walk.move_on({{7, 0}, {3, 4}}, true);
    for (std::uint32_t cell = 0; cell < 8; ++cell) {
      CellChanges change;
      const std::int32_t target = kept.table.count[cell] + 1;
      if (!walk.raise(cell, target, kEffort, random, change)) continue;
      Dense after = kept.x;
      for (const CellChange& c : change) after.counts[c.cell] += c.by;
      // The margins of the sets that hold not all of {0, 1} stay in any case.
      wrong += after.margin(5) != kept.x.margin(5) || after.margin(6) != kept.x.margin(6);
      const bool gave_up = after.margin(3) != kept.x.margin(3);
      wrong += gave_up && exact[cell].upper >= target;
      ++(gave_up ? paid : free);
    }
  }
  CHECK(wrong <= 2);
  CHECK(free > 20 && paid > 20);
}

TEST(nothing_is_found_without_sets_or_effort) {
  PublicRandom random(5);
  const Case c({{2, 2}, {3, 3, 3, 3}}, {1, 2});
  CellChanges change;
  DebtWalk walk(c.table);
  walk.move_on({}, true);
  CHECK(!walk.raise(0, 4, kEffort, random, change));
  walk.move_on(c.moves(), true);
  CHECK(!walk.raise(0, 4, {0, 60, 1000}, random, change));
  CHECK(walk.raise(0, 4, kEffort, random, change));
  CHECK(walk.raise(0, 6, kEffort, random, change));
  CHECK(!walk.raise(0, 7, kEffort, random, change));
  CHECK(walk.lower(0, 0, kEffort, random, change));
  CHECK_EQ(c.after(change)[0], 0);
}

TEST(effort_is_counted_in_cells_looked_at) {
  PublicRandom random(6);
  const Case c({{2, 2}, {3, 3, 3, 3}}, {1, 2});
  DebtWalk walk(c.table);
  CHECK_EQ(walk.n_looks(), 0u);
  walk.move_on(c.moves(), true);
  CellChanges change;
  walk.raise(0, 5, kEffort, random, change);
  const std::size_t looks = walk.n_looks();
  CHECK(looks > 0);
  walk.raise(0, 100, {1000, 1000, 500}, random, change);  // in vain
  CHECK(walk.n_looks() > looks && walk.n_looks() < looks + 2000);
}
