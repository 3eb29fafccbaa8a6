// Tables at the ends of cells, against all solutions.
#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/end_table.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

const auto no_check = [] {};

Whole table(const EndTables& tables, std::size_t t) {
  Whole out = tables.base();
  for (std::size_t k = 0; k < tables[t].cell.size(); ++k)
    out[tables[t].cell[k]] = tables[t].value[k];
  return out;
}

void check_all_ends(const LinearSystem& system, const std::vector<Whole>& all) {
  EndTables tables(system, 100000, no_check);
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    std::int64_t least = all[0][i], most = all[0][i];
    for (const Whole& x : all) {
      least = std::min(least, x[i]);
      most = std::max(most, x[i]);
    }
    for (const int sign : {1, -1}) {
      const std::int64_t end = sign > 0 ? most : least;
      const std::size_t t = tables.reach(i, sign, end);
      CHECK(t < tables.size());
      if (t >= tables.size()) continue;
      const Whole x = table(tables, t);
      CHECK_EQ(x[i], end);
      CHECK(std::find(all.begin(), all.end(), x) != all.end());
      CHECK(tables.reach(i, sign, end + sign) == SIZE_MAX);
    }
  }
}

// Two-way tables with totals known: flows.
LinearSystem two_way(Dice& dice, std::size_t n, std::size_t m) {
  LinearSystem out;
  Whole x;
  for (std::size_t i = 0; i < n * m; ++i) x.push_back(dice.below(3));
  out.lower.assign(n * m, 0);
  out.upper.assign(n * m, 4);
  for (std::size_t line = 0; line < n + m; ++line) {
    Whole a(n * m, 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n * m; ++i) {
      a[i] = line < n ? i % n == line : i / n == line - n;
      sum += a[i] * x[i];
    }
    add_row(out, a, sum, sum);
  }
  return out;
}

}  // namespace

TEST(random_systems_against_all_solutions) {
  Dice dice(2);
  for (int round = 0; round < 700; ++round) {
    const LinearSystem system =
        random_system(dice, 1 + dice.below(6), 1 + dice.below(4), 1 + dice.below(3));
    const std::vector<Whole> all = solutions(system);
    if (!all.empty())
      check_all_ends(system, all);
    else
      CHECK_THROWS(InfeasibleError, EndTables(system, 100000, no_check));
  }
}

TEST(flows_against_all_solutions) {
  Dice dice(3);
  for (int round = 0; round < check::cases(25, 40); ++round) {
    const LinearSystem system = two_way(dice, 2 + round % 2, 3);
    check_all_ends(system, solutions(system));
  }
}

// Three-way tables with all two-way totals known, too large for the exact programme alone; they
// come from a table, so that cells can be moved to what it has.
TEST(larger_parts_are_walked) {
  Dice dice(4);
  constexpr std::size_t n = 7;
  LinearSystem system;
  Whole truth;
  for (std::size_t i = 0; i < n * n * n; ++i) truth.push_back(dice.below(5));
  system.lower.assign(truth.size(), 0);
  system.upper.assign(truth.size(), kNoLimit);
  const std::size_t strides[] = {1, n, n * n};
  for (std::size_t v = 0; v < 3; ++v)
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (i / strides[v] % n != 0) continue;
      Whole a(truth.size(), 0);
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        a[i + k * strides[v]] = 1;
        sum += truth[i + k * strides[v]];
      }
      add_row(system, a, sum, sum);
    }
  EndTables tables(system, 1000, no_check);
  CHECK(satisfies(system, tables.base()));
  for (std::size_t i = 0; i < truth.size(); i += 37) {
    const std::size_t t = tables.reach(i, 1, truth[i]);
    CHECK(t < tables.size());
    if (t >= tables.size()) continue;
    const Whole x = table(tables, t);
    CHECK(satisfies(system, x));
    CHECK_EQ(x[i], truth[i]);
  }
}
