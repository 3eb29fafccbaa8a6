#include "core/cycle.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace sdclattice {

// Bands. All rules are closed walks: cycle s adds 1 to line k at ring position a_k + s and takes 1
// from it at a_{k+1} + s, positions modulo the length n of the ring, a_h = a_0. Each line gets one
// +1 and one -1, so line sums stay; position a_k + s gets the -1 of line k - 1 and the +1 of line
// k, so sums across the lines stay. It needs a_k != a_{k+1} mod n, or the two entries of a line
// would fall on one cell. Over all s each cell gets one +1 and one -1. The tests compare every
// shape up to 8 x 8 with dense matrices built by the papers' words.

namespace {

constexpr std::size_t max_cells = std::numeric_limits<std::int32_t>::max();

void check_shape(std::size_t n_rows, std::size_t n_columns) {
  if (n_rows < 2 || n_columns < 2) throw InputError("A table must have at least 2 rows and 2 columns.");
  if (n_rows > max_cells / n_columns) throw TooLargeError("A table of cycles may have at most 2^31 - 1 cells.");
}

std::vector<std::int32_t> first_integers(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

void reserve_bands(const Lines& lines, CycleSet& cycles) {
  const std::size_t entries = 2 * lines.count() * lines.length();
  cycles.cell.reserve(entries);
  cycles.coef.reserve(entries);
}

CycleSet one_band(const Lines& lines, const std::vector<std::int32_t>& walk) {
  CycleSet cycles;
  cycles.n_cells = lines.n_rows * lines.n_columns;
  reserve_bands(lines, cycles);
  add_band(lines, {first_integers(lines.count()), first_integers(lines.length()), walk}, cycles);
  return cycles;
}

}  // namespace

// Always one step on, then back to the start from a_{m-1} = m - 1: a real step unless m = 1 mod n.
std::vector<std::int32_t> walk_lenz(std::size_t n_lines, std::size_t n_ring) {
  std::vector<std::int32_t> walk(n_lines);
  for (std::size_t k = 0; k < n_lines; ++k) walk[k] = static_cast<std::int32_t>(k % n_ring);
  return walk;
}

// Steps of +-1 only, so that neighbours on the ring are the only cycles that share cells. An even
// number of lines alternates (or goes once round when it can: m = n); an odd one goes once round an
// odd ring, and alternates from there.
std::vector<std::int32_t> walk_chain(std::size_t n_lines, std::size_t n_ring) {
  const bool round = n_lines == n_ring || n_lines % 2 == 1;
  const std::size_t straight = round ? n_ring : 0;
  std::vector<std::int32_t> walk(n_lines);
  for (std::size_t k = 0; k < n_lines; ++k) {
    const std::size_t at = k < straight ? k : (k - straight) % 2;
    walk[k] = static_cast<std::int32_t>(at);
  }
  return walk;
}

// m mod n = 1 (with m, n >= 2) makes m > n, hence n mod m = n, which is not 1: the transposed table
// always works.
bool lenz_is_transposed(std::size_t n_rows, std::size_t n_columns) {
  return n_rows % n_columns == 1;
}

// A closed walk of m steps +-1 on n positions: m even, or m odd with an odd n <= m. With m odd and
// n even the transposed table has an even number of lines; with both odd and m < n, n > m.
bool chain_is_transposed(std::size_t n_rows, std::size_t n_columns) {
  if (n_rows % 2 == 0) return false;
  return n_columns % 2 == 0 || n_rows < n_columns;
}

void add_band(const Lines& lines, const Band& band, CycleSet& cycles) {
  const std::size_t height = band.lines.size();
  const std::size_t n = band.ring.size();
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t k = 0; k < height; ++k) {
      const std::size_t plus = (static_cast<std::size_t>(band.walk[k]) + s) % n;
      const std::size_t minus = (static_cast<std::size_t>(band.walk[(k + 1) % height]) + s) % n;
      const std::size_t line = static_cast<std::size_t>(band.lines[k]);
      cycles.add(lines.cell(line, static_cast<std::size_t>(band.ring[plus])), 1);
      cycles.add(lines.cell(line, static_cast<std::size_t>(band.ring[minus])), -1);
    }
    cycles.close();
  }
}

CycleSet cycles_lenz(std::size_t n_rows, std::size_t n_columns) {
  check_shape(n_rows, n_columns);
  const Lines lines{n_rows, n_columns, lenz_is_transposed(n_rows, n_columns)};
  return one_band(lines, walk_lenz(lines.count(), lines.length()));
}

CycleSet cycles_chain(std::size_t n_rows, std::size_t n_columns) {
  check_shape(n_rows, n_columns);
  const Lines lines{n_rows, n_columns, chain_is_transposed(n_rows, n_columns)};
  return one_band(lines, walk_chain(lines.count(), lines.length()));
}

