// Small random chains of any form, and the slow twin that walks along every path of one.
#pragma once

#include <map>
#include <memory>
#include <numeric>

#include "posterior/chain.hpp"
#include "small_tables.hpp"

namespace small_chains {

using namespace sdclattice;
using small_tables::Dice;

// A chain of some steps over messages of up to six states. Each step has up to two laws of its own,
// whose changes go from -2 to 2; the laws have any numbers.
inline std::vector<std::uint32_t> random_sizes(Dice& dice, int n_steps) {
  std::vector<std::uint32_t> out{1};
  constexpr std::uint32_t sizes[] = {1, 2, 3, 4, 6, 6};
  for (int j = 1; j < n_steps; ++j) out.push_back(sizes[dice.below(6)]);
  out.push_back(1);
  return out;
}

inline std::shared_ptr<const Kernel> random_kernel(Dice& dice, std::uint32_t n_from,
                                                   std::uint32_t n_to, std::uint32_t n_laws,
                                                   int most_change) {
  auto out = std::make_shared<Kernel>();
  out->n_from = n_from;
  out->n_to = n_to;
  out->n_laws = n_laws;
  Codes codes;
  for (std::uint32_t f = 0; f < n_from; ++f) {
    for (int e = dice.below(5); e > 0; --e) {
      Codes::Change change;
      for (std::uint32_t l = 0; l < n_laws; ++l)
        change.push_back(static_cast<std::int8_t>(dice.between(-most_change, most_change)));
      const auto to = static_cast<std::uint32_t>(dice.below(static_cast<int>(n_to)));
      out->entries.push_back({to, codes.get(change), .1 * (1 + dice.below(9))});
    }
    out->first.push_back(static_cast<std::uint32_t>(out->entries.size()));
  }
  codes.write(*out);
  return out;
}

// `like`: a chain whose numbers of laws are taken over, or nullptr.
inline Chain random_chain(Dice& dice, int n_steps, const Chain* like, int most_change) {
  Chain out;
  const auto sizes = random_sizes(dice, n_steps);
  for (int j = 0; j < n_steps; ++j) {
    const auto at = static_cast<std::size_t>(j);
    const std::uint32_t common = std::gcd(sizes[at], sizes[at + 1]);
    ChainStep step;
    step.lanes = dice.below(2) ? common : 1;
    const std::uint32_t n_laws =
        like ? like->steps[at].kernel->n_laws : static_cast<std::uint32_t>(dice.below(3));
    step.kernel = random_kernel(dice, sizes[at] / step.lanes, sizes[at + 1] / step.lanes, n_laws,
                                most_change);
    step.first_law = out.laws.size();
    for (std::uint32_t l = 0; l < n_laws; ++l)
      out.laws.push_back(static_cast<std::int32_t>(out.laws.size()));
    if (dice.below(2)) {
      std::vector<std::uint32_t> order(sizes[at]);
      std::iota(order.begin(), order.end(), 0U);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(dice.below(static_cast<int>(i)))]);
      step.permutation = std::make_shared<const std::vector<std::uint32_t>>(order);
    }
    out.steps.push_back(step);
  }
  std::reverse(out.laws.begin(), out.laws.end());  // numbers need not ascend
  return out;
}

using Changes = std::vector<int>;  // by the number of the law

// Calls act(changes, weight) at the end of every path.
template <class Act>
void walk(const Chain& chain, std::size_t j, std::size_t state, Changes& changes, double weight,
          Act&& act) {
  if (j == chain.steps.size()) {
    act(static_cast<const Changes&>(changes), weight);
    return;
  }
  const ChainStep& step = chain.steps[j];
  const Kernel& kernel = *step.kernel;
  std::size_t place = state;
  if (step.permutation)
    for (std::size_t i = 0; i < step.permutation->size(); ++i)
      if ((*step.permutation)[i] == state) place = i;
  const std::size_t from = place / step.lanes, lane = place % step.lanes;
  for (std::uint32_t e = kernel.first[from]; e < kernel.first[from + 1]; ++e) {
    const Kernel::Entry& entry = kernel.entries[e];
    for (std::uint32_t l = 0; l < kernel.n_laws; ++l)
      changes[static_cast<std::size_t>(chain.laws[step.first_law + l])] =
          kernel.delta[entry.code * kernel.n_laws + l];
    walk(chain, j + 1, std::size_t(entry.to) * step.lanes + lane, changes, weight * entry.weight,
         act);
  }
}

using ChangeLaw = std::map<Changes, double>;

// The weight of all paths that make the same changes.
inline ChangeLaw all_paths(const Chain& chain) {
  ChangeLaw out;
  Changes changes(chain.laws.size(), 0);
  walk(chain, 0, 0, changes, 1.0, [&](const Changes& c, double w) { out[c] += w; });
  return out;
}

inline double total(const ChangeLaw& law) {
  double out = 0;
  for (const auto& [changes, w] : law) out += w;
  return out;
}

// laws[l * (2 reach + 1) + reach + d]: the share of change d of law l.
inline std::vector<double> shares(const ChangeLaw& law, std::size_t n_laws, int reach) {
  const std::size_t width = 2 * static_cast<std::size_t>(reach) + 1;
  std::vector<double> out(n_laws * width, 0);
  const double all = total(law);
  for (const auto& [changes, w] : law)
    for (std::size_t l = 0; l < n_laws; ++l)
      out[l * width + static_cast<std::size_t>(reach + changes[l])] += w / all;
  return out;
}

inline double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = a.size() == b.size() ? 0 : 1e9;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace small_chains
