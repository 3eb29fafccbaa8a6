// Controlled rounding: exact expectation over all coins, additivity, zero restriction, optimality.
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "linear/circulation.hpp"
#include "round/rounding.hpp"
#include "round/rounding_nearest.hpp"
#include "round/rounding_posterior.hpp"

using namespace sdclattice;
using Fraction = boost::multiprecision::cpp_rational;
using Values = std::vector<std::int64_t>;

namespace {

// Cells column by column, the rows as first family and the columns as second.
Circulation two_way(const Values& cells, std::size_t rows) {
  Partition row, column;
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    row.push_back(static_cast<std::uint32_t>(i % rows + 1));
    column.push_back(static_cast<std::uint32_t>(i / rows + 1));
  }
  return make_circulation(cells, {row}, {column});
}

// Rows in pairs below each column: the sums of a two-way table with a tree over its rows.
Circulation with_tree(const Values& cells, std::size_t rows) {
  Partition row, pair, column, pair_by_column;
  for (std::uint32_t i = 0; i < cells.size(); ++i) {
    const auto r = static_cast<std::uint32_t>(i % rows), c = static_cast<std::uint32_t>(i / rows);
    row.push_back(r + 1);
    pair.push_back(r / 2 + 1);
    column.push_back(c + 1);
    pair_by_column.push_back(static_cast<std::uint32_t>(c * rows + r / 2 + 1));
  }
  return make_circulation(cells, {pair, row}, {column, pair_by_column});
}

Values random_cells(PublicRandom& random, std::size_t n, std::size_t most) {
  Values out;
  for (std::size_t i = 0; i < n; ++i) {
    const bool zero = random.below(4) == 0;
    out.push_back(zero ? 0 : static_cast<std::int64_t>(random.below(most + 1)));
  }
  return out;
}

const Values kRoehrig{15, 20, 3, 12, 1, 10, 10, 14, 3, 10, 10, 7, 1, 15, 2, 2};

bool is_rounding(const Circulation& x, std::int64_t base, const Values& rounded) {
  Circulation copy = x;
  copy.load(Values(rounded.begin(), rounded.begin() + static_cast<std::ptrdiff_t>(x.n_cells)));
  if (copy.value != rounded) return false;
  for (std::size_t e = 0; e < rounded.size(); ++e) {
    const std::int64_t low = x.value[e] / base * base;
    const std::int64_t high = x.value[e] == low ? low : low + base;
    if (rounded[e] != low && rounded[e] != high) return false;
  }
  return true;
}

// All roundings by trying both multiples in every cell.
void all_roundings(const Circulation& x, std::int64_t base, std::size_t i, Circulation& now,
                   std::set<Values>& out) {
  if (i == x.n_cells) {
    now.load(Values(now.value.begin(), now.value.begin() + static_cast<std::ptrdiff_t>(i)));
    if (is_rounding(x, base, now.value)) out.insert(now.value);
    return;
  }
  const std::int64_t low = x.value[i] / base * base;
  now.value[i] = low;
  all_roundings(x, base, i + 1, now, out);
  if (x.value[i] == low) return;
  now.value[i] = low + base;
  all_roundings(x, base, i + 1, now, out);
}

std::set<Values> all_roundings(const Circulation& x, std::int64_t base) {
  std::set<Values> out;
  Circulation now = x;
  all_roundings(x, base, 0, now, out);
  return out;
}

// Each outcome of the coins with its exact probability.
std::map<Values, Fraction> law(const Circulation& x, std::int64_t base) {
  std::map<Values, Fraction> out;
  each_outcome<Fraction>(ResidueWalk(x, base), Fraction(1),
                         [&](const Values& residues, const Fraction& p) {
                           Values rounded = x.value;
                           for (std::size_t e = 0; e < rounded.size(); ++e)
                             rounded[e] += residues[e] - rounded[e] % base;
                           out[rounded] += p;
                         });
  return out;
}

void check_law(const Circulation& x, std::int64_t base) {
  std::vector<Fraction> mean(x.n_edges());
  Fraction total = 0;
  bool all_good = true, same = true;
  for (const auto& [rounded, p] : law(x, base)) {
    all_good = all_good && is_rounding(x, base, rounded);
    total += p;
    for (std::size_t e = 0; e < rounded.size(); ++e) mean[e] += p * rounded[e];
    const double found = rounding_probability(x, base, rounded, 1000000);
    same = same && std::fabs(found - p.convert_to<double>()) < 1e-12;
  }
  CHECK(all_good);
  CHECK(same);
  CHECK(total == 1);
  CHECK(std::vector<Fraction>(x.value.begin(), x.value.end()) == mean);
}

}  // namespace

