#include "conditional/total_sets.hpp"

#include <cassert>
#include <numeric>
#include <utility>

#include "base/sum_set.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// Walks over the totals 1, 2, ... and says which are possible. The first cell's limits are carried
// along without a division; they rule out most totals when rates have many digits.
class TotalScan {
 public:
  explicit TotalScan(const RateRow& row) : row_(row) {
    while (cell_ + 1 < row.n_cells && row.low[cell_] == 0) ++cell_;
    if (row.low[cell_] == 0) cell_ = 0;
  }

  // Moves on to the next total; is it possible?
  bool next() {
    ++total_;
    if ((low_ += row_.low[cell_]) >= row_.scale) low_ -= row_.scale, ++low_whole_;
    if ((high_ += row_.high[cell_]) >= row_.scale) high_ -= row_.scale, ++high_whole_;
    return low_whole_ + (low_ > 0) <= high_whole_ && row_.allows(total_);
  }
  std::int64_t total() const { return total_; }

 private:
  const RateRow row_;
  std::size_t cell_ = 0;
  std::int64_t total_ = 0, low_ = 0, low_whole_ = 0, high_ = 0, high_whole_ = 0;
};

// Can cells sum to a total at all?
bool sums_to_one(const RateRow& row) {
  WideInt low = 0, high = 0;
  for (std::size_t j = 0; j < row.n_cells; ++j) low += row.low[j], high += row.high[j];
  return low <= row.scale && row.scale <= high;
}

// An exact row has the multiples of its least common denominator.
TotalSet multiples(const RateRow& row, std::int64_t limit) {
  std::int64_t common = row.scale;
  for (std::size_t j = 0; j < row.n_cells; ++j) common = std::gcd(common, row.low[j]);
  const std::int64_t least = row.scale / common;
  if (least > limit) return {};
  return {least, {least}, least == 1 ? 1 : limit + 1};
}

// The sums of two or more of numbers that come in increasing order. The set is kept for a window of
// sums, which doubles when it no longer suffices; below twice the first number none is needed.
class GeneratedSums {
 public:
  void add(std::int64_t generator) {
    all_.push_back(generator);
    if (window_ > 0) sums_.add_coin(generator);
  }
  bool has(std::int64_t sum) {
    if (all_.empty() || sum < 2 * all_[0]) return false;
    if (sum > window_) grow(2 * sum);
    return sums_.has(sum);
  }
  std::vector<std::int64_t> take() { return std::move(all_); }

 private:
  void grow(std::int64_t window) {
    window_ = window;
    sums_ = SumSet(window);
    for (std::int64_t g : all_) sums_.add_coin(g);
  }

  std::vector<std::int64_t> all_;
  std::int64_t window_ = 0;
  SumSet sums_{0};
};

// Scans until as many totals in a row are possible as the least one says: by adding the least one
// to these, all further ones are.
TotalSet find_generators(const RateRow& row, std::int64_t least, std::int64_t limit,
                         const Tick& tick) {
  TotalScan scan(row);
  GeneratedSums generated;
  std::int64_t in_a_row = 0;
  while (scan.total() < limit && in_a_row < least) {
    const bool possible = scan.next();
    if (scan.total() % (1 << 22) == 0) report(tick, 0);
    in_a_row = possible ? in_a_row + 1 : 0;
    if (possible && !generated.has(scan.total())) generated.add(scan.total());
  }
  const bool all = in_a_row == least;
  return {least, generated.take(), all ? scan.total() - least + 1 : limit + 1};
}

}  // namespace

std::int64_t least_total(const RateRow& row, std::int64_t limit, const Tick& tick) {
  if (!sums_to_one(row)) return 0;
  if (row.exact()) return multiples(row, limit).least;
  TotalScan scan(row);
  while (scan.total() < limit) {
    if (scan.next()) return scan.total();
    if (scan.total() % (1 << 22) == 0) report(tick, 0);
  }
  return 0;
}

TotalSet possible_totals(const RateRow& row, std::int64_t limit, const Tick& tick) {
  if (!sums_to_one(row)) return {};
  if (row.exact()) return multiples(row, limit);
  const std::int64_t least = least_total(row, limit, tick);
  if (least == 0) return {};
  return find_generators(row, least, limit, tick);
}

}  // namespace sdclattice
