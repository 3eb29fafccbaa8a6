#include "fibre/twoway_form.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

namespace {

struct Interval {
  std::int64_t low, high;
};

Interval sum_of(const std::vector<Interval>& all) {
  Interval out{0, 0};
  for (const Interval& i : all) out.low += i.low, out.high += i.high;
  return out;
}

// Each by what the others and the total leave. Returns whether something changed.
bool narrow_by_total(std::vector<Interval>& all, Interval& total) {
  bool changed = false;
  Interval sum = sum_of(all);
  const auto raise = [&](std::int64_t& low, std::int64_t by) {
    if (by > low) low = by, changed = true;
  };
  const auto cap = [&](std::int64_t& high, std::int64_t by) {
    if (by < high) high = by, changed = true;
  };
  raise(total.low, sum.low);
  cap(total.high, sum.high);
  for (Interval& i : all) {
    const Interval others{sum.low - i.low, sum.high - i.high};
    raise(i.low, total.low - others.high);
    cap(i.high, total.high - others.low);
    sum = {others.low + i.low, others.high + i.high};
  }
  return changed;
}

// The kind, 0 or 1, of each row but `total`, so that the two rows of a cell differ; false if there
// is no such choice.
bool two_kinds(const LinearSystem& part, const RowsByCell& rows, std::size_t total,
               std::vector<int>& kind) {
  kind.assign(part.n_rows(), -1);
  std::vector<std::size_t> todo;
  for (std::size_t first = 0; first < part.n_rows(); ++first) {
    if (first == total || kind[first] >= 0) continue;
    kind[first] = 0;
    todo.assign(1, first);
    while (!todo.empty()) {
      const std::size_t r = todo.back();
      todo.pop_back();
      for (std::size_t e = part.start[r]; e < part.start[r + 1]; ++e)
        for (std::size_t k = rows.at[part.cell[e]]; k < rows.at[part.cell[e] + 1]; ++k) {
          const std::size_t other = rows.row[k];
          if (other == r || other == total) continue;
          if (kind[other] == kind[r]) return false;
          if (kind[other] < 0) {
            kind[other] = 1 - kind[r];
            todo.push_back(other);
          }
        }
    }
  }
  return true;
}

// The row that holds all cells, where some cell lies in more than two rows; n_rows() if there is no
// need for one; nothing if cells lie in too many.
std::optional<std::size_t> total_row(const LinearSystem& part, const RowsByCell& rows) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < part.n_cells(); ++i)
    most = std::max(most, rows.at[i + 1] - rows.at[i]);
  if (most <= 2) return part.n_rows();
  for (std::size_t r = 0; r < part.n_rows(); ++r)
    if (most == 3 && part.start[r + 1] - part.start[r] == part.n_cells()) return r;
  return std::nullopt;
}

struct Frame {
  std::vector<Interval> line[2];
  Interval total;
};

bool crosses(const Frame& frame) {
  const auto empty = [](const Interval& i) { return i.low > i.high; };
  return empty(frame.total) || std::any_of(frame.line[0].begin(), frame.line[0].end(), empty) ||
         std::any_of(frame.line[1].begin(), frame.line[1].end(), empty);
}

// Makes sums exact: see as_two_way().
void add_slack(TwoWayTable& table, const Frame& frame) {
  const Interval sum[2] = {sum_of(frame.line[0]), sum_of(frame.line[1])};
  for (const Interval& i : frame.line[0]) table.row.push_back(i.high);
  for (const Interval& i : frame.line[1]) table.column.push_back(i.high);
  const auto extra_row = static_cast<std::uint32_t>(table.row.size()),
             extra_column = static_cast<std::uint32_t>(table.column.size());
  const bool rows = sum[0].high > frame.total.low, columns = sum[1].high > frame.total.low;
  if (columns) table.row.push_back(sum[1].high - frame.total.low);
  if (rows) table.column.push_back(sum[0].high - frame.total.low);
  for (std::uint32_t i = 0; rows && i < extra_row; ++i)
    if (const std::int64_t wide = frame.line[0][i].high - frame.line[0][i].low; wide > 0)
      table.cell.push_back({i, extra_column, wide});
  for (std::uint32_t j = 0; columns && j < extra_column; ++j)
    if (const std::int64_t wide = frame.line[1][j].high - frame.line[1][j].low; wide > 0)
      table.cell.push_back({extra_row, j, wide});
  if (rows && columns && frame.total.high > frame.total.low)
    table.cell.push_back({extra_row, extra_column, frame.total.high - frame.total.low});
}

// A line for each row, and one of each kind for the cells that lie in no row of it.
class Framing {
 public:
  Framing(const LinearSystem& part, const RowsByCell& rows, std::size_t total,
          const std::vector<int>& kind)
      : part_(part), rows_(rows), total_(total), kind_(kind), place_(part.n_rows(), kNowhere) {
    for (std::size_t r = 0; r < part.n_rows(); ++r)
      if (r != total) place_[r] = add_line(kind[r], {part.row_lower[r], part.row_upper[r]});
    for (std::size_t i = 0; i < part.n_cells(); ++i) add_cell(i);
    if (total < part.n_rows()) frame.total = {part.row_lower[total], part.row_upper[total]};
    assert(table.cell.size() == part.n_cells());
  }

  Frame frame{{}, {0, 0}};
  TwoWayTable table;  // its cells only

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  std::uint32_t add_line(int kind, Interval sum) {
    frame.line[kind].push_back(sum);
    return static_cast<std::uint32_t>(frame.line[kind].size() - 1);
  }
  void add_cell(std::size_t i) {
    std::uint32_t at[2] = {kNowhere, kNowhere};
    for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k)
      if (rows_.row[k] != total_) at[kind_[rows_.row[k]]] = place_[rows_.row[k]];
    for (int d = 0; d < 2; ++d) {
      if (at[d] != kNowhere) continue;
      if (alone_[d] == kNowhere) alone_[d] = add_line(d, {0, 0});
      at[d] = alone_[d];
      frame.line[d][at[d]].high += part_.upper[i];
    }
    frame.total.high += part_.upper[i];
    table.cell.push_back({at[0], at[1], part_.upper[i]});
  }

  const LinearSystem& part_;
  const RowsByCell& rows_;
  std::size_t total_;
  const std::vector<int>& kind_;
  std::vector<std::uint32_t> place_;
  std::uint32_t alone_[2] = {kNowhere, kNowhere};
};

}  // namespace

std::optional<TwoWayTable> as_two_way(const LinearSystem& part) {
  if (std::any_of(part.coefficient.begin(), part.coefficient.end(),
                  [](std::int64_t a) { return a != 1; }))
    return std::nullopt;
  const RowsByCell rows(part);
  const std::optional<std::size_t> total = total_row(part, rows);
  std::vector<int> kind;
  if (!total || !two_kinds(part, rows, *total, kind)) return std::nullopt;
  Framing framing(part, rows, *total, kind);
  Frame& frame = framing.frame;
  for (int turn = 0; turn < 100 && !crosses(frame); ++turn) {
    const bool rows_changed = narrow_by_total(frame.line[0], frame.total);
    if (!narrow_by_total(frame.line[1], frame.total) && !rows_changed) break;
  }
  framing.table.impossible = crosses(frame);
  if (!framing.table.impossible) add_slack(framing.table, frame);
  return framing.table;
}

}  // namespace sdclattice
