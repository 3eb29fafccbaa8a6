// Sums of cells that nobody publishes, but that follow from published ones.
//
// What is computed. Leaves are the cells of the table itself; a published cell says the sum of the
// leaves that it holds. A sum of leaves, each counted once or not at all, follows from what is
// published when it is a combination of published cells, such as g1 - h1 where g1 holds the leaves
// of h1 and one more. Found are those whose count is from `least` to `most`.
// How. A leaf of a sum that small has a small count. Leaves in the same published cells are one
// atom, and equations are reduced with the atoms of large counts first: those whose leading atom is
// small hold no large one, and are a basis of all combinations that do not. In reduced form such a
// combination takes each equation as often as it takes its leading atom, never or once, so that the
// equations that share atoms are searched by choices of 0 and 1. Sums of 0 make their atoms known
// zeros, and all begins anew without these.
// What it costs. A sparse elimination with a row for each published cell; then, for each part of k
// connected equations, up to 2^k choices, of which those are cut off that are too large or count an
// atom otherwise than once. `max_steps` limits both.
// Right because a row in reduced form is the only one with its leading atom. Numbers are remainders
// by a prime of 31 bits; what is named (`terms`) is checked in whole numbers.
// Agrees with all subsets of leaves and elimination in fractions, in small tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

struct ShownSums {
  std::vector<std::size_t> start;    // of the list of each leaf, and the end
  std::vector<std::uint32_t> shown;  // the published cells that hold a leaf, ascending
  std::vector<std::int64_t> count;   // of each leaf
  std::uint32_t n_shown = 0;
};

struct ImpliedSum {
  std::vector<std::uint32_t> leaves;  // ascending
  // The published cells whose combination it is, and how often each counts; empty where these are
  // no small whole numbers.
  std::vector<std::uint32_t> term;
  std::vector<std::int64_t> times;
};

struct ImpliedSums {
  std::vector<ImpliedSum> sums;  // none holds another one
  bool complete = true;          // the steps did for all
};

// `least` is 0 or 1.
ImpliedSums implied_sums(const ShownSums& published, std::int64_t least, std::int64_t most,
                         std::uint64_t max_steps);

}  // namespace sdclattice
