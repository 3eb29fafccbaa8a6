#include "suppress/blind_search.hpp"

#include <algorithm>

#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kDemandsOfPart = 16;

}  // namespace

BlindSearch::BlindSearch(const StoredCells& cells, const SuppressionProblem& problem,
                         const PatternState& state, const DemandInsertion& insertion,
                         std::size_t threads, std::uint64_t seed)
    : cells_(cells), problem_(problem), insertion_(insertion), seed_(seed), pool_(threads) {
  for (std::size_t w = 0; w < pool_.n_workers(); ++w)
    workers_.push_back({ProductMoveSearch(cells, state.table()), {}});
}

void BlindSearch::guess(std::uint32_t demand, const MoveEffort& effort, Worker& worker,
                        DemandGuess& out) {
  out.change.cell.clear();
  const Demand& asked = problem_.demands[demand];
  if (!is_one_way(asked)) return;
  DemandGap open = insertion_.gap(demand);
  if (!open.is_open) return;
  worker.barred.clear();
  for (const std::uint32_t knower : open.knowers)
    worker.barred.insert(worker.barred.end(), problem_.knowers[knower].begin(),
                         problem_.knowers[knower].end());
  std::sort(worker.barred.begin(), worker.barred.end());
  worker.search.bar(&worker.barred);
  PublicRandom random(hash_word(seed_ ^ demand));
  const MoveWish wish{asked.up, asked.down, asked.slide};
  if (!worker.search.find(cells_.key(asked.cell), wish, MoveTable::kForbidden, effort, random))
    return;
  out.change = change_of_move(worker.search.best());
  out.price = worker.search.best().price;
  out.knowers = std::move(open.knowers);
}

const std::vector<DemandGuess>& BlindSearch::search(const std::vector<std::uint32_t>& demands,
                                                    const MoveEffort& effort,
                                                    const WorkerPool::Between& between) {
  guesses_.resize(demands.size());
  const std::size_t n_parts = (demands.size() + kDemandsOfPart - 1) / kDemandsOfPart;
  pool_.run(
      n_parts,
      [&](std::size_t part, std::size_t worker) {
        const std::size_t end = std::min(demands.size(), (part + 1) * kDemandsOfPart);
        for (std::size_t i = part * kDemandsOfPart; i < end; ++i)
          guess(demands[i], effort, workers_[worker], guesses_[i]);
      },
      between);
  return guesses_;
}

}  // namespace sdclattice
