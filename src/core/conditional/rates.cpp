#include "conditional/rates.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::int64_t kMaxScale = std::int64_t{1} << 61;

// The multiple of a whole number, or an error that says so.
std::int64_t scaled(std::int64_t x, std::int64_t by) {
  if (wide_product(x, by) > kMaxScale)
    throw TooLargeError("The rates and the tolerance together have too many digits.");
  return x * by;
}

}  // namespace

bool RateRow::exact() const {
  return std::equal(low, low + n_cells, high);
}

RateRows make_rate_rows(std::size_t n_cells, const std::vector<std::int64_t>& units,
                        const std::vector<std::int64_t>& scale, std::int64_t tolerance_numerator,
                        std::int64_t tolerance_denominator) {
  assert(units.size() == n_cells * scale.size());
  RateRows out;
  out.n_cells = n_cells;
  for (std::size_t r = 0; r < scale.size(); ++r) {
    const std::int64_t one = scaled(scale[r], tolerance_denominator);
    out.scale.push_back(one);
    for (std::size_t j = r * n_cells; j < (r + 1) * n_cells; ++j) {
      const std::int64_t centre = units[j] * tolerance_denominator;
      const std::int64_t room = std::min(tolerance_numerator, one);
      out.low.push_back(std::max<std::int64_t>(0, centre - room));
      out.high.push_back(std::min(one, centre + room));
    }
  }
  return out;
}

RateKinds group_rows(const RateRows& rows) {
  const std::size_t n = rows.n_cells;
  RateKinds out;
  std::map<std::vector<std::int64_t>, std::uint32_t> known;
  std::vector<std::int64_t> key;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const RateRow row{&rows.low[n * r], &rows.high[n * r], n, rows.scale[r]};
    key.assign(row.low, row.low + n);
    key.insert(key.end(), row.high, row.high + n);
    key.push_back(row.scale);
    const auto [at, is_new] = known.emplace(key, static_cast<std::uint32_t>(out.kinds.size()));
    if (is_new) out.kinds.push_back({row, 0});
    ++out.kinds[at->second].copies;
    out.kind_of_row.push_back(at->second);
  }
  return out;
}

std::int64_t round_rate(std::int64_t count, std::int64_t total, std::int64_t scale) {
  return static_cast<std::int64_t>((2 * wide_product(count, scale) + total) / (2 * WideInt{total}));
}

}  // namespace sdclattice
