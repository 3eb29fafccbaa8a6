#include "core/ring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/error.hpp"

namespace sdclattice {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double max_bytes = 2.5e9;  // forward messages of one block of starts
constexpr double tick_work = 2e7;    // products between two looks at the user's interrupts

double power(double base, int exponent) {
  double out = 1;
  while (exponent-- > 0) out *= base;
  return out;
}

// Splits a window state into the states of its cycles, oldest first.
void split(std::int32_t state, int window, int size, std::int32_t* out) {
  for (int k = 0; k < window; ++k, state /= size) out[k] = state % size;
}

std::int32_t pack(const std::int32_t* parts, int window, int size) {
  std::int32_t state = 0;
  for (int k = window; k-- > 0;) state = state * size + parts[k];
  return state;
}

bool apply(const Join& join, int size, std::int32_t& first, std::int32_t& second) {
  const std::int32_t after = join[static_cast<std::size_t>(first) * size + second];
  if (after < 0) return false;
  first = after / size;
  second = after % size;
  return true;
}

std::size_t draw(const std::vector<double>& mass, double total, double u) {
  double rest = u * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] <= 0) continue;
    last = i;
    if (rest < mass[i]) return i;
    rest -= mass[i];
  }
  return last;
}

}  // namespace

const Transition& TransitionCache::get(const std::vector<Met>& met) {
  std::vector<std::uint32_t> key;
  for (const Met& m : met) {
    key.push_back(static_cast<std::uint32_t>(m.slot));
    key.push_back(m.key.pattern);
    key.push_back(m.key.up * 256u + m.key.down);
  }
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second;
  return made_.emplace(std::move(key), make(met)).first->second;
}

Transition TransitionCache::make(const std::vector<Met>& met) {
  const int size = space_.size(), reach = 2 * space_.covers();
  const auto n_states = static_cast<std::int32_t>(power(size, window_));
  std::vector<const Join*> joins;
  for (const Met& m : met) joins.push_back(&joins_.get(m.key));
  Transition out;
  std::vector<std::int32_t> parts(window_ + 1);
  std::vector<std::uint8_t> delta(met.size());
  for (std::int32_t from = 0; from < n_states; ++from) {
    for (std::int32_t fresh : space_.fresh()) {
      split(from, window_, size, parts.data());
      parts[window_] = fresh;
      bool possible = true;
      for (std::size_t k = 0; k < met.size() && possible; ++k) {
        std::int32_t& near = parts[met[k].slot];
        delta[k] = static_cast<std::uint8_t>(space_.net(fresh) - space_.net(near) + reach);
        possible = apply(*joins[k], size, near, parts[window_]);
      }
      if (!possible) continue;
      out.entries.push_back({from, pack(parts.data() + 1, window_, size), parts[0]});
      out.delta.insert(out.delta.end(), delta.begin(), delta.end());
    }
  }
  return out;
}

double ring_work(const StateSpace& space, const Component& part) {
  const double states = power(space.size(), part.window), fresh = space.fresh().size();
  const double starts = part.closed ? states : power(fresh, part.window);
  return static_cast<double>(part.cycles.size()) * states * starts * fresh;
}

