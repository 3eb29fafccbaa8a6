#include "magnitude/sensitivity.hpp"

#include <algorithm>
#include <numeric>

#include "base/ticked_parts.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// a b / by, rounded up or down.
std::int64_t share_up(std::int64_t a, std::int64_t b, std::int64_t by) {
  return static_cast<std::int64_t>(ceil_ratio(wide_product(a, b), WideInt{by}));
}
std::int64_t share_down(std::int64_t a, std::int64_t b, std::int64_t by) {
  return static_cast<std::int64_t>(floor_ratio(wide_product(a, b), WideInt{by}));
}

std::int64_t add_values(std::int64_t a, std::int64_t b) {
  return checked_sum(a, b, "A sum of values exceeds 64 bits.");
}

std::int64_t top_sum(const CellView& cell, std::int64_t n) {
  const auto last = std::min<std::size_t>(cell.n, static_cast<std::size_t>(n));
  return std::accumulate(cell.value, cell.value + last, std::int64_t{0});
}

std::int64_t value_at(const CellView& cell, std::size_t i) {
  return i < cell.n ? cell.value[i] : 0;
}

// What the contributors after the second hold.
std::int64_t rest_of(const CellView& cell) {
  return cell.total - value_at(cell, 0) - value_at(cell, 1);
}

// By m = p % of x_1. Up: T' - x_2 is at least m above x_1, and so is what anybody else subtracts.
// Down, near: T' - x_2 is at least m below x_1, and T' - x_3 still m above it, as then is what the
// smaller ones estimate, and who knows none. There is room for it where x_2 - x_3 >= 2 m. Down,
// far: T' itself is m below x_1, and every estimate with it. In between somebody may hit x_1.
ProtectedEnds largest_ends(const CellView& cell, std::int64_t percent, bool near) {
  const std::int64_t x1 = value_at(cell, 0), x2 = value_at(cell, 1), x3 = value_at(cell, 2);
  const std::int64_t miss = share_up(percent, x1, kWholePercent);
  ProtectedEnds out;
  out.has_up = true;
  out.up = x1 + x2 + miss;
  if (near && x2 - x3 >= 2 * miss) {
    out.has_down = true;
    out.down = x1 + x2 - miss;
    out.low = x1 + x3 + miss;
  } else {
    out.has_down = miss <= x1;
    out.down = x1 - miss;
  }
  return out;
}

// The sum S of the largest n is protected up by a total of at least 100 S / k, and down by one that
// is as far below S.
ProtectedEnds share_ends(const CellView& cell, const SensitivityRule& rule) {
  const std::int64_t top = top_sum(cell, rule.n);
  ProtectedEnds out;
  out.has_up = true;
  out.up = share_up(kWholePercent, top, rule.percent);
  out.has_down = 2 * rule.percent >= kWholePercent;
  if (out.has_down) out.down = share_down(2 * rule.percent - kWholePercent, top, rule.percent);
  return out;
}

ProtectedEnds rule_ends(const CellView& cell, const SensitivityRule& rule,
                        std::int64_t threshold_percent, bool near) {
  switch (rule.kind) {
    case RuleKind::nk:
      return share_ends(cell, rule);
    case RuleKind::p_percent:
      return largest_ends(cell, rule.percent, near);
    case RuleKind::threshold:
      break;
  }
  if (!fires(rule, cell) || threshold_percent == 0) return ProtectedEnds();
  ProtectedEnds out = largest_ends(cell, threshold_percent, near);
  // the rest protects nobody from those who are so few
  out.up += rest_of(cell);
  return out;
}

// What all rules together allow.
ProtectedEnds common_ends(const CellView& cell, const std::vector<SensitivityRule>& rules,
                          std::int64_t threshold_percent, bool near) {
  ProtectedEnds out;
  bool down = true;
  for (const SensitivityRule& rule : rules) {
    const ProtectedEnds ends = rule_ends(cell, rule, threshold_percent, near);
    if (!ends.has_up) continue;
    down = down && ends.has_down;
    out.up = out.has_up ? std::max(out.up, ends.up) : ends.up;
    out.down = out.has_up ? std::min(out.down, ends.down) : ends.down;
    out.low = std::max(out.low, ends.low);
    out.has_up = true;
  }
  out.has_down = out.has_up && down && out.low <= out.down;
  return out;
}

std::int64_t lacking(const CellView& cell, const SensitivityRule& rule) {
  const std::size_t there = counts_zeros(rule) ? cell.count : cell.positive;
  return std::max<std::int64_t>(0, contributors_needed(rule) - static_cast<std::int64_t>(there));
}

// How many of the largest contributions the rules, and the ends, look at.
std::size_t most_largest(const std::vector<SensitivityRule>& rules) {
  std::size_t out = 3;
  for (const SensitivityRule& rule : rules)
    if (rule.kind == RuleKind::nk) out = std::max(out, static_cast<std::size_t>(rule.n));
  return out;
}

constexpr std::size_t kJudged = 1024;  // cells that a thread judges at a time

// Calls judge(c, worker) for each cell.
template <class Judge>
std::vector<CellJudgement> judge_each(std::size_t n, std::size_t n_rules, WorkerPool& pool,
                                      const Tick& tick, const Judge& judge) {
  if (n_rules > 64) throw TooLargeError("At most 64 rules can be judged at once.");
  std::vector<CellJudgement> out(n);
  run_ticked(pool, (n + kJudged - 1) / kJudged, tick, [&](std::size_t part, std::size_t worker) {
    for (std::size_t c = part * kJudged; c < std::min(n, (part + 1) * kJudged); ++c)
      out[c] = judge(c, worker);
  });
  return out;
}

