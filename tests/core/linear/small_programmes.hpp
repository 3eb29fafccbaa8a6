// Linear programmes of a few cells, solved the slow way: every vertex is where so many limits hold
// with equality, and Cramer's rule says where that is.
#pragma once

#include <numeric>

#include "base/wide_int.hpp"
#include "small_tables.hpp"

namespace small_programmes {

using namespace small_tables;

using Wide = sdclattice::WideInt;

// A fraction with a positive denominator.
struct Fraction {
  Wide top = 0, bottom = 1;
};
inline bool less(const Fraction& a, const Fraction& b) {
  return a.top * b.bottom < b.top * a.bottom;
}

struct Limit {
  Whole coefficient;
  std::int64_t at;
};

inline std::vector<Limit> limits_of(const LinearSystem& system) {
  std::vector<Limit> out;
  const std::size_t n = system.n_cells();
  for (std::size_t i = 0; i < n; ++i) {
    Whole unit(n, 0);
    unit[i] = 1;
    out.push_back({unit, system.lower[i]});
    if (system.upper[i] < kNoLimit) out.push_back({unit, system.upper[i]});
  }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    Whole a(n, 0);
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      a[system.cell[e]] += system.coefficient[e];
    if (system.row_lower[r] > -kNoLimit) out.push_back({a, system.row_lower[r]});
    if (system.row_upper[r] < kNoLimit) out.push_back({a, system.row_upper[r]});
  }
  return out;
}

inline Wide determinant(const std::vector<Whole>& a) {
  const std::size_t n = a.size();
  if (n == 0) return 1;
  if (n == 1) return a[0][0];
  Wide out = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (a[0][j] == 0) continue;
    std::vector<Whole> minor;
    for (std::size_t i = 1; i < n; ++i) {
      minor.emplace_back();
      for (std::size_t k = 0; k < n; ++k)
        if (k != j) minor.back().push_back(a[i][k]);
    }
    out += (j % 2 == 0 ? 1 : -1) * a[0][j] * determinant(minor);
  }
  return out;
}

// Whether tops / bottom keeps every limit.
inline bool holds_at(const LinearSystem& system, const std::vector<Wide>& tops, Wide bottom) {
  for (std::size_t i = 0; i < tops.size(); ++i) {
    if (tops[i] < system.lower[i] * bottom) return false;
    if (system.upper[i] < kNoLimit && tops[i] > system.upper[i] * bottom) return false;
  }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    Wide sum = 0;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum += system.coefficient[e] * tops[system.cell[e]];
    if (system.row_lower[r] > -kNoLimit && sum < system.row_lower[r] * bottom) return false;
    if (system.row_upper[r] < kNoLimit && sum > system.row_upper[r] * bottom) return false;
  }
  return true;
}

// The least and the largest value of each cell over all vertices; empty where there is none.
struct Optima {
  std::vector<Fraction> least, most;
};
inline Optima optima(const LinearSystem& system) {
  const std::vector<Limit> limits = limits_of(system);
  const std::size_t n = system.n_cells();
  Optima out;
  std::vector<std::size_t> pick(n);
  std::iota(pick.begin(), pick.end(), std::size_t{0});
  for (bool more = limits.size() >= n; more;) {
    std::vector<Whole> a;
    for (const std::size_t k : pick) a.push_back(limits[k].coefficient);
    Wide bottom = determinant(a);
    if (bottom != 0) {
      std::vector<Wide> tops;
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<Whole> b = a;
        for (std::size_t i = 0; i < n; ++i) b[i][j] = limits[pick[i]].at;
        tops.push_back(determinant(b));
      }
      if (bottom < 0) {
        bottom = -bottom;
        for (Wide& x : tops) x = -x;
      }
      if (holds_at(system, tops, bottom)) {
        for (std::size_t i = 0; i < n; ++i) {
          const Fraction here{tops[i], bottom};
          if (out.least.size() <= i) out.least.push_back(here), out.most.push_back(here);
          if (less(here, out.least[i])) out.least[i] = here;
          if (less(out.most[i], here)) out.most[i] = here;
        }
      }
    }
    std::size_t k = n;
    while (k > 0 && pick[k - 1] == limits.size() - n + k - 1) --k;
    more = k > 0;
    if (!more) break;
    ++pick[k - 1];
    for (; k < n; ++k) pick[k] = pick[k - 1] + 1;
  }
  return out;
}

}  // namespace small_programmes
