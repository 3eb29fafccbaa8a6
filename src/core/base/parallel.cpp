#include "base/parallel.hpp"

#include <chrono>
#include <system_error>

namespace sdclattice {

namespace {

constexpr std::chrono::milliseconds kBetween{100};

}  // namespace

WorkerPool::WorkerPool(std::size_t n_threads) {
  try {
    for (std::size_t worker = 1; worker < n_threads; ++worker)
      helpers_.emplace_back([this, worker] { help(worker); });
  } catch (const std::system_error&) {
    // the threads that there are do all of it
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closes_ = true;
  }
  begins_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::help(std::size_t worker) {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    begins_.wait(lock, [this] { return closes_ || next_ < n_parts_; });
    if (closes_) return;
    while (do_next(lock, worker)) {
    }
    if (n_under_way_ == 0) ends_.notify_one();
  }
}

bool WorkerPool::do_next(std::unique_lock<std::mutex>& lock, std::size_t worker) {
  if (next_ >= n_parts_) return false;
  const std::size_t part = next_++;
  ++n_under_way_;
  const Work& work = *work_;
  lock.unlock();
  try {
    work(part, worker);
    lock.lock();
  } catch (...) {
    lock.lock();
    note(part);
  }
  --n_under_way_;
  return true;
}

// The exception of a part; no further ones begin.
void WorkerPool::note(std::size_t part) {
  n_parts_ = 0;
  if (failure_ && failed_part_ < part) return;
  failed_part_ = part;
  failure_ = std::current_exception();
}

void WorkerPool::end(std::unique_lock<std::mutex>& lock) {
  ends_.wait(lock, [this] { return next_ >= n_parts_ && n_under_way_ == 0; });
  work_ = nullptr;
  next_ = n_parts_ = 0;
}

void WorkerPool::run(std::size_t n_parts, const Work& work, const Between& between) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto call = [&] {
    lock.unlock();
    try {
      between();
      lock.lock();
    } catch (...) {
      lock.lock();
      n_parts_ = 0;
      end(lock);
      failure_ = nullptr;
      throw;
    }
  };
  const auto is_done = [this] { return next_ >= n_parts_ && n_under_way_ == 0; };
  work_ = &work;
  next_ = 0;
  n_parts_ = n_parts;
  begins_.notify_all();
  while (do_next(lock, 0))
    if (between) call();
  // of parts that last long the caller hears while they do
  while (between && !ends_.wait_for(lock, kBetween, is_done)) call();
  end(lock);
  if (!failure_) return;
  const std::exception_ptr failure = failure_;
  failure_ = nullptr;
  lock.unlock();
  std::rethrow_exception(failure);
}

}  // namespace sdclattice
