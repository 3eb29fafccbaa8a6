#include "posterior/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <unordered_map>

#include "base/wide.hpp"

namespace sdclattice {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double tick_work = 2e7;  // products between two looks at the user's interrupts
constexpr double max_range = 60;   // of a law's log weights, for messages of doubles
constexpr double many_bytes = 2.5e8;

bool is_zero(double x) {
  return x == 0;
}
bool is_zero(const Wide& x) {
  return x.zero();
}
double ratio(double a, double b) {
  return a / b;
}
double ratio(const Wide& a, const Wide& b) {
  return a.ratio(b);
}
double log_of(double x) {
  return x > 0 ? std::log(x) : never;
}
double log_of(const Wide& x) {
  return x.log();
}
double exp_as(double x, double) {
  return std::exp(x);
}
Wide exp_as(double x, const Wide&) {
  return Wide::exp(x);
}

// Divides a message by its largest number and returns that; wide numbers stay as they are.
double rescale(double* message, std::size_t n) {
  double top = 0;
  for (std::size_t i = 0; i < n; ++i) top = std::max(top, message[i]);
  if (top == 0) return 0;
  const double by = 1 / top;
  if (by > std::numeric_limits<double>::max()) {
    for (std::size_t i = 0; i < n; ++i) message[i] /= top;
  } else {
    for (std::size_t i = 0; i < n; ++i) message[i] *= by;
  }
  return top;
}
double rescale(Wide* message, std::size_t n) {
  return std::all_of(message, message + n, [](const Wide& x) { return x.zero(); }) ? 0 : 1;
}

using One = std::integral_constant<std::size_t, 1>;

// b += w a, four by four where there are so many: compilers make vector instructions of that.
template <typename Number>
void add_scaled(const Number& w, const Number* a, Number* b, std::size_t n) {
  std::size_t u = 0;
  for (; u + 4 <= n; u += 4) {
    const Number s[4] = {b[u] + w * a[u], b[u + 1] + w * a[u + 1], b[u + 2] + w * a[u + 2],
                         b[u + 3] + w * a[u + 3]};
    for (int q = 0; q < 4; ++q) b[u + q] = s[q];
  }
  for (; u < n; ++u) b[u] += w * a[u];
}

template <typename Number>
Number dot(const Number* a, const Number* b, std::size_t n) {
  Number sum[4] = {};
  std::size_t u = 0;
  for (; u + 4 <= n; u += 4)
    for (int q = 0; q < 4; ++q) sum[q] += a[u + q] * b[u + q];
  for (; u < n; ++u) sum[0] += a[u] * b[u];
  sum[0] += sum[1];
  sum[2] += sum[3];
  sum[0] += sum[2];
  return sum[0];
}

template <typename Number>
bool all_zero(const Number* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (!is_zero(x[i])) return false;
  return true;
}

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
    if (since_tick_ < tick_work) return;
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
  Number weight(const Kernel::Entry& e) const {
    return code_.empty() ? Number(e.weight) : Number(e.weight) * code_[e.code];
  }