Ring::Ring(const StateSpace& space, JoinCache& joins, TransitionCache& transitions,
           const Component& part, const RingContext& context, const double* weights)
    : space_(space), joins_(joins), context_(context), part_(part), weights_(weights),
      window_(part.window), width_(4 * space.covers() + 1) {
  const double states = power(space.size(), window_);
  const auto n = static_cast<int>(part.cycles.size());
  const double starts = part.closed ? states : power(space.fresh().size(), window_);
  if (states > 1e7 || 128 * n * states > max_bytes) {
    throw TooLargeError("Cycles interact over " + std::to_string(window_) +
                        " places of their ring, with " + std::to_string(space.size()) +
                        " states each: too many for exact message passing.");
  }
  n_states_ = static_cast<int>(states);
  std::vector<std::pair<std::int32_t, int>> place(n);
  for (int i = 0; i < n; ++i) place[i] = {part.cycles[i], i};
  std::sort(place.begin(), place.end());
  const auto at = [&](std::int32_t cycle) {
    return std::lower_bound(place.begin(), place.end(), std::make_pair(cycle, 0))->second;
  };
  for (std::int32_t l = part.first_link; l < part.first_link + part.n_links; ++l) {
    const Link& link = context.linkage.links[l];
    const int a = at(link.first), b = at(link.second);
    const int low = std::min(a, b), high = std::max(a, b);
    if (high - low > window_) {
      wrap_.push_back(meet(l, high, low));
    } else if (high < window_) {
      inner_.push_back(meet(l, low, high));
    } else {
      met_.push_back(meet(l, low, high));
    }
  }
  std::stable_sort(met_.begin(), met_.end(),
                   [](const Meeting& x, const Meeting& y) { return x.far < y.far; });
  std::size_t next = 0;
  std::vector<TransitionCache::Met> met;
  for (int j = window_; j < n; ++j) {
    const std::size_t first = next;
    met.clear();
    for (; next < met_.size() && met_[next].far == j; ++next)
      met.push_back({met_[next].near - j + window_, met_[next].key});
    steps_.push_back({&transitions.get(met), first, next, part.cycles[j - window_]});
  }
  const std::vector<std::int32_t>& fresh = space.fresh();
  starts_.resize(static_cast<std::size_t>(starts));
  std::vector<std::int32_t> parts(window_);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    starts_[i] = static_cast<std::int32_t>(i);
    if (part.closed) continue;
    split(static_cast<std::int32_t>(i), window_, static_cast<int>(fresh.size()), parts.data());
    for (std::int32_t& p : parts) p = fresh[p];
    starts_[i] = pack(parts.data(), window_, space.size());
  }
  const Mechanism& m = context.mechanism;
  if (m.alpha.size() == 1 && m.beta.size() == 1)
    common_weights_ = space.weights(m.alpha[0], m.beta[0]);
}

Ring::Meeting Ring::meet(std::int32_t link, int near, int far) const {
  const Link& cycles = context_.linkage.links[link];
  Meeting out{link, part_.cycles[near] == cycles.second, near, far, {}};
  out.key.up = out.flipped ? context_.down[link] : context_.up[link];
  out.key.down = out.flipped ? context_.up[link] : context_.down[link];
  const int covers = space_.covers();
  const std::int32_t first = part_.cycles[near], second = part_.cycles[far];
  const Times& times = context_.times;
  for (int t = 0, i = 0, j = 0; t < 2 * covers; ++t) {
    const bool take_second =
        i == covers || (j < covers && times.step(second, j) < times.step(first, i));
    if (take_second) out.key.pattern |= 1u << t;
    (take_second ? j : i) += 1;
  }
  return out;
}

double Ring::weight_of(const Meeting& m, int delta) const {
  if (!weights_) return 1;
  return weights_[static_cast<std::size_t>(m.link - part_.first_link) * width_ + (m.flipped ? width_ - 1 - delta : delta)];
}

const std::vector<double>& Ring::closing(std::int32_t cycle) const {
  if (!common_weights_.empty()) return common_weights_;
  own_weights_ =
      space_.weights(context_.mechanism.alpha_of(cycle), context_.mechanism.beta_of(cycle));
  return own_weights_;
}

// Where laws are written: that of link l begins at data + stride * l.
struct Laws {
  double* data;
  std::size_t stride;
};

// The passes for `Lanes` starts at once; messages are [step][window state][lane].
template <int Lanes>
class RingBlock {
 public:
  RingBlock(const Ring& ring, std::size_t first_start)
      : ring_(ring), first_(first_start),
        lanes_(std::min<std::size_t>(Lanes, ring.starts_.size() - first_start)),
      before_(static_cast<double>(first_start) / static_cast<double>(ring.starts_.size())),
      share_(static_cast<double>(lanes_) / static_cast<double>(ring.starts_.size())),
        stride_(static_cast<std::size_t>(ring.n_states_) * Lanes),
        forward_((ring.steps_.size() + 1) * stride_, 0.0), last_(stride_, 0.0) {
    run_forward();
  }

  double log_evidence() const { return evidence_ > 0 ? log_scale_ + std::log(evidence_) : never; }

  // Adds the laws given this block's starts to `laws`, mixed with what is there by `share`.
  void add_laws(Laws laws, double share) const {
    std::vector<double> after = last_, before(stride_);
    close_laws(laws, share);
    for (std::size_t j = ring_.steps_.size(); j-- > 0;) {
      step_back(j, after, before, laws, share);
      rescale(before.data());
      std::swap(after, before);
      worked(ring_.steps_[j], 1 - .5 * static_cast<double>(j) / static_cast<double>(ring_.steps_.size()));
    }
  }

