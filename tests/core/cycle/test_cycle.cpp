// The rules of cycles against dense matrices built by the papers' words, on all small shapes.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/cycle.hpp"
#include "cycle/cycle_checks.hpp"

using namespace sdclattice;
using cycle_checks::two_chances;

namespace {

using Matrix = std::vector<int>;  // m x n, rows fastest

Matrix dense(const CycleSet& set, std::size_t c) {
  Matrix out(set.n_cells, 0);
  for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
    out[static_cast<std::size_t>(set.cell[i])] += set.coef[i];
  }
  return out;
}

Matrix turn(const Matrix& x, int m, int n) {
  Matrix out(x.size());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      out[static_cast<std::size_t>(j + n * i)] = x[static_cast<std::size_t>(i + m * j)];
  }
  return out;
}

// Lenz's program, word by word; the second entry of a cell overwrites the first.
Matrix lenz_program(int m, int n, int i) {
  Matrix out(static_cast<std::size_t>(m * n), 0);
  const auto at = [&](int row, int column) -> int& {
    return out[static_cast<std::size_t>(row + m * column)];
  };
  for (int k = 0; k < m; ++k) at(k, (k + i) % n) = 1;
  for (int k = 0; k < m - 1; ++k) at(k, (k + 1 + i) % n) = -1;
  at(m - 1, i % n) = -1;
  return out;
}

bool keeps_margins(const Matrix& x, int m, int n) {
  for (int i = 0; i < m; ++i) {
    int sum = 0;
    for (int j = 0; j < n; ++j) sum += x[static_cast<std::size_t>(i + m * j)];
    if (sum != 0) return false;
  }
  for (int j = 0; j < n; ++j) {
    if (std::accumulate(x.begin() + m * j, x.begin() + m * (j + 1), 0) != 0) return false;
  }
  return true;
}

bool all_keep(const CycleSet& set, int m, int n) {
  for (std::size_t c = 0; c < set.size(); ++c) {
    if (!keeps_margins(dense(set, c), m, n)) return false;
  }
  return !find_broken_margin(set, {std::size_t(m), std::size_t(n)}, {{0}, {1}}).found;
}

// Which cycles share a cell with cycle 0, as distances round the ring.
std::vector<std::size_t> neighbours(const CycleSet& set) {
  std::vector<std::size_t> out;
  const Matrix first = dense(set, 0);
  for (std::size_t c = 1; c < set.size(); ++c) {
    const Matrix other = dense(set, c);
    bool meet = false;
    for (std::size_t i = 0; i < first.size(); ++i) meet = meet || (first[i] != 0 && other[i] != 0);
    if (meet) out.push_back(std::min(c, set.size() - c));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

TEST(lenz_is_the_program_or_its_transpose) {
  for (int m = 2; m <= 8; ++m) {
    for (int n = 2; n <= 8; ++n) {
      const CycleSet set = cycles_lenz(std::size_t(m), std::size_t(n));
      const bool turned = m % n == 1;
      CHECK_EQ(set.size(), std::size_t(turned ? m : n));
      for (std::size_t c = 0; c < set.size(); ++c) {
        const int i = static_cast<int>(c);
        const Matrix wanted = turned ? turn(lenz_program(n, m, i), n, m) : lenz_program(m, n, i);
        CHECK(dense(set, c) == wanted);
      }
      CHECK(keeps_margins(lenz_program(m, n, 0), m, n) == !turned);
      CHECK(all_keep(set, m, n));
      CHECK(two_chances(set));
    }
  }
}

TEST(chain_keeps_margins_and_meets_its_neighbours_only) {
  for (int m = 2; m <= 9; ++m) {
    for (int n = 2; n <= 9; ++n) {
      const CycleSet set = cycles_chain(std::size_t(m), std::size_t(n));
      CHECK(all_keep(set, m, n));
      CHECK(two_chances(set));
      CHECK(neighbours(set) == std::vector<std::size_t>{1});
      if (m == n) CHECK(set.cell == cycles_lenz(std::size_t(m), std::size_t(n)).cell);
    }
  }
}

TEST(bands_keep_margins) {
  std::mt19937_64 dice(7);
  for (std::size_t m = 2; m <= 8; ++m) {
    for (std::size_t n = 2; n <= 8; ++n) {
      const Lines lines{m, n, m % 2 == 1 && n == 2};
      std::vector<std::int32_t> order(lines.count());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), dice);
      std::vector<std::vector<std::int32_t>> groups, rings;
      for (std::size_t at = 0; at < order.size();) {
        const std::size_t size = order.size() - at == 3 ? 3 : 2;
        groups.emplace_back(order.begin() + std::ptrdiff_t(at),
                            order.begin() + std::ptrdiff_t(at + size));
        std::vector<std::int32_t> ring(lines.length());
        std::iota(ring.begin(), ring.end(), 0);
        std::shuffle(ring.begin(), ring.end(), dice);
        rings.push_back(ring);
        at += size;
      }
      const CycleSet set = cycles_banded(lines, {groups, rings, false, false});
      CHECK_EQ(set.size(), groups.size() * lines.length());
      CHECK(all_keep(set, int(m), int(n)));
      CHECK(two_chances(set));
    }
  }
}

