// Sets of sums, sharp bounds from rates and numbers of tables, against plain enumeration.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/error.hpp"
#include "base/sum_set.hpp"
#include "check.hpp"
#include "conditional/conditional.hpp"
#include "conditional/conditional_count.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

struct RateDice {
  std::mt19937_64 source{17};
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(source() % static_cast<std::uint64_t>(n));
  }
};

// Sums up to a limit, one by one.
struct PlainSums {
  std::set<std::int64_t> sums{0};
  std::int64_t limit;

  explicit PlainSums(std::int64_t most) : limit(most) {}
  void add_steps(const std::vector<std::int64_t>& steps) {
    std::set<std::int64_t> next;
    for (std::int64_t s : sums)
      for (std::int64_t step : steps)
        if (s + step <= limit) next.insert(s + step);
    sums = next;
  }
  void add_coin(std::int64_t coin) {
    for (std::int64_t s = 0; s + coin <= limit; ++s)
      if (sums.count(s)) sums.insert(s + coin);
  }
};

using Vectors = std::vector<std::vector<std::int64_t>>;

void list_cells(const RateRow& row, std::int64_t t, std::vector<std::int64_t>& cells,
                std::int64_t left, Vectors& out) {
  const std::size_t j = cells.size();
  if (j == row.n_cells) {
    if (left == 0) out.push_back(cells);
    return;
  }
  for (std::int64_t x = 0; x <= left; ++x) {
    if (row.scale * x < row.low[j] * t || row.scale * x > row.high[j] * t) continue;
    cells.push_back(x);
    list_cells(row, t, cells, left - x, out);
    cells.pop_back();
  }
}

// All tables, each as its cells row by row.
Vectors list_tables(const RateRows& rows, std::size_t r, std::int64_t n) {
  if (r == rows.size()) return n == 0 ? Vectors{{}} : Vectors{};
  const RateRow row{&rows.low[r * rows.n_cells], &rows.high[r * rows.n_cells], rows.n_cells,
                    rows.scale[r]};
  Vectors out;
  for (std::int64_t t = 1; t <= n; ++t) {
    Vectors here;
    std::vector<std::int64_t> cells;
    list_cells(row, t, cells, t, here);
    if (here.empty()) continue;
    for (const auto& rest : list_tables(rows, r + 1, n - t))
      for (const auto& x : here) {
        out.push_back(x);
        out.back().insert(out.back().end(), rest.begin(), rest.end());
      }
  }
  return out;
}

struct RateCase {
  std::vector<std::int64_t> units, scale;
  std::size_t n_cells;
  std::int64_t n;
};

RateCase random_rates(RateDice& dice, bool exact, std::int64_t digits_scale) {
  RateCase out;
  out.n_cells = static_cast<std::size_t>(1 + dice.below(3));
  const std::int64_t n_rows = 1 + dice.below(3);
  out.n = 0;
  for (std::int64_t r = 0; r < n_rows; ++r) {
    std::vector<std::int64_t> counts;
    std::int64_t total = 0;
    for (std::size_t j = 0; j < out.n_cells; ++j) {
      counts.push_back(dice.below(4));
      total += counts.back();
    }
    if (total == 0) counts[0] = total = 1;
    for (std::int64_t x : counts)
      out.units.push_back(exact ? x : round_rate(x, total, digits_scale));
    out.scale.push_back(exact ? total : digits_scale);
    out.n += total;
  }
  return out;
}

void check_case(const RateRows& rows, std::int64_t n) {
  const Vectors all = list_tables(rows, 0, n);
  const SharpRates found = sharp_rates(rows, n, RateLimits(), Tick());
  CHECK_EQ(found.feasible, !all.empty());
  CHECK_EQ(rates_feasible(rows, n, RateLimits(), Tick()), !all.empty());
  const auto count = count_rate_tables(rows, n, 1, 1e9, Tick());
  CHECK(count.has_value());
  CHECK_EQ(count->str(), std::to_string(all.size()));
  if (all.empty()) return;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t kind = found.kind_of_row[r];
    std::set<std::int64_t> totals;
    for (std::size_t j = 0; j < rows.n_cells; ++j) {
      std::int64_t low = n, high = 0;
      for (const auto& x : all) {
        low = std::min(low, x[r * rows.n_cells + j]);
        high = std::max(high, x[r * rows.n_cells + j]);
      }
      CHECK_EQ(found.lower[kind * rows.n_cells + j], low);
      CHECK_EQ(found.upper[kind * rows.n_cells + j], high);
    }
    for (const auto& x : all) {
      std::int64_t t = 0;
      for (std::size_t j = 0; j < rows.n_cells; ++j) t += x[r * rows.n_cells + j];
      totals.insert(t);
    }
    std::vector<std::int64_t> listed;
    for (std::size_t i = found.run_start[kind]; i < found.run_start[kind + 1]; ++i)
      for (std::int64_t t = found.runs[i].from; t <= found.runs[i].to; t += found.runs[i].by)
        listed.push_back(t);
    CHECK_EQ(listed, std::vector<std::int64_t>(totals.begin(), totals.end()));
    CHECK_EQ(found.n_totals[kind], static_cast<std::int64_t>(totals.size()));
    CHECK_EQ(found.first[kind], listed.front());
    CHECK_EQ(found.last[kind], listed.back());
  }
}

}  // namespace

