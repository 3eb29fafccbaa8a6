// Publications of one table as a problem of inference: what the cycles' laws are, and what the
// published values say of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cycle/bands.hpp"
#include "cycle/cycle.hpp"
#include "cycle/linkage.hpp"
#include "cycle/mechanism.hpp"

namespace sdclattice {

// A set of cycles with its mechanism and the table that was published by it. Where `bands` say what
// the set is, its entries may be left out until they are needed.
struct Publication {
  CycleSet cycles;
  Mechanism mechanism;
  const double* published = nullptr;
  std::optional<Bands> bands = std::nullopt;

  std::size_t n_cells() const { return bands ? bands->n_cells() : cycles.n_cells; }
  std::size_t n_cycles() const { return bands ? bands->size() : cycles.size(); }
  void expand() {
    if (bands && cycles.size() == 0) cycles = bands->expand();
  }
};

// What the laws of a set are and what the published values say of them. The cycles of all sources
// are numbered one after the other.
class Problem {
 public:
  // Sources after the first are publications of the same table. law_of_cell is room for a number
  // for each cell that outlives the problem.
  Problem(std::vector<Publication>& sources, std::int32_t* law_of_cell)
      : Problem(sources.data(), sources.size(), law_of_cell) {}
  Problem(const Publication* sources, std::size_t n_sources, std::int32_t* law_of_cell);

  // Values of a law's two groups of cells, capped where they cannot stop a step any more, and by
  // how much more this source changed them than the first.
  struct Values {
    std::int32_t up, down, offset;
  };

  const Linkage& linkage() const { return linkage_; }
  int source_of(std::int32_t cycle) const;
  std::int32_t number_in_source(std::int32_t cycle) const {
    return cycle - parts_[source_of(cycle)].first_cycle;
  }
  int n_sources() const { return static_cast<int>(parts_.size()); }
  const Values& values(std::int32_t law, int source) const {
    return values_[static_cast<std::size_t>(law) * parts_.size() + source];
  }
  ZeroRule rule(int source) const { return parts_[source].mechanism->rule; }
  int applications(std::int32_t cycle) const;
  std::uint32_t step(std::int32_t cycle, int application) const;
  double alpha(std::int32_t cycle) const;
  double beta(std::int32_t cycle) const;
  // Whether the components differ in their place alone: in the numbers of their cycles, laws and
  // steps, and in published values.
  bool same_form(const Component& a, const Component& b) const;
  // No cell of the law changes by more in the first source.
  int reach(std::int32_t law) const;
  int reach() const;

 private:
  struct Part {
    const Mechanism* mechanism;
    Times times;
    std::int32_t first_cycle;
  };
  void find_values(const Publication* sources);
  void compare_sources(const Publication* sources, std::size_t cell);
  // Of the first cycle of a component that is applied at all.
  std::uint32_t first_step(const Component& part) const;

  std::vector<Part> parts_;
  Linkage linkage_;
  std::vector<Values> values_;
};

}  // namespace sdclattice
