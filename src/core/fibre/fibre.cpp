#include "fibre/fibre.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/work_clock.hpp"
#include "fibre/diagram.hpp"
#include "fibre/residue.hpp"
#include "fibre/twoway.hpp"
#include "fibre/twoway_form.hpp"
#include "fibre/twoway_sorted.hpp"

namespace sdclattice {

namespace {

// Programmes of fewer steps are run without looking for something better: a millisecond, and some
// tenths of a second where only a diagram might be better.
constexpr double kFewSteps = 2e6, kSomeSteps = 2e8;
// Residues are tried for this share of what the programme takes: all that a failure adds.
constexpr double kShareOfTry = .25;
// A diagram of cells without limits holds those states of the programme that fit all sums, seldom
// less than a hundredth of the box.
constexpr double kHopeless = 100;
// A first try of a diagram takes no more states.
constexpr double kFewStates = 2e6;

}  // namespace

// One component with the engines that were tried on it.
class Fibre::Part {
 public:
  Part(const SystemPart& part, const FibreOptions& options, const Tick& tick)
      : part_(part), options_(options) {
    const FibreMethod asked = options.method;
    if (asked != FibreMethod::diagram) two_way_ = as_two_way(part.system);
    const bool chosen = asked == FibreMethod::two_way || asked == FibreMethod::polynomial;
    if (chosen && !two_way_)
      throw InputError("The constraints must make two-way tables for this method.");
    if (two_way_ && two_way_->impossible) return;
    if (asked == FibreMethod::polynomial && !has_residues(*two_way_))
      throw InputError(
          "This method needs two-way tables with exact sums whose cells have no limits of their "
          "own.");
    if (two_way_) plan_ = plan_two_way(*two_way_);
    if (two_way_ && plan_.steps > kFewSteps)
      sorted_ = plan_sorted(*two_way_, options.limits.states);
    report(tick, 0);
  }

  FibreMethod method() const { return method_; }
  // What a count takes at most, where the programme's plan tells; else the limit.
  double most_steps() const {
    if (two_way_ && two_way_->impossible) return 0;
    const FibreMethod asked = options_.method;
    const bool planned = asked == FibreMethod::automatic || asked == FibreMethod::two_way;
    return planned && can_programme() ? (1 + kShareOfTry) * count_steps() : options_.limits.steps;
  }
  const std::vector<std::uint32_t>& cells() const { return part_.cell; }

  const BigCount& count(const Tick& tick) {
    if (counted_) return count_;
    if (failure_) std::rethrow_exception(failure_);
    if (two_way_ && two_way_->impossible) {
      method_ = FibreMethod::two_way;
    } else if (options_.method == FibreMethod::automatic) {
      count_automatic(tick);
    } else {
      method_ = options_.method;
      count_ = count_by(method_, options_.limits, tick);
    }
    counted_ = true;
    return count_;
  }

  // What is too large is for whoever asks for the count.
  void count_ahead(const Tick& tick) {
    try {
      count(tick);
    } catch (const TooLargeError&) {
      failure_ = std::current_exception();
    }
  }

  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) {
    double n_values = 0;
    for (std::uint32_t c : cells) n_values += static_cast<double>(part_.system.upper[c] + 1);
    const auto n_lines = static_cast<double>(plan_.line.size());
    const double by_programme = plan_.steps * 2 *
                                (std::log2(static_cast<double>(plan_.axis.size()) + 1) + 1) *
                                n_lines / std::max(1.0, n_lines - 2);
    return prefer(by_programme, 2 * plan_.all_states, n_values, tick).laws(cells, tick);
  }

