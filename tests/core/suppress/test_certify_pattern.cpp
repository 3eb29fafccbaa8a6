// What a pattern of somebody else is worth, against all small differences.
#include "check.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/product_tables.hpp"

using namespace product_tables;

TEST(exposed_or_certified) {
  Dice dice(12);
  int n_exposed = 0, n_impossible = 0, n_certified = 0;
  for (int round = 0; round < 60; ++round) {
    const Product p = random_product(dice, flat({2, 3}), 35, 4);
    if (p.inner.empty()) continue;
    Wish wish;
    wish.floor = round % 2;
    wish.width = 1 + round % 2;
    wish.with_knowers = round % 3 == 0;
    SuppressionProblem problem = problem_of(p, wish);
    open_some(dice, 35, problem);
    const auto differences = all_differences(p, problem, 2);
    std::vector<char> hidden;
    for (const CellRole role : problem.role)
      hidden.push_back(role == CellRole::primary ||
                       (role == CellRole::candidate && dice.below(4) != 0));
    const CertifiedPattern found = certify_pattern(problem, hidden, {}, {});
    CHECK(found.pattern.hidden == hidden && !found.pattern.stopped);
    for (const Certificate& c : found.pattern.certificates) CHECK(certifies(problem, hidden, c));
    CHECK_EQ(open_demands(problem, found.pattern.certificates).size(),
             found.pattern.lacking.size());
    CHECK_EQ(found.exposed.size(), found.pattern.lacking.size());
    const auto twin = unmet(problem, hidden, differences),
               never = unmet(problem, std::vector<char>(hidden.size(), 1), differences);
    CHECK_EQ(found.pattern.lacking.size(), twin.size());
    for (std::size_t k = 0; k < found.exposed.size(); ++k) {
      const OpenDemand& open = found.pattern.lacking[k];
      CHECK(found.exposed[k] && has(twin, open.demand, open.knower));
      CHECK_EQ(open.impossible, has(never, open.demand, open.knower));
      n_impossible += open.impossible;
    }
    n_exposed += !found.exposed.empty();
    n_certified += found.exposed.empty();
  }
  CHECK(n_exposed > 5 && n_impossible > 5 && n_certified > 5);
}

// Primary cells are hidden although the caller forgets them; open ones are not.
TEST(roles_come_first) {
  const Product p = parse("- 0 0 0|- 0 0 0", "all", "1 1:1;1 2:5;2 1:6;2 2:7;3 3:9");
  SuppressionProblem problem = problem_of(p, {});
  std::vector<char> none(problem.n_cells(), 0);
  const CertifiedPattern found = certify_pattern(problem, none, {}, {});
  CHECK_EQ(found.pattern.cost, 0);
  CHECK_EQ(std::count(found.pattern.hidden.begin(), found.pattern.hidden.end(), 1), 1);
  CHECK_EQ(found.exposed, (std::vector<char>{1}));
  CHECK(!found.pattern.lacking[0].impossible);
  for (CellRole& role : problem.role)
    if (role == CellRole::candidate) role = CellRole::open;
  const CertifiedPattern open =
      certify_pattern(problem, std::vector<char>(problem.n_cells(), 1), {}, {});
  CHECK_EQ(std::count(open.pattern.hidden.begin(), open.pattern.hidden.end(), 1), 1);
  CHECK(open.pattern.lacking[0].impossible);
}

// Without time less is found, and nothing that is wrong.
TEST(hardly_any_time) {
  Dice dice(13);
  const SuppressionProblem problem = problem_of(random_product(dice, flat({4, 4, 3}), 30, 5), {});
  const std::vector<char> hidden(problem.n_cells(), 0);
  const CertifiedPattern all = certify_pattern(problem, hidden, {}, {});
  CHECK(!all.pattern.stopped);
  for (const double seconds : {0.0, 1e-3}) {
    ProgrammeLimits limits;
    limits.seconds = seconds;
    const CertifiedPattern found = certify_pattern(problem, hidden, limits, {});
    CHECK(found.pattern.lacking.size() >= all.pattern.lacking.size());
    for (const Certificate& c : found.pattern.certificates)
      CHECK(certifies(problem, found.pattern.hidden, c));
    for (std::size_t k = 0; k < found.exposed.size(); ++k)
      if (found.exposed[k])
        CHECK(has(pairs_of(all.pattern.lacking), found.pattern.lacking[k].demand,
                  found.pattern.lacking[k].knower));
  }
}
