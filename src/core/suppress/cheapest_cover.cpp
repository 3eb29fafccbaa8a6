#include "suppress/cheapest_cover.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <queue>
#include <utility>

#include "linear/best_table.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

namespace {

// Sums below this are exact in the programme.
constexpr std::int64_t kExactSum = std::int64_t{1} << 52;

// The cuts in cells 0, 1, ..., and which cells these are.
struct CoverCase {
  std::vector<std::uint32_t> cells;
  std::vector<std::int64_t> cost;
  std::vector<CellCut> cuts;
  std::vector<std::vector<std::size_t>> cuts_of;  // of each cell
};

std::vector<std::uint32_t> cells_of(const std::vector<CellCut>& cuts) {
  std::vector<std::uint32_t> out;
  for (const CellCut& cut : cuts) out.insert(out.end(), cut.begin(), cut.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

CoverCase number_cells(std::vector<CellCut> cuts, const std::vector<std::int64_t>& cost) {
  CoverCase out;
  out.cells = cells_of(cuts);
  for (const std::uint32_t i : out.cells) out.cost.push_back(cost[i]);
  out.cuts = std::move(cuts);
  out.cuts_of.resize(out.cells.size());
  for (std::size_t k = 0; k < out.cuts.size(); ++k)
    for (std::uint32_t& i : out.cuts[k]) {
      i = static_cast<std::uint32_t>(std::lower_bound(out.cells.begin(), out.cells.end(), i) -
                                     out.cells.begin());
      out.cuts_of[i].push_back(k);
    }
  return out;
}

// The cuts are in the order of their sizes: small ones have few cells to be charged.
std::int64_t packing(const CoverCase& of) {
  std::vector<std::int64_t> left = of.cost;
  std::int64_t sum = 0;
  for (const CellCut& cut : of.cuts) {
    std::int64_t least = left[cut[0]];
    for (const std::uint32_t i : cut) least = std::min(least, left[i]);
    for (const std::uint32_t i : cut) left[i] -= least;
    sum += least;
  }
  return sum;
}

// Takes the cell that hits most for its cost, again and again; then gives back what is not needed,
// the dearest first.
class GreedyCover {
 public:
  GreedyCover(const CoverCase& of, std::vector<double> price)
      : of_(of),
        price_(std::move(price)),
        hits_(of.cuts.size(), 0),
        chosen_(of.cells.size(), 0),
        open_(of.cells.size()) {
    for (std::size_t i = 0; i < open_.size(); ++i) open_[i] = of.cuts_of[i].size();
  }

  std::vector<char> run() {
    for (std::size_t i = 0; i < open_.size(); ++i) offer(i);
    std::size_t left = of_.cuts.size();
    while (left > 0) {
      const Offer best = queue_.top();
      queue_.pop();
      if (best.open != open_[best.cell]) continue;
      chosen_[best.cell] = 1;
      for (const std::size_t k : of_.cuts_of[best.cell])
        if (hits_[k]++ == 0) {
          --left;
          close(k);
        }
    }
    give_back();
    return std::move(chosen_);
  }

 private:
  struct Offer {
    double worth;
    std::size_t cell, open;
    bool operator<(const Offer& other) const {
      return worth != other.worth ? worth < other.worth : cell > other.cell;
    }
  };
  void offer(std::size_t i) {
    if (open_[i] > 0) queue_.push({static_cast<double>(open_[i]) / price_[i], i, open_[i]});
  }
  void close(std::size_t k) {
    for (const std::uint32_t i : of_.cuts[k]) {
      --open_[i];
      if (chosen_[i] == 0) offer(i);
    }
  }
  void give_back() {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < chosen_.size(); ++i)
      if (chosen_[i] != 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return price_[a] > price_[b]; });
    for (const std::size_t i : order) {
      const auto& cuts = of_.cuts_of[i];
      if (std::any_of(cuts.begin(), cuts.end(), [&](std::size_t k) { return hits_[k] == 1; }))
        continue;
      chosen_[i] = 0;
      for (const std::size_t k : cuts) --hits_[k];
    }
  }

  const CoverCase& of_;
  std::vector<double> price_;
  std::vector<std::size_t> hits_;  // of each cut
  std::vector<char> chosen_;
  std::vector<std::size_t> open_;  // cuts of each cell that nothing hits
  std::priority_queue<Offer> queue_;
};

std::int64_t cost_of(const CoverCase& of, const std::vector<char>& chosen) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != 0) out += of.cost[i];
  return out;
}

void take(const CoverCase& of, const std::vector<char>& chosen, CellCover& out) {
  out.cost = cost_of(of, chosen);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != 0) out.cells.push_back(of.cells[i]);
}

std::vector<double> prices(const std::vector<std::int64_t>& cost) {
  return std::vector<double>(cost.begin(), cost.end());
}

