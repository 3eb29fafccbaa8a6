#include "linear/part_bounds.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "linear/flow_search.hpp"
#include "linear/programme_search.hpp"

namespace sdclattice {

namespace {

// Unknowns up to which the exact tableau is faster than the sparse engine.
constexpr std::size_t kPartCells = 60;
// Unknowns up to which it closes what the sparse engine left open.
constexpr std::size_t kTableauCellsAtLast = 400;
// Unknowns from which on a part is shared, and the searches that share it.
constexpr std::size_t kSharedCells = 300, kSearches = 4;

}  // namespace

PartBounds::PartBounds(const PresolvedPart& part, std::vector<std::uint32_t> asked,
                       std::vector<std::int64_t> truth, const BoundsLimits& limits,
                       WorkClock& watch, BoundsCrew crew)
    : part_(part),
      truth_(std::move(truth)),
      limits_(limits),
      watch_(watch),
      crew_(crew),
      known_(part.system),
      asked_(!asked.empty()) {
  for (std::uint32_t i : asked)
    for (const int sign : {1, -1}) open_.push_back({i, sign});
  take_truth();
  choose_engine();
  // Ends next to each other share their neighbourhoods and close together: at random they do not.
  // Nor does a flow move all of a row from one cell to the next, and on.
  if (engine_ != PartEngine::tableau) PublicRandom(1).shuffle(open_.begin(), open_.end());
}

// What is given as a solution is one when it meets all rows; then it counts whatever the time does.
void PartBounds::take_truth() {
  if (truth_.empty()) return;
  if (satisfies(part_.system, truth_) && satisfies(part_.implied, truth_))
    known_.witness([this](std::size_t i) { return truth_[i]; });
  else
    truth_.clear();
}

void PartBounds::choose_engine() {
  if (limits_.engine == BoundsEngine::sparse) return;
  if (limits_.engine != BoundsEngine::simplex) network_ = FlowNetwork::from(part_.system);
  if (limits_.engine == BoundsEngine::network && !network_)
    throw InputError("The constraints are not those of a network.");
  const bool small =
      part_.system.n_cells() <= kPartCells || limits_.engine == BoundsEngine::simplex;
  if (network_)
    engine_ = PartEngine::network;
  else if (small)
    engine_ = PartEngine::tableau;
}

void PartBounds::drop_closed() {
  const auto is_closed = [this](const CellEnd& end) { return !wants(known_, end, limits_.enough); };
  open_.erase(std::remove_if(open_.begin(), open_.end(), is_closed), open_.end());
}

bool PartBounds::done() const {
  return started_ && open_.empty();
}

bool PartBounds::is_sharp(std::size_t i) const {
  if (known_.lower[i] == known_.upper[i]) return true;
  return known_.n_witnesses > 0 && !known_.open(i, -1) && (known_.endless[i] || !known_.open(i, 1));
}

void PartBounds::work(SearchLevel level) {
  if (done()) return;
  if (engine_ == PartEngine::network) {
    search_network();
  } else if (engine_ == PartEngine::tableau) {
    try {
      search_tableau();
    } catch (const TooLargeError&) {
      engine_ = PartEngine::sparse;
    }
  }
  if (engine_ == PartEngine::sparse) search_sparse(level);
  drop_closed();
}

void PartBounds::search_network() {
  FlowSearch search(*network_, known_, effort_, watch_);
  search.start();
  started_ = true;
  for (const CellEnd& end : open_) search.close(end.cell, end.sign);
  open_.clear();
  network_.reset();
}

void PartBounds::search_tableau() {
  ProgrammeSearch search(part_.system, limits_.max_entries, known_, effort_, watch_);
  search.start();
  started_ = true;
  for (const CellEnd& end : open_) search.close(end.cell, end.sign);
  open_.clear();
}

void PartBounds::search_sparse(SearchLevel level) {
  const bool last = level == SearchLevel::complete;
  if (last && part_.system.n_cells() <= kTableauCellsAtLast) {
    try {
      return search_tableau();
    } catch (const TooLargeError&) {
    }
  }
  if (!sparse_) start_team();
  if (!started_) started_ = sparse_->start(truth_, level);
  if (!last) return sparse_->close(open_, limits_.enough, level, 0);
  for (std::size_t round = 0; round < SparseSearch::kRounds && !open_.empty(); ++round) {
    sparse_->close(open_, limits_.enough, level, round);
    drop_closed();
  }
}

bool PartBounds::is_shared(const PresolvedPart& part, const BoundsCrew& crew) {
  return crew.pool != nullptr && part.system.n_cells() >= kSharedCells;
}

void PartBounds::start_team() {
  sparse_ = std::make_unique<SparseTeam>(part_.system, part_.implied,
                                         is_shared(part_, crew_) ? kSearches : 1, known_, effort_,
                                         watch_, crew_);
  std::vector<std::uint32_t> wanted;
  for (const CellEnd& end : open_) wanted.push_back(end.cell);
  sparse_->want(wanted);
}

}  // namespace sdclattice
