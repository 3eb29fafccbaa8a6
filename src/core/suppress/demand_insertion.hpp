// Meets the demands of a pattern by the cheapest changes that are found.
//
// What is computed. For an open demand a change is searched that meets it against whom it is open
// to: the outsider, or all its knowers together, then one by one. Where more is asked for than one
// other table, a change each way, and one that adds to what is reached already, are tried too, and
// the cheapest is taken. Where nothing is found the demand is given up against that reader.
// Agrees with open_demands() of the certificates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "suppress/move_walk.hpp"
#include "suppress/pattern_state.hpp"

namespace sdclattice {

struct InsertionEffort {
  MoveEffort move;
  MoveWalkEffort walk;
  bool walk_always = false;  // also where a product move is found that hides cells
};

// Is one change all that is looked for?
inline bool is_one_way(const Demand& demand) {
  return demand.slide <= 1 && (demand.up == 0 || demand.down == 0);
}

// The cells of a move in ascending order, without its range.
ScaledChange change_of_move(const ProductMove& move);

// A change that met a demand against these knowers when it was found, at its price then.
struct DemandGuess {
  ScaledChange change;  // without cells: there is none
  std::vector<std::uint32_t> knowers;
  std::int64_t price = 0;
};

class DemandInsertion {
 public:
  DemandInsertion(const StoredCells& cells, const SuppressionProblem& problem, PatternState& state)
      : cells_(cells),
        problem_(problem),
        state_(state),
        search_(cells, state.table()),
        walk_(cells, state, search_) {}

  // Adds changes until the demand is met against all readers against whom it is not given up.
  // False when that is not found or costs more than `budget`; some changes may have been added.
  bool meet(std::uint32_t demand, std::int64_t budget, const InsertionEffort& effort,
            PublicRandom& random);
  // The same, but gives up instead of failing, until the time is over.
  void meet_or_give_up(
      std::uint32_t demand, const InsertionEffort& effort, PublicRandom& random,
      const std::function<bool()>& is_over = [] { return false; });
  // Gives up the same demands as another one.
  void give_up_as(const DemandInsertion& other) { given_up_ = other.given_up_; }
  // Adds the change of a guess when the demand is open to the same readers, and the change costs
  // what it did or nothing. False when the demand is open and the change is not taken.
  bool take(std::uint32_t demand, const DemandGuess& guess);
  // Whom the demand is still open to, those left out against whom it is given up.
  DemandGap gap(std::uint32_t demand) const;
  // The demands that are given up against somebody. Those that other changes have met meanwhile
  // are so no more; with `all` nothing is given up any more.
  std::vector<std::uint32_t> review(bool all);

 private:
  using Wishes = std::vector<MoveWish>;  // a change for each

  std::vector<Wishes> ways_of(const Demand& demand, const DemandReach& reached) const;
  bool close(std::uint32_t demand, const std::vector<std::uint32_t>& knowers, std::int64_t most,
             const InsertionEffort& effort, PublicRandom& random);
  bool add_all(std::uint32_t cell, const Wishes& wishes, std::int64_t most,
               const InsertionEffort& effort, PublicRandom& random,
               std::vector<std::uint32_t>& added);
  bool find(std::uint32_t cell, const MoveWish& wish, std::int64_t bound,
            const InsertionEffort& effort, PublicRandom& random);
  bool take_product(const MoveWish& wish);
  std::int64_t bound_of(std::int64_t budget) const;

  const StoredCells& cells_;
  const SuppressionProblem& problem_;
  PatternState& state_;
  ProductMoveSearch search_;
  MoveWalk walk_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> given_up_;   // demands, and against whom
  std::vector<std::pair<std::uint32_t, std::int64_t>> forbidden_;  // with the prices before
  ScaledChange found_;
};

}  // namespace sdclattice
