// The reasons for which the core gives up. Each is a type, so that a caller maps it by type and
// never by its text.
#pragma once

#include <stdexcept>
#include <string>

namespace sdclattice {

// An argument breaks a stated condition that the caller could not check cheaply itself.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// No solution exists: contradictory margins, a prior that excludes every table.
struct InfeasibleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The problem exceeds a limit that the caller gave, or 64-bit arithmetic.
struct TooLargeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sdclattice
