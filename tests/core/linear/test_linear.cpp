// Constraints: narrowing loses no table, parts multiply, sums name their cells.
#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "check.hpp"
#include "linear/linear.hpp"
#include "sets/groups.hpp"

using namespace sdclattice;

namespace {

// A whole number from 0 to n - 1.
std::int64_t below(PublicRandom& random, std::int64_t n) {
  return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(n)));
}

// A few cells of at most `most`, a few rows with coefficients of both signs, made feasible half of
// the time by taking the limits of rows from a random x.
LinearSystem random_system(PublicRandom& random, std::size_t n, std::size_t rows,
                           std::int64_t most) {
  LinearSystem out;
  std::vector<std::int64_t> x;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t a = below(random, most + 1), b = below(random, most + 1);
    out.lower.push_back(std::min(a, b));
    out.upper.push_back(std::max(a, b));
    x.push_back(out.lower.back() + below(random, out.upper.back() - out.lower.back() + 1));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (below(random, 2) == 0) continue;
      const std::int64_t c = below(random, 3) == 0 ? -(1 + below(random, 2)) : 1 + below(random, 2);
      out.cell.push_back(i);
      out.coefficient.push_back(c);
      sum += c * x[i];
    }
    if (out.cell.size() == out.start.back()) continue;
    out.start.push_back(out.cell.size());
    if (below(random, 8) == 0) sum += below(random, 9) - 4;
    out.row_lower.push_back(below(random, 6) == 0 ? -kNoLimit : sum - below(random, 2));
    out.row_upper.push_back(below(random, 6) == 0 ? kNoLimit : sum + below(random, 2));
  }
  return out;
}

void all_solutions(const LinearSystem& system, std::vector<std::int64_t>& x,
                   std::vector<std::vector<std::int64_t>>& out) {
  if (x.size() == system.n_cells()) {
    if (satisfies(system, x)) out.push_back(x);
    return;
  }
  const std::size_t i = x.size();
  for (std::int64_t v = system.lower[i]; v <= system.upper[i]; ++v) {
    x.push_back(v);
    all_solutions(system, x, out);
    x.pop_back();
  }
}

std::vector<std::vector<std::int64_t>> all_solutions(const LinearSystem& system) {
  std::vector<std::int64_t> x;
  std::vector<std::vector<std::int64_t>> out;
  all_solutions(system, x, out);
  return out;
}

}  // namespace

TEST(tightening_loses_no_solution) {
  PublicRandom random(5);
  for (int trial = 0; trial < 600; ++trial) {
    const LinearSystem system =
        random_system(random, 1 + static_cast<std::size_t>(below(random, 5)),
                      static_cast<std::size_t>(below(random, 5)), 3);
    const auto before = all_solutions(system);
    LinearSystem tight = system, once = system;
    const bool possible = tighten(tight, {}), possible_once = tighten_once(once);
    if (!before.empty()) CHECK(possible && possible_once);
    if (!possible) {
      CHECK(before.empty());
      continue;
    }
    CHECK_EQ(all_solutions(tight).size(), before.size());
    if (possible_once) {
      CHECK_EQ(all_solutions(once).size(), before.size());
      for (std::size_t i = 0; i < system.n_cells(); ++i)
        CHECK(tight.lower[i] >= once.lower[i] && tight.upper[i] <= once.upper[i]);
    }
    LinearSystem again = tight;
    CHECK(tighten(again, {}));
    CHECK_EQ(again.lower, tight.lower);
    CHECK_EQ(again.upper, tight.upper);
  }
}

TEST(parts_multiply) {
  PublicRandom random(6);
  for (int trial = 0; trial < 400; ++trial) {
    LinearSystem system = random_system(random, 6, 3, 2);
    if (!tighten(system, {})) continue;
    const auto groups = components(system);
    std::set<std::uint32_t> seen;
    std::size_t product = 1;
    for (const auto& group : groups) {
      CHECK(std::is_sorted(group.begin(), group.end()));
      for (std::uint32_t i : group) CHECK(seen.insert(i).second && !system.is_fixed(i));
    }
    for (const LinearSystem& part : split(system, groups)) product *= all_solutions(part).size();
    std::vector<std::int64_t> fixed = system.lower;
    if (groups.empty()) product = satisfies(system, fixed) ? 1 : 0;
    CHECK_EQ(product, all_solutions(system).size());
  }
}

TEST(cells_without_limit_are_limited_by_rows) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {kNoLimit, kNoLimit, kNoLimit};
  system.cell = {0, 1};
  system.coefficient = {1, 2};
  system.start = {0, 2};
  system.row_lower = {7};
  system.row_upper = {9};
  CHECK(tighten(system, {}));
  CHECK_EQ(system.upper, (std::vector<std::int64_t>{9, 4, kNoLimit}));
  CHECK_EQ(system.lower, (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(limits_that_creep_without_end_stop) {
  // x >= y + 1 and y >= x + 1 has no solution, which no finite number of visits shows.
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {kNoLimit, kNoLimit};
  system.cell = {0, 1, 0, 1};
  system.coefficient = {1, -1, -1, 1};
  system.start = {0, 2, 4};
  system.row_lower = {1, 1};
  system.row_upper = {kNoLimit, kNoLimit};
  CHECK(tighten(system, {}));
  CHECK(system.lower[0] > 100);
}

TEST(groups_name_their_cells) {
  // two variables with three and two levels, a total over the first two levels of the first
  std::vector<LabelledVariable> variables(2);
  variables[0] = {3, {{0}, {1}, {2}, {0, 1}}, {3, kAllLevels, 2}};
  variables[1] = {2, {{0}, {1}}, {1, 0, kAllLevels}};
  const GroupSums sums = expand_groups(variables, 3);
  CHECK_EQ(sums.start, (std::vector<std::size_t>{0, 2, 5, 7}));
  CHECK_EQ(sums.cell, (std::vector<std::uint32_t>{3, 4, 0, 1, 2, 2, 5}));
  CHECK_EQ(expand_groups({}, 1).cell, (std::vector<std::uint32_t>{0}));
}
