// What sets preserve: counts by the formulae, classes, and functions that no move changes.
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/preserve.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

CycleSet triads(std::size_t m, std::size_t n, bool open) {
  Groups groups{{}, {}, true, open, false};
  for (std::size_t at = 0; at < m; at += 3) {
    groups.lines.push_back({std::int32_t(at), std::int32_t(at + 1), std::int32_t(at + 2)});
    groups.rings.emplace_back(n);
    std::iota(groups.rings.back().begin(), groups.rings.back().end(), 0);
  }
  return cycles_banded({m, n, false}, groups);
}

bool unchanged_by(const CycleSet& set, const SparseRow& f) {
  std::vector<std::int64_t> dense(set.n_cells, 0);
  for (const auto& [at, value] : f) dense[static_cast<std::size_t>(at)] = value;
  for (std::size_t c = 0; c < set.size(); ++c) {
    std::int64_t sum = 0;
    for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i)
      sum += set.coef[i] * dense[set.cell[i]];
    if (sum != 0) return false;
  }
  return true;
}

}  // namespace

TEST(echelons_tell_independent_rows) {
  Echelon rows(3);
  CHECK(rows.insert({{0, 2}, {1, 4}}));
  CHECK(!rows.insert({{0, 3}, {1, 6}}));
  CHECK(rows.insert({{0, 3}, {1, 6}, {2, 5}}));
  CHECK(!rows.insert({{2, 7}}));
  CHECK(!rows.insert({}));
  CHECK(rows.insert({{1, -9}, {2, 3}}));
  CHECK_EQ(rows.rank(), 3u);
  Echelon tired(2, 1);
  tired.insert({{0, 1}, {1, 1}});
  CHECK_THROWS(TooLargeError, tired.insert({{0, 1}, {1, 2}}));
  Echelon wide(2);
  wide.insert({{0, (std::int64_t(1) << 62) + 1}, {1, 1}});
  CHECK_THROWS(TooLargeError, wide.insert({{0, 5}, {1, (std::int64_t(1) << 62) + 3}}));
}

TEST(ranks_and_functions_follow_the_formulae) {
  for (std::size_t n = 2; n <= 7; ++n) {
    for (const std::size_t m : {3, 6, 9}) {
      for (const bool open : {false, true}) {
        const CycleSet set = triads(m, n, open);
        CHECK_EQ(reduce_cycles(set, find_classes(set)).rank(), m / 3 * 2 * (n - 1));
        const auto functions = preserved_functions(set, {m, n}, {{0}, {1}});
        CHECK_EQ(functions.size(), (m / 3 - 1) * (n - 1));
        for (const SparseRow& f : functions) CHECK(unchanged_by(set, f));
      }
      const CycleSet ring = cycles_lenz(m, n);
      const std::size_t rank = reduce_cycles(ring, find_classes(ring)).rank();
      CHECK_EQ(rank, (lenz_is_transposed(m, n) ? m : n) - 1);
    }
  }
}

TEST(classes_hold_factors) {
  CycleSet set;
  set.n_cells = 5;
  for (const auto& [cell, coef] : {std::pair{0, 2}, {1, -4}, {2, 2}, {3, 3}})
    set.add(cell, std::int8_t(coef));
  set.close();
  for (const auto& [cell, coef] : {std::pair{0, 1}, {1, -2}, {2, 2}})
    set.add(cell, std::int8_t(coef));
  set.close();
  const MovingClasses found = find_classes(set);
  CHECK(found.class_of == std::vector<std::int32_t>({0, 0, 1, 2, -1}));
  CHECK(found.factor == std::vector<std::int32_t>({1, -2, 2, 3, 0}));
  const auto functions = preserved_functions(set, {5}, {});
  CHECK_EQ(functions.size(), 3u);
  for (const SparseRow& f : functions) CHECK(unchanged_by(set, f));
}

// Random moves with coefficients of all sizes: cells - rank functions, none changed.
TEST(random_sets_preserve_their_functions) {
  std::mt19937_64 dice(9);
  for (int round = 0; round < 500; ++round) {
    CycleSet set;
    set.n_cells = 6;
    for (std::size_t c = 0; c < 1 + dice() % 6; ++c) {
      for (std::int32_t cell = 0; cell < 6; ++cell) {
        const int coef = int(dice() % 7) - 3;
        if (coef != 0 && dice() % 2) set.add(cell, std::int8_t(coef));
      }
      if (set.cell.size() > set.start.back()) set.close();
    }
    const auto functions = preserved_functions(set, {6}, {});
    CHECK_EQ(functions.size(), 6 - reduce_cycles(set, find_classes(set)).rank());
    for (const SparseRow& f : functions) CHECK(unchanged_by(set, f));
  }
}