  // Some `n_draws` draws are to come.
  void prepare_draws(std::size_t n_draws, const Tick& tick) {
    count(tick);
    double searches = 0;
    for (std::int64_t upper : part_.system.upper)
      searches += std::log2(static_cast<double>(upper) + 1);
    drawing_ =
        &prefer(2 * plan_.steps, plan_.all_states, searches * static_cast<double>(n_draws), tick);
  }
  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) {
    drawing_->draw(random, x, tick);
  }

  void enumerate(const std::function<void(const std::vector<std::int64_t>&)>& visit,
                 const Tick& tick) {
    FibrePart& all = engine(FibreMethod::diagram, options_.limits, tick);
    all.count(tick);
    static_cast<Diagram&>(all).enumerate(visit);
  }

 private:
  bool in_limits() const {
    return two_way_ && plan_.states <= options_.limits.states &&
           plan_.steps <= options_.limits.steps;
  }

  // For counts alone there may be a way with fewer states than that of laws and draws. The other
  // one's additions are of numbers with some words more.
  bool sorts() const {
    if (sorted_.steps > options_.limits.steps) return false;
    return !in_limits() || sorted_.steps < plan_.steps * sorted_.n_primes;
  }
  bool can_programme() const { return sorts() || in_limits(); }
  double count_steps() const { return sorts() ? sorted_.steps : plan_.steps; }

  BigCount count_by(FibreMethod method, const FibreLimits& limits, const Tick& tick) {
    if (method == FibreMethod::two_way && sorts()) return count_sorted(*two_way_, sorted_, tick);
    return engine(method, limits, tick).count(tick);
  }

  FibrePart& engine(FibreMethod method, const FibreLimits& limits, const Tick& tick) {
    std::unique_ptr<FibrePart>& at = engine_[static_cast<std::size_t>(method)];
    if (at) return *at;
    const std::size_t n = part_.cell.size();
    if (method == FibreMethod::two_way)
      at = make_two_way(*two_way_, plan_, n, limits);
    else if (method == FibreMethod::polynomial)
      at = make_residues(*two_way_, n, limits);
    else
      at = std::make_unique<Diagram>(part_.system, limits, tick);
    return *at;
  }

  bool try_count(FibreMethod method, const FibreLimits& limits, const Tick& tick) {
    try {
      count_ = count_by(method, limits, tick);
      method_ = method;
      // Laws and draws have the limits that were given.
      if (method == FibreMethod::polynomial) engine_[static_cast<std::size_t>(method)].reset();
      return true;
    } catch (const TooLargeError&) {
      engine_[static_cast<std::size_t>(method)].reset();
      return false;
    }
  }

  // The cheapest method that is known to be cheap; else those that show only by trying, within what
  // the programme would cost.
  void count_automatic(const Tick& tick) {
    const FibreLimits limits = options_.limits;
    const bool programme = can_programme();
    const double steps = count_steps();
    if (programme && steps <= kFewSteps && try_count(FibreMethod::two_way, limits, tick)) return;
    FibreLimits less = limits;
    if (programme) less.steps = std::min(limits.steps, kShareOfTry * steps);
    if (two_way_ && has_residues(*two_way_) && try_count(FibreMethod::polynomial, less, tick))
      return;
    if (programme && steps <= kSomeSteps && try_count(FibreMethod::two_way, limits, tick)) return;
    less = limits;
    less.states = std::min(limits.states, kFewStates);
    // Where cells have no limits a diagram has the states of the programme, and more.
    const bool open = two_way_ && has_residues(*two_way_);
    if (programme && !open && try_count(FibreMethod::diagram, less, tick)) return;
    if (programme && try_count(FibreMethod::two_way, limits, tick)) return;
    const bool hopeless = open && plan_.states > kHopeless * limits.states;
    if (!hopeless && try_count(FibreMethod::diagram, limits, tick)) return;
    std::string text = "No exact method stays within the limits";
    if (two_way_)
      text += ": the programme over two-way tables would take about " + power_of_ten(plan_.steps) +
              " steps and " + power_of_ten(plan_.states) + " states";
    throw TooLargeError(text + ".");
  }

  // The engine that counted, or a better one for `n_counts` times the count of the residues, where
  // the programme takes `steps` and `states`.
  FibrePart& prefer(double steps, double states, double n_counts, const Tick& tick) {
    count(tick);
    const FibreLimits& limits = options_.limits;
    if (method_ == FibreMethod::diagram || options_.method != FibreMethod::automatic)
      return engine(method_, limits, tick);
    const bool programme = in_limits() && steps <= limits.steps && states <= limits.states;
    const bool residues = has_residues(*two_way_);
    // What the programme counted, residues were too slow for.
    if (residues && (!programme || method_ == FibreMethod::polynomial)) {
      FibrePart& polynomial = engine(FibreMethod::polynomial, limits, tick);
      polynomial.count(tick);
      if (!programme || n_counts * polynomial.steps_taken() < steps) return polynomial;
    }
    if (programme) return engine(FibreMethod::two_way, limits, tick);
    return engine(FibreMethod::diagram, limits, tick);
  }

  const SystemPart& part_;
  FibreOptions options_;
  FibreMethod method_ = FibreMethod::automatic;
  std::optional<TwoWayTable> two_way_;
  TwoWayPlan plan_;
  SortedPlan sorted_;
  std::unique_ptr<FibrePart> engine_[4];
  FibrePart* drawing_ = nullptr;
  bool counted_ = false;
  BigCount count_ = 0;
  std::exception_ptr failure_;
};

Fibre::Fibre(const LinearSystem& system, const FibreOptions& options, const Tick& tick)
    : reduced_(reduce(system, tick)), options_(options) {
  for (const SystemPart& part : reduced_.parts)
    parts_.push_back(std::make_unique<Part>(part, options_, tick));
}
Fibre::~Fibre() = default;
Fibre::Fibre(Fibre&&) noexcept = default;
Fibre& Fibre::operator=(Fibre&&) noexcept = default;

FibreMethod Fibre::method_of(std::size_t p) const {
  return p < n_counted_ ? parts_[p]->method() : FibreMethod::automatic;
}

