// A limit of time on one piece of work and all that it calls, however deep: for work whose duration
// must not be seen. While a Deadline lives, poll() throws WorkTimeUp once its time is over; without
// one it does nothing. Loops over cells, rows or moves poll at least every few ten thousand steps,
// so that the work ends within a millisecond or so of its limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "base/work_clock.hpp"

namespace sdclattice {

class Deadline {
 public:
  // Looks at `is_over` at every poll. Of the caller's thread: a WorkerPool's helpers, which may
  // poll, too, have it while their parts last.
  explicit Deadline(std::function<bool()> is_over);
  // Seconds that this process works, and another limit.
  Deadline(double working, std::function<bool()> is_passed);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool is_over() const { return is_over_(); }
  // Of time that is over: that of work, or did it end before that by the other limit?
  bool is_time_of_work() const { return work_seconds() >= worked_; }

 private:
  std::function<bool()> is_over_;
  double worked_ = 0;
  const Deadline* before_;
};

void poll();

// Steps of a loop between two polls, a power of two; for steps of some nanoseconds.
constexpr std::size_t kPollEvery = 16384;

inline void poll_at(std::size_t step) {
  if (step % kPollEvery == 0) poll();
}

// As assign(), a piece at a time: memory that is touched first takes its time, too.
template <class Value>
void assign_polled(std::vector<Value>& out, std::size_t n, Value value) {
  out.clear();
  out.reserve(n);
  while (out.size() < n) {
    poll();
    out.resize(std::min(n, out.size() + kPollEvery), value);
  }
}

}  // namespace sdclattice
