#include "cycle/cycle_margin.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

// Cycles on k-way tables. One dimension is the ring Z_n; each other dimension of at least two
// levels is cut into blocks of 2 and at most one of 3, which stands last. A choice of one block in
// each of these dimensions is a band of n cycles. In it a combination of levels, one from each
// block, gets the step (0, 1) of the ring when there is no block of 3, else the step t of the
// triangle 0 -> 1 -> 2 -> 0, where t is the sum of the positions in the blocks of 3, modulo 3. The
// step is turned round for each second position in a block of 2. Cycle c adds 1 at the start of the
// step plus c, and takes 1 at its end plus c, modulo n.
// Why it keeps the margins. To leave out the ring adds the +1 and the -1 of a combination. To leave
// out a dimension with a block of 2 adds a step and the same step turned round. To leave out one
// with a block of 3 adds the three steps of the triangle, all turned or none: each of 0, 1, 2 is
// the start of one and the end of one. And each cell starts one step and ends one, as c runs round
// the ring. A triangle needs n >= 3 positions. The tests check every shape up to 5-way with dense
// arrays.

namespace {

constexpr std::size_t kMaxCells = std::numeric_limits<std::int32_t>::max();

std::size_t count_cells(const std::vector<std::size_t>& dim) {
  std::size_t cells = 1;
  for (const std::size_t n : dim) {
    if (n == 0) throw InputError("A table of cycles must have cells.");
    if (n > kMaxCells / cells)
      throw TooLargeError("A table of cycles may have at most 2^31 - 1 cells.");
    cells *= n;
  }
  return cells;
}

std::vector<std::size_t> strides(const std::vector<std::size_t>& dim) {
  std::vector<std::size_t> out(dim.size(), 1);
  for (std::size_t v = 1; v < dim.size(); ++v) out[v] = out[v - 1] * dim[v - 1];
  return out;
}

// A dimension cut into blocks: pairs, and the last three levels of an odd number together.
struct CutDimension {
  std::size_t stride = 1;
  std::size_t levels = 2;

  std::size_t blocks() const { return levels / 2; }
  std::size_t height(std::size_t block) const {
    return block + 1 == blocks() && levels % 2 == 1 ? 3 : 2;
  }
};

struct Frame {
  std::size_t ring_stride = 1;
  std::size_t ring_length = 2;
  std::vector<CutDimension> cut;

  std::size_t bands() const {
    std::size_t out = 1;
    for (const CutDimension& d : cut) out *= d.blocks();
    return out;
  }
};

Frame make_frame(const std::vector<std::size_t>& dim, std::size_t ring) {
  count_cells(dim);
  if (ring >= dim.size() || dim[ring] < 2)
    throw InputError("The ring must be a dimension of at least 2 levels.");
  const std::vector<std::size_t> stride = strides(dim);
  Frame out{stride[ring], dim[ring], {}};
  for (std::size_t v = 0; v < dim.size(); ++v) {
    if (v == ring || dim[v] == 1) continue;
    if (dim[ring] == 2 && dim[v] % 2 == 1) {
      throw InputError(
          "A ring of 2 levels needs an even number of levels in every other dimension.");
    }
    out.cut.push_back({stride[v], dim[v]});
  }
  return out;
}

// The combinations of levels of one band: where each stands on the table without the ring, and its
// step on the ring.
struct Combination {
  std::size_t offset = 0;
  std::size_t start = 0;
  std::size_t end = 1;
};

// Grows dimension by dimension, first one fastest: `turn` counts second positions, `edge` is t.
std::vector<Combination> combinations(const Frame& frame, std::size_t band) {
  struct Part {
    std::size_t offset = 0, turn = 0, edge = 0;
  };
  std::vector<Part> parts(1);
  bool triangle = false;
  for (const CutDimension& d : frame.cut) {
    const std::size_t block = band % d.blocks();
    band /= d.blocks();
    const bool three = d.height(block) == 3;
    triangle = triangle || three;
    const std::vector<Part> before = std::move(parts);
    parts.clear();
    for (std::size_t k = 0; k < d.height(block); ++k) {
      for (const Part& p : before) {
        parts.push_back({p.offset + (2 * block + k) * d.stride, p.turn + (three ? 0 : k),
                         p.edge + (three ? k : 0)});
      }
    }
  }
  std::vector<Combination> out;
  for (const Part& p : parts) {
    std::size_t start = triangle ? p.edge % 3 : 0, end = triangle ? (p.edge + 1) % 3 : 1;
    if (p.turn % 2 == 1) std::swap(start, end);
    out.push_back({p.offset, start, end});
  }
  return out;
}

void add_band(const Frame& frame, const std::vector<Combination>& band, CycleSet& cycles) {
  const auto cell = [&](const Combination& k, std::size_t at) {
    return static_cast<std::int32_t>(k.offset + at % frame.ring_length * frame.ring_stride);
  };
  for (std::size_t c = 0; c < frame.ring_length; ++c) {
    for (const Combination& k : band) {
      cycles.add(cell(k, k.start + c), 1);
      cycles.add(cell(k, k.end + c), -1);
    }
    cycles.close();
  }
}

}  // namespace

