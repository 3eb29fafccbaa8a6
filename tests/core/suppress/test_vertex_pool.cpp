// The book of certificates, against the list of what each of them does.
#include "check.hpp"
#include "suppress/product_tables.hpp"
#include "suppress/vertex_pool.hpp"

using namespace product_tables;

namespace {

Certificate sparse(const std::vector<std::int64_t>& d) {
  Certificate out;
  for (std::uint32_t i = 0; i < d.size(); ++i)
    if (d[i] != 0) {
      out.cell.push_back(i);
      out.change.push_back(d[i]);
    }
  return out;
}

// What the pool says is open is what its certificates leave open.
void check_open(const VertexPool& pool) {
  const SuppressionProblem& problem = pool.problem();
  const SuppressionPattern pattern = pool.pattern();
  std::vector<std::vector<std::int64_t>> differences;
  for (const Certificate& c : pattern.certificates) {
    CHECK(certifies(problem, pattern.hidden, c));
    differences.emplace_back(problem.n_cells(), 0);
    for (std::size_t k = 0; k < c.cell.size(); ++k) differences.back()[c.cell[k]] = c.change[k];
  }
  const Pairs twin = unmet(problem, pattern.hidden, differences);
  CHECK(pairs_of(pattern.lacking) == twin);
  Pairs known;
  for (std::uint32_t d = 0; d < problem.demands.size(); ++d)
    for (const std::uint32_t who : pool.open_readers(d)) known.emplace_back(d, who);
  std::sort(known.begin(), known.end());
  CHECK(known == twin);
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::candidate && pattern.hidden[i]) cost += problem.cost[i];
  CHECK(cost == pool.cost() && cost == pattern.cost);
}

SuppressionProblem some_problem(Dice& dice, const Product& p) {
  Wish wish;
  wish.floor = dice.below(2);
  wish.cost_is_count = true;
  wish.with_knowers = true;
  SuppressionProblem out = problem_of(p, wish);
  for (Demand& demand : out.demands)
    demand = {demand.cell, dice.below(3), dice.below(2), dice.between(1, 3)};
  return out;
}

}  // namespace

TEST(random_certificates_come_and_go) {
  Dice dice(4);
  std::size_t n_added = 0;
  for (int round = 0; round < 30; ++round) {
    const Product p = random_product(dice, flat({2, 3}), 20, 4);
    if (p.inner.empty()) continue;
    const SuppressionProblem problem = some_problem(dice, p);
    const auto differences = all_differences(p, problem, 1);
    const DemandIndex index(problem);
    std::vector<char> kept(problem.n_cells(), 0);
    for (char& k : kept) k = dice.below(6) == 0;
    VertexPool pool(index, kept);
    for (int step = 0; step < 8; ++step) {
      const Certificate c = sparse(
          differences[static_cast<std::size_t>(dice.below(static_cast<int>(differences.size())))]);
      if (c.cell.empty()) continue;
      const std::int64_t before = pool.cost(), added = pool.added_cost(c);
      pool.add(c);
      ++n_added;
      CHECK_EQ(pool.cost(), before + added);
      check_open(pool);
      const VertexPool copy = pool;
      const std::size_t n_open = pool.n_open();
      pool.thin_out();
      CHECK_EQ(pool.n_open(), n_open);
      CHECK(pool.cost() <= copy.cost());
      check_open(pool);
      if (dice.below(3) != 0) continue;
      const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(problem.n_cells())));
      pool.close(cell);
      for (const Certificate& left : pool.pattern().certificates)
        CHECK(!std::binary_search(left.cell.begin(), left.cell.end(), cell));
      check_open(pool);
    }
    std::size_t n_secondary = 0;
    for (const std::uint32_t i : pool.secondary()) n_secondary += pool.is_hidden(i) && !kept[i];
    CHECK_EQ(n_secondary, pool.secondary().size());
  }
  CHECK(n_added > 100);
}
