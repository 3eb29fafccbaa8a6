// Shared ends: what is thrown first goes on, and the other parts hear of it.
#include <atomic>
#include <thread>

#include "base/error.hpp"
#include "base/shared_end.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {
const Tick kNoTick;
}  // namespace

TEST(all_parts_are_done) {
  for (const std::size_t threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    SharedEnd end;
    std::vector<int> done(50, 0);
    int n = 0;
    end.run(
        pool, done.size(), [&](std::size_t part) { ++done[part]; }, [&] { ++n; });
    CHECK(done == std::vector<int>(50, 1));
    CHECK(!end.has_come() && end.is_callers_thread());
  }
}

// Part 1 would work for ever; what part 0 throws ends it, and what that throws is not heard.
TEST(the_first_reason_goes_on) {
  WorkerPool pool(2);
  if (pool.n_workers() < 2) return;
  SharedEnd end;
  WorkClock whole(1e6, kNoTick);
  bool caught = false;
  try {
    end.run(pool, 2, [&](std::size_t part) {
      SharedClock own(whole, end);
      if (part == 1) throw InputError("the reason");
      for (;;) own.watch().check();
    });
  } catch (const InputError&) {
    caught = true;
  } catch (const WorkTimeUp&) {
  }
  CHECK(caught && end.has_come());
}

// The caller is asked while it waits for a helper that works on.
TEST(an_interrupt_ends_parts_that_last) {
  WorkerPool pool(2);
  if (pool.n_workers() < 2) return;
  SharedEnd end;
  WorkClock whole(1e6, kNoTick);
  bool caught = false;
  try {
    end.run(
        pool, 2,
        [&](std::size_t) {
          SharedClock own(whole, end);
          while (!end.is_callers_thread()) own.watch().check();
        },
        [] { throw WorkInterrupted(); });
  } catch (const WorkInterrupted&) {
    caught = true;
  }
  CHECK(caught);
}

TEST(a_helper_calls_no_tick) {
  WorkerPool pool(3);
  SharedEnd end;
  std::atomic<int> strange{0};
  const std::thread::id own = std::this_thread::get_id();
  const Tick tick = [&](double) { strange += std::this_thread::get_id() != own; };
  WorkClock whole(1e6, tick);
  end.run(pool, 20, [&](std::size_t) {
    SharedClock clock(whole, end);
    for (int k = 0; k < 5000; ++k) clock.watch().check();
  });
  CHECK_EQ(strange.load(), 0);
}