namespace {

using namespace small_tables;

// The rank of a matrix by elimination over fractions that are kept as whole numbers.
std::size_t rank_of(std::vector<Whole> rows) {
  std::size_t rank = 0;
  const std::size_t n = rows.empty() ? 0 : rows[0].size();
  for (std::size_t column = 0; column < n && rank < rows.size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      const std::int64_t p = rows[rank][column], a = rows[r][column];
      std::int64_t common = 0;
      for (std::size_t j = 0; j < n; ++j) {
        rows[r][j] = p * rows[r][j] - a * rows[rank][j];
        common = std::gcd(common, rows[r][j]);
      }
      for (std::size_t j = 0; common > 1 && j < n; ++j) rows[r][j] /= common;
    }
    ++rank;
  }
  return rank;
}

Whole as_row(const SparseRow& row, std::size_t n) {
  Whole out(n, 0);
  for (const auto& [at, value] : row) out[static_cast<std::size_t>(at)] = value;
  return out;
}

std::vector<Whole> cycle_rows(const CycleSet& set) {
  std::vector<Whole> out;
  for (const auto& cycle : dense(set)) out.emplace_back(cycle.begin(), cycle.end());
  return out;
}

}  // namespace

// Every sequence of three rows over two columns with entries from -2 to 2.
TEST(all_small_echelons) {
  each_between(Whole(6, -2), Whole(6, 2), [](const Whole& x) {
    Echelon echelon(2);
    std::vector<Whole> before;
    bool same = true;
    for (std::size_t k = 0; k < 6; k += 2) {
      SparseRow row;
      for (std::int32_t j = 0; j < 2; ++j)
        if (x[k + static_cast<std::size_t>(j)] != 0)
          row.emplace_back(j, x[k + static_cast<std::size_t>(j)]);
      const std::size_t rank = rank_of(before);
      before.push_back({x[k], x[k + 1]});
      same = same && echelon.insert(row) == (rank_of(before) > rank);
      same = same && echelon.rank() == rank_of(before);
    }
    for (std::size_t j = 0; j < 2; ++j)
      if (const SparseRow* row = echelon.leading_at(j))
        same = same && row->front().first == static_cast<std::int32_t>(j);
    CHECK(same);
  });
}

// Cells are one class when their columns are multiples of each other, and move by their factors.
TEST(classes_of_random_sets) {
  Dice dice(1);
  for (int round = 0; round < 400; ++round) {
    const CycleSet set = random_cycles(dice, 1 + dice.below(8), dice.below(4), 3);
    const auto cycles = dense(set);
    const MovingClasses found = find_classes(set);
    bool fine = found.class_of.size() == set.n_cells && found.factor.size() == set.n_cells;
    for (std::size_t i = 0; fine && i < set.n_cells; ++i) {
      const bool still = std::all_of(cycles.begin(), cycles.end(),
                                     [i](const auto& cycle) { return cycle[i] == 0; });
      fine = (found.class_of[i] == -1) == still;
      for (std::size_t j = 0; fine && !still && j < set.n_cells; ++j) {
        bool parallel = found.class_of[j] != -1;
        for (std::size_t c = 0; c < cycles.size(); ++c)
          for (std::size_t d = 0; d < cycles.size(); ++d)
            parallel = parallel && cycles[c][i] * cycles[d][j] == cycles[d][i] * cycles[c][j];
        fine = (found.class_of[i] == found.class_of[j]) == parallel;
        for (std::size_t c = 0; fine && parallel && c < cycles.size(); ++c)
          fine = cycles[c][i] * found.factor[j] == cycles[c][j] * found.factor[i];
      }
    }
    CHECK(fine);
    CHECK_EQ(reduce_cycles(set, found).rank(), rank_of(cycle_rows(set)));
  }
}

// With the margins' sums the functions are a basis of all that the moves keep: none changes, none
// follows from the others, and they are as many as there are dimensions left.
TEST(preserved_functions_of_random_moves) {
  Dice dice(2);
  for (int round = 0; round < 120; ++round) {
    const std::size_t m = 2 + static_cast<std::size_t>(dice.below(2)),
                      n = 2 + static_cast<std::size_t>(dice.below(3));
    CycleSet set;
    set.n_cells = m * n;
    for (int c = dice.below(4); c >= 0; --c) {
      const int a = dice.below(static_cast<int>(m)), i = dice.below(static_cast<int>(n));
      const int b = (a + 1) % static_cast<int>(m), j = (i + 1) % static_cast<int>(n);
      const auto at = [m](int row, int column) { return row + static_cast<int>(m) * column; };
      set.add(at(a, i), 1), set.add(at(b, i), -1), set.add(at(a, j), -1), set.add(at(b, j), 1);
      set.close();
    }
    const auto functions = preserved_functions(set, {m, n}, {{0}, {1}});
    std::vector<Whole> all;
    for (std::size_t k = 0; k < m + n; ++k) {
      all.emplace_back(m * n, 0);
      for (std::size_t i = 0; i < m * n; ++i) all[k][i] = k < m ? i % m == k : i / m == k - m;
    }
    const std::size_t sums = rank_of(all);
    bool kept = true;
    for (const SparseRow& f : functions) {
      kept = kept && unchanged_by(set, f);
      all.push_back(as_row(f, m * n));
    }
    CHECK(kept);
    CHECK_EQ(rank_of(all), sums + functions.size());
    CHECK_EQ(sums + functions.size(), m * n - rank_of(cycle_rows(set)));
  }
}
