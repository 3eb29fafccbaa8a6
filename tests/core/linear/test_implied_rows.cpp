// Combinations of equations against ranks of dense matrices, and sums by hand.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/implied_rows.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

Equations equations(const std::vector<Whole>& rows, const Whole& sums) {
  Equations out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      if (rows[r][i] != 0) {
        out.unknown.push_back(static_cast<std::uint32_t>(i));
        out.coefficient.push_back(rows[r][i]);
      }
    out.start.push_back(out.unknown.size());
    out.sum.push_back(sums[r]);
  }
  return out;
}

// By fractions without division; entries of small matrices stay small.
std::size_t rank(std::vector<Whole> rows) {
  std::size_t out = 0;
  const std::size_t n = rows.empty() ? 0 : rows[0].size();
  for (std::size_t j = 0; j < n && out < rows.size(); ++j) {
    std::size_t k = out;
    while (k < rows.size() && rows[k][j] == 0) ++k;
    if (k == rows.size()) continue;
    std::swap(rows[out], rows[k]);
    for (k = out + 1; k < rows.size(); ++k) {
      const std::int64_t a = rows[out][j], b = rows[k][j];
      for (std::size_t i = 0; i < n; ++i) rows[k][i] = rows[k][i] * a - rows[out][i] * b;
    }
    ++out;
  }
  return out;
}

}  // namespace

TEST(numbers_modulo_the_prime) {
  CHECK_EQ(Modulo::of(-1), Modulo::kPrime - 1);
  CHECK_EQ(Modulo::of(INT64_MIN), Modulo::kPrime - 4);  // 2^63 = 4 * 2^61
  CHECK_EQ(Modulo::difference(2, 5), Modulo::kPrime - 3);
  CHECK_EQ(Modulo::product(Modulo::kPrime - 1, Modulo::kPrime - 1), 1);
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    const std::uint64_t a = 1 + dice.word() % (Modulo::kPrime - 1);
    CHECK_EQ(Modulo::product(a, Modulo::inverse(a)), 1);
  }
}

TEST(rows_that_stay_have_full_rank) {
  Dice dice(2);
  int implied = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t m = 1 + static_cast<std::size_t>(dice.below(6)),
                      n = 1 + static_cast<std::size_t>(dice.below(6));
    std::vector<Whole> rows;
    Whole sums, x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(dice.below(5));
    for (std::size_t r = 0; r < m; ++r) {
      rows.emplace_back(n, 0);
      for (std::int64_t& a : rows.back()) a = dice.below(2) * dice.between(-2, 2);
      rows.back()[static_cast<std::size_t>(dice.below(static_cast<int>(n)))] = 1;
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += rows.back()[i] * x[i];
      sums.push_back(sum);
    }
    const Equations system = equations(rows, sums);
    Combinations combinations(system, n);
    combinations.find();
    std::vector<Whole> kept;
    for (std::size_t r = 0; r < m; ++r)
      if (!combinations.is_implied(r)) kept.push_back(rows[r]);
    CHECK_EQ(rank(kept), kept.size());
    CHECK_EQ(kept.size(), rank(rows));
    implied += kept.size() < m;
    for (std::size_t r = 0; r < m; ++r) {
      if (!combinations.is_implied(r)) continue;
      std::vector<Combinations::Entry> row;
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
        row.push_back({system.unknown[e], system.coefficient[e]});
      CHECK_EQ(combinations.sum_of(row), Modulo::of(sums[r]));
    }
  }
  CHECK(implied > 500);
}

TEST(short_rows_stay) {
  // x + y + z + w = 7 follows from the two pairs, wherever it stands.
  const Equations system = equations({{1, 1, 1, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}}, {7, 3, 4});
  Combinations combinations(system, 4);
  combinations.find();
  CHECK(combinations.is_implied(0));
  CHECK(!combinations.is_implied(1) && !combinations.is_implied(2));
}

TEST(work_has_a_limit) {
  // A two-way table with all its sums: four rows, one of which follows, and the total, which does.
  const Equations system = equations(
      {{1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}}, {3, 4, 5, 2, 7});
  const auto n_implied = [&](std::size_t max_terms) {
    Combinations combinations(system, 4);
    combinations.find(max_terms);
    std::size_t out = 0;
    for (std::size_t r = 0; r < system.n_rows(); ++r) out += combinations.is_implied(r);
    return out;
  };
  CHECK_EQ(n_implied(1000), 2);
  CHECK(n_implied(0) < 2);
}

TEST(sums_that_contradict) {
  const Equations system = equations({{1, 1, 1, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}}, {8, 3, 4});
  Combinations combinations(system, 4);
  CHECK_THROWS(InfeasibleError, combinations.find());
}
