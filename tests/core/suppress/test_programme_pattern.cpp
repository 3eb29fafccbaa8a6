// Patterns by programmes, against exact optima and the lists of all small differences.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "suppress/product_tables.hpp"
#include "suppress/programme_pattern.hpp"
#include "suppress_cases.hpp"

using namespace product_tables;

namespace {

void check_certified(const SuppressionProblem& problem, const SuppressionPattern& pattern) {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    if (problem.role[i] == CellRole::primary) CHECK(pattern.hidden[i]);
    if (problem.role[i] == CellRole::unseen || problem.role[i] == CellRole::open)
      CHECK(!pattern.hidden[i]);
    if (problem.role[i] == CellRole::candidate && pattern.hidden[i]) cost += problem.cost[i];
  }
  CHECK_EQ(pattern.cost, cost);
  for (const Certificate& c : pattern.certificates) CHECK(certifies(problem, pattern.hidden, c));
  CHECK(pairs_of(pattern.lacking) == pairs_of(open_demands(problem, pattern.certificates)));
}

bool all_impossible(const SuppressionPattern& pattern) {
  return std::all_of(pattern.lacking.begin(), pattern.lacking.end(),
                     [](const OpenDemand& open) { return open.impossible; });
}

// A small problem with knowers or without, and its differences.
struct Small {
  Product product;
  SuppressionProblem problem;
  std::vector<std::vector<std::int64_t>> differences;
};

Small small_problem(Dice& dice, int round) {
  Product shape = round % 3 == 2 ? flat({2, 2, 2}) : flat({2, 3});
  Wish wish;
  wish.floor = round % 2;
  wish.with_knowers = round % 5 < 2;
  wish.cost_is_count = round % 4 == 0;
  Small out{random_product(dice, shape, round % 3 == 2 ? 35 : 15, 6), {}, {}};
  if (out.product.inner.empty()) out.product.inner[Nodes(shape.parents.size(), 1)] = 5;
  out.problem = problem_of(out.product, wish);
  open_some(dice, 10 * (round % 7), out.problem);
  out.differences = all_differences(out.product, out.problem, round % 3 == 2 ? 1 : 2);
  return out;
}

// Enough for small tables.
ProgrammeLimits two_rounds() {
  ProgrammeLimits out;
  out.rounds = 2;
  return out;
}

std::size_t n_candidates(const SuppressionProblem& problem) {
  return static_cast<std::size_t>(
      std::count(problem.role.begin(), problem.role.end(), CellRole::candidate));
}

}  // namespace

// Never below the optimum, and in total at most 3 % above it.
TEST(exact_optima) {
  std::int64_t sum = 0, sum_of_optima = 0;
  std::size_t n = 0, n_optimal = 0;
  int turn = 0;
  for (const suppress_cases::ReferenceCase& of : suppress_cases::all)
    for (const std::int64_t width : {1, 2, 3, 0}) {
      // two of five in turn, so that each width has its share
      if (turn++ % 5 >= check::cases(2, 5)) continue;
      const bool by_count = width == 0;
      Wish wish;
      wish.most_primary = of.max_n;
      wish.width = by_count ? 1 : width;
      wish.cost_is_count = by_count;
      const std::int64_t optimum = by_count     ? of.by_count
                                   : width == 1 ? of.width_1
                                   : width == 2 ? of.width_2
                                                : of.width_3;
      const SuppressionProblem problem = problem_of(parse(of.parents, of.tables, of.inner), wish);
      CHECK_EQ(static_cast<int>(problem.demands.size()), of.n_primary);
      const SuppressionPattern found = programme_pattern(problem, two_rounds(), {});
      check_certified(problem, found);
      CHECK(!found.stopped && found.lacking.empty());
      CHECK(found.cost >= optimum);
      if (!by_count) {
        sum += found.cost;
        sum_of_optima += optimum;
      }
      n_optimal += found.cost == optimum;
      ++n;
    }
  CHECK(100 * sum <= 103 * sum_of_optima);
  CHECK(10 * n_optimal >= 9 * n);
}

// All sets of cells, with floors and knowers.
TEST(every_set_of_cells) {
  Dice dice(7);
  int n = 0, n_optimal = 0, n_impossible = 0;
  for (int round = 0; round < check::cases(30, 60); ++round) {
    const Small s = small_problem(dice, round);
    if (n_candidates(s.problem) > 14) continue;
    const SuppressionPattern found = programme_pattern(s.problem, two_rounds(), {});
    check_certified(s.problem, found);
    CHECK(all_impossible(found));
    const std::vector<char> all(s.problem.n_cells(), 1);
    const Pairs unmet_by_all = unmet(s.problem, all, s.differences);
    for (const OpenDemand& open : found.lacking) CHECK(has(unmet_by_all, open.demand, open.knower));
    n_impossible += !found.lacking.empty();
    if (found.lacking.size() != unmet_by_all.size()) continue;
    const std::int64_t least = least_cost(s.problem, s.differences);
    CHECK(found.cost >= least || round % 3 == 2);
    n_optimal += found.cost <= least;
    ++n;
  }
  CHECK(n > 20 && n_impossible > 5);
  CHECK(10 * n_optimal >= 9 * n);
}

