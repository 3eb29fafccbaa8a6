// A pattern under construction: changes of a table, the cells that they hide, and the demands that
// they meet.
//
// What is kept. Hidden are the primary cells and the cells of all changes, so every state is
// certified: a search may stop at any time. Of each demand the changes through its cell are listed,
// and of each candidate the changes that use it. Prices for the search of moves follow what is
// hidden: a cell that is hidden already is nearly free.
// Forks. What would come of a change is tried on a fork: it reads the changes of its base, which
// must rest meanwhile, and has its own changes, uses and prices. So several threads try at once.
// What it costs. Adding or removing a change takes time by its cells and by the demands on them.
// Some 50 bytes for each cell and each demand, 40 of a cell for a fork, and 8 bytes for each cell
// of a change, 8 for it in a list, and 4 for each knower of it. Agrees with open_demands() of its
// certificates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "base/number_lists.hpp"
#include "suppress/product_move.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// t times `by` leaves a table for -minus <= t <= plus. The cells ascend.
struct ScaledChange {
  std::vector<std::uint32_t> cell;
  std::vector<std::int32_t> by;
  std::int64_t plus = 0, minus = 0;
};

// How far some changes move a cell.
struct DemandReach {
  std::int64_t up = 0, down = 0;
  bool meets(const Demand& demand) const {
    return up >= demand.up && down >= demand.down && up + down >= demand.slide;
  }
};

// Whom the changes so far leave a demand open to: the outsider, or the knowers.
struct DemandGap {
  bool is_open = false;
  std::vector<std::uint32_t> knowers;  // none: the outsider
};

class PatternState {
 public:
  explicit PatternState(const SuppressionProblem& problem);
  PatternState(const PatternState&) = delete;
  PatternState& operator=(const PatternState&) = delete;

  // As this state is now, which must live and rest while the fork is used. Not of a fork.
  std::unique_ptr<PatternState> fork() const;
  // Of a fork: as it began, with the changes of its base that are gone, and those that are new.
  void reset();
  std::vector<std::uint32_t> gone() const { return {gone_.begin(), gone_.end()}; }
  std::vector<ScaledChange> added() const;
  // Of a fork that is as it began: as the base is now, of which the uses of these cells changed.
  void follow(const std::vector<std::uint32_t>& cells);

  // The range of a change by its cells and their limits, at most kMaxRange each way.
  void set_range(ScaledChange& change) const;
  std::uint32_t add(ScaledChange change);
  // It stays known by its number, so that it can be put back, until compact().
  void remove(std::uint32_t change);
  void put_back(std::uint32_t change);
  void compact();
  bool is_alive(std::uint32_t change) const {
    return entry(change).is_alive && (change >= n_base_ || gone_.count(change) == 0);
  }
  std::size_t n_numbers() const { return n_base_ + changes_.size(); }
  std::size_t n_changes() const { return n_alive_; }

  DemandGap gap(std::uint32_t demand) const;
  // What the changes reach together that touch nothing of these knowers'.
  DemandReach joint_reach(std::uint32_t demand, const std::vector<std::uint32_t>& without) const;
  std::int64_t cost() const { return cost_; }
  bool is_hidden(std::uint32_t cell) const {
    return problem_.role[cell] == CellRole::primary || use_[cell] > 0;
  }
  // Hidden candidates.
  std::vector<std::uint32_t> secondary() const;
  // The changes that use a candidate.
  std::vector<std::uint32_t> users(std::uint32_t cell) const;
  const ScaledChange& change(std::uint32_t number) const { return entry(number).change; }
  // The demands on the cells of a change.
  void add_demands_of(std::uint32_t change, std::vector<std::uint32_t>& out) const;

  // Prices: a unit of cost is scale() large. `unrest`: prices of candidates rise by random factors
  // up to 3/2.
  MoveTable& table() { return table_; }
  const MoveTable& table() const { return table_; }
  std::int64_t scale() const { return scale_; }
  std::int64_t usual_price() const { return usual_price_; }  // the mean of the candidates
  void set_prices(bool unrest, std::uint64_t seed);
  void forbid(std::uint32_t cell) { table_.price[cell] = MoveTable::kForbidden; }
  void allow(std::uint32_t cell) { table_.price[cell] = price_of(cell); }

  std::vector<Certificate> certificates() const;
  // The same; no change is left then. Not of a fork.
  std::vector<Certificate> take_certificates();

  static constexpr std::int64_t kMaxRange = std::int64_t{1} << 30;

 private:
  struct Entry {
    ScaledChange change;
    std::vector<std::uint32_t> touched;  // the knowers of its cells
    bool is_alive = true;
  };
  // Of each cell i the numbers number[start[i]], ..., number[start[i + 1] - 1], ascending.
  struct CellNumbers {
    std::vector<std::uint32_t> start, number;
    const std::uint32_t* begin(std::uint32_t cell) const { return number.data() + start[cell]; }
    const std::uint32_t* end(std::uint32_t cell) const {
      return number.data() + start[cell + std::size_t{1}];
    }
    // `each`: calls visit(cell, number) for all, those of each cell in ascending order.
    template <class Each>
    CellNumbers(std::size_t n_cells, Each each);
  };
  struct Index {
    CellNumbers demands, knowers;
    explicit Index(const SuppressionProblem& problem);
  };
  struct AsFork {};
  PatternState(const PatternState& base, AsFork);

  const Entry& entry(std::uint32_t number) const {
    return number < n_base_ ? base_->changes_[number] : changes_[number - n_base_];
  }
  std::int64_t price_of(std::uint32_t cell) const;
  void list(std::uint32_t number);
  template <class Visit>
  void each_through(std::uint32_t demand, Visit visit) const;
  DemandReach reach(const Entry& entry, std::uint32_t cell) const;
  std::vector<std::uint32_t> ignorant(const Entry& entry, std::uint32_t cell) const;
  void write(const Entry& entry, std::vector<Certificate>& out) const;

  const SuppressionProblem& problem_;
  std::shared_ptr<const Index> index_;
  const PatternState* base_ = nullptr;  // of a fork
  std::size_t n_base_ = 0;              // changes of the base, whose numbers come first
  std::set<std::uint32_t> gone_;        // of these
  MoveTable table_;
  std::int64_t scale_ = 1, usual_price_ = 1, cost_ = 0;
  bool unrest_ = false;
  std::uint64_t seed_ = 0;
  std::size_t n_alive_ = 0;
  std::vector<std::uint32_t> use_;  // of each cell
  std::vector<Entry> changes_;
  // Of each cell, where it is a candidate, and of each demand the changes, some no longer alive.
  NumberLists users_, through_;
};

}  // namespace sdclattice
