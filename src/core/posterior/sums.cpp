#include "posterior/sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>

#include "base/error.hpp"
#include "base/wide.hpp"

namespace sdclattice {
namespace {

// The law of the sum of two independent sums.
SumLaw convolve(const SumLaw& a, const SumLaw& b) {
  SumLaw out{a.low + b.low,
             std::vector<double>(a.probability.size() + b.probability.size() - 1, 0.0)};
  for (std::size_t i = 0; i < a.probability.size(); ++i)
    for (std::size_t j = 0; j < b.probability.size(); ++j)
      out.probability[i + j] += a.probability[i] * b.probability[j];
  return out;
}

// Cuts off what is zero at both ends, and scales to a sum of 1.
void tidy(SumLaw& law) {
  std::vector<double>& p = law.probability;
  while (p.size() > 1 && p.back() == 0) p.pop_back();
  std::size_t zeros = 0;
  while (zeros + 1 < p.size() && p[zeros] == 0) ++zeros;
  p.erase(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(zeros));
  law.low += static_cast<std::int64_t>(zeros);
  double total = 0;
  for (double x : p) total += x;
  for (double& x : p) x /= total;
}

class ChainSum {
 public:
  ChainSum(const Chain& chain, const LawWeights& weights,
           const std::vector<std::int32_t>& coefficient, double& budget, const Tick& tick)
      : chain_(chain), weights_(weights), coefficient_(coefficient), budget_(budget), tick_(tick) {}

  // Numbers are wide: sums have long tails.
  double run(SumLaw& law) {
    const double products = charge();
    double done = 0;
    std::vector<Wide> now(1, Wide(1)), next;
    std::int64_t low = 0, high = 0;
    for (const ChainStep& step : chain_.steps) {
      report(tick_, done / products);
      weigh_codes(step);
      const auto [least, most] = std::minmax_element(shift_.begin(), shift_.end());
      const std::int64_t to_low = low + *least, to_high = high + *most;
      const auto values = static_cast<std::size_t>(high - low + 1);
      const auto to_values = static_cast<std::size_t>(to_high - to_low + 1);
      done += products_of(step, low, high);
      next.assign(step.n_after() * to_values, Wide());
      for (std::uint32_t i = 0; i < step.n_before(); ++i) {
        const Wide* a = now.data() + (step.permutation ? (*step.permutation)[i] : i) * values;
        if (std::all_of(a, a + values, [](const Wide& x) { return x.zero(); })) continue;
        const std::uint32_t from = i / step.lanes, lane = i % step.lanes;
        for (std::uint32_t e = step.kernel->first[from]; e < step.kernel->first[from + 1]; ++e) {
          const Kernel::Entry& entry = step.kernel->entries[e];
          const Wide w = Wide(entry.weight) * code_[entry.code];
          Wide* b = next.data() +
                    (static_cast<std::size_t>(entry.to) * step.lanes + lane) * to_values +
                    (low + shift_[entry.code] - to_low);
          for (std::size_t v = 0; v < values; ++v)
            if (!a[v].zero()) b[v] += w * a[v];
        }
      }
      std::swap(now, next);
      low = to_low, high = to_high;
    }
    Wide total;
    for (const Wide& x : now) total += x;
    if (total.zero()) return kNever;
    law.low = low;
    law.probability.clear();
    for (const Wide& x : now) law.probability.push_back(x.ratio(total));
    return total.log();
  }

 private:
  // By how much each code of a step changes the sum.
  void shift_codes(const ChainStep& step) {
    const Kernel& kernel = *step.kernel;
    shift_.assign(std::max<std::size_t>(1, kernel.n_codes), 0);
    for (std::uint32_t c = 0; c < kernel.n_codes; ++c)
      for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
        shift_[c] += static_cast<std::int64_t>(
                         coefficient_[static_cast<std::size_t>(chain_.laws[step.first_law + k])]) *
                     kernel.delta[c * kernel.n_laws + k];
  }
  void weigh_codes(const ChainStep& step) {
    const Kernel& kernel = *step.kernel;
    shift_codes(step);
    code_.assign(kernel.n_codes, Wide(1));
    if (!weights_.data) return;
    for (std::uint32_t c = 0; c < kernel.n_codes; ++c) {
      double log_weight = 0;
      for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
        log_weight +=
            weights_.get(chain_.laws[step.first_law + k], kernel.delta[c * kernel.n_laws + k]);
      code_[c] = Wide::exp(log_weight);
    }
  }
  static double products_of(const ChainStep& step, std::int64_t low, std::int64_t high) {
    return static_cast<double>(step.kernel->entries.size()) * step.lanes *
           static_cast<double>(high - low + 1);
  }
  // What the whole chain will take, so that too much is refused before anything is done.
  double charge() {
    double products = 0;
    std::int64_t low = 0, high = 0;
    for (const ChainStep& step : chain_.steps) {
      products += products_of(step, low, high);
      shift_codes(step);
      const auto [least, most] = std::minmax_element(shift_.begin(), shift_.end());
      low += *least, high += *most;
    }
    budget_ -= products;
    if (budget_ < 0)
      throw TooLargeError(
          "The sum has too many values along the chain of cycles for exact messages.");
    return std::max(1.0, products);
  }

