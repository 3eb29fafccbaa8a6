// Some whole tables of one system, to start walks and programmes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// The first table that is put in stays for good, such as the true one: the newest tables alone
// would be near copies of each other. The others leave in the order in which they came.
class TablePool {
 public:
  TablePool(std::size_t n_cells, std::size_t capacity);

  // No table is kept twice. O(capacity) comparisons, which mostly end early.
  void add(const std::vector<std::int64_t>& x);
  // The table in which sign * x[cell] is largest, of several the first. Not of an empty pool.
  std::size_t best(std::size_t cell, int sign) const;
  std::size_t size() const { return tables_.size(); }
  const std::vector<std::int64_t>& operator[](std::size_t k) const { return tables_[k]; }

 private:
  std::size_t n_cells_, capacity_, next_ = 1;
  std::vector<std::vector<std::int64_t>> tables_;
};

}  // namespace sdclattice
