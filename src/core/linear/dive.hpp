// A whole table within limits, by the linear programme: dive, round and repair, branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "linear/conflict_weights.hpp"
#include "linear/linear.hpp"
#include "linear/repair_walk.hpp"
#include "linear/sparse_simplex.hpp"

namespace sdclattice {

// unknown: the nodes are used up, or a leaf could not be proved empty.
enum class DiveEnd { found, empty, unknown };

struct DiveLimits {
  std::size_t nodes = 300;         // of plunges and the tree together
  std::size_t repairs = 2;         // at each node, from the point of the programme
  std::size_t repair_steps = 300;  // of each repair
  std::size_t plunges = 3;
};

// Is there a whole table within lower and upper? They may be narrower than the limits of the
// system, such as a cell held at the value that is asked for.
//
// At each node the rows narrow what has changed, then the programme is led back to its limits;
// where its point is not whole, it is rounded at random and repaired. Plunges come first: they fix
// some fractional cells at a time, at random, and find most tables that there are, in some 20 to 50
// nodes. Then a tree: a fractional cell near one half is branched on, the nearer side first.
// Where `weights` are given, cells of rows that contradicted each other in earlier dives, and with
// little room, come before others: proofs that there is no table then need far fewer nodes.
//
// found: x is that table, checked exactly. empty: there is none; every leaf is proved by narrowing
// or by a combination of rows, in whole numbers. `simplex` and `walk` are over the same system; the
// programme starts where it stands, and afterwards its limits are those of the system, also when
// its check throws. The number of nodes is added to *n_nodes.
DiveEnd dive(const LinearSystem& system, SparseSimplex& simplex, RepairWalk& walk,
             std::vector<std::int64_t> lower, std::vector<std::int64_t> upper, PublicRandom& random,
             const DiveLimits& limits, std::vector<std::int64_t>& x, std::size_t* n_nodes = nullptr,
             ConflictWeights* weights = nullptr);

}  // namespace sdclattice
