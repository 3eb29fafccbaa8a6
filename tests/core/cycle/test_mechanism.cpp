// When cycles are applied, against a look at the sequence step by step; probabilities at their
// ends.
#include <cmath>

#include "check.hpp"
#include "cycle/mechanism.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

bool same_times(const std::vector<std::int32_t>& sequence, std::size_t n_cycles) {
  const Times times(sequence, n_cycles);
  for (std::size_t c = 0; c < n_cycles; ++c) {
    std::vector<std::uint32_t> steps;
    for (std::size_t i = 0; i < sequence.size(); ++i)
      if (sequence[i] == static_cast<std::int32_t>(c))
        steps.push_back(static_cast<std::uint32_t>(i));
    const auto cycle = static_cast<std::int32_t>(c);
    if (times.applications(cycle) != static_cast<int>(steps.size())) return false;
    for (std::size_t t = 0; t < steps.size(); ++t)
      if (times.step(cycle, static_cast<int>(t)) != steps[t]) return false;
  }
  return true;
}

}  // namespace

// Every sequence of up to six steps of up to three cycles: ascending covers are among them, and
// sequences that ascend but stop within a cover.
TEST(all_short_sequences) {
  for (std::size_t n = 1; n <= 3; ++n) {
    for (std::size_t length = 0; length <= 6; ++length) {
      const Whole low(length, 0), high(length, static_cast<std::int64_t>(n) - 1);
      each_between(low, high, [&](const Whole& x) {
        CHECK(same_times(std::vector<std::int32_t>(x.begin(), x.end()), n));
      });
    }
  }
}

TEST(covers_in_order_and_almost) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + dice.below(30), covers = dice.below(5);
    std::vector<std::int32_t> sequence;
    for (int t = 0; t < covers; ++t)
      for (int c = 0; c < n; ++c) sequence.push_back(c);
    CHECK(same_times(sequence, static_cast<std::size_t>(n)));
    if (sequence.empty()) continue;
    const auto any = [&] { return static_cast<std::size_t>(dice.below(n * covers)); };
    std::swap(sequence[any()], sequence[any()]);
    CHECK(same_times(sequence, static_cast<std::size_t>(n)));
    sequence.pop_back();
    CHECK(same_times(sequence, static_cast<std::size_t>(n)));
    CHECK(same_times(sequence, static_cast<std::size_t>(n + 1)));  // the last one never
  }
}

TEST(without_cycles_or_steps) {
  const Times none({}, 0), empty;
  const Times idle({}, 4);
  for (std::int32_t c = 0; c < 4; ++c) CHECK_EQ(idle.applications(c), 0);
}

TEST(one_probability_for_all_or_one_each) {
  const Mechanism one{{}, {.25}, {.5}, ZeroRule::none};
  const Mechanism each{{}, {.1, .2, .3}, {.4, .5, .6}, ZeroRule::none};
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK_EQ(one.alpha_of(c), .25);
    CHECK_EQ(one.beta_of(c), .5);
    CHECK_EQ(each.alpha_of(c), each.alpha[c]);
    CHECK_EQ(each.beta_of(c), each.beta[c]);
  }
  CHECK(Mechanism{}.rule == ZeroRule::blocked);
}

TEST(what_is_left_for_staying) {
  CHECK_EQ(stay_probability(0, 0), 1);
  CHECK_EQ(stay_probability(1, 0), 0);
  CHECK_EQ(stay_probability(0, 1), 0);
  CHECK_EQ(stay_probability(.25, .25), .5);
  CHECK_EQ(stay_probability(.7, .3), 0);  // 1 - .7 - .3 is not 0 in double precision
  CHECK(1 - .7 - .3 != 0);
  CHECK_EQ(stay_probability(1.0 / 3, 2.0 / 3), 0);
  CHECK(stay_probability(std::nextafter(1, 0), 0) > 0);
}

TEST(staying_is_a_probability) {
  Dice dice(2);
  for (int round = 0; round < 20000; ++round) {
    const double alpha = dice.uniform(), beta = (1 - alpha) * dice.uniform();
    const double stay = stay_probability(alpha, beta);
    CHECK(stay >= 0 && stay <= 1);
    CHECK_NEAR(alpha + beta + stay, 1, 1e-15);
    CHECK(stay_probability(alpha, beta / 2) >= stay);
    CHECK(stay_probability(alpha / 2, beta) >= stay);
  }
}
