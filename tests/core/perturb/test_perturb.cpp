// The mechanism run forward: coins at their limits, zero rules, margins, and the rehearsal.
#include <cmath>
#include <limits>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/perturb.hpp"

using namespace sdclattice;

namespace {

constexpr std::uint64_t top = std::numeric_limits<std::uint64_t>::max();

CycleSet square() {
  CycleSet set;
  set.n_cells = 4;
  for (const auto& [cell, coef] : {std::pair{0, 1}, {1, -1}, {2, -1}, {3, 1}})
    set.add(cell, std::int8_t(coef));
  set.close();
  return set;
}

Mechanism quarter(std::vector<std::int32_t> sequence, ZeroRule rule) {
  return {std::move(sequence), {.25}, {.25}, rule};
}

// Coins for alpha = beta = 1/4.
constexpr std::uint64_t plus = 0, minus = std::uint64_t(1) << 62, stay = top;

using Counts = std::vector<std::int64_t>;

}  // namespace

TEST(coins_are_compared_as_integers) {
  const CoinLimits even(.25, .25);
  CHECK_EQ(even.side((std::uint64_t(1) << 62) - 1), 1);
  CHECK_EQ(even.side(std::uint64_t(1) << 62), -1);
  CHECK_EQ(even.side((std::uint64_t(1) << 63) - 1), -1);
  CHECK_EQ(even.side(std::uint64_t(1) << 63), 0);
  CHECK_EQ(even.side(top), 0);
}

TEST(limits_of_certain_coins) {
  CHECK_EQ(CoinLimits(1, 0).side(top), 1);
  CHECK_EQ(CoinLimits(0, 1).side(0), -1);
  CHECK_EQ(CoinLimits(0, 1).side(top), -1);
  CHECK_EQ(CoinLimits(0, 0).side(0), 0);
  CHECK_EQ(CoinLimits(.5, .5).side(top), -1);
  CHECK_EQ(CoinLimits(.5, .5).side(std::uint64_t(1) << 63), -1);
  CHECK_EQ(CoinLimits(.7, .3).side(top), -1);  // the sum of the two doubles rounds to 1
  CHECK_EQ(CoinLimits(.9, .1).side(top), -1);
  CHECK_EQ(CoinLimits(std::ldexp(1, -64), 0).side(0), 1);
  CHECK_EQ(CoinLimits(std::ldexp(1, -64), 0).side(1), 0);
  CHECK_EQ(CoinLimits(std::ldexp(1, -65), 0).side(0), 0);
  CHECK_EQ(CoinLimits(1 - std::ldexp(1, -53), 0).side(top - 2047), 0);
  CHECK_EQ(CoinLimits(1 - std::ldexp(1, -53), 0).side(top - 2048), 1);
}

TEST(zero_rules_differ_at_zeros) {
  const CycleSet set = square();
  const Counts start{0, 3, 2, 5};
  for (const std::uint64_t coin : {plus, minus, stay}) {
    CHECK(perturb(start, set, quarter({0}, ZeroRule::blocked), {coin}).counts == start);
  }
  const Mechanism loose = quarter({0}, ZeroRule::nonnegative);
  CHECK(perturb(start, set, loose, {plus}).counts == Counts({1, 2, 1, 6}));
  CHECK(perturb(start, set, loose, {minus}).counts == start);
  CHECK(perturb(start, set, loose, {stay}).counts == start);
  CHECK(perturb(start, set, loose, {plus}).applied == std::vector<std::int8_t>{1});
  CHECK(perturb(start, set, loose, {minus}).applied == std::vector<std::int8_t>{0});
}

TEST(large_coefficients_block_smaller_cells) {
  CycleSet set = square();
  for (std::int8_t& c : set.coef) c = std::int8_t(2 * c);
  const Mechanism strict = quarter({0}, ZeroRule::blocked),
                  loose = quarter({0}, ZeroRule::nonnegative);
  CHECK(perturb({1, 2, 2, 2}, set, strict, {plus}).counts == Counts({1, 2, 2, 2}));
  CHECK(perturb({2, 2, 2, 2}, set, strict, {plus}).counts == Counts({4, 0, 0, 4}));
  CHECK(perturb({2, 2, 2, 2}, set, strict, {minus}).counts == Counts({0, 4, 4, 0}));
  CHECK(perturb({1, 2, 2, 2}, set, loose, {plus}).counts == Counts({3, 0, 0, 4}));
  CHECK(perturb({1, 2, 2, 2}, set, loose, {minus}).counts == Counts({1, 2, 2, 2}));
}

