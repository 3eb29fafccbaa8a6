#include "round/rounding_search.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "round/rounding_block.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kShort = 12;         // cells of a block at most
constexpr std::size_t kTried = 40;         // cells that are looked at for a single move
constexpr std::size_t kNodes = 2000;       // of the search in a block
constexpr std::int64_t kWeight = 30;       // of a sum that was never hard to mend
constexpr std::size_t kFew = 8;            // violated sums, for which larger blocks are tried
constexpr std::size_t kShrink = 100;       // how many weights grow before all shrink
constexpr std::uint64_t kSeed = 20020226;  // any: the search draws nothing secret
constexpr std::uint32_t kNone = UINT32_MAX;

class Search {
 public:
  Search(const RoundingRows& rows, std::uint64_t steps, double seconds, const Tick& tick)
      : rows_(rows),
        state_(rows),
        block_(rows),
        random_(kSeed),
        clock_(seconds, tick),
        steps_(steps),
        weight_(rows.n_rows(), kWeight),
        moved_(rows.n_cells(), 0) {
    find_short_rows();
  }

  RoundingChoice run() {
    best_ = now();
    if (rows_.n_cells() == 0) return best_;
    try {
      steps_left_ = steps_;
      while (!state_.violated().empty() && steps_left_ > 0) {
        mend();
        if (state_.violation() < best_.violation) best_ = now();
      }
      if (state_.violated().empty()) polish();
    } catch (const WorkTimeUp&) {
      best_.stopped = true;
    }
    return best_;
  }

