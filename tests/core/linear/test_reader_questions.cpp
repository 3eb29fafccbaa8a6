// Single questions to parts, against the list of all tables.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/reader_questions.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

const Tick kQuiet = [](double) {};

}  // namespace

TEST(limits_are_narrowed_and_put_back) {
  LinearSystem part;
  part.lower = {0, 0};
  part.upper = {5, 5};
  NarrowedLimits limits(part);
  limits.narrow({{0, 2, kNoLimit}, {1, 0, 3}});
  CHECK_EQ(limits.lower[0], 2);
  CHECK_EQ(limits.applied(part).upper[1], 3);
  CHECK(limits.can_rise(1, {-1, 3}) && !limits.can_rise(1, {-1, 4}));
  CHECK(limits.can_fall(0, {2, 9}) && !limits.can_fall(0, {1, 9}));
  CHECK_THROWS(InfeasibleError, limits.narrow({{0, 0, 1}}));
  limits.reset(part);
  CHECK(limits.lower == part.lower && limits.upper == part.upper && limits.changed.empty());
}

TEST(verdicts_against_all_tables) {
  Dice dice(5);
  WorkClock clock(1000, kQuiet);
  const ReaderSearchLimits search;
  int open = 0, closed = 0;
  for (int round = 0; round < 200; ++round) {
    const LinearSystem part = random_system(dice, 2 + dice.below(4), 1 + dice.below(2), 2);
    const std::vector<Whole> tables = solutions(part);
    if (tables.empty()) continue;
    const auto questions = exact_questions(part, search, clock);
    CHECK(!questions->is_local());
    WitnessStore found(part.n_cells());
    for (std::size_t i = 0; i < part.n_cells(); ++i) {
      const ReaderNeed need{tables[0][i] - 1, tables[0][i] + 1};
      const bool there = std::any_of(tables.begin(), tables.end(), [&](const Whole& x) {
        return x[i] <= need.low || x[i] >= need.high;
      });
      const NarrowedLimits limits(part);
      const ReaderVerdict verdict = questions->ask(i, need, limits, Trial::thorough, found);
      CHECK(verdict == (there ? ReaderVerdict::open : ReaderVerdict::closed));
      CHECK(ask_bounds(part, i, need, search, clock) == verdict);
      ++(there ? open : closed);
    }
    for (const Witness& witness : found.held()) {
      Whole x = witness.value;
      for (std::int64_t& value : x) {
        CHECK_EQ(value % witness.denominator, 0);
        value /= witness.denominator;
      }
      CHECK(satisfies(part, x));
    }
  }
  CHECK(open > 100 && closed > 50);
}
