#include "fibre/importance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "base/big_count.hpp"

namespace sdclattice {

namespace {

constexpr double kNoWay = -std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostBlocks = 256;

double uniform(PublicRandom& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

// The logarithm of the normal probability between two limits, also where it is the difference of
// numbers that are nearly equal or nearly zero.
double log_normal_between(double low, double high) {
  if (low + high < 0) return log_normal_between(-high, -low);
  const double half_log_tau = 0.9189385332046727;
  const double middle = 0.5 * (low + high);
  if (high - low < 1e-3) return std::log(high - low) - 0.5 * middle * middle - half_log_tau;
  const double p = 0.5 * (std::erfc(low / std::sqrt(2.0)) - std::erfc(high / std::sqrt(2.0)));
  if (p > 1e-280) return std::log(p);
  return -0.5 * low * low - std::log(low) - half_log_tau;
}

// Draws one table after the other, with the limits of all cells kept narrow as cells are fixed.
class Sampler {
 public:
  explicit Sampler(const LinearSystem& part)
      : part_(part), rows_(part), upper_(part.upper), lower_(part.lower) {
    for (std::size_t r = 0; r < part.n_rows(); ++r)
      sum_row_.push_back(
          std::all_of(part.coefficient.begin() + static_cast<std::ptrdiff_t>(part.start[r]),
                      part.coefficient.begin() + static_cast<std::ptrdiff_t>(part.start[r + 1]),
                      [](std::int64_t a) { return a == 1; }));
    waits_.assign(part.n_rows(), 0);
    make_order();
    place_of_.resize(order_.size());
    for (std::size_t t = 0; t < order_.size(); ++t) place_of_[order_[t]] = t;
  }

  // The logarithm of 1 over the probability of the draw; minus infinity for a dead end.
  double draw(PublicRandom& random) {
    lower_ = part_.lower;
    upper_ = part_.upper;
    start_rows();
    double log_weight = 0;
    for (std::uint32_t c : order_) {
      if (lower_[c] < upper_[c] && !choose(c, random, log_weight)) return kNoWay;
      assert(lower_[c] == upper_[c]);
      take(c);
    }
    assert(satisfies(part_, lower_));
    return log_weight;
  }

 private:
  // A row as far as it is filled: what its taken cells hold and how many are to come.
  struct State {
    std::int64_t held;
    std::int64_t left;
  };

  // One line after the other, the shortest first.
  void make_order() {
    std::vector<char> taken(part_.n_cells(), 0);
    std::vector<std::size_t> left(part_.n_rows());
    for (std::size_t r = 0; r < left.size(); ++r) left[r] = part_.start[r + 1] - part_.start[r];
    const auto add = [&](std::uint32_t c) {
      if (taken[c]) return;
      taken[c] = 1;
      order_.push_back(c);
      for (std::size_t k = rows_.at[c]; k < rows_.at[c + 1]; ++k) --left[rows_.row[k]];
    };
    for (;;) {
      std::size_t best = left.size();
      for (std::size_t r = 0; r < left.size(); ++r)
        if (left[r] > 0 && (best == left.size() || left[r] < left[best])) best = r;
      if (best == left.size()) break;
      for (std::size_t e = part_.start[best]; e < part_.start[best + 1]; ++e) add(part_.cell[e]);
    }
    for (std::uint32_t c = 0; c < part_.n_cells(); ++c) add(c);
  }

  void start_rows() {
    state_.assign(part_.n_rows(), {0, 0});
    remaining_ = part_.n_cells();
    for (std::size_t r = 0; r < part_.n_rows(); ++r)
      state_[r].left = static_cast<std::int64_t>(part_.start[r + 1] - part_.start[r]);
  }
  void take(std::uint32_t c) {
    --remaining_;
    for (std::size_t k = rows_.at[c]; k < rows_.at[c + 1]; ++k) {
      State& s = state_[rows_.row[k]];
      s.held += lower_[c];  // used for sums only
      --s.left;
    }
  }

  // What the cells to come of a sum must hold, about.
  double open_sum(std::size_t r) const {
    return 0.5 * static_cast<double>(part_.row_lower[r] + part_.row_upper[r]) -
           static_cast<double>(state_[r].held);
  }

  // How many endings the rows of a cell have, about, by its value.
  class Rule {
   public:
    Rule(const Sampler& of, std::uint32_t c) {
      double open = 0, entries = 0;
      for (std::size_t r = 0; r < of.part_.n_rows(); ++r) {
        if (!of.sum_row_[r]) continue;
        open += std::max(0.0, of.open_sum(r));
        entries += static_cast<double>(of.state_[r].left);
      }
      cells_ = static_cast<double>(of.remaining_) - 1;
      if (entries > 0) total_ = open * static_cast<double>(of.remaining_) / entries;
      for (std::size_t k = of.rows_.at[c]; k < of.rows_.at[c + 1]; ++k)
        if (of.sum_row_[of.rows_.row[k]]) add_row(of, of.rows_.row[k], c);
    }
    double log_endings(double x) const {
      double out = 0;
      for (const Line& line : lines_) {
        if (line.sd > 0) {
          out += log_normal_between((line.low - x - line.mean - 0.5) / line.sd,
                                    (line.high - x - line.mean + 0.5) / line.sd);
        } else {
          out += log_shares(std::max(0.0, line.open - x), line.cells);
        }
      }
      const double others = static_cast<double>(n_shares_) - 1;
      if (others > 0) out -= others * log_shares(std::max(0.0, total_ - x), cells_);
      return out;
    }

   private:
    struct Line {
      double open, cells, low, high, mean, sd;
    };
    void add_row(const Sampler& of, std::size_t r, std::uint32_t c) {
      Line line{of.open_sum(r), static_cast<double>(of.state_[r].left) - 1, 0, 0, 0, 0};
      if (line.cells < 1) return;
      double most = 0, variance = 0;
      for (std::size_t e = of.part_.start[r]; e < of.part_.start[r + 1]; ++e) {
        const std::uint32_t other = of.part_.cell[e];
        if (other == c || of.is_taken(other)) continue;
        const auto low = static_cast<double>(of.lower_[other]),
                   high = static_cast<double>(of.upper_[other]);
        most += high;
        line.mean += (low + high) / 2;
        variance += ((high - low + 1) * (high - low + 1) - 1) / 12;
      }
      const bool limits_bind = most < 1.2 * std::max(line.open, 1.0);
      const bool exact = of.part_.row_lower[r] == of.part_.row_upper[r];
      if (!exact || (limits_bind && line.cells > 1)) {
        line.low = static_cast<double>(of.part_.row_lower[r] - of.state_[r].held);
        line.high = static_cast<double>(of.part_.row_upper[r] - of.state_[r].held);
        line.sd = std::sqrt(std::max(variance, 0.1));
      } else {
        ++n_shares_;
      }
      lines_.push_back(line);
    }

    std::vector<Line> lines_;
    double total_ = 0, cells_ = 0;
    int n_shares_ = 0;
  };

  // Taken cells have been counted into their rows.
  bool is_taken(std::uint32_t c) const { return place_of_[c] < now_; }

  bool choose(std::uint32_t c, PublicRandom& random, double& log_weight) {
    now_ = place_of_[c];
    const std::int64_t low = lower_[c], wide = upper_[c] - low + 1;
    const Rule rule(*this, c);
    const std::int64_t n_blocks = std::min(wide, kMostBlocks);
    const auto from = [&](std::int64_t b) {
      return low + static_cast<std::int64_t>(static_cast<double>(wide) * static_cast<double>(b) /
                                             static_cast<double>(n_blocks));
    };
    std::vector<double> weight;
    double top = kNoWay;
    for (std::int64_t b = 0; b < n_blocks; ++b) {
      const std::int64_t first = from(b), last = from(b + 1) - 1;
      weight.push_back(rule.log_endings(0.5 * static_cast<double>(first + last)) +
                       std::log(static_cast<double>(last - first + 1)));
      top = std::max(top, weight.back());
    }
    // A share for every value: no ending is out of reach.
    double all = 0;
    for (double& w : weight) all += w = std::exp(w - top) + 1e-6;
    double left = uniform(random) * all;
    std::size_t b = 0;
    while (b + 1 < weight.size() && left >= weight[b]) left -= weight[b++];
    const std::int64_t first = from(static_cast<std::int64_t>(b)),
                       n = from(static_cast<std::int64_t>(b) + 1) - first;
    assert(low <= first && n > 0 && first + n - 1 <= upper_[c]);
    log_weight += std::log(all / weight[b]) + std::log(static_cast<double>(n));
    const std::int64_t x =
        first + (n > 1 ? static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n)) : 0);
    lower_[c] = upper_[c] = x;
    return propagate(c);
  }

