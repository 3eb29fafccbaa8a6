// What sets preserve: counts by the formulae, classes, and functions that no move changes.
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/preserve.hpp"

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
