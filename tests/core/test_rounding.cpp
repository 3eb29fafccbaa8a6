// Controlled rounding: exact expectation over all coins, additivity, zero restriction, optimality.
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <set>

#include "check.hpp"
#include "core/circulation.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "core/rounding.hpp"
#include "core/rounding_nearest.hpp"

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
