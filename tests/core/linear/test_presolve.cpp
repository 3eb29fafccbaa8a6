// What presolve() leaves has the same solutions as the system, one for one, by enumeration.
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/presolve.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// The values of the parts' unknowns that a solution of the system has; false when two cells of the
// same unknown disagree.
bool to_parts(const Presolved& presolved, const Whole& x, std::vector<Whole>& out) {
  out.clear();
  std::vector<std::vector<char>> seen;
  for (const PresolvedPart& part : presolved.parts) {
    out.emplace_back(part.system.n_cells(), 0);
    seen.emplace_back(part.system.n_cells(), false);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const CellHome& home = presolved.home[i];
    if (home.sign == 0) {
      if (x[i] != home.shift) return false;
      continue;
    }
    const std::int64_t value = home.sign * (x[i] - home.shift);
    if (seen[home.part][home.place] && out[home.part][home.place] != value) return false;
    seen[home.part][home.place] = true;
    out[home.part][home.place] = value;
  }
  for (const auto& of_part : seen)
    for (const char is_seen : of_part)
      if (!is_seen) return false;
  return true;
}

Whole to_cells(const Presolved& presolved, const std::vector<Whole>& parts) {
  Whole out;
  for (const CellHome& home : presolved.home)
    out.push_back(home.sign == 0 ? home.shift
                                 : home.shift + home.sign * parts[home.part][home.place]);
  return out;
}

// The rank of the equations, by elimination of the dense matrix modulo another prime.
std::size_t rank_of_equations(const LinearSystem& system) {
  constexpr std::int64_t kPrime = 1000003;
  std::vector<Whole> rows;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    if (system.row_lower[r] != system.row_upper[r]) continue;
    rows.emplace_back(system.n_cells(), 0);
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      rows.back()[system.cell[e]] += system.coefficient[e];
  }
  std::size_t rank = 0;
  for (std::size_t j = 0; j < system.n_cells() && rank < rows.size(); ++j) {
    std::size_t k = rank;
    while (k < rows.size() && rows[k][j] % kPrime == 0) ++k;
    if (k == rows.size()) continue;
    std::swap(rows[rank], rows[k]);
    for (k = rank + 1; k < rows.size(); ++k) {
      const std::int64_t a = rows[rank][j], b = rows[k][j];
      for (std::size_t i = 0; i < system.n_cells(); ++i)
        rows[k][i] = (rows[k][i] * a - rows[rank][i] * b) % kPrime;
    }
    ++rank;
  }
  return rank;
}

std::size_t n_equations(const LinearSystem& system) {
  std::size_t out = 0;
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    out += system.row_lower[r] == system.row_upper[r];
  return out;
}

// Nothing is fixed, no two-cell equation with 1 and -1 is left, no equation follows from others,
// and rows hang a part together.
bool is_reduced(const LinearSystem& part) {
  std::vector<std::size_t> group(part.n_cells());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < part.n_cells(); ++i)
    if (part.lower[i] >= part.upper[i]) return false;
  for (std::size_t r = 0; r < part.n_rows(); ++r) {
    const std::size_t first = part.start[r], n = part.start[r + 1] - first;
    if (n < 2) return false;
    if (n == 2 && part.row_lower[r] == part.row_upper[r] &&
        std::abs(part.coefficient[first]) == 1 && std::abs(part.coefficient[first + 1]) == 1)
      return false;
    for (std::size_t e = first; e < first + n; ++e) {
      const std::size_t from = group[part.cell[e]], to = group[part.cell[first]];
      std::replace(group.begin(), group.end(), from, to);
    }
  }
  return std::all_of(group.begin(), group.end(), [&](std::size_t g) { return g == group[0]; }) &&
         rank_of_equations(part) == n_equations(part);
}

// Every solution on either side is one on the other.
void check_same_solutions(const LinearSystem& system) {
  const std::vector<Whole> all = solutions(system);
  Presolved presolved;
  try {
    presolved = presolve(system, {});
  } catch (const InfeasibleError&) {
    CHECK(all.empty());
    return;
  }
  std::size_t n = 1;
  for (const PresolvedPart& part : presolved.parts) {
    CHECK(is_reduced(part.system));
    const std::vector<Whole> here = solutions(part.system);
    n *= here.size();
    for (const Whole& x : here) CHECK(satisfies(part.implied, x));
  }
  CHECK_EQ(n, all.size());
  bool every = true;
  std::vector<Whole> parts;
  for (const Whole& x : all) {
    every = every && to_parts(presolved, x, parts) && to_cells(presolved, parts) == x;
    for (std::size_t p = 0; every && p < parts.size(); ++p)
      every = satisfies(presolved.parts[p].system, parts[p]);
  }
  CHECK(every);
}

