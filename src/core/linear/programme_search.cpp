#include "linear/programme_search.hpp"

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace sdclattice {

void ProgrammeSearch::start() {
  if (!simplex_.restore() || !search()) throw InfeasibleError(kNoTable);
}

void ProgrammeSearch::close(std::size_t cell, int sign) {
  if (!known_.open(cell, sign)) return;
  ++effort_.programmes;
  simplex_.restore();
  if (!climb(cell, sign)) return;
  while (known_.open(cell, sign)) {
    const std::int64_t end = sign > 0 ? known_.upper[cell] : known_.lower[cell];
    simplex_.set_limits(cell, end, end);
    if (!search()) known_.narrow(cell, sign, sign * end - 1);
  }
  simplex_.set_limits(cell, known_.lower[cell], known_.upper[cell]);
}

void ProgrammeSearch::start_relaxed() {
  if (!simplex_.restore()) throw InfeasibleError(kNoTable);
}

double ProgrammeSearch::relax(std::size_t cell, int sign) {
  ++effort_.programmes;
  if (!climb(cell, sign)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(simplex_.numerator(cell)) /
         static_cast<double>(simplex_.denominator());
}

// To the optimum, which bounds the largest whole number that sign times the cell may still be.
bool ProgrammeSearch::climb(std::size_t cell, int sign) {
  if (!simplex_.climb(cell, sign)) {
    known_.endless[cell] = true;
    return false;
  }
  const std::int64_t floor = simplex_.floor_of(cell);
  known_.narrow(cell, sign, sign > 0 ? floor : -(floor + !simplex_.is_whole(cell)));
  record_if_whole();
  return true;
}

bool ProgrammeSearch::record_if_whole() {
  if (simplex_.first_fractional() < simplex_.n_cells()) return false;
  known_.witness([&](std::size_t i) {
    return static_cast<std::int64_t>(simplex_.numerator(i) / simplex_.denominator());
  });
  return true;
}

bool ProgrammeSearch::search() {
  const std::size_t before = whole_.n_branches();
  const bool found = whole_.find();
  effort_.branches += whole_.n_branches() - before;
  return found && record_if_whole();
}

}  // namespace sdclattice
