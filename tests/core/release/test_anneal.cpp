// Annealing: it finds the best of all small graphs, keeps what must stay, and ends when told to.
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "release/admissible.hpp"
#include "release/anneal.hpp"
#include "release/decomposable_limit.hpp"
#include "release/graph_cases.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

// The limit is never below the best of all, and annealing of small tables finds the best.
TEST(limits_hold_and_annealing_finds_the_best) {
  int below = 0, met = 0, missed = 0, infeasible = 0, n = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    const std::int64_t beta = 1 + static_cast<std::int64_t>(seed % 7);
    if (cells.size() == 0 || width_of(cells, DecomposableGraph(5)) < beta) continue;
    const AdditiveUtility utility = some_utility(seed);
    std::vector<SubTable> forced, forbidden;
    if (seed % 4 == 1) forced = {0b11};
    if (seed % 4 == 2) forced = {0b111, 0b11000};
    if (seed % 4 >= 2) forbidden = {0b10010};
    const double best = best_of_all(cells, beta, utility, forced, forbidden);
    const double limit =
        decomposable_limit(5, admissible_sets(cells, beta, 31, {}, forbidden), utility, forced);
    ++n;
    below += limit < best - 1e-9;
    met += limit <= best + 1e-9;
    infeasible += best < 0;
    const DecomposableGraph start(5, forced);
    if (width_of(cells, start) < beta) continue;
    const auto judge = make_release_judge(cells, {beta, forbidden, 1u << 20});
    AnnealFound found;
    const AnnealPlan plan{chain_seed(seed, 1), 10000,     .15 * limit,
                          .003 * limit,        kInfinite, kInfinite};
    anneal(*judge, utility, start, forced, plan, found);
    missed += std::abs(found.value - best) > 1e-9;
    const DecomposableGraph result(5, found.best.cliques);
    CHECK(width_of(cells, result) >= beta);
    for (SubTable set : forced) CHECK(result.complete(set));
    for (SubTable set : forbidden) CHECK(!result.complete(set));
  }
  CHECK_EQ(below, 0);
  CHECK_EQ(missed, 0);
  CHECK(n > 30);
  CHECK(2 * met > n);
  CHECK(infeasible > 0);
}

TEST(the_same_seed_gives_the_same_chain_and_an_end_keeps_the_best) {
  const SmallTable table(12, 5);
  const RiskCells cells = table.risk();
  const auto judge = make_release_judge(cells, {1, {}, 1u << 20});
  const AnnealPlan plan{chain_seed(7, 1), 3000, 3, .5, kInfinite, kInfinite};
  AnnealFound first, second, ended;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, first);
  anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, second);
  CHECK_EQ(first.best.cliques, second.best.cliques);
  CHECK_EQ(first.n_accepted, second.n_accepted);
  CHECK_EQ(first.n_proposals, 3000);
  CHECK(chain_seed(7, 1) != chain_seed(7, 2));

  const Tick end = [](double done) {
    if (done > .5) throw std::runtime_error("enough");
  };
  CHECK_THROWS(std::runtime_error,
               (anneal(*judge, tables(5), DecomposableGraph(5), {}, plan, ended, end), 0));
  CHECK(ended.n_proposals > 1000 && ended.n_proposals < 3000);
  CHECK(!ended.best.cliques.empty() && ended.value == ended.log.back().value);

  AnnealPlan short_plan = plan;
  short_plan.seconds = 0;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, short_plan, ended);
  CHECK(ended.out_of_time && ended.n_proposals < 300);
  AnnealPlan modest = plan;
  modest.enough = first.value - 1;
  anneal(*judge, tables(5), DecomposableGraph(5), {}, modest, ended);
  CHECK(ended.enough && ended.n_proposals <= first.n_proposals);
}

// What is found is what it says: a safe release of that value, each entry of the log better.
TEST(what_is_found_is_safe_and_worth_what_it_says) {
  int wrong = 0, n = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SmallTable table(seed, 5);
    const RiskCells cells = table.risk();
    const std::int64_t beta = 2;
    if (cells.size() == 0 || width_of(cells, DecomposableGraph(5)) < beta) continue;
    const AdditiveUtility utility = some_utility(seed);
    const auto judge = make_release_judge(cells, {beta, {}, 1u << 20});
    AnnealFound found;
    anneal(*judge, utility, DecomposableGraph(5), {},
           {chain_seed(seed, 2), 500, 2, .1, kInfinite, kInfinite}, found);
    wrong += found.value != utility.release(found.best.cliques, found.best.separators);
    wrong += decomposable_bounds(cells, found.best).width() < beta;
    wrong += found.log.empty() || found.log.back().value != found.value;
    for (std::size_t i = 1; i < found.log.size(); ++i)
      wrong += found.log[i].value <= found.log[i - 1].value ||
               found.log[i].proposal <= found.log[i - 1].proposal;
    wrong += found.n_accepted > found.n_proposals || found.n_proposals != 500;
    ++n;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 15);
}

TEST(without_proposals_or_pairs_the_start_is_found) {
  const SmallTable table(12, 4);
  const RiskCells cells = table.risk();
  const auto judge = make_release_judge(cells, {0, {}, 1u << 20});
  AnnealFound found;
  anneal(*judge, tables(4), DecomposableGraph(4), {}, {1, 0, 1, 1, kInfinite, kInfinite}, found);
  CHECK_EQ(found.value, 4.0);
  CHECK_EQ(found.log.size(), 1u);
  // Everything forced: no pair is left to propose.
  AnnealFound all;
  const DecomposableGraph whole(4, {15});
  anneal(*judge, tables(4), whole, {15}, {1, 100, 1, 1, kInfinite, kInfinite}, all);
  CHECK_EQ(all.value, 15.0);
  CHECK_EQ(all.n_accepted, 0u);
}

TEST(chains_have_streams_of_their_own) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (std::uint64_t chain = 1; chain <= 30; ++chain) seeds.push_back(chain_seed(seed, chain));
  std::sort(seeds.begin(), seeds.end());
  CHECK(std::unique(seeds.begin(), seeds.end()) == seeds.end());
}
