// Reduced systems and two-way tables in disguise, against the solutions of the whole.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "fibre/reduce.hpp"
#include "fibre/small_fibres.hpp"
#include "fibre/twoway_form.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

// All tables that the parts say: a combination of one table of each.
std::set<Whole> combined(const ReducedSystem& reduced) {
  std::set<Whole> out;
  if (!reduced.feasible) return out;
  out.insert(reduced.lower);
  for (const SystemPart& part : reduced.parts) {
    std::set<Whole> next;
    const std::vector<Whole> tables = solutions(part.system);
    for (const Whole& x : out)
      for (const Whole& t : tables) {
        Whole y = x;
        for (std::size_t k = 0; k < t.size(); ++k)
          y[part.cell[k]] = reduced.lower[part.cell[k]] + t[k];
        next.insert(y);
      }
    out = std::move(next);
  }
  return out;
}

bool well_formed(const ReducedSystem& reduced) {
  std::set<std::uint32_t> seen;
  for (const SystemPart& part : reduced.parts) {
    if (part.cell.size() != part.system.n_cells() || part.cell.empty()) return false;
    for (std::size_t k = 0; k < part.cell.size(); ++k) {
      const std::uint32_t i = part.cell[k];
      if (part.system.lower[k] != 0 || !seen.insert(i).second) return false;
      if (part.system.upper[k] != reduced.upper[i] - reduced.lower[i]) return false;
    }
    // One part does not fall apart, and no row is empty or twice there.
    if (components(part.system).size() != 1) return false;
    std::set<std::vector<std::pair<std::uint32_t, std::int64_t>>> rows;
    for (std::size_t r = 0; r < part.system.n_rows(); ++r) {
      std::vector<std::pair<std::uint32_t, std::int64_t>> row;
      for (std::size_t e = part.system.start[r]; e < part.system.start[r + 1]; ++e)
        row.emplace_back(part.system.cell[e], part.system.coefficient[e]);
      if (row.empty() || !rows.insert(row).second) return false;
    }
  }
  for (std::size_t i = 0; i < reduced.lower.size(); ++i)
    if ((reduced.lower[i] == reduced.upper[i]) != (seen.count(static_cast<std::uint32_t>(i)) == 0))
      return false;
  return true;
}

void compare(const LinearSystem& system) {
  const std::vector<Whole> all = solutions(system);
  const ReducedSystem reduced = reduce(system, {});
  CHECK(combined(reduced) == std::set<Whole>(all.begin(), all.end()));
  if (!all.empty()) CHECK(reduced.feasible && well_formed(reduced));
}

// The two-way table has as many fillings as the part has tables, and the same law of each cell.
bool same_tables(const LinearSystem& part, const TwoWayTable& table) {
  const std::vector<Whole> all = solutions(part), filled = fillings(table);
  if (all.size() != filled.size()) return false;
  std::multiset<Whole> first;
  for (const Whole& x : filled)
    first.insert(Whole(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(part.n_cells())));
  return first == std::multiset<Whole>(all.begin(), all.end());
}

// Rows, columns and perhaps the total of a small table, exact or in intervals.
LinearSystem random_margins(Dice& dice) {
  const int m = dice.between(1, 3), n = dice.between(1, 3);
  LinearSystem out;
  Whole x;
  for (int i = 0; i < m * n; ++i) {
    x.push_back(dice.below(3));
    out.lower.push_back(0);
    out.upper.push_back(x.back() + dice.below(2));
  }
  const auto add = [&](auto&& holds_cell) {
    Whole a;
    std::int64_t sum = 0;
    for (int i = 0; i < m * n; ++i) {
      a.push_back(holds_cell(i) ? 1 : 0);
      sum += a.back() * x[static_cast<std::size_t>(i)];
    }
    add_row(out, a, sum - dice.below(2), sum + dice.below(2));
  };
  for (int r = 0; r < m; ++r)
    if (dice.below(5)) add([&](int i) { return i / n == r; });
  for (int c = 0; c < n; ++c)
    if (dice.below(5)) add([&](int i) { return i % n == c; });
  if (dice.below(2)) add([](int) { return true; });
  return out;
}

}  // namespace

TEST(random_systems_keep_their_tables) {
  Dice dice(1);
  for (int round = 0; round < 800; ++round)
    compare(random_system(dice, 1 + dice.below(6), dice.below(5), 1 + dice.below(3)));
}

TEST(margins_keep_their_tables) {
  Dice dice(2);
  for (int round = 0; round < 150; ++round) compare(random_margins(dice));
}

