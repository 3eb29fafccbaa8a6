// Searches for certificates on several threads, with results that do not depend on how many.
//
// What is computed. Searches come in batches. All searches of a batch begin with what was learned
// of debts before it, and each has random numbers of its own; what they learn is put together in
// their order when the last is done.
// What it guarantees. A batch is whole, or it is cut by the clock and leaves no trace but the cells
// looked at.
// What it costs. A table of its own for each thread, while the team lives.
// Agrees with one thread, search for search.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "certify/debt_walk.hpp"

namespace sdclattice {

using StopAsked = std::function<bool()>;  // by the caller's thread, between searches and in them

// What outlasts a team.
struct WalkMemory {
  explicit WalkMemory(std::uint64_t s) : seed(s) {}

  std::vector<std::int16_t> learned;  // what debts cost; empty: nothing was learned
  std::uint64_t seed;
  std::uint64_t n_searches = 0;
  std::size_t n_looks = 0;
};

class WalkTeam {
 public:
  using Search = std::function<void(std::size_t i, DebtWalk& walk, PublicRandom& random)>;

  // All of them must live as long.
  WalkTeam(const ComponentTable& table, WalkMemory& memory, WorkerPool& pool,
           const StopAsked& stop);

  // For the batches that follow.
  void move_on(std::vector<MoveSet> sets, bool forget);
  // Searches 0, ..., n - 1. False when `stop` said so: what they found is to be thrown away, and
  // there is no further batch.
  bool run(std::size_t n, const Search& search);
  bool stopped() const { return stopped_; }

 private:
  struct Member {
    std::unique_ptr<DebtWalk> walk;
    std::size_t n_moved = 0;  // the number of move_on() that it has followed
    std::size_t asked_at = 0;
  };

  DebtWalk& walk_of(std::size_t worker);
  bool must_stop(Member& asking);

  static constexpr std::size_t kAskLooks = 1000000;  // a few milliseconds

  const ComponentTable& table_;
  WalkMemory& memory_;
  WorkerPool& pool_;
  const StopAsked& stop_;
  std::vector<MoveSet> sets_;
  std::size_t n_moved_ = 0;
  std::vector<Member> members_;
  std::atomic<bool> halt_{false};
  bool stopped_ = false;
};

}  // namespace sdclattice