TEST(sets_of_sums_hold_what_plain_ones_hold) {
  RateDice dice;
  for (int i = 0; i < 300; ++i) {
    const std::int64_t limit = dice.below(400);
    SumSet sums(limit);
    PlainSums plain(limit);
    for (int k = 0; k < 4; ++k) {
      if (dice.below(2)) {
        const std::int64_t coin = 1 + dice.below(dice.below(2) ? 20 : 200);
        sums.add_coin(coin), plain.add_coin(coin);
      } else {
        std::vector<std::int64_t> steps{0};
        for (std::int64_t s = dice.below(4); s > 0; --s)
          steps.push_back(steps.back() + 1 + dice.below(90));
        const auto before = plain.sums;
        CHECK_EQ(sums.add_steps(steps), (plain.add_steps(steps), plain.sums != before));
      }
      std::int64_t walk = 0;
      for (std::int64_t s = 0; s <= limit; ++s) {
        CHECK_EQ(sums.has(s), plain.sums.count(s) == 1);
        if (s == walk && plain.sums.count(s)) walk = sums.next(s + 1);
        CHECK(!plain.sums.count(s) || walk > s);
      }
    }
  }
}

TEST(possible_totals_are_the_sums_of_their_generators) {
  RateDice dice;
  for (int i = 0; i < 200; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, 1 + dice.below(3), 2);
    const RateRow row{&rows.low[0], &rows.high[0], rows.n_cells, rows.scale[0]};
    const TotalSet totals = possible_totals(row, 300, Tick());
    SumSet generated(300);
    for (std::int64_t g : totals.generators) generated.add_coin(g);
    for (std::int64_t t = 1; t <= 300; ++t) CHECK_EQ(row.allows(t), generated.has(t));
    CHECK_EQ(totals.least, totals.generators.front());
    CHECK(static_cast<std::int64_t>(totals.generators.size()) <= totals.least);
  }
}

TEST(exact_rates_agree_with_enumeration) {
  RateDice dice;
  for (int i = 0; i < 150; ++i) {
    const RateCase c = random_rates(dice, true, 0);
    check_case(make_rate_rows(c.n_cells, c.units, c.scale, 0, 1), c.n + dice.below(3));
  }
}

TEST(rounded_rates_agree_with_enumeration) {
  RateDice dice;
  for (int i = 0; i < 150; ++i) {
    const RateCase c = random_rates(dice, false, dice.below(2) ? 100 : 10);
    const std::int64_t off = dice.below(4) == 0;
    check_case(make_rate_rows(c.n_cells, c.units, c.scale, 1 + off, 2), c.n + dice.below(3));
  }
}

TEST(least_tolerances_of_single_rows_are_the_least) {
  RateDice dice;
  int mended = 0;
  for (int i = 0; i < 200; ++i) {
    RateCase c = random_rates(dice, false, 10);
    c.units[0] = dice.below(11);
    const RateRows rows = make_rate_rows(c.n_cells, c.units, c.scale, 1, 2);
    if (!list_tables(rows, 0, c.n).empty()) continue;
    const std::vector<double> least =
        least_tolerances(rows, c.units, c.scale, c.n, RateLimits(), Tick());
    // Row r with another tolerance, in thousandths.
    const auto feasible = [&](std::size_t r, std::int64_t thousandths) {
      RateRows out = make_rate_rows(c.n_cells, c.units, c.scale, 500, 1000);
      const RateRows wide = make_rate_rows(c.n_cells, c.units, c.scale, thousandths, 1000);
      for (std::size_t j = r * c.n_cells; j < (r + 1) * c.n_cells; ++j)
        out.low[j] = wide.low[j], out.high[j] = wide.high[j];
      return !list_tables(out, 0, c.n).empty();
    };
    for (std::size_t r = 0; r < c.scale.size(); ++r) {
      if (least[r] < 0) {
        CHECK(!feasible(r, 10000));
        continue;
      }
      ++mended;
      const auto thousandths = static_cast<std::int64_t>(least[r] * 1000 + .999999);
      CHECK(feasible(r, thousandths));
      CHECK(!feasible(r, thousandths - 1));
    }
  }
  CHECK(mended > 10);
}

TEST(splits_count_the_cells_of_the_whole_table) {
  // One row (1, 1) or (2, 2), ...: with two splits a cell x counts x + 1 times.
  const RateRows rows = make_rate_rows(2, {1, 1}, {2}, 0, 1);
  CHECK_EQ(count_rate_tables(rows, 6, 2, 1e6, Tick())->str(), std::string("16"));
  CHECK_EQ(count_rate_tables(rows, 6, 1, 1e6, Tick())->str(), std::string("1"));
  CHECK_EQ(count_rate_tables(rows, 5, 2, 1e6, Tick())->str(), std::string("0"));
  CHECK(!count_rate_tables(rows, 6, 2, 1, Tick()).has_value());
}

