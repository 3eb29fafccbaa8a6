// The fibre of random small systems against brute force, published numbers, and the methods against
// one another.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "check.hpp"
#include "fibre/fibre.hpp"
#include "fibre/fibre_systems.hpp"
#include "fibre/residue.hpp"
#include "fibre/twoway.hpp"

using namespace sdclattice;
using namespace fibre_systems;

namespace {

const Tick silent;

std::string count_by(const LinearSystem& system, FibreMethod method) {
  return Fibre(system, {method, {}}, silent).count(silent).str();
}

std::vector<std::uint32_t> all_cells(const LinearSystem& system) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < system.n_cells(); ++i) out.push_back(i);
  return out;
}

bool same_laws(const std::vector<CellLaw>& laws, const std::vector<Values>& all) {
  for (std::size_t i = 0; i < laws.size(); ++i) {
    std::map<std::int64_t, std::size_t> found;
    for (const Values& x : all) ++found[x[i]];
    for (std::size_t k = 0; k < laws[i].ways.size(); ++k) {
      const auto at = found.find(laws[i].low + static_cast<std::int64_t>(k));
      const std::size_t n = at == found.end() ? 0 : at->second;
      if (laws[i].ways[k] != n) return false;
      if (at != found.end()) found.erase(at);
    }
    if (!found.empty()) return false;
  }
  return true;
}

void compare(const LinearSystem& system, FibreMethod method, unsigned seed) {
  const std::vector<Values> all = brute_force(system);
  Fibre fibre(system, {method, {}}, silent);
  CHECK_EQ(fibre.count(silent, 1 + seed % 3).str(), std::to_string(all.size()));
  PublicRandom random(seed);
  if (all.empty()) {
    CHECK_THROWS(InfeasibleError, fibre.draws(1, random, silent));
    CHECK_THROWS(InfeasibleError, fibre.laws({0}, silent));
    CHECK_EQ(fibre.enumerate(10, silent).size(), 0u);
    return;
  }
  CHECK(same_laws(fibre.laws(all_cells(system), silent), all));
  const Values draws = fibre.draws(4, random, silent);
  for (std::size_t d = 0; d < 4; ++d)
    CHECK(satisfies(
        system, Values(draws.begin() + static_cast<std::ptrdiff_t>(d * system.n_cells()),
                       draws.begin() + static_cast<std::ptrdiff_t>((d + 1) * system.n_cells()))));
  Values flat;
  for (const Values& x : all) flat.insert(flat.end(), x.begin(), x.end());
  CHECK(fibre.enumerate(all.size(), silent) == flat);
}

TwoWayTable open_table(const Values& row, const Values& column) {
  TwoWayTable out{row, column, {}};
  for (std::uint32_t i = 0; i < row.size(); ++i)
    for (std::uint32_t j = 0; j < column.size(); ++j) out.cell.push_back({i, j, INT64_MAX / 8});
  return out;
}

}  // namespace

// 10 x 10 with all sums 10: OEIS A110058 (McKay 2005). Too many states for any programme that
// carries the columns one by one.
TEST(many_columns_with_small_sums) {
  const LinearSystem even = two_way(10, 10, Values(10, 10), Values(10, 10));
  for (const FibreMethod method : {FibreMethod::automatic, FibreMethod::two_way}) {
    Fibre fibre(even, {method, {}}, silent);
    CHECK(fibre.most_steps() < 1e10);
    CHECK_EQ(fibre.count(silent).str(), std::string("66880713903767740581650957184096513655153"));
    CHECK(fibre.method_of(0) == FibreMethod::two_way);
  }
  CHECK_THROWS(TooLargeError,
               Fibre(even, {FibreMethod::two_way, {5e7, 1e6}}, silent).count(silent));
}

TEST(published_counts_of_margins) {
  const LinearSystem slides = two_way(4, 4, {20, 55, 25, 35}, {50, 35, 30, 20});
  for (FibreMethod method : {FibreMethod::automatic, FibreMethod::two_way, FibreMethod::polynomial})
    CHECK_EQ(count_by(slides, method), std::string("18272363056"));
  const LinearSystem literature = two_way(4, 4, {220, 215, 93, 64}, {108, 286, 71, 127});
  CHECK_EQ(count_by(literature, FibreMethod::automatic), std::string("1225914276768514"));
}

TEST(published_counts_of_roundings) {
  const std::map<std::string, Values> cases = {
      {"1025908683", {15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0}},
      {"1181720787", {15, 0, 3, 3, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0}},
      {"1849846153", {15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 12, 6, 3}},
      {"576598396", {15, 0, 3, 0, 21, 9, 12, 15, 3, 12, 9, 3, 12, 15, 6, 0}},
      {"679283937", {15, 0, 3, 3, 21, 9, 12, 15, 3, 12, 9, 0, 12, 15, 6, 0}}};
  for (const auto& [count, rounded] : cases) {
    CHECK_EQ(count_by(within(4, rounded, 2), FibreMethod::automatic), count);
    CHECK_EQ(count_by(within(4, rounded, 2), FibreMethod::two_way), count);
  }
}

