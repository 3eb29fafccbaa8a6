#include "posterior/reverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr std::int32_t kNoPlace = -1;
constexpr double kReverseWork = 2e6;
constexpr double kRounding = 1e-13;       // weights as near to 1 as this are 1
constexpr double kParticleBytes = 2.5e9;  // particles of one batch

}  // namespace

void ReversePasses::prepare() {
  const CycleSet& set = source_.cycles;
  const Linkage& linkage = problem_.linkage();
  std::vector<std::int32_t> place(set.n_cells, kNoPlace);
  place_of_law_.assign(linkage.n_laws(), 0);
  for (std::size_t i = 0; i < set.n_cells; ++i) {
    const std::int32_t law = linkage.law_of_cell[i];
    if (law == 0) {
      if (prior_.uniform()) continue;
      log_fixed_ += prior_.log_weight(i, source_.published[i]);
      continue;
    }
    place[i] = static_cast<std::int32_t>(cells_.size());
    cells_.push_back(static_cast<std::int32_t>(i));
    std::int32_t& of_law = place_of_law_[static_cast<std::size_t>(std::abs(law) - 1)];
    if (of_law == 0) of_law = law > 0 ? place[i] + 1 : -(place[i] + 1);
  }
  if (log_fixed_ == kNever) no_run_left();
  for (std::size_t i = 0; i < set.cell.size(); ++i)
    moves_.push_back({place[set.cell[i]], set.coef[i]});
  chances_.assign(cells_.size(), 0);
  size_.assign(cells_.size(), 0);
  for (std::int32_t c : source_.mechanism.sequence) {
    for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
      const CellMove& move = moves_[i];
      ++chances_[move.place];
      size_[move.place] = std::max(size_[move.place], std::abs(move.coef));
    }
  }
}

// `chances`: how many steps can still change the cell.
double ReversePasses::log_potential(std::int32_t place, int shift, std::int32_t chances) const {
  const std::int32_t cell = cells_[place];
  const auto log_prior = [&](int d) {
    return prior_.log_base(cell, source_.published[cell]) +
           prior_.log_relative(cell, source_.published[cell], d);
  };
  const double here = log_prior(shift);
  if (here != kNever || chances == 0) return here;
  for (int apart = 1; apart <= chances * size_[place]; ++apart) {
    const double near = std::max(log_prior(shift - apart), log_prior(shift + apart));
    if (near != kNever) return near + apart * std::log(chances / (chances + 2.0));
  }
  return kNever;
}

// Undoes a step of a particle; returns the weight.
double ReversePasses::take_back(std::size_t step, const std::vector<std::int32_t>& chances,
                                std::int16_t* shift, const std::function<double()>& uniform) const {
  const Mechanism& mechanism = source_.mechanism;
  const std::size_t c = static_cast<std::size_t>(mechanism.sequence[step]);
  const Undo undo{moves_.data() + source_.cycles.start[c],
                  moves_.data() + source_.cycles.start[c + 1], mechanism.rule,
                  mechanism.alpha_of(c), mechanism.beta_of(c)};
  const auto value = [&](const CellMove& m) {
    return source_.published[cells_[m.place]] - shift[m.place];
  };
  const auto after = [&](int sign) {
    return [&value, sign](const CellMove& m) { return value(m) - sign * m.coef; };
  };
  double plus = undo.moved(after(1), 1), minus = undo.moved(after(-1), -1),
         stay = undo.stayed(value);
  if (!prior_.uniform()) {
    double now = 0;
    for (const CellMove* m = undo.begin; m != undo.end; ++m)
      now += log_potential(m->place, shift[m->place], chances[m->place]);
    const auto guide = [&](int sign) {
      double sum = -now;
      for (const CellMove* m = undo.begin; m != undo.end; ++m)
        sum += log_potential(m->place, shift[m->place] + sign * m->coef, chances[m->place] - 1);
      return std::exp(sum);
    };
    if (plus > 0) plus *= guide(1);
    if (minus > 0) minus *= guide(-1);
    if (stay > 0) stay *= guide(0);
  }
  const double total = plus + minus + stay;
  const double u = uniform() * total;
  const int sign = u < plus ? 1 : u < plus + minus ? -1 : 0;
  if (sign != 0)
    for (const CellMove* m = undo.begin; m != undo.end; ++m)
      shift[m->place] = static_cast<std::int16_t>(shift[m->place] + sign * m->coef);
  return total;
}

