// Questions to parts as if they were large, against the list of all tables.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/sparse_questions.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

const Tick kQuiet = [](double) {};

}  // namespace

TEST(verdicts_against_all_tables) {
  Dice dice(6);
  WorkClock clock(1000, kQuiet);
  int open = 0, closed = 0, by_walk = 0;
  for (int round = 0; round < 300; ++round) {
    const LinearSystem part = random_system(dice, 2 + dice.below(4), 1 + dice.below(2), 2);
    const std::vector<Whole> tables = solutions(part);
    if (tables.empty()) continue;
    LinearSystem implied;
    implied.lower = part.lower;
    implied.upper = part.upper;
    SparseQuestions questions(part, implied, round % 2 == 0 ? tables[0] : Whole{}, clock);
    WitnessStore found(part.n_cells());
    for (std::size_t i = 0; i < part.n_cells(); ++i) {
      // somebody knows another cell
      const std::size_t other = (i + 1) % part.n_cells();
      NarrowedLimits limits(part);
      limits.narrow({{static_cast<std::uint32_t>(other), tables[0][other], tables[0][other]}});
      const ReaderNeed need{tables[0][i] - 1, tables[0][i] + 1};
      const bool there = std::any_of(tables.begin(), tables.end(), [&](const Whole& x) {
        return x[other] == tables[0][other] && (x[i] <= need.low || x[i] >= need.high);
      });
      const ReaderVerdict quick = questions.ask(i, need, limits, Trial::quick, found);
      CHECK(quick == ReaderVerdict::unsure || (quick == ReaderVerdict::open) == there);
      by_walk += quick == ReaderVerdict::open;
      const ReaderVerdict verdict = questions.ask(i, need, limits, Trial::complete, found);
      CHECK(verdict == (there ? ReaderVerdict::open : ReaderVerdict::closed));
      ++(there ? open : closed);
    }
    for (const Witness& witness : found.held()) CHECK(satisfies(part, witness.value));
  }
  CHECK(open > 100 && closed > 50 && by_walk > 50);
}

TEST(a_contradiction_is_no_answer) {
  LinearSystem part;
  part.lower = {0, 0};
  part.upper = {5, 5};
  add_row(part, {1, 1}, 4, 4);
  LinearSystem implied;
  implied.lower = part.lower;
  implied.upper = part.upper;
  WorkClock clock(1000, kQuiet);
  SparseQuestions questions(part, implied, {2, 2}, clock);
  WitnessStore found(2);
  NarrowedLimits limits(part);
  limits.narrow({{0, 5, 5}});
  CHECK_THROWS(InfeasibleError, questions.ask(1, {-1, 1}, limits, Trial::complete, found));
}
