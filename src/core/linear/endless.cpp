#include "linear/endless.hpp"

#include <vector>

#include "linear/sparse_search.hpp"

namespace sdclattice {

namespace {

// Directions with larger numbers are not looked for.
constexpr std::int64_t kFarthest = 720720;

// The moves that no limit ever stops.
LinearSystem directions(const LinearSystem& system) {
  LinearSystem out = system;
  for (std::size_t i = 0; i < out.n_cells(); ++i) {
    out.lower[i] = system.lower[i] > -kNoLimit ? 0 : -kFarthest;
    out.upper[i] = system.upper[i] < kNoLimit ? 0 : kFarthest;
  }
  for (std::size_t r = 0; r < out.n_rows(); ++r) {
    if (system.row_lower[r] > -kNoLimit) out.row_lower[r] = 0;
    if (system.row_upper[r] < kNoLimit) out.row_upper[r] = 0;
  }
  return out;
}

}  // namespace

bool grows_without_end(const LinearSystem& system, std::uint32_t cell, WorkClock& watch) {
  if (system.upper[cell] < kNoLimit) return false;
  const LinearSystem moves = directions(system);
  LinearSystem none;
  none.lower = moves.lower;
  none.upper = moves.upper;
  Knowledge known(moves);
  Effort effort;
  SparseSearch search(moves, none, known, effort, watch);
  search.start(std::vector<std::int64_t>(moves.n_cells(), 0), SearchLevel::walks);
  return search.reaches(cell, 1, 1, SearchLevel::dives) == Reach::yes;
}

}  // namespace sdclattice
