// Sets of sums: against a plain list of which sums are reached.
#include <algorithm>

#include "base/random.hpp"
#include "base/sum_set.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using Steps = std::vector<std::int64_t>;

// Sums up to `largest` one by one; beyond, all are reached.
struct Twin {
  std::vector<bool> reached;

  explicit Twin(std::int64_t largest) : reached(static_cast<std::size_t>(largest + 1)) {
    if (largest >= 0) reached[0] = true;
  }
  std::int64_t size() const { return static_cast<std::int64_t>(reached.size()); }
  bool has(std::int64_t sum) const {
    return sum >= size() || reached[static_cast<std::size_t>(sum)];
  }
  std::int64_t tail() const {
    std::int64_t out = size();
    while (out > 0 && has(out - 1)) --out;
    return out;
  }
  std::int64_t next(std::int64_t sum) const {
    while (!has(sum)) ++sum;
    return sum;
  }
  bool add_steps(const Steps& steps) {
    const Twin before = *this;
    for (std::int64_t sum = 0; sum < size(); ++sum)
      for (std::int64_t step : steps)
        if (step <= sum && before.has(sum - step)) reached[static_cast<std::size_t>(sum)] = true;
    return reached != before.reached;
  }
  void add_coin(std::int64_t coin) {
    for (std::int64_t sum = coin; sum < size(); ++sum)
      if (has(sum - coin)) reached[static_cast<std::size_t>(sum)] = true;
  }
};

int differences(const SumSet& set, const Twin& twin) {
  int wrong = set.tail() != twin.tail();
  for (std::int64_t sum = 0; sum < twin.size() + 70; ++sum) {
    wrong += set.has(sum) != twin.has(sum);
    wrong += set.next(sum) != twin.next(sum);
  }
  return wrong;
}

Steps random_steps(PublicRandom& random, std::size_t most) {
  Steps out = {0};
  const std::size_t n = random.below(5);
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(1 + static_cast<std::int64_t>(random.below(most)));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

TEST(at_first_only_nothing_is_reached) {
  for (std::int64_t largest = -1; largest <= 200; ++largest) {
    const SumSet set(largest);
    CHECK_EQ(differences(set, Twin(largest)), 0);
    CHECK_EQ(set.tail(), largest <= 0 ? 0 : largest + 1);
  }
}

TEST(all_pairs_of_small_coins) {
  int wrong = 0;
  for (std::int64_t largest : {0, 1, 5, 62, 63, 64, 65, 130})
    for (std::int64_t a = 1; a <= 70; a += a < 12 ? 1 : 5)
      for (std::int64_t b = a; b <= 140; b += b < 12 ? 1 : 11) {
        SumSet set(largest);
        Twin twin(largest);
        for (std::int64_t coin : {a, b}) {
          set.add_coin(coin);
          twin.add_coin(coin);
        }
        wrong += differences(set, twin);
      }
  CHECK_EQ(wrong, 0);
}

TEST(all_small_sets_of_steps) {
  int wrong = 0;
  for (unsigned first = 0; first < 64; ++first)
    for (unsigned second = 0; second < 64; second += 3) {
      SumSet set(13);
      Twin twin(13);
      for (unsigned code : {first, second}) {
        Steps steps = {0};
        for (unsigned b = 0; b < 6; ++b)
          if ((code >> b & 1) != 0) steps.push_back(b + 1);
        wrong += set.add_steps(steps) != twin.add_steps(steps);
      }
      wrong += differences(set, twin);
    }
  CHECK_EQ(wrong, 0);
}

TEST(random_steps_and_coins_in_turn) {
  PublicRandom random(1);
  int wrong = 0, grown = 0, kept = 0, full = 0;
  for (int round = 0; round < 400; ++round) {
    const auto largest = static_cast<std::int64_t>(random.below(400)) - 1;
    SumSet set(largest);
    Twin twin(largest);
    for (int i = 0; i < 6; ++i) {
      if (random.below(4) == 0) {
        const auto coin = static_cast<std::int64_t>(20 + random.below(400));
        set.add_coin(coin);
        twin.add_coin(coin);
      } else {
        const Steps steps = random_steps(random, random.below(2) == 0 ? 10 : 300);
        const bool grows = set.add_steps(steps);
        wrong += grows != twin.add_steps(steps);
        ++(grows ? grown : kept);
      }
      wrong += differences(set, twin);
      full += set.tail() == 0;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(grown > 300 && kept > 300 && full > 10);
}

// The largest sum that two coins without common divisor cannot pay is a b - a - b (Sylvester).
TEST(the_tail_of_two_coins_is_sylvesters) {
  for (std::int64_t a = 2; a <= 30; ++a)
    for (std::int64_t b = a + 1; b <= 40; ++b) {
      std::int64_t x = a, y = b;
      while (y != 0) std::swap(x %= y, y);
      if (x != 1) continue;
      SumSet set(a * b);
      set.add_coin(b);
      set.add_coin(a);
      CHECK_EQ(set.tail(), a * b - a - b + 1);
    }
}

TEST(a_coin_is_any_number_of_steps_and_order_does_not_matter) {
  PublicRandom random(2);
  for (int round = 0; round < 100; ++round) {
    const auto largest = static_cast<std::int64_t>(random.below(300));
    const auto coin = static_cast<std::int64_t>(1 + random.below(90));
    const Steps others = random_steps(random, 50);
    SumSet by_coin(largest), by_steps(largest);
    by_coin.add_coin(coin);
    by_coin.add_steps(others);
    by_steps.add_steps(others);
    while (by_steps.add_steps({0, coin})) {
    }
    CHECK_EQ(by_coin.tail(), by_steps.tail());
    for (std::int64_t sum = 0; sum <= largest; ++sum) CHECK_EQ(by_coin.has(sum), by_steps.has(sum));
  }
}

TEST(steps_beyond_all_sums_change_nothing) {
  SumSet set(100);
  set.add_coin(7);
  Twin twin(100);
  twin.add_coin(7);
  CHECK(!set.add_steps({0}));
  CHECK(!set.add_steps({0, 101, std::int64_t{1} << 62}));
  set.add_coin(std::int64_t{1} << 62);
  CHECK_EQ(differences(set, twin), 0);
  CHECK(set.has(std::int64_t{1} << 62));
  CHECK_EQ(set.next(std::int64_t{1} << 62), std::int64_t{1} << 62);
}
