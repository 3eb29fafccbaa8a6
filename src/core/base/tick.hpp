// How long work reports its progress and lets itself be stopped.
#pragma once

#include <functional>

namespace sdclattice {

// Called now and then with the share of the work that is done, in [0, 1]. It may throw, which
// stops the work and leaves no result. An empty function is never called.
using Tick = std::function<void(double)>;

inline void report(const Tick& tick, double done) {
  if (tick) tick(done);
}

}  // namespace sdclattice
