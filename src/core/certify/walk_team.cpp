#include "certify/walk_team.hpp"

#include <utility>

namespace sdclattice {

WalkTeam::WalkTeam(const ComponentTable& table, WalkMemory& memory, WorkerPool& pool,
                   const StopAsked& stop)
    : table_(table), memory_(memory), pool_(pool), stop_(stop), members_(pool.n_workers()) {}

void WalkTeam::move_on(std::vector<MoveSet> sets, bool forget) {
  sets_ = std::move(sets);
  ++n_moved_;
  if (!forget) return;
  memory_.learned.clear();
  for (Member& member : members_)
    if (member.walk) member.walk->forget();
}

DebtWalk& WalkTeam::walk_of(std::size_t worker) {
  Member& member = members_[worker];
  if (!member.walk) {
    member.walk = std::make_unique<DebtWalk>(table_);
    member.walk->know(memory_.learned);
    member.walk->listen([this, worker, &member] {
      return worker == 0 ? must_stop(member) : halt_.load(std::memory_order_relaxed);
    });
  }
  if (member.n_moved != n_moved_) {
    member.walk->move_on(sets_, false);
    member.n_moved = n_moved_;
  }
  return *member.walk;
}

// The caller's thread looks at the clock now and then, and lets the user interrupt.
bool WalkTeam::must_stop(Member& asking) {
  if (asking.walk->n_looks() - asking.asked_at < kAskLooks) return halt_;
  asking.asked_at = asking.walk->n_looks();
  try {
    if (stop_()) halt_ = true;
  } catch (...) {
    halt_ = true;
    throw;
  }
  return halt_;
}

bool WalkTeam::run(std::size_t n, const Search& search) {
  stopped_ = stopped_ || stop_();
  if (stopped_) return false;
  std::vector<Lessons> lessons(n);
  std::vector<std::size_t> looks(n, 0);
  const std::uint64_t first = memory_.n_searches;
  pool_.run(n, [&](std::size_t i, std::size_t worker) {
    DebtWalk& walk = walk_of(worker);
    const std::size_t before = walk.n_looks();
    // Seeds that follow each other must not give streams that overlap.
    PublicRandom random(PublicRandom(memory_.seed ^ (first + i) * 0xd1342543de82ef95ULL)());
    search(i, walk, random);
    lessons[i] = walk.take_lessons();
    looks[i] = walk.n_looks() - before;
  });
  for (std::size_t i = 0; i < n; ++i) memory_.n_looks += looks[i];
  stopped_ = halt_;
  if (stopped_) return false;
  memory_.n_searches += n;
  if (memory_.learned.empty()) memory_.learned.assign(table_.count.size(), 1);
  for (const Lessons& some : lessons) {
    for (const Lesson& lesson : some) {
      std::int16_t& at = memory_.learned[lesson.cell];
      at = std::max(at, lesson.cost);
    }
    for (Member& member : members_)
      if (member.walk) member.walk->know(some);
  }
  return true;
}

}  // namespace sdclattice