TEST(levels_and_widths) {
  Dice dice(8);
  int n_met = 0;
  for (int round = 0; round < 40; ++round) {
    Small s = small_problem(dice, 3 * round + round % 2);
    for (Demand& demand : s.problem.demands)
      demand = {demand.cell, dice.below(3), dice.below(2), dice.between(1, 4)};
    const SuppressionPattern found = programme_pattern(s.problem, two_rounds(), {});
    check_certified(s.problem, found);
    CHECK(all_impossible(found));
    const std::vector<char> all(s.problem.n_cells(), 1);
    const Pairs unmet_by_all = unmet(s.problem, all, s.differences);
    for (const OpenDemand& open : found.lacking) CHECK(has(unmet_by_all, open.demand, open.knower));
    n_met += found.lacking.size() < s.problem.demands.size();
  }
  CHECK(n_met > 10);
}

// What a start gives is kept or bettered; wrong certificates do not count.
TEST(improved_and_repaired) {
  Dice dice(9);
  int n_cheaper = 0, n_added = 0;
  for (int round = 0; round < check::cases(4, 15); ++round) {
    const Product p = random_product(dice, flat({3, 4, 2}), 25, 6);
    Wish wish;
    wish.floor = round % 2;
    wish.with_knowers = round % 3 == 0;
    const SuppressionProblem problem = problem_of(p, wish);
    SuppressionPattern start;
    for (const CellRole role : problem.role)
      start.hidden.push_back(role == CellRole::primary ||
                             (role == CellRole::candidate && dice.below(3) != 0));
    const SuppressionPattern repaired = repair_pattern(problem, start.hidden, two_rounds(), {});
    check_certified(problem, repaired);
    CHECK(all_impossible(repaired));
    for (std::size_t i = 0; i < start.hidden.size(); ++i)
      CHECK(!start.hidden[i] || repaired.hidden[i]);
    n_added += repaired.hidden != start.hidden;
    start.certificates = repaired.certificates;
    start.certificates.push_back({{0}, {1}});
    const SuppressionPattern improved = improve_pattern(problem, start, two_rounds(), {});
    check_certified(problem, improved);
    const SuppressionPattern again = improve_pattern(problem, repaired, two_rounds(), {});
    check_certified(problem, again);
    CHECK(again.cost <= repaired.cost);
    CHECK_EQ(again.lacking.size(), repaired.lacking.size());
    CHECK_EQ(improved.lacking.size(), repaired.lacking.size());
    n_cheaper += again.cost < repaired.cost;
  }
  CHECK(n_cheaper > 2 && n_added > 1);
}

TEST(the_same_seed_gives_the_same_pattern) {
  Dice dice(10);
  const SuppressionProblem problem = problem_of(random_product(dice, flat({3, 4, 3}), 25, 6), {});
  ProgrammeLimits limits;
  limits.seed = 3;
  const SuppressionPattern a = programme_pattern(problem, limits, {}),
                           b = programme_pattern(problem, limits, {});
  CHECK(a.hidden == b.hidden && a.certificates.size() == b.certificates.size());
}

// Whatever ends the work, what is said is certified.
TEST(work_that_is_stopped) {
  Dice dice(11);
  const SuppressionProblem problem = problem_of(random_product(dice, flat({5, 5, 4}), 30, 5), {});
  for (const double seconds : {0.0, 1e-3, 1e-2, 3e-2}) {
    ProgrammeLimits limits;
    limits.seconds = seconds;
    const SuppressionPattern found = programme_pattern(problem, limits, {});
    check_certified(problem, found);
    CHECK(found.stopped || found.lacking.empty() || all_impossible(found));
  }
  int n_ticks = 0;
  const Tick stop = [&](double) {
    if (++n_ticks > 1) throw WorkInterrupted();
  };
  const SuppressionPattern found = programme_pattern(problem, {}, stop);
  check_certified(problem, found);
  CHECK(found.stopped);
}

TEST(nothing_to_hide) {
  const SuppressionProblem problem =
      problem_of(parse("- 0 0|- 0 0", "all", "1 1:7;2 2:8;1 2:9"), {});
  const SuppressionPattern found = programme_pattern(problem, two_rounds(), {});
  CHECK(found.cost == 0 && found.certificates.empty() && found.lacking.empty());
  const SuppressionPattern empty = programme_pattern({}, {}, {});
  CHECK(empty.hidden.empty() && empty.cost == 0);
}
