// Fitting: closed forms, sums, fixed cells, and limits.
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "linear/rake.hpp"

using namespace sdclattice;

namespace {

void add_row(LinearSystem& system, const std::vector<std::uint32_t>& cells, std::int64_t sum) {
  for (const std::uint32_t c : cells) {
    system.cell.push_back(c);
    system.coefficient.push_back(1);
  }
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(sum);
  system.row_upper.push_back(sum);
}

// A two-way table with both margins.
LinearSystem two_way(const std::vector<std::vector<std::int64_t>>& t) {
  const auto m = static_cast<std::uint32_t>(t.size()), n = static_cast<std::uint32_t>(t[0].size());
  LinearSystem out;
  out.lower.assign(m * n, 0);
  out.upper.assign(m * n, kNoLimit);
  for (std::uint32_t i = 0; i < m; ++i) {
    std::vector<std::uint32_t> cells;
    std::int64_t sum = 0;
    for (std::uint32_t j = 0; j < n; ++j) cells.push_back(i * n + j), sum += t[i][j];
    add_row(out, cells, sum);
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    std::vector<std::uint32_t> cells;
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < m; ++i) cells.push_back(i * n + j), sum += t[i][j];
    add_row(out, cells, sum);
  }
  return out;
}

bool near(double a, double b) {
  return std::fabs(a - b) < 1e-6 * (1 + std::fabs(b));
}

TEST(fitted_margins) {
  PublicRandom random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t m = 1 + random.below(4), n = 1 + random.below(4);
    std::vector<std::vector<std::int64_t>> t(m, std::vector<std::int64_t>(n));
    double total = 0;
    for (auto& row : t)
      for (auto& x : row)
        total += static_cast<double>(x = static_cast<std::int64_t>(random.below(9)));
    LinearSystem system = two_way(t);
    const RakedTable fit = rake(system, std::vector<double>(m * n, 1), 1e-10, 10000, {});
    CHECK(fit.gap <= 1e-10);
    // independence: row sum times column sum over the total
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double expected = total == 0
                                    ? 0
                                    : static_cast<double>(system.row_lower[i]) *
                                          static_cast<double>(system.row_lower[m + j]) / total;
        CHECK(near(fit.value[i * n + j], expected));
      }
    // a fixed cell keeps its count, and the sums are still right
    system.lower[0] = system.upper[0] = t[0][0];
    const RakedTable held = rake(system, std::vector<double>(m * n, 1), 1e-9, 100000, {});
    CHECK(held.value[0] == static_cast<double>(t[0][0]));
    for (std::size_t r = 0; r < system.n_rows(); ++r) {
      double sum = 0;
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
        sum += held.value[system.cell[e]];
      CHECK(std::fabs(sum - static_cast<double>(system.row_lower[r])) <= held.gap + 1e-9);
    }
  }
}

TEST(limits) {
  LinearSystem interval;
  interval.lower.assign(2, 0);
  interval.upper = {3, kNoLimit};
  add_row(interval, {0, 1}, 4);
  interval.row_upper[0] = 10;
  const RakedTable inside = rake(interval, {5, 6}, 1e-9, 100, {});
  CHECK(inside.value[0] == 3 && inside.value[1] == 6 && inside.rounds == 1);
  CHECK_THROWS(InputError, rake(interval, {1}, 1e-9, 100, {}));
  interval.coefficient[0] = -1;
  CHECK_THROWS(InputError, rake(interval, {1, 1}, 1e-9, 100, {}));
}

}  // namespace