  void sample(const std::function<double()>& uniform, std::int8_t* shift) const;

 private:
  using Meeting = Ring::Meeting;
  const double* at(std::size_t step) const { return forward_.data() + step * stride_; }
  double* at(std::size_t step) { return forward_.data() + step * stride_; }

  // The factor of entry e of a step, and the changes D of the links that it meets.
  double factor(const Ring::Step& step, const std::vector<double>& close, std::size_t e) const {
    double w = close[step.move->entries[e].closed];
    if (!ring_.weights_) return w;
    const std::size_t links = step.end_met - step.first_met;
    for (std::size_t k = 0; k < links; ++k)
      w *= ring_.weight_of(ring_.met_[step.first_met + k], step.move->delta[e * links + k]);
    return w;
  }

  // After a step: now and then lets the user stop the work; `done` is the share of this block.
  void worked(const Ring::Step& step, double done) const {
    since_tick_ += static_cast<double>(step.move->entries.size()) * Lanes;
    if (since_tick_ < tick_work) return;
    since_tick_ = 0;
    report(ring_.context_.tick, before_ + share_ * done);
  }

  double rescale(double* message) const {
    double top = 0;
    for (std::size_t i = 0; i < stride_; ++i) top = std::max(top, message[i]);
    if (top == 0) return 0;
    for (std::size_t i = 0; i < stride_; ++i) message[i] /= top;
    return top;
  }

  void run_forward() {
    for (std::size_t l = 0; l < lanes_; ++l) start_lane(l);
    for (std::size_t j = 0; j < ring_.steps_.size(); ++j) {
      const Ring::Step& step = ring_.steps_[j];
      const std::vector<double>& close = ring_.closing(step.leaving);
      const double* from = at(j);
      double* to = at(j + 1);
      const auto& entries = step.move->entries;
      for (std::size_t e = 0; e < entries.size(); ++e) {
        const double w = factor(step, close, e);
        const double* a = from + static_cast<std::size_t>(entries[e].from) * Lanes;
        double* b = to + static_cast<std::size_t>(entries[e].to) * Lanes;
        for (int l = 0; l < Lanes; ++l) b[l] += w * a[l];
      }
      const double top = rescale(to);
      if (top == 0) return;
      log_scale_ += std::log(top);
      worked(step, .5 * static_cast<double>(j) / static_cast<double>(ring_.steps_.size()));
    }
    finish();
  }

  void start_lane(std::size_t lane) {
    const int size = ring_.space_.size();
    std::vector<std::int32_t> parts(ring_.window_);
    split(ring_.starts_[first_ + lane], ring_.window_, size, parts.data());
    double w = 1;
    for (const Meeting& m : ring_.inner_) {
      w *= ring_.weight_of(m, change(parts[m.near], parts[m.far]));
      if (!apply(ring_.joins_.get(m.key), size, parts[m.near], parts[m.far])) return;
    }
    at(0)[static_cast<std::size_t>(pack(parts.data(), ring_.window_, size)) * Lanes + lane] = w;
  }

  int change(std::int32_t near, std::int32_t far) const {
    return ring_.space_.net(far) - ring_.space_.net(near) + 2 * ring_.space_.covers();
  }

  // Weight of ending in window state s after the start of a lane: the links across the cut, which
  // must leave the first cycles as the start says, and the states of the last cycles.
  double ending(std::int32_t s, std::size_t lane) const {
    const int size = ring_.space_.size(), w = ring_.window_;
    const auto n = static_cast<int>(ring_.part_.cycles.size());
    tail_.resize(w);
    head_.resize(w);
    start_.resize(w);
    split(s, w, size, tail_.data());
    split(ring_.starts_[first_ + lane], w, size, start_.data());
    for (int k = 0; k < w; ++k) head_[k] = ring_.space_.fresh_of(start_[k]);
    double weight = 1;
    for (const Meeting& m : ring_.wrap_) {
      std::int32_t& near = tail_[m.near - n + w];
      weight *= ring_.weight_of(m, change(near, head_[m.far]));
      if (!apply(ring_.joins_.get(m.key), size, near, head_[m.far])) return 0;
    }
    if (ring_.part_.closed && head_ != start_) return 0;
    for (int k = 0; k < w; ++k) weight *= ring_.closing(ring_.part_.cycles[n - w + k])[tail_[k]];
    return weight;
  }

