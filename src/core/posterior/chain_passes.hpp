// The passes over a chain: its evidence, the laws of its changes, and draws.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/tick.hpp"
#include "posterior/chain.hpp"
#include "posterior/chain_numbers.hpp"
#include "posterior/chain_steps.hpp"

namespace sdclattice {

constexpr double kTickWork = 2e7;  // products between two looks at the user's interrupts

// The forward pass and what follows from it.
template <typename Number>
class Passes {
 public:
  // `keep` the messages, as add_laws() and sample() need them.
  Passes(const Chain& chain, const LawWeights& weights, bool keep, const Tick& tick)
      : chain_(chain), weights_(weights), keep_(keep), tick_(tick), work_(chain_work(chain)) {
    double bytes = 0;
    for (const ChainStep& step : chain.steps)
      bytes += sizeof(Number) * static_cast<double>(step.n_before());
    stride_ = chain_stride(chain.steps.size(), bytes);
    run_forward();
  }

  double log_evidence() const { return log_evidence_; }

  // False if a message came to nothing on the way.
  bool add_laws(int reach, double* laws) {
    std::vector<Number> after(1, Number(1)), before;
    for (std::size_t j = chain_.steps.size(); j-- > 0;) {
      const ChainStep& step = chain_.steps[j];
      before.assign(step.n_before(), Number());
      if (!step_back(step, at(j), after.data(), before.data(), reach, laws)) return false;
      rescale(before.data(), before.size());
      put_back(step, before, after);
      worked(step);
    }
    return true;
  }

  // Draws of n paths at once, so that kept messages are used for all.
  void sample(std::size_t n, std::size_t n_laws, const std::function<double()>& uniform,
              std::int8_t* shifts) {
    std::vector<std::size_t> full(n, 0);
    for (std::size_t j = chain_.steps.size(); j-- > 0;) {
      const Number* message = at(j);
      weigh_codes(chain_.steps[j]);
      for (std::size_t i = 0; i < n; ++i)
        full[i] = draw_back(chain_.steps[j], message, full[i], uniform(), shifts + i * n_laws);
    }
  }

 private:
  // The message before step j, in the step's own order.
  const Number* at(std::size_t j) {
    const std::size_t segment = j / stride_;
    if (segment != segment_) {
      std::vector<Number> now = starts_[segment];
      run_segment(segment, now);
    }
    return kept_.data() + offset_[j - segment * stride_];
  }

  void worked(const ChainStep& step) {
    const double more = static_cast<double>(step.kernel->entries.size()) * step.lanes;
    done_ += more;
    since_tick_ += more;
    if (since_tick_ < kTickWork) return;
    since_tick_ = 0;
    report(tick_, std::min(1.0, done_ / (work_ * (keep_ ? 2 : 1))));
  }

  // The prior weight of each code of a step; empty: all 1.
  void weigh_codes(const ChainStep& step) {
    code_.clear();
    if (!weights_.data) return;
    const Kernel& kernel = *step.kernel;
    for (std::uint32_t c = 0; c < kernel.n_codes; ++c) {
      double sum = 0;
      for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
        sum += weights_.get(chain_.laws[step.first_law + k], kernel.delta[c * kernel.n_laws + k]);
      code_.push_back(exp_as(sum, Number()));
    }
  }
  const Number* codes() const { return code_.empty() ? nullptr : code_.data(); }
  Number weight(const Kernel::Entry& e) const {
    return code_.empty() ? Number(e.weight) : Number(e.weight) * code_[e.code];
  }

  void run_forward() {
    std::vector<Number> now(1, Number(1));
    log_evidence_ = 0;
    for (std::size_t k = 0; k * stride_ < chain_.steps.size() && log_evidence_ != kNever; ++k) {
      if (keep_) starts_.push_back(now);
      log_evidence_ += run_segment(k, now);
    }
    if (log_evidence_ != kNever) log_evidence_ += log_of(now[0]);
  }

  // Moves a message on over the steps of a segment; returns the logarithm of its scale.
  double run_segment(std::size_t segment, std::vector<Number>& now) {
    segment_ = segment;
    kept_.clear();
    offset_.clear();
    std::vector<Number> next;
    double log_scale = 0;
    const std::size_t end = std::min(chain_.steps.size(), (segment + 1) * stride_);
    for (std::size_t j = segment * stride_; j < end; ++j) {
      const ChainStep& step = chain_.steps[j];
      if (step.permutation) {
        next.resize(now.size());
        for (std::size_t i = 0; i < now.size(); ++i) next[i] = now[(*step.permutation)[i]];
        std::swap(now, next);
      }
      if (keep_) {
        offset_.push_back(kept_.size());
        kept_.insert(kept_.end(), now.begin(), now.end());
      }
      weigh_codes(step);
      next.assign(step.n_after(), Number());
      step_on(step, now.data(), next.data());
      const double top = rescale(next.data(), next.size());
      if (top == 0) return kNever;
      log_scale += std::log(top);
      std::swap(now, next);
      worked(step);
    }
    return log_scale;
  }

