// Sets of cycles and exact laws that several tests of this room share.
#pragma once

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "perturb/change_laws.hpp"
#include "perturb/perturb.hpp"
#include "small_tables.hpp"

namespace risk_cases {

using namespace sdclattice;

using Counts = std::vector<std::int64_t>;
using Entries = std::vector<std::pair<int, int>>;

inline CycleSet set_of(std::size_t n_cells, const std::vector<Entries>& moves) {
  CycleSet set;
  set.n_cells = n_cells;
  for (const Entries& move : moves) {
    for (const auto& [cell, coef] : move) set.add(cell, static_cast<std::int8_t>(coef));
    set.close();
  }
  return set;
}

inline const Entries square{{0, 1}, {1, -1}, {2, -1}, {3, 1}};

inline std::map<std::size_t, ChangeLaw> laws_of(const Counts& counts, const CycleSet& set,
                                                const Mechanism& me, std::size_t max_tables) {
  std::map<std::size_t, ChangeLaw> out;
  forward_laws(counts, set, me, {max_tables, 1e9},
               [&](std::size_t cell, const ChangeLaw& law) { out[cell] = law; });
  return out;
}

inline double at(const ChangeLaw& law, int change) {
  const int i = change - law.lowest;
  return i < 0 || i >= static_cast<int>(law.probability.size()) ? 0 : law.probability[i];
}

// All coin sequences, with perturb() and one coin of each kind (alpha = beta = 1/4).
inline std::map<Counts, double> all_results(const Counts& counts, const CycleSet& set,
                                            const Mechanism& me) {
  constexpr std::uint64_t coin[] = {0, std::uint64_t(1) << 62, std::uint64_t(1) << 63};
  constexpr double weight[] = {.25, .25, .5};
  std::map<Counts, double> out;
  const std::size_t steps = me.sequence.size();
  for (std::size_t code = 0; code < static_cast<std::size_t>(std::pow(3, steps)); ++code) {
    std::vector<std::uint64_t> coins;
    double p = 1;
    for (std::size_t i = 0, rest = code; i < steps; ++i, rest /= 3) {
      coins.push_back(coin[rest % 3]);
      p *= weight[rest % 3];
    }
    out[perturb(counts, set, me, coins).counts] += p;
  }
  return out;
}

// Sets of any form.
struct SmallCase {
  CycleSet set;
  Mechanism mechanism;
  Counts original;
};

inline SmallCase small_case(small_tables::Dice& dice, int round) {
  SmallCase out;
  out.set = small_tables::random_cycles(dice, dice.between(2, 5), dice.between(1, 3), 2);
  out.mechanism = small_tables::random_mechanism(
      dice, out.set, dice.below(5), round % 2 ? ZeroRule::blocked : ZeroRule::nonnegative);
  for (std::size_t i = 0; i < out.set.n_cells; ++i) out.original.push_back(dice.below(6));
  return out;
}

}  // namespace risk_cases
