// Work in parts on several threads, with results that do not depend on how many there are.
//
// What is computed. A pool calls work(part, worker) once for each part 0, 1, ... The caller's
// thread is worker 0, and helpers are the others; free workers take the parts in this order. A
// part writes where no other part reads or writes, so that the results are those of one thread:
// who splits work into parts never looks at the number of workers, which serves for memory of
// their own alone.
// What it guarantees. run() returns when no part is under way. When parts throw no further ones
// begin, and the exception of the first of them, by number, goes on: all before it are done, as
// with one thread. `between` is called by the caller's thread alone, after its parts and while it
// waits: for ticks and interrupts, which helpers must not touch. What it throws ends the work, too.
// What it costs. A lock for each part: parts should take a tenth of a millisecond or more. Helpers
// sleep between runs. Where the system gives no thread the pool has fewer workers.
// Agrees with a loop over the parts.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sdclattice {

class WorkerPool {
 public:
  using Work = std::function<void(std::size_t part, std::size_t worker)>;
  using Between = std::function<void()>;

  // At least one worker.
  explicit WorkerPool(std::size_t n_threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t n_workers() const { return helpers_.size() + 1; }
  // Not to be called from a part.
  void run(std::size_t n_parts, const Work& work, const Between& between = {});

 private:
  void help(std::size_t worker);
  // One part, when there is one to begin; the lock is free meanwhile.
  bool do_next(std::unique_lock<std::mutex>& lock, std::size_t worker);
  void note(std::size_t part);
  void end(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  std::vector<std::thread> helpers_;
  // Under the mutex:
  const Work* work_ = nullptr;
  std::size_t next_ = 0, n_parts_ = 0, n_under_way_ = 0;
  std::size_t failed_part_ = 0;
  std::exception_ptr failure_;
  bool closes_ = false;
};

}  // namespace sdclattice