// Rows that follow from others: doubles, multiples, the total of a margin, what limits imply.
TEST(rows_that_say_nothing_new_are_left_out) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, 5);
  add_row(system, {1, 1, 0, 0}, 4, 4);
  add_row(system, {0, 0, 1, 1}, 3, 3);
  add_row(system, {1, 0, 1, 0}, 2, 2);
  add_row(system, {0, 1, 0, 1}, 5, 5);
  const ReducedSystem plain = reduce(system, {});
  for (const auto& row : {Whole{2, 2, 0, 0}, {-1, -1, 0, 0}, {1, 1, 1, 1}}) {
    std::int64_t sum = 4 * row[0] + 3 * row[2];
    add_row(system, row, sum, sum);
  }
  add_row(system, {1, 1, 1, 1}, 0, 20);
  add_row(system, {0, 0, 0, 0}, -1, 1);
  const ReducedSystem more = reduce(system, {});
  CHECK_EQ(plain.parts.size(), 1u);
  CHECK_EQ(more.parts.size(), 1u);
  CHECK(more.parts[0].system.n_rows() <= plain.parts[0].system.n_rows());
  compare(system);
}

TEST(what_no_row_connects_falls_apart) {
  LinearSystem system;
  system.lower = {1, 0, 2, 0, 0, 4};
  system.upper = {5, 9, 4, 3, 7, 4};
  add_row(system, {1, 1, 0, 0, 0, 0}, 6, 6);
  add_row(system, {0, 0, 1, 2, 0, 1}, 9, 10);
  const ReducedSystem reduced = reduce(system, {});
  CHECK_EQ(reduced.parts.size(), 3u);  // the free cell is a part of its own, the fixed one of none
  CHECK_EQ(reduced.lower[5], 4);
  compare(system);
}

TEST(contradictions_and_cells_without_limits) {
  LinearSystem empty;
  empty.lower = {0, 0};
  empty.upper = {2, 2};
  add_row(empty, {1, 1}, 5, 9);
  CHECK(!reduce(empty, {}).feasible);
  LinearSystem fixed;
  fixed.lower = fixed.upper = {3};
  add_row(fixed, {1}, 4, 4);
  CHECK(!reduce(fixed, {}).feasible);
  LinearSystem endless;
  endless.lower = {0, 0};
  endless.upper = {kNoLimit, kNoLimit};
  add_row(endless, {1, -1}, 0, 0);
  CHECK_THROWS(InputError, reduce(endless, {}));
  add_row(endless, {1, 1}, -kNoLimit, 6);
  CHECK_EQ(combined(reduce(endless, {})).size(), 4u);
  LinearSystem huge;
  huge.lower = Whole(2, 0);
  huge.upper = Whole(2, (std::int64_t{1} << 53) - 1);
  add_row(huge, {1 << 20, 1 << 20}, 5, kNoLimit);
  CHECK_THROWS(TooLargeError, reduce(huge, {}));
  CHECK(reduce(LinearSystem{}, {}).feasible);
}

TEST(margins_are_two_way_tables) {
  Dice dice(3);
  int tables = 0;
  for (int round = 0; round < 400; ++round) {
    for (const SystemPart& part : reduce(random_margins(dice), {}).parts) {
      const auto table = as_two_way(part.system);
      if (!table) continue;
      ++tables;
      CHECK(same_tables(part.system, *table));
    }
  }
  CHECK(tables > 300);
}

// Any part that is taken for a table is one.
TEST(nothing_is_taken_for_a_table_wrongly) {
  Dice dice(4);
  int tables = 0, others = 0;
  for (int round = 0; round < 1200; ++round) {
    LinearSystem system = random_system(dice, 1 + dice.below(5), 1 + dice.below(4), 1);
    for (std::int64_t& a : system.coefficient) a = std::abs(a);
    for (const SystemPart& part : reduce(system, {}).parts) {
      const auto table = as_two_way(part.system);
      (table ? tables : others) += 1;
      if (table) CHECK(same_tables(part.system, *table));
    }
  }
  CHECK(tables > 100);
}

TEST(what_is_no_two_way_table) {
  LinearSystem part;
  part.lower = Whole(3, 0);
  part.upper = Whole(3, 4);
  for (const auto& row : {Whole{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}) add_row(part, row, 3, 4);
  CHECK(!as_two_way(part));  // three rows, each two of which share a cell
  LinearSystem weighted;
  weighted.lower = Whole(2, 0);
  weighted.upper = Whole(2, 4);
  add_row(weighted, {1, 2}, 4, 4);
  CHECK(!as_two_way(weighted));
  LinearSystem single;
  single.lower = {0};
  single.upper = {7};
  const auto table = as_two_way(single);  // no rows at all: one cell between slacks
  CHECK(table && same_tables(single, *table));
}