TEST(expectation_is_exactly_the_original) {
  PublicRandom random(7);
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t rows = 1 + random.below(3), columns = 1 + random.below(3);
    const auto base = static_cast<std::int64_t>(1 + random.below(6));
    check_law(two_way(random_cells(random, rows * columns, 20), rows), base);
  }
  for (int trial = 0; trial < 40; ++trial)
    check_law(with_tree(random_cells(random, 8, 12), 4),
              static_cast<std::int64_t>(2 + random.below(4)));
}

TEST(a_single_cell_and_no_cell) {
  check_law(two_way({7}, 1), 5);
  check_law(two_way({}, 1), 5);
  check_law(make_circulation({4, 4, 3}, {}, {}), 3);
}

TEST(roehrig_has_64_roundings) {
  const Circulation x = two_way(kRoehrig, 4);
  const std::set<Values> all = all_roundings(x, 3);
  CHECK_EQ(all.size(), 64U);
  std::set<Values> support;
  Fraction total = 0;
  for (const auto& [rounded, p] : law(x, 3)) {
    support.insert(rounded);
    total += p;
  }
  CHECK(total == 1);
  CHECK_EQ(support.size(), 32U);
  CHECK(std::includes(all.begin(), all.end(), support.begin(), support.end()));
}

namespace {

// The distance that is made least first and then, and the cells themselves.
using Badness = std::pair<std::pair<std::int64_t, std::int64_t>, Values>;

Badness badness(const Circulation& x, const Values& rounded, RoundingAim aim) {
  std::int64_t cells = 0, sums = 0;
  for (std::size_t e = 0; e < rounded.size(); ++e)
    (e < x.n_cells ? cells : sums) += std::abs(rounded[e] - x.value[e]);
  Values order(rounded.begin(), rounded.begin() + static_cast<std::ptrdiff_t>(x.n_cells));
  if (aim == RoundingAim::cells) return {{cells, sums}, order};
  return {{cells + sums, cells}, order};
}

void check_nearest(const Circulation& x, std::int64_t base) {
  for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all}) {
    const Values found = round_nearest(x, base, aim, {});
    CHECK(is_rounding(x, base, found));
    Badness best = badness(x, found, aim);
    for (const Values& other : all_roundings(x, base))
      best = std::min(best, badness(x, other, aim));
    CHECK(best == badness(x, found, aim));
  }
}

}  // namespace

TEST(nearest_is_least_and_ties_go_down) {
  PublicRandom random(8);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t rows = 1 + random.below(4), columns = 1 + random.below(3);
    const auto base = static_cast<std::int64_t>(1 + random.below(6));
    check_nearest(two_way(random_cells(random, rows * columns, 12), rows), base);
  }
  for (int trial = 0; trial < 100; ++trial)
    check_nearest(with_tree(random_cells(random, 12, 9), 4),
                  static_cast<std::int64_t>(2 + random.below(4)));
  check_nearest(two_way(kRoehrig, 4), 3);
}

TEST(large_tables_round_both_ways) {
  PublicRandom random(9);
  for (const std::int64_t base : {2, 3, 5, 1000}) {
    const Circulation x = two_way(random_cells(random, 60 * 40, 4000), 60);
    PublicRandom coins(11);
    CHECK(is_rounding(x, base, round_randomly(x, base, [&] { return coins(); }, {})));
    for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all})
      CHECK(is_rounding(x, base, round_nearest(x, base, aim, {})));
  }
}

