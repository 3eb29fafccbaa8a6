// The certificates that go with a pattern meet all that the pool meets.
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/chosen_certificates.hpp"
#include "suppress/reader_demands.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

Certificate sparse(const small_tables::Whole& d) {
  Certificate out;
  for (std::size_t i = 0; i < d.size(); ++i) {
    if (d[i] == 0) continue;
    out.cell.push_back(static_cast<std::uint32_t>(i));
    out.change.push_back(d[i]);
  }
  return out;
}

}  // namespace

TEST(few_certificates_show_what_all_show) {
  Dice dice(1);
  int n_saved = 0;
  for (int round = 0; round < 60; ++round) {
    const SmallTable table = random_table(dice, {flat(2), flat(3)}, 4, 2);
    SmallProblem problem = problem_of(table, 2, {dice.below(2), 2}, random_demand(dice));
    add_knowers(problem, dice, 3);
    CertificatePool pool(problem.n_cells());
    for (const small_tables::Whole& d : differences(table, problem))
      if (dice.below(3) == 0 && d != small_tables::Whole(d.size(), 0)) pool.add(sparse(d));
    CellBits candidates(problem.n_cells());
    std::vector<char> hidden(problem.n_cells(), 0);
    for (std::size_t i = 0; i < problem.n_cells(); ++i) {
      hidden[i] = problem.role[i] == CellRole::primary || dice.below(5) != 0 ? 1 : 0;
      if (problem.role[i] == CellRole::candidate && hidden[i] != 0) candidates.add(i);
    }
    const std::vector<Certificate> chosen = chosen_certificates(problem, pool, candidates);
    CHECK_EQ(checked(problem, hidden, chosen).size(), chosen.size());
    const std::vector<small_tables::Whole> shown = checked(problem, hidden, chosen);
    for (const ReaderDemand& reader : reader_demands(problem)) {
      const CellBits free = free_cells(problem, candidates, reader.known);
      const Demand& demand = problem.demands[reader.demand];
      const std::size_t knower = reader.knower == OpenDemand::kNobody ? SIZE_MAX : reader.knower;
      if (pool.reach(demand.cell, free).meets(demand))
        CHECK(is_met(problem, {reader.demand, knower}, hidden, shown));
    }
    n_saved += chosen.size() < problem.demands.size() ? 1 : 0;
  }
  CHECK(n_saved > 10);
}

TEST(what_certificates_without_candidates_show_holds_whatever_is_hidden) {
  Dice dice(2);
  int n_met = 0, n_open = 0;
  for (int round = 0; round < 60; ++round) {
    const SmallTable table = random_table(dice, {flat(2), flat(3)}, 4, 2);
    SmallProblem problem = problem_of(table, 2, {dice.below(2), 2}, random_demand(dice));
    add_knowers(problem, dice, 3);
    std::vector<char> hidden(problem.n_cells(), 0);
    for (std::size_t i = 0; i < problem.n_cells(); ++i)
      hidden[i] = problem.role[i] == CellRole::primary ? 1 : 0;
    CertificatePool pool(problem.n_cells());
    const std::vector<small_tables::Whole> all = differences(table, problem);
    for (const small_tables::Whole& d : all)
      if (d != small_tables::Whole(d.size(), 0)) pool.add(sparse(d));
    for (const ReaderDemand& reader : reader_demands(problem)) {
      const std::size_t knower = reader.knower == OpenDemand::kNobody ? SIZE_MAX : reader.knower;
      const bool met = is_met(problem, {reader.demand, knower}, hidden, all);
      CHECK_EQ(is_met_anyway(problem, pool, reader), met);
      (met ? n_met : n_open) += 1;
    }
  }
  CHECK(n_met > 10 && n_open > 10);
}
