// Magnitudes: rules against slow twins, protected ends against every reader, and moves that keep
// all values.
#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "magnitude/contributor_groups.hpp"
#include "magnitude/magnitude_redistribute.hpp"
#include "magnitude/sensitivity.hpp"

using namespace sdclattice;
using Values = std::vector<std::int64_t>;

namespace {

std::uint64_t state = 88172645463325252ULL;

// xorshift: the tests need no good numbers, only the same ones everywhere.
std::int64_t draw(std::int64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<std::int64_t>(state % static_cast<std::uint64_t>(below));
}

Values random_cell(std::int64_t most) {
  Values out(static_cast<std::size_t>(1 + draw(most)));
  for (auto& v : out) v = draw(4) == 0 ? draw(1000) : draw(60);
  std::sort(out.rbegin(), out.rend());
  return out;
}

CellView view(const Values& v) {
  return view_cell(v.data(), v.size());
}

SensitivityRule share(std::int64_t n, std::int64_t k) {
  return {RuleKind::nk, n, k * 1000000};
}
SensitivityRule p_percent(std::int64_t p) {
  return {RuleKind::p_percent, 0, p * 1000000};
}
SensitivityRule threshold(std::int64_t n) {
  return {RuleKind::threshold, n, 0};
}

bool slow_fires(const SensitivityRule& rule, const Values& v) {
  const auto at = [&](std::size_t i) { return i < v.size() ? v[i] : 0; };
  const std::int64_t total = std::accumulate(v.begin(), v.end(), std::int64_t{0});
  const std::int64_t percent = rule.percent / 1000000;
  if (rule.kind == RuleKind::threshold) return static_cast<std::int64_t>(v.size()) < rule.n;
  if (rule.kind == RuleKind::p_percent) return 100 * (total - at(0) - at(1)) < percent * at(0);
  std::int64_t top = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rule.n); ++i) top += at(i);
  return 100 * top > percent * total;
}

std::int64_t off(std::int64_t a, std::int64_t b) {
  return a > b ? a - b : b - a;
}

// The least distance from the largest of what anybody estimates from a total.
std::int64_t nearest_estimate(const Values& v, std::int64_t total) {
  std::int64_t least = off(total, v[0]);
  for (std::size_t j = 1; j < v.size(); ++j) least = std::min(least, off(total - v[j], v[0]));
  return least;
}

Contributors random_line(std::size_t cells, std::int64_t most) {
  std::vector<std::int64_t> cell, value;
  std::vector<std::int32_t> holder;
  for (std::size_t c = 0; c < cells; ++c)
    for (const std::int64_t v : random_cell(most)) {
      cell.push_back(static_cast<std::int64_t>(c) + 1);
      value.push_back(v);
      holder.push_back(static_cast<std::int32_t>(holder.size()));
    }
  return group_contributors(cell, holder, value);
}

CellMap line_map(std::size_t cells) {
  CellMap out;
  out.n_axes = 1;
  out.open = {1};
  for (std::size_t c = 0; c < cells; ++c) out.at.push_back(static_cast<std::int32_t>(c));
  return out;
}

CellMap line_graph(std::size_t cells) {
  CellMap out;
  out.metric = CellMetric::graph;
  for (std::uint32_t c = 0; c + 1 < cells; ++c) {
    out.from.insert(out.from.end(), {c, c + 1});
    out.to.insert(out.to.end(), {c + 1, c});
  }
  return out;
}

Values cell_of(const Contributors& x, std::size_t c) {
  return Values(x.value.begin() + static_cast<std::ptrdiff_t>(x.start[c]),
                x.value.begin() + static_cast<std::ptrdiff_t>(x.start[c + 1]));
}

std::int64_t sum_of(const Contributors& x) {
  return std::accumulate(x.value.begin(), x.value.end(), std::int64_t{0});
}

const Tick no_tick;

}  // namespace

TEST(rules_agree_with_slow_twins) {
  for (int i = 0; i < 3000; ++i) {
    const Values v = random_cell(7);
    for (const SensitivityRule& rule : {share(1, 50 + draw(50)), share(1 + draw(4), 20 + draw(80)),
                                        p_percent(1 + draw(200)), threshold(1 + draw(5))})
      CHECK(fires(rule, view(v)) == slow_fires(rule, v));
  }
}