TEST(published_count_of_koch_rates) {
  // The rates of each row fix its counts up to a factor, and nobody is left out; 193 in all.
  const std::vector<Values> rates = {{3, 20, 5},  {11, 14, 8}, {3, 14, 12}, {6, 13, 5},
                                     {12, 12, 0}, {11, 10, 0}, {3, 9, 4},   {6, 9, 3}};
  LinearSystem system;
  std::vector<std::uint32_t> all;
  std::uint32_t next = 0;
  for (const Values& rate : rates) {
    std::vector<std::uint32_t> cells;
    std::int64_t sum = 0, common = 0;
    for (std::int64_t a : rate) common = std::gcd(common, a);
    for (std::int64_t a : rate) {
      cells.push_back(next++);
      sum += a / common;
    }
    system.lower.resize(next, 0);
    system.upper.resize(next, 193);
    for (std::size_t j = 0; j < rate.size(); ++j) {
      std::vector<std::uint32_t> of = cells;
      Values coefficient(rate.size(), -rate[j] / common);
      coefficient[j] += sum;
      if (rate[j] == 0) of.assign(1, cells[j]), coefficient.assign(1, 1);
      add_row(system, of, coefficient, 0, 0);
    }
    add_sum(system, cells, 1, 193);
    all.insert(all.end(), cells.begin(), cells.end());
  }
  add_sum(system, all, 193, 193);
  CHECK_EQ(count_by(system, FibreMethod::automatic), std::string("15"));
}

TEST(large_counts_take_residues) {
  const Values even(4, 100000000);
  Fibre fibre(two_way(4, 4, even, even), {}, silent);
  CHECK_EQ(fibre.count(silent).str(),
           std::string("970017811287492028219361552048755732352398595258730218888889250000001"));
  CHECK(fibre.method_of(0) == FibreMethod::polynomial);
  PublicRandom random(1);
  const Values draws = fibre.draws(2, random, silent);
  CHECK(satisfies(two_way(4, 4, even, even), Values(draws.begin(), draws.begin() + 16)));
  CHECK_THROWS(TooLargeError, fibre.laws({0}, silent));
}

TEST(systems_against_brute_force) {
  Dice dice(7);
  for (unsigned k = 0; k < 160; ++k) {
    const LinearSystem system = k % 4 == 0   ? random_general(dice)
                                : k % 4 == 1 ? random_two_way(dice)
                                             : random_three_way(dice, k % 4 == 2);
    if (system.n_cells() == 8 && k % 8 > 4) continue;
    compare(system, FibreMethod::automatic, k);
    compare(system, FibreMethod::diagram, k);
    if (k % 4 != 1) continue;
    try {
      compare(system, FibreMethod::two_way, k);
    } catch (const InputError&) {
      CHECK(false);
    }
  }
}

TEST(residues_against_the_programme) {
  Dice dice(5);
  for (int k = 0; k < 300; ++k) {
    TwoWayTable table;
    const int m = 1 + dice.below(4), n = 1 + dice.below(4);
    table.row.assign(static_cast<std::size_t>(m), 0);
    table.column.assign(static_cast<std::size_t>(n), 0);
    for (std::uint32_t i = 0; i < table.row.size(); ++i)
      for (std::uint32_t j = 0; j < table.column.size(); ++j) {
        if (k % 2 == 1 && dice.below(4) == 0) continue;  // a hole
        const int x = dice.below(4);
        table.row[i] += x;
        table.column[j] += x;
        table.cell.push_back({i, j, 1000});
      }
    if (table.cell.empty()) continue;
    const auto a = make_two_way(table, plan_two_way(table), table.cell.size(), {});
    const auto b = make_residues(table, table.cell.size(), {});
    CHECK_EQ(a->count(silent).str(), b->count(silent).str());
    if (k % 10 != 0) continue;
    std::vector<std::uint32_t> cells;
    for (std::uint32_t c = 0; c < table.cell.size(); ++c) cells.push_back(c);
    CHECK(a->laws(cells, silent) == b->laws(cells, silent));
  }
}

TEST(wide_numbers_of_the_programme) {
  // The bounds of the counts choose numbers of 64 to 512 bits.
  const TwoWayTable table = open_table({30, 40, 50, 60, 45}, {75, 75, 75});
  CHECK_EQ(make_two_way(table, plan_two_way(table), 15, {})->count(silent).str(),
           make_residues(table, 15, {})->count(silent).str());
  for (std::size_t m : {12u, 25u, 50u, 100u}) {
    // m rows of sum 4 over 3 columns, and the laws of one cell add up to the count.
    const Values row(m, 4), column{static_cast<std::int64_t>(4 * m - 6), 3, 3};
    const TwoWayTable tall = open_table(row, column);
    const auto part = make_two_way(tall, plan_two_way(tall), tall.cell.size(), {});
    const BigCount count = part->count(silent);
    BigCount sum = 0;
    const std::vector<CellWays> laws = part->laws({0}, silent);
    for (const BigCount& ways : laws[0]) sum += ways;
    CHECK(sum == count);
    CHECK(log2_of(count) <= log2_bound(tall));
  }
}

