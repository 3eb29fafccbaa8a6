#include "linear/neighbourhood.hpp"

#include <utility>

namespace sdclattice {

std::vector<std::int64_t> Neighbourhood::pick(const std::vector<std::int64_t>& x) const {
  std::vector<std::int64_t> out;
  out.reserve(cell.size());
  for (std::uint32_t i : cell) out.push_back(x[i]);
  return out;
}

Neighbourhoods::Neighbourhoods(const LinearSystem& system, const RowsByCell& rows)
    : system_(system), rows_(rows), place_(system.n_cells(), 0), row_seen_(system.n_rows(), 0) {}

void Neighbourhoods::see_cell(std::uint32_t cell) {
  if (place_[cell] != 0) return;
  cells_.push_back(cell);
  place_[cell] = static_cast<std::uint32_t>(cells_.size());
}

void Neighbourhoods::see_row(std::uint32_t row) {
  row_seen_[row] = 1;
  found_.push_back(row);
  for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e)
    see_cell(system_.cell[e]);
}

Neighbourhood Neighbourhoods::around(std::uint32_t cell, std::size_t most_rows) {
  see_cell(cell);
  for (std::size_t k = 0; k < cells_.size() && found_.size() < most_rows; ++k)
    for (std::size_t e = rows_.at[cells_[k]]; e < rows_.at[cells_[k] + 1]; ++e)
      if (row_seen_[rows_.row[e]] == 0 && found_.size() < most_rows) see_row(rows_.row[e]);

  Neighbourhood out;
  for (std::uint32_t i : cells_) {
    out.system.lower.push_back(system_.lower[i]);
    out.system.upper.push_back(system_.upper[i]);
  }
  for (std::uint32_t r : found_) {
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e) {
      out.system.cell.push_back(place_[system_.cell[e]] - 1);
      out.system.coefficient.push_back(system_.coefficient[e]);
    }
    out.system.start.push_back(out.system.cell.size());
    out.system.row_lower.push_back(system_.row_lower[r]);
    out.system.row_upper.push_back(system_.row_upper[r]);
  }
  out.whole = found_.size() == system_.n_rows();
  for (std::uint32_t i : cells_) place_[i] = 0;
  for (std::uint32_t r : found_) row_seen_[r] = 0;
  found_.clear();
  out.cell = std::move(cells_);
  cells_.clear();
  return out;
}

}  // namespace sdclattice
