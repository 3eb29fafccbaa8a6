// Public random numbers: the published stream, and that draws and shuffles are fair.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

// Far from its mean by five standard deviations at most.
bool fair(const std::vector<int>& seen, double n_draws) {
  const double expected = n_draws / static_cast<double>(seen.size());
  double chi = 0;
  for (int n : seen) chi += (n - expected) * (n - expected) / expected;
  const double free = static_cast<double>(seen.size()) - 1;
  return chi < free + 5 * std::sqrt(2 * free) && chi > free - 5 * std::sqrt(2 * free);
}

}  // namespace

// The values that other implementations of SplitMix64 give.
TEST(the_stream_is_the_published_one) {
  PublicRandom zero(0);
  for (std::uint64_t x : {0xe220a8397b1dcdafULL, 0x6e789e6aa1b965f4ULL, 0x06c45d188009454fULL})
    CHECK_EQ(zero(), x);
  PublicRandom other(1234567);
  for (std::uint64_t x : {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                          4593380528125082431ULL, 16408922859458223821ULL})
    CHECK_EQ(other(), x);
}

TEST(equal_seeds_give_equal_streams_and_others_differ) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    PublicRandom a(seed), b(seed);
    first.insert(a());
    CHECK_EQ(PublicRandom(seed)(), b());
    CHECK_EQ(a(), b());
  }
  CHECK_EQ(first.size(), 1000u);
}

TEST(every_bit_is_set_half_of_the_time) {
  PublicRandom random(1);
  constexpr int kDraws = 20000;
  std::vector<int> set(64);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t x = random();
    for (std::size_t b = 0; b < 64; ++b) set[b] += static_cast<int>(x >> b & 1);
  }
  for (int n : set) CHECK(std::abs(n - kDraws / 2) < 5 * std::sqrt(kDraws / 4.0));
}

TEST(draws_below_a_number_are_fair) {
  PublicRandom random(2);
  int beyond = 0;
  for (std::size_t n = 2; n <= 40; ++n) {
    std::vector<int> seen(n);
    for (int i = 0; i < 20000; ++i) {
      const std::size_t x = random.below(n);
      if (x < n)
        ++seen[x];
      else
        ++beyond;
    }
    CHECK(fair(seen, 20000));
  }
  CHECK_EQ(beyond, 0);
  for (int i = 0; i < 10; ++i) CHECK_EQ(random.below(1), 0u);
  CHECK(random.below(SIZE_MAX) < SIZE_MAX);
}

TEST(pairs_of_draws_are_fair) {
  PublicRandom random(3);
  std::vector<int> seen(36);
  for (int i = 0; i < 36000; ++i) {
    const std::size_t a = random.below(6), b = random.below(6);
    ++seen[a * 6 + b];
  }
  CHECK(fair(seen, 36000));
}

TEST(shuffles_reach_all_orders_alike) {
  PublicRandom random(4);
  for (int n = 2; n <= 5; ++n) {
    std::map<std::vector<int>, int> seen;
    std::vector<int> start(static_cast<std::size_t>(n));
    std::iota(start.begin(), start.end(), 0);
    std::size_t n_orders = 0;
    auto order = start;
    do ++n_orders;
    while (std::next_permutation(order.begin(), order.end()));
    for (int i = 0; i < 24000; ++i) {
      auto x = start;
      random.shuffle(x.begin(), x.end());
      ++seen[x];
    }
    CHECK_EQ(seen.size(), n_orders);
    std::vector<int> counts;
    for (const auto& [key, count] : seen) {
      CHECK(std::is_permutation(key.begin(), key.end(), start.begin()));
      counts.push_back(count);
    }
    CHECK(fair(counts, 24000));
  }
}

TEST(shuffles_keep_ties_and_do_nothing_to_one_or_none) {
  PublicRandom random(5), untouched(5);
  std::vector<int> none, one = {7};
  random.shuffle(none.begin(), none.end());
  random.shuffle(one.begin(), one.end());
  CHECK_EQ(one[0], 7);
  CHECK_EQ(random(), untouched());
  std::vector<int> ties = {1, 1, 2, 2, 2, 3};
  for (int i = 0; i < 50; ++i) {
    random.shuffle(ties.begin(), ties.end());
    auto sorted = ties;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == (std::vector<int>{1, 1, 2, 2, 2, 3}));
  }
  int array[] = {1, 2, 3, 4};
  random.shuffle(array, array + 4);
  CHECK_EQ(std::accumulate(array, array + 4, 0), 10);
}
