#include "perturb/change_laws.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cycle/by_cell.hpp"

namespace sdclattice {
namespace {

using CellCounts = std::vector<std::int64_t>;

constexpr std::int64_t kMaxReach = 1 << 14;  // of a cell whose law is worked out

// For each cell its cycles and coefficients; for each cycle how often it is applied.
struct Exposure {
  ByCell at;
  std::vector<std::int32_t> times;

  Exposure(const CycleSet& set, const Mechanism& mechanism) : at(set), times(set.size(), 0) {
    for (const std::int32_t c : mechanism.sequence) ++times[c];
  }

  // The largest change of a cell.
  std::int64_t reach(std::size_t cell) const {
    std::int64_t sum = 0;
    for (std::size_t i = at.start[cell]; i < at.start[cell + 1]; ++i)
      sum += std::int64_t{std::abs(int{at.coef[i]})} * times[at.cycle[i]];
    return sum;
  }
};

ChangeLaw convolve(std::size_t cell, const Exposure& of, const Mechanism& mechanism) {
  const auto reach = static_cast<int>(of.reach(cell));
  ChangeLaw law{ChangeLaw::Kind::convolution, -reach, std::vector<double>(2 * reach + 1, 0)};
  law.probability[reach] = 1;
  int filled = 0;
  std::vector<double> next(law.probability.size());
  for (std::size_t i = of.at.start[cell]; i < of.at.start[cell + 1]; ++i) {
    const double alpha = mechanism.alpha_of(of.at.cycle[i]),
                 beta = mechanism.beta_of(of.at.cycle[i]);
    const double gamma = stay_probability(alpha, beta);
    const int by = of.at.coef[i], size = std::abs(by);
    for (std::int32_t t = 0; t < of.times[of.at.cycle[i]]; ++t) {
      std::fill(next.begin(), next.end(), 0);
      for (int d = -filled; d <= filled; ++d) {
        const double p = law.probability[reach + d];
        next[reach + d + by] += alpha * p;
        next[reach + d - by] += beta * p;
        next[reach + d] += gamma * p;
      }
      filled += size;
      std::swap(law.probability, next);
    }
  }
  return law;
}

ChangeLaw law_in(const WeightedShifts& tables, std::size_t k, std::int64_t reach) {
  const auto r = static_cast<int>(reach);
  ChangeLaw law{ChangeLaw::Kind::enumeration, -r, std::vector<double>(2 * r + 1, 0)};
  for (const auto& [table, p] : tables) law.probability[shift_of(table[k]) + r] += p;
  return law;
}

// Which cells and cycles nothing can stop: see the head of change_laws.hpp.
class Free {
 public:
  Free(const CellCounts& counts, const CycleSet& cycles, const Exposure& of)
      : of_(of), cycle_(cycles.size(), 1) {
    for (std::size_t c = 0; c < cycles.size(); ++c)
      for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
        const std::int64_t reach = of.reach(cycles.cell[i]);
        if (counts[cycles.cell[i]] < reach || reach > kMaxReach) cycle_[c] = 0;
      }
  }
  bool cell(std::int32_t cell) const {
    for (std::size_t i = of_.at.start[cell]; i < of_.at.start[cell + 1]; ++i)
      if (!cycle_[of_.at.cycle[i]]) return false;
    return true;
  }

 private:
  const Exposure& of_;
  std::vector<std::uint8_t> cycle_;
};

}  // namespace

void forward_laws(const CellCounts& counts, const CycleSet& cycles, const Mechanism& mechanism,
                  const ForwardLimits& limits, const OnLaw& on_law, const Tick& tick) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  if (counts.empty()) return;
  const Exposure of(cycles, mechanism);
  const Free free(counts, cycles, of);
  const auto is_free = [&](std::int32_t cell) { return free.cell(cell); };
  const auto is_narrow = [&](std::int32_t cell) { return of.reach(cell) <= kMaxReach; };
  Enumeration enumeration(counts, cycles, mechanism, limits, tick);
  for (const CellComponent& part : components_of(cycles, mechanism)) {
    const bool all_free = std::all_of(part.cells.begin(), part.cells.end(), is_free);
    WeightedShifts tables;
    if (!all_free && std::all_of(part.cells.begin(), part.cells.end(), is_narrow))
      tables = enumeration.run(part);
    for (std::size_t k = 0; k < part.cells.size(); ++k) {
      const std::int32_t cell = part.cells[k];
      if (k % 65536 == 0) report(tick, 0);
      if (!tables.empty())
        on_law(cell, law_in(tables, k, of.reach(cell)));
      else if (all_free || (!cycles.skips_zeros() && is_free(cell)))
        on_law(cell, convolve(cell, of, mechanism));
    }
  }
}

}  // namespace sdclattice
