#include "release/critical_widths.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kMaxVariables = 30;

// More than any count, and far enough from the end of the range to add to it.
constexpr std::int64_t kNever = std::int64_t{1} << 62;

// A sub-table T as rows, the variables outside of T masked out of the keys. For the cells x at risk
// that a row holds, `rest` is the least R(x) = sum of N - n_v(x) over the variables v outside of T,
// and `both` the least R(x) + M(x), where M(x) is the least one-way count of x; kNever when it
// holds none.
template <class Width>
struct Rows {
  KeyNumbers<Width> keys;
  std::vector<std::int64_t> count, rest, both;

  explicit Rows(Width n_words) : keys(n_words) {}
  std::size_t size() const { return count.size(); }
  void clear(std::size_t n_expected) {
    keys.clear(n_expected);
    count.clear();
    rest.clear();
    both.clear();
  }
  // The row of a key, a new one when there is none yet.
  std::size_t find(const std::uint64_t* key) {
    const std::size_t at = keys.number(key);
    if (at == size()) {
      count.push_back(0);
      rest.push_back(kNever);
      both.push_back(kNever);
    }
    return at;
  }
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
template <class Width>
class WidthWalk {
 public:
  WidthWalk(const RiskCells& cells, Width n_words, const Tick& tick)
      : cells_(cells), n_words_(n_words), tick_(tick) {
    const std::size_t k = cells.n_variables();
    if (k > kMaxVariables)
      throw TooLargeError(
          "The critical widths of all sub-tables are computed for at most 30 variables.");
    assert(cells.size() > 0);
    out_.resize(std::size_t{1} << k);
    by_depth_.assign(k + 1, Rows<Width>(n_words));
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
    Rows<Width>& rows = by_depth_[0];
    rows.clear(stored.n);
    for (std::size_t i = 0; i < stored.n; ++i)
      rows.count[rows.find(stored.keys + i * n_words_)] =
          static_cast<std::int64_t>(stored.counts[i]);
    assert(rows.size() == stored.n);
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

  std::int64_t width(const Rows<Width>& rows) const {
    std::int64_t least = least_one_way_;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows.rest[r] >= kNever) continue;
      least = std::min({least, rows.count[r], rows.rest[r], rows.both[r] - rows.count[r]});
    }
    return least;
  }

  void project(const Rows<Width>& from, std::size_t variable, Rows<Width>& to) {
    const Layout& layout = cells_.layout();
    const KeyField& field = layout.field(variable);
    const std::uint64_t keep = ~(field.mask << field.shift);
    to.clear(from.size());
    std::vector<std::uint64_t> key(n_words_);
    for (std::size_t r = 0; r < from.size(); ++r) {
      std::copy_n(from.keys.key(r), std::size_t{n_words_}, key.data());
      const std::int64_t missing = missing_[variable][layout.level(key.data(), variable)];
      key[field.word] &= keep;
      const std::size_t at = to.find(key.data());
      to.count[at] += from.count[r];
      to.rest[at] = std::min(to.rest[at], from.rest[r] + missing);
      to.both[at] = std::min(to.both[at], from.both[r] + missing);
    }
  }

  const RiskCells& cells_;
  Width n_words_;
  const Tick& tick_;
  std::vector<std::vector<std::int64_t>> missing_;
  std::int64_t least_one_way_ = 0;
  std::vector<Rows<Width>> by_depth_;
  std::vector<std::int64_t> out_;
  std::size_t n_walked_ = 0;
};

}  // namespace

std::vector<std::int64_t> critical_widths(const RiskCells& cells, const Tick& tick) {
  std::vector<std::int64_t> out;
  with_width(cells.layout().n_words(),
             [&](auto n_words) { out = WidthWalk<decltype(n_words)>(cells, n_words, tick).run(); });
  return out;
}

}  // namespace sdclattice
