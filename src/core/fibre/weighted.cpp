#include "fibre/weighted.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr double kPower = .5;  // of the guesses

}  // namespace

WeightedDraws::WeightedDraws(std::vector<Publication> sources, const Prior& prior,
                             std::size_t max_tables, const Tick& tick)
    : lead_(prior), n_guesses_from_(prior.factors.size()), original_(sources[0].n_cells()) {
  for (Publication& source : sources) {
    published_.push_back(source.published);
    std::vector<Publication> one;
    one.push_back(std::move(source));
    models_.push_back(
        std::make_unique<PosteriorModel>(std::move(one), Inference::automatic, max_tables));
  }
  guesses_.resize(models_.size());
  for (std::size_t k = 1; k < models_.size(); ++k) add_guesses(k, tick);
  log_lead_ = models_[0]->log_evidence(lead_, tick);
}

// The laws of the cells under publication k alone, as weights around what it published.
void WeightedDraws::add_guesses(std::size_t k, const Tick& tick) {
  PosteriorModel& model = *models_[k];
  const auto width = static_cast<std::size_t>(model.width());
  std::vector<double> laws(model.n_laws() * width, 0.0);
  model.infer(Prior(), laws.data(), tick);
  std::vector<double>& guess = guesses_[k];
  guess.assign(original_.size() * width, 0.0);
  for (std::size_t i = 0; i < original_.size(); ++i) {
    const std::int32_t law = model.linkage().law_of_cell[i];
    double* out = guess.data() + i * width;
    if (law == 0) {
      out[model.reach()] = 1;
      continue;
    }
    const double* of_law = laws.data() + static_cast<std::size_t>(std::abs(law) - 1) * width;
    for (std::size_t d = 0; d < width; ++d)
      out[d] = std::pow(law > 0 ? of_law[d] : of_law[width - 1 - d], kPower);
  }
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::around;
  factor.value = {guess.data(), guess.size()};
  factor.center = published_[k];
  factor.width = width;
  lead_.factors.push_back(factor);
}

// Of the draw with these changes of the first publication's laws.
double WeightedDraws::log_weight(const std::int8_t* shift) {
  double sum = 0;
  for (std::size_t i = 0; i < original_.size(); ++i) {
    const std::int32_t law = linkage().law_of_cell[i];
    const int change = law == 0 ? 0 : shift[std::abs(law) - 1] * (law > 0 ? 1 : -1);
    original_[i] = published_[0][i] - change;
    for (std::size_t f = n_guesses_from_; f < lead_.factors.size(); ++f)
      sum -= lead_.factors[f].log_weight(i, original_[i]);
  }
  Prior known;
  known.factors.push_back({});
  known.factors[0].kind = PriorFactor::Kind::known;
  known.factors[0].value = {original_.data(), original_.size()};
  for (std::size_t k = 1; k < models_.size(); ++k) {
    try {
      sum += models_[k]->log_evidence(known, Tick());
    } catch (const InfeasibleError&) {
      return kNever;
    }
  }
  return sum;
}

WeightedDraws::Batch WeightedDraws::run(std::size_t draws, const std::function<double()>& uniform,
                                        const Tick& tick) {
  const std::size_t n_laws = models_[0]->n_laws();
  Batch out;
  out.shift.resize(draws * n_laws);
  models_[0]->sample(lead_, draws, uniform, out.shift.data(), tick);
  std::vector<double> logs;
  for (std::size_t i = 0; i < draws; ++i) {
    report(tick, static_cast<double>(i) / static_cast<double>(draws));
    logs.push_back(log_weight(out.shift.data() + i * n_laws));
  }
  const double mean = log_mean_exp(logs);
  out.log_evidence = log_lead_ + mean;
  if (mean == kNever) return out;
  for (double w : logs) out.weight.push_back(std::exp(w - mean) / static_cast<double>(draws));
  return out;
}

SimulatedLaws WeightedDraws::infer(std::size_t batches, std::size_t draws,
                                   const std::function<double()>& uniform, const Tick& tick) {
  const std::size_t n_laws = models_[0]->n_laws();
  const auto width = static_cast<std::size_t>(models_[0]->width());
  Batches all;
  for (std::size_t b = 0; b < batches; ++b) {
    const Batch batch = run(draws, uniform, [&](double share) {
      report(tick, (static_cast<double>(b) + share) / static_cast<double>(batches));
    });
    std::vector<double> laws(n_laws * width, 0.0);
    for (std::size_t i = 0; i < batch.weight.size(); ++i)
      for (std::size_t l = 0; l < n_laws; ++l)
        laws[l * width + static_cast<std::size_t>(reach() + batch.shift[i * n_laws + l])] +=
            batch.weight[i];
    all.add(batch.log_evidence, std::move(laws));
  }
  SimulatedLaws out = all.estimate();
  out.independent = false;
  return out;
}

void WeightedDraws::sample(std::size_t n, std::size_t draws, const std::function<double()>& uniform,
                           std::int8_t* shifts, const Tick& tick) {
  const Batch batch = run(draws, uniform, tick);
  if (batch.weight.empty()) no_run_left();
  const std::size_t n_laws = models_[0]->n_laws();
  for (std::size_t draw = 0; draw < n; ++draw) {
    std::size_t i = 0;
    for (double u = uniform(); i + 1 < draws && u >= batch.weight[i]; ++i) u -= batch.weight[i];
    std::copy_n(batch.shift.begin() + static_cast<std::ptrdiff_t>(i * n_laws), n_laws,
                shifts + draw * n_laws);
  }
}

}  // namespace sdclattice