double Fibre::most_steps() const {
  double out = 0;
  for (const auto& part : parts_) out += part->most_steps();
  return out;
}

// The caller's tick is for the caller's thread; the others stop when it has thrown.
void Fibre::count_on_threads(const Tick& tick, std::size_t threads) {
  WorkerPool pool(std::min(threads, parts_.size()));
  std::atomic<bool> stops{false};
  std::exception_ptr reason;
  const Tick own = [&](double done) {
    try {
      report(tick, done);
    } catch (...) {
      reason = std::current_exception();
      stops = true;
      throw;
    }
  };
  const Tick helping = [&](double) {
    if (stops) throw WorkTimeUp();
  };
  try {
    pool.run(parts_.size(), [&](std::size_t part, std::size_t worker) {
      parts_[part]->count_ahead(worker == 0 ? own : helping);
    });
  } catch (...) {
    if (reason) std::rethrow_exception(reason);
    throw;
  }
}

BigCount Fibre::count(const Tick& tick, std::size_t threads) {
  if (!reduced_.feasible) return 0;
  if (std::min(threads, parts_.size()) > 1) count_on_threads(tick, threads);
  BigCount out = 1;
  for (n_counted_ = 0; n_counted_ < parts_.size() && out != 0; ++n_counted_)
    out *= parts_[n_counted_]->count(tick);
  return out;
}

std::vector<CellLaw> Fibre::laws(const std::vector<std::uint32_t>& cells, const Tick& tick) {
  const BigCount all = count(tick);
  if (all == 0) throw InfeasibleError("No table satisfies the constraints.");
  std::vector<CellLaw> out(cells.size());
  std::vector<std::vector<std::size_t>> asked(n_cells());
  for (std::size_t q = 0; q < cells.size(); ++q) {
    asked[cells[q]].push_back(q);
    out[q] = {reduced_.lower[cells[q]], {all}};
  }
  for (auto& part : parts_) {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < part->cells().size(); ++i)
      if (!asked[part->cells()[i]].empty()) wanted.push_back(i);
    if (wanted.empty()) continue;
    const BigCount others = all / part->count(tick);
    const std::vector<CellWays> ways = part->laws(wanted, tick);
    for (std::size_t w = 0; w < wanted.size(); ++w)
      for (std::size_t q : asked[part->cells()[wanted[w]]]) {
        out[q].ways = ways[w];
        for (BigCount& n : out[q].ways) n *= others;
      }
  }
  return out;
}

std::vector<std::int64_t> Fibre::draws(std::size_t n_draws, PublicRandom& random,
                                       const Tick& tick) {
  if (count(tick) == 0) throw InfeasibleError("No table satisfies the constraints.");
  for (auto& part : parts_) part->prepare_draws(n_draws, tick);
  std::vector<std::int64_t> out, x;
  out.reserve(n_draws * n_cells());
  for (std::size_t d = 0; d < n_draws; ++d) {
    report(tick, static_cast<double>(d) / static_cast<double>(n_draws));
    out.insert(out.end(), reduced_.lower.begin(), reduced_.lower.end());
    std::int64_t* table = out.data() + d * n_cells();
    for (auto& part : parts_) {
      x.assign(part->cells().size(), 0);
      part->draw(random, x, tick);
      for (std::size_t i = 0; i < x.size(); ++i) table[part->cells()[i]] += x[i];
    }
  }
  return out;
}

std::vector<std::int64_t> Fibre::enumerate(std::size_t limit, const Tick& tick) {
  const BigCount all = count(tick);
  if (all > limit) throw TooLargeError("There are more tables than the limit.");
  const std::size_t n = n_cells();
  std::vector<std::vector<std::int64_t>> tables;
  if (all != 0) tables.push_back(reduced_.lower);
  for (auto& part : parts_) {
    if (all == 0) break;
    std::vector<std::vector<std::int64_t>> next;
    part->enumerate(
        [&](const std::vector<std::int64_t>& x) {
          for (const auto& table : tables) {
            next.push_back(table);
            for (std::size_t i = 0; i < x.size(); ++i) next.back()[part->cells()[i]] += x[i];
          }
        },
        tick);
    tables = std::move(next);
  }
  std::sort(tables.begin(), tables.end());
  std::vector<std::int64_t> out;
  out.reserve(tables.size() * n);
  for (const auto& table : tables) out.insert(out.end(), table.begin(), table.end());
  return out;
}

FibreEstimate Fibre::estimate(std::size_t n_draws, PublicRandom& random, const Tick& tick) const {
  FibreEstimate out;
  out.effective = static_cast<double>(n_draws);
  if (!reduced_.feasible) out.log_count = -INFINITY;
  if (!reduced_.feasible) return out;
  for (const SystemPart& part : reduced_.parts)
    out = product(out, estimate_part(part.system, n_draws, random, tick), n_draws);
  return out;
}

}  // namespace sdclattice