  bool propagate(std::uint32_t fixed) {
    queue_.clear();
    push_rows(fixed);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      const std::uint32_t r = queue_[at];
      waits_[r] = 0;
      if (!narrow(r)) {
        for (std::uint32_t rest : queue_) waits_[rest] = 0;
        return false;
      }
    }
    return true;
  }
  void push_rows(std::uint32_t c) {
    for (std::size_t k = rows_.at[c]; k < rows_.at[c + 1]; ++k) {
      const std::uint32_t r = rows_.row[k];
      if (waits_[r]) continue;
      waits_[r] = 1;
      queue_.push_back(r);
    }
  }
  bool narrow(std::uint32_t r) {
    std::int64_t least = 0, most = 0;
    for (std::size_t e = part_.start[r]; e < part_.start[r + 1]; ++e) {
      const std::int64_t a = part_.coefficient[e];
      least += a * (a > 0 ? lower_ : upper_)[part_.cell[e]];
      most += a * (a > 0 ? upper_ : lower_)[part_.cell[e]];
    }
    if (most < part_.row_lower[r] || least > part_.row_upper[r]) return false;
    const std::int64_t room = part_.row_upper[r] - least, need = most - part_.row_lower[r];
    for (std::size_t e = part_.start[r]; e < part_.start[r + 1]; ++e) {
      const std::uint32_t c = part_.cell[e];
      const std::int64_t a = std::abs(part_.coefficient[e]), wide = upper_[c] - lower_[c];
      if (wide == 0) continue;
      const bool up = part_.coefficient[e] > 0;
      const std::int64_t by_room = room / a, by_need = need / a;
      const std::int64_t keep_low = up ? by_room : by_need, keep_high = up ? by_need : by_room;
      if (keep_low >= wide && keep_high >= wide) continue;
      const std::int64_t high = std::min(upper_[c], lower_[c] + keep_low),
                         low = std::max(lower_[c], upper_[c] - keep_high);
      if (low > high) return false;
      lower_[c] = low;
      upper_[c] = high;
      push_rows(c);
    }
    return true;
  }

