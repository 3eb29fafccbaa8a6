#include "table/column_values.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace sdclattice {

bool find_levels(const std::int32_t* x, std::size_t n, std::size_t max_span,
                 std::vector<std::int32_t>& levels, bool& any_missing) {
  std::int64_t lo = INT32_MAX, hi = INT32_MIN;
  any_missing = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] == kMissing) {
      any_missing = true;
      continue;
    }
    lo = std::min<std::int64_t>(lo, x[i]);
    hi = std::max<std::int64_t>(hi, x[i]);
  }
  if (lo > hi) return true;
  if (static_cast<std::uint64_t>(hi - lo) >= max_span) return false;
  std::vector<char> seen(static_cast<std::size_t>(hi - lo) + 1, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (x[i] != kMissing) seen[static_cast<std::size_t>(x[i] - lo)] = 1;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) levels.push_back(static_cast<std::int32_t>(lo + static_cast<std::int64_t>(i)));
  return true;
}

namespace {

// Whether the word is new.
bool add(ValueNumbers& numbers, std::uint64_t word) {
  if (numbers.size() == INT32_MAX) throw TooLargeError("A variable has more than 2^31 - 1 levels.");
  return numbers.try_emplace(word, static_cast<std::int32_t>(numbers.size())).second;
}

}  // namespace

std::vector<std::size_t> find_distinct(const ValueBits& x, std::size_t n, bool& any_missing) {
  ValueNumbers numbers;
  std::vector<std::size_t> first;
  any_missing = false;
  with_loader(x, [&](auto load) {
    std::uint64_t word;
    for (std::size_t i = 0; i < n; ++i) {
      if (!load(i, word))
        any_missing = true;
      else if (numbers.find(word) < 0 && add(numbers, word))
        first.push_back(i);
    }
  });
  return first;
}

ValueNumbers number_values(const ValueBits& x, const std::vector<std::size_t>& first) {
  ValueNumbers numbers;
  with_loader(x, [&](auto load) {
    std::uint64_t word;
    for (std::size_t at : first)
      if (load(at, word)) add(numbers, word);
  });
  return numbers;
}

}  // namespace sdclattice