std::size_t useful_threads(std::size_t n, std::size_t threads) {
  return std::min(threads, (n + kJudged - 1) / kJudged);
}

}  // namespace

CellView view_cell(const std::int64_t* value, std::size_t n) {
  CellView out{value, n, n, 0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    out.total = add_values(out.total, value[i]);
    out.positive += value[i] > 0;
  }
  return out;
}

CellView inflate_cell(const std::int64_t* value, const std::int64_t* weight, std::size_t n,
                      std::int64_t whole, std::size_t most, std::vector<std::int64_t>& largest) {
  struct Part {
    std::int64_t size, weight;
  };
  std::vector<Part> parts;
  CellView out{nullptr, 0, n, 0, 0};
  std::int64_t stands_for = 0;
  for (std::size_t i = 0; i < n; ++i) {
    out.total = add_values(out.total, magnitude(value[i]));
    if (value[i] == 0) continue;
    parts.push_back({magnitude(value[i]) / weight[i], weight[i]});
    stands_for = add_values(stands_for, weight[i]);
  }
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.size > b.size; });
  largest.clear();
  std::int64_t room = 0;
  for (Part& part : parts)
    while (part.weight > 0 && (room > 0 || largest.size() < most)) {
      if (room == 0) {
        largest.push_back(0);
        room = whole;
      }
      const std::int64_t taken = std::min(part.weight, room);
      largest.back() += part.size * taken;
      part.weight -= taken;
      room -= taken;
    }
  out.value = largest.data();
  out.n = largest.size();
  out.positive = static_cast<std::size_t>(stands_for / whole);
  return out;
}

bool fires(const SensitivityRule& rule, const CellView& cell) {
  switch (rule.kind) {
    case RuleKind::nk:
      return wide_product(kWholePercent, top_sum(cell, rule.n)) >
             wide_product(rule.percent, cell.total);
    case RuleKind::p_percent:
      return wide_product(kWholePercent, rest_of(cell)) <
             wide_product(rule.percent, value_at(cell, 0));
    case RuleKind::threshold:
      break;
  }
  return static_cast<std::int64_t>(cell.count) < rule.n;
}

std::int64_t contributors_needed(const SensitivityRule& rule) {
  switch (rule.kind) {
    case RuleKind::nk:
      if (rule.percent >= kWholePercent) return 0;
      return std::max(rule.n + 1, share_up(kWholePercent, rule.n, rule.percent));
    case RuleKind::p_percent:
      return 2 + (rule.percent + kWholePercent - 1) / kWholePercent;
    case RuleKind::threshold:
      break;
  }
  return rule.n;
}

bool counts_zeros(const SensitivityRule& rule) {
  return rule.kind == RuleKind::threshold;
}

CellJudgement judge_cell(const CellView& cell, const std::vector<SensitivityRule>& rules,
                         std::int64_t threshold_percent) {
  CellJudgement out;
  out.count = static_cast<std::int64_t>(cell.count);
  out.positive = static_cast<std::int64_t>(cell.positive);
  out.total = cell.total;
  out.largest = value_at(cell, 0);
  out.second = value_at(cell, 1);
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (fires(rules[r], cell)) out.fired |= std::uint64_t{1} << r;
  if (out.fired != 0)
    for (const SensitivityRule& rule : rules)
      out.needed = std::max(out.needed, lacking(cell, rule));
  out.ends = common_ends(cell, rules, threshold_percent, true);
  if (!out.ends.has_down) out.ends = common_ends(cell, rules, threshold_percent, false);
  return out;
}

std::vector<CellJudgement> judge_cells(const Contributors& x,
                                       const std::vector<SensitivityRule>& rules,
                                       std::int64_t threshold_percent, const Tick& tick,
                                       std::size_t threads) {
  const bool signs = std::any_of(x.value.begin(), x.value.end(), [](auto v) { return v < 0; });
  std::vector<std::int64_t> absolute;
  if (signs) {
    absolute.reserve(x.value.size());
    for (const std::int64_t v : x.value) absolute.push_back(magnitude(v));
  }
  const std::int64_t* values = signs ? absolute.data() : x.value.data();
  WorkerPool pool(useful_threads(x.cell.size(), threads));
  return judge_each(x.cell.size(), rules.size(), pool, tick, [&](std::size_t c, std::size_t) {
    return judge_cell(view_cell(values + x.start[c], x.start[c + 1] - x.start[c]), rules,
                      threshold_percent);
  });
}

std::vector<CellJudgement> judge_sampled_cells(const Contributors& x,
                                               const SamplingWeights& weights,
                                               const std::vector<SensitivityRule>& rules,
                                               std::int64_t threshold_percent, const Tick& tick,
                                               std::size_t threads) {
  const std::size_t most = most_largest(rules);
  WorkerPool pool(useful_threads(x.cell.size(), threads));
  std::vector<std::vector<std::int64_t>> largest(pool.n_workers());
  const auto judge = [&](std::size_t c, std::size_t worker) {
    const std::size_t first = x.start[c];
    return judge_cell(inflate_cell(x.value.data() + first, weights.weight.data() + first,
                                   x.start[c + 1] - first, weights.whole, most, largest[worker]),
                      rules, threshold_percent);
  };
  return judge_each(x.cell.size(), rules.size(), pool, tick, judge);
}

}  // namespace sdclattice
