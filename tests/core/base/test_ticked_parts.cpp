// Parts on threads, with ticks of the caller's thread alone.
#include <thread>
#include <vector>

#include "base/ticked_parts.hpp"
#include "check.hpp"

using namespace sdclattice;

TEST(all_parts_are_done_and_the_caller_hears_of_them) {
  for (std::size_t threads : {1, 2, 3, 7}) {
    WorkerPool pool(threads);
    std::vector<int> done(100, 0);
    const auto caller = std::this_thread::get_id();
    bool own = true, grows = true;
    double last = 0;
    const Tick tick = [&](double share) {
      own = own && std::this_thread::get_id() == caller;
      grows = grows && share >= last && share <= 1;
      last = share;
    };
    run_ticked(pool, done.size(), tick, [&](std::size_t part, std::size_t) { ++done[part]; });
    CHECK(done == std::vector<int>(100, 1));
    CHECK(own && grows);
    if (threads == 1) CHECK_EQ(last, 1);
  }
}

TEST(a_tick_ends_the_work) {
  WorkerPool pool(2);
  const Tick tick = [](double) { throw 7; };
  CHECK_THROWS(int, run_ticked(pool, 9, tick, [](std::size_t, std::size_t) {}));
}
