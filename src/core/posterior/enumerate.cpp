#include "posterior/enumerate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "perturb/undo.hpp"

namespace sdclattice {
namespace {

using Shift = std::basic_string<char16_t>;  // a hashable vector: published minus table, + 2^15
constexpr int zero_shift = 1 << 15;

// The values of a table, from its shifts.
struct ValueOf {
  const Shift& table;
  const std::vector<double>& published;  // of the component's cells
  double operator()(const CellMove& m) const {
    return published[m.place] - (static_cast<int>(table[m.place]) - zero_shift);
  }
};

Shift back(const Shift& table, const std::vector<CellMove>& moves, int sign) {
  Shift before = table;
  for (const CellMove& m : moves)
    before[m.place] = static_cast<char16_t>(before[m.place] + sign * m.coef);
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
           prior.log_relative(cell, published[cell], static_cast<int>(table[k]) - zero_shift);
  }
  return sum;
}

}  // namespace

Originals enumerate_originals(const CycleSet& set, const Mechanism& mechanism,
                              const Component& part, const std::vector<std::int32_t>& cells,
                              const double* published, const Prior& prior, std::size_t max_tables,
                              const Tick& tick) {
  const std::vector<std::vector<CellMove>> moves = moves_of(set, part, cells);
  std::vector<double> values;
  for (std::int32_t cell : cells) values.push_back(published[cell]);
  std::unordered_map<Shift, double> tables, before;
  tables.emplace(Shift(cells.size(), zero_shift), 1.0);
  for (std::size_t i = mechanism.sequence.size(); i-- > 0;) {
    const std::int32_t cycle = mechanism.sequence[i];
    if (moves[cycle].empty()) continue;
    const std::vector<CellMove>& own = moves[cycle];
    const Undo step{own.data(), own.data() + own.size(), mechanism.rule, mechanism.alpha_of(cycle),
                    mechanism.beta_of(cycle)};
    before.clear();
    std::size_t done = 0;
    for (const auto& [table, weight] : tables) {
      if (++done % 65536 == 0) report(tick, 0);
      const double stay = step.stayed(ValueOf{table, values});
      if (stay > 0) before[table] += weight * stay;
      for (int sign : {1, -1}) {
        Shift from = back(table, own, sign);
        const double p = step.moved(ValueOf{from, values}, sign);
        if (p > 0) before[std::move(from)] += weight * p;
      }
      if (before.size() > max_tables)
        throw TooLargeError("Enumeration would have to hold more than " +
                            std::to_string(max_tables) + " tables at one time.");
    }
    std::swap(tables, before);
  }
  std::vector<std::pair<Shift, double>> sorted(tables.begin(), tables.end());
  std::sort(sorted.begin(), sorted.end());  // draws must not depend on the order of hashing
  Originals out;
  std::vector<double> logs;
  double top = -std::numeric_limits<double>::infinity();
  for (const auto& [table, weight] : sorted) {
    const double log_weight = std::log(weight) + log_prior(table, cells, published, prior);
    if (log_weight == -std::numeric_limits<double>::infinity()) continue;
    logs.push_back(log_weight);
    top = std::max(top, log_weight);
    for (char16_t s : table)
      out.shift.push_back(static_cast<std::int16_t>(static_cast<int>(s) - zero_shift));
  }
  double total = 0;
  for (double l : logs) total += std::exp(l - top);
  for (double l : logs) out.weight.push_back(std::exp(l - top) / total);
  out.log_evidence = top + std::log(total);
  return out;
}

void keep_common(Originals& a, const double* published_a, const Originals& b,
                 const double* published_b, const std::vector<std::int32_t>& cells) {
  const std::size_t n = cells.size();
  std::unordered_map<Shift, double> weight;
  // An original as what publication a has more than it; false where that is no shift.
  const auto find_shift = [&](std::size_t i, Shift& out) {
    out.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const double shift = b.shift[i * n + k] + published_a[cells[k]] - published_b[cells[k]];
      if (std::abs(shift) >= zero_shift) return false;
      out.push_back(static_cast<char16_t>(static_cast<int>(shift) + zero_shift));
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
    for (std::size_t k = 0; k < n; ++k)
      shift.push_back(static_cast<char16_t>(a.shift[i * n + k] + zero_shift));
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
