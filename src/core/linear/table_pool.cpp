#include "linear/table_pool.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace sdclattice {

TablePool::TablePool(std::size_t n_cells, std::size_t capacity)
    : n_cells_(n_cells), capacity_(capacity) {
  if (capacity == 0) throw InputError("A pool has room for at least one table.");
}

void TablePool::add(const std::vector<std::int64_t>& x) {
  if (x.size() != n_cells_) throw InputError("A table of the pool has a value for each cell.");
  if (std::find(tables_.begin(), tables_.end(), x) != tables_.end()) return;
  if (tables_.size() < capacity_) {
    tables_.push_back(x);
    return;
  }
  if (capacity_ == 1) return;
  tables_[next_] = x;
  next_ = next_ + 1 == capacity_ ? 1 : next_ + 1;
}

std::size_t TablePool::best(std::size_t cell, int sign) const {
  std::size_t out = 0;
  for (std::size_t k = 1; k < tables_.size(); ++k)
    if (sign * tables_[k][cell] > sign * tables_[out][cell]) out = k;
  return out;
}

}  // namespace sdclattice