// The particles of one batch, each a run that takes back step after step, with its weight.
class ReversePasses::Particles {
 public:
  Particles(const ReversePasses& owner, std::size_t n, const std::function<double()>& uniform)
      : owner_(owner),
        n_(n),
        n_cells_(owner.cells_.size()),
        uniform_(uniform),
        log_weight_(n, 0.0),
        chances_(owner.chances_) {
    batch.shift.assign(n * n_cells_, 0);
    batch.log_evidence = owner.log_fixed_;
    if (owner.prior_.uniform()) return;
    for (std::size_t place = 0; place < n_cells_; ++place)
      batch.log_evidence +=
          owner.log_potential(static_cast<std::int32_t>(place), 0, chances_[place]);
  }

  Batch batch;

  void take_back(std::size_t step) {
    for (std::size_t p = 0; p < n_; ++p) {
      if (log_weight_[p] == kNever) continue;
      const double weight =
          owner_.take_back(step, chances_, batch.shift.data() + p * n_cells_, uniform_);
      if (std::abs(weight - 1) < kRounding) continue;
      even_ = false;
      log_weight_[p] += std::log(weight);
    }
    const CycleSet& cycles = owner_.source_.cycles;
    const auto c = static_cast<std::size_t>(owner_.source_.mechanism.sequence[step]);
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i)
      --chances_[owner_.moves_[i].place];
  }

  bool even() const { return even_; }
  bool lost() const {
    return std::all_of(log_weight_.begin(), log_weight_.end(),
                       [](double w) { return w == kNever; });
  }
  // Whether the weights count for no more than half of the particles.
  bool is_uneven() const {
    const double top = *std::max_element(log_weight_.begin(), log_weight_.end());
    double sum = 0, square = 0;
    for (double w : log_weight_) {
      const double x = std::exp(w - top);
      sum += x, square += x * x;
    }
    return sum * sum / square <= .5 * static_cast<double>(n_);
  }

  void normalise() {
    const double mean = log_mean_exp(log_weight_);
    batch.log_evidence += mean;
    if (mean == kNever) return;
    batch.weight.resize(n_);
    for (std::size_t p = 0; p < n_; ++p)
      batch.weight[p] = std::exp(log_weight_[p] - mean) / static_cast<double>(n_);
  }

  // Makes the weights even: systematic draws, of which each particle has as many as copies.
  void redraw() {
    std::vector<std::size_t> copies = draw_copies(), free;
    for (std::size_t p = 0; p < n_; ++p)
      if (copies[p] == 0) free.push_back(p);
    for (std::size_t p = 0; p < n_ && !free.empty(); ++p)
      for (; copies[p] > 1 && !free.empty(); --copies[p], free.pop_back())
        std::copy_n(batch.shift.begin() + static_cast<std::ptrdiff_t>(p * n_cells_), n_cells_,
                    batch.shift.begin() + static_cast<std::ptrdiff_t>(free.back() * n_cells_));
    std::fill(log_weight_.begin(), log_weight_.end(), 0.0);
    ++batch.redraws;
    even_ = true;
  }

 private:
  // Floor or ceiling of each weight times the number of particles.
  std::vector<std::size_t> draw_copies() const {
    std::vector<std::size_t> out(n_, 0);
    std::size_t drawn = 0;
    double sum = 0, next = uniform_();
    for (std::size_t p = 0; p < n_; ++p) {
      sum += batch.weight[p] * static_cast<double>(n_);
      while (next < sum && drawn < n_) ++out[p], ++drawn, next += 1;
    }
    const auto heaviest =
        std::max_element(batch.weight.begin(), batch.weight.end()) - batch.weight.begin();
    out[static_cast<std::size_t>(heaviest)] += n_ - drawn;  // what rounding has left over
    return out;
  }

  const ReversePasses& owner_;
  std::size_t n_, n_cells_;
  const std::function<double()>& uniform_;
  std::vector<double> log_weight_;
  std::vector<std::int32_t> chances_;
  bool even_ = true;
};

