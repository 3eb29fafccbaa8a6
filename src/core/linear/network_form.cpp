#include "linear/network_form.hpp"

#include <algorithm>
#include <numeric>

namespace sdclattice {

namespace {

// The entries of each cell, when none has more than two, all 1 or -1, in different rows.
bool collect_entries(const LinearSystem& system, const std::vector<bool>& aside,
                     std::vector<CellEntries>& cells) {
  cells.assign(system.n_cells(), {});
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    for (std::size_t e = system.start[r]; e < system.start[r + 1] && !aside[r]; ++e) {
      CellEntries& cell = cells[system.cell[e]];
      const std::int64_t a = system.coefficient[e];
      if (cell.n == 2 || (a != 1 && a != -1) || (cell.n == 1 && cell.row[0] == r)) return false;
      cell.row[cell.n] = static_cast<std::uint32_t>(r);
      cell.sign[cell.n++] = static_cast<std::int32_t>(a);
    }
  return true;
}

// Rows to set aside so that no cell stands in more than two others: the longest first.
std::vector<bool> crowding_rows(const LinearSystem& system) {
  std::vector<bool> aside(system.n_rows(), false);
  std::vector<std::uint32_t> n_left(system.n_cells(), 0);
  for (std::uint32_t i : system.cell) ++n_left[i];
  if (std::none_of(n_left.begin(), n_left.end(), [](std::uint32_t n) { return n > 2; }))
    return aside;
  const auto length = [&](std::size_t r) { return system.start[r + 1] - system.start[r]; };
  std::vector<std::uint32_t> order(system.n_rows());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });
  for (std::uint32_t r : order) {
    const auto from = system.cell.begin() + static_cast<std::ptrdiff_t>(system.start[r]);
    const auto to = system.cell.begin() + static_cast<std::ptrdiff_t>(system.start[r + 1]);
    aside[r] = std::any_of(from, to, [&](std::uint32_t i) { return n_left[i] > 2; });
    if (aside[r]) std::for_each(from, to, [&](std::uint32_t i) { --n_left[i]; });
  }
  return aside;
}

// Whether a row that was set aside follows from the others, as the grand total of a two-way table
// does: multipliers of the equations that add up to it. A cell in one row gives that row's, a cell
// in two rows the one from the other; a walk over the rows finds them.
class Multipliers {
 public:
  Multipliers(const LinearSystem& system, const std::vector<CellEntries>& cells,
              const std::vector<bool>& aside)
      : system_(system), cells_(cells), aside_(aside) {}

  bool imply(std::size_t r) {
    wanted_.assign(cells_.size(), 0);
    for (std::size_t e = system_.start[r]; e < system_.start[r + 1]; ++e)
      wanted_[system_.cell[e]] = system_.coefficient[e];
    stack_.clear();
    known_.assign(system_.n_rows(), false);
    by_.assign(system_.n_rows(), 0);
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (!aside_[k] && system_.row_lower[k] != system_.row_upper[k] && !set(k, 0)) return false;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].n == 0 && wanted_[i] != 0) return false;
      if (cells_[i].n == 1 && !set(cells_[i].row[0], cells_[i].sign[0] * wanted_[i])) return false;
    }
    if (!walk()) return false;
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (!aside_[k] && !known_[k] && !(set(k, 0) && walk())) return false;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < system_.n_rows(); ++k)
      if (by_[k] != 0) sum += by_[k] * system_.row_lower[k];
    return sum >= system_.row_lower[r] && sum <= system_.row_upper[r];
  }

 private:
  bool set(std::size_t row, std::int64_t by) {
    if (known_[row]) return by_[row] == by;
    known_[row] = true;
    by_[row] = by;
    stack_.push_back(row);
    return true;
  }
  bool walk() {
    while (!stack_.empty()) {
      const std::size_t row = stack_.back();
      stack_.pop_back();
      for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
        const std::uint32_t i = system_.cell[e];
        const CellEntries& cell = cells_[i];
        if (cell.n != 2) continue;
        const std::size_t mine = cell.row[0] == row ? 0 : 1;
        const std::int64_t rest = wanted_[i] - cell.sign[mine] * by_[row];
        if (!set(cell.row[1 - mine], cell.sign[1 - mine] * rest)) return false;
      }
    }
    return true;
  }

  const LinearSystem& system_;
  const std::vector<CellEntries>& cells_;
  const std::vector<bool>& aside_;
  std::vector<std::int64_t> wanted_, by_;
  std::vector<bool> known_;
  std::vector<std::size_t> stack_;
};

bool all_implied(const LinearSystem& system, const NetworkForm& form) {
  Multipliers multipliers(system, form.cells, form.aside);
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    if (form.aside[r] && !multipliers.imply(r)) return false;
  return true;
}

// Signs of the rows such that the two entries of each cell are opposite; a walk over the rows.
bool sign_rows(const LinearSystem& system, NetworkForm& form) {
  form.sign.assign(system.n_rows(), 0);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t first = 0; first < system.n_rows(); ++first) {
    if (form.sign[first] != 0 || form.aside[first]) continue;
    form.sign[first] = 1;
    stack.assign(1, first);
    while (!stack.empty()) {
      const std::uint32_t r = stack.back();
      stack.pop_back();
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
        const CellEntries& cell = form.cells[system.cell[e]];
        if (cell.n != 2) continue;
        const std::size_t mine = cell.row[0] == r ? 0 : 1;
        const std::uint32_t other = cell.row[1 - mine];
        const auto needed =
            static_cast<std::int8_t>(-form.sign[r] * cell.sign[mine] * cell.sign[1 - mine]);
        if (form.sign[other] == 0) {
          form.sign[other] = needed;
          stack.push_back(other);
        } else if (form.sign[other] != needed) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

std::optional<NetworkForm> find_network_form(const LinearSystem& system) {
  NetworkForm out;
  out.aside = crowding_rows(system);
  if (!collect_entries(system, out.aside, out.cells) || !sign_rows(system, out) ||
      !all_implied(system, out))
    return {};
  return out;
}

}  // namespace sdclattice
