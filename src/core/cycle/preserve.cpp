#include "cycle/preserve.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "base/wide_int.hpp"
#include "cycle/by_cell.hpp"

namespace sdclattice {

// A function f of the cells is preserved by all moves when f' M = 0, M the matrix of cells by
// cycles: the left kernel of M, of dimension cells - rank(M). Rows of M that are proportional make
// one class, and only one row of each is needed for the rank. Sets that skip zeros move along all
// pairs of columns of a band; these moves are sums of those between neighbours, so that the kernel
// is the same.
//
// Elimination is over the integers (rows are scaled, then divided by their common factor; every
// product is checked), so nothing has to be verified. It takes cycles in their order and leads with
// the class that was met first: along a band a row has at most a few entries left, and a closed
// ring costs one walk around it, so rule sets take linear time. The tests compare with qr() of
// dense matrices and with the formulae.

namespace {

struct Signatures : ByCell {
  using ByCell::ByCell;

  // The common factor of a cell's coefficients, with the sign of the first.
  std::int32_t factor(std::size_t cell) const {
    std::int32_t g = 0;
    for (std::size_t i = start[cell]; i < start[cell + 1]; ++i)
      g = std::gcd(g, std::int32_t(coef[i]));
    return coef[start[cell]] < 0 ? -g : g;
  }

  std::uint64_t hash(std::size_t cell, std::int32_t factor) const {
    std::uint64_t h = 0;
    for (std::size_t i = start[cell]; i < start[cell + 1]; ++i) {
      h = (h ^ (std::uint64_t(cycle[i]) * 256 + std::uint64_t(coef[i] / factor + 128))) *
          0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    return h;
  }

  bool proportional(std::size_t a, std::int32_t of_a, std::size_t b, std::int32_t of_b) const {
    const std::size_t n = start[a + 1] - start[a];
    if (start[b + 1] - start[b] != n) return false;
    for (std::size_t i = 0; i < n; ++i) {
      if (cycle[start[a] + i] != cycle[start[b] + i]) return false;
      if (coef[start[a] + i] / of_a != coef[start[b] + i] / of_b) return false;
    }
    return true;
  }
};

}  // namespace

// Class mates share their first cycle, so they are looked for among its cells only.
MovingClasses find_classes(const CycleSet& cycles) {
  const Signatures at(cycles);
  MovingClasses out{std::vector<std::int32_t>(cycles.n_cells, -1),
                    std::vector<std::int32_t>(cycles.n_cells, 0),
                    {}};
  std::unordered_multimap<std::uint64_t, std::int32_t> here;
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    here.clear();
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      const std::size_t cell = static_cast<std::size_t>(cycles.cell[i]);
      if (out.class_of[cell] >= 0) continue;
      out.factor[cell] = at.factor(cell);
      const std::uint64_t hash = at.hash(cell, out.factor[cell]);
      const auto [from, to] = here.equal_range(hash);
      const auto mate = std::find_if(from, to, [&](const auto& k) {
        const std::size_t other = static_cast<std::size_t>(out.first[k.second]);
        return at.proportional(cell, out.factor[cell], other, out.factor[other]);
      });
      if (mate == to) {
        out.class_of[cell] = static_cast<std::int32_t>(out.first.size());
        out.first.push_back(static_cast<std::int32_t>(cell));
        here.emplace(hash, out.class_of[cell]);
      } else {
        out.class_of[cell] = mate->second;
      }
    }
  }
  return out;
}

namespace {

constexpr const char* kTooLong = "The functions that the set preserves take too long to find.";
constexpr const char* kTooWide = "The functions that the set preserves need larger numbers.";

std::int64_t times(std::int64_t a, std::int64_t b) {
  return checked_product(a, b, kTooWide);
}

// Divides by the common factor and makes the first coefficient positive.
void simplify(SparseRow& row) {
  std::int64_t g = 0;
  for (const auto& [at, value] : row) g = std::gcd(g, value);
  if (!row.empty() && row.front().second < 0) g = -g;
  if (g != 1) {
    for (auto& entry : row) entry.second /= g;
  }
}

// Both lead at one index: the combination in which it cancels.
SparseRow eliminate(const SparseRow& row, const SparseRow& by) {
  const std::int64_t g = std::gcd(row.front().second, by.front().second);
  const std::int64_t mine = by.front().second / g, theirs = row.front().second / g;
  SparseRow out;
  out.reserve(row.size() + by.size());
  auto a = row.begin() + 1, b = by.begin() + 1;
  while (a != row.end() || b != by.end()) {
    const bool from_a = b == by.end() || (a != row.end() && a->first <= b->first);
    const bool from_b = a == row.end() || (b != by.end() && b->first <= a->first);
    const std::int32_t at = from_a ? a->first : b->first;
    const std::int64_t value = checked_difference(from_a ? times(mine, a->second) : 0,
                                                  from_b ? times(theirs, b->second) : 0, kTooWide);
    if (value != 0) out.emplace_back(at, value);
    a += from_a;
    b += from_b;
  }
  simplify(out);
  return out;
}

}  // namespace

