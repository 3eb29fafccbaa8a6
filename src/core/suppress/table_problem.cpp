#include "suppress/table_problem.hpp"

#include <algorithm>
#include <map>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

// The families of a variable in which each node is a part.
std::vector<std::vector<std::uint32_t>> families_by_part(const NodeFamilies& variable) {
  std::vector<std::vector<std::uint32_t>> out(variable.n_nodes);
  for (std::uint32_t f = 0; f < variable.n_families(); ++f)
    for (std::size_t e = variable.start[f]; e < variable.start[f + 1]; ++e)
      out[variable.child[e]].push_back(f);
  return out;
}

// Rows in the order in which their first part comes.
class RowMaker {
 public:
  explicit RowMaker(const StoredCells& cells) : cells_(cells) {}

  void add_variable(std::size_t v) {
    const NodeFamilies& all = cells_.families(v);
    const auto families = families_by_part(all);
    FlatMap<std::uint32_t, UINT32_MAX> rows;
    for (std::uint32_t cell = 0; cell < cells_.n_cells(); ++cell) {
      poll_at(cell);
      const std::uint64_t key = cells_.key(cell);
      for (const std::uint32_t family : families[cells_.node(key, v)]) {
        const std::uint32_t total = cells_.find(cells_.beside(key, v, all.parent[family]));
        const auto fresh = static_cast<std::uint32_t>(total_.size());
        const auto row = rows.try_emplace(std::uint64_t{total} * all.n_families() + family, fresh);
        if (row.second) total_.push_back(total);
        parts_.emplace_back(*row.first, cell);
      }
    }
  }

  LinearSystem finish() {
    LinearSystem out;
    out.lower.assign(cells_.n_cells(), 0);
    out.upper.assign(cells_.n_cells(), kNoLimit);
    out.row_lower.assign(total_.size(), 0);
    out.row_upper.assign(total_.size(), 0);
    for (std::uint32_t row = 0; row < total_.size(); ++row) parts_.emplace_back(row, total_[row]);
    std::sort(parts_.begin(), parts_.end());
    for (const auto& part : parts_) {
      out.cell.push_back(part.second);
      out.coefficient.push_back(part.second == total_[part.first] ? -1 : 1);
    }
    out.start.assign(total_.size() + 1, 0);
    for (const auto& part : parts_) ++out.start[part.first + std::size_t{1}];
    for (std::size_t row = 0; row < total_.size(); ++row) out.start[row + 1] += out.start[row];
    return out;
  }

 private:
  const StoredCells& cells_;
  std::vector<std::uint32_t> total_;                            // of each row
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_;  // row, cell
};

}  // namespace

LinearSystem table_rows(const StoredCells& cells) {
  RowMaker maker(cells);
  for (std::size_t v = 0; v < cells.n_variables(); ++v) maker.add_variable(v);
  return maker.finish();
}

SuppressionProblem table_problem(const StoredCells& cells, std::int64_t floor, bool with_rows) {
  SuppressionProblem out;
  const std::size_t n = cells.n_cells();
  if (with_rows) out.system = table_rows(cells);
  out.system.lower.assign(n, 0);
  out.system.upper.assign(n, kNoLimit);
  out.cost.assign(n, 1);
  for (std::uint32_t cell = 0; cell < n; ++cell) {
    const bool seen = cells.is_published(cell);
    out.value.push_back(cells.value(cell));
    out.role.push_back(seen ? CellRole::candidate : CellRole::unseen);
    if (seen) out.system.lower[cell] = std::min(floor, cells.value(cell));
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> knowers_of_ones(const StoredCells& cells,
                                                        const std::vector<char>& unsure) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (cells.value(cell) != 1 || !cells.is_inner(cell)) continue;
    std::vector<std::uint32_t> known;
    cells.each_above(cells.key(cell), [&](std::uint64_t key) {
      const std::uint32_t above = cells.find(key);
      if (above == cell || (cells.value(above) == 1 && cells.is_published(above) &&
                            (unsure.empty() || unsure[above] == 0)))
        known.push_back(above);
    });
    std::sort(known.begin(), known.end());
    out.push_back(std::move(known));
  }
  return out;
}

std::vector<std::vector<std::uint32_t>> knowers_of_own_ones(const StoredCells& cells) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    if (cells.value(cell) == 1 && cells.is_inner(cell)) out.push_back({cell});
  return out;
}

Certificate from_inner_changes(const StoredCells& cells, const Certificate& inner) {
  std::map<std::uint32_t, std::int64_t> changes;
  for (std::size_t i = 0; i < inner.cell.size(); ++i) {
    if (!cells.is_inner(inner.cell[i])) throw InputError("A changed cell is not an inner one.");
    cells.each_above(cells.key(inner.cell[i]),
                     [&](std::uint64_t key) { changes[cells.find(key)] += inner.change[i]; });
  }
  Certificate out;
  for (const auto& change : changes) {
    if (change.second == 0) continue;
    out.cell.push_back(change.first);
    out.change.push_back(change.second);
  }
  return out;
}

}  // namespace sdclattice
