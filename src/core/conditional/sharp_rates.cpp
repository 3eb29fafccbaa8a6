#include "conditional/sharp_rates.hpp"

#include <algorithm>
#include <cassert>

#include "base/sum_set.hpp"

namespace sdclattice {

namespace {

// Collects the totals of one kind, in runs.
struct RunList {
  std::vector<TotalRun> runs;
  std::int64_t by = 1, n = 0;

  void add(std::int64_t from, std::int64_t to) {
    n += (to - from) / by + 1;
    if (!runs.empty() && runs.back().to + by == from)
      runs.back().to = to;
    else
      runs.push_back({from, to, by});
  }
};

// The totals of a kind whose rest the other rows reach. `spare` is what they share out.
RunList extending_totals(const Summand& kind, const SumSet& others, std::int64_t spare) {
  RunList out;
  const std::int64_t all_to = spare - others.tail();  // up to here the others reach every rest
  if (kind.coins.size() == 1) {
    out.by = kind.least;
    std::int64_t more = 0;
    if (all_to >= 0) {
      more = all_to / out.by * out.by;
      out.add(kind.least, kind.least + more);
      more += out.by;
    }
    for (; more <= spare; more += out.by)
      if (others.has(spare - more)) out.add(kind.least + more, kind.least + more);
    return out;
  }
  SumSet own(std::min(spare, kind.all_from - 1));
  kind.add_to(own, 1);
  const std::int64_t all_from = own.tail();
  for (std::int64_t more = 0; more <= spare; more = own.next(more + 1)) {
    if (more >= all_from && more <= all_to) {
      out.add(kind.least + more, kind.least + all_to);
      more = all_to;
    } else if (others.has(spare - more)) {
      out.add(kind.least + more, kind.least + more);
    }
  }
  return out;
}

// Bounds of the cells of a row over the totals in the runs. The limits of a cell grow with the
// total: from the smallest total on until no lower bound can fall further, and likewise from the
// largest on.
class CellBounds {
 public:
  CellBounds(const RateRow& row, std::int64_t* lower, std::int64_t* upper)
      : row_(row), lower_(lower), upper_(upper), low_(row.n_cells), high_(row.n_cells) {}

  void find(const RunList& list) {
    const std::int64_t last = list.runs.back().to;
    std::fill(lower_, lower_ + row_.n_cells, last);
    std::fill(upper_, upper_ + row_.n_cells, 0);
    lower_done_ = false;
    for (const TotalRun& run : list.runs)
      for (std::int64_t t = run.from; t <= run.to && !lower_done_; t += run.by) look(t);
    upper_done_ = false;
    for (std::size_t i = list.runs.size(); i-- > 0;)
      for (std::int64_t t = list.runs[i].to; t >= list.runs[i].from && !upper_done_;
           t -= list.runs[i].by)
        look(t);
  }

 private:
  void look(std::int64_t t) {
    std::int64_t low_sum = 0, high_sum = 0;
    for (std::size_t j = 0; j < row_.n_cells; ++j) {
      low_sum += low_[j] = row_.least(j, t);
      high_sum += high_[j] = row_.largest(j, t);
    }
    lower_done_ = upper_done_ = true;
    for (std::size_t j = 0; j < row_.n_cells; ++j) {
      if (low_[j] < lower_[j]) lower_done_ = false;
      if (high_[j] > upper_[j]) upper_done_ = false;
      lower_[j] = std::min(lower_[j], std::max(low_[j], t - (high_sum - high_[j])));
      upper_[j] = std::max(upper_[j], std::min(high_[j], t - (low_sum - low_[j])));
    }
  }

  const RateRow row_;
  std::int64_t *lower_, *upper_;
  std::vector<std::int64_t> low_, high_;
  bool lower_done_ = false, upper_done_ = false;
};

void keep_runs(const RunList& list, std::size_t max_runs, SharpRates& out) {
  out.run_start.push_back(out.runs.size());
  if (!out.all_runs) return;
  if (out.runs.size() + list.runs.size() > max_runs) {
    out.all_runs = false;
    out.runs.clear();
    return;
  }
  out.runs.insert(out.runs.end(), list.runs.begin(), list.runs.end());
}

void bound_kinds(RowSums& sums, std::size_t n_cells, const RateLimits& limits, SharpRates& out,
                 const Tick& tick) {
  const std::int64_t spare = sums.n - sums.least;
  const std::vector<Summand> summands = sums.summands(spare, limits, tick);
  out.lower.resize(n_cells * summands.size());
  out.upper.resize(out.lower.size());
  auto visit = [&](std::size_t k, const SumSet& others) {
    const RunList list = extending_totals(summands[k], others, spare);
    out.feasible = out.feasible && !list.runs.empty();
    if (!out.feasible) return;
    CellBounds(sums.kinds.kinds[k].row, &out.lower[n_cells * k], &out.upper[n_cells * k])
        .find(list);
    out.n_totals.push_back(list.n);
    out.first.push_back(list.runs.front().from);
    out.last.push_back(list.runs.back().to);
    keep_runs(list, limits.max_runs, out);
    report(tick, static_cast<double>(k + 1) / static_cast<double>(summands.size()));
  };
  leave_one_out(summands, 0, summands.size(), SumSet(spare), visit);
  out.run_start.push_back(out.runs.size());
}

}  // namespace

SharpRates sharp_rates(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                       const Tick& tick) {
  RowSums sums(rows, n, tick);
  SharpRates out;
  out.kind_of_row = sums.kinds.kind_of_row;
  for (std::uint32_t r = 0; r < rows.size(); ++r)
    if (sums.impossible[out.kind_of_row[r]]) out.alone.push_back(r);
  out.feasible = out.alone.empty() && sums.least <= n;
  if (out.feasible && rows.size() > 0) bound_kinds(sums, rows.n_cells, limits, out, tick);
  return out;
}

bool rates_feasible(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                    const Tick& tick) {
  RowSums sums(rows, n, tick);
  if (sums.n_impossible > 0 || sums.least > n) return false;
  const std::int64_t spare = n - sums.least;
  const std::vector<Summand> summands = sums.summands(spare, limits, tick);
  SumSet reached(spare);
  for (const Summand& summand : summands) summand.add_to(reached, summand.copies);
  return reached.has(spare);
}

}  // namespace sdclattice