ReversePasses::Batch ReversePasses::run(std::size_t particles,
                                        const std::function<double()>& uniform,
                                        const Tick& tick) const {
  const double bytes = static_cast<double>(sizeof(std::int16_t)) * static_cast<double>(particles) *
                       static_cast<double>(cells_.size());
  if (bytes > kParticleBytes)
    throw TooLargeError("The runs of one batch of simulation would need " +
                        std::to_string(std::llround(bytes / 1e9)) + " GB.");
  Particles runs(*this, particles, uniform);
  if (runs.batch.log_evidence == kNever) return std::move(runs.batch);
  double work = 0;
  for (std::size_t step = source_.mechanism.sequence.size(); step-- > 0;) {
    runs.take_back(step);
    work += static_cast<double>(particles);
    if (work > kReverseWork) report(tick, 0), work = 0;
    if (runs.even()) continue;
    if (runs.lost()) break;  // the estimate of this batch is 0
    if (!runs.is_uneven()) continue;
    runs.normalise();
    runs.redraw();
  }
  runs.normalise();
  runs.batch.even = runs.even() && runs.batch.redraws == 0;
  return std::move(runs.batch);
}

int ReversePasses::law_change(const Batch& batch, std::size_t particle, std::size_t law) const {
  const std::int32_t at = place_of_law_[law];
  const int shift =
      batch.shift[particle * cells_.size() + static_cast<std::size_t>(std::abs(at) - 1)];
  return at > 0 ? shift : -shift;
}

SimulatedLaws ReversePasses::infer(std::size_t batches, std::size_t particles,
                                   const std::function<double()>& uniform, const Tick& tick) {
  const int reach = problem_.reach();  // a walk over all laws
  const std::size_t n_laws = place_of_law_.size(), width = 2 * static_cast<std::size_t>(reach) + 1;
  Batches all;
  std::size_t redraws = 0;
  bool independent = true;
  for (std::size_t b = 0; b < batches; ++b) {
    const Batch batch = run(particles, uniform, [&](double) {
      report(tick, static_cast<double>(b) / static_cast<double>(batches));
    });
    redraws += batch.redraws;
    independent = independent && batch.even;
    std::vector<double> laws(n_laws * width, 0.0);
    for (std::size_t p = 0; p < batch.weight.size(); ++p)
      for (std::size_t l = 0; l < n_laws; ++l)
        laws[l * width + static_cast<std::size_t>(reach + law_change(batch, p, l))] +=
            batch.weight[p];
    all.add(batch.log_evidence, std::move(laws));
  }
  SimulatedLaws out = all.estimate();
  out.redraws = redraws;
  out.independent = independent;
  return out;
}

void ReversePasses::sample(std::size_t n, std::size_t particles,
                           const std::function<double()>& uniform, std::int8_t* shifts,
                           const Tick& tick) {
  Batch batch = run(particles, uniform, tick);
  for (int again = 0; again < 20 && batch.weight.empty(); ++again)
    batch = run(particles, uniform, tick);
  if (batch.weight.empty()) no_run_left();
  const std::size_t n_laws = place_of_law_.size();
  // Equal particles are independent draws, as long as none is taken twice.
  const bool each_once = batch.even && n <= particles;
  for (std::size_t draw = 0; draw < n; ++draw) {
    std::size_t p = each_once ? draw : 0;
    if (!each_once)
      for (double u = uniform(); p + 1 < particles && u >= batch.weight[p]; ++p)
        u -= batch.weight[p];
    for (std::size_t l = 0; l < n_laws; ++l)
      shifts[draw * n_laws + l] = static_cast<std::int8_t>(law_change(batch, p, l));
  }
}

}  // namespace sdclattice
