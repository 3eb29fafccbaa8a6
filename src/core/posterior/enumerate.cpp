#include "posterior/enumerate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "perturb/shift.hpp"
#include "perturb/undo.hpp"

namespace sdclattice {
namespace {

// The values of a table, from its shifts: published minus table.
struct ValueOf {
  const Shift& table;
  const std::vector<double>& published;  // of the component's cells
  double operator()(const CellMove& m) const {
    return published[m.place] - shift_of(table[m.place]);
  }
};

Shift back(const Shift& table, const std::vector<CellMove>& moves, int sign) {
  Shift before = table;
  for (const CellMove& m : moves)
    before[m.place] = as_shift(shift_of(before[m.place]) + sign * m.coef);
  return before;
}

std::vector<std::vector<CellMove>> moves_of(const CycleSet& set, const Component& part,
                                            const std::vector<std::int32_t>& cells) {
  std::vector<std::vector<CellMove>> moves(set.size());
  for (std::int32_t c : part.cycles)
    for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
      const auto at = std::lower_bound(cells.begin(), cells.end(), set.cell[i]);
      moves[c].push_back({static_cast<std::int32_t>(at - cells.begin()), set.coef[i]});
    }
  return moves;
}

double log_prior(const Shift& table, const std::vector<std::int32_t>& cells,
                 const double* published, const Prior& prior) {
  double sum = 0;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::int32_t cell = cells[k];
    sum += prior.log_base(cell, published[cell]) +
           prior.log_relative(cell, published[cell], shift_of(table[k]));
  }
  return sum;
}

// Adds the tables before a step, of tables after it, to `before`.
void undo(const Undo& step, const std::vector<CellMove>& moves, const std::vector<double>& values,
          const WeightedShifts& tables, WeightedShifts& before, std::size_t max_tables,
          const Tick& tick) {
  std::size_t done = 0;
  for (const auto& [table, weight] : tables) {
    if (++done % 65536 == 0) report(tick, 0);
    const double stay = step.stayed(ValueOf{table, values});
    if (stay > 0) before[table] += weight * stay;
    for (int sign : {1, -1}) {
      Shift from = back(table, moves, sign);
      const double p = step.moved(ValueOf{from, values}, sign);
      if (p > 0) before[std::move(from)] += weight * p;
    }
    if (before.size() > max_tables)
      throw TooLargeError("Enumeration would have to hold more than " + std::to_string(max_tables) +
                          " tables at one time.");
  }
}

// With the prior, in an order that draws may depend on.
Originals weighted(const WeightedShifts& tables, const std::vector<std::int32_t>& cells,
                   const double* published, const Prior& prior) {
  Originals out;
  std::vector<double> logs;
  double top = kNever;
  for (const auto& [table, weight] : sorted(tables)) {
    const double log_weight = std::log(weight) + log_prior(table, cells, published, prior);
    if (log_weight == kNever) continue;
    logs.push_back(log_weight);
    top = std::max(top, log_weight);
    for (char16_t s : table) out.shift.push_back(static_cast<std::int16_t>(shift_of(s)));
  }
  double total = 0;
  for (double l : logs) total += std::exp(l - top);
  for (double l : logs) out.weight.push_back(std::exp(l - top) / total);
  out.log_evidence = top + std::log(total);
  return out;
}

}  // namespace

Originals enumerate_originals(const CycleSet& set, const Mechanism& mechanism,
                              const Component& part, const std::vector<std::int32_t>& cells,
                              const double* published, const Prior& prior, std::size_t max_tables,
                              const Tick& tick) {
  assert(std::is_sorted(cells.begin(), cells.end()));
  const std::vector<std::vector<CellMove>> moves = moves_of(set, part, cells);
  std::vector<double> values;
  for (std::int32_t cell : cells) values.push_back(published[cell]);
  WeightedShifts tables = unshifted(cells.size()), before;
  for (std::size_t i = mechanism.sequence.size(); i-- > 0;) {
    const std::int32_t cycle = mechanism.sequence[i];
    const std::vector<CellMove>& own = moves[cycle];
    if (own.empty()) continue;
    const Undo step{own.data(), own.data() + own.size(), mechanism.rule, mechanism.alpha_of(cycle),
                    mechanism.beta_of(cycle)};
    before.clear();
    undo(step, own, values, tables, before, max_tables, tick);
    std::swap(tables, before);
  }
  return weighted(tables, cells, published, prior);
}

void keep_common(Originals& a, const double* published_a, const Originals& b,
                 const double* published_b, const std::vector<std::int32_t>& cells) {
  const std::size_t n = cells.size();
  WeightedShifts weight;
  // An original as what publication a has more than it; false where that is no shift.
  const auto find_shift = [&](std::size_t i, Shift& out) {
    out.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const double shift = b.shift[i * n + k] + published_a[cells[k]] - published_b[cells[k]];
      if (std::abs(shift) >= kZeroShift) return false;
      out.push_back(as_shift(static_cast<int>(shift)));
    }
    return true;
  };
  Shift shift;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (find_shift(i, shift)) weight.emplace(shift, b.weight[i]);
  Originals out;
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    shift.clear();
    for (std::size_t k = 0; k < n; ++k) shift.push_back(as_shift(a.shift[i * n + k]));
    const auto at = weight.find(shift);
    if (at == weight.end()) continue;
    out.shift.insert(out.shift.end(), a.shift.begin() + static_cast<std::ptrdiff_t>(i * n),
                     a.shift.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
    out.weight.push_back(a.weight[i] * at->second);
    total += out.weight.back();
  }
  for (double& w : out.weight) w /= total;
  out.log_evidence = a.log_evidence + b.log_evidence + std::log(total);
  a = std::move(out);
}

}  // namespace sdclattice
