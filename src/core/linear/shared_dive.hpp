// One dive for several questions: a whole table that has one cell at a value, and others at the
// values that are wished for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/dive.hpp"

namespace sdclattice {

struct Wish {
  std::uint32_t cell;
  std::int64_t value;
};

// Where dives take long, as in dense tables, a table that answers twenty questions costs little
// more than one that answers one. Where such tables are seldom found, the wishes are left out.
class SharedDive {
 public:
  // All are over one system and must live as long.
  SharedDive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk)
      : system_(system), simplex_(simplex), walk_(walk), weights_(system) {}

  // Whether wishes have paid so far.
  bool takes_wishes() const { return n_found_ + 2 >= n_tried_ - n_found_; }
  // As dive(), whose answer it gives. Each wish is granted, in turn, if the programme then still
  // has a point; where no whole table grants all of them, a dive without wishes follows.
  DiveEnd run(const std::vector<std::int64_t>& lower, const std::vector<std::int64_t>& upper,
              const std::vector<Wish>& wishes, PublicRandom& random, const DiveLimits& limits,
              std::vector<std::int64_t>& x, std::size_t* n_nodes = nullptr);

 private:
  std::size_t grant(std::vector<std::int64_t>& lower, std::vector<std::int64_t>& upper,
                    const std::vector<Wish>& wishes);
  bool reaches(const Wish& wish);

  const LinearSystem& system_;
  SparseSimplex& simplex_;
  RepairWalk& walk_;
  ConflictWeights weights_;
  std::size_t n_tried_ = 0, n_found_ = 0;
};

}  // namespace sdclattice
