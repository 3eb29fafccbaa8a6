#include "round/rounding_search.hpp"

#include <cassert>
#include <limits>
#include <utility>

#include "base/random.hpp"
#include "base/work_clock.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kTried = 40;         // cells that are looked at for a move
constexpr std::size_t kRepair = 60;        // moves to repair a cell that was moved to save costs
constexpr std::uint64_t kSeed = 20020226;  // any: the search draws nothing secret
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class Search {
 public:
  Search(const RoundingRows& rows, std::uint64_t moves, double seconds, const Tick& tick)
      : rows_(rows), random_(kSeed), clock_(seconds, tick), moves_left_(moves), moves_(moves) {
    list_rows();
    start_at_nearest();
  }

  RoundingChoice run() {
    RoundingChoice best = now();
    if (rows_.n_cells() == 0) return best;
    try {
      while (!violated_.empty() && spend()) {
        mend();
        if (violation_ < best.violation) best = now();
      }
      if (violated_.empty()) {
        best = now();
        polish(best);
      }
    } catch (const WorkTimeUp&) {
      best.stopped = true;
    }
    return best;
  }

 private:
  void list_rows() {
    const std::size_t n = rows_.n_cells();
    first_.assign(n + 1, 0);
    for (std::uint32_t c : rows_.cells) ++first_[c + 1];
    for (std::size_t c = 0; c < n; ++c) first_[c + 1] += first_[c];
    row_of_.resize(rows_.cells.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t r = 0; r < rows_.n_rows(); ++r)
      for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e)
        row_of_[next[rows_.cells[e]]++] = static_cast<std::uint32_t>(r);
  }

  void start_at_nearest() {
    up_.assign(rows_.n_cells(), 0);
    held_.assign(rows_.n_rows(), 0);
    weight_.assign(rows_.n_rows(), 1);
    place_.assign(rows_.n_rows(), kNone);
    moved_.assign(rows_.n_cells(), 0);
    for (std::size_t r = 0; r < rows_.n_rows(); ++r) {
      violation_ += excess(r, 0);
      cost_ += row_cost(r, 0);
      note(r);
    }
    for (std::size_t c = 0; c < up_.size(); ++c)
      if (rows_.cost[c] < 0) move(c);
  }

  std::int64_t excess(std::size_t r, std::int64_t held) const {
    const std::int64_t over = held - rows_.target[r];
    return over < 0 ? -over : over > rows_.room[r] ? over - rows_.room[r] : 0;
  }
  std::int64_t row_cost(std::size_t r, std::int64_t held) const {
    return rows_.room[r] && held > rows_.target[r] ? rows_.row_cost[r] : 0;
  }

  // Enters a row into the list of those that are violated, or takes it out.
  void note(std::size_t r) {
    const bool bad = excess(r, held_[r]) > 0;
    if (bad == (place_[r] != kNone)) return;
    if (bad) {
      place_[r] = violated_.size();
      violated_.push_back(r);
      return;
    }
    const std::size_t last = violated_.back();
    violated_[place_[r]] = last;
    place_[last] = place_[r];
    violated_.pop_back();
    place_[r] = kNone;
  }

  void move(std::size_t c) {
    const int step = up_[c] ? -1 : 1;
    up_[c] ^= 1;
    cost_ += step * rows_.cost[c];
    for (std::size_t e = first_[c]; e < first_[c + 1]; ++e) {
      const std::size_t r = row_of_[e];
      violation_ -= excess(r, held_[r]);
      cost_ -= row_cost(r, held_[r]);
      held_[r] += step;
      violation_ += excess(r, held_[r]);
      cost_ += row_cost(r, held_[r]);
      note(r);
    }
    moved_[c] = ++n_moves_;
  }

  // By how much a move changes the weighted violation, and the cost.
  std::pair<std::int64_t, std::int64_t> change(std::size_t c, bool weighted) const {
    const int step = up_[c] ? -1 : 1;
    std::int64_t worse = 0, dearer = step * rows_.cost[c];
    for (std::size_t e = first_[c]; e < first_[c + 1]; ++e) {
      const std::size_t r = row_of_[e];
      const std::int64_t by = excess(r, held_[r] + step) - excess(r, held_[r]);
      worse += weighted ? weight_[r] * by : by;
      dearer += row_cost(r, held_[r] + step) - row_cost(r, held_[r]);
    }
    return {worse, dearer};
  }

  bool spend() {
    clock_.done = 1 - static_cast<double>(moves_left_) / static_cast<double>(moves_);
    clock_.check();
    if (moves_left_ == 0) return false;
    --moves_left_;
    return true;
  }

  // The best of some cells of a violated row that bring it nearer to its target; not one that was
  // moved just before, if there is another.
  std::pair<std::size_t, std::int64_t> best_move(bool weighted) {
    const std::size_t r = violated_[random_.below(violated_.size())];
    const bool down = held_[r] > rows_.target[r];
    const std::size_t size = rows_.start[r + 1] - rows_.start[r];
    if (size == 0) return {kNone, 0};
    const std::size_t offset = random_.below(size);
    const std::uint64_t tenure = 2 + random_.below(8);
    std::size_t best = kNone, tried = 0;
    std::pair<std::int64_t, std::int64_t> least{0, 0};
    for (std::size_t k = 0; k < size && tried < kTried; ++k) {
      const std::size_t c = rows_.cells[rows_.start[r] + (offset + k * stride(size)) % size];
      if ((up_[c] != 0) != down) continue;
      ++tried;
      auto found = change(c, weighted);
      if (moved_[c] > 0 && moved_[c] + tenure > n_moves_) found.first += tabu(weighted);
      if (best == kNone || found < least) {
        best = c;
        least = found;
      }
    }
    return {best, least.first};
  }

  // A step through a row that meets all its cells: large rows are not looked at side by side.
  static std::size_t stride(std::size_t size) {
    return size > 2 * kTried && size % 61 != 0 ? 61 : 1;
  }
  static std::int64_t tabu(bool weighted) { return weighted ? std::int64_t{1} << 40 : 100; }

  void mend() {
    const auto [c, worse] = best_move(true);
    if (c == kNone || worse >= 0)
      for (std::size_t r : violated_) ++weight_[r];
    if (c != kNone) move(c);
  }

  // Saves costs while each cell is tried some times without success.
  void polish(RoundingChoice& best) {
    const std::size_t n = rows_.n_cells();
    std::size_t failed = 0;
    while (failed < 10 * n + 100) {
      const std::size_t c = random_.below(n);
      ++failed;
      if (change(c, false).second >= 0) continue;
      if (!save_at(c, best.cost)) {
        if (moves_left_ == 0) return;
        continue;
      }
      best = now();
      failed = 0;
    }
  }

  // Moves c and repairs; takes all back unless the whole costs less than before.
  bool save_at(std::size_t c, std::int64_t cost) {
    trail_.clear();
    move(c);
    trail_.push_back(c);
    while (!violated_.empty() && trail_.size() < kRepair && spend()) {
      const std::size_t next = best_move(false).first;
      if (next == kNone) break;
      move(next);
      trail_.push_back(next);
    }
    if (violated_.empty() && cost_ < cost) return true;
    for (std::size_t k = trail_.size(); k-- > 0;) move(trail_[k]);
    assert(violated_.empty());
    return false;
  }

  RoundingChoice now() const { return {up_, violation_, cost_, false}; }

  const RoundingRows& rows_;
  PublicRandom random_;
  WorkClock clock_;
  std::uint64_t moves_left_, moves_, n_moves_ = 0;
  std::vector<std::size_t> first_, place_, violated_, trail_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint8_t> up_;
  std::vector<std::int64_t> held_, weight_;
  std::vector<std::uint64_t> moved_;
  std::int64_t violation_ = 0, cost_ = 0;
};

}  // namespace

RoundingChoice search_rounding(const RoundingRows& rows, std::uint64_t moves, double seconds,
                               const Tick& tick) {
  return Search(rows, moves, seconds, tick).run();
}

}  // namespace sdclattice
