// Changes that are searched for many demands at once, against searches one by one.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/blind_search.hpp"
#include "suppress/move_pattern.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

// Is it a move that meets the demand against whom it is open to, at its price?
void check_guess(const PatternCase& c, const PatternState& state, const DemandInsertion& insertion,
                 std::uint32_t number, const DemandGuess& guess) {
  const Demand& demand = c.problem.demands[number];
  ScaledChange change = guess.change;
  state.set_range(change);
  CHECK(MoveWish({demand.up, demand.down, demand.slide}).is_met(change.plus, change.minus));
  CHECK(guess.knowers == insertion.gap(number).knowers);
  std::int64_t price = 0;
  for (const std::uint32_t cell : change.cell) {
    if (cell != demand.cell) price += state.table().price[cell];
    for (const std::uint32_t knower : guess.knowers) {
      const auto& known = c.problem.knowers[knower];
      CHECK(!std::binary_search(known.begin(), known.end(), cell));
    }
  }
  CHECK_EQ(price, guess.price);
}

}  // namespace

TEST(guesses_are_the_cheapest_moves_with_any_number_of_threads) {
  Dice dice(31);
  PublicRandom random(1);
  std::size_t n_found = 0, n_taken = 0, n_stale = 0;
  for (int i = 0; i < 300; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    PatternState state(c.problem);
    DemandInsertion insertion(cells, c.problem, state);
    std::vector<std::uint32_t> demands;
    for (std::uint32_t d = 0; d < c.problem.demands.size(); ++d) demands.push_back(d);
    for (std::size_t k = 0; k < demands.size() / 3; ++k)
      insertion.meet_or_give_up(demands[k], {}, random);
    BlindSearch one(cells, c.problem, state, insertion, 1, 5);
    BlindSearch three(cells, c.problem, state, insertion, 3, 5);
    const std::vector<DemandGuess> guesses = one.search(demands, {}, {});
    const std::vector<DemandGuess>& same = three.search(demands, {}, {});
    ProductMoveSearch search(cells, state.table());
    for (std::uint32_t d = 0; d < demands.size(); ++d) {
      CHECK(guesses[d].change.cell == same[d].change.cell);
      const Demand& demand = c.problem.demands[d];
      const DemandGap open = insertion.gap(d);
      const bool is_asked = open.is_open && is_one_way(demand);
      if (guesses[d].change.cell.empty()) {
        CHECK(!is_asked || !open.knowers.empty() ||
              !search.find(cells.key(demand.cell), {demand.up, demand.down, demand.slide},
                           MoveTable::kForbidden, {}, random));
        continue;
      }
      CHECK(is_asked);
      ++n_found;
      check_guess(c, state, insertion, d, guesses[d]);
      if (!open.knowers.empty()) continue;
      CHECK(search.find(cells.key(demand.cell), {demand.up, demand.down, demand.slide},
                        MoveTable::kForbidden, {}, random));
      CHECK_EQ(search.best().price, guesses[d].price);
    }
    for (std::uint32_t d = 0; d < demands.size(); ++d) {
      const bool was_open = insertion.gap(d).is_open, taken = insertion.take(d, guesses[d]);
      CHECK(taken || (was_open && insertion.gap(d).is_open));
      n_taken += was_open && taken;
      n_stale += !taken && !guesses[d].change.cell.empty();
    }
  }
  CHECK(n_found > 100);
  CHECK(n_taken > 100);
  CHECK(n_stale > 5);
}

TEST(a_construction_in_batches_is_certified_and_does_not_depend_on_threads) {
  Dice dice(32);
  std::int64_t in_batches = 0, one_by_one = 0;
  for (int i = 0; i < 60; ++i) {
    const PatternCase c = random_pattern_case(dice, 60, false);
    const StoredCells cells = c.table.stored();
    MovePatternLimits limits{60, 3, 0, 1};
    one_by_one += move_pattern(cells, c.problem, {}, limits, {}).cost;
    limits.many_demands = 0;
    const SuppressionPattern found = move_pattern(cells, c.problem, {}, limits, {});
    in_batches += found.cost;
    for (const Certificate& certificate : found.certificates)
      CHECK(certifies(c.problem, found.hidden, certificate));
    CHECK(open_set(found.lacking) == open_set(open_demands(c.problem, found.certificates)));
    limits.threads = 3;
    const SuppressionPattern again = move_pattern(cells, c.problem, {}, limits, {});
    CHECK_EQ(found.hidden, again.hidden);
    CHECK_EQ(found.certificates.size(), again.certificates.size());
  }
  CHECK(10 * in_batches < 11 * one_by_one);
}