// Cells of a two- or three-way table with all its totals; the truth is random, and some cells,
// totals too, are published. Limits of others are intervals round the truth.
LinearSystem suppressed_table(Dice& dice, const std::vector<int>& levels) {
  std::vector<int> with_total;
  int n = 1;
  for (const int k : levels) n *= k + 1;
  Whole x(static_cast<std::size_t>(n), 0);
  const auto digit = [&](int cell, std::size_t d) {
    for (std::size_t k = 0; k < d; ++k) cell /= levels[k] + 1;
    return cell % (levels[d] + 1);
  };
  const auto stride = [&](std::size_t d) {
    int out = 1;
    for (std::size_t k = 0; k < d; ++k) out *= levels[k] + 1;
    return out;
  };
  LinearSystem out;
  for (int i = 0; i < n; ++i) {
    bool is_inner = true;
    for (std::size_t d = 0; d < levels.size(); ++d) is_inner = is_inner && digit(i, d) > 0;
    if (is_inner) x[static_cast<std::size_t>(i)] = dice.below(3) == 0 ? 0 : dice.below(3);
  }
  for (std::size_t d = 0; d < levels.size(); ++d)
    for (int i = 0; i < n; ++i)
      if (digit(i, d) == 0)
        for (int k = 1; k <= levels[d]; ++k)
          x[static_cast<std::size_t>(i)] += x[static_cast<std::size_t>(i + k * stride(d))];
  int n_open = 0;
  for (const std::int64_t value : x) {
    const bool is_open = n_open < 9 && dice.below(5) < 2;
    n_open += is_open;
    out.lower.push_back(is_open ? std::max<std::int64_t>(0, value - dice.below(2)) : value);
    out.upper.push_back(is_open ? value + dice.below(3) : value);
  }
  for (std::size_t d = 0; d < levels.size(); ++d)
    for (int i = 0; i < n; ++i) {
      if (digit(i, d) > 0) continue;
      Whole a(x.size(), 0);
      a[static_cast<std::size_t>(i)] = 1;
      for (int k = 1; k <= levels[d]; ++k) a[static_cast<std::size_t>(i + k * stride(d))] = -1;
      const int slack = dice.below(12) == 0 ? 1 : 0;
      add_row(out, a, -slack, slack);
    }
  return out;
}

// Two systems side by side and a row over all cells, which may or may not follow.
LinearSystem side_by_side(Dice& dice) {
  LinearSystem out;
  Whole all, one, other, x;
  for (int i = 0; i < 6; ++i) {
    out.lower.push_back(0);
    out.upper.push_back(1 + dice.below(3));
    x.push_back(dice.between(0, static_cast<int>(out.upper.back())));
    const int size = dice.below(4) == 0 ? 2 : 1, sign = dice.below(3) == 0 ? -1 : 1;
    all.push_back(size * sign);
    one.push_back(i < 3 ? size * sign : 0);
    other.push_back(i < 3 ? 0 : size * sign);
  }
  const auto sum = [&](const Whole& a) {
    return std::inner_product(a.begin(), a.end(), x.begin(), std::int64_t{0});
  };
  const int wrong = dice.below(6) == 0 ? 1 : 0;
  add_row(out, all, sum(all) + wrong, sum(all) + wrong);
  add_row(out, one, sum(one), sum(one) + (dice.below(8) == 0 ? 1 : 0));
  add_row(out, other, sum(other), sum(other));
  return out;
}

LinearSystem equations(const std::vector<Whole>& rows, const Whole& sums, std::int64_t upper) {
  LinearSystem out;
  out.lower.assign(rows[0].size(), 0);
  out.upper.assign(rows[0].size(), upper);
  for (std::size_t r = 0; r < rows.size(); ++r) add_row(out, rows[r], sums[r], sums[r]);
  return out;
}

}  // namespace

TEST(random_systems_with_coefficients_up_to_2) {
  Dice dice(1);
  for (int round = 0; round < 3000; ++round)
    check_same_solutions(random_system(dice, 1 + dice.below(5), dice.below(6), 2));
}

TEST(random_systems_with_coefficients_of_1) {
  Dice dice(2);
  for (int round = 0; round < 3000; ++round)
    check_same_solutions(random_system(dice, 1 + dice.below(6), dice.below(8), 1));
}

TEST(tables_with_suppressed_cells) {
  Dice dice(3);
  for (int round = 0; round < 700; ++round) {
    check_same_solutions(suppressed_table(dice, {2 + dice.below(2), 2 + dice.below(2)}));
    check_same_solutions(suppressed_table(dice, {2, 1 + dice.below(2), 2}));
  }
}