  const LinearSystem& part_;
  const RowsByCell rows_;
  std::vector<char> sum_row_, waits_;
  std::vector<std::uint32_t> order_, queue_;
  std::vector<std::size_t> place_of_;
  std::size_t now_ = 0, remaining_ = 0;
  std::vector<std::int64_t> upper_, lower_;
  std::vector<State> state_;
};

FibreEstimate summarise(const std::vector<double>& log_weight) {
  FibreEstimate out;
  const auto n = static_cast<double>(log_weight.size());
  const double top = *std::max_element(log_weight.begin(), log_weight.end());
  out.log_count = kNoWay;
  out.dead = static_cast<double>(std::count(log_weight.begin(), log_weight.end(), kNoWay)) / n;
  if (top == kNoWay) return out;
  double sum = 0, squares = 0;
  for (double w : log_weight) {
    const double x = std::exp(w - top);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / n, variance = std::max(0.0, squares / n - mean * mean) * n / (n - 1);
  out.log_count = top + std::log(mean);
  out.relative_error = std::sqrt(variance / n) / mean;
  out.effective = sum * sum / squares;
  return out;
}

}  // namespace

FibreEstimate estimate_part(const LinearSystem& part, std::size_t n_draws, PublicRandom& random,
                            const Tick& tick) {
  Sampler sampler(part);
  std::vector<double> log_weight;
  for (std::size_t i = 0; i < n_draws; ++i) {
    if (i % 64 == 0) report(tick, static_cast<double>(i) / static_cast<double>(n_draws));
    log_weight.push_back(sampler.draw(random));
  }
  return summarise(log_weight);
}

FibreEstimate product(const FibreEstimate& a, const FibreEstimate& b, std::size_t n_draws) {
  FibreEstimate out;
  out.log_count = a.log_count + b.log_count;
  const double va = a.relative_error * a.relative_error, vb = b.relative_error * b.relative_error;
  out.relative_error = std::sqrt(va + vb + va * vb);
  const auto n = static_cast<double>(n_draws);
  out.effective = out.log_count == kNoWay ? 0 : a.effective * b.effective / n;
  out.dead = 1 - (1 - a.dead) * (1 - b.dead);
  return out;
}

}  // namespace sdclattice
