// Limits of time: when a clock looks, whom it tells, and extreme limits.
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "base/work_clock.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const Tick kQuiet = [](double) {};

// The number of the check that ends the work, or 0 when none of n does.
int check_that_throws(WorkClock& clock, int n) {
  for (int i = 1; i <= n; ++i) {
    try {
      clock.check();
    } catch (const WorkTimeUp&) {
      return i;
    }
  }
  return 0;
}

}  // namespace

TEST(clocks_never_go_back_and_move_on_with_work) {
  const double worked = work_seconds(), passed = steady_seconds();
  double before_work = worked, before = passed;
  volatile double busy = 0;
  while (work_seconds() == worked || steady_seconds() == passed) {
    for (int i = 0; i < 1000; ++i) busy = busy + std::sqrt(i);
    CHECK(work_seconds() >= before_work);
    CHECK(steady_seconds() >= before);
    before_work = work_seconds();
    before = steady_seconds();
  }
  CHECK(work_seconds() > worked && steady_seconds() > passed);
}

TEST(no_time_is_up_at_once_and_seen_at_every_sixteenth_check) {
  for (double seconds : {0.0, -1.0, -1e300, -kInfinite}) {
    WorkClock clock(seconds, kQuiet);
    CHECK(clock.is_up());
    CHECK_EQ(clock.seconds_left(), 0.0);
    CHECK_EQ(check_that_throws(clock, 100), 16);
    CHECK_EQ(check_that_throws(clock, 100), 16);
  }
}

TEST(endless_time_is_never_up) {
  for (double seconds : {1e7, 1e9, 1e300, kInfinite}) {
    WorkClock clock(seconds, kQuiet);
    CHECK(!clock.is_up());
    CHECK(clock.seconds_left() > 9e6);
    CHECK(clock.seconds_left() <= 1e8);
    CHECK_EQ(check_that_throws(clock, 1000), 0);
  }
}

TEST(time_left_only_falls) {
  const WorkClock clock(1e6, kQuiet);
  double before = clock.seconds_left();
  for (int i = 0; i < 1000; ++i) {
    const double now = clock.seconds_left();
    CHECK(now <= before);
    before = now;
  }
}

TEST(the_tick_hears_every_256th_check_what_is_done) {
  std::vector<double> heard;
  const Tick tick = [&heard](double done) { heard.push_back(done); };
  WorkClock clock(1e6, tick);
  for (int i = 1; i <= 1024; ++i) {
    clock.done = i / 1024.0;
    clock.check();
  }
  CHECK(heard == (std::vector<double>{.25, .5, .75, 1}));
  report(clock.tick(), 0);
  CHECK_EQ(heard.size(), 5u);
}

TEST(the_tick_may_end_the_work_and_time_ends_it_first) {
  const Tick stop = [](double) { throw 7; };
  WorkClock endless(1e6, stop);
  int last = 0;
  try {
    for (int i = 1; i <= 1000; ++i) {
      last = i;
      endless.check();
    }
  } catch (int) {
  }
  CHECK_EQ(last, 256);
  WorkClock over(0, stop);
  CHECK_EQ(check_that_throws(over, 300), 16);
}

TEST(an_empty_tick_does_no_harm) {
  const Tick none;
  WorkClock clock(1e6, none);
  CHECK_EQ(check_that_throws(clock, 600), 0);
}

#if defined(CLOCK_PROCESS_CPUTIME_ID) && !defined(_WIN32)
TEST(time_of_working_does_not_pass_while_others_work) {
  WorkClock clock(0.05, kQuiet);
  std::this_thread::sleep_for(std::chrono::milliseconds(80));
  CHECK(!clock.is_up());
  while (!clock.is_up()) {
  }
  CHECK_EQ(clock.seconds_left(), 0.0);
}
#endif
