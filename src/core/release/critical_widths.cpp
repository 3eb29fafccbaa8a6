#include "release/critical_widths.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/error.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMaxVariables = 30;

// More than any count, and far enough from the end of the range to add to it.
constexpr std::int64_t kNever = std::int64_t{1} << 62;

// A sub-table T as rows, the variables outside of T masked out of the keys. For the cells x at risk
// that a row holds, `rest` is the least R(x) = sum of N - n_v(x) over the variables v outside of T,
// and `both` the least R(x) + M(x), where M(x) is the least one-way count of x; kNever when it
// holds none.
struct Rows {
  std::vector<std::uint64_t> keys;
  std::vector<std::int64_t> count, rest, both;
  std::size_t size() const { return count.size(); }
};

// With U = min(n_T, M) and L = max(0, n_T - R) as bounds of a cell at risk, U - L is the least of
// n_T, M, R and M + R - n_T: when R >= n_T the last two are not the least, and else the first two
// are not. So the least width over the cells of a row is had from the row's own numbers, and no
// cell needs to be looked at again below the full table.
//
// The sets are walked from the full table down, each made from one with one variable more: the
// variables leave in ascending order, so that each set is made once. A step costs O(rows of the
// larger table), and there are as many tables in memory as variables. Agrees with the bounds of
// each most parsimonious release in the tests.
class WidthWalk {
 public:
  WidthWalk(const RiskCells& cells, const Tick& tick) : cells_(cells), tick_(tick) {
    const std::size_t k = cells.n_variables();
    if (k > kMaxVariables)
      throw TooLargeError(
          "The critical widths of all sub-tables are computed for at most 30 variables.");
    assert(cells.size() > 0);
    out_.resize(std::size_t{1} << k);
    by_depth_.resize(k + 1);
    for (std::size_t v = 0; v < k; ++v) missing_.push_back(counts_elsewhere(v));
    least_one_way_ = fill_full_table();
  }

  std::vector<std::int64_t> run() {
    descend(cells_.all_variables(), 0, 0);
    return std::move(out_);
  }

 private:
  // N - n_v for each level.
  std::vector<std::int64_t> counts_elsewhere(std::size_t variable) const {
    const Layout& layout = cells_.layout();
    const CellsView& stored = cells_.cells();
    std::vector<std::int64_t> out(layout.n_levels(variable), cells_.total());
    for (std::size_t i = 0; i < stored.n; ++i)
      out[layout.level(stored.keys + i * layout.n_words(), variable)] -=
          static_cast<std::int64_t>(stored.counts[i]);
    return out;
  }

  std::int64_t fill_full_table() {
    const CellsView& stored = cells_.cells();
    Rows& rows = by_depth_[0];
    rows.keys.assign(stored.keys, stored.keys + stored.n * cells_.layout().n_words());
    for (std::size_t i = 0; i < stored.n; ++i)
      rows.count.push_back(static_cast<std::int64_t>(stored.counts[i]));
    rows.rest.assign(stored.n, kNever);
    rows.both.assign(stored.n, kNever);
    std::int64_t least = cells_.total();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      std::int64_t one_way = cells_.total();
      for (std::size_t v = 0; v < missing_.size(); ++v)
        one_way = std::min(one_way, cells_.total() - missing_[v][cells_.level(i, v)]);
      rows.rest[cells_.at_risk()[i]] = 0;
      rows.both[cells_.at_risk()[i]] = one_way;
      least = std::min(least, one_way);
    }
    return least;
  }

  void descend(SubTable set, std::size_t first, std::size_t depth) {
    if (++n_walked_ % 64 == 0)
      report(tick_, static_cast<double>(n_walked_) / static_cast<double>(out_.size()));
    out_[static_cast<std::size_t>(set)] = width(by_depth_[depth]);
    for (std::size_t v = first; v < missing_.size(); ++v) {
      project(by_depth_[depth], v, by_depth_[depth + 1]);
      descend(set ^ SubTable{1} << v, v + 1, depth + 1);
    }
  }

  std::int64_t width(const Rows& rows) const {
    std::int64_t least = least_one_way_;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows.rest[r] >= kNever) continue;
      least = std::min({least, rows.count[r], rows.rest[r], rows.both[r] - rows.count[r]});
    }
    return least;
  }

  void project(const Rows& from, std::size_t variable, Rows& to) {
    const Layout& layout = cells_.layout();
    const std::size_t words = layout.n_words();
    const Field& field = layout.field(variable);
    const std::uint64_t keep = ~(field.mask << field.shift);
    clear(to, from.size());
    std::vector<std::uint64_t> key(words);
    for (std::size_t r = 0; r < from.size(); ++r) {
      std::copy_n(from.keys.data() + r * words, words, key.data());
      const std::int64_t missing = missing_[variable][layout.level(key.data(), variable)];
      key[field.word] &= keep;
      const std::size_t at = find(to, key);
      to.count[at] += from.count[r];
      to.rest[at] = std::min(to.rest[at], from.rest[r] + missing);
      to.both[at] = std::min(to.both[at], from.both[r] + missing);
    }
  }

  void clear(Rows& rows, std::size_t n_before) {
    bits_ = 4;
    while ((std::size_t{1} << bits_) < 2 * n_before) ++bits_;
    slots_.assign(std::size_t{1} << bits_, UINT32_MAX);
    rows.keys.clear();
    rows.count.clear();
    rows.rest.clear();
    rows.both.clear();
  }

  // The row of a key, a new one when there is none yet: open addressing, at most half full.
  std::size_t find(Rows& rows, const std::vector<std::uint64_t>& key) {
    std::uint64_t mixed = 0;
    for (std::uint64_t word : key) {
      mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
      mixed ^= mixed >> 32;
    }
    std::size_t at = static_cast<std::size_t>((mixed * 0x9e3779b97f4a7c15u) >> (64 - bits_));
    const auto same = [&](std::size_t r) {
      return std::equal(key.begin(), key.end(),
                        rows.keys.begin() + static_cast<std::ptrdiff_t>(r * key.size()));
    };
    while (slots_[at] != UINT32_MAX && !same(slots_[at])) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at] == UINT32_MAX) {
      slots_[at] = static_cast<std::uint32_t>(rows.size());
      rows.keys.insert(rows.keys.end(), key.begin(), key.end());
      rows.count.push_back(0);
      rows.rest.push_back(kNever);
      rows.both.push_back(kNever);
    }
    return slots_[at];
  }

  const RiskCells& cells_;
  const Tick& tick_;
  std::vector<std::vector<std::int64_t>> missing_;
  std::int64_t least_one_way_ = 0;
  std::vector<Rows> by_depth_;
  std::vector<std::int64_t> out_;
  std::size_t n_walked_ = 0;
  unsigned bits_ = 4;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

std::vector<std::int64_t> critical_widths(const RiskCells& cells, const Tick& tick) {
  return WidthWalk(cells, tick).run();
}

}  // namespace sdclattice
