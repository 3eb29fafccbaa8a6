// What readers who know something of their own learn from published sums.
//
// A reader has the system of the publication, and narrower limits of some cells: what she
// contributes herself. A question is a pair of a reader and a target cell. It is settled when some
// table that agrees with all that she knows has a value of the target of at most `low`, or at least
// `high`: then she cannot tell. The true table agrees with what every reader knows.
//
// Readers times targets are many, and programmes must be few. Two facts see to it:
//   - A pool knows what all its readers know. A table that a pool cannot exclude excludes none of
//     them, so that one programme settles a target for all readers of a pool. Where it fails the
//     pool is halved; a pool of one that fails is proof that this reader learns the target.
//   - Every table that turns up is a witness, and settles the later questions of all readers whose
//     limits it keeps.
// Only readers with a limit in the target's part of the system are asked, for other limits tell
// them nothing. Parts are the components that remain when the limits are narrowed; large ones are
// presolved once, for all readers, and divided further (presolve.hpp). So a target takes one
// programme where nobody learns it, and at most some 2 f log2(n) where f of n readers do. Tests
// compare with a bound for each pair by itself.
//
// Over whole numbers a witness is a table of whole numbers; relaxed, a vertex of the programme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

struct ReaderLimit {
  std::uint32_t cell;
  std::int64_t lower, upper;
};

// A value of `low` below the cell's lower limit, or of `high` at kNoLimit, cannot be attained.
struct ReaderNeed {
  std::int64_t low, high;
};

// What one reader needs of a target in place of what readers need of it in general; `asked` is
// false where she knows the target by herself.
struct OwnNeed {
  std::uint32_t reader;
  ReaderNeed need;
  bool asked;
};

struct ReaderTarget {
  std::uint32_t cell;
  ReaderNeed need;
  std::vector<OwnNeed> own;  // by reader, ascending
};

struct ReaderSearchLimits {
  double seconds = 60;
  std::size_t max_entries = 25000000;
  bool relaxed = false;
  std::size_t dense_cells = 150;  // components up to which the exact programme is used
  std::size_t slice = 200;        // targets of a part that are searched with the same witnesses
  std::size_t threads = 1;        // at least 1; what is found does not depend on it
};

struct Learned {
  std::uint32_t reader, target;  // places in the questions
  std::int64_t lower, upper;     // what the reader knows of the target
};

struct ReaderFindings {
  std::vector<Learned> learned;
  std::vector<std::uint32_t> unsure;  // targets with a question that was not settled
  bool interrupted = false;           // the tick ended the work (WorkInterrupted)
  std::size_t n_asked = 0;            // questions in the sense of pairs
  std::size_t n_programmes = 0;
  std::size_t n_witnesses = 0;
};

// `readers`: the limits of each. `truth`: a table of the system to start from, or empty; one that
// does not satisfy the system is not used. InfeasibleError when what a reader who is asked knows
// contradicts the system.
//
// Parts, and slices of the targets of a part, are searched on several threads; a slice has
// witnesses of its own, and does not depend on the threads. The time is that of all threads
// together.
//
// What the time leaves open is unsure, and all that was found by then remains. Large components are
// searched over whole numbers, also where `relaxed`: their tables are whole, and so are the true
// values.
ReaderFindings search_readers(const LinearSystem& system,
                              const std::vector<std::vector<ReaderLimit>>& readers,
                              const std::vector<ReaderTarget>& targets,
                              const ReaderSearchLimits& limits, const Tick& tick,
                              const std::vector<std::int64_t>& truth = {});

}  // namespace sdclattice
