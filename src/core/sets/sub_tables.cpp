#include "sets/sub_tables.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMaxIntersections = 20000000;

std::size_t mask_of(const VariableSet& set) {
  std::size_t mask = 0;
  for (std::uint32_t v : set) mask |= std::size_t{1} << v;
  return mask;
}

std::vector<char> mark(std::size_t n, const std::vector<VariableSet>& sets) {
  assert(n <= kEnumerated);
  std::vector<char> out(std::size_t{1} << n, 0);
  for (const VariableSet& set : sets) out[mask_of(set)] = 1;
  return out;
}

std::vector<VariableSet> maximal(const std::vector<VariableSet>& sets) {
  std::vector<VariableSet> out;
  for (std::size_t at : frontier_of(sets)) out.push_back(sets[at]);
  return out;
}

// Adds up a measure over the union of the power sets of some sets: each power set, less what it
// shares with those before, which is again such a union.
class UnionOfPowerSets {
 public:
  UnionOfPowerSets(const SetMeasure& measure, const Tick& tick) : measure_(measure), tick_(tick) {}

  void add(const std::vector<VariableSet>& sets, double sign) {
    if (++n_steps_ > kMaxIntersections)
      throw TooLargeError("The frontier has too many sub-tables that overlap to be counted.");
    if (n_steps_ % 4096 == 0) report(tick_, 0);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      measure_(sets[i], sign);
      if (i == 0) continue;
      std::vector<VariableSet> shared;
      for (std::size_t j = 0; j < i; ++j) shared.push_back(set_common(sets[i], sets[j]));
      add(maximal(shared), -sign);
    }
  }

 private:
  const SetMeasure& measure_;
  const Tick& tick_;
  std::size_t n_steps_ = 0;
};

bool hits(const VariableSet& set, const std::vector<char>& wanted) {
  return std::any_of(set.begin(), set.end(), [&](std::uint32_t v) { return wanted[v] != 0; });
}

}  // namespace

std::vector<char> lay_out_below(std::size_t n, const std::vector<VariableSet>& sets) {
  std::vector<char> out = mark(n, sets);
  for (std::size_t bit = 1; bit < out.size(); bit <<= 1)
    for (std::size_t m = 0; m < out.size(); ++m)
      if ((m & bit) != 0 && out[m] != 0) out[m ^ bit] = 1;
  return out;
}

std::vector<char> lay_out_above(std::size_t n, const std::vector<VariableSet>& sets) {
  std::vector<char> out = mark(n, sets);
  for (std::size_t bit = 1; bit < out.size(); bit <<= 1)
    for (std::size_t m = 0; m < out.size(); ++m)
      if ((m & bit) == 0 && out[m] != 0) out[m | bit] = 1;
  return out;
}

void measure_below(const std::vector<VariableSet>& sets, const SetMeasure& measure,
                   const Tick& tick) {
  UnionOfPowerSets(measure, tick).add(maximal(sets), 1);
}

std::vector<double> count_below(std::size_t n, const std::vector<VariableSet>& sets,
                                const Tick& tick) {
  std::vector<double> out(n + 1, 0);
  if (n <= kEnumerated) {
    const std::vector<char> below = lay_out_below(n, sets);
    for (std::size_t m = 0; m < below.size(); ++m)
      if (below[m] != 0) ++out[static_cast<std::size_t>(__builtin_popcountll(m))];
    return out;
  }
  const auto by_dimension = [&](const VariableSet& set, double sign) {
    double choose = 1;
    for (std::size_t d = 0; d <= set.size(); ++d) {
      out[d] += sign * choose;
      choose = choose * static_cast<double>(set.size() - d) / static_cast<double>(d + 1);
    }
  };
  measure_below(sets, by_dimension, tick);
  return out;
}

double sum_below(std::size_t n, const std::vector<VariableSet>& sets,
                 const std::vector<double>& factors, const Tick& tick) {
  double sum = 0;
  if (n <= kEnumerated) {
    const std::vector<char> below = lay_out_below(n, sets);
    std::vector<double> product(below.size(), 1);
    for (std::size_t v = 0; v < n; ++v)
      for (std::size_t m = std::size_t{1} << v, end = 2 * m; m < end; ++m)
        product[m] = product[m ^ (std::size_t{1} << v)] * factors[v];
    for (std::size_t m = 1; m < below.size(); ++m)
      if (below[m] != 0) sum += product[m];
    return sum;
  }
  const auto add = [&](const VariableSet& set, double sign) {
    double product = 1;
    for (std::uint32_t v : set) product *= 1 + factors[v];
    sum += sign * (product - 1);
  };
  measure_below(sets, add, tick);
  return sum;
}

std::vector<VariableSet> minimal_outside(std::size_t n, const std::vector<VariableSet>& sets,
                                         std::size_t limit, const Tick& tick) {
  std::vector<VariableSet> found = {{}};
  for (const VariableSet& set : maximal(sets)) {
    report(tick, 0);
    std::vector<char> missing(n, 1);
    for (std::uint32_t v : set) missing[v] = 0;
    std::vector<VariableSet> next, stuck;
    for (VariableSet& t : found) (hits(t, missing) ? next : stuck).push_back(std::move(t));
    const std::size_t n_kept = next.size();
    for (const VariableSet& t : stuck) {
      poll();
      for (std::uint32_t v = 0; v < n; ++v) {
        if (missing[v] == 0) continue;
        VariableSet grown = set_union_of(t, {v});
        const auto inside = [&](const VariableSet& kept) { return set_contains(grown, kept); };
        if (std::any_of(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(n_kept), inside))
          continue;
        next.push_back(std::move(grown));
        if (next.size() > limit)
          throw TooLargeError("There are too many minimal sub-tables outside of the release.");
      }
    }
    found = std::move(next);
  }
  const auto smaller = [](const VariableSet& a, const VariableSet& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::sort(found.begin(), found.end(), smaller);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace sdclattice
