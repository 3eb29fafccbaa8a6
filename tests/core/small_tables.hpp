// Small cases for the tests of several rooms: dice, systems and cycles, and the slow twins that go
// through every table or every outcome of the coins. Nothing here calls the core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "cycle/cycle.hpp"
#include "cycle/mechanism.hpp"
#include "linear/linear.hpp"

namespace small_tables {

using sdclattice::CycleSet;
using sdclattice::kNoLimit;
using sdclattice::LinearSystem;
using sdclattice::Mechanism;
using sdclattice::ZeroRule;
using Whole = std::vector<std::int64_t>;

// Marsaglia's xorshift64: the same everywhere, and none of the core's generators.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2654435761u + 88172645463325252u) {}
  std::uint64_t word() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  int below(int n) { return static_cast<int>((word() >> 11) % static_cast<unsigned>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  double uniform() { return static_cast<double>(word() >> 11) / 9007199254740992.0; }

 private:
  std::uint64_t state_;
};

// Calls visit(x) for every x with lower <= x <= upper, the first place fastest.
template <class Visit>
void each_between(const Whole& lower, const Whole& upper, Visit&& visit) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (lower[i] > upper[i]) return;
  Whole x = lower;
  for (;;) {
    visit(static_cast<const Whole&>(x));
    std::size_t i = 0;
    while (i < x.size() && x[i] == upper[i]) {
      x[i] = lower[i];
      ++i;
    }
    if (i == x.size()) return;
    ++x[i];
  }
}

inline void add_row(LinearSystem& system, const Whole& coefficients, std::int64_t low,
                    std::int64_t high) {
  for (std::size_t i = 0; i < coefficients.size(); ++i) {
    if (coefficients[i] == 0) continue;
    system.cell.push_back(static_cast<std::uint32_t>(i));
    system.coefficient.push_back(coefficients[i]);
  }
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(low);
  system.row_upper.push_back(high);
}

inline bool holds(const LinearSystem& system, const Whole& x) {
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    std::int64_t sum = 0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum += system.coefficient[e] * x[system.cell[e]];
    if (sum < system.row_lower[r] || sum > system.row_upper[r]) return false;
  }
  return true;
}

// All solutions of a system whose cells have limits.
inline std::vector<Whole> solutions(const LinearSystem& system) {
  std::vector<Whole> out;
  each_between(system.lower, system.upper, [&](const Whole& x) {
    if (holds(system, x)) out.push_back(x);
  });
  return out;
}

// Rows through a random point, so that most systems have a solution; some are moved off it, some
// have one limit only.
inline LinearSystem random_system(Dice& dice, int n, int n_rows, int most_coefficient) {
  LinearSystem out;
  Whole x;
  for (int i = 0; i < n; ++i) {
    out.lower.push_back(dice.below(2));
    out.upper.push_back(out.lower.back() + dice.below(4));
    x.push_back(dice.between(static_cast<int>(out.lower.back()), static_cast<int>(out.upper[i])));
  }
  for (int r = 0; r < n_rows; ++r) {
    Whole a;
    std::int64_t sum = dice.below(12) == 0 ? 1 : 0;
    for (int i = 0; i < n; ++i) {
      a.push_back(dice.between(-most_coefficient, most_coefficient));
      sum += a.back() * x[static_cast<std::size_t>(i)];
    }
    const int side = dice.below(8);
    add_row(out, a, side == 0 ? -kNoLimit : sum - dice.below(3) / 2,
            side == 1 ? kNoLimit : sum + dice.below(3) / 2);
  }
  return out;
}

// A set of cycles of any form: random supports and coefficients, cells that are on none.
inline CycleSet random_cycles(Dice& dice, int n_cells, int n_cycles, int most_coefficient) {
  CycleSet out;
  out.n_cells = static_cast<std::size_t>(n_cells);
  for (int c = 0; c < n_cycles; ++c) {
    const int forced = dice.below(n_cells);
    for (int i = 0; i < n_cells; ++i) {
      if (i != forced && dice.below(3) != 0) continue;
      const int size = dice.between(1, most_coefficient);
      out.add(i, static_cast<std::int8_t>(dice.below(2) ? size : -size));
    }
    out.close();
  }
  return out;
}

// One row for each cycle, with the coefficient of every cell.
inline std::vector<std::vector<int>> dense(const CycleSet& set) {
  std::vector<std::vector<int>> out(set.size(), std::vector<int>(set.n_cells, 0));
  for (std::size_t c = 0; c < set.size(); ++c)
    for (std::size_t e = set.start[c]; e < set.start[c + 1]; ++e)
      out[c][static_cast<std::size_t>(set.cell[e])] += set.coef[e];
  return out;
}

// Whether a step by `sign` times the cycle is allowed, by the definition of the rules.
inline bool step_allowed(const Whole& table, const std::vector<int>& cycle, int sign,
                         ZeroRule rule) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (cycle[i] == 0) continue;
    if (rule == ZeroRule::blocked && table[i] < std::abs(cycle[i])) return false;
    if (rule == ZeroRule::nonnegative && table[i] + sign * cycle[i] < 0) return false;
  }
  return true;
}

using TableLaw = std::map<Whole, double>;

