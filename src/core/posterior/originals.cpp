#include "posterior/originals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace sdclattice {
namespace {

constexpr double kSlack = 1e-10;  // relative rounding that never drops a word
constexpr double kTickWork = 2e6;

// Log prior weight of each code of a step.
std::vector<double> code_weights(const Chain& chain, const ChainStep& step,
                                 const LawWeights& weights) {
  const Kernel& kernel = *step.kernel;
  std::vector<double> out(kernel.n_codes, 0.0);
  if (!weights.data) return out;
  for (std::uint32_t c = 0; c < kernel.n_codes; ++c)
    for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
      out[c] += weights.get(chain.laws[step.first_law + k], kernel.delta[c * kernel.n_laws + k]);
  return out;
}

std::vector<std::uint32_t> invert(const std::vector<std::uint32_t>& permutation) {
  std::vector<std::uint32_t> out(permutation.size());
  for (std::uint32_t i = 0; i < permutation.size(); ++i) out[permutation[i]] = i;
  return out;
}

// Calls act(code, full state after, weight) for the ways on from a full state.
template <typename Act>
void ways_on(const ChainStep& step, const std::vector<double>& codes, std::uint32_t full,
             Act&& act) {
  const Kernel& kernel = *step.kernel;
  const std::uint32_t from = full / step.lanes, lane = full % step.lanes;
  for (std::uint32_t i = kernel.first[from]; i < kernel.first[from + 1]; ++i) {
    const Kernel::Entry& e = kernel.entries[i];
    if (codes[e.code] != kNever) act(e.code, e.to * step.lanes + lane, e.weight);
  }
}

// Looks now and then whether the user wants to stop.
class Counter {
 public:
  explicit Counter(const Tick& tick) : tick_(tick) {}
  void add(double work, double done) {
    since_ += work;
    if (since_ < kTickWork) return;
    since_ = 0;
    report(tick_, done);
  }

 private:
  const Tick& tick_;
  double since_ = 0;
};

// The number of paths: no fewer than words.
BigCount count_paths(const Chain& chain, const LawWeights& weights) {
  std::vector<BigCount> now{1}, next;
  for (const ChainStep& step : chain.steps) {
    const std::vector<double> codes = code_weights(chain, step, weights);
    next.assign(step.n_after(), 0);
    for (std::uint32_t i = 0; i < step.n_before(); ++i) {
      const BigCount& ways = now[step.permutation ? (*step.permutation)[i] : i];
      if (ways == 0) continue;
      ways_on(step, codes, i, [&](std::uint32_t, std::uint32_t to, double) { next[to] += ways; });
    }
    std::swap(now, next);
  }
  return now[0];
}

using Set = std::vector<std::uint32_t>;

}  // namespace

OriginalCount count_words(const Chain& chain, const LawWeights& weights, std::size_t max_sets,
                          const Tick& tick) {
  std::map<Set, BigCount> now{{{0}, 1}}, next;
  std::vector<Set> reached;
  Counter counter(tick);
  for (std::size_t j = 0; j < chain.steps.size(); ++j) {
    const ChainStep& step = chain.steps[j];
    const std::vector<double> codes = code_weights(chain, step, weights);
    const Set place = step.permutation ? invert(*step.permutation) : Set();
    next.clear();
    reached.resize(std::max<std::size_t>(reached.size(), step.kernel->n_codes));
    for (const auto& [set, count] : now) {
      for (std::uint32_t s : set)
        ways_on(step, codes, place.empty() ? s : place[s],
                [&](std::uint32_t code, std::uint32_t to, double) { reached[code].push_back(to); });
      for (std::uint32_t c = 0; c < step.kernel->n_codes; ++c) {
        Set& to = reached[c];
        if (to.empty()) continue;
        std::sort(to.begin(), to.end());
        to.erase(std::unique(to.begin(), to.end()), to.end());
        next[to] += count;
        to.clear();
      }
      if (next.size() > max_sets) return {count_paths(chain, weights), false};
      counter.add(static_cast<double>(set.size() * step.kernel->n_codes),
                  static_cast<double>(j) / static_cast<double>(chain.steps.size()));
    }
    std::swap(now, next);
  }
  return {now.empty() ? BigCount(0) : now.begin()->second, true};
}

OriginalCount count_originals(PosteriorModel& model, const Prior& prior, std::size_t max_sets,
                              const Tick& tick) {
  OriginalCount out{1, true};
  const auto on_chain = [&](const Chain& chain, const LawWeights& weights, const Tick& inside) {
    const OriginalCount part = count_words(chain, weights, max_sets, inside);
    out.count *= part.count;
    out.exact = out.exact && part.exact;
    return part.count == 0 ? kNever : 0.0;
  };
  const auto on_originals = [&](const std::vector<std::int32_t>&, const Originals& all) {
    out.count *= all.size();
    return 0.0;
  };
  model.visit(prior, tick, on_chain, on_originals);
  return out;
}

