#include "perturb/certain.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "perturb/component_tables.hpp"
#include "perturb/perturb.hpp"
#include "perturb/walker.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kFewRuns = 10;  // whatever they cost

// One component, from the original to a publication and back to other originals.
class Looker {
 public:
  Looker(const std::vector<std::int64_t>& counts, const CycleSet& cycles,
         const Mechanism& mechanism, std::uint64_t seed)
      : original_(counts),
        now_(counts),
        cycles_(cycles),
        mechanism_(mechanism),
        walker_(cycles, mechanism),
        random_(seed) {}

  // Each publication of the component that there is, or as many simulated ones as are asked for,
  // while the work lasts; the mean number of the cells `open` that are certain.
  double mean_certain(const CellComponent& component, const std::vector<std::int32_t>& open,
                      const CertainLimits& limits) {
    ForwardLimits few{limits.publications, limits.work};
    const Tick silent;  // which the enumeration refers to
    Enumeration enumeration(original_, cycles_, mechanism_, few, silent);
    double sum = 0;
    const auto all = sorted(enumeration.run(component));
    for (const auto& [table, p] : all) {
      for (std::size_t i = 0; i < table.size(); ++i) now_[component.cells[i]] += shift_of(table[i]);
      sum += p * static_cast<double>(left_certain(component, open, limits));
    }
    if (!all.empty()) return sum;
    std::size_t n = 0;
    do {
      for (std::int32_t c : component.steps) forward(static_cast<std::size_t>(c));
      sum += static_cast<double>(left_certain(component, open, limits));
      ++n;
    } while (n < limits.publications && work_ < limits.work);
    return sum / static_cast<double>(n);
  }

  double work() const { return work_; }
  PublicRandom& random() { return random_; }

 private:
  // How many of the cells `open` no run in reverse clears, from the table as it is now; afterwards
  // that is the original again.
  std::size_t left_certain(const CellComponent& component, std::vector<std::int32_t> open,
                           const CertainLimits& limits) {
    std::vector<std::int64_t> published;
    for (std::int32_t cell : component.cells) published.push_back(now_[cell]);
    for (std::size_t run = 0; run < limits.runs && !open.empty(); ++run) {
      if (run >= kFewRuns && work_ >= limits.work) break;
      work_ += static_cast<double>(component.cells.size());
      if (go_back(component, run % 2 == 0)) clear(open);
      for (std::size_t i = 0; i < published.size(); ++i) now_[component.cells[i]] = published[i];
    }
    for (std::int32_t cell : component.cells) now_[cell] = original_[cell];
    return open.size();
  }

  bool apply(std::size_t c, int side) {
    work_ += static_cast<double>(size_of(c));
    walker_.restart();
    return walker_.apply(c, side, now_);
  }
  void forward(std::size_t c) {
    const int side = walker_.asks(c, random_());
    if (side != 0) apply(c, side);
  }

  // False where no way back is left: such a run shows nothing.
  bool go_back(const CellComponent& component, bool often) {
    for (auto c = component.steps.rbegin(); c != component.steps.rend(); ++c)
      if (!take_back(static_cast<std::size_t>(*c), often)) return false;
    return true;
  }

  // One of the ways that are possible, the first in a random order; in some runs more often the
  // one that leaves the table as it is.
  bool take_back(std::size_t c, bool often) {
    std::array<int, 3> side{0, 1, -1};
    random_.shuffle(side.begin(), side.end());
    if (!often && random_.below(2) == 0)
      std::iter_swap(side.begin(), std::find(side.begin(), side.end(), 0));
    for (int s : side)
      if (s == 0 ? stays(c) : moves_back(c, s)) return true;
    return false;
  }

  double chance(std::size_t c, int side) const {
    return side > 0 ? mechanism_.alpha_of(c) : mechanism_.beta_of(c);
  }

  bool stays(std::size_t c) {
    if (stay_probability(mechanism_.alpha_of(c), mechanism_.beta_of(c)) > 0) return true;
    for (int side : {1, -1}) {
      if (chance(c, side) <= 0) continue;
      if (!apply(c, side)) return true;
      shift(c, walker_.end_of(c), -side);
    }
    return false;
  }