 private:
  // For each cell the longest of its short rows.
  void find_short_rows() {
    short_.assign(rows_.n_cells(), kNone);
    for (std::size_t r = 0; r < rows_.n_rows(); ++r) {
      if (rows_.size(r) < 2 || rows_.size(r) > kShort) continue;
      for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e) {
        std::uint32_t& longest = short_[rows_.cells[e]];
        if (longest == kNone || rows_.size(longest) < rows_.size(r))
          longest = static_cast<std::uint32_t>(r);
      }
    }
  }

  void spend(std::size_t steps) {
    steps_left_ -= std::min<std::uint64_t>(steps_left_, std::max<std::size_t>(steps, 1));
    const double half = 1 - static_cast<double>(steps_left_) / static_cast<double>(steps_);
    clock_.done = (half + (polishing_ ? 1 : 0)) / 2;
    clock_.check();
  }

  std::uint32_t any_cell(std::size_t r) {
    return rows_.cells[rows_.start[r] + random_.below(rows_.size(r))];
  }
  void add_row(std::size_t r) {
    block_.cells.assign(rows_.cells.begin() + static_cast<std::ptrdiff_t>(rows_.start[r]),
                        rows_.cells.begin() + static_cast<std::ptrdiff_t>(rows_.start[r + 1]));
  }

  // A second row in the block.
  void join_row(std::uint32_t r) {
    if (r == kNone) return;
    for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e)
      if (std::find(block_.cells.begin(), block_.cells.end(), rows_.cells[e]) == block_.cells.end())
        block_.cells.push_back(rows_.cells[e]);
  }

  void mend() {
    const std::uint32_t r = state_.violated()[random_.below(state_.violated().size())];
    if (rows_.size(r) == 0) return spend(1);
    const std::uint32_t c = any_cell(r);
    if (short_[c] == kNone) return mend_alone(r);
    add_row(short_[c]);
    if (state_.violated().size() <= kFew && random_.below(4) == 0) join_row(short_[any_cell(r)]);
    const BlockResult result = block_.mend(state_, weight_, random_, kNodes);
    if (result != BlockResult::better) add_weight(r);
    spend(block_.nodes());
  }

  void add_weight(std::uint32_t r) {
    ++weight_[r];
    if (++grown_ < std::max(kShrink, 2 * state_.violated().size())) return;
    grown_ = 0;
    for (std::int64_t& w : weight_) w -= w > kWeight;
  }

  // By how much a move changes the weighted violation.
  std::int64_t change(std::uint32_t c) const {
    const int step = state_.up()[c] != 0 ? -1 : 1;
    std::int64_t worse = 0;
    for (const std::uint32_t* r = state_.begin(c); r != state_.end(c); ++r)
      worse += weight_[*r] * (excess(state_.over(*r) + step, rows_.room[*r]) -
                              excess(state_.over(*r), rows_.room[*r]));
    return worse;
  }

  // Moves the best of some cells of a violated row that bring it nearer to its target; not one that
  // was moved just before, if there is another.
  void mend_alone(std::uint32_t r) {
    const bool down = state_.over(r) > 0;
    const std::size_t size = rows_.size(r), offset = random_.below(size);
    const std::uint64_t tenure = 2 + random_.below(8);
    std::uint32_t best = kNone;
    std::int64_t least = 0;
    for (std::size_t k = 0, tried = 0; k < size && tried < kTried; ++k) {
      const std::uint32_t c = rows_.cells[rows_.start[r] + (offset + k * stride(size)) % size];
      if ((state_.up()[c] != 0) != down) continue;
      ++tried;
      std::int64_t worse = change(c);
      if (moved_[c] > 0 && moved_[c] + tenure > n_moves_) worse += std::int64_t{1} << 40;
      if (best != kNone && worse >= least) continue;
      best = c;
      least = worse;
    }
    spend(1);
    if (best == kNone || least >= 0)
      for (const std::uint32_t v : state_.violated()) weight_[v] += kWeight;
    if (best == kNone) return;
    state_.move(best);
    moved_[best] = ++n_moves_;
  }

  // A step through a row that meets all its cells: large rows are not looked at side by side.
  static std::size_t stride(std::size_t size) {
    return size > 2 * kTried && size % 61 != 0 ? 61 : 1;
  }

  // Chooses blocks anew while that saves something.
  void polish() {
    best_ = now();
    polishing_ = true;
    steps_left_ = steps_ = (steps_ + 3) / 4;
    const std::size_t enough = 10 * rows_.n_cells() + 100;
    for (std::size_t failed = 0; failed < enough && steps_left_ > 0; ++failed) {
      choose_block();
      const bool saved = block_.save(state_, kNodes) == BlockResult::better;
      // to make a block takes as long as some nodes for each of its cells
      spend(block_.nodes() + 4 * block_.cells.size());
      if (saved) failed = 0;
    }
    best_ = now();
  }

  // A short row, or cells that are near each other in rows.
  void choose_block() {
    const std::uint32_t c = static_cast<std::uint32_t>(random_.below(rows_.n_cells()));
    if (short_[c] != kNone && random_.below(2) == 0) return add_row(short_[c]);
    block_.cells.assign(1, c);
    for (std::size_t k = 0; k < 2 * kShort && block_.cells.size() < kShort; ++k) {
      const std::uint32_t from = block_.cells[random_.below(block_.cells.size())];
      const std::ptrdiff_t n = state_.end(from) - state_.begin(from);
      if (n == 0) return;
      const std::uint32_t next =
          any_cell(state_.begin(from)[random_.below(static_cast<std::size_t>(n))]);
      if (std::find(block_.cells.begin(), block_.cells.end(), next) == block_.cells.end())
        block_.cells.push_back(next);
    }
  }

  RoundingChoice now() const { return {state_.up(), state_.violation(), state_.cost(), false}; }

  const RoundingRows& rows_;
  RoundingState state_;
  RoundingBlock block_;
  PublicRandom random_;
  WorkClock clock_;
  std::uint64_t steps_, steps_left_ = 0, n_moves_ = 0;
  bool polishing_ = false;
  std::size_t grown_ = 0;
  std::vector<std::int64_t> weight_;
  std::vector<std::uint64_t> moved_;
  std::vector<std::uint32_t> short_;
  RoundingChoice best_;
};

}  // namespace

RoundingChoice search_rounding(const RoundingRows& rows, std::uint64_t steps, double seconds,
                               const Tick& tick) {
  return Search(rows, steps, seconds, tick).run();
}

}  // namespace sdclattice
