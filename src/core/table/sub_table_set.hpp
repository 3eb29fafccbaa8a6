// A set of sub-tables for look-ups by the million: open addressing, at most half full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "table/risk_cells.hpp"

namespace sdclattice {

// Holds non-empty sub-tables only: 0 marks a free place.
class SubTableSet {
 public:
  SubTableSet() : slots_(64, 0) {}
  explicit SubTableSet(const std::vector<SubTable>& sets) : SubTableSet() {
    for (SubTable set : sets) insert(set);
  }

  std::size_t size() const { return size_; }
  bool contains(SubTable set) const { return slots_[place(set)] == set; }
  void insert(SubTable set) {
    SubTable& slot = slots_[place(set)];
    if (slot == set) return;
    slot = set;
    if (2 * ++size_ > slots_.size()) grow();
  }

 private:
  std::size_t place(SubTable set) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at =
        static_cast<std::size_t>(((set ^ (set >> 32)) * 0x9e3779b97f4a7c15u) >> shift_);
    while (slots_[at] != 0 && slots_[at] != set) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    const std::vector<SubTable> old = std::move(slots_);
    slots_.assign(2 * old.size(), 0);
    --shift_;
    for (SubTable set : old)
      if (set != 0) slots_[place(set)] = set;
  }

  std::vector<SubTable> slots_;
  std::size_t size_ = 0;
  unsigned shift_ = 58;  // the top bits of a product are the best mixed
};

}  // namespace sdclattice
