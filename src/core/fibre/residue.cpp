#include "fibre/residue.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "fibre/open_table.hpp"

namespace sdclattice {

namespace {

// Steps of the first turn of either way.
constexpr double kFirstTry = 1e4 * kStepsOfTerm;

class Residues : public FibrePart {
 public:
  Residues(const TwoWayTable& table, std::size_t n_cells, const FibreLimits& limits)
      : limits_(limits), n_cells_(n_cells), cell_(table.cell) {
    table_.row = table.row;
    table_.column = table.column;
    table_.open.assign(table.row.size(), std::vector<bool>(table.column.size(), false));
    for (const TwoWayCell& c : table.cell) table_.open[c.row][c.column] = true;
  }

  // Which way is quicker shows only by trying: both side by side, by turns, until one is done. One
  // that holds too much makes room for the other.
  BigCount count(const Tick& tick) override {
    if (counted_) return count_;
    std::unique_ptr<OpenCount> way[2] = {std::make_unique<OpenCount>(table_),
                                         std::make_unique<OpenCount>(table_.transposed())};
    for (double steps = kFirstTry;; steps *= 2) {
      const double most = std::min(steps, limits_.steps / 2);
      for (int w = 0; w < 2; ++w) {
        if (!way[w] || !ends(way[w], way[1 - w] != nullptr, most, tick)) continue;
        if (w == 1) transpose();
        return count_;
      }
      if (most < steps)
        throw TooLargeError("The rational functions take more than the limit of " +
                            power_of_ten(limits_.steps) + " steps.");
    }
  }

  double steps_taken() const override { return steps_; }

  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) override {
    std::vector<CellWays> out;
    count(tick);
    double n_values = 0;
    for (std::uint32_t c : cells) n_values += static_cast<double>(most(table_, c));
    if (n_values > limits_.states || n_values * steps_ > limits_.steps)
      throw TooLargeError("The cells have too many values for the limit.");
    for (std::uint32_t c : cells) out.push_back(law(c, tick));
    return out;
  }

  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) override {
    BigCount n = count(tick);
    OpenTable left = table_;
    for (std::uint32_t c = 0; c < cell_.size(); ++c) {
      const std::int64_t own = draw_cell(left, c, n, random, tick);
      if (c < n_cells_) x[c] = own;
      left = less(left, c, own);
      left.open[cell_[c].row][cell_[c].column] = false;
    }
    assert(n == 1);  // of the tables with all these cells
  }

 private:
  bool ends(std::unique_ptr<OpenCount>& way, bool has_other, double steps, const Tick& tick) {
    try {
      if (!way->reach(steps, has_other ? limits_.states / 2 : limits_.states, tick)) return false;
    } catch (const TooLargeError&) {
      if (!has_other) throw;
      way.reset();
      return false;
    }
    count_ = way->count();
    steps_ = way->steps();
    counted_ = true;
    return true;
  }
  void transpose() {
    table_ = table_.transposed();
    for (TwoWayCell& c : cell_) std::swap(c.row, c.column);
  }

  std::int64_t most(const OpenTable& table, std::uint32_t c) const {
    return std::min(table.row[cell_[c].row], table.column[cell_[c].column]);
  }
  OpenTable less(OpenTable table, std::uint32_t c, std::int64_t k) const {
    table.row[cell_[c].row] -= k;
    table.column[cell_[c].column] -= k;
    return table;
  }
  // Taking k off gives the tables with at least k in the cell.
  BigCount at_least(const OpenTable& table, std::uint32_t c, std::int64_t k,
                    const Tick& tick) const {
    if (k > most(table, c)) return 0;
    return count_open(less(table, c, k), limits_, tick);
  }

  CellWays law(std::uint32_t c, const Tick& tick) const {
    CellWays out;
    const std::int64_t top = most(table_, c);
    for (std::int64_t k = 0; k <= top; ++k) {
      report(tick, static_cast<double>(k) / static_cast<double>(top + 1));
      out.push_back(at_least(table_, c, k, tick));
    }
    assert(std::is_sorted(out.rbegin(), out.rend()));
    for (std::size_t k = 0; k + 1 < out.size(); ++k) out[k] -= out[k + 1];
    return out;
  }

  // The largest k with at least as many tables from k on as drawn; `n` becomes the number with k.
  std::int64_t draw_cell(const OpenTable& table, std::uint32_t c, BigCount& n, PublicRandom& random,
                         const Tick& tick) const {
    const BigCount rank = draw_below(n, random) + 1;
    std::int64_t low = 0, high = most(table, c) + 1;
    BigCount from_low = n, from_high = 0;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      BigCount here = at_least(table, c, middle, tick);
      (here >= rank ? low : high) = middle;
      (here >= rank ? from_low : from_high) = std::move(here);
    }
    assert(from_low >= rank && rank > from_high);
    n = from_low - from_high;
    return low;
  }

  FibreLimits limits_;
  std::size_t n_cells_;
  std::vector<TwoWayCell> cell_;
  OpenTable table_;
  bool counted_ = false;
  double steps_ = 0;
  BigCount count_;
};

}  // namespace

bool has_residues(const TwoWayTable& table) {
  std::vector<std::vector<bool>> seen(table.row.size(),
                                      std::vector<bool>(table.column.size(), false));
  for (const TwoWayCell& c : table.cell) {
    if (c.limit < std::min(table.row[c.row], table.column[c.column]) || seen[c.row][c.column])
      return false;
    seen[c.row][c.column] = true;
  }
  return true;
}

std::unique_ptr<FibrePart> make_residues(const TwoWayTable& table, std::size_t n_cells,
                                         const FibreLimits& limits) {
  const bool wide = table.column.size() > table.row.size();
  return std::make_unique<Residues>(wide ? table.transposed() : table, n_cells, limits);
}

}  // namespace sdclattice
