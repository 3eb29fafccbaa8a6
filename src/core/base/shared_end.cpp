#include "base/shared_end.hpp"

namespace sdclattice {

void SharedEnd::guard(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!reason_) reason_ = std::current_exception();
    has_come_ = true;
    throw;
  }
}

void SharedEnd::run(WorkerPool& pool, std::size_t n_parts,
                    const std::function<void(std::size_t)>& work,
                    const WorkerPool::Between& between) {
  const WorkerPool::Between guarded = [&] { guard(between); };
  try {
    pool.run(
        n_parts, [&](std::size_t part, std::size_t) { guard([&] { work(part); }); },
        between ? guarded : WorkerPool::Between());
  } catch (...) {
    if (reason_) std::rethrow_exception(reason_);
    throw;
  }
}

}  // namespace sdclattice