  const Chain& chain_;
  const LawWeights& weights_;
  const std::vector<std::int32_t>& coefficient_;
  double& budget_;
  const Tick& tick_;
  std::vector<Wide> code_;
  std::vector<std::int64_t> shift_;
};

// Which laws lie on a cycle that changes the sum. Where none of a component does, as for a margin
// that the set keeps, the sum is what was published.
std::vector<char> find_moving(const Linkage& linkage,
                              const std::vector<std::int32_t>& coefficient) {
  std::vector<std::int64_t> of_cycle(linkage.n_cycles, 0);
  for (std::size_t law = 0; law < linkage.n_laws(); ++law)
    for (std::size_t e = linkage.law_start[law]; e < linkage.law_start[law + 1]; ++e)
      of_cycle[linkage.law_cycle[e]] +=
          static_cast<std::int64_t>(coefficient[law]) * linkage.law_coef[e];
  std::vector<char> out(linkage.n_laws(), 0);
  for (std::size_t law = 0; law < linkage.n_laws(); ++law)
    for (std::size_t e = linkage.law_start[law]; e < linkage.law_start[law + 1]; ++e)
      if (of_cycle[linkage.law_cycle[e]] != 0) out[law] = 1;
  return out;
}

}  // namespace

SumLaw sum_changes(PosteriorModel& model, const Prior& prior,
                   const std::vector<std::int32_t>& coefficient, double max_products,
                   const Tick& tick) {
  SumLaw out;
  double budget = max_products;
  const std::vector<char> moving = find_moving(model.linkage(), coefficient);
  const auto add = [&](SumLaw part) {
    tidy(part);
    out = convolve(out, part);
  };
  const auto on_chain = [&](const Chain& chain, const LawWeights& weights, const Tick& inside) {
    const bool concerned = std::any_of(chain.laws.begin(), chain.laws.end(), [&](std::int32_t law) {
      return moving[static_cast<std::size_t>(law)] != 0;
    });
    if (!concerned) return chain_evidence(chain, weights, inside);
    SumLaw part;
    const double log_evidence = ChainSum(chain, weights, coefficient, budget, inside).run(part);
    if (log_evidence != kNever) add(std::move(part));
    return log_evidence;
  };
  const auto on_originals = [&](const std::vector<std::int32_t>& law_of, const Originals& all) {
    std::vector<std::size_t> first;  // a cell for each law
    std::map<std::int32_t, std::size_t> met;
    for (std::size_t k = 0; k < law_of.size(); ++k)
      if (met.emplace(std::abs(law_of[k]), k).second) first.push_back(k);
    std::map<std::int64_t, double> mass;
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::int64_t sum = 0;
      for (std::size_t k : first) {
        const int shift = all.shift[i * law_of.size() + k];
        sum += static_cast<std::int64_t>(
                   coefficient[static_cast<std::size_t>(std::abs(law_of[k]) - 1)]) *
               (law_of[k] > 0 ? shift : -shift);
      }
      mass[sum] += all.weight[i];
    }
    SumLaw part{mass.begin()->first,
                std::vector<double>(
                    static_cast<std::size_t>(mass.rbegin()->first - mass.begin()->first) + 1, 0.0)};
    for (const auto& [sum, weight] : mass)
      part.probability[static_cast<std::size_t>(sum - part.low)] += weight;
    add(std::move(part));
    return all.log_evidence;
  };
  model.visit(prior, tick, on_chain, on_originals);
  return out;
}

}  // namespace sdclattice