  bool moves_back(std::size_t c, int side) {
    if (chance(c, side) <= 0) return false;
    if (!cycles_.skips_zeros()) return came_from(c, c, side);
    // by any column that it could have reached, but none behind the first one without a zero
    ends_.clear();
    for (auto k = static_cast<std::int32_t>(c); k >= 0; k = cycles_.next[k]) {
      const auto to = static_cast<std::size_t>(k);
      if (came_from(c, to, side)) {
        ends_.push_back(to);
        shift(c, to, side);
      }
      const std::int32_t* at = &cycles_.cell[cycles_.start[to]];
      if (now_[at[1]] > 0 && now_[at[2]] > 0) break;
    }
    if (ends_.empty()) return false;
    shift(c, ends_[random_.below(ends_.size())], -side);
    return true;
  }

  // Did the step lead here from the table without its move? Then that is the table now.
  bool came_from(std::size_t c, std::size_t to, int side) {
    if (!could_come_from(c, to, side)) return false;
    shift(c, to, -side);
    if (apply(c, side)) {
      const std::size_t went = walker_.end_of(c);
      shift(c, went, -side);
      if (went == to) return true;
    }
    shift(c, to, side);
    return false;
  }
  bool could_come_from(std::size_t c, std::size_t to, int side) const {
    for (std::size_t i = 0; i < size_of(c); ++i) {
      const std::size_t at = entry(c, to, i);
      if (now_[cycles_.cell[at]] - side * cycles_.coef[at] < 0) return false;
    }
    return true;
  }

  // Entry i of the move of step c whose other end is `to`.
  std::size_t size_of(std::size_t c) const { return cycles_.start[c + 1] - cycles_.start[c]; }
  std::size_t entry(std::size_t c, std::size_t to, std::size_t i) const {
    const bool end = cycles_.skips_zeros() && (i == 1 || i == 2);
    return cycles_.start[end ? to : c] + i;
  }
  void shift(std::size_t c, std::size_t to, int by) {
    for (std::size_t i = 0; i < size_of(c); ++i) {
      const std::size_t at = entry(c, to, i);
      now_[cycles_.cell[at]] += by * cycles_.coef[at];
    }
  }

  void clear(std::vector<std::int32_t>& open) const {
    open.erase(std::remove_if(open.begin(), open.end(),
                              [&](std::int32_t cell) { return now_[cell] != original_[cell]; }),
               open.end());
  }

  const std::vector<std::int64_t>& original_;
  std::vector<std::int64_t> now_;
  const CycleSet& cycles_;
  const Mechanism& mechanism_;
  Walker walker_;
  PublicRandom random_;
  std::vector<std::size_t> ends_;  // within a step
  double work_ = 0;
};

std::vector<std::int32_t> small_of(const CellComponent& component,
                                   const std::vector<std::uint8_t>& small) {
  std::vector<std::int32_t> out;
  std::copy_if(component.cells.begin(), component.cells.end(), std::back_inserter(out),
               [&](std::int32_t cell) { return small[cell] != 0; });
  return out;
}

}  // namespace

CertainCells certain_cells(const std::vector<std::int64_t>& counts,
                           const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                           const Mechanism& mechanism, std::uint64_t seed,
                           const CertainLimits& limits, const Tick& tick) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  if (small.size() != counts.size())
    throw InputError("Each cell must be marked as small or not small.");
  const std::vector<CellComponent> components = components_of(cycles, mechanism);
  Looker looker(counts, cycles, mechanism, seed);
  std::vector<std::size_t> order(components.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!order.empty()) looker.random().shuffle(order.begin() + 1, order.end());
  CertainCells out;
  for (std::size_t at : order) {
    const std::vector<std::int32_t> open = small_of(components[at], small);
    if (open.empty()) continue;
    if (looker.work() >= limits.work) {
      out.all = false;
      break;
    }
    report(tick, 0);
    const auto n = static_cast<double>(open.size());
    out.seen += n;
    // cells on no cycle stay as they are
    out.certain += at == 0 ? n : looker.mean_certain(components[at], open, limits);
  }
  return out;
}

}  // namespace sdclattice
