#include "posterior/reverse.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr std::int32_t none = -1;
constexpr double tick_work = 2e6;
constexpr double rounding = 1e-13;   // weights as near to 1 as this are 1
constexpr double max_bytes = 2.5e9;  // particles of one batch

}  // namespace

void ReversePasses::prepare() {
  const CycleSet& set = source_.cycles;
  const Linkage& linkage = problem_.linkage();
  std::vector<std::int32_t> place(set.n_cells, none);
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
  if (log_fixed_ == never) no_run_left();
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
  if (here != never || chances == 0) return here;
  for (int apart = 1; apart <= chances * size_[place]; ++apart) {
    const double near = std::max(log_prior(shift - apart), log_prior(shift + apart));
    if (near != never) return near + apart * std::log(chances / (chances + 2.0));
  }
  return never;
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

ReversePasses::Batch ReversePasses::run(std::size_t particles,
                                        const std::function<double()>& uniform,
                                        const Tick& tick) const {
  const std::size_t n_cells = cells_.size();
  Batch out;
  const double bytes = static_cast<double>(sizeof(std::int16_t)) * static_cast<double>(particles) *
                       static_cast<double>(n_cells);
  if (bytes > max_bytes)
    throw TooLargeError("The runs of one batch of simulation would need " +
                        std::to_string(std::llround(bytes / 1e9)) + " GB.");
  out.shift.assign(particles * n_cells, 0);
  out.log_evidence = log_fixed_;
  std::vector<double> log_weight(particles, 0.0);
  std::vector<std::int32_t> chances = chances_;
  if (!prior_.uniform())
    for (std::size_t place = 0; place < n_cells; ++place)
      out.log_evidence += log_potential(static_cast<std::int32_t>(place), 0, chances[place]);
  if (out.log_evidence == never) return out;
  double work = 0;
  bool even = true;
  const auto normalise = [&] {
    const double mean = log_mean_exp(log_weight);
    out.log_evidence += mean;
    if (mean == never) return;
    out.weight.resize(particles);
    for (std::size_t p = 0; p < particles; ++p)
      out.weight[p] = std::exp(log_weight[p] - mean) / static_cast<double>(particles);
  };
  // Systematic draws: particle p gets floor or ceiling of its weight times the number of particles.
  const auto redraw = [&] {
    std::vector<std::size_t> copies(particles, 0), free;
    std::size_t drawn = 0;
    double sum = 0, next = uniform();
    for (std::size_t p = 0; p < particles; ++p) {
      sum += out.weight[p] * static_cast<double>(particles);
      while (next < sum && drawn < particles) ++copies[p], ++drawn, next += 1;
    }
    const auto heaviest =
        std::max_element(out.weight.begin(), out.weight.end()) - out.weight.begin();
    copies[static_cast<std::size_t>(heaviest)] += particles - drawn;  // what rounding has left over
    for (std::size_t p = 0; p < particles; ++p)
      if (copies[p] == 0) free.push_back(p);
    for (std::size_t p = 0; p < particles && !free.empty(); ++p)
      for (; copies[p] > 1 && !free.empty(); --copies[p], free.pop_back())
        std::copy_n(out.shift.begin() + static_cast<std::ptrdiff_t>(p * n_cells), n_cells,
                    out.shift.begin() + static_cast<std::ptrdiff_t>(free.back() * n_cells));
    std::fill(log_weight.begin(), log_weight.end(), 0.0);
    ++out.redraws;
    even = true;
  };
  for (std::size_t step = source_.mechanism.sequence.size(); step-- > 0;) {
    for (std::size_t p = 0; p < particles; ++p) {
      if (log_weight[p] == never) continue;
      const double weight = take_back(step, chances, out.shift.data() + p * n_cells, uniform);
      if (std::abs(weight - 1) < rounding) continue;
      even = false;
      log_weight[p] += std::log(weight);
    }
    const std::size_t c = static_cast<std::size_t>(source_.mechanism.sequence[step]);
    for (std::size_t i = source_.cycles.start[c]; i < source_.cycles.start[c + 1]; ++i)
      --chances[moves_[i].place];
    work += static_cast<double>(particles);
    if (work > tick_work) report(tick, 0), work = 0;
    if (even) continue;
    double top = never, sum = 0, square = 0;
    for (double w : log_weight) top = std::max(top, w);
    if (top == never) break;  // every particle is lost: the estimate of this batch is 0
    for (double w : log_weight) {
      const double x = std::exp(w - top);
      sum += x, square += x * x;
    }
    if (sum * sum / square > .5 * static_cast<double>(particles)) continue;
    normalise();
    redraw();
  }
  normalise();
  out.even = even && out.redraws == 0;
  return out;
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
