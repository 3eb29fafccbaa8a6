// Sets that are joined until what hangs together is one: union-find with path halving.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sdclattice {

class DisjointSets {
 public:
  // The sets {0}, ..., {n - 1}.
  explicit DisjointSets(std::size_t n) : parent_(n) {
    assert(n <= UINT32_MAX);
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  // The element that stands for the set of i.
  std::size_t root(std::size_t i) {
    assert(i < parent_.size());
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    parent_[root(i)] = static_cast<std::uint32_t>(root(j));
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace sdclattice
