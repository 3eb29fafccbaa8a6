// The joint states of a cycle's coins: their code, and what they say of cells against a forward run
// of every coin from every small table.
#include <array>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/coins.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr std::array<ZeroRule, 4> rules{ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::none,
                                        ZeroRule::roehrig};
using Digits = std::vector<std::int8_t>;

// Cells in pairs, the first of which the cycle raises and the second of which it lowers.
struct Pairs {
  Whole table;  // up, down, up, down, ...
  std::vector<int> coefficient;

  std::vector<int> cycle() const {
    std::vector<int> out;
    for (const int c : coefficient) out.push_back(c), out.push_back(-c);
    return out;
  }
};

// The rule of the slides: a step that leads below 0 does not exist, and a step that stays has
// weight 1 where some cell is 0.
TableLaw slides_step(const Whole& table, const std::vector<int>& cycle, double alpha, double beta) {
  TableLaw out;
  for (const int sign : {1, -1, 0}) {
    Whole after = table;
    bool fits = true, positive = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
      after[i] += sign * cycle[i];
      fits = fits && after[i] >= 0;
      positive = positive && after[i] >= 1;
    }
    if (sign != 0 && fits) out[after] += sign > 0 ? alpha : beta;
    if (sign == 0) out[after] += positive ? 1 - alpha - beta : 1;
  }
  return out;
}

TableLaw forward(const Pairs& pairs, ZeroRule rule, int applications, double alpha, double beta) {
  CycleSet set;
  set.n_cells = pairs.table.size();
  const std::vector<int> cycle = pairs.cycle();
  for (std::size_t i = 0; i < cycle.size(); ++i)
    set.add(static_cast<std::int32_t>(i), static_cast<std::int8_t>(cycle[i]));
  set.close();
  const std::vector<std::int32_t> sequence(static_cast<std::size_t>(applications), 0);
  if (rule != ZeroRule::roehrig)
    return publish(set, {sequence, {alpha}, {beta}, rule}, pairs.table);
  TableLaw now{{pairs.table, 1.0}};
  for (int t = 0; t < applications; ++t) {
    TableLaw next;
    for (const auto& [table, p] : now)
      for (const auto& [after, q] : slides_step(table, cycle, alpha, beta)) next[after] += p * q;
    now = std::move(next);
  }
  return now;
}

// The same from the states: each fresh state is seen by one pair of cells after the other.
TableLaw by_states(const Pairs& pairs, ZeroRule rule, int applications, double alpha, double beta) {
  const CoinStates states(rule, applications);
  TableLaw out;
  for (const std::int32_t fresh : states.fresh()) {
    Digits digits;
    for (int t = 0; t < applications; ++t)
      digits.push_back(static_cast<std::int8_t>(states.digit(fresh, t)));
    Whole after;
    bool possible = true;
    for (std::size_t k = 0; possible && k < pairs.coefficient.size(); ++k) {
      int up = static_cast<int>(pairs.table[2 * k]),
          down = static_cast<int>(pairs.table[2 * k + 1]);
      for (std::int8_t& digit : digits) {
        const int seen = see_step(rule, digit, pairs.coefficient[k], up, down);
        possible = possible && seen >= 0;
        digit = static_cast<std::int8_t>(std::max(seen, 0));
      }
      after.push_back(up), after.push_back(down);
    }
    if (!possible) continue;
    // A state is its digits: encoded and decoded they weigh the same.
    const int state = states.encode(digits.data());
    for (int t = 0; t < applications; ++t)
      digits[static_cast<std::size_t>(t)] = static_cast<std::int8_t>(states.digit(state, t));
    const double weight = states.weight(digits.data(), alpha, beta);
    if (weight > 0) out[after] += weight;
  }
  return out;
}

double distance(const TableLaw& a, const TableLaw& b) {
  double worst = 0;
  for (const auto& [table, p] : a)
    worst = std::max(worst, std::fabs(p - (b.count(table) ? b.at(table) : 0)));
  for (const auto& [table, p] : b)
    if (a.count(table) == 0) worst = std::max(worst, p);
  return worst;
}

}  // namespace

