// Pools against loops: every part once, exceptions, calls by the caller's thread, many runs.
#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "check.hpp"

using namespace sdclattice;

TEST(every_part_is_done_once) {
  for (std::size_t threads : {0, 1, 2, 5}) {
    WorkerPool pool(threads);
    CHECK(pool.n_workers() >= 1 && pool.n_workers() <= std::max<std::size_t>(threads, 1));
    for (std::size_t n : {0, 1, 2, 7, 500}) {
      std::vector<int> done(n, 0);
      std::atomic<int> strange{0};
      pool.run(n, [&](std::size_t part, std::size_t worker) {
        if (worker >= pool.n_workers()) ++strange;
        ++done[part];
      });
      CHECK_EQ(strange.load(), 0);
      CHECK(std::all_of(done.begin(), done.end(), [](int times) { return times == 1; }));
    }
  }
}

// Work of uneven length, added up by parts in their order.
TEST(results_do_not_depend_on_threads) {
  std::vector<double> first;
  for (std::size_t threads : {1, 2, 3}) {
    WorkerPool pool(threads);
    std::vector<double> sums(64);
    for (int run = 0; run < 20; ++run)
      pool.run(sums.size(), [&](std::size_t part, std::size_t) {
        double sum = 0;
        for (std::size_t i = 1; i < 100 + part * part; ++i) sum += 1.0 / static_cast<double>(i);
        sums[part] += sum;
      });
    if (first.empty()) first = sums;
    CHECK(first == sums);
  }
}

// The exception of the first part that throws, with all before it done; then the pool goes on.
TEST(the_first_exception_goes_on) {
  for (std::size_t threads : {1, 2, 4}) {
    WorkerPool pool(threads);
    for (int run = 0; run < 50; ++run) {
      std::vector<int> done(40, 0);
      std::string said;
      try {
        pool.run(done.size(), [&](std::size_t part, std::size_t) {
          if (part >= 9 && part % 3 == 0) throw InputError("part " + std::to_string(part));
          done[part] = 1;
        });
      } catch (const InputError& error) {
        said = error.what();
      }
      CHECK_EQ(said, std::string("part 9"));
      CHECK_EQ(std::accumulate(done.begin(), done.begin() + 9, 0), 9);
    }
    int n = 0;
    pool.run(1, [&](std::size_t, std::size_t) { ++n; });
    CHECK_EQ(n, 1);
  }
}

TEST(between_is_of_the_callers_thread) {
  const std::thread::id own = std::this_thread::get_id();
  for (std::size_t threads : {1, 3}) {
    WorkerPool pool(threads);
    std::atomic<int> n{0};
    bool is_own = true, caught = false;
    pool.run(
        100, [&](std::size_t, std::size_t) { ++n; },
        [&] { is_own = is_own && std::this_thread::get_id() == own; });
    CHECK(is_own);
    CHECK_EQ(n.load(), 100);
    // a tick that throws ends the work; worker 0 has at least one part of so many
    try {
      for (;;)
        pool.run(
            1000, [&](std::size_t, std::size_t) { ++n; }, [] { throw TooLargeError("enough"); });
    } catch (const TooLargeError&) {
      caught = true;
    }
    CHECK(caught);
    const int before = n;
    pool.run(10, [&](std::size_t, std::size_t) { ++n; });
    CHECK_EQ(n.load(), before + 10);
  }
}
