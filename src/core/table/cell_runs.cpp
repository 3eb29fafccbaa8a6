#include "table/cell_runs.hpp"

#include <algorithm>
#include <utility>

#include "table/cell_order.hpp"

namespace sdclattice {

CellRuns::CellRuns(std::size_t n_words, const Spill& spill, Tick tick)
    : n_words_(n_words),
      spill_(spill),
      tick_(std::move(tick)),
      // a row that waits, and its copy while they are sorted
      most_rows_(spill.store
                     ? std::max<std::size_t>(1, spill.bytes / 16 * 15 / (16 * (n_words + 1)))
                     : SIZE_MAX / (n_words + 1)),
      settle_at_(std::min(kFirstRows, most_rows_)),
      waiting_(n_words) {}

void CellRuns::add(const std::uint64_t* rows, std::size_t n) {
  while (n > 0) {
    const std::size_t some = std::min(n, settle_at_ - waiting_.size());
    make_room(some);
    waiting_.rows.insert(waiting_.rows.end(), rows, rows + some * waiting_.stride);
    rows += some * waiting_.stride;
    n -= some;
    if (waiting_.size() == settle_at_) settle_in_time();
  }
}

// Grows by doubling, up to the limit and not beyond it.
void CellRuns::make_room(std::size_t n) {
  std::vector<std::uint64_t>& held = waiting_.rows;
  const std::size_t wanted = held.size() + n * waiting_.stride;
  if (held.capacity() < wanted)
    held.reserve(std::max(wanted, std::min(2 * held.capacity(), most_rows_ * waiting_.stride)));
}

// What was written shows that keys seldom come again: from then on all memory is used.
void CellRuns::settle_in_time() {
  settle();
  if (waiting_.size() > most_rows_ / 2) {
    write_run();
    settle_at_ = most_rows_;
  } else {
    settle_at_ = std::clamp(3 * waiting_.size(), settle_at_, most_rows_);
  }
}

void CellRuns::settle() {
  report(tick_, 0);
  sort_cells(waiting_);
  merge_neighbours(waiting_);
}

void CellRuns::write_run() {
  const Run run{spill_.store->append(waiting_.rows.data(), waiting_.rows.size()), waiting_.size()};
  waiting_.rows.clear();
  keep(0, run);
}

void CellRuns::keep(std::size_t level, const Run& run) {
  if (levels_.size() <= level) levels_.resize(level + 1);
  levels_[level].push_back(run);
  if (levels_[level].size() == kMostRuns) merge_level(level);
}

void CellRuns::merge_level(std::size_t level) {
  const std::unique_ptr<RowSource> merged =
      merged_rows(sources(std::exchange(levels_[level], {})), n_words_);
  Run run;
  for (RowSource::Block block = merged->next(); block.n > 0; block = merged->next()) {
    const std::uint64_t at = spill_.store->append(block.rows, block.n * (n_words_ + 1));
    if (run.n == 0) run.at = at;
    run.n += block.n;
  }
  report(tick_, 0);
  keep(level + 1, run);
}

// Blocks that take a sixteenth of the memory together, within what one reading should be.
RowSources CellRuns::sources(const std::vector<Run>& runs) {
  const std::size_t row = 8 * (n_words_ + 1);
  const std::size_t share = spill_.bytes / (16 * std::max<std::size_t>(1, runs.size()));
  const std::size_t bytes = std::clamp<std::size_t>(share, 4096, std::size_t{1} << 20);
  RowSources out;
  for (const Run& run : runs)
    out.push_back(rows_of(*spill_.store, run, n_words_, std::max<std::size_t>(1, bytes / row)));
  return out;
}

std::unique_ptr<RowSource> CellRuns::source() {
  settle();
  if (!has_spilled()) return rows_of(waiting_);
  // the memory is for what the runs become
  if (waiting_.size() > 0) write_run();
  waiting_.release();
  std::vector<Run> all;
  for (const std::vector<Run>& runs : levels_) all.insert(all.end(), runs.begin(), runs.end());
  return merged_rows(sources(all), n_words_);
}

}  // namespace sdclattice