TEST(examples_of_the_source) {
  const Values p{178, 99, 4, 3, 2, 2, 1};
  CHECK(fires(p_percent(10), view(p)));
  const CellJudgement j = judge_cell(view(p), {p_percent(10)}, 0);
  CHECK_EQ(j.ends.up - j.total, 6);
  const Values m{48, 9, 7, 6, 4};
  CHECK(!fires(share(1, 90), view(m)));
  CHECK(fires(share(1, 50), view(m)));
}

TEST(too_few_contributors_always_fire) {
  for (int i = 0; i < 2000; ++i) {
    const Values v = random_cell(6);
    const CellView cell = view(v);
    if (cell.total == 0) continue;
    for (const SensitivityRule& rule :
         {share(1, 20 + draw(80)), share(2, 40 + draw(60)), p_percent(1 + draw(250))})
      if (static_cast<std::int64_t>(cell.positive) < contributors_needed(rule))
        CHECK(fires(rule, cell));
  }
}

TEST(protected_totals_keep_every_reader_away) {
  int ranges = 0;
  for (int i = 0; i < 1500; ++i) {
    const Values v = random_cell(6);
    if (v[0] == 0) continue;
    const std::int64_t p = 5 + draw(40);
    const ProtectedEnds ends = judge_cell(view(v), {p_percent(p)}, 0).ends;
    const auto misses = [&](std::int64_t total) {
      return 100 * nearest_estimate(v, total) >= p * v[0];
    };
    for (std::int64_t t = ends.up; t < ends.up + 20; ++t) CHECK(misses(t));
    if (ends.up > 0 && v.size() > 1) CHECK(!misses(ends.up - 1));
    CHECK(ends.has_down);
    for (std::int64_t t = ends.low; t <= ends.down; ++t) CHECK(misses(t));
    CHECK(ends.low >= 0);
    ranges += ends.low > 0;
  }
  CHECK(ranges > 100);
}

TEST(holdings_are_merged_and_sorted) {
  const Contributors x = group_contributors({2, 1, 2, 2, 1}, {1, 1, 2, 1, 3}, {5, -9, 3, 1, 4});
  CHECK(x.cell == Values({1, 2}));
  CHECK(x.value == Values({-9, 4, 6, 3}));
  CHECK(x.holder == std::vector<std::int32_t>({1, 3, 1, 2}));
  CHECK(judge_cells(x, {threshold(3)}, 0, no_tick)[0].total == 13);
  const std::int64_t far = std::int64_t{1} << 62;
  CHECK_THROWS(TooLargeError, group_contributors({1, 1}, {1, 1}, {far, far}));
}

TEST(moves_keep_values_and_end) {
  int unsettled = 0;
  for (int i = 0; i < 300; ++i) {
    const std::size_t cells = 4 + static_cast<std::size_t>(draw(12));
    const Contributors x = random_line(cells, 6);
    std::vector<SensitivityRule> rules{p_percent(5 + draw(30))};
    if (draw(2)) rules.push_back(threshold(2 + draw(3)));
    if (draw(2)) rules.push_back(share(1 + draw(3), 60 + draw(35)));
    const bool cap = draw(4) != 0;
    const auto out = redistribute_magnitude(x, rules, line_map(cells), cap, 1000, 500, no_tick);
    CHECK_EQ(sum_of(out.contributors), sum_of(x));
    CHECK_EQ(out.contributors.value.size(), x.value.size());
    unsettled += cap && !out.settled;
    std::int64_t count = 0, positive = 0;
    for (const SensitivityRule& rule : rules)
      (counts_zeros(rule) ? count : positive) =
          std::max(counts_zeros(rule) ? count : positive, contributors_needed(rule));
    Values total(cells, 0);
    for (std::size_t c = 0; c < cells; ++c) {
      const Values before = cell_of(x, c), v = cell_of(out.contributors, c);
      total[c] = std::accumulate(v.begin(), v.end(),
                                 -std::accumulate(before.begin(), before.end(), std::int64_t{0}));
      CHECK(std::is_sorted(v.rbegin(), v.rend()));
      CHECK(v.empty() || v.back() >= 0);
      const CellView now = view(v);
      if (!cap || !out.settled || static_cast<std::int64_t>(now.positive) < positive) continue;
      bool others = false;
      for (std::size_t d = 0; d < cells; ++d) {
        const Values w = cell_of(out.contributors, d);
        others = others || (d != c && static_cast<std::int64_t>(view(w).positive) >= positive);
      }
      for (const SensitivityRule& rule : rules)
        if (!counts_zeros(rule) && others) CHECK(!fires(rule, now));
    }
    for (const MagnitudeMove& m : out.moves) {
      total[m.from] += m.value;
      total[m.to] -= m.value;
      CHECK_EQ(m.distance, off(m.from, m.to));
    }
    CHECK(total == Values(cells, 0));
  }
  // with values of a few units two cells can pass single units to and fro
  CHECK(unsettled <= 3);
}

