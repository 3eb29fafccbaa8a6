#include "table/cell_stream.hpp"

#include <algorithm>
#include <cassert>

#include "base/error.hpp"
#include "table/cell_order.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kFirstMerge = std::size_t{1} << 16;

// The least power of two of levels, for a layout that seldom has to change.
std::uint32_t room_for(std::uint32_t levels) {
  std::uint32_t room = 1;
  while (room < levels) room *= 2;
  return room;
}

// Moves all rows from one layout to another in place: backwards when they grow, so that no row is
// written over before it is read. level(v, l) is the level for level l of variable v.
template <class Level>
void repack(Cells& cells, const Layout& from, const Layout& to, Level level) {
  const std::size_t n = cells.size(), old_stride = cells.stride, stride = to.n_words() + 1;
  std::vector<std::uint64_t> row(stride);
  const auto move = [&](std::size_t i) {
    const std::uint64_t* old = cells.rows.data() + i * old_stride;
    std::fill(row.begin(), row.end(), 0);
    for (std::size_t v = 0; v < to.n_variables(); ++v)
      to.put(row.data(), v, level(v, from.level(old, v)));
    row.back() = old[old_stride - 1];
    std::copy(row.begin(), row.end(), cells.rows.data() + i * stride);
  };
  if (stride > old_stride) {
    cells.rows.resize(n * stride);
    for (std::size_t i = n; i-- > 0;) move(i);
  } else {
    for (std::size_t i = 0; i < n; ++i) move(i);
    cells.rows.resize(n * stride);
  }
  cells.stride = stride;
}

}  // namespace

CellStream::CellStream(std::size_t n_variables, bool repeats, const Spill& spill)
    : repeats_(repeats),
      n_codes_(n_variables, 1),
      layout_(n_codes_),
      cells_(layout_.n_words()),
      merge_at_(kFirstMerge),
      spill_(spill) {}

void CellStream::add(const std::vector<const std::int32_t*>& codes, const double* counts,
                     std::size_t n) {
  widen(codes, n);
  std::vector<std::uint64_t> key(layout_.n_words());
  for (std::size_t i = 0; i < n; ++i) {
    const auto count = static_cast<std::uint64_t>(counts[i]);
    total_ += count;
    if (total_ > kMaxCount) throw TooLargeError("The grand total is above 2^53.");
    if (count == 0) continue;
    for (std::size_t v = 0; v < codes.size(); ++v)
      layout_.put(key.data(), v, static_cast<std::uint32_t>(codes[v][i] - 1));
    cells_.add(key.data(), count);
  }
  if (repeats_ && cells_.size() > merge_at_) merge();
  // rows take up to twice their size while they grow, and as much again while they are sorted
  const std::size_t most_rows = spill_.bytes / (32 * cells_.stride);
  if (!spill_.store || cells_.size() <= most_rows) return;
  if (repeats_) merge();
  if (cells_.size() > most_rows / 2) spill();
}

void CellStream::spill() {
  const std::uint64_t at = spill_.store->append(cells_.rows.data(), cells_.rows.size());
  batches_.push_back({layout_, {at, cells_.size()}});
  cells_.release();
  merge_at_ = kFirstMerge;
}

// Makes room for the codes of a block.
void CellStream::widen(const std::vector<const std::int32_t*>& codes, std::size_t n) {
  if (n == 0) return;
  std::vector<std::uint32_t> room;
  for (std::size_t v = 0; v < codes.size(); ++v) {
    const auto range = std::minmax_element(codes[v], codes[v] + n);
    if (*range.first < 1) throw InputError("The codes of a block of cells start at 1.");
    n_codes_[v] = std::max(n_codes_[v], static_cast<std::uint32_t>(*range.second));
    room.push_back(room_for(n_codes_[v]));
  }
  if (room == layout_.levels()) return;
  const Layout wider(room);
  repack(cells_, layout_, wider, [](std::size_t, std::uint32_t level) { return level; });
  layout_ = wider;
}

void CellStream::merge() {
  sort_cells(cells_);
  merge_neighbours(cells_);
  merge_at_ = std::max(kFirstMerge, cells_.size() + cells_.size() / 2);
}

void CellStream::check_levels(const Layout& to,
                              const std::vector<std::vector<std::uint32_t>>& level_of) const {
  for (std::size_t v = 0; v < n_codes_.size(); ++v) {
    const std::vector<std::uint32_t>& levels = level_of[v];
    const bool all = std::all_of(levels.begin(), levels.end(),
                                 [&](std::uint32_t level) { return level < to.n_levels(v); });
    if (!all || levels.size() < n_codes_[v]) throw InputError("Each code must have a level.");
  }
}

Cells CellStream::take(const Layout& to, const std::vector<std::vector<std::uint32_t>>& level_of,
                       const Tick& tick) {
  assert(!has_spilled());
  report(tick, 0);
  if (!cells_.rows.empty()) check_levels(to, level_of);
  repack(cells_, layout_, to, [&](std::size_t v, std::uint32_t code) { return level_of[v][code]; });
  Cells out = std::move(cells_);
  *this = CellStream(n_codes_.size(), repeats_, spill_);
  sort_cells(out);
  merge_neighbours(out);
  return out;
}

void CellStream::take_in_runs(const Layout& to,
                              const std::vector<std::vector<std::uint32_t>>& level_of,
                              CellRuns& runs) {
  constexpr std::size_t kBlock = 4096;
  check_levels(to, level_of);
  if (!cells_.rows.empty()) spill();
  for (const Batch& batch : batches_) {
    const std::size_t words = batch.layout.n_words();
    const auto rows = rows_of(*spill_.store, batch.rows, words, kBlock);
    Cells some(words);
    for (RowSource::Block block = rows->next(); block.n > 0; block = rows->next()) {
      some.stride = words + 1;
      some.rows.assign(block.rows, block.rows + block.n * some.stride);
      repack(some, batch.layout, to,
             [&](std::size_t v, std::uint32_t code) { return level_of[v][code]; });
      runs.add(some.rows.data(), some.size());
    }
  }
  *this = CellStream(n_codes_.size(), repeats_, spill_);
}

}  // namespace sdclattice
