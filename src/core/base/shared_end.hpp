// The end of work that several threads share: the first of them that has to stop, for the time, for
// an interrupt or for what it found, stops all.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "base/parallel.hpp"
#include "base/work_clock.hpp"

namespace sdclattice {

class SharedEnd {
 public:
  // Of the thread that makes it, which alone may hear of ticks.
  SharedEnd() : caller_(std::this_thread::get_id()) {}

  bool is_callers_thread() const { return std::this_thread::get_id() == caller_; }
  bool has_come() const { return has_come_.load(std::memory_order_relaxed); }

  // As pool.run(). What any part, or `between`, throws first makes has_come() true, so that the
  // other parts may stop as well, whatever they throw then; it goes on when none is under way.
  void run(WorkerPool& pool, std::size_t n_parts, const std::function<void(std::size_t)>& work,
           const WorkerPool::Between& between = {});

 private:
  void guard(const std::function<void()>& work);

  const std::thread::id caller_;
  std::atomic<bool> has_come_{false};
  std::mutex mutex_;
  std::exception_ptr reason_;  // under the mutex
};

// A clock for a part of shared work: it has the time of the whole, which is that of all threads
// together, ends when the shared end has come, and ticks on the caller's thread alone.
class SharedClock {
 public:
  // Keeps references.
  SharedClock(const WorkClock& whole, const SharedEnd& end)
      : tick_([&whole, &end](double) {
          if (end.has_come()) throw WorkTimeUp();
          if (end.is_callers_thread()) report(whole.tick(), whole.done);
        }),
        watch_(whole.seconds_left(), tick_) {}
  SharedClock(const SharedClock&) = delete;
  SharedClock& operator=(const SharedClock&) = delete;

  WorkClock& watch() { return watch_; }

 private:
  const Tick tick_;
  WorkClock watch_;
};

}  // namespace sdclattice
