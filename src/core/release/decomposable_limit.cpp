#include "release/decomposable_limit.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

namespace {

constexpr double kNoBound = -1;

bool inside(SubTable part, SubTable whole) {
  return (part & ~whole) == 0;
}

// The largest gain of each variable from an admissible set seen so far: what the set is worth more
// than the set without the variable. `holding`: of the sets that hold a certain forced set.
struct Gains {
  std::vector<double> any;
  std::vector<std::vector<double>> holding;
};

}  // namespace

// A chordal graph has a perfect elimination order that ends in any of its cliques; take the clique
// Q that is worth most. Every other variable v is then eliminated with later neighbours A such that
// A + v is in some clique, hence admissible and worth at most as much as Q, and the release is
// worth the sum of Q and of the gains (A + v) - A. So the sets are taken in the order of their
// worth, the largest gain of each variable is kept, and each set is tried as Q. With unit values
// this is 2^q - 1 + sum of 2^(min(s_v, q) - 1).
//
// The first variable of a forced set F to be eliminated, when not all of F is in Q, has the rest of
// F among its later neighbours: one variable of F outside of Q gains no more than from a set that
// holds F. Of several forced sets the one is counted that lowers the limit most.
//
// By level the graph is one of steps, in which coarser steps have all neighbours of finer ones. So
// where a step can be eliminated the finest one of its variable that is left can, and the graph
// stays of this kind: each variable goes from fine to coarse, and a step gains what the closed sets
// are worth in which it is the finest of its variable.
double decomposable_limit(const LevelSteps& steps, const std::vector<SubTable>& admissible,
                          const AdditiveUtility& utility, const std::vector<SubTable>& forced) {
  const std::size_t n_variables = steps.n_steps();
  std::vector<std::pair<double, SubTable>> by_worth;
  for (SubTable set : admissible) by_worth.emplace_back(utility.below(set), set);
  std::sort(by_worth.begin(), by_worth.end());

  Gains gains{std::vector<double>(n_variables, kNoBound), {}};
  gains.holding.assign(forced.size(), gains.any);
  const auto look_at = [&](double worth, SubTable set) {
    for (std::size_t v = 0; v < n_variables; ++v) {
      if ((set >> v & 1) == 0) continue;
      const SubTable below = set & ~steps.from_step(v), with = below | SubTable{1} << v;
      const double own = with == set ? worth : utility.below(with);
      const double gain = own - utility.below(below);
      gains.any[v] = std::max(gains.any[v], gain);
      for (std::size_t f = 0; f < forced.size(); ++f)
        if (inside(forced[f], set)) gains.holding[f][v] = std::max(gains.holding[f][v], gain);
    }
  };
  // What F lowers, or more than everything when it cannot be kept beside Q.
  const auto cut = [&](std::size_t f, SubTable last, double all) {
    if (inside(forced[f], last)) return 0.0;
    double least = all + 1;
    for (std::size_t v = 0; v < n_variables; ++v)
      if ((forced[f] & ~last) >> v & 1 && gains.holding[f][v] != kNoBound)
        least = std::min(least, gains.any[v] - gains.holding[f][v]);
    return least;
  };
  const auto with_last = [&](double worth, SubTable last) {
    double sum = worth, largest_cut = 0;
    for (std::size_t v = 0; v < n_variables; ++v) {
      if ((last >> v & 1) != 0) continue;
      if (gains.any[v] == kNoBound) return kNoBound;
      sum += gains.any[v];
    }
    for (std::size_t f = 0; f < forced.size(); ++f)
      largest_cut = std::max(largest_cut, cut(f, last, sum));
    return largest_cut > sum ? kNoBound : sum - largest_cut;
  };

  double limit = kNoBound;
  for (std::size_t from = 0, to = 0; from < by_worth.size(); from = to) {
    for (; to < by_worth.size() && by_worth[to].first == by_worth[from].first; ++to)
      look_at(by_worth[to].first, by_worth[to].second);
    for (std::size_t i = from; i < to; ++i)
      limit = std::max(limit, with_last(by_worth[i].first, by_worth[i].second));
  }
  return limit;
}

double decomposable_limit(std::size_t n_variables, const std::vector<SubTable>& admissible,
                          const AdditiveUtility& utility, const std::vector<SubTable>& forced) {
  return decomposable_limit(LevelSteps(n_variables), admissible, utility, forced);
}

}  // namespace sdclattice