// Pairs walk 0, 1 and groups of three 0, 1, 2: both are Lenz's walk on few lines.
CycleSet cycles_banded(const Lines& lines, const std::vector<std::vector<std::int32_t>>& groups,
                       const std::vector<std::vector<std::int32_t>>& rings) {
  check_shape(lines.n_rows, lines.n_columns);
  CycleSet cycles;
  cycles.n_cells = lines.n_rows * lines.n_columns;
  reserve_bands(lines, cycles);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    add_band(lines, {groups[g], rings[g], walk_lenz(groups[g].size(), lines.length())}, cycles);
  }
  return cycles;
}

void validate(const CycleSet& cycles) {
  if (cycles.start.empty() || cycles.start.front() != 0 || cycles.start.back() != cycles.cell.size() ||
      cycles.cell.size() != cycles.coef.size()) {
    throw InputError("The starts of the cycles must cut their entries without rest.");
  }
  std::vector<std::size_t> seen(cycles.n_cells, 0);
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    if (cycles.start[c] >= cycles.start[c + 1] || cycles.start[c + 1] > cycles.cell.size()) {
      throw InputError("Every cycle must have entries.");
    }
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      const std::int32_t where = cycles.cell[i];
      if (where < 0 || static_cast<std::size_t>(where) >= cycles.n_cells) {
        throw InputError("Every entry of a cycle must stand on a cell of the table.");
      }
      if (seen[where] == c + 1) throw InputError("No cell may stand twice in one cycle.");
      seen[where] = c + 1;
      if (cycles.coef[i] == 0 || cycles.coef[i] == -128) {
        throw InputError("Coefficients must be whole numbers from -127 to 127, and not 0.");
      }
    }
  }
}

// Checking margins. For each margin the entries of a cycle are added up by their levels in it; the
// margin is kept when every sum is 0. Only the touched sums are read and put back to 0, so the cost
// is linear in the entries times the number of margins and their variables, after one array per
// margin. The tests compare with sums over dense arrays.
namespace {

class MarginSums {
 public:
  MarginSums(const std::vector<std::size_t>& dim, const std::vector<std::size_t>& kept) {
    std::size_t stride = 1;
    std::size_t size = 1;
    for (std::size_t v = 0; v < dim.size(); ++v) {
      if (std::find(kept.begin(), kept.end(), v) != kept.end()) {
        kept_.push_back({stride, dim[v], size});
        size *= dim[v];
      }
      stride *= dim[v];
    }
    sums_.assign(size, 0);
  }

  // The cells at which a level's sum is first seen to be other than 0; empty when the margin holds.
  std::vector<std::int32_t> broken_by(const CycleSet& cycles, std::size_t c) {
    std::vector<std::int32_t> cells;
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      sums_[level_of(cycles.cell[i])] += cycles.coef[i];
    }
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      std::int64_t& sum = sums_[level_of(cycles.cell[i])];
      if (sum != 0) cells.push_back(cycles.cell[i]);
      sum = 0;
    }
    return cells;
  }

 private:
  struct Kept {
    std::size_t stride, size, out;
  };

  std::size_t level_of(std::int32_t cell) const {
    std::size_t at = 0;
    for (const Kept& k : kept_) at += static_cast<std::size_t>(cell) / k.stride % k.size * k.out;
    return at;
  }

  std::vector<Kept> kept_;
  std::vector<std::int64_t> sums_;
};

}  // namespace

BrokenMargin find_broken_margin(const CycleSet& cycles, const std::vector<std::size_t>& dim,
                                const std::vector<std::vector<std::size_t>>& margins,
                                const Tick& tick) {
  for (std::size_t m = 0; m < margins.size(); ++m) {
    MarginSums sums(dim, margins[m]);
    for (std::size_t c = 0; c < cycles.size(); ++c) {
      if (c % 65536 == 0) report(tick, (m + double(c) / double(cycles.size())) / double(margins.size()));
      std::vector<std::int32_t> cells = sums.broken_by(cycles, c);
      if (!cells.empty()) return {true, c, m, std::move(cells)};
    }
  }
  return {};
}

Chances chances(const CycleSet& cycles) {
  Chances out{std::vector<std::int32_t>(cycles.n_cells, 0), std::vector<std::int64_t>(cycles.n_cells, 0)};
  for (std::size_t i = 0; i < cycles.cell.size(); ++i) {
    ++out.cycles[cycles.cell[i]];
    out.reach[cycles.cell[i]] += std::abs(static_cast<int>(cycles.coef[i]));
  }
  return out;
}

std::vector<std::uint8_t> on_free_cycle(const CycleSet& cycles,
                                        const std::vector<std::int64_t>& counts) {
  std::vector<std::uint8_t> out(cycles.n_cells, 0);
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    const auto from = cycles.cell.begin() + static_cast<std::ptrdiff_t>(cycles.start[c]);
    const auto to = cycles.cell.begin() + static_cast<std::ptrdiff_t>(cycles.start[c + 1]);
    if (std::any_of(from, to, [&](std::int32_t at) { return counts[at] == 0; })) continue;
    std::for_each(from, to, [&](std::int32_t at) { out[at] = 1; });
  }
  return out;
}

}  // namespace sdclattice
