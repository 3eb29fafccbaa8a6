// What a search for the bounds of cells knows so far, and what it took.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

constexpr const char* kNoTable = "No table of whole numbers satisfies all constraints.";

// Of the cells of one component: outer limits, and what the witnesses attain.
struct Knowledge {
  explicit Knowledge(const LinearSystem& part)
      : lower(part.lower),
        upper(part.upper),
        least(part.n_cells(), kNoLimit),
        most(part.n_cells(), -kNoLimit),
        endless(part.n_cells(), false) {}

  std::vector<std::int64_t> lower, upper, least, most;
  std::vector<char> endless;  // proved to have no upper limit
  std::size_t n_witnesses = 0;

  bool open(std::size_t i, int sign) const {
    return n_witnesses == 0 || (sign > 0 ? most[i] < upper[i] : least[i] > lower[i]);
  }
  template <class Value>
  void witness(const Value& value) {
    ++n_witnesses;
    for (std::size_t i = 0; i < lower.size(); ++i) attain(i, value(i));
  }
  // A solution that differs from an earlier one in these cells alone.
  template <class Cells, class Value>
  void witness_at(const Cells& cells, const Value& value) {
    ++n_witnesses;
    for (const auto i : cells) attain(i, value(i));
  }
  // Whether that is beyond what was attained before.
  bool attain(std::size_t i, std::int64_t x) {
    const bool is_news = x < least[i] || x > most[i];
    least[i] = std::min(least[i], x);
    most[i] = std::max(most[i], x);
    return is_news;
  }
  // What another search has found beyond `before`, which both began with.
  void join(const Knowledge& other, const Knowledge& before) {
    for (std::size_t i = 0; i < lower.size(); ++i) {
      lower[i] = std::max(lower[i], other.lower[i]);
      upper[i] = std::min(upper[i], other.upper[i]);
      least[i] = std::min(least[i], other.least[i]);
      most[i] = std::max(most[i], other.most[i]);
      endless[i] = static_cast<char>(endless[i] || other.endless[i]);
    }
    n_witnesses += other.n_witnesses - before.n_witnesses;
  }
  // Sign times the cell is at most `bound`.
  void narrow(std::size_t i, int sign, std::int64_t bound) {
    if (sign > 0)
      upper[i] = std::min(upper[i], bound);
    else
      lower[i] = std::max(lower[i], -bound);
  }
};

struct Effort {
  std::size_t programmes = 0, branches = 0;
};

}  // namespace sdclattice
