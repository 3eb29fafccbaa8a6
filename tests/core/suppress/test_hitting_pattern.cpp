// The cheapest pattern: the reference cases, and against all sets of cells.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/integer_bounds.hpp"
#include "small_suppressions.hpp"
#include "suppress/hitting_pattern.hpp"
#include "suppress_cases.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

std::vector<small_tables::Whole> proof_of(const SmallProblem& problem,
                                          const SuppressionPattern& pattern) {
  const auto out = checked(problem, pattern.hidden, pattern.certificates);
  CHECK_EQ(out.size(), pattern.certificates.size());
  return out;
}

// What is open to the outsider is open to every knower.
bool is_lacking(const SuppressionPattern& pattern, const Question& q) {
  return std::any_of(pattern.lacking.begin(), pattern.lacking.end(), [&](const OpenDemand& open) {
    return open.demand == q.demand &&
           (open.knower == OpenDemand::kNobody || open.knower == q.knower);
  });
}

// The certificates meet all demands but those that are listed.
void check_proof(const SmallProblem& problem, const SuppressionPattern& pattern) {
  const std::vector<small_tables::Whole> proof = proof_of(problem, pattern);
  for (const Question& q : questions(problem))
    CHECK_EQ(is_met(problem, q, pattern.hidden, proof), !is_lacking(pattern, q));
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    const CellRole role = problem.role[i];
    if (role == CellRole::candidate && pattern.hidden[i] != 0) cost += problem.cost[i];
    CHECK(role == CellRole::candidate || (pattern.hidden[i] != 0) == (role == CellRole::primary));
  }
  CHECK_EQ(pattern.cost, cost);
  CHECK(pattern.bound <= pattern.cost);
}

void check_case(const suppress_cases::ReferenceCase& of, std::int64_t width, bool by_count,
                std::int64_t least) {
  const SmallTable table = read_table(of.parents, of.tables, of.inner);
  const SmallProblem problem =
      problem_of(table, of.max_n, {0, kNoLimit}, {0, 0, 0, width}, by_count);
  const auto n_unseen = std::count(problem.role.begin(), problem.role.end(), CellRole::unseen);
  CHECK_EQ(static_cast<int>(problem.n_cells()) - n_unseen, of.n_cells);
  CHECK_EQ(static_cast<int>(problem.demands.size()), of.n_primary);
  const SuppressionPattern pattern = hitting_pattern(problem, {}, {});
  CHECK(pattern.optimal && pattern.lacking.empty() && !pattern.stopped);
  CHECK_EQ(pattern.cost, least);
  check_proof(problem, pattern);
}

// Against the twin that knows which demands are met by which cells.
void check_least(const SmallProblem& problem, const Judge& judge, std::uint64_t seed) {
  const Least least = least_cost(problem, judge);
  HittingLimits limits;
  limits.seed = seed;
  const SuppressionPattern pattern = hitting_pattern(problem, limits, {});
  CHECK(pattern.optimal && !pattern.stopped);
  CHECK_EQ(pattern.cost, least.cost);
  check_proof(problem, pattern);
  const std::vector<Question> asked = questions(problem);
  for (std::size_t q = 0; q < asked.size(); ++q)
    CHECK_EQ(is_lacking(pattern, asked[q]), least.is_impossible[q] != 0);
  for (const OpenDemand& open : pattern.lacking) CHECK(open.impossible);
}

SmallProblem random_problem(Dice& dice, const SmallTable& table, std::int64_t spread, int most) {
  SmallProblem out = problem_of(table, 2, {dice.below(2), spread}, random_demand(dice));
  for (Demand& demand : out.demands) {
    if (dice.below(3) != 0) continue;
    const std::uint32_t cell = demand.cell;
    demand = random_demand(dice);
    demand.cell = cell;
  }
  for (std::int64_t& cost : out.cost) cost = dice.between(1, 5);
  limit_candidates(out, dice, most);
  add_knowers(out, dice, 3);
  return out;
}

// Which demands are met, by the engine that bounds any system.
Judge by_bounds(const SmallProblem& problem) {
  return [&problem](const Question& q, const std::vector<char>& hidden) {
    LinearSystem system = problem.system;
    for (std::size_t i = 0; i < problem.n_cells(); ++i)
      if (!may_change(problem, hidden, q.knower, i))
        system.lower[i] = system.upper[i] = problem.value[i];
    const Demand& demand = problem.demands[q.demand];
    const IntegerBounds ends = integer_bounds(system, {demand.cell}, {}, {}, problem.value);
    const std::int64_t up = ends.upper[demand.cell] - problem.value[demand.cell];
    const std::int64_t down = problem.value[demand.cell] - ends.lower[demand.cell];
    return up >= demand.up && down >= demand.down && up + down >= demand.slide;
  };
}

}  // namespace

TEST(reference_cases) {
  for (const suppress_cases::ReferenceCase& of : suppress_cases::all) {
    check_case(of, 1, false, of.width_1);
    check_case(of, 2, false, of.width_2);
    check_case(of, 3, false, of.width_3);
    check_case(of, 1, true, of.by_count);
  }
}