  void step_on(const ChainStep& step, const Number* from, Number* to) const {
    if (step.lanes == 1) return sdclattice::step_on(*step.kernel, codes(), from, to, One{});
    sdclattice::step_on(*step.kernel, codes(), from, to, std::size_t{step.lanes});
  }

  bool step_back(const ChainStep& step, const Number* from, const Number* after, Number* before,
                 int reach, double* laws) {
    weigh_codes(step);
    mass_.assign(step.kernel->n_codes, Number());
    if (step.lanes == 1)
      sdclattice::step_back(*step.kernel, codes(), from, after, before, mass_.data(), One{});
    else
      sdclattice::step_back(*step.kernel, codes(), from, after, before, mass_.data(),
                            std::size_t{step.lanes});
    return spread_mass(step, reach, laws);
  }

  bool spread_mass(const ChainStep& step, int reach, double* laws) const {
    const Kernel& kernel = *step.kernel;
    Number total{};
    for (const Number& m : mass_) total += m;
    if (is_zero(total)) return false;
    const std::size_t width = 2 * static_cast<std::size_t>(reach) + 1;
    for (std::uint32_t c = 0; c < kernel.n_codes; ++c) {
      if (is_zero(mass_[c])) continue;
      const double share = ratio(mass_[c], total);
      for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
        laws[static_cast<std::size_t>(chain_.laws[step.first_law + k]) * width +
             static_cast<std::size_t>(reach + kernel.delta[c * kernel.n_laws + k])] += share;
    }
    return true;
  }

  // Takes a message back into the order that the step before left.
  static void put_back(const ChainStep& step, const std::vector<Number>& message,
                       std::vector<Number>& out) {
    out.resize(message.size());
    for (std::size_t i = 0; i < message.size(); ++i)
      out[step.permutation ? (*step.permutation)[i] : i] = message[i];
  }

  // Draws the entry by which a path came to state `full`; returns the state before.
  std::size_t draw_back(const ChainStep& step, const Number* message, std::size_t full, double u,
                        std::int8_t* shift) {
    const Kernel& kernel = *step.kernel;
    const std::size_t to = full / step.lanes, lane = full % step.lanes;
    const Arrivals& arrivals = arrivals_.try_emplace(&kernel, kernel).first->second;
    ways_.clear();
    Number total{};
    for (std::uint32_t k = arrivals.first[to]; k < arrivals.first[to + 1]; ++k) {
      const std::uint32_t i = arrivals.entry[k], f = arrivals.from[k];
      const Number& a = message[std::size_t{f} * step.lanes + lane];
      if (is_zero(a)) continue;
      ways_.push_back({i, f, a * weight(kernel.entries[i])});
      total += ways_.back().mass;
    }
    const Way* picked = nullptr;
    for (const Way& way : ways_) {
      const double share = ratio(way.mass, total);
      if (share <= 0) continue;
      picked = &way;
      if (u < share) break;
      u -= share;
    }
    assert(picked != nullptr);
    for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
      shift[chain_.laws[step.first_law + k]] =
          kernel.delta[kernel.entries[picked->entry].code * kernel.n_laws + k];
    full = std::size_t{picked->from} * step.lanes + lane;
    return step.permutation ? (*step.permutation)[full] : full;
  }

  struct Way {
    std::uint32_t entry, from;
    Number mass;
  };

  const Chain& chain_;
  const LawWeights& weights_;
  bool keep_;
  const Tick& tick_;
  double work_, done_ = 0, since_tick_ = 0;
  double log_evidence_ = kNever;
  std::size_t stride_ = 1, segment_ = 0;
  std::vector<std::vector<Number>> starts_;  // of segments
  std::vector<Number> kept_;                 // of the segment at hand
  std::vector<std::size_t> offset_;
  std::vector<Number> code_, mass_;
  std::vector<Way> ways_;
  std::unordered_map<const Kernel*, Arrivals> arrivals_;
};

}  // namespace sdclattice
