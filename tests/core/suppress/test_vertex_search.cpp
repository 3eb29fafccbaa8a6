// The steps of the search: each leaves what is certified certified, and no step makes it dearer.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "suppress/product_tables.hpp"
#include "suppress/vertex_search.hpp"

using namespace product_tables;

TEST(steps_keep_the_demands_and_the_cost) {
  Dice dice(5);
  int n_drops = 0, n_gains = 0;
  for (int round = 0; round < 12; ++round) {
    const Product p = random_product(dice, flat({3, 4, 3}), 30, 6);
    Wish wish;
    wish.floor = round % 2;
    wish.with_knowers = round % 3 == 0;
    const SuppressionProblem problem = problem_of(p, wish);
    const DemandIndex index(problem);
    const Tick none;
    WorkClock clock(100, none);
    VertexSearch search(index, static_cast<std::uint64_t>(round), clock);
    VertexPool pool(index, {});
    search.construct(pool, search.whole(), round % 4 != 0);
    const std::size_t n_open = pool.n_open();
    for (int step = 0; step < 3; ++step) {
      const std::int64_t before = pool.cost();
      n_drops += search.drop(pool);
      CHECK(pool.cost() <= before);
      const std::int64_t between = pool.cost();
      n_gains += search.improve(pool);
      CHECK(pool.cost() <= between);
      CHECK_EQ(pool.n_open(), n_open);
      const SuppressionPattern pattern = pool.pattern();
      for (const Certificate& c : pattern.certificates)
        CHECK(certifies(problem, pattern.hidden, c));
    }
  }
  CHECK(n_drops > 0);
  CHECK(n_gains >= 0);
}

// In a large table neighbourhoods are searched in regions of it.
TEST(regions_of_a_large_table) {
  Dice dice(6);
  Wish wish;
  wish.floor = 1;
  const SuppressionProblem problem =
      problem_of(random_product(dice, flat({10, 10, 9}), 10, 30), wish);
  CHECK(problem.n_cells() > 1000);
  const DemandIndex index(problem);
  const Tick none;
  WorkClock clock(100, none);
  VertexSearch search(index, 1, clock);
  VertexPool pool(index, {});
  search.construct(pool, search.whole(), true);
  search.drop(pool);
  const std::int64_t before = pool.cost();
  search.improve(pool);
  CHECK(pool.cost() <= before && pool.cost() > 0);
  CHECK_EQ(pool.n_open(), 0u);
  const SuppressionPattern pattern = pool.pattern();
  CHECK(!pattern.certificates.empty());
  for (const Certificate& c : pattern.certificates) CHECK(certifies(problem, pattern.hidden, c));
}

TEST(what_is_usable) {
  SuppressionProblem problem;
  problem.value = {1, 2, 3, 4, 5};
  problem.role = {CellRole::unseen, CellRole::candidate, CellRole::candidate, CellRole::open,
                  CellRole::primary};
  CHECK_EQ(usable_cells(problem, {0, 1, 0, 1, 0}), (std::vector<char>{1, 1, 0, 0, 1}));
}