std::vector<std::size_t> long_dimensions(const std::vector<std::size_t>& dim) {
  std::vector<std::size_t> out;
  for (std::size_t v = 0; v < dim.size(); ++v) {
    if (dim[v] > 1) out.push_back(v);
  }
  return out;
}

std::size_t best_ring(const std::vector<std::size_t>& dim) {
  const std::vector<std::size_t> candidates = long_dimensions(dim);
  if (candidates.empty())
    throw InputError("A table of cycles must have a dimension of at least 2 levels.");
  const auto worse = [&](std::size_t a, std::size_t b) {
    const bool odd_a = dim[a] % 2 == 1, odd_b = dim[b] % 2 == 1;
    return odd_a != odd_b ? odd_b : dim[a] < dim[b];
  };
  return *std::max_element(candidates.begin(), candidates.end(), worse);
}

std::size_t count_cycles_margin(const std::vector<std::size_t>& dim, std::size_t ring) {
  const Frame frame = make_frame(dim, ring);
  return frame.bands() * frame.ring_length;
}

CycleSet cycles_margin(const std::vector<std::size_t>& dim, std::size_t ring) {
  const Frame frame = make_frame(dim, ring);
  CycleSet out;
  out.n_cells = count_cells(dim);
  out.cell.reserve(2 * out.n_cells);
  out.coef.reserve(2 * out.n_cells);
  for (std::size_t b = 0; b < frame.bands(); ++b) add_band(frame, combinations(frame, b), out);
  return out;
}

// Merging. A cell of the merged table has one level number for each way, which is in turn a cell
// of the way's own dimensions.
namespace {

void check_ways(std::size_t n_dimensions, const std::vector<std::vector<std::size_t>>& ways) {
  std::vector<std::size_t> all;
  for (const auto& way : ways) all.insert(all.end(), way.begin(), way.end());
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> each(n_dimensions);
  std::iota(each.begin(), each.end(), 0);
  if (all != each) throw InputError("The ways must hold each variable once.");
}

}  // namespace

std::vector<std::size_t> merged_dim(const std::vector<std::size_t>& dim,
                                    const std::vector<std::vector<std::size_t>>& ways) {
  check_ways(dim.size(), ways);
  count_cells(dim);
  std::vector<std::size_t> out;
  for (const auto& way : ways) {
    std::size_t size = 1;
    for (const std::size_t v : way) size *= dim[v];
    out.push_back(size);
  }
  return out;
}

std::vector<std::int32_t> merged_cells(const std::vector<std::size_t>& dim,
                                       const std::vector<std::vector<std::size_t>>& ways) {
  check_ways(dim.size(), ways);
  const std::vector<std::size_t> stride = strides(dim);
  std::vector<std::int32_t> out;
  out.reserve(count_cells(dim));
  out.push_back(0);
  for (const auto& way : ways) {
    for (const std::size_t v : way) {
      const std::size_t before = out.size();
      for (std::size_t level = 1; level < dim[v]; ++level) {
        const auto shift = static_cast<std::int32_t>(level * stride[v]);
        for (std::size_t i = 0; i < before; ++i) out.push_back(out[i] + shift);
      }
    }
  }
  return out;
}

void unmerge(const std::vector<std::size_t>& dim, const std::vector<std::vector<std::size_t>>& ways,
             CycleSet& cycles) {
  const std::vector<std::int32_t> original = merged_cells(dim, ways);
  if (original.size() != cycles.n_cells)
    throw InputError("Cycles and merged table must have the same cells.");
  for (std::int32_t& at : cycles.cell) at = original[static_cast<std::size_t>(at)];
}

}  // namespace sdclattice