TEST(coins_are_used_by_skipped_steps_too) {
  const CycleSet set = square();
  const Mechanism me = quarter({0, 0, 0}, ZeroRule::blocked);
  const Perturbed out = perturb({5, 1, 1, 5}, set, me, {plus, minus, minus});
  CHECK(out.applied == std::vector<std::int8_t>({1, 0, 0}));
  CHECK(out.counts == Counts({6, 0, 0, 6}));
}

TEST(margins_hold_and_no_cell_is_negative) {
  std::mt19937_64 dice(3);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t m = 2 + dice() % 6, n = 2 + dice() % 6;
    const CycleSet set = round % 2 ? cycles_lenz(m, n) : cycles_chain(m, n);
    Counts before(m * n);
    for (std::int64_t& x : before) x = std::int64_t(dice() % 4);
    Mechanism me{{}, {.4}, {.4}, round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative};
    std::vector<std::uint64_t> coins;
    for (std::size_t i = 0; i < 3 * set.size(); ++i) {
      me.sequence.push_back(std::int32_t(dice() % set.size()));
      coins.push_back(dice());
    }
    const Counts after = perturb(before, set, me, coins).counts;
    Counts rows(m, 0), columns(n, 0);
    bool fine = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
      fine =
          fine && after[i] >= 0 && (me.rule != ZeroRule::blocked || before[i] > 0 || after[i] == 0);
      rows[i % m] += after[i] - before[i];
      columns[i / m] += after[i] - before[i];
    }
    CHECK(fine && rows == Counts(m, 0) && columns == Counts(n, 0));
  }
}

