// A limit of time for work that may take any, and its interrupts. Time is that of the processor,
// where the system tells it: the result of the work does not depend on what else the machine does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>

#include "base/tick.hpp"

namespace sdclattice {

struct WorkTimeUp {};
// What a tick throws to end work whose results so far are to be kept.
struct WorkInterrupted {};

// Seconds of a clock that nobody can set, from some moment on.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds that this process has worked, from some origin.
inline double work_seconds() {
#if defined(CLOCK_PROCESS_CPUTIME_ID) && !defined(_WIN32)
  std::timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0)
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
#endif
  return steady_seconds();
}

class WorkClock {
 public:
  WorkClock(double seconds, const Tick& tick)
      : tick_(tick), end_(work_seconds() + std::min(std::max(seconds, 0.0), 1e8)) {}

  // Throws WorkTimeUp when the time is over; the tick may throw what it likes.
  void check() {
    if (++calls_ % 16 != 0) return;
    if (is_up()) throw WorkTimeUp();
    if (calls_ % 256 == 0) report(tick_, done);
  }
  bool is_up() const { return work_seconds() >= end_; }
  double seconds_left() const { return std::max(0.0, end_ - work_seconds()); }
  const Tick& tick() const { return tick_; }

  double done = 0;  // the share that the tick is told

 private:
  const Tick& tick_;
  double end_;
  std::size_t calls_ = 0;
};

}  // namespace sdclattice
