// Exact laws of cells, against all sequences of coins.
#include <cmath>
#include <map>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/change_laws.hpp"
#include "risk_cases.hpp"

using namespace sdclattice;
using namespace risk_cases;

TEST(one_step_by_hand) {
  const CycleSet set = set_of(5, {square});
  const Mechanism me{{0}, {.3}, {.2}, ZeroRule::blocked};
  auto laws = laws_of({1, 1, 1, 9, 0}, set, me, 100);
  CHECK_EQ(laws.size(), 5u);
  CHECK(laws[0].kind == ChangeLaw::Kind::convolution);  // one step takes at most what is there
  CHECK_NEAR(at(laws[0], 1), .3, 1e-15);
  CHECK_NEAR(at(laws[1], 1), .2, 1e-15);
  CHECK_NEAR(at(laws[2], 0), .5, 1e-15);
  CHECK_EQ(at(laws[4], 0), 1.0);
  laws = laws_of({0, 1, 1, 9, 0}, set, me, 100);
  CHECK(laws[1].kind == ChangeLaw::Kind::enumeration);
  CHECK_NEAR(at(laws[1], 0), 1, 1e-15);
  const Mechanism loose{{0}, {.3}, {.2}, ZeroRule::nonnegative};
  laws = laws_of({0, 1, 1, 9, 0}, set, loose, 100);
  CHECK_NEAR(at(laws[0], 1), .3, 1e-15);
  CHECK_NEAR(at(laws[0], 0), .7, 1e-15);
}

TEST(laws_agree_with_all_coin_sequences) {
  std::mt19937_64 dice(7);
  for (int round = 0; round < 60; ++round) {
    const std::size_t m = 2 + dice() % 2, n = 2 + dice() % 2;
    const CycleSet set = round % 2 ? cycles_chain(m, n) : cycles_lenz(m, n);
    Counts before(m * n);
    for (std::int64_t& x : before) x = static_cast<std::int64_t>(dice() % 4);
    Mechanism me{{}, {.25}, {.25}, round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative};
    for (std::size_t i = 0; i < 2 * set.size(); ++i)
      me.sequence.push_back(static_cast<std::int32_t>(dice() % set.size()));
    const auto results = all_results(before, set, me);
    const auto laws = laws_of(before, set, me, 10000);
    CHECK_EQ(laws.size(), m * n);
    double off = 0;
    for (const auto& [cell, law] : laws) {
      std::map<int, double> wanted;
      for (const auto& [table, p] : results)
        wanted[static_cast<int>(table[cell] - before[cell])] += p;
      double sum = 0;
      for (const double p : law.probability) sum += p;
      off = std::max(off, std::fabs(sum - 1));
      for (const auto& [change, p] : wanted) off = std::max(off, std::fabs(at(law, change) - p));
    }
    CHECK_NEAR(off, 0, 1e-12);
  }
}

TEST(limits_leave_cells_out) {
  const CycleSet set = cycles_lenz(3, 3);
  const Mechanism me{{0, 1, 2}, {.25}, {.25}, ZeroRule::blocked};
  CHECK_EQ(laws_of(Counts(9, 1), set, me, 100).size(), 9u);
  CHECK_EQ(laws_of(Counts(9, 1), set, me, 2).size(), 0u);
  CHECK_EQ(laws_of(Counts(9, 50), set, me, 2).size(), 9u);
  CHECK_THROWS(InputError, laws_of(Counts(8, 1), set, me, 100));
}

// Sets of any form, by convolution or enumeration, against a forward run by the definition.
TEST(laws_of_random_sets) {
  small_tables::Dice dice(1);
  int convolved = 0, enumerated = 0;
  for (int round = 0; round < 200; ++round) {
    const SmallCase c = small_case(dice, round);
    const auto truth = small_tables::publish(c.set, c.mechanism, c.original);
    for (const auto& [cell, law] : laws_of(c.original, c.set, c.mechanism, 100000)) {
      (law.kind == ChangeLaw::Kind::convolution ? convolved : enumerated) += 1;
      std::map<int, double> wanted;
      for (const auto& [table, p] : truth)
        wanted[static_cast<int>(table[cell] - c.original[cell])] += p;
      double worst = 0, sum = 0;
      for (int d = -20; d <= 20; ++d) worst = std::max(worst, std::fabs(at(law, d) - wanted[d]));
      for (const double p : law.probability) sum += p;
      CHECK(worst < 1e-12);
      CHECK_NEAR(sum, 1, 1e-12);
    }
  }
  CHECK(convolved > 50);
  CHECK(enumerated > 50);
}
