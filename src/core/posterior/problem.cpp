#include "posterior/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr std::int32_t kFarShift = 1 << 20;  // farther apart than any set can move a cell

CycleSet join_sets(const Publication* sources, std::size_t n_sources) {
  CycleSet out;
  out.n_cells = sources[0].cycles.n_cells;
  for (std::size_t k = 0; k < n_sources; ++k) {
    const CycleSet& set = sources[k].cycles;
    for (std::size_t c = 0; c < set.size(); ++c) {
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i)
        out.add(set.cell[i], set.coef[i]);
      out.close();
    }
  }
  return out;
}

void lower(Problem::Values& values, std::int32_t law, double published) {
  std::int32_t& least = law > 0 ? values.up : values.down;
  if (published < least) least = static_cast<std::int32_t>(published);
}

Linkage linkage_of(const Publication& source, std::int32_t* law_of_cell) {
  if (source.bands) return find_linkage(*source.bands, law_of_cell);
  return find_linkage(source.cycles, source.cycles.skips_zeros(), law_of_cell);
}

}  // namespace

Problem::Problem(const Publication* sources, std::size_t n_sources, std::int32_t* law_of_cell) {
  std::int32_t first = 0;
  for (std::size_t k = 0; k < n_sources; ++k) {
    const std::size_t n = sources[k].n_cycles();
    const Mechanism& mechanism = sources[k].mechanism;
    parts_.push_back({&mechanism, Times(mechanism.sequence, n), first});
    first += static_cast<std::int32_t>(n);
  }
  linkage_ = n_sources > 1 ? find_linkage(join_sets(sources, n_sources), true, law_of_cell)
                           : linkage_of(sources[0], law_of_cell);
  find_values(sources);
}

int Problem::source_of(std::int32_t cycle) const {
  std::size_t k = parts_.size() - 1;
  while (parts_[k].first_cycle > cycle) --k;
  return static_cast<int>(k);
}

int Problem::applications(std::int32_t cycle) const {
  const Part& part = parts_[source_of(cycle)];
  return part.times.applications(cycle - part.first_cycle);
}

std::uint32_t Problem::step(std::int32_t cycle, int application) const {
  const Part& part = parts_[source_of(cycle)];
  return part.times.step(cycle - part.first_cycle, application);
}

double Problem::alpha(std::int32_t cycle) const {
  const Part& part = parts_[source_of(cycle)];
  return part.mechanism->alpha_of(cycle - part.first_cycle);
}

double Problem::beta(std::int32_t cycle) const {
  const Part& part = parts_[source_of(cycle)];
  return part.mechanism->beta_of(cycle - part.first_cycle);
}

std::uint32_t Problem::first_step(const Component& part) const {
  for (const std::int32_t c : part.cycles)
    if (applications(c) > 0) return step(c, 0);
  return 0;
}

bool Problem::same_form(const Component& a, const Component& b) const {
  if (!linkage_.same_form(a, b)) return false;
  const std::uint32_t from_a = first_step(a), from_b = first_step(b);
  for (std::size_t v = 0; v < a.cycles.size(); ++v) {
    const std::int32_t c = a.cycles[v], d = b.cycles[v];
    if (source_of(c) != source_of(d) || applications(c) != applications(d) ||
        alpha(c) != alpha(d) || beta(c) != beta(d))
      return false;
    for (int t = 0; t < applications(c); ++t)
      if (step(c, t) - from_a != step(d, t) - from_b) return false;
  }
  return true;
}

int Problem::reach(std::int32_t law) const {
  int sum = 0;
  for (std::size_t e = linkage_.law_start[law]; e < linkage_.law_start[law + 1]; ++e)
    if (source_of(linkage_.law_cycle[e]) == 0)
      sum += std::abs(linkage_.law_coef[e]) * applications(linkage_.law_cycle[e]);
  return sum;
}

int Problem::reach() const {
  int most = 0;
  for (std::size_t law = 0; law < linkage_.n_laws(); ++law)
    most = std::max(most, reach(static_cast<std::int32_t>(law)));
  return most;
}

// A cell that is at least as large as all its coming changes and one more never stops a step.
void Problem::find_values(const Publication* sources) {
  const std::size_t n_sources = parts_.size();
  values_.assign(linkage_.n_laws() * n_sources, {0, 0, 0});
  for (std::size_t law = 0; law < linkage_.n_laws(); ++law) {
    for (std::size_t e = linkage_.law_start[law]; e < linkage_.law_start[law + 1]; ++e) {
      const std::int32_t cycle = linkage_.law_cycle[e];
      const int size = std::abs(linkage_.law_coef[e]);
      values_[law * n_sources + source_of(cycle)].up += size * (applications(cycle) + 1);
    }
    for (std::size_t k = 0; k < n_sources; ++k)
      values_[law * n_sources + k].down = values_[law * n_sources + k].up;
  }
  if (n_sources == 1) {
    for (std::size_t i = 0; i < linkage_.n_cells; ++i)
      if (const std::int32_t law = linkage_.law_of_cell[i])
        lower(values_[std::abs(law) - 1], law, sources[0].published[i]);
  } else {
    for (std::size_t i = 0; i < linkage_.n_cells; ++i) compare_sources(sources, i);
  }
}

// What each source published of cell i.
void Problem::compare_sources(const Publication* sources, std::size_t i) {
  const std::int32_t law = linkage_.law_of_cell[i];
  const double first = sources[0].published[i];
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const double here = sources[k].published[i];
    if (law == 0) {
      if (here == first) continue;
      throw InfeasibleError("Cell " + std::to_string(i + 1) +
                            " never moves, and differs between the publications.");
    }
    Values& values = values_[(std::abs(law) - 1) * parts_.size() + k];
    lower(values, law, here);
    const double apart = std::fmax(-kFarShift, std::fmin(here - first, kFarShift));
    values.offset = static_cast<std::int32_t>(law > 0 ? apart : -apart);
  }
}

}  // namespace sdclattice