  void run_forward() {
    std::vector<Number> now(1, Number(1));
    log_evidence_ = 0;
    for (std::size_t k = 0; k * stride_ < chain_.steps.size() && log_evidence_ != never; ++k) {
      if (keep_) starts_.push_back(now);
      log_evidence_ += run_segment(k, now);
    }
    if (log_evidence_ != never) log_evidence_ += log_of(now[0]);
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
      if (top == 0) return never;
      log_scale += std::log(top);
      std::swap(now, next);
      worked(step);
    }
    return log_scale;
  }

  void step_on(const ChainStep& step, const Number* from, Number* to) const {
    if (step.lanes == 1) return step_on_lanes(step, from, to, One{});
    step_on_lanes(step, from, to, static_cast<std::size_t>(step.lanes));
  }

  // The same for a single lane, where sums stay in registers.
  void step_on_lanes(const ChainStep& step, const Number* from, Number* to, One) const {
    const Kernel& kernel = *step.kernel;
    const Number* code = code_.empty() ? nullptr : code_.data();
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      const Number a = from[f];
      if (is_zero(a)) continue;
      const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
      for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e)
        to[e->to] += (code ? Number(e->weight) * code[e->code] : Number(e->weight)) * a;
    }
  }

  void step_on_lanes(const ChainStep& step, const Number* from, Number* to,
                     std::size_t lanes) const {
    const Kernel& kernel = *step.kernel;
    const Number* code = code_.empty() ? nullptr : code_.data();
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      const Number* a = from + f * lanes;
      if (all_zero(a, lanes)) continue;
      const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
      for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
        const Number w = code ? Number(e->weight) * code[e->code] : Number(e->weight);
        add_scaled(w, a, to + e->to * lanes, lanes);
      }
    }
  }

  bool step_back(const ChainStep& step, const Number* from, const Number* after, Number* before,
                 int reach, double* laws) {
    weigh_codes(step);
    mass_.assign(step.kernel->n_codes, Number());
    if (step.lanes == 1) {
      step_back_lanes(step, from, after, before, One{});
    } else {
      step_back_lanes(step, from, after, before, static_cast<std::size_t>(step.lanes));
    }
    return spread_mass(step, reach, laws);
  }

  void step_back_lanes(const ChainStep& step, const Number* from, const Number* after,
                       Number* before, One) {
    const Kernel& kernel = *step.kernel;
    const Number* code = code_.empty() ? nullptr : code_.data();
    Number* mass = mass_.data();
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      const Number a = from[f];
      if (is_zero(a)) continue;  // what no path reaches needs no message
      Number sum{};
      const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
      for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
        const Number x =
            (code ? Number(e->weight) * code[e->code] : Number(e->weight)) * after[e->to];
        sum += x;
        mass[e->code] += a * x;
      }
      before[f] = sum;
    }
  }

  void step_back_lanes(const ChainStep& step, const Number* from, const Number* after,
                       Number* before, std::size_t lanes) {
    const Kernel& kernel = *step.kernel;
    const Number* code = code_.empty() ? nullptr : code_.data();
    Number* mass = mass_.data();
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      const Number* a = from + f * lanes;
      if (all_zero(a, lanes)) continue;  // what no path reaches needs no message
      Number* back = before + f * lanes;
      const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
      for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
        const Number w = code ? Number(e->weight) * code[e->code] : Number(e->weight);
        const Number* b = after + e->to * lanes;
        add_scaled(w, b, back, lanes);
        mass[e->code] += w * dot(a, b, lanes);
      }
    }
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
    const Arrivals& arrivals = arrivals_at(kernel);
    ways_.clear();
    Number total{};
    for (std::uint32_t k = arrivals.first[to]; k < arrivals.first[to + 1]; ++k) {
      const std::uint32_t i = arrivals.entry[k], f = arrivals.from[k];
      const Number& a = message[f * step.lanes + lane];
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
    for (std::uint32_t k = 0; k < kernel.n_laws; ++k)
      shift[chain_.laws[step.first_law + k]] =
          kernel.delta[kernel.entries[picked->entry].code * kernel.n_laws + k];
    full = picked->from * step.lanes + lane;
    return step.permutation ? (*step.permutation)[full] : full;
  }

  struct Way {
    std::uint32_t entry, from;
    Number mass;
  };

  // The entries of a kernel by the state that they reach, and the states that they leave.
  struct Arrivals {
    std::vector<std::uint32_t> first, entry, from;
  };
  const Arrivals& arrivals_at(const Kernel& kernel) {
    Arrivals& out = arrivals_[&kernel];
    if (!out.first.empty()) return out;
    out.first.assign(kernel.n_to + 2, 0);
    out.entry.resize(kernel.entries.size());
    out.from.resize(kernel.entries.size());
    for (const Kernel::Entry& e : kernel.entries) ++out.first[e.to + 2];
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      for (std::uint32_t i = kernel.first[f]; i < kernel.first[f + 1]; ++i) {
        const std::uint32_t at = out.first[kernel.entries[i].to + 1]++;
        out.entry[at] = i;
        out.from[at] = f;
      }
    }
    return out;
  }

  const Chain& chain_;
  const LawWeights& weights_;
  bool keep_;
  const Tick& tick_;
  double work_, done_ = 0, since_tick_ = 0;
  double log_evidence_ = never;
  std::size_t stride_ = 1, segment_ = 0;
  std::vector<std::vector<Number>> starts_;  // of segments
  std::vector<Number> kept_;                 // of the segment at hand
  std::vector<std::size_t> offset_;
  std::vector<Number> code_, mass_;
  std::vector<Way> ways_;
  std::unordered_map<const Kernel*, Arrivals> arrivals_;
};

// Whether some law tells its possible changes apart by more than max_range.
bool needs_wide(const Chain& chain, const LawWeights& weights) {
  if (!weights.data) return false;
  for (std::int32_t law : chain.laws) {
    double top = never, least = -never;
    for (int d = -weights.reach; d <= weights.reach; ++d) {
      const double w = weights.get(law, d);
      if (w == never) continue;
      top = std::max(top, w);
      least = std::min(least, w);
    }
    if (top - least > max_range) return true;
  }
  return false;
}

// act(number, ...) with doubles, and with wide numbers where those are needed or find nothing.
template <typename Act>
double with_numbers(const Chain& chain, const LawWeights& weights, Act&& act) {
  const double found = needs_wide(chain, weights) ? never : act(double());
  return found == never ? act(Wide()) : found;
}

}  // namespace

double chain_work(const Chain& chain) {
  double work = 0;
  for (const ChainStep& step : chain.steps)
    work += static_cast<double>(step.kernel->entries.size()) * step.lanes;
  return work;
}

std::size_t chain_stride(std::size_t n_steps, double message_bytes) {
  if (message_bytes <= many_bytes) return std::max<std::size_t>(n_steps, 1);
  return static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n_steps))));
}

double chain_evidence(const Chain& chain, const LawWeights& weights, const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    return Passes<decltype(number)>(chain, weights, false, tick).log_evidence();
  });
}

double chain_infer(const Chain& chain, const LawWeights& weights, int reach, double* laws,
                   const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    Passes<decltype(number)> passes(chain, weights, true, tick);
    if (passes.log_evidence() == never) return never;
    if (passes.add_laws(reach, laws)) return passes.log_evidence();
    const std::size_t width = 2 * static_cast<std::size_t>(reach) + 1;
    for (std::int32_t law : chain.laws) std::fill_n(laws + std::size_t(law) * width, width, 0.0);
    return never;
  });
}

double chain_sample(const Chain& chain, const LawWeights& weights, std::size_t n,
                    std::size_t n_laws, const std::function<double()>& uniform, std::int8_t* shifts,
                    const Tick& tick) {
  return with_numbers(chain, weights, [&](auto number) {
    Passes<decltype(number)> passes(chain, weights, true, tick);
    if (passes.log_evidence() != never) passes.sample(n, n_laws, uniform, shifts);
    return passes.log_evidence();
  });
}

}  // namespace sdclattice
