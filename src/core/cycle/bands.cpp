#include "cycle/bands.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {
namespace {

std::vector<std::int32_t> first_integers(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Bands one_band(const Lines& lines, std::vector<std::int32_t> walk) {
  return {lines,
          {{first_integers(lines.count()), first_integers(lines.length()), std::move(walk)}}};
}

std::size_t band_cycles(const Band& band) {
  return band.ring.size() - band.open;
}

}  // namespace

std::size_t Bands::size() const {
  std::size_t sum = 0;
  for (const Band& band : bands) sum += band_cycles(band);
  return sum;
}

CycleSet Bands::expand() const {
  CycleSet out;
  out.n_cells = n_cells();
  std::size_t entries = 0;
  for (const Band& band : bands) entries += 2 * band.lines.size() * band_cycles(band);
  out.start.reserve(size() + 1);
  out.cell.reserve(entries);
  out.coef.reserve(entries);
  for (const Band& band : bands) add_band(lines, band, out);
  return out;
}

Bands bands_lenz(std::size_t n_rows, std::size_t n_columns) {
  check_shape(n_rows, n_columns);
  const Lines lines{n_rows, n_columns, lenz_is_transposed(n_rows, n_columns)};
  return one_band(lines, walk_lenz(lines.count(), lines.length()));
}

Bands bands_chain(std::size_t n_rows, std::size_t n_columns) {
  check_shape(n_rows, n_columns);
  const Lines lines{n_rows, n_columns, chain_is_transposed(n_rows, n_columns)};
  return one_band(lines, walk_chain(lines.count(), lines.length()));
}

std::optional<Bands> bands_of(const Lines& lines, const Groups& groups) {
  check_shape(lines.n_rows, lines.n_columns);
  if (const char* fault = find_fault(lines, groups)) throw InputError(fault);
  if (groups.skip_zeros || groups.triads) return std::nullopt;
  Bands out{lines, {}};
  for (std::size_t g = 0; g < groups.lines.size(); ++g)
    out.bands.push_back({groups.lines[g], groups.rings[g],
                         walk_lenz(groups.lines[g].size(), lines.length()), groups.open});
  return out;
}

// The linkage of one band, added to that of the bands before it.
namespace {

class BandLinkage {
 public:
  BandLinkage(const Lines& lines, const Band& band, Linkage& out)
      : lines_(lines), band_(band), out_(out), n_(band.ring.size()) {
    for (std::size_t k = 0; k < band.lines.size(); ++k) {
      const std::size_t h = band.lines.size();
      const auto step = static_cast<std::size_t>(band.walk[(k + 1) % h] - band.walk[k] +
                                                 static_cast<std::int32_t>(n_)) %
                        n_;
      const auto at = std::find(steps_.begin(), steps_.end(), step);
      step_of_.push_back(static_cast<std::size_t>(at - steps_.begin()));
      if (at == steps_.end()) steps_.push_back(step);
    }
    law_.assign(steps_.size() * n_, 0);
  }

  // `first_cycle`: the number of the band's first.
  void add(std::int32_t first_cycle) {
    const std::size_t n_cycles = band_cycles(band_);
    Component part;
    part.cycles.resize(n_cycles);
    std::iota(part.cycles.begin(), part.cycles.end(), first_cycle);
    part.first_law = static_cast<std::int32_t>(out_.n_laws());
    for (std::size_t c = 0; c < n_cycles; ++c) number_laws(c, first_cycle);
    part.n_laws = static_cast<std::int32_t>(out_.n_laws()) - part.first_law;
    out_.components.push_back(std::move(part));
    number_cells();
  }

 private:
  // Those of cycle c whose other cycle has a higher number, or is none.
  void number_laws(std::size_t c, std::int32_t first_cycle) {
    met_.clear();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const std::size_t back = (c + n_ - steps_[i]) % n_, on = (c + steps_[i]) % n_;
      if (back > c) law_[i * n_ + c] = number(c, back, first_cycle);
      if (on > c) law_[i * n_ + on] = -number(c, on, first_cycle);
    }
  }
  std::int32_t number(std::size_t c, std::size_t other, std::int32_t first_cycle) {
    for (const auto& [met, law] : met_)
      if (met == other) return law;
    out_.law_cycle.push_back(first_cycle + static_cast<std::int32_t>(c));
    out_.law_coef.push_back(1);
    if (other < band_cycles(band_)) {
      out_.law_cycle.push_back(first_cycle + static_cast<std::int32_t>(other));
      out_.law_coef.push_back(-1);
    }
    out_.law_start.push_back(out_.law_cycle.size());
    met_.emplace_back(other, static_cast<std::int32_t>(out_.n_laws()));
    return met_.back().second;
  }

  // Along the cells as they stand in memory, as far as the ring allows.
  void number_cells() const {
    const std::size_t h = band_.lines.size();
    if (lines_.transposed) {
      for (std::size_t k = 0; k < h; ++k)
        for (std::size_t p = 0; p < n_; ++p) number_cell(k, p);
    } else {
      for (std::size_t p = 0; p < n_; ++p)
        for (std::size_t k = 0; k < h; ++k) number_cell(k, p);
    }
  }
  void number_cell(std::size_t k, std::size_t p) const {
    const auto a = static_cast<std::size_t>(band_.walk[k]);
    const std::size_t c = p >= a ? p - a : p + n_ - a;
    out_.law_of_cell[lines_.cell(static_cast<std::size_t>(band_.lines[k]),
                                 static_cast<std::size_t>(band_.ring[p]))] =
        law_[step_of_[k] * n_ + c];
  }

  const Lines& lines_;
  const Band& band_;
  Linkage& out_;
  std::size_t n_;                             // positions of the ring
  std::vector<std::size_t> steps_, step_of_;  // the steps that differ; of each line
  std::vector<std::int32_t> law_;             // by step and the cycle of the +1, with its sign
  std::vector<std::pair<std::size_t, std::int32_t>> met_;
};

}  // namespace

Linkage find_linkage(const Bands& set, std::int32_t* law_of_cell) {
  Linkage out;
  out.law_of_cell = law_of_cell;
  out.n_cells = set.n_cells();
  out.n_cycles = set.size();
  std::int32_t first = 0;
  for (const Band& band : set.bands) {
    BandLinkage(set.lines, band, out).add(first);
    first += static_cast<std::int32_t>(band_cycles(band));
  }
  out.law_start.shrink_to_fit();
  out.law_cycle.shrink_to_fit();
  out.law_coef.shrink_to_fit();
  return out;
}

}  // namespace sdclattice
