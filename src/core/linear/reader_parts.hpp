// The parts of a system with their questions of readers: what no row connects is asked apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"
#include "linear/reader_search.hpp"

namespace sdclattice {

// A target in the numbers of its part: the cell of the system is shift + sign * (unknown `cell`).
struct PartTarget {
  std::uint32_t place = 0;  // among the targets of the system
  ReaderTarget target;
  std::int32_t sign = 1;
  std::int64_t shift = 0;

  // What a reader learned of the unknown, as it is of the cell.
  Learned in_system(std::uint32_t reader, std::int64_t lower, std::int64_t upper) const;
};

struct PartReader {
  std::uint32_t reader;  // her place in the questions
  std::vector<ReaderLimit> limits;
};

struct ReaderPart {
  LinearSystem system, implied;  // `implied`: rows that follow from the others
  std::vector<std::int64_t> truth;
  std::vector<PartReader> readers;  // those with a limit in the part
  std::vector<PartTarget> targets;
};

// The parts that have a target that is not fixed. Components of the narrowed system with more than
// `most_cells` cells are presolved first. InfeasibleError when the system has no table, or when a
// limit of a reader excludes the value that presolving gave a cell.
std::vector<ReaderPart> reader_parts(const LinearSystem& system,
                                     const std::vector<std::vector<ReaderLimit>>& readers,
                                     const std::vector<ReaderTarget>& targets,
                                     const std::vector<std::int64_t>& truth, std::size_t most_cells,
                                     const Tick& tick);

}  // namespace sdclattice