TEST(draws_are_uniform) {
  // Chi-square of draws over all tables of some fibres, at four standard deviations.
  Dice dice(11);
  for (int k = 0; k < 6; ++k) {
    const LinearSystem system = k < 2   ? two_way(3, 3, {3, 2, 2}, {2, 3, 2})
                                : k < 4 ? within(2, {1, 1, 2, 1}, 1)
                                        : random_three_way(dice, true);
    const FibreMethod method = k % 2 == 0 ? FibreMethod::automatic
                               : k == 1   ? FibreMethod::polynomial
                                          : FibreMethod::diagram;
    Fibre fibre(system, {method, {}}, silent);
    PublicRandom random(static_cast<std::uint64_t>(k));
    const auto n = static_cast<std::size_t>(check::cases(6000, 20000));
    const std::size_t cells = system.n_cells();
    const Values draws = fibre.draws(n, random, silent);
    std::map<Values, double> seen;
    for (std::size_t d = 0; d < n; ++d)
      ++seen[Values(draws.begin() + static_cast<std::ptrdiff_t>(d * cells),
                    draws.begin() + static_cast<std::ptrdiff_t>((d + 1) * cells))];
    const double tables = fibre.count(silent).convert_to<double>();
    double square = n * (tables - static_cast<double>(seen.size())) / tables;
    for (const auto& [table, times] : seen)
      square += (times - n / tables) * (times - n / tables) / (n / tables);
    CHECK(square - (tables - 1) < 4 * std::sqrt(2 * tables) + 1);
  }
}

TEST(estimates_are_near) {
  PublicRandom random(3);
  const Fibre slides(two_way(4, 4, {20, 55, 25, 35}, {50, 35, 30, 20}), {}, silent);
  const FibreEstimate found = slides.estimate(2000, random, silent);
  CHECK_NEAR(found.relative_error, 0, 0.1);
  CHECK(std::fabs(std::exp(found.log_count) / 18272363056.0 - 1) < 5 * found.relative_error);
  const Fibre rounded(within(4, {15, 3, 3, 0, 21, 9, 12, 15, 3, 9, 9, 3, 12, 15, 6, 0}, 2), {},
                      silent);
  const FibreEstimate about = rounded.estimate(2000, random, silent);
  CHECK(std::fabs(std::exp(about.log_count) / 1025908683.0 - 1) < 5 * about.relative_error);
  CHECK(about.relative_error < 0.1);
}

// Two-way tables side by side; one of them may have sums that no table has.
LinearSystem side_by_side(std::size_t n, std::size_t empty) {
  LinearSystem out;
  for (std::uint32_t t = 0; t < n; ++t) {
    const std::uint32_t at = 4 * t;
    out.lower.insert(out.lower.end(), 4, 0);
    out.upper.insert(out.upper.end(), 4, t == empty ? 1 : 9 + t);
    add_sum(out, {at, at + 1}, 3 + t, 3 + t);
    add_sum(out, {at + 2, at + 3}, 5, 5);
    add_sum(out, {at, at + 2}, 4, 4);
  }
  return out;
}

TEST(threads_count_parts) {
  for (std::size_t empty : {9, 2}) {
    const LinearSystem system = side_by_side(6, empty);
    Fibre one(system, {}, silent);
    const BigCount count = one.count(silent);
    CHECK_EQ(count == 0, empty == 2);
    for (std::size_t threads : {2, 3, 7}) {
      Fibre fibre(system, {}, silent);
      CHECK(fibre.count(silent, threads) == count);
      for (std::size_t p = 0; p < one.n_parts(); ++p) CHECK(fibre.method_of(p) == one.method_of(p));
    }
  }
  FibreOptions few;
  few.limits.states = few.limits.steps = 1;
  Fibre fibre(side_by_side(6, 9), few, silent);
  CHECK_THROWS(TooLargeError, fibre.count(silent, 3));
  Fibre stopped(side_by_side(6, 9), {}, silent);
  CHECK_THROWS(int, stopped.count([](double) { throw 7; }, 3));
}

TEST(what_cannot_be_counted) {
  LinearSystem open;
  open.lower = {0, 0};
  open.upper = {kNoLimit, 5};
  CHECK_THROWS(InputError, Fibre(open, {}, silent));
  FibreOptions small;
  small.limits.states = 10;
  small.limits.steps = 10;
  Fibre fibre(within(2, {10, 12, 20, 14}, 9), small, silent);
  CHECK_THROWS(TooLargeError, fibre.count(silent));
  Fibre some(two_way(2, 2, {3, 4}, {5, 2}), {}, silent);
  CHECK_THROWS(TooLargeError, some.enumerate(2, silent));
  CHECK_THROWS(InputError,
               Fibre(within(2, {1, 1, 2, 1}, 1), {FibreMethod::polynomial, {}}, silent));
  const LinearSystem none;
  CHECK_EQ(count_by(none, FibreMethod::automatic), std::string("1"));
}