// Line sums and column sums of every cycle; and per cell its chances over a cover: four, but two at
// the ends of open rings.
TEST(triads_and_pairs_keep_margins_and_give_equal_chances) {
  for (std::size_t m = 2; m <= 9; ++m) {
    for (std::size_t n = 2; n <= 6; ++n) {
      for (const bool open : {false, true}) {
        Groups groups{{}, {}, true, open};
        for (std::size_t at = 0; at < m;) {
          const std::size_t size = (m - at) % 3 == 0 ? 3 : 2;
          groups.lines.emplace_back();
          for (std::size_t k = 0; k < size; ++k)
            groups.lines.back().push_back(std::int32_t(at + k));
          groups.rings.emplace_back(n);
          std::iota(groups.rings.back().begin(), groups.rings.back().end(), 0);
          at += size;
        }
        const Lines lines{m, n, false};
        const CycleSet set = cycles_banded(lines, groups);
        CHECK_EQ(set.size(), count_cycles(lines, groups));
        CHECK_EQ(set.cover.empty() ? set.size() : set.cover.size(), count_steps(lines, groups));
        CHECK(all_keep(set, int(m), int(n)));
        validate(set);
        const Chances found = chances(set);
        for (std::size_t i = 0; i < m * n; ++i) {
          const bool end = open && (i < m || i >= m * (n - 1));
          CHECK_EQ(found.cycles[i], end ? 2 : 4);
        }
      }
    }
  }
}

TEST(groups_that_cannot_make_a_set_are_refused) {
  const Lines lines{5, 3, false};
  const auto fault = [&](const Groups& groups) { return find_fault(lines, groups) != nullptr; };
  const std::vector<std::int32_t> ring{2, 0, 1};
  CHECK(!fault({{{0, 4, 1}, {2, 3}}, {ring, ring}, true, true}));
  CHECK(!fault({{{0, 4, 1}, {2, 3}}, {ring, ring}, false, false}));
  CHECK(fault({{{0, 4, 1}, {2, 3}}, {ring, ring}, false, true}));
  CHECK(fault({{{0, 4, 1}, {2, 3}}, {ring}, true, false}));
  CHECK(fault({{{0, 4, 1}, {2, 2}}, {ring, ring}, true, false}));
  CHECK(fault({{{0, 4, 1}, {2, 5}}, {ring, ring}, true, false}));
  CHECK(fault({{{0, 4, 1}}, {ring}, true, false}));
  CHECK(fault({{{0, 4, 1, 2}, {3}}, {ring, ring}, true, false}));
  CHECK(fault({{{0, 4, 1}, {2, 3}}, {ring, {0, 1, 1}}, true, false}));
  CHECK(fault({{{0, 4, 1}, {2, 3}}, {ring, {0, 1}}, true, false}));
  CHECK(find_fault({3, 2, false}, {{{0, 1, 2}}, {{0, 1}}, false, false}) != nullptr);
  CHECK(find_fault({3, 2, false}, {{{0, 1, 2}}, {{0, 1}}, true, false}) == nullptr);
}

TEST(shapes_without_moves_are_refused) {
  CHECK_THROWS(InputError, cycles_lenz(1, 5));
  CHECK_THROWS(InputError, cycles_chain(5, 1));
  CHECK_THROWS(InputError, cycles_banded({1, 4, false}, {}));
  CHECK_THROWS(TooLargeError, cycles_lenz(std::size_t(1) << 20, std::size_t(1) << 20));
}