TEST(states_and_digits_are_one_to_one) {
  for (const ZeroRule rule : rules) {
    for (int r = 0; r <= 4; ++r) {
      const CoinStates states(rule, r);
      const int base = rule == ZeroRule::nonnegative ? 6 : 4;
      int size = 1, n_fresh = 1;
      for (int t = 0; t < r; ++t) size *= base, n_fresh *= 3;
      CHECK_EQ(states.size(), size);
      CHECK_EQ(states.applications(), r);
      CHECK(states.rule() == rule);
      CHECK_EQ(states.fresh().size(), n_fresh);
      std::size_t next = 0;
      bool same = true;
      for (int state = 0; state < size; ++state) {
        Digits digits;
        bool fresh = true;
        for (int t = 0; t < r; ++t) {
          digits.push_back(static_cast<std::int8_t>(states.digit(state, t)));
          same = same && digits.back() >= 0 && digits.back() < base;
          fresh = fresh && digits.back() <= CoinStates::stay;
        }
        same = same && states.encode(digits.data()) == state;
        if (fresh) same = same && states.fresh()[next++] == state;
      }
      CHECK(same);
    }
  }
}

TEST(fresh_coins_have_probabilities) {
  Dice dice(1);
  for (const ZeroRule rule : rules) {
    for (int r = 0; r <= 4; ++r) {
      const CoinStates states(rule, r);
      const double alpha = dice.uniform() / 2, beta = dice.uniform() / 2;
      double sum = 0;
      for (const std::int32_t state : states.fresh()) {
        Digits digits;
        double wanted = 1;
        for (int t = 0; t < r; ++t) {
          digits.push_back(static_cast<std::int8_t>(states.digit(state, t)));
          wanted *= digits.back() == 0 ? alpha : digits.back() == 1 ? beta : 1 - alpha - beta;
        }
        const double weight = states.weight(digits.data(), alpha, beta);
        CHECK_NEAR(weight, wanted, 1e-15);
        sum += weight;
      }
      CHECK_NEAR(sum, 1, 1e-14);
    }
  }
}

TEST(signs_of_digits) {
  CHECK_EQ(CoinStates::sign(CoinStates::plus), 1);
  CHECK_EQ(CoinStates::sign(CoinStates::minus), -1);
  for (int flags = 0; flags < 4; ++flags) CHECK_EQ(CoinStates::sign(CoinStates::stay + flags), 0);
}

TEST(too_many_applications) {
  CHECK_THROWS(TooLargeError, CoinStates(ZeroRule::blocked, 11));
  CHECK_THROWS(TooLargeError, CoinStates(ZeroRule::none, 1000));
  CHECK_THROWS(TooLargeError, CoinStates(ZeroRule::nonnegative, 8));
  CHECK_EQ(CoinStates(ZeroRule::nonnegative, 6).size(), 46656);
}

// One pair of cells: all values up to 4, coefficients up to 3, up to three applications.
TEST(a_pair_of_cells_against_all_coins) {
  for (const ZeroRule rule : rules)
    for (const int coefficient : {1, -1, 2, 3})
      for (int applications = 0; applications <= 3; ++applications)
        each_between({0, 0}, {4, 4}, [&](const Whole& table) {
          const Pairs pairs{table, {coefficient}};
          CHECK(distance(forward(pairs, rule, applications, .3, .2),
                         by_states(pairs, rule, applications, .3, .2)) < 1e-15);
        });
}

// Two pairs: what the first objects to, the second still knows.
TEST(two_pairs_of_cells_against_all_coins) {
  for (const ZeroRule rule : rules)
    for (const std::vector<int>& coefficient : {std::vector<int>{1, 1}, {1, -1}, {2, 1}, {-1, 2}})
      for (int applications = 1; applications <= 2; ++applications)
        each_between({0, 0, 0, 0}, {2, 2, 2, 2}, [&](const Whole& table) {
          const Pairs pairs{table, coefficient};
          CHECK(distance(forward(pairs, rule, applications, .35, .15),
                         by_states(pairs, rule, applications, .35, .15)) < 1e-15);
        });
}

// Coins that never ask to stay, or ask for one side only.
TEST(certain_coins) {
  for (const ZeroRule rule : {ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::none})
    for (const auto& sides : {std::pair{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}, {.5, .5}})
      each_between({0, 0, 0, 0}, {2, 2, 2, 2}, [&](const Whole& table) {
        const Pairs pairs{table, {1, -1}};
        CHECK(distance(forward(pairs, rule, 2, sides.first, sides.second),
                       by_states(pairs, rule, 2, sides.first, sides.second)) < 1e-15);
      });
}
