// The oracle against all tables within the limits.
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/chosen_certificates.hpp"
#include "suppress/protection_oracle.hpp"
#include "suppress/reader_demands.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

struct Counts {
  int met = 0, unmet = 0, few_blockers = 0;
};

std::vector<char> hide_some(const SmallProblem& problem, Dice& dice, int of_8) {
  std::vector<char> out;
  for (const CellRole role : problem.role)
    out.push_back(
        role == CellRole::primary || (role == CellRole::candidate && dice.below(8) < of_8) ? 1 : 0);
  return out;
}

CellBits bits_of(const std::vector<char>& hidden) {
  CellBits out(hidden.size());
  for (std::size_t i = 0; i < hidden.size(); ++i)
    if (hidden[i] != 0) out.add(i);
  return out;
}

// What the blockers claim: with all other candidates hidden the demand is not met.
void check_blockers(const SmallProblem& problem, const ReaderDemand& reader,
                    const std::vector<char>& hidden, const std::vector<std::uint32_t>& blockers,
                    const std::vector<small_tables::Whole>& all, Counts& n) {
  std::vector<char> most(problem.n_cells(), 0);
  int n_known = 0;
  for (std::size_t i = 0; i < most.size(); ++i) {
    const bool blocks = std::find(blockers.begin(), blockers.end(), i) != blockers.end();
    CHECK(!blocks || (problem.role[i] == CellRole::candidate && hidden[i] == 0) ||
          std::find(reader.known.begin(), reader.known.end(), i) != reader.known.end());
    most[i] =
        problem.role[i] == CellRole::primary || (problem.role[i] == CellRole::candidate && !blocks)
            ? 1
            : 0;
    n_known += problem.role[i] == CellRole::candidate && hidden[i] == 0 ? 1 : 0;
  }
  const std::size_t knower = reader.knower == OpenDemand::kNobody ? SIZE_MAX : reader.knower;
  CHECK(!is_met(problem, {reader.demand, knower}, most, all));
  n.few_blockers += static_cast<int>(blockers.size()) < n_known ? 1 : 0;
}

void check_random(Dice& dice, const std::vector<Variable>& variables, int spread, Counts& n) {
  const SmallTable table = random_table(dice, variables, 4, 1);
  SmallProblem problem = problem_of(table, 2, {dice.below(2), spread}, random_demand(dice));
  limit_candidates(problem, dice, 12);
  add_knowers(problem, dice, 2);
  const std::vector<small_tables::Whole> all = differences(table, problem);
  CertificatePool pool(problem.n_cells());
  ProtectionOracle oracle(problem, pool, 1000000, [] {});
  for (int k = 0; k < 6; ++k) {
    const std::vector<char> hidden = hide_some(problem, dice, 2 * k);
    for (const ReaderDemand& reader : reader_demands(problem)) {
      const std::size_t knower = reader.knower == OpenDemand::kNobody ? SIZE_MAX : reader.knower;
      const bool met = is_met(problem, {reader.demand, knower}, hidden, all);
      const CellBits free = free_cells(problem, bits_of(hidden), reader.known);
      const ProtectionAnswer answer =
          oracle.ask(problem.demands[reader.demand], free, OracleEffort::full);
      CHECK_EQ(answer.met, met);
      (met ? n.met : n.unmet) += 1;
      if (!answer.met) check_blockers(problem, reader, hidden, answer.blockers, all, n);
    }
  }
  std::vector<Certificate> found;
  for (std::size_t k = 0; k < pool.size(); ++k) found.push_back(pool[k]);
  CHECK_EQ(checked(problem, std::vector<char>(problem.n_cells(), 1), found).size(), found.size());
}

}  // namespace

TEST(random_tables_against_all_tables) {
  Dice dice(1);
  Counts n;
  for (int round = 0; round < 40; ++round) check_random(dice, {flat(2), flat(3)}, 2, n);
  for (int round = 0; round < 15; ++round) check_random(dice, {flat(3), flat(3)}, 1, n);
  for (int round = 0; round < 15; ++round) check_random(dice, {flat(2), flat(2), flat(2)}, 1, n);
  for (int round = 0; round < 15; ++round) check_random(dice, {flat(2), {{-1, 0, 0, 1, 1}}}, 2, n);
  CHECK(n.met > 300 && n.unmet > 300 && n.few_blockers > 200);
}

// Without an upper limit a total can be as large as one likes.
TEST(what_has_no_end_is_met) {
  SmallTable table{{flat(2)}, {{1}}, {}};
  table.inner[{1}] = 2;
  table.inner[{2}] = 5;
  const SmallProblem problem = problem_of(table, 2, {1, kNoLimit}, {0, 1000, 1, 1001});
  CertificatePool pool(problem.n_cells());
  ProtectionOracle oracle(problem, pool, 1000000, [] {});
  CellBits free(problem.n_cells());
  free.add(problem.find({1}));
  CHECK_EQ(oracle.ask(problem.demands[0], free, OracleEffort::full).blockers.size(), 2u);
  free.add(problem.find({0}));
  CHECK(oracle.ask(problem.demands[0], free, OracleEffort::full).met);
  CHECK(!oracle.ask({problem.find({1}), 0, 2, 2}, free, OracleEffort::full).met);
}

// p changes by an even number, and by 1 at most: branch and bound would go on for ever.
TEST(what_is_not_decided_is_said) {
  SmallProblem problem;
  problem.value = {4, 7, 7};
  problem.system.lower = {0, 0, 0};
  problem.system.upper = {5, kNoLimit, kNoLimit};
  problem.role = {CellRole::primary, CellRole::unseen, CellRole::unseen};
  small_tables::add_row(problem.system, {1, 2, -2}, 4, 4);
  CertificatePool pool(3);
  ProtectionOracle oracle(problem, pool, 1000, [] {});
  CellBits free(3);
  for (std::size_t i = 0; i < 3; ++i) free.add(i);
  const ProtectionAnswer answer = oracle.ask({0, 1, 0, 0}, free, OracleEffort::quick);
  CHECK(!answer.met && answer.open && answer.blockers.empty());
  CHECK(oracle.ask({0, 0, 2, 2}, free, OracleEffort::full).met);
}
