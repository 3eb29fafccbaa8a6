// A point inside: near all rows, within all limits, away from those of cells that have room.
#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "check.hpp"
#include "linear/inner_point.hpp"

using namespace sdclattice;

namespace {

void add_row(LinearSystem& system, const std::vector<std::uint32_t>& cells,
             const std::vector<std::int64_t>& coefficients, std::int64_t lower,
             std::int64_t upper) {
  system.cell.insert(system.cell.end(), cells.begin(), cells.end());
  system.coefficient.insert(system.coefficient.end(), coefficients.begin(), coefficients.end());
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(lower);
  system.row_upper.push_back(upper);
}

double worst_row(const LinearSystem& system, const std::vector<double>& x) {
  double out = 0;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    double sum = 0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum += static_cast<double>(system.coefficient[e]) * x[system.cell[e]];
    out = std::max({out, static_cast<double>(system.row_lower[r]) - sum,
                    sum - static_cast<double>(system.row_upper[r])});
  }
  return out;
}

bool within_limits(const LinearSystem& system, const std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(x[i] >= static_cast<double>(system.lower[i]) &&
          x[i] <= static_cast<double>(system.upper[i])))
      return false;
  return true;
}

// Random rows through a point that has room on either side, some of them ranges, some cells fixed.
LinearSystem random_system(PublicRandom& random) {
  LinearSystem out;
  const std::size_t n = 2 + random.below(12);
  std::vector<std::int64_t> x;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(static_cast<std::int64_t>(random.below(20)));
    const bool fixed = random.below(5) == 0;
    out.lower.push_back(fixed ? x[i] : x[i] - 1 - static_cast<std::int64_t>(random.below(9)));
    out.upper.push_back(fixed ? x[i] : x[i] + 1 + static_cast<std::int64_t>(random.below(9)));
    if (!fixed && random.below(4) == 0) out.upper[i] = kNoLimit;
  }
  for (std::size_t r = 1 + random.below(n); r > 0; --r) {
    std::vector<std::uint32_t> cells;
    std::vector<std::int64_t> coefficients;
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (random.below(2) == 0) continue;
      cells.push_back(i);
      coefficients.push_back(random.below(3) == 0 ? -1 : 1);
      sum += coefficients.back() * x[i];
    }
    const auto room = static_cast<std::int64_t>(random.below(3) == 0 ? random.below(4) : 0);
    add_row(out, cells, coefficients, sum - room, sum);
  }
  return out;
}

TEST(random_systems) {
  PublicRandom random(3);
  std::size_t near = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const LinearSystem system = random_system(random);
    const std::vector<double> x = inner_point(system, 1e-3, 2000, {});
    CHECK(x.size() == system.n_cells());
    CHECK(within_limits(system, x));
    near += worst_row(system, x) <= .01;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!system.is_fixed(i)) CHECK(x[i] > static_cast<double>(system.lower[i]));
  }
  CHECK(near >= 1980);
}

// The middle, where rows say nothing else: no cell is at a limit because it came first.
TEST(middle) {
  LinearSystem system;
  system.lower.assign(4, 0);
  system.upper.assign(4, 10);
  add_row(system, {0, 1, 2, 3}, {1, 1, 1, 1}, 20, 20);
  for (const double x : inner_point(system, 1e-9, 10, {})) CHECK(x == 5);
  system.row_lower[0] = system.row_upper[0] = 4;
  for (const double x : inner_point(system, 1e-9, 100, {})) CHECK(std::fabs(x - 1) < 1e-6);
}

// The end after so many rounds, also where no point is near all rows; a cell that may be anything.
TEST(nothing_inside) {
  LinearSystem system;
  system.lower.assign(2, 0);
  system.upper.assign(2, 3);
  add_row(system, {0, 1}, {1, 1}, 9, 9);
  std::size_t calls = 0;
  const std::vector<double> x = inner_point(system, 1e-9, 7, [&](double) { ++calls; });
  CHECK(calls == 7);
  CHECK(within_limits(system, x));
  system.lower[1] = -kNoLimit;
  system.upper[1] = kNoLimit;
  CHECK(worst_row(system, inner_point(system, 1e-6, 100, {})) < 1e-3);
  CHECK(inner_point(LinearSystem{}, 1e-9, 7, {}).empty());
}

}  // namespace