TEST(what_does_not_fit_is_refused) {
  const CycleSet set = square();
  const Counts start{1, 1, 1, 1};
  const auto run = [&](const Mechanism& me, std::size_t coins = 1) {
    return perturb(start, set, me, std::vector<std::uint64_t>(coins, 0));
  };
  CHECK_THROWS(InputError, run(quarter({1}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({-1}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({0}, ZeroRule::none)));
  CHECK_THROWS(InputError, run(quarter({0}, ZeroRule::roehrig)));
  CHECK_THROWS(InputError, run(quarter({0}, ZeroRule::blocked), 2));
  CHECK_THROWS(InputError, run({{0}, {.6}, {.6}, ZeroRule::blocked}));
  CHECK_THROWS(InputError, run({{0}, {-.1}, {.6}, ZeroRule::blocked}));
  CHECK_THROWS(InputError, run({{0}, {std::nan("")}, {.6}, ZeroRule::blocked}));
  CHECK_THROWS(InputError, run({{0}, {.1, .1}, {.6}, ZeroRule::blocked}));
  CHECK_THROWS(InputError, run({{0}, {}, {.6}, ZeroRule::blocked}));
  CHECK_THROWS(InputError, perturb({1, 1}, set, quarter({0}, ZeroRule::blocked), {0}));
  CHECK_THROWS(InputError, perturb({1, 1, -1, 1}, set, quarter({0}, ZeroRule::blocked), {0}));
}

// One step on one cycle: P(change) = 1/2 where nothing blocks; all four cells change together.
TEST(rehearsal_estimates_shares) {
  const Rehearsal free = rehearse({2, 2, 2, 9}, square(), quarter({0}, ZeroRule::blocked), 4000, 1);
  double small = 0, all = 0, asked = 0, prevented = 0;
  for (std::size_t r = 0; r < free.asked.size(); ++r) {
    small += free.changed_small[r] / 3;
    all += free.changed_nonzero[r] / 4;
    asked += free.asked[r];
    prevented += free.prevented[r];
  }
  CHECK_NEAR(small / 4000, .5, .04);
  CHECK_NEAR(all / 4000, .5, .04);
  CHECK_NEAR(asked / 4000, .5, .04);
  CHECK_EQ(prevented, 0.0);
  const Rehearsal stuck = rehearse({0, 2, 2, 9}, square(), quarter({0}, ZeroRule::blocked), 100, 1);
  for (std::size_t r = 0; r < 100; ++r) {
    CHECK(stuck.changed_nonzero[r] == 0 && stuck.prevented[r] == stuck.asked[r]);
  }
}

namespace {

// Lines 0 and 1 over n columns, in their order.
CycleSet one_sweep(std::size_t n) {
  std::vector<std::int32_t> ring(n);
  for (std::size_t i = 0; i < n; ++i) ring[i] = std::int32_t(i);
  return cycles_banded({2, n, false}, {{{0, 1}}, {ring}, false, true, true});
}

// The rule's words, one step at a time, with a search from the start.
Counts slow_sweep(Counts x, std::size_t n, const std::vector<int>& sides) {
  const auto free = [&](std::size_t i) { return x[2 * i] > 0 && x[2 * i + 1] > 0; };
  for (std::size_t i = 0; i + 1 < n; ++i) {
    std::size_t k = i + 1;
    while (k < n && !free(k)) ++k;
    if (!free(i) || k == n) continue;
    x[2 * i] += sides[i];
    x[2 * i + 1] -= sides[i];
    x[2 * k] -= sides[i];
    x[2 * k + 1] += sides[i];
  }
  return x;
}

}  // namespace

TEST(sweeps_skip_zeros) {
  const CycleSet set = one_sweep(4);
  CHECK_EQ(set.size(), 3u);
  CHECK(set.next == std::vector<std::int32_t>({1, 2, -1}));
  const Mechanism me = quarter({0, 1, 2}, ZeroRule::blocked);
  // Column 1 has a zero: step 0 reaches over it, step 1 is void, step 2 moves on.
  const Counts start{3, 3, 0, 5, 2, 2, 4, 4};
  CHECK(perturb(start, set, me, {plus, plus, plus}).counts == Counts({4, 2, 0, 5, 2, 2, 3, 5}));
  CHECK(perturb(start, set, me, {plus, plus, stay}).applied == std::vector<std::int8_t>({1, 0, 0}));
  // A column that runs empty on the way moves no more: step 0 takes the last of (0, 2).
  CHECK(perturb({3, 3, 0, 5, 1, 2, 4, 4}, set, me, {plus, stay, minus}).counts ==
        Counts({4, 2, 0, 5, 0, 3, 4, 4}));
  CHECK(perturb({3, 3, 0, 5, 0, 2, 4, 0}, set, me, {plus, plus, plus}).applied ==
        std::vector<std::int8_t>({0, 0, 0}));
  CHECK(on_free_cycle(set, start) == std::vector<std::uint8_t>({1, 1, 0, 0, 1, 1, 1, 1}));
  CHECK(on_free_cycle(set, {3, 3, 0, 5, 0, 2, 4, 0}) == std::vector<std::uint8_t>(8, 0));
}

TEST(sweeps_agree_with_the_words) {
  std::mt19937_64 dice(5);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 2 + dice() % 9;
    Counts x(2 * n);
    for (std::int64_t& count : x) count = std::int64_t(dice() % 3);
    Mechanism me = quarter({}, ZeroRule::blocked);
    std::vector<std::uint64_t> coins;
    Counts wanted = x;
    for (int sweep = 0; sweep < 3; ++sweep) {
      std::vector<int> sides;
      for (std::size_t i = 0; i + 1 < n; ++i) {
        me.sequence.push_back(std::int32_t(i));
        sides.push_back(int(dice() % 3) - 1);
        coins.push_back(sides.back() == 1 ? plus : sides.back() == -1 ? minus : stay);
      }
      wanted = slow_sweep(wanted, n, sides);
    }
    CHECK(perturb(x, one_sweep(n), me, coins).counts == wanted);
  }
}

TEST(sweeps_that_are_none_are_refused) {
  const CycleSet set = one_sweep(4);
  const auto run = [&](const Mechanism& me) {
    return perturb(Counts(8, 1), set, me, std::vector<std::uint64_t>(me.sequence.size(), 0));
  };
  CHECK_THROWS(InputError, run(quarter({0, 1}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({1, 2}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({0, 2, 1}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({0, 1, 2, 2}, ZeroRule::blocked)));
  CHECK_THROWS(InputError, run(quarter({0, 1, 2}, ZeroRule::nonnegative)));
  CHECK_THROWS(InputError, cycles_banded({2, 2, false}, {{{0, 1}}, {{0, 1}}, false, false, true}));
}
