// Which cells of a system can be bounded apart from each other, for who shares the work.
//
// What is computed. The parts that presolve leaves (presolve.hpp) are dealt to some shares, those
// with most work first, each to the share that has least: a part has as much work as asked cells
// times cells. What is bounded in one part says nothing of the others.
// What it guarantees. The same deal for the same system. Cells of one part are in one share.
// What it costs. A presolve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct PartShares {
  std::vector<std::uint32_t> share;  // of each asked cell; 0 where presolve knows its value
  std::vector<double> work;          // of each share
};

// InfeasibleError where presolve proves that there is no solution.
PartShares part_shares(const LinearSystem& system, const std::vector<std::uint32_t>& asked,
                       std::size_t n_shares, const Tick& tick);

}  // namespace sdclattice