// The entries of the column to which a step of a sweep moves a count, if it is not void: +1 (x, k),
// then +1 (y, k); see cycle.hpp. A column is open when neither of its cells is zero.
inline const std::int32_t* open_column(const CycleSet& set, std::size_t step, const Whole& table) {
  const auto value = [&](std::int32_t cell) { return table[static_cast<std::size_t>(cell)]; };
  const std::int32_t* from = &set.cell[set.start[step]];
  if (value(from[0]) < 1 || value(from[3]) < 1) return nullptr;
  for (auto k = static_cast<std::int32_t>(step); k >= 0;
       k = set.next[static_cast<std::size_t>(k)]) {
    const std::int32_t* entry = &set.cell[set.start[static_cast<std::size_t>(k)]];
    if (value(entry[1]) >= 1 && value(entry[2]) >= 1) return entry + 1;
  }
  return nullptr;
}

// The table after a step; `sign` 0 stays.
inline Whole after_step(const CycleSet& set, const std::vector<std::vector<int>>& cycles,
                        std::size_t step, int sign, ZeroRule rule, Whole table) {
  if (sign == 0) return table;
  if (!set.skips_zeros()) {
    if (step_allowed(table, cycles[step], sign, rule))
      for (std::size_t i = 0; i < table.size(); ++i) table[i] += sign * cycles[step][i];
    return table;
  }
  const std::int32_t* to = open_column(set, step, table);
  if (to == nullptr) return table;
  const std::int32_t* from = &set.cell[set.start[step]];
  table[static_cast<std::size_t>(from[0])] += sign;
  table[static_cast<std::size_t>(from[3])] -= sign;
  table[static_cast<std::size_t>(to[0])] -= sign;
  table[static_cast<std::size_t>(to[1])] += sign;
  return table;
}

// The law of the published table: every outcome of every coin, merged where tables are equal.
inline TableLaw publish(const CycleSet& set, const Mechanism& mechanism, const Whole& original) {
  const auto cycles = dense(set);
  TableLaw now{{original, 1.0}};
  for (const std::int32_t c : mechanism.sequence) {
    const auto k = static_cast<std::size_t>(c);
    const double alpha = mechanism.alpha[mechanism.alpha.size() == 1 ? 0 : k],
                 beta = mechanism.beta[mechanism.beta.size() == 1 ? 0 : k];
    TableLaw next;
    for (const auto& [table, p] : now) {
      for (const int sign : {1, -1, 0}) {
        const double q = sign > 0 ? alpha : sign < 0 ? beta : std::max(0.0, 1 - alpha - beta);
        if (q == 0) continue;
        next[after_step(set, cycles, k, sign, mechanism.rule, table)] += p * q;
      }
    }
    now = std::move(next);
  }
  return now;
}

// How often each cycle can have been added or taken away, net, at most: as often as it is applied;
// a step of a sweep also moves along the later columns of its sweep.
inline std::vector<int> most_nets(const CycleSet& set, const Mechanism& mechanism) {
  std::vector<int> out(set.size(), 0);
  for (const std::int32_t c : mechanism.sequence) {
    ++out[static_cast<std::size_t>(c)];
    for (std::int32_t k = c; set.skips_zeros();) {
      k = set.next[static_cast<std::size_t>(k)];
      if (k < 0) break;
      ++out[static_cast<std::size_t>(k)];
    }
  }
  return out;
}

// The likelihood of every original of a published table, by a forward run from each table without
// negative cells that the cycles can connect with it.
inline TableLaw originals(const CycleSet& set, const Mechanism& mechanism, const Whole& published) {
  const auto cycles = dense(set);
  Whole low, high;
  for (const int most : most_nets(set, mechanism)) low.push_back(-most), high.push_back(most);
  std::map<Whole, bool> seen;
  TableLaw out;
  each_between(low, high, [&](const Whole& net) {
    Whole table = published;
    for (std::size_t c = 0; c < net.size(); ++c)
      for (std::size_t i = 0; i < table.size(); ++i) table[i] -= net[c] * cycles[c][i];
    if (*std::min_element(table.begin(), table.end()) < 0 || !seen.emplace(table, true).second)
      return;
    const TableLaw law = publish(set, mechanism, table);
    const auto at = law.find(published);
    if (at != law.end()) out[table] = at->second;
  });
  return out;
}

// Of several publications of one table together. A source has `cycles` and a `mechanism`.
template <class Sources>
TableLaw joint_originals(const Sources& sources, const std::vector<Whole>& published) {
  TableLaw all = originals(sources[0].cycles, sources[0].mechanism, published[0]);
  for (std::size_t k = 1; k < sources.size(); ++k) {
    const TableLaw other = originals(sources[k].cycles, sources[k].mechanism, published[k]);
    TableLaw both;
    for (const auto& [table, p] : all)
      if (other.count(table)) both[table] = p * other.at(table);
    all = std::move(both);
  }
  return all;
}

// Steps in any order, probabilities for all cycles or for each.
inline Mechanism random_mechanism(Dice& dice, const CycleSet& set, int steps, ZeroRule rule) {
  Mechanism out;
  out.rule = rule;
  const int n = static_cast<int>(set.size());
  for (int i = 0; i < steps; ++i) out.sequence.push_back(dice.below(n));
  for (int c = dice.below(2) ? 1 : n; c > 0; --c) {
    out.alpha.push_back(.1 * dice.below(6));
    out.beta.push_back(.1 * dice.below(6));
  }
  return out;
}

// One of the tables that a law holds.
inline Whole draw(const TableLaw& law, Dice& dice) {
  auto at = law.begin();
  std::advance(at, dice.below(static_cast<int>(law.size())));
  return at->first;
}

inline std::vector<double> as_doubles(const Whole& table) {
  return std::vector<double>(table.begin(), table.end());
}

inline double total(const TableLaw& law) {
  double out = 0;
  for (const auto& [table, p] : law) out += p;
  return out;
}

}  // namespace small_tables