  void finish() {
    const double* reached = at(ring_.steps_.size());
    for (std::int32_t s = 0; s < ring_.n_states_; ++s) {
      for (std::size_t l = 0; l < lanes_; ++l) {
        const std::size_t i = static_cast<std::size_t>(s) * Lanes + l;
        if (reached[i] > 0) evidence_ += reached[i] * (last_[i] = ending(s, l));
      }
    }
  }

  void add(Laws laws, const Meeting& m, int delta, double mass) const {
    laws.data[m.link * laws.stride + (m.flipped ? ring_.width_ - 1 - delta : delta)] += mass;
  }

  // Laws of the links that the steps do not meet: inside the first window and across the cut.
  void close_laws(Laws laws, double share) const {
    const int size = ring_.space_.size(), w = ring_.window_;
    const auto n = static_cast<int>(ring_.part_.cycles.size());
    std::vector<std::int32_t> tail(w), start(w);
    const double* reached = at(ring_.steps_.size());
    for (std::int32_t s = 0; s < ring_.n_states_; ++s) {
      for (std::size_t l = 0; l < lanes_; ++l) {
        const std::size_t i = static_cast<std::size_t>(s) * Lanes + l;
        const double mass = share * reached[i] * last_[i] / evidence_;
        if (mass == 0) continue;
        split(s, w, size, tail.data());
        split(ring_.starts_[first_ + l], w, size, start.data());
        for (const Meeting& m : ring_.inner_) add(laws, m, change(start[m.near], start[m.far]), mass);
        for (const Meeting& m : ring_.wrap_)
          add(laws, m, change(tail[m.near - n + w], start[m.far]), mass);
      }
    }
  }

  void step_back(std::size_t j, const std::vector<double>& after, std::vector<double>& before,
                 Laws laws, double share) const {
    const Ring::Step& step = ring_.steps_[j];
    const std::vector<double>& close = ring_.closing(step.leaving);
    const std::size_t links = step.end_met - step.first_met;
    const auto& entries = step.move->entries;
    std::fill(before.begin(), before.end(), 0.0);
    law_.assign(links * ring_.width_, 0.0);
    double total = 0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const double w = factor(step, close, e);
      const std::size_t f = static_cast<std::size_t>(entries[e].from) * Lanes;
      const double* a = at(j) + f;
      const double* b = after.data() + static_cast<std::size_t>(entries[e].to) * Lanes;
      double* back = before.data() + f;
      double dot[4] = {0, 0, 0, 0};
      for (int l = 0; l < Lanes; l += 4) {
        for (int q = 0; q < 4; ++q) {
          back[l + q] += w * b[l + q];
          dot[q] += a[l + q] * b[l + q];
        }
      }
      const double mass = w * ((dot[0] + dot[1]) + (dot[2] + dot[3]));
      total += mass;
      for (std::size_t k = 0; k < links; ++k)
        law_[k * ring_.width_ + step.move->delta[e * links + k]] += mass;
    }
    for (std::size_t k = 0; k < links; ++k)
      for (int d = 0; d < ring_.width_; ++d)
        add(laws, ring_.met_[step.first_met + k], d, share * law_[k * ring_.width_ + d] / total);
  }

  const Ring& ring_;
  std::size_t first_, lanes_;
  double before_, share_;  // of the ring's starts
  std::size_t stride_;
  std::vector<double> forward_, last_;
  mutable double since_tick_ = 0;
  double log_scale_ = 0, evidence_ = 0;
  mutable std::vector<double> law_;
  mutable std::vector<std::int32_t> tail_, head_, start_;
};