// Which cells of the cuts are in the list.
std::vector<char> among(const CoverCase& of, const std::vector<std::uint32_t>& list) {
  std::vector<char> out(of.cells.size(), 0);
  for (const std::uint32_t i : list) {
    const auto at = std::lower_bound(of.cells.begin(), of.cells.end(), i);
    if (at != of.cells.end() && *at == i) out[static_cast<std::size_t>(at - of.cells.begin())] = 1;
  }
  return out;
}

bool hits_all(const CoverCase& of, const std::vector<char>& chosen) {
  return std::all_of(of.cuts.begin(), of.cuts.end(), [&](const CellCut& cut) {
    return std::any_of(cut.begin(), cut.end(), [&](std::uint32_t i) { return chosen[i] != 0; });
  });
}

LinearSystem rows_of(const CoverCase& of) {
  LinearSystem out;
  out.lower.assign(of.cells.size(), 0);
  out.upper.assign(of.cells.size(), 1);
  for (const CellCut& cut : of.cuts) {
    out.cell.insert(out.cell.end(), cut.begin(), cut.end());
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(1);
    out.row_upper.push_back(kNoLimit);
  }
  out.coefficient.assign(out.cell.size(), 1);
  return out;
}

// Improves the cover and raises the bound.
void solve(const CoverCase& of, double seconds, const Tick& tick, std::vector<char>& chosen,
           CellCover& out) {
  const int lost = lost_bits(of.cost);
  std::vector<std::int64_t> weight = of.cost;
  for (std::int64_t& w : weight) w >>= lost;
  BestTableHints hints;
  hints.table.assign(chosen.begin(), chosen.end());
  const BestTable found = best_table(rows_of(of), weight, seconds, tick, hints);
  out.interrupted = found.interrupted;
  out.bound = std::max(out.bound, found.bound << lost);
  if (found.values.empty()) return;
  const std::vector<char> better(found.values.begin(), found.values.end());
  if (cost_of(of, better) < cost_of(of, chosen)) chosen = better;
}

}  // namespace

int lost_bits(const std::vector<std::int64_t>& cost) {
  std::int64_t sum = std::accumulate(cost.begin(), cost.end(), std::int64_t{0});
  int out = 0;
  for (; sum > kExactSum; sum /= 2) ++out;
  return out;
}

std::vector<CellCut> strongest_cuts(std::vector<CellCut> cuts) {
  std::sort(cuts.begin(), cuts.end(), [](const CellCut& a, const CellCut& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  const std::uint32_t n = cuts.empty() ? 0 : cells_of(cuts).back() + 1;
  std::vector<std::vector<std::size_t>> kept_of(n);  // the kept cuts of each cell
  std::vector<std::size_t> shared, touched;          // cells of the cut at hand, by kept cut
  std::vector<CellCut> out;
  for (CellCut& cut : cuts) {
    bool is_weak = false;
    for (const std::uint32_t i : cut)
      for (const std::size_t k : kept_of[i]) {
        if (shared[k]++ == 0) touched.push_back(k);
        is_weak = is_weak || shared[k] == out[k].size();
      }
    for (const std::size_t k : touched) shared[k] = 0;
    touched.clear();
    if (is_weak) continue;
    for (const std::uint32_t i : cut) kept_of[i].push_back(out.size());
    out.push_back(std::move(cut));
    shared.push_back(0);
  }
  return out;
}

CellCover cheapest_cover(std::vector<CellCut> cuts, const std::vector<std::int64_t>& cost,
                         double seconds, const Tick& tick,
                         const std::vector<std::uint32_t>& known) {
  const CoverCase of = number_cells(strongest_cuts(std::move(cuts)), cost);
  CellCover out;
  out.bound = packing(of);
  std::vector<char> chosen = GreedyCover(of, prices(of.cost)).run();
  const std::vector<char> other = among(of, known);
  if (hits_all(of, other) && cost_of(of, other) < cost_of(of, chosen)) chosen = other;
  if (cost_of(of, chosen) > out.bound) solve(of, seconds, tick, chosen, out);
  take(of, chosen, out);
  return out;
}

CellCover quick_cover(std::vector<CellCut> cuts, const std::vector<std::int64_t>& cost,
                      std::size_t tries, std::int64_t enough, PublicRandom& random) {
  const CoverCase of = number_cells(strongest_cuts(std::move(cuts)), cost);
  std::vector<char> chosen = GreedyCover(of, prices(of.cost)).run();
  for (; tries > 1 && cost_of(of, chosen) > enough; --tries) {
    std::vector<double> price = prices(of.cost);
    for (double& p : price) p *= 1 + random.uniform() / 2;
    const std::vector<char> other = GreedyCover(of, std::move(price)).run();
    if (cost_of(of, other) < cost_of(of, chosen)) chosen = other;
  }
  CellCover out;
  out.bound = packing(of);
  take(of, chosen, out);
  return out;
}

}  // namespace sdclattice
