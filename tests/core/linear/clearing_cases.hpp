// Hidden cells and the equations that published sums give of them; and the question of clearing.hpp
// by the exact simplex.
#pragma once

#include "base/error.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/sparse_cases.hpp"

namespace clearing_cases {

using namespace sparse_cases;
using sdclattice::ExactSimplex;
using sdclattice::InfeasibleError;

// Entries of hidden cells in the two-way margins of a three-way table, or in random rows. `size`:
// of the first two variables.
inline LinearSystem hidden_rows(Dice& dice, int size = 3) {
  Whole truth;
  const LinearSystem all =
      dice.below(3) == 0 && size == 3
          ? sparse_system(dice, 6 + dice.below(6), 4 + dice.below(4), 0, truth)
          : margins(dice, size - dice.below(2), size, 1 + dice.below(size - 1), 3, 30, truth);
  LinearSystem out;
  std::vector<std::uint32_t> place;
  for (std::size_t i = 0; i < all.n_cells(); ++i) {
    place.push_back(static_cast<std::uint32_t>(out.n_cells()));
    if (all.is_fixed(i)) continue;
    out.lower.push_back(0);
    out.upper.push_back(kNoLimit);
  }
  for (std::size_t r = 0; r < all.n_rows(); ++r) {
    for (std::size_t e = all.start[r]; e < all.start[r + 1]; ++e) {
      if (all.is_fixed(all.cell[e])) continue;
      out.cell.push_back(place[all.cell[e]]);
      out.coefficient.push_back(all.coefficient[e]);
    }
    if (out.cell.size() == out.start.back()) continue;
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(0);
    out.row_upper.push_back(0);
  }
  return out;
}

// Is there z >= 0, of any sign where `free`, with A z = A c? By the exact simplex; a z of any sign
// is the difference of two.
inline bool is_solvable(const LinearSystem& rows, const Whole& c, const std::vector<char>& free) {
  LinearSystem system;
  std::vector<std::uint32_t> twin(c.size());
  system.lower.assign(c.size(), 0);
  for (std::size_t i = 0; i < c.size(); ++i) {
    twin[i] = static_cast<std::uint32_t>(system.n_cells());
    if (free[i]) system.lower.push_back(0);
  }
  system.upper.assign(system.n_cells(), kNoLimit);
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    std::int64_t sum = 0;
    for (std::size_t e = rows.start[r]; e < rows.start[r + 1]; ++e) {
      const std::uint32_t i = rows.cell[e];
      sum += rows.coefficient[e] * c[i];
      system.cell.push_back(i);
      system.coefficient.push_back(rows.coefficient[e]);
      if (!free[i]) continue;
      system.cell.push_back(twin[i]);
      system.coefficient.push_back(-rows.coefficient[e]);
    }
    system.start.push_back(system.cell.size());
    system.row_lower.push_back(sum);
    system.row_upper.push_back(sum);
  }
  try {
    ExactSimplex simplex(system, 1000000, [] {});
    return simplex.restore();
  } catch (const InfeasibleError&) {
    return false;
  }
}

// Whether the rows give the sum: `times` by Gauss over a prime, as multipliers are not kept.
inline bool follows(const LinearSystem& rows, const Whole& times) {
  constexpr std::int64_t kPrime = 2147483647;
  const auto reduced = [](std::int64_t x) { return (x % kPrime + kPrime) % kPrime; };
  const auto inverse = [](std::int64_t x) {
    std::int64_t out = 1;
    for (std::int64_t k = kPrime - 2; k > 0; k /= 2, x = x * x % kPrime)
      if (k % 2 == 1) out = out * x % kPrime;
    return out;
  };
  std::vector<Whole> basis;
  std::vector<std::size_t> pivot;
  const auto take_off = [&](Whole& x) {
    for (std::size_t b = 0; b < basis.size(); ++b) {
      const std::int64_t by = x[pivot[b]];
      for (std::size_t i = 0; i < x.size() && by != 0; ++i)
        x[i] = reduced(x[i] - by * basis[b][i] % kPrime);
    }
  };
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    Whole x(rows.n_cells(), 0);
    for (std::size_t e = rows.start[r]; e < rows.start[r + 1]; ++e)
      x[rows.cell[e]] = reduced(x[rows.cell[e]] + rows.coefficient[e]);
    take_off(x);
    std::size_t at = 0;
    while (at < x.size() && x[at] == 0) ++at;
    if (at == x.size()) continue;
    const std::int64_t by = inverse(x[at]);
    for (std::int64_t& v : x) v = v * by % kPrime;
    basis.push_back(x);
    pivot.push_back(at);
  }
  Whole x;
  for (const std::int64_t t : times) x.push_back(reduced(t));
  take_off(x);
  for (const std::int64_t v : x)
    if (v != 0) return false;
  return true;
}

}  // namespace clearing_cases
