// Neighbourhoods on several threads: the same pattern with any number of them, and certified.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/move_pattern.hpp"
#include "suppress/region_trials.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

struct Trials {
  PublicRandom random{7};
  PatternState state;
  DemandInsertion insertion;
  RegionTrials trials;
  std::size_t n_again = 0;

  Trials(const PatternCase& c, const StoredCells& cells, std::size_t threads)
      : state(c.problem),
        insertion(cells, c.problem, state),
        trials(cells, c.problem, constructed(c), insertion, threads) {}

  PatternState& constructed(const PatternCase& c) {
    InsertionEffort poor;
    poor.move = {3, 2, 1000, 0.5};
    for (std::uint32_t d = 0; d < c.problem.demands.size(); ++d)
      insertion.meet_or_give_up(d, poor, random);
    return state;
  }

  void sweep(bool unrest, std::size_t size) {
    trials.set_prices(unrest, random());
    std::vector<std::uint32_t> order = state.secondary(), batch;
    for (std::size_t n = 0; n < 20 && !(order.empty() && batch.empty()); ++n) {
      for (; batch.size() < size && !order.empty(); order.pop_back()) batch.push_back(order.back());
      batch = trials.improve(batch, random(), {}, [] { return false; });
      CHECK(batch.size() < size || size == 1);
      n_again += batch.size();
      if (n % 3 == 0) state.compact();
    }
  }
};

}  // namespace

TEST(trials_do_not_depend_on_threads_and_keep_what_is_met) {
  Dice dice(42);
  std::size_t n_again = 0, n_gains = 0;
  const int n = check::cases(40, 80);
  for (int i = 0; i < n; ++i) {
    const PatternCase c = random_pattern_case(dice, 60, false);
    const StoredCells cells = c.table.stored();
    Trials one(c, cells, 1), two(c, cells, 2), three(c, cells, 3);
    const std::int64_t before = one.state.cost();
    const std::size_t n_open = open_demands(c.problem, one.state.certificates()).size();
    for (int round = 0; round < 2; ++round)
      for (Trials* some : {&one, &two, &three}) some->sweep(round == 1, i % 2 == 0 ? 4 : 16);
    CHECK(one.state.cost() <= before);
    n_gains += one.state.cost() < before;
    n_again += one.n_again;
    const auto certificates = one.state.certificates();
    CHECK(open_demands(c.problem, certificates).size() <= n_open);
    for (const Trials* some : {&two, &three}) {
      CHECK_EQ(some->state.secondary(), one.state.secondary());
      CHECK_EQ(some->n_again, one.n_again);
      const auto same = some->state.certificates();
      CHECK_EQ(same.size(), certificates.size());
      for (std::size_t k = 0; k < std::min(same.size(), certificates.size()); ++k)
        CHECK(same[k].cell == certificates[k].cell && same[k].change == certificates[k].change);
    }
  }
  CHECK(n_gains > 2);
  CHECK(n_again > 5);
}

TEST(a_whole_search_in_batches_does_not_depend_on_threads) {
  Dice dice(43);
  std::int64_t in_batches = 0, one_by_one = 0;
  for (int i = 0; i < check::cases(12, 20); ++i) {
    const PatternCase c = random_pattern_case(dice, 60, false);
    const StoredCells cells = c.table.stored();
    MovePatternLimits limits{60, 3, 2, 1};
    one_by_one += move_pattern(cells, c.problem, {}, limits, {}).cost;
    limits.many_demands = 0;
    const SuppressionPattern found = move_pattern(cells, c.problem, {}, limits, {});
    in_batches += found.cost;
    for (const Certificate& certificate : found.certificates) {
      CHECK(certifies(c.problem, found.hidden, certificate));
      CHECK(is_witness(c.table, cells, found.hidden, c.floor, certificate));
    }
    CHECK(open_set(found.lacking) == open_set(open_demands(c.problem, found.certificates)));
    for (const std::size_t threads : {2, 3}) {
      limits.threads = threads;
      const SuppressionPattern again = move_pattern(cells, c.problem, {}, limits, {});
      CHECK_EQ(found.hidden, again.hidden);
      CHECK_EQ(found.certificates.size(), again.certificates.size());
    }
  }
  CHECK(10 * in_batches < 11 * one_by_one);
}