namespace {

// The intervals around a rounded 2 x 2 table and its sums.
LinearSystem around(const Values& rounded, std::int64_t base) {
  LinearSystem out;
  const auto row = [&](const std::vector<std::uint32_t>& cells) {
    std::int64_t sum = 0;
    for (const std::uint32_t i : cells) {
      out.cell.push_back(i);
      out.coefficient.push_back(1);
      sum += rounded[i];
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(sum - base + 1);
    out.row_upper.push_back(sum + base - 1);
  };
  for (const std::int64_t r : rounded) {
    out.lower.push_back(std::max<std::int64_t>(0, r - base + 1));
    out.upper.push_back(r + base - 1);
  }
  row({0, 1});
  row({2, 3});
  row({0, 2});
  row({1, 3});
  row({0, 1, 2, 3});
  return out;
}

CellWeights even_weights(const LinearSystem& system) {
  CellWeights out;
  out.start.push_back(0);
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    const auto width = static_cast<std::size_t>(system.upper[i] - system.lower[i] + 1);
    out.weight.resize(out.weight.size() + width, 1.0);
    out.start.push_back(out.weight.size());
  }
  return out;
}

// The same sums by four loops and all outcomes of the coins.
std::vector<double> slow_sums(const LinearSystem& system, const CellWeights& weights,
                              const Values& rounded, std::int64_t base, bool procedure) {
  std::vector<double> out(weights.weight.size(), 0);
  Values t(4);
  for (t[0] = system.lower[0]; t[0] <= system.upper[0]; ++t[0])
    for (t[1] = system.lower[1]; t[1] <= system.upper[1]; ++t[1])
      for (t[2] = system.lower[2]; t[2] <= system.upper[2]; ++t[2])
        for (t[3] = system.lower[3]; t[3] <= system.upper[3]; ++t[3]) {
          if (!satisfies(system, t)) continue;
          double p = procedure ? 0 : 1;
          if (procedure)
            for (const auto& [found, q] : law(two_way(t, 2), base))
              if (std::equal(rounded.begin(), rounded.end(), found.begin()))
                p += q.convert_to<double>();
          for (std::size_t i = 0; i < 4; ++i)
            out[weights.start[i] + static_cast<std::size_t>(t[i] - system.lower[i])] += p;
        }
  return out;
}

bool near(const std::vector<double>& a, const std::vector<double>& b, double by) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > by) return false;
  return a.size() == b.size();
}

}  // namespace

TEST(sums_over_originals) {
  for (const std::int64_t base : {2, 3}) {
    const Values rounded{base, 0, 2 * base, base};
    const LinearSystem system = around(rounded, base);
    const CellWeights even = even_weights(system);
    for (const bool procedure : {true, false}) {
      const TableLikelihood likelihood =
          procedure ? procedure_likelihood(two_way(rounded, 2), base, rounded, 100000)
                    : TableLikelihood([](const Values&) { return 1.0; });
      const RoundingLaw exact = sum_over_tables(system, even, likelihood, 100000, {});
      CHECK(near(exact.sums, slow_sums(system, even, rounded, base, procedure), 1e-9));
      CHECK(exact.n_tables <= exact.n_compatible);
      const SampledLaws drawn =
          sample_rounding_laws(system, even, even, likelihood, 4, 20000, 5, {});
      std::vector<double> mean(exact.sums.size(), 0);
      for (const RoundingLaw& batch : drawn.batch)
        for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += batch.sums[k] / 80000;
      CHECK(near(mean, exact.sums, exact.total / 50));
      CHECK_THROWS(TooLargeError, sum_over_tables(system, even, likelihood, 3, {}));
    }
  }
}

TEST(nearest_likelihood_is_one_or_zero) {
  const Values x{4, 1, 2, 7};
  const Values rounded = round_nearest(two_way(x, 2), 3, RoundingAim::cells, {});
  const Values cells(rounded.begin(), rounded.begin() + 4);
  const TableLikelihood likelihood =
      nearest_likelihood(two_way(cells, 2), 3, cells, RoundingAim::cells);
  CHECK_EQ(likelihood(x), 1.0);
  CHECK_EQ(likelihood({40, 1, 2, 7}), 0.0);
}

TEST(coins_are_fair_and_limits_hold) {
  PublicRandom random(12);
  int heads = 0;
  for (int i = 0; i < 30000; ++i) heads += draw_coin(1, 3, [&] { return random(); });
  CHECK(std::abs(heads - 10000) < 400);
  // Words below 2^64 mod 3 = 1 are drawn again.
  std::uint64_t next = 0;
  CHECK(!draw_coin(1, 3, [&] { return next++; }));
  CHECK_EQ(next, 2U);
  CHECK_THROWS(
      TooLargeError,
      rounding_probability(two_way(kRoehrig, 4), 3,
                           round_nearest(two_way(kRoehrig, 4), 3, RoundingAim::cells, {}), 1));
  CHECK_THROWS(InputError, make_circulation({1, 2, 3}, {{1, 1, 2}, {1, 2, 2}}, {}));
}
