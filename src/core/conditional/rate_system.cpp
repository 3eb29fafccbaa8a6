#include "conditional/rate_system.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "linear/bounds_knowledge.hpp"

namespace sdclattice {

namespace {

using Cells = std::vector<std::uint32_t>;

// Cells that some set sums and another does not are 0, and those that the table leaves no count.
LinearSystem without_absent_cells(const LinearSystem& table, const std::vector<RateSet>& sets) {
  LinearSystem out = table;
  std::vector<std::size_t> n_sets(table.n_cells(), 0);
  for (const RateSet& set : sets)
    for (const std::uint32_t i : set.cell) ++n_sets[i];
  for (std::size_t i = 0; i < n_sets.size(); ++i)
    if (n_sets[i] > 0 && n_sets[i] < sets.size()) out.upper[i] = 0;
  if (!tighten(out, Tick())) throw InfeasibleError(kNoTable);
  return out;
}

class Builder {
 public:
  Builder(LinearSystem table, const std::vector<RateSet>& sets) : table_(std::move(table)) {
    out_.system.lower = table_.lower;
    out_.system.upper = table_.upper;
    out_.all = insert(cells_of(sets[0].cell.begin(), sets[0].cell.end())).first;
    for (const RateSet& set : sets) add(set);
    add_table_rows();
  }
  RateSystem take() { return std::move(out_); }

 private:
  // The totals of each set add up to the sum of all cells.
  void add(const RateSet& set) {
    out_.rows.push_back(&set.rows);
    out_.sets.emplace_back();
    for (std::size_t r = 0; r < set.rows.size(); ++r) add_line(set, r);
    std::vector<RowEntry> entries;
    for (const RateLine& line : out_.sets.back()) entries.push_back({line.total, 1});
    equate(std::move(entries), out_.all);
  }

  // What is said of a sum that has an unknown is a limit of it.
  void add_table_rows() {
    for (std::size_t r = 0; r < table_.n_rows(); ++r) {
      const std::size_t from = table_.start[r], to = table_.start[r + 1];
      std::vector<RowEntry> entries;
      bool is_sum = to > from;
      for (std::size_t e = from; e < to; ++e) {
        entries.push_back({table_.cell[e], table_.coefficient[e]});
        is_sum = is_sum && table_.coefficient[e] == 1;
      }
      const auto known = is_sum ? known_.find(counted_cells(entries)) : known_.end();
      if (known == known_.end())
        add_row(out_.system, entries, table_.row_lower[r], table_.row_upper[r]);
      else
        narrow(known->second, table_.row_lower[r], table_.row_upper[r]);
    }
  }
  Cells counted_cells(const std::vector<RowEntry>& entries) const {
    Cells out;
    for (const RowEntry& entry : entries) out.push_back(entry.cell);
    return cells_of(out.begin(), out.end());
  }
  // In ascending order, without those that are 0: sums are the same that differ by these.
  Cells cells_of(Cells::const_iterator from, Cells::const_iterator to) const {
    Cells out;
    std::copy_if(from, to, std::back_inserter(out),
                 [&](std::uint32_t i) { return table_.upper[i] > 0; });
    std::sort(out.begin(), out.end());
    return out;
  }

  void narrow(std::uint32_t unknown, std::int64_t lower, std::int64_t upper) {
    std::int64_t &low = out_.system.lower[unknown], &high = out_.system.upper[unknown];
    low = std::max(low, lower);
    high = std::min(high, upper);
    if (low > high) throw InfeasibleError(kNoTable);
  }

  // The unknown of a sum of ascending cells, and whether it is new.
  std::pair<std::uint32_t, bool> insert(const Cells& cells) {
    if (cells.size() == 1) return {cells[0], false};
    const auto next = static_cast<std::uint32_t>(out_.system.n_cells());
    const auto [at, is_new] = known_.emplace(cells, next);
    if (is_new) {
      out_.system.lower.push_back(0);
      out_.system.upper.push_back(cells.empty() ? 0 : kNoLimit);
    }
    return {at->second, is_new};
  }
  void define(std::uint32_t unknown, const Cells& cells) {
    std::vector<RowEntry> entries;
    for (const std::uint32_t i : cells) entries.push_back({i, 1});
    equate(std::move(entries), unknown);
  }
  void equate(std::vector<RowEntry> parts, std::uint32_t sum) {
    const auto is_nothing = [&](const RowEntry& part) {
      return out_.system.upper[part.cell] == 0 && part.cell != sum;
    };
    parts.erase(std::remove_if(parts.begin(), parts.end(), is_nothing), parts.end());
    if (parts.size() == 1 && parts[0].cell == sum) return;
    parts.push_back({sum, -1});
    add_row(out_.system, parts, 0, 0);
  }

  void add_line(const RateSet& set, std::size_t r) {
    const std::size_t n = set.rows.n_cells;
    RateLine line;
    line.row = {&set.rows.low[n * r], &set.rows.high[n * r], n, set.rows.scale[r]};
    std::vector<RowEntry> entries;
    Cells all;
    for (std::size_t k = r * n; k < (r + 1) * n; ++k) {
      const Cells cells =
          cells_of(set.cell.begin() + static_cast<std::ptrdiff_t>(set.start[k]),
                   set.cell.begin() + static_cast<std::ptrdiff_t>(set.start[k + 1]));
      const auto [unknown, is_new] = insert(cells);
      if (is_new && !cells.empty()) define(unknown, cells);
      line.sum.push_back(unknown);
      entries.push_back({unknown, 1});
      all.insert(all.end(), cells.begin(), cells.end());
    }
    std::sort(all.begin(), all.end());
    line.total = insert(all).first;
    equate(std::move(entries), line.total);
    narrow(line.total, 1, kNoLimit);
    out_.sets.back().push_back(std::move(line));
  }

  LinearSystem table_;
  RateSystem out_;
  std::map<Cells, std::uint32_t> known_;  // sums of two cells or more
};

}  // namespace

void add_row(LinearSystem& system, const std::vector<RowEntry>& entries, std::int64_t lower,
             std::int64_t upper) {
  for (const RowEntry& entry : entries) {
    system.cell.push_back(entry.cell);
    system.coefficient.push_back(entry.coefficient);
  }
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(lower);
  system.row_upper.push_back(upper);
}

RateSystem rate_system(const LinearSystem& table, const std::vector<RateSet>& sets) {
  return Builder(without_absent_cells(table, sets), sets).take();
}

}  // namespace sdclattice
