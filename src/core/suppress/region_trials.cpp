#include "suppress/region_trials.hpp"

#include <algorithm>

#include "base/flat_map.hpp"

namespace sdclattice {

RegionTrials::Worker::Worker(const StoredCells& cells, const SuppressionProblem& problem,
                             const PatternState& base, const DemandInsertion& like)
    : state(base.fork()), insertion(cells, problem, *state), search(problem, *state, insertion) {
  insertion.give_up_as(like);
}

RegionTrials::RegionTrials(const StoredCells& cells, const SuppressionProblem& problem,
                           PatternState& state, const DemandInsertion& insertion,
                           std::size_t threads)
    : state_(state), insertion_(insertion), pool_(threads) {
  for (std::size_t w = 0; w < pool_.n_workers(); ++w)
    workers_.push_back(std::make_unique<Worker>(cells, problem, state, insertion));
}

void RegionTrials::set_prices(bool unrest, std::uint64_t seed) {
  state_.set_prices(unrest, seed);
  for (const auto& worker : workers_) worker->state->set_prices(unrest, seed);
}

RegionTrials::Trial RegionTrials::try_cell(std::uint32_t cell, std::uint64_t seed, Worker& worker,
                                           const std::function<bool()>& is_over) {
  PatternState& fork = *worker.state;
  Trial out;
  if (!fork.is_hidden(cell)) return out;
  PublicRandom random(hash_word(seed ^ cell));
  const std::int64_t before = fork.cost();
  if (worker.search.improve(cell, random, is_over)) {
    out.gone = fork.gone();
    out.added = fork.added();
    out.gain = before - fork.cost();
  }
  fork.reset();
  return out;
}

// False where the trial no longer fits; the state is as before then.
bool RegionTrials::take(Trial& trial) {
  const std::int64_t before = state_.cost();
  const auto is_there = [this](std::uint32_t number) { return state_.is_alive(number); };
  if (!std::all_of(trial.gone.begin(), trial.gone.end(), is_there)) return false;
  std::vector<std::uint32_t> demands, added;
  const std::size_t n_touched = touched_.size();
  const auto touch = [&](std::uint32_t number) {
    const std::vector<std::uint32_t>& cells = state_.change(number).cell;
    touched_.insert(touched_.end(), cells.begin(), cells.end());
  };
  for (const std::uint32_t number : trial.gone) state_.add_demands_of(number, demands);
  std::sort(demands.begin(), demands.end());
  demands.erase(std::unique(demands.begin(), demands.end()), demands.end());
  for (const std::uint32_t number : trial.gone) {
    state_.remove(number);
    touch(number);
  }
  for (ScaledChange& change : trial.added) {
    added.push_back(state_.add(std::move(change)));
    touch(added.back());
  }
  const auto is_met = [this](std::uint32_t demand) { return !insertion_.gap(demand).is_open; };
  if (state_.cost() <= before && std::all_of(demands.begin(), demands.end(), is_met)) return true;
  for (const std::uint32_t number : added) state_.remove(number);
  for (const std::uint32_t number : trial.gone) state_.put_back(number);
  touched_.resize(n_touched);
  return false;
}

std::vector<std::uint32_t> RegionTrials::improve(const std::vector<std::uint32_t>& cells,
                                                 std::uint64_t seed,
                                                 const WorkerPool::Between& between,
                                                 const std::function<bool()>& is_over) {
  for (const auto& worker : workers_) worker->state->follow(touched_);
  touched_.clear();
  std::vector<Trial> trials(cells.size());
  pool_.run(
      cells.size(),
      [&](std::size_t part, std::size_t worker) {
        trials[part] = try_cell(cells[part], seed, *workers_[worker], is_over);
      },
      between);
  std::vector<std::uint32_t> again;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!trials[i].gone.empty() && !take(trials[i]) && trials[i].gain > 0)
      again.push_back(cells[i]);
  return again;
}

}  // namespace sdclattice