TEST(random_problems_against_all_tables_and_all_sets) {
  Dice dice(1);
  const std::vector<std::vector<Variable>> shapes{{flat(2), flat(3)},
                                                  {flat(2), {{-1, 0, 0, 1, 1}}},
                                                  {flat(3), flat(3)},
                                                  {flat(2), flat(2), flat(2)}};
  for (int round = 0; round < 160; ++round) {
    const std::vector<Variable>& shape = shapes[static_cast<std::size_t>(round % 4)];
    SmallTable table = random_table(dice, shape, 4, dice.below(3));
    if (shape.size() == 3 && dice.below(2) == 0) table.tables = {{1, 1, 0}, {1, 0, 1}};
    const SmallProblem problem = random_problem(dice, table, round % 4 < 2 ? 2 : 1, 9);
    const std::vector<small_tables::Whole> all = differences(table, problem);
    const Judge judge = [&](const Question& q, const std::vector<char>& hidden) {
      return is_met(problem, q, hidden, all);
    };
    check_least(problem, judge, static_cast<std::uint64_t>(round));
  }
}

TEST(cells_without_upper_limits_against_integer_bounds) {
  Dice dice(2);
  for (int round = 0; round < 12; ++round) {
    const SmallTable table = round % 2 == 0
                                 ? random_table(dice, {flat(3), flat(4)}, 6, 2)
                                 : random_table(dice, {flat(2), {{-1, 0, 0, 1, 1, 2, 2}}}, 6, 2);
    const SmallProblem problem = random_problem(dice, table, kNoLimit, 6);
    check_least(problem, by_bounds(problem), 1);
  }
}

// Wherever the time ends, the certificates are certificates and the bound holds.
TEST(what_is_stopped_says_nothing_wrong) {
  const suppress_cases::ReferenceCase& of = suppress_cases::all[6];
  const SmallTable table = read_table(of.parents, of.tables, of.inner);
  const SmallProblem problem = problem_of(table, of.max_n, {0, kNoLimit});
  for (const double seconds : {0.0, 1e-4, 1e-3, 5e-3, 2e-2, 5e-2}) {
    HittingLimits limits;
    limits.seconds = seconds;
    const SuppressionPattern pattern = hitting_pattern(problem, limits, {});
    check_proof(problem, pattern);
    CHECK(pattern.bound <= of.width_1);
    CHECK(pattern.optimal || pattern.stopped);
    if (pattern.lacking.empty()) CHECK(pattern.cost >= of.width_1);
    for (const OpenDemand& open : pattern.lacking) CHECK(!open.impossible);
  }
}

TEST(an_interrupt_keeps_what_there_is) {
  const suppress_cases::ReferenceCase& of = suppress_cases::all[6];
  const SmallTable table = read_table(of.parents, of.tables, of.inner);
  const SmallProblem problem = problem_of(table, of.max_n, {0, kNoLimit});
  const SuppressionPattern pattern =
      hitting_pattern(problem, {}, [](double) { throw WorkInterrupted(); });
  CHECK(pattern.stopped && !pattern.optimal);
  check_proof(problem, pattern);
}

// Another's certificates change the way, not the answer.
TEST(a_start_is_used) {
  const suppress_cases::ReferenceCase& of = suppress_cases::all[0];
  const SmallTable table = read_table(of.parents, of.tables, of.inner);
  const SmallProblem problem = problem_of(table, of.max_n, {0, kNoLimit});
  const SuppressionPattern first = hitting_pattern(problem, {}, {});
  HittingEffort alone, helped;
  hitting_pattern(problem, {}, {}, {}, &alone);
  const SuppressionPattern again = hitting_pattern(problem, {}, {}, first.certificates, &helped);
  CHECK(again.optimal && again.cost == first.cost);
  CHECK(helped.n_searched < alone.n_searched);
}

// A single chain: nothing can change, with or without candidates.
TEST(what_cannot_be_met_is_listed) {
  SmallTable table{{flat(3)}, {{1}}, {}};
  table.inner = {{{1}, 2}};
  SmallProblem problem = problem_of(table, 2, {0, kNoLimit});
  CHECK(hitting_pattern(problem, {}, {}).lacking.empty());
  problem.knowers = {{problem.find({0})}};
  const SuppressionPattern pattern = hitting_pattern(problem, {}, {});
  CHECK(pattern.optimal && pattern.cost == 0);
  CHECK(pattern.lacking.size() == 1 && pattern.lacking[0].impossible);
  problem.role.assign(problem.n_cells(), CellRole::open);
  problem.demands.clear();
  const SuppressionPattern nothing = hitting_pattern(problem, {}, {});
  CHECK(nothing.optimal && nothing.cost == 0 && nothing.certificates.empty());
}

// Without the candidate p changes by an even number: branch and bound alone would not end.
TEST(cells_without_limits_that_parity_binds) {
  SmallProblem problem;
  problem.value = {4, 7, 7, 3};
  problem.system.lower = {0, 0, 0, 0};
  problem.system.upper = {5, kNoLimit, kNoLimit, kNoLimit};
  problem.role = {CellRole::primary, CellRole::unseen, CellRole::unseen, CellRole::candidate};
  problem.cost = {1, 1, 1, 6};
  problem.demands = {{0, 1, 0, 0}};
  small_tables::add_row(problem.system, {1, 2, -2, 1}, 7, 7);
  const SuppressionPattern pattern = hitting_pattern(problem, {}, {});
  CHECK(pattern.optimal && pattern.lacking.empty());
  CHECK(pattern.cost == 6 && pattern.bound == 6);
  check_proof(problem, pattern);
  problem.role[3] = CellRole::open;
  const SuppressionPattern none = hitting_pattern(problem, {}, {});
  CHECK(none.optimal && none.lacking.size() == 1 && none.lacking[0].impossible);
}
