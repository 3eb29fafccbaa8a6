#include "release/additive_utility.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/bits.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

bool all_whole(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == std::floor(value); });
}

}  // namespace

AdditiveUtility::AdditiveUtility(std::vector<double> factors, std::vector<SubTable> sets,
                                 std::vector<double> values)
    : AdditiveUtility(factors, std::move(sets), std::move(values), LevelSteps(factors.size())) {}

AdditiveUtility::AdditiveUtility(std::vector<double> factors, std::vector<SubTable> sets,
                                 std::vector<double> values, LevelSteps steps)
    : factors_(std::move(factors)),
      sets_(std::move(sets)),
      values_(std::move(values)),
      steps_(std::move(steps)),
      whole_(all_whole(factors_) && all_whole(values_)) {
  assert(sets_.size() == values_.size());
}

bool AdditiveUtility::counts_sub_tables() const {
  return std::all_of(factors_.begin(), factors_.end(), [](double f) { return f == 1; }) &&
         std::all_of(values_.begin(), values_.end(), [](double value) { return value == 0; });
}

double AdditiveUtility::of(SubTable set) const {
  if (set == 0) return 0;
  double product = 1, listed = 0;
  for (std::size_t v = 0; v < factors_.size(); ++v)
    if ((set >> v & 1) != 0) product *= factors_[v];
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if (sets_[i] == set) listed += values_[i];
  return product + listed;
}

double AdditiveUtility::gain(std::size_t step, SubTable clique) const {
  const SubTable one = SubTable{1} << step, all = clique | one;
  const double product = factors_[step] * product_inside(clique, one);
  double listed = 0;
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if ((sets_[i] & one) != 0 && (sets_[i] & ~all) == 0) listed += values_[i];
  return product + listed;
}

double AdditiveUtility::product_inside(SubTable set, SubTable but) const {
  double product = 1;
  for (std::size_t v = 0; v < steps_.n_variables(); ++v) {
    const SubTable own = steps_.steps_of(v);
    if ((own & but) != 0) continue;
    double sum = 1;
    for (SubTable left = set & own; left != 0; left &= left - 1)
      sum += factors_[static_cast<std::size_t>(lowest_bit(left))];
    product *= sum;
  }
  return product;
}

double AdditiveUtility::below(SubTable set) const {
  const double product = product_inside(set);
  double listed = 0;
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if ((sets_[i] & ~set) == 0) listed += values_[i];
  return product - 1 + listed;
}

double AdditiveUtility::with_edge(SubTable within, std::size_t u, std::size_t v) const {
  const SubTable edge = SubTable{1} << u | SubTable{1} << v;
  const double product = factors_[u] * factors_[v] * product_inside(within, edge);
  double listed = 0;
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if ((sets_[i] & ~within) == 0 && (edge & ~sets_[i]) == 0) listed += values_[i];
  return product + listed;
}

double AdditiveUtility::release(const std::vector<SubTable>& cliques,
                                const std::vector<SubTable>& separators) const {
  double sum = 0;
  for (SubTable clique : cliques) sum += below(clique);
  for (SubTable separator : separators) sum -= below(separator);
  return sum;
}

double sum_inside(const LevelSteps& steps, const std::vector<SubTable>& sets,
                  const AdditiveUtility& utility) {
  if (steps.n_places() > 0x1p25)
    throw TooLargeError("Values are summed over at most 2^25 sub-tables at levels.");
  const std::vector<char> inside = lay_out_below(steps, sets);
  double sum = 0;
  for_closed_sets(steps, [&](std::size_t place, SubTable set) {
    if (inside[place] != 0) sum += utility.of(steps.last_steps(set));
  });
  return sum;
}

}  // namespace sdclattice