TEST(limits_are_kept) {
  RateLimits limits;
  limits.max_sums = 100;
  const RateRows rows = make_rate_rows(2, {1, 1, 1, 2}, {2, 3}, 0, 1);
  CHECK_THROWS(TooLargeError, sharp_rates(rows, 1000, limits, Tick()));
  limits.max_sums = 100000;
  limits.max_runs = 1;
  const SharpRates found = sharp_rates(rows, 1000, limits, Tick());
  CHECK(found.feasible && !found.all_runs && found.runs.empty());
  CHECK_THROWS(TooLargeError, make_rate_rows(1, {1}, {std::int64_t{1} << 50}, 1, 1000000));
}

TEST(rates_are_rounded_half_up) {
  CHECK_EQ(round_rate(9, 16, 1000), 563);
  CHECK_EQ(round_rate(7, 16, 1000), 438);
  CHECK_EQ(round_rate(1, 3, 1000000000000000), 333333333333333);
  CHECK_EQ(round_rate(0, 3, 10), 0);
  CHECK_EQ(round_rate((std::int64_t{1} << 53) - 1, std::int64_t{1} << 53, 1000000000000000),
           1000000000000000);
}

TEST(a_tick_may_stop_the_work) {
  const RateRows rows = make_rate_rows(2, {1, 1}, {2}, 0, 1);
  CHECK_THROWS(int, sharp_rates(rows, 10, RateLimits(), [](double) { throw 1; }));
}

// Every row of two cells with limits in quarters: what a total allows, by trying all cells.
TEST(all_small_rows_of_rates) {
  small_tables::each_between({0, 0, 0, 0}, {4, 4, 4, 4}, [](const small_tables::Whole& k) {
    if (k[0] > k[1] || k[2] > k[3]) return;
    const std::vector<std::int64_t> low{k[0], k[2]}, high{k[1], k[3]};
    const RateRow row{low.data(), high.data(), 2, 4};
    CHECK_EQ(row.exact(), low == high);
    bool fine = true;
    for (std::int64_t t = 1; t <= 9; ++t) {
      Vectors all;
      std::vector<std::int64_t> cells;
      list_cells(row, t, cells, t, all);
      fine = fine && row.allows(t) == !all.empty();
      for (std::size_t j = 0; j < 2; ++j) {
        // By itself a cell may have any count whose rate lies within the limits.
        std::int64_t least = t + 1, largest = -1;
        for (std::int64_t x = 0; x <= t; ++x)
          if (4 * x >= low[j] * t && 4 * x <= high[j] * t)
            least = std::min(least, x), largest = std::max(largest, x);
        if (largest < 0)
          fine = fine && row.least(j, t) > row.largest(j, t);
        else
          fine = fine && row.least(j, t) == least && row.largest(j, t) == largest;
      }
    }
    CHECK(fine);
    // Totals that are possible are closed under addition, and the least one is the first.
    std::int64_t first = 0;
    for (std::int64_t t = 60; t >= 1; --t)
      if (row.allows(t)) first = t;
    CHECK_EQ(least_total(row, 60, Tick()), first);
    bool closed = true;
    for (std::int64_t s = 1; s <= 12; ++s)
      for (std::int64_t t = 1; t <= s; ++t)
        closed = closed && (!row.allows(s) || !row.allows(t) || row.allows(s + t));
    CHECK(closed);
  });
}

// Rows are one kind when all their rates are the same, whichever rows they are.
TEST(kinds_of_rows) {
  small_tables::Dice dice(1);
  for (int round = 0; round < 300; ++round) {
    RateRows rows;
    rows.n_cells = 2;
    const int n = dice.below(7);
    for (int r = 0; r < n; ++r) {
      rows.scale.push_back(dice.between(3, 4));
      for (int j = 0; j < 2; ++j) {
        rows.low.push_back(dice.below(2));
        rows.high.push_back(2);
      }
    }
    const RateKinds found = group_rows(rows);
    CHECK_EQ(found.kind_of_row.size(), rows.size());
    std::vector<std::int64_t> copies(found.kinds.size(), 0);
    bool fine = true;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const RateKind& kind = found.kinds[found.kind_of_row[r]];
      ++copies[found.kind_of_row[r]];
      fine = fine && kind.row.scale == rows.scale[r];
      for (std::size_t j = 0; j < 2; ++j)
        fine = fine && kind.row.low[j] == rows.low[2 * r + j] &&
               kind.row.high[j] == rows.high[2 * r + j];
      for (std::size_t s = 0; s < r; ++s) {
        const bool same = rows.scale[r] == rows.scale[s] && rows.low[2 * r] == rows.low[2 * s] &&
                          rows.low[2 * r + 1] == rows.low[2 * s + 1];
        fine = fine && (found.kind_of_row[r] == found.kind_of_row[s]) == same;
      }
    }
    for (std::size_t k = 0; k < copies.size(); ++k)
      fine = fine && found.kinds[k].copies == copies[k];
    CHECK(fine);
  }
}
