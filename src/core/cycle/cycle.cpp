#include "cycle/cycle.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "cycle/bands.hpp"

namespace sdclattice {

// Bands. All rules are closed walks: cycle s adds 1 to line k at ring position a_k + s and takes 1
// from it at a_{k+1} + s, positions modulo the length n of the ring, a_h = a_0. Each line gets one
// +1 and one -1, so line sums stay; position a_k + s gets the -1 of line k - 1 and the +1 of line
// k, so sums across the lines stay. It needs a_k != a_{k+1} mod n, or the two entries of a line
// would fall on one cell. Over all s each cell gets one +1 and one -1. The tests compare every
// shape up to 8 x 8 with dense matrices built by the papers' words.

void check_shape(std::size_t n_rows, std::size_t n_columns) {
  constexpr std::size_t kMaxCells = std::numeric_limits<std::int32_t>::max();
  if (n_rows < 2 || n_columns < 2)
    throw InputError("A table must have at least 2 rows and 2 columns.");
  if (n_rows > kMaxCells / n_columns)
    throw TooLargeError("A table of cycles may have at most 2^31 - 1 cells.");
}

namespace {

CycleSet room_for(const Lines& lines, std::size_t n_cycles, std::size_t n_entries) {
  CycleSet cycles;
  cycles.n_cells = lines.n_rows * lines.n_columns;
  cycles.start.reserve(n_cycles + 1);
  cycles.cell.reserve(n_entries);
  cycles.coef.reserve(n_entries);
  return cycles;
}

// Whether the numbers are 0, ..., n - 1, each once.
bool is_permutation(const std::vector<std::int32_t>& x, std::size_t n) {
  std::vector<std::uint8_t> seen(n, 0);
  for (const std::int32_t i : x) {
    if (i < 0 || static_cast<std::size_t>(i) >= n || seen[i]) return false;
    seen[i] = 1;
  }
  return x.size() == n;
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
  for (std::size_t s = 0; s < n - band.open; ++s) {
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
  return bands_lenz(n_rows, n_columns).expand();
}

CycleSet cycles_chain(std::size_t n_rows, std::size_t n_columns) {
  return bands_chain(n_rows, n_columns).expand();
}

// Groups. Pairs walk 0, 1 and bands of three 0, 1, 2: both are Lenz's walk on few lines. A triad is
// three pairs on one ring, so each of its cells stands on two bands and, on a closed ring, has four
// chances in one sweep over each; a pair has as many in two sweeps.
namespace {

constexpr std::size_t kBandsOfTriad = 3, kSweepsOfPair = 2;

bool is_triad(const Groups& groups, std::size_t g) {
  return groups.triads && groups.lines[g].size() == 3;
}

void add_pair(const Lines& lines, const Groups& groups, std::size_t g, std::int32_t a,
              std::int32_t b, CycleSet& cycles) {
  add_band(lines, {{a, b}, groups.rings[g], {0, 1}, groups.open}, cycles);
}

void add_group(const Lines& lines, const Groups& groups, std::size_t g, CycleSet& cycles) {
  const std::vector<std::int32_t>& line = groups.lines[g];
  if (!is_triad(groups, g)) {
    const std::vector<std::int32_t> walk = walk_lenz(line.size(), lines.length());
    return add_band(lines, {line, groups.rings[g], walk, groups.open}, cycles);
  }
  add_pair(lines, groups, g, line[0], line[1], cycles);
  add_pair(lines, groups, g, line[1], line[2], cycles);
  add_pair(lines, groups, g, line[2], line[0], cycles);
}

std::size_t cycles_of(const Lines& lines, const Groups& groups, std::size_t g) {
  return (lines.length() - groups.open) * (is_triad(groups, g) ? kBandsOfTriad : 1);
}

std::size_t sweeps_of(const Groups& groups, std::size_t g) {
  return groups.triads && groups.lines[g].size() == 2 ? kSweepsOfPair : 1;
}

std::size_t count_entries(const Lines& lines, const Groups& groups) {
  std::size_t entries = 0;
  for (std::size_t g = 0; g < groups.lines.size(); ++g) {
    const std::size_t a_cycle = is_triad(groups, g) ? 4 : 2 * groups.lines[g].size();
    entries += a_cycle * cycles_of(lines, groups, g);
  }
  return entries;
}

std::vector<std::int32_t> cover_of(const Lines& lines, const Groups& groups) {
  std::vector<std::int32_t> cover;
  cover.reserve(count_steps(lines, groups));
  std::int32_t first = 0;
  for (std::size_t g = 0; g < groups.lines.size(); ++g) {
    const std::int32_t n = static_cast<std::int32_t>(cycles_of(lines, groups, g));
    for (std::size_t sweep = 0; sweep < sweeps_of(groups, g); ++sweep) {
      for (std::int32_t c = first; c < first + n; ++c) cover.push_back(c);
    }
    first += n;
  }
  return cover;
}

// The cycles of every band stand together: `n` of them in each.
std::vector<std::int32_t> next_in_bands(std::size_t n_cycles, std::size_t n) {
  std::vector<std::int32_t> next(n_cycles);
  for (std::size_t c = 0; c < n_cycles; ++c) {
    next[c] = (c + 1) % n == 0 ? -1 : static_cast<std::int32_t>(c + 1);
  }
  return next;
}

}  // namespace

const char* find_fault(const Lines& lines, const Groups& groups) {
  if (groups.lines.size() != groups.rings.size()) return "Every group must have one ring.";
  if (groups.skip_zeros && !groups.open) return "A set that skips zeros must have open rings.";
  std::vector<std::int32_t> all;
  for (std::size_t g = 0; g < groups.lines.size(); ++g) {
    const std::size_t height = groups.lines[g].size();
    if (height < 2 || height > 3) return "A group must have two or three lines.";
    const bool band_of_three = height == 3 && !groups.triads;
    if (band_of_three && lines.length() < 3)
      return "A band of three lines must have three positions.";
    if (band_of_three && groups.open) return "A band of three lines cannot be open.";
    if (!is_permutation(groups.rings[g], lines.length()))
      return "A ring must hold each position once.";
    all.insert(all.end(), groups.lines[g].begin(), groups.lines[g].end());
  }
  return is_permutation(all, lines.count()) ? nullptr : "Every line must be in one group.";
}

std::size_t count_cycles(const Lines& lines, const Groups& groups) {
  std::size_t cycles = 0;
  for (std::size_t g = 0; g < groups.lines.size(); ++g) cycles += cycles_of(lines, groups, g);
  return cycles;
}

std::size_t count_steps(const Lines& lines, const Groups& groups) {
  std::size_t steps = 0;
  for (std::size_t g = 0; g < groups.lines.size(); ++g) {
    steps += cycles_of(lines, groups, g) * sweeps_of(groups, g);
  }
  return steps;
}

CycleSet cycles_banded(const Lines& lines, const Groups& groups) {
  check_shape(lines.n_rows, lines.n_columns);
  if (const char* fault = find_fault(lines, groups)) throw InputError(fault);
  const std::size_t n = count_cycles(lines, groups);
  CycleSet cycles = room_for(lines, n, count_entries(lines, groups));
  for (std::size_t g = 0; g < groups.lines.size(); ++g) add_group(lines, groups, g, cycles);
  if (count_steps(lines, groups) != n) cycles.cover = cover_of(lines, groups);
  if (groups.skip_zeros) cycles.next = next_in_bands(n, lines.length() - 1);
  return cycles;
}

void validate(const CycleSet& cycles) {
  if (cycles.start.empty() || cycles.start.front() != 0 ||
      cycles.start.back() != cycles.cell.size() || cycles.cell.size() != cycles.coef.size()) {
    throw InputError("The starts of the cycles must divide all their entries among them.");
  }
  std::vector<std::size_t> seen(cycles.n_cells, 0);
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    if (cycles.start[c] >= cycles.start[c + 1] || cycles.start[c + 1] > cycles.cell.size()) {
      throw InputError("Every cycle must have entries.");
    }
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      const std::int32_t where = cycles.cell[i];
      if (where < 0 || static_cast<std::size_t>(where) >= cycles.n_cells) {
        throw InputError("Every entry of a cycle must refer to a cell of the table.");
      }
      if (seen[where] == c + 1) throw InputError("No cell may appear twice in one cycle.");
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
      if (c % 65536 == 0)
        report(tick, (m + double(c) / double(cycles.size())) / double(margins.size()));
      std::vector<std::int32_t> cells = sums.broken_by(cycles, c);
      if (!cells.empty()) return {true, c, m, std::move(cells)};
    }
  }
  return {};
}

Chances chances(const CycleSet& cycles) {
  Chances out{std::vector<std::int32_t>(cycles.n_cells, 0),
              std::vector<std::int64_t>(cycles.n_cells, 0)};
  const std::size_t steps = cycles.cover.empty() ? cycles.size() : cycles.cover.size();
  for (std::size_t s = 0; s < steps; ++s) {
    const std::size_t c = cycles.cover.empty() ? s : static_cast<std::size_t>(cycles.cover[s]);
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      ++out.cycles[cycles.cell[i]];
      out.reach[cycles.cell[i]] += std::abs(static_cast<int>(cycles.coef[i]));
    }
  }
  return out;
}

namespace {

// Sweep after sweep: its columns without a zero, when there are two or more of them. Column i
// stands in entries 0 and 3 of cycle i, the last column in entries 1 and 2 of the last cycle.
std::vector<std::uint8_t> on_free_sweep(const CycleSet& cycles,
                                        const std::vector<std::int64_t>& counts) {
  std::vector<std::uint8_t> out(cycles.n_cells, 0);
  std::vector<std::int32_t> free;
  const auto note = [&](std::int32_t a, std::int32_t b) {
    if (counts[a] > 0 && counts[b] > 0) free.insert(free.end(), {a, b});
  };
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    const std::int32_t* at = &cycles.cell[cycles.start[c]];
    note(at[0], at[3]);
    if (cycles.next[c] >= 0) continue;
    note(at[1], at[2]);
    for (const std::int32_t cell : free) out[cell] |= free.size() > 2;
    free.clear();
  }
  return out;
}

}  // namespace

std::vector<std::uint8_t> on_free_cycle(const CycleSet& cycles,
                                        const std::vector<std::int64_t>& counts) {
  if (cycles.skips_zeros()) return on_free_sweep(cycles, counts);
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