bool Echelon::insert(SparseRow row) {
  while (!row.empty()) {
    std::int32_t& place = row_at_[static_cast<std::size_t>(row.front().first)];
    if (place < 0) {
      simplify(row);
      place = static_cast<std::int32_t>(rows_.size());
      rows_.push_back(std::move(row));
      return true;
    }
    const SparseRow& by = rows_[static_cast<std::size_t>(place)];
    work_ += double(row.size() + by.size());
    if (work_ > max_work_) throw TooLargeError(kTooLong);
    row = eliminate(row, by);
  }
  return false;
}

Echelon reduce_cycles(const CycleSet& cycles, const MovingClasses& classes, const Tick& tick) {
  Echelon out(classes.first.size());
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    if (c % 4096 == 0) report(tick, double(c) / double(cycles.size()));
    SparseRow row;
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      const std::int32_t cell = cycles.cell[i], k = classes.class_of[cell];
      if (classes.first[k] == cell) row.emplace_back(k, cycles.coef[i] / classes.factor[cell]);
    }
    std::sort(row.begin(), row.end());
    out.insert(std::move(row));
  }
  return out;
}

// Listing. Candidates that span the left kernel, simple ones first, are taken into the basis while
// they are independent of the margins and of those before.
namespace {

void add_margin(const std::vector<std::size_t>& dim, const std::vector<std::size_t>& kept,
                std::size_t n_cells, Echelon& known) {
  std::map<std::size_t, SparseRow> sums;
  for (std::size_t cell = 0; cell < n_cells; ++cell) {
    std::size_t level = 0, stride = 1, size = 1;
    for (std::size_t v = 0; v < dim.size(); stride *= dim[v++]) {
      if (std::find(kept.begin(), kept.end(), v) == kept.end()) continue;
      level += cell / stride % dim[v] * size;
      size *= dim[v];
    }
    sums[level].emplace_back(static_cast<std::int32_t>(cell), 1);
  }
  for (auto& [level, row] : sums) known.insert(std::move(row));
}

// Cells that never move, and each cell with the first of its class: a x_i - b x_j with the factors.
std::vector<SparseRow> simple_candidates(const MovingClasses& classes) {
  std::vector<SparseRow> out;
  for (std::size_t cell = 0; cell < classes.class_of.size(); ++cell) {
    const std::int32_t i = static_cast<std::int32_t>(cell);
    if (classes.class_of[cell] < 0) {
      out.push_back({{i, 1}});
      continue;
    }
    const std::int32_t first = classes.first[classes.class_of[cell]];
    if (first == i) continue;
    SparseRow row{{first, classes.factor[cell]}, {i, -classes.factor[first]}};
    std::sort(row.begin(), row.end());
    simplify(row);
    out.push_back(std::move(row));
  }
  return out;
}

// The function of the classes that is 1 at `free` and 0 at all other classes that lead no row, with
// all cycles 0 on it, times a number that makes it whole; rows are solved from the last lead on.
std::vector<std::int64_t> kernel_at(const Echelon& moves, std::size_t free, std::size_t n_classes) {
  std::vector<std::int64_t> f(n_classes, 0);
  f[free] = 1;
  for (std::size_t lead = free; lead-- > 0;) {
    const SparseRow* row = moves.leading_at(lead);
    if (!row) continue;
    std::int64_t rest = 0;
    for (std::size_t i = 1; i < row->size(); ++i)
      rest = checked_difference(rest, times((*row)[i].second, f[(*row)[i].first]), kTooWide);
    const std::int64_t by = row->front().second / std::gcd(row->front().second, rest);
    if (rest != 0 && by != 1) {
      for (std::int64_t& value : f) value = times(value, by);
      rest = times(rest, by);
    }
    f[lead] = rest / row->front().second;
  }
  return f;
}

// On the first cells of the classes: x moves by factor times its class.
SparseRow on_cells(const std::vector<std::int64_t>& f, const MovingClasses& classes) {
  std::int64_t all = 1;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const std::int64_t factor = classes.factor[classes.first[k]];
    if (f[k] != 0) all = times(all / std::gcd(all, factor), factor);
  }
  SparseRow row;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const std::int32_t cell = classes.first[k];
    if (f[k] != 0) row.emplace_back(cell, times(f[k], all / classes.factor[cell]));
  }
  std::sort(row.begin(), row.end());
  simplify(row);
  return row;
}

}  // namespace

std::vector<SparseRow> preserved_functions(const CycleSet& cycles,
                                           const std::vector<std::size_t>& dim,
                                           const std::vector<std::vector<std::size_t>>& margins,
                                           const Tick& tick) {
  const MovingClasses classes = find_classes(cycles);
  const Echelon moves = reduce_cycles(cycles, classes, tick);
  Echelon known(cycles.n_cells);
  for (const auto& kept : margins) add_margin(dim, kept, cycles.n_cells, known);
  std::vector<SparseRow> out;
  const auto take = [&](SparseRow row) {
    if (known.insert(row)) out.push_back(std::move(row));
  };
  for (SparseRow& row : simple_candidates(classes)) take(std::move(row));
  const std::size_t n = classes.first.size(), all = cycles.n_cells - moves.rank();
  for (std::size_t k = 0; k < n && known.rank() < all; ++k) {
    report(tick, double(k) / double(n));
    if (!moves.leading_at(k)) take(on_cells(kernel_at(moves, k, n), classes));
  }
  return out;
}

}  // namespace sdclattice