TEST(broken_margins_are_found_with_cycle_margin_and_level) {
  CycleSet set;
  set.n_cells = 6;  // 2 x 3
  for (const auto& [cell, coef] : {std::pair{0, 1}, {1, -1}, {2, -1}, {3, 1}})
    set.add(cell, std::int8_t(coef));
  set.close();
  for (const auto& [cell, coef] : {std::pair{0, 1}, {2, -1}}) set.add(cell, std::int8_t(coef));
  set.close();
  const std::vector<std::size_t> dim{2, 3};
  CHECK(!find_broken_margin(set, dim, {{}, {0}}).found);  // total and rows hold
  const BrokenMargin broken = find_broken_margin(set, dim, {{0}, {1}});
  CHECK(broken.found);
  CHECK_EQ(broken.cycle, 1u);
  CHECK_EQ(broken.margin, 1u);
  CHECK(broken.cells == std::vector<std::int32_t>{0, 2});
}

// Random moves on 3 x 2 x 4 cells, every margin, against sums over the dense array.
TEST(margins_agree_with_dense_sums) {
  std::mt19937_64 dice(11);
  const std::vector<std::size_t> dim{3, 2, 4};
  const std::vector<std::vector<std::size_t>> margins{{},     {0},    {1},    {2},
                                                      {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};
  int held = 0;
  for (int round = 0; round < 600; ++round) {
    CycleSet set;
    set.n_cells = 24;
    Matrix move(24, 0);
    for (int swap = 0; swap < 2; ++swap) {
      std::size_t a = dice() % 24, b = dice() % 24;
      ++move[a];
      --move[b];
    }
    for (std::size_t i = 0; i < 24; ++i) {
      if (move[i] != 0) set.add(std::int32_t(i), std::int8_t(move[i]));
    }
    if (set.cell.empty()) continue;
    set.close();
    for (const auto& margin : margins) {
      Matrix sums(24, 0);
      for (std::size_t i = 0; i < 24; ++i) {
        const std::size_t level[3] = {i % 3, i / 3 % 2, i / 6};
        std::size_t key = 0, stride = 1;
        for (const std::size_t v : margin) {
          key += stride * level[v];
          stride *= dim[v];
        }
        sums[key] += move[i];
      }
      const bool keeps = std::all_of(sums.begin(), sums.end(), [](int s) { return s == 0; });
      held += keeps;
      CHECK(find_broken_margin(set, dim, {margin}).found == !keeps);
    }
  }
  CHECK(held > 600);
}

TEST(sets_that_are_none_are_refused) {
  CycleSet set;
  set.n_cells = 4;
  set.add(0, 1);
  set.add(1, -1);
  set.close();
  validate(set);
  CycleSet outside = set;
  outside.cell[1] = 4;
  CHECK_THROWS(InputError, validate(outside));
  outside.cell[1] = -1;
  CHECK_THROWS(InputError, validate(outside));
  CycleSet twice = set;
  twice.cell[1] = 0;
  CHECK_THROWS(InputError, validate(twice));
  CycleSet zero = set;
  zero.coef[0] = 0;
  CHECK_THROWS(InputError, validate(zero));
  zero.coef[0] = -128;
  CHECK_THROWS(InputError, validate(zero));
  CycleSet empty = set;
  empty.close();
  CHECK_THROWS(InputError, validate(empty));
  CycleSet rest = set;
  rest.add(2, 1);
  CHECK_THROWS(InputError, validate(rest));
}

TEST(chances_reach_and_free_cells) {
  CycleSet set;
  set.n_cells = 5;
  set.add(0, 2);
  set.add(1, -2);
  set.close();
  set.add(1, 1);
  set.add(2, -1);
  set.close();
  const Chances found = chances(set);
  CHECK(found.cycles == std::vector<std::int32_t>{1, 2, 1, 0, 0});
  CHECK(found.reach == std::vector<std::int64_t>{2, 3, 1, 0, 0});
  CHECK(on_free_cycle(set, {1, 1, 0, 5, 5}) == std::vector<std::uint8_t>{1, 1, 0, 0, 0});
}
