// A limit of time for work that may take any, and its interrupts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "core/tick.hpp"

namespace sdclattice {

struct WorkTimeUp {};

class WorkClock {
 public:
  WorkClock(double seconds, const Tick& tick)
      : tick_(tick),
        end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(
                 std::chrono::duration<double>(std::min(std::max(seconds, 0.0), 1e8)))) {}

  // Throws WorkTimeUp when the time is over; the tick may throw what it likes.
  void check() {
    if (++calls_ % 16 != 0) return;
    if (is_up()) throw WorkTimeUp();
    if (calls_ % 256 == 0) report(tick_, done);
  }
  bool is_up() const { return Clock::now() >= end_; }
  double seconds_left() const {
    return std::max(0.0, std::chrono::duration<double>(end_ - Clock::now()).count());
  }
  const Tick& tick() const { return tick_; }

  double done = 0;  // the share that the tick is told

 private:
  using Clock = std::chrono::steady_clock;
  const Tick& tick_;
  Clock::time_point end_;
  std::size_t calls_ = 0;
};

}  // namespace sdclattice
