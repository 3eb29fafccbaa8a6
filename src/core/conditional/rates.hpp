// Rows of conditional rates between limits, in whole numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/wide_int.hpp"

namespace sdclattice {

// Limits of rates, in whole units of 1 / scale: 0 <= low <= high <= scale.
struct RateRows {
  std::size_t n_cells = 0;              // of a row
  std::vector<std::int64_t> low, high;  // n_cells for each row
  std::vector<std::int64_t> scale;      // a row each, above 0

  std::size_t size() const { return scale.size(); }
};

// units / scale +- tolerance / scale, with the tolerance a fraction of two whole numbers.
RateRows make_rate_rows(std::size_t n_cells, const std::vector<std::int64_t>& units,
                        const std::vector<std::int64_t>& scale, std::int64_t tolerance_numerator,
                        std::int64_t tolerance_denominator);

// rate t / scale, rounded down or up. Most products fit 64 bits, where dividing is fast.
inline std::int64_t floor_share(std::int64_t rate, std::int64_t t, std::int64_t scale) {
  std::int64_t product;
  if (!product_overflows(rate, t, &product)) return product / scale;
  return static_cast<std::int64_t>(wide_product(rate, t) / scale);
}

inline std::int64_t ceil_share(std::int64_t rate, std::int64_t t, std::int64_t scale) {
  std::int64_t product;
  if (!product_overflows(rate, t, &product)) return product / scale + (product % scale > 0);
  return static_cast<std::int64_t>((wide_product(rate, t) + scale - 1) / scale);
}

// One row of rates that somebody else owns.
struct RateRow {
  const std::int64_t* low = nullptr;
  const std::int64_t* high = nullptr;
  std::size_t n_cells = 0;
  std::int64_t scale = 1;

  // Limits of a cell when the row has the total t.
  std::int64_t least(std::size_t cell, std::int64_t t) const {
    return ceil_share(low[cell], t, scale);
  }
  std::int64_t largest(std::size_t cell, std::int64_t t) const {
    return floor_share(high[cell], t, scale);
  }
  bool allows(std::int64_t t) const {
    std::int64_t low_sum = 0, high_sum = 0;
    for (std::size_t j = 0; j < n_cells; ++j) {
      const std::int64_t from = least(j, t), to = largest(j, t);
      if (from > to) return false;
      low_sum += from, high_sum += to;
    }
    return low_sum <= t && t <= high_sum;
  }
  // No cell has room: the rates are known exactly.
  bool exact() const;
};

// Rows with the same rates.
struct RateKind {
  RateRow row;
  std::int64_t copies = 0;
};
struct RateKinds {
  std::vector<RateKind> kinds;
  std::vector<std::uint32_t> kind_of_row;
};
RateKinds group_rows(const RateRows& rows);

// count / total in whole units of 1 / scale, half a unit up.
std::int64_t round_rate(std::int64_t count, std::int64_t total, std::int64_t scale);

}  // namespace sdclattice
