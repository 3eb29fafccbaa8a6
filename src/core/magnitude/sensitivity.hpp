// Contributors to the cells of a magnitude table, and the rules that judge cells by them.
//
// Values are whole units, and percents are whole millionths of a percent, so that every comparison
// is one of integers. A cell at the limit of a rule is not sensitive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"

namespace sdclattice {

// Grouped by cell: cells ascending, and inside a cell by absolute value, largest first, then by
// holder.
struct Contributors {
  std::vector<std::int64_t> cell;
  std::vector<std::size_t> start{0};
  std::vector<std::int64_t> value;
  std::vector<std::int32_t> holder;
};

// Sampling weights: a contribution of weight w stands for w contributions of equal size. `weight`
// has one for each contribution, in parts of which `whole` make one; the contribution itself is
// weight times size, and so a multiple of its weight.
struct SamplingWeights {
  std::vector<std::int64_t> weight;
  std::int64_t whole = 1;
};

constexpr std::int64_t kWholePercent = 100000000;  // 100 percent in millionths of a percent

enum class RuleKind { threshold, nk, p_percent };

// threshold: fewer than `n` contributors. nk: the largest `n` hold more than `percent` of the
// total. p_percent: the total without the two largest is less than `percent` of the largest.
struct SensitivityRule {
  RuleKind kind;
  std::int64_t n;
  std::int64_t percent;
};

// The values of one cell, none negative, largest first: all, or as many as the rules look at. Of
// `count` contributors `positive` have a value that is not zero; with sampling weights, as many as
// they stand for.
struct CellView {
  const std::int64_t* value;
  std::size_t n;
  std::size_t count;
  std::size_t positive;
  std::int64_t total;
};

CellView view_cell(const std::int64_t* value, std::size_t n);

// The cell that the sample stands for: the `most` largest contributions, into `largest`. Where
// weights are not whole one of them is made of parts of several: the n largest together are what
// the largest hold whose weights sum to n. `value`: weight times size, of any sign, in any order.
CellView inflate_cell(const std::int64_t* value, const std::int64_t* weight, std::size_t n,
                      std::int64_t whole, std::size_t most, std::vector<std::int64_t>& largest);

bool fires(const SensitivityRule& rule, const CellView& cell);

// Contributors of positive value without which the rule fires whatever they hold: no change of the
// values of fewer can mend the cell. The threshold rule counts values of zero too.
std::int64_t contributors_needed(const SensitivityRule& rule);
bool counts_zeros(const SensitivityRule& rule);

// Totals that protect the largest contributors when published in place of the true one: at least
// `up`, or, where `has_down`, from `low` to `down`. For threshold rules the caller's percentage is
// used, as for a p percent rule without a rest.
struct ProtectedEnds {
  bool has_up = false;
  std::int64_t up = 0;
  bool has_down = false;
  std::int64_t down = 0;
  std::int64_t low = 0;
};

struct CellJudgement {
  std::int64_t count = 0;
  std::int64_t positive = 0;
  std::int64_t total = 0;
  std::int64_t largest = 0;
  std::int64_t second = 0;
  std::uint64_t fired = 0;  // a bit for each rule
  std::int64_t needed = 0;  // further contributors that a sensitive cell needs
  ProtectedEnds ends;
};

// `threshold_percent`: see ProtectedEnds; 0 where threshold rules have no ends.
CellJudgement judge_cell(const CellView& cell, const std::vector<SensitivityRule>& rules,
                         std::int64_t threshold_percent);

// Judges all cells by the absolute values of their contributors, some cells at a time on each
// thread. At most 64 rules.
std::vector<CellJudgement> judge_cells(const Contributors& x,
                                       const std::vector<SensitivityRule>& rules,
                                       std::int64_t threshold_percent, const Tick& tick,
                                       std::size_t threads = 1);

// Judges the cells that a sample stands for. Threshold rules count those who are in the sample.
std::vector<CellJudgement> judge_sampled_cells(const Contributors& x,
                                               const SamplingWeights& weights,
                                               const std::vector<SensitivityRule>& rules,
                                               std::int64_t threshold_percent, const Tick& tick,
                                               std::size_t threads = 1);

}  // namespace sdclattice