TEST(rows_that_tie_parts_together) {
  Dice dice(4);
  int cut = 0;
  for (int round = 0; round < 1500; ++round) {
    const LinearSystem system = side_by_side(dice);
    check_same_solutions(system);
    try {
      cut += presolve(system, {}).parts.size() > 1;
    } catch (const InfeasibleError&) {
      continue;
    }
  }
  CHECK(cut > 200);
}

// A table is small enough to be seen through: the grand total follows, the two blocks come apart,
// and each becomes one unknown.
TEST(blocks_of_a_two_way_table) {
  std::vector<Whole> rows;  // x0 x1 | x2 x3 in rows of their own, then the other block
  rows.push_back({1, 1, 0, 0, 0, 0, 0, 0});
  rows.push_back({0, 0, 1, 1, 0, 0, 0, 0});
  rows.push_back({1, 0, 1, 0, 0, 0, 0, 0});
  rows.push_back({0, 1, 0, 1, 0, 0, 0, 0});
  rows.push_back({0, 0, 0, 0, 1, 1, 0, 0});
  rows.push_back({0, 0, 0, 0, 0, 0, 1, 1});
  rows.push_back({0, 0, 0, 0, 1, 0, 1, 0});
  rows.push_back({0, 0, 0, 0, 0, 1, 0, 1});
  rows.push_back({1, 1, 1, 1, 1, 1, 1, 1});
  const LinearSystem system = equations(rows, {3, 4, 2, 5, 1, 1, 1, 1, 9}, kNoLimit);
  const Presolved presolved = presolve(system, {});
  CHECK_EQ(presolved.parts.size(), 2);
  for (const PresolvedPart& part : presolved.parts) {
    CHECK_EQ(part.system.n_cells(), 1);
    CHECK_EQ(part.system.n_rows(), 0);
  }
  CHECK_EQ(presolved.parts[0].system.upper[0] - presolved.parts[0].system.lower[0], 2);
  CHECK_EQ(presolved.parts[1].system.upper[0] - presolved.parts[1].system.lower[0], 1);
}

// Without limits nothing says which number a sum is that is known modulo the prime.
TEST(an_implied_row_without_limits_ties_its_parts) {
  const std::vector<Whole> rows = {{1, -1, 1, 0, 0, 0}, {0, 0, 0, 1, -1, 1}, {1, -1, 1, 1, -1, 1}};
  const Presolved tied = presolve(equations(rows, {2, 3, 5}, kNoLimit), {});
  CHECK_EQ(tied.parts.size(), 1);
  CHECK_EQ(tied.parts[0].system.n_rows() + tied.parts[0].implied.n_rows(), 3);
  const Presolved cut = presolve(equations(rows, {2, 3, 5}, 9), {});
  CHECK_EQ(cut.parts.size(), 2);
  CHECK_THROWS(InfeasibleError, presolve(equations(rows, {2, 3, 6}, kNoLimit), {}));
  CHECK_THROWS(InfeasibleError, presolve(equations(rows, {2, 3, 6}, 9), {}));
}

// In each block twice (x0 + x3) is 7. A row over both blocks asks for 7 in all, which the halves
// give; but a half is no whole number.
TEST(a_piece_of_an_implied_row_without_a_whole_number) {
  std::vector<Whole> rows(5, Whole(8, 0));
  for (std::size_t block = 0; block < 2; ++block) {
    const std::size_t at = 4 * block;
    rows[2 * block][at] = rows[2 * block][at + 1] = rows[2 * block][at + 2] = 1;
    rows[2 * block + 1][at] = 1;
    rows[2 * block + 1][at + 1] = rows[2 * block + 1][at + 2] = -1;
    rows[2 * block + 1][at + 3] = 2;
    rows[4][at] = rows[4][at + 3] = 1;
  }
  CHECK_THROWS(InfeasibleError, presolve(equations(rows, {4, 3, 4, 3, 7}, 9), {}));
  CHECK_EQ(presolve(equations(rows, {4, 4, 4, 4, 8}, 9), {}).parts.size(), 2);
}