TEST(a_graph_of_a_line_is_a_line) {
  for (int i = 0; i < 60; ++i) {
    const Contributors x = random_line(9, 5);
    const std::vector<SensitivityRule> rules{threshold(3), p_percent(15)};
    const auto a = redistribute_magnitude(x, rules, line_map(9), true, 1000, 500, no_tick);
    const auto b = redistribute_magnitude(x, rules, line_graph(9), true, 1000, 500, no_tick);
    CHECK(a.contributors.value == b.contributors.value);
    CHECK(a.contributors.holder == b.contributors.holder);
  }
}

TEST(the_cap_is_the_highest) {
  int capped = 0;
  for (int i = 0; i < 400; ++i) {
    Values v = random_cell(8);
    while (v.size() < 6) v.push_back(1 + draw(5));
    std::sort(v.rbegin(), v.rend());
    const std::vector<SensitivityRule> rules{p_percent(20), share(2, 75), share(1, 60)};
    std::vector<std::int64_t> cell(v.size(), 1), value(v);
    std::vector<std::int32_t> holder(v.size());
    for (int c = 0; c < 6; ++c) {
      cell.push_back(2);
      value.push_back(100000);
      holder.push_back(0);
    }
    std::iota(holder.begin(), holder.end(), 0);
    const auto x = group_contributors(cell, holder, value);
    const auto out = redistribute_magnitude(x, rules, line_map(2), true, 1, 500, no_tick);
    const Values now = cell_of(out.contributors, 0);
    std::int64_t level = v[0];
    const auto capped_at = [&](std::int64_t at) {
      Values w(v);
      for (auto& y : w) y = std::min(y, at);
      return w;
    };
    const auto any = [&](const Values& w) {
      return std::any_of(rules.begin(), rules.end(), [&](auto& r) { return slow_fires(r, w); });
    };
    if (static_cast<std::int64_t>(view(v).positive) < 3) continue;
    while (any(capped_at(level))) --level;
    capped += level < v[0];
    CHECK(now == capped_at(level));
  }
  CHECK(capped > 50);
}

TEST(scaling_takes_the_paper_s_step) {
  // 178 99 2 1 4 3 2: the largest becomes 120
  const Contributors x =
      group_contributors({1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                         {178, 99, 2, 1, 4, 3, 2, 40, 40, 40, 40});
  const auto out = redistribute_magnitude(x, {p_percent(10)}, line_map(2), false, 1, 50, no_tick);
  CHECK_EQ(cell_of(out.contributors, 0)[0], 120);
  CHECK(cell_of(out.contributors, 1) == Values({55, 55, 54, 54}));
}

TEST(hexagons_have_six_neighbours) {
  // the centre is sensitive; of seven cells in a flower and one beyond, a neighbour gives
  CellMap map;
  map.metric = CellMetric::hexagon;
  map.n_axes = 2;
  map.open = {1, 1};
  map.at = {0, 0, 1, 1, 2, 0, 1, -1};  // (0,0), (1,1) at distance 2, (2,0) at 2, (1,-1) at 1
  const Contributors x =
      group_contributors({1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                         {9, 9, 1, 5, 5, 1, 5, 5, 2, 5, 5});
  const auto near = redistribute_magnitude(x, {threshold(3)}, map, true, 1, 50, no_tick);
  CHECK(near.moves.empty());
  std::vector<SensitivityRule> two{threshold(3)};
  const auto x4 = group_contributors({1, 1, 2, 2, 2, 2, 4, 4, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                                     {9, 9, 1, 5, 5, 5, 2, 5, 5, 5});
  CellMap three = map;
  three.at = {0, 0, 1, 1, 1, -1};
  const auto out = redistribute_magnitude(x4, two, three, true, 5, 50, no_tick);
  CHECK_EQ(out.moves.size(), 1u);
  CHECK_EQ(out.moves[0].from, 2u);
  CHECK_EQ(out.moves[0].distance, 1);
}