template <int Lanes>
void RingBlock<Lanes>::sample(const std::function<double()>& uniform,
                              std::int8_t* shift) const {
  const int size = ring_.space_.size(), w = ring_.window_, reach = 2 * ring_.space_.covers();
  const auto n = static_cast<int>(ring_.part_.cycles.size());
  const auto put = [&](const Meeting& m, int delta) {
    shift[m.link] = static_cast<std::int8_t>(m.flipped ? reach - delta : delta - reach);
  };
  std::vector<double> mass(stride_);
  const double* reached = at(ring_.steps_.size());
  for (std::size_t i = 0; i < stride_; ++i) mass[i] = reached[i] * last_[i];
  const std::size_t end = draw(mass, evidence_, uniform());
  const std::size_t lane = end % Lanes;
  auto state = static_cast<std::int32_t>(end / Lanes);
  std::vector<std::int32_t> tail(w), start(w);
  split(state, w, size, tail.data());
  split(ring_.starts_[first_ + lane], w, size, start.data());
  for (const Meeting& m : ring_.inner_) put(m, change(start[m.near], start[m.far]));
  for (const Meeting& m : ring_.wrap_) put(m, change(tail[m.near - n + w], start[m.far]));
  for (std::size_t j = ring_.steps_.size(); j-- > 0;) {
    const Ring::Step& step = ring_.steps_[j];
    const std::vector<double>& close = ring_.closing(step.leaving);
    const auto& entries = step.move->entries;
    mass.assign(entries.size(), 0.0);
    double total = 0;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (entries[e].to != state) continue;
      const std::size_t from = static_cast<std::size_t>(entries[e].from) * Lanes + lane;
      total += mass[e] = at(j)[from] * factor(step, close, e);
    }
    const std::size_t e = draw(mass, total, uniform());
    const std::size_t links = step.end_met - step.first_met;
    for (std::size_t k = 0; k < links; ++k)
      put(ring_.met_[step.first_met + k], step.move->delta[e * links + k]);
    state = entries[e].from;
  }
}

// Runs `act` with a block type whose lanes fit the number of starts.
template <typename Do>
auto Ring::with_lanes(Do&& act) const {
  if (starts_.size() <= 4) return act(std::integral_constant<int, 4>{});
  if (starts_.size() <= 8) return act(std::integral_constant<int, 8>{});
  return act(std::integral_constant<int, 16>{});
}

double Ring::log_evidence() const {
  return with_lanes([this](auto of) {
    constexpr int lanes = decltype(of)::value;
    double log_sum = never;
    for (std::size_t s = 0; s < starts_.size(); s += lanes) {
      const double more = RingBlock<lanes>(*this, s).log_evidence();
      if (more == never) continue;
      const double top = std::max(log_sum, more);
      log_sum = top + std::log(std::exp(log_sum - top) + std::exp(more - top));
    }
    return log_sum;
  });
}

double Ring::infer(double* laws, std::size_t stride) const {
  return with_lanes([this, laws, stride](auto of) {
    constexpr int lanes = decltype(of)::value;
    double log_sum = never;
    for (std::size_t s = 0; s < starts_.size(); s += lanes) {
      const RingBlock<lanes> block(*this, s);
      const double more = block.log_evidence();
      if (more == never) continue;
      const double top = std::max(log_sum, more);
      const double sum = top + std::log(std::exp(log_sum - top) + std::exp(more - top));
      const double share = std::exp(more - sum);
      for (std::int32_t l = part_.first_link; l < part_.first_link + part_.n_links; ++l)
        for (int d = 0; d < width_; ++d) laws[l * stride + d] *= 1 - share;
      block.add_laws({laws, stride}, share);
      log_sum = sum;
    }
    return log_sum;
  });
}

void Ring::sample(std::size_t n, std::size_t n_laws, const std::function<double()>& uniform,
                  std::int8_t* shifts) const {
  with_lanes([&](auto of) {
    constexpr int lanes = decltype(of)::value;
    std::vector<double> logs;
    double top = never;
    for (std::size_t s = 0; s < starts_.size(); s += lanes) {
      logs.push_back(RingBlock<lanes>(*this, s).log_evidence());
      top = std::max(top, logs.back());
    }
    double total = 0;
    for (double& mass : logs) total += mass = std::exp(mass - top);
    std::vector<std::vector<std::size_t>> draws(logs.size());
    for (std::size_t i = 0; i < n; ++i) draws[draw(logs, total, uniform())].push_back(i);
    for (std::size_t b = 0; b < draws.size(); ++b) {
      if (draws[b].empty()) continue;
      const RingBlock<lanes> block(*this, b * lanes);
      for (std::size_t i : draws[b]) block.sample(uniform, shifts + i * n_laws);
    }
    return 0;
  });
}

}  // namespace sdclattice