TEST(cells_without_limits) {
  // Solutions with cells of at most 4 are the same on both sides.
  Dice dice(5);
  for (int round = 0; round < 1500; ++round) {
    LinearSystem bounded = random_system(dice, 2 + dice.below(4), 1 + dice.below(4), 1), open;
    std::fill(bounded.upper.begin(), bounded.upper.end(), 4);
    open = bounded;
    std::fill(open.upper.begin(), open.upper.end(), kNoLimit);
    const std::vector<Whole> all = solutions(bounded);
    Presolved presolved;
    try {
      presolved = presolve(open, {});
    } catch (const InfeasibleError&) {
      CHECK(all.empty());
      continue;
    }
    std::set<Whole> found;
    std::vector<Whole> parts;
    each_between(bounded.lower, bounded.upper, [&](const Whole& x) {
      if (!to_parts(presolved, x, parts)) return;
      bool fits = true;
      for (std::size_t p = 0; p < parts.size(); ++p)
        fits = fits && satisfies(presolved.parts[p].system, parts[p]);
      if (fits) found.insert(x);
    });
    CHECK(found == std::set<Whole>(all.begin(), all.end()));
  }
}

// x = 2 z - 1 with z = x + 1 has no solution in counts; with w = z of any size there are many.
// Limits rise without end in both.
TEST(limits_that_raise_each_other) {
  CHECK_THROWS(InfeasibleError, presolve(equations({{1, -2}, {-1, 1}}, {-1, 1}, kNoLimit), {}));
  const Presolved many = presolve(equations({{1, -2, 0}, {-1, 1, 1}}, {-1, 1}, kNoLimit), {});
  std::vector<Whole> parts;
  for (std::int64_t z = 1; z < 50; ++z) {
    CHECK(to_parts(many, {2 * z - 1, z, z}, parts));
    for (std::size_t p = 0; p < parts.size(); ++p) CHECK(satisfies(many.parts[p].system, parts[p]));
  }
  CHECK(!to_parts(many, {1, 1, 2}, parts) || !satisfies(many.parts[0].system, parts[0]));
}

TEST(signs_and_shifts_of_merged_cells) {
  // x0 + x1 = 7, x1 - x2 = 2: x0 falls while x1 and x2 rise.
  const Presolved presolved = presolve(equations({{1, 1, 0}, {0, 1, -1}}, {7, 2}, 9), {});
  CHECK_EQ(presolved.parts.size(), 1);
  const LinearSystem& part = presolved.parts[0].system;
  CHECK_EQ(part.n_cells(), 1);
  const auto end = [&](std::size_t i, std::int64_t y) {
    return presolved.home[i].shift + presolved.home[i].sign * y;
  };
  const std::int64_t low = part.lower[0], high = part.upper[0];
  CHECK_EQ(std::min(end(0, low), end(0, high)), 0);
  CHECK_EQ(std::max(end(0, low), end(0, high)), 5);
  CHECK_EQ(std::min(end(1, low), end(1, high)), 2);
  CHECK_EQ(std::max(end(2, low), end(2, high)), 5);
}

TEST(what_has_no_solution) {
  CHECK_THROWS(InfeasibleError, presolve(equations({{2, -2}}, {3}, 9), {}));  // indivisible
  CHECK_THROWS(InfeasibleError, presolve(equations({{1, 1}}, {19}, 9), {}));  // too much
  CHECK_THROWS(InfeasibleError, presolve(equations({{1, 1, 1}, {1, 1, 1}}, {4, 5}, 9), {}));
  // The first three rows add up to the fourth, but for its sum.
  CHECK_THROWS(InfeasibleError,
               presolve(equations({{1, 1, 0, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {2, 2, 2, 3}},
                                  {4, 4, 4, 13}, 9),
                        {}));
  LinearSystem crossed = equations({{1, 1}}, {3}, 9);
  crossed.lower[0] = 10;
  CHECK_THROWS(InfeasibleError, presolve(crossed, {}));
  LinearSystem empty_range = equations({{1, 1, 1}}, {3}, 9);
  empty_range.row_lower[0] = 4;
  CHECK_THROWS(InfeasibleError, presolve(empty_range, {}));
  LinearSystem fixed = equations({{1, 1}}, {3}, 9);
  fixed.lower = fixed.upper = {1, 1};
  CHECK_THROWS(InfeasibleError, presolve(fixed, {}));
}

TEST(without_cells_or_rows) {
  const Presolved nothing = presolve(LinearSystem(), {});
  CHECK(nothing.home.empty() && nothing.parts.empty());
  LinearSystem free;
  free.lower = {0, 3};
  free.upper = {2, 3};
  const Presolved one = presolve(free, {});
  CHECK_EQ(one.parts.size(), 1);
  CHECK_EQ(one.home[0].sign, 1);
  CHECK_EQ(one.home[1].sign, 0);
  CHECK_EQ(one.home[1].shift, 3);
}

TEST(a_tick_that_throws_stops) {
  const LinearSystem system = equations({{1, 1, 1}}, {4}, 9);
  CHECK_THROWS(int, presolve(system, [](double) { throw 1; }));
}