// ---- the most probable --------------------------------------------------------------------------

namespace {

// For each step and state an upper bound of the weight of any one ending, divided by the largest of
// the step: best over codes of the next step, where different states may go on differently.
class Bounds {
 public:
  Bounds(const Chain& chain, const std::vector<std::vector<double>>& codes)
      : of_(chain.steps.size() + 1), log_scale_(chain.steps.size() + 1, 0.0) {
    of_.back() = {1};
    for (std::size_t j = chain.steps.size(); j-- > 0;) {
      const ChainStep& step = chain.steps[j];
      std::vector<double> own(step.n_before(), 0.0), sum(step.kernel->n_codes, 0.0);
      const double top_code = *std::max_element(codes[j].begin(), codes[j].end());
      for (std::uint32_t i = 0; i < own.size(); ++i) {
        ways_on(step, codes[j], i, [&](std::uint32_t code, std::uint32_t to, double weight) {
          sum[code] += weight * std::exp(codes[j][code] - top_code) * of_[j + 1][to];
        });
        for (double& s : sum) own[i] = std::max(own[i], s), s = 0;
      }
      const double top = *std::max_element(own.begin(), own.end());
      if (top > 0)
        for (double& x : own) x /= top;
      log_scale_[j] = log_scale_[j + 1] + top_code + (top > 0 ? std::log(top) : kNever);
      of_[j].resize(own.size());
      for (std::size_t i = 0; i < own.size(); ++i)
        of_[j][step.permutation ? (*step.permutation)[i] : i] = own[i];
    }
  }
  // Log of the bound for a beginning that reached `set` before step j with these weights.
  double log_bound(std::size_t j, const Set& set, const std::vector<double>& weight) const {
    double sum = 0;
    for (std::size_t i = 0; i < set.size(); ++i) sum += weight[i] * of_[j][set[i]];
    return sum > 0 ? std::log(sum) + log_scale_[j] : kNever;
  }

 private:
  std::vector<std::vector<double>> of_;  // before each step, in the order that the one before left
  std::vector<double> log_scale_;
};

// A beginning: the states that it reaches with their weights, the largest of which is 1, the
// logarithm of its scale, and where it came from.
struct Beginning {
  Set set;
  std::vector<double> weight;
  double log_scale, log_bound;
  std::uint32_t parent, code;
};

struct Trace {
  std::uint32_t parent, code;
};

class Search {
 public:
  Search(const Chain& chain, const LawWeights& weights, const Tick& tick)
      : chain_(chain), counter_(tick) {
    for (const ChainStep& step : chain.steps) codes_.push_back(code_weights(chain, step, weights));
    bounds_ = std::make_unique<Bounds>(chain, codes_);
  }

  // Keeps at most `width` beginnings and none whose bound is below `at_least`.
  struct Found {
    double log_weight = kNever, log_dropped = kNever;
    std::vector<std::uint32_t> code;
  };
  Found run(std::size_t width, double at_least) {
    Found out;
    std::vector<Beginning> now{{{0}, {1.0}, 0, 0, 0, 0}}, next;
    std::vector<std::vector<Trace>> traces;
    for (std::size_t j = 0; j < chain_.steps.size() && !now.empty(); ++j) {
      expand(j, now, next, at_least);
      drop_dominated(next);
      if (next.size() > width) {
        std::stable_sort(next.begin(), next.end(), [](const Beginning& a, const Beginning& b) {
          return a.log_bound > b.log_bound;
        });
        out.log_dropped = std::max(out.log_dropped, next[width].log_bound);
        next.resize(width);
      }
      traces.emplace_back();
      for (const Beginning& b : next) traces.back().push_back({b.parent, b.code});
      std::swap(now, next);
    }
    if (now.empty()) return out;
    const auto best = std::max_element(
        now.begin(), now.end(),
        [](const Beginning& a, const Beginning& b) { return a.log_scale < b.log_scale; });
    out.log_weight = best->log_scale;
    out.code.resize(chain_.steps.size());
    auto at = static_cast<std::uint32_t>(best - now.begin());
    for (std::size_t j = chain_.steps.size(); j-- > 0; at = traces[j][at].parent)
      out.code[j] = traces[j][at].code;
    return out;
  }

 private:
  void expand(std::size_t j, const std::vector<Beginning>& now, std::vector<Beginning>& next,
              double at_least) {
    const ChainStep& step = chain_.steps[j];
    const Set place = step.permutation ? invert(*step.permutation) : Set();
    std::vector<std::map<std::uint32_t, double>> reached(step.kernel->n_codes);
    next.clear();
    for (std::uint32_t p = 0; p < now.size(); ++p) {
      const Beginning& from = now[p];
      for (std::size_t i = 0; i < from.set.size(); ++i)
        ways_on(step, codes_[j], place.empty() ? from.set[i] : place[from.set[i]],
                [&](std::uint32_t code, std::uint32_t to, double weight) {
                  reached[code][to] += from.weight[i] * weight;
                });
      for (std::uint32_t c = 0; c < reached.size(); ++c) {
        if (reached[c].empty()) continue;
        Beginning to{{}, {}, from.log_scale + codes_[j][c], kNever, p, c};
        double top = 0;
        for (const auto& [state, weight] : reached[c]) {
          to.set.push_back(state);
          to.weight.push_back(weight);
          top = std::max(top, weight);
        }
        reached[c].clear();
        for (double& w : to.weight) w /= top;
        to.log_scale += std::log(top);
        to.log_bound = to.log_scale + bounds_->log_bound(j + 1, to.set, to.weight);
        if (to.log_bound >= at_least - kSlack * (1 + std::fabs(at_least)))
          next.push_back(std::move(to));
      }
      counter_.add(static_cast<double>(from.set.size() * reached.size()),
                   static_cast<double>(j) / static_cast<double>(chain_.steps.size()));
    }
  }

  // Of beginnings with the same states, drops those that another is at least as good as in all.
  static void drop_dominated(std::vector<Beginning>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Beginning& a, const Beginning& b) {
      return a.set != b.set ? a.set < b.set : a.log_scale > b.log_scale;
    });
    std::vector<Beginning> kept;
    std::size_t first = 0;
    for (Beginning& b : all) {
      if (kept.empty() || kept[first].set != b.set) first = kept.size();
      bool dominated = false;
      for (std::size_t i = first; i < kept.size() && i < first + 64 && !dominated; ++i)
        dominated = dominates(kept[i], b);
      if (!dominated) kept.push_back(std::move(b));
    }
    all = std::move(kept);
  }
  static bool dominates(const Beginning& a, const Beginning& b) {
    const double scale = std::exp(b.log_scale - a.log_scale);
    for (std::size_t i = 0; i < a.weight.size(); ++i)
      if (a.weight[i] < b.weight[i] * scale) return false;
    return true;
  }

  const Chain& chain_;
  std::vector<std::vector<double>> codes_;
  std::unique_ptr<Bounds> bounds_;
  Counter counter_;
};

}  // namespace

double best_word(const Chain& chain, const LawWeights& weights, std::size_t max_words,
                 BestOriginal& best, const Tick& tick) {
  Search search(chain, weights, tick);
  Search::Found found = search.run(std::min<std::size_t>(max_words, 32), kNever);
  double log_bound = std::max(found.log_weight, found.log_dropped);
  if (found.log_dropped > found.log_weight) {
    Search::Found better = search.run(max_words, found.log_weight);
    if (better.log_weight > found.log_weight) {
      found.log_weight = better.log_weight;
      found.code = better.code;
    }
    log_bound = std::max(found.log_weight, better.log_dropped);
  }
  if (found.log_weight == kNever) return kNever;
  for (std::size_t j = 0; j < chain.steps.size(); ++j) {
    const Kernel& kernel = *chain.steps[j].kernel;
    for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
      best.change[chain.laws[chain.steps[j].first_law + k]] =
          kernel.delta[found.code[j] * kernel.n_laws + k];
  }
  best.log_weight += found.log_weight;
  best.log_bound += log_bound;
  best.exact =
      best.exact && log_bound <= found.log_weight + kSlack * (1 + std::fabs(found.log_weight));
  return found.log_weight;
}

BestOriginal best_original(PosteriorModel& model, const Prior& prior, std::size_t max_words,
                           const Tick& tick) {
  BestOriginal out;
  out.change.assign(model.n_laws(), 0);
  const auto on_chain = [&](const Chain& chain, const LawWeights& weights, const Tick& inside) {
    return best_word(chain, weights, max_words, out, inside);
  };
  const auto on_originals = [&](const std::vector<std::int32_t>& law_of, const Originals& all) {
    const auto at = std::max_element(all.weight.begin(), all.weight.end()) - all.weight.begin();
    for (std::size_t k = 0; k < law_of.size(); ++k) {
      const int shift = all.shift[static_cast<std::size_t>(at) * law_of.size() + k];
      out.change[static_cast<std::size_t>(std::abs(law_of[k]) - 1)] =
          static_cast<std::int8_t>(law_of[k] > 0 ? shift : -shift);
    }
    const double log_weight = all.log_evidence + std::log(all.weight[static_cast<std::size_t>(at)]);
    out.log_weight += log_weight;
    out.log_bound += log_weight;
    return log_weight;
  };
  const double sum = model.visit(prior, tick, on_chain, on_originals);
  out.log_bound += sum - out.log_weight;  // cells that never move, and the scale of the prior
  out.log_weight = sum;
  return out;
}

}  // namespace sdclattice
