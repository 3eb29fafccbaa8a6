// A pattern under construction: changes of a table, the cells that they hide, and the demands that
// they meet.
//
// What is kept. Hidden are the primary cells and the cells of all changes, so every state is
// certified: a search may stop at any time. Of each demand the changes through its cell are listed,
// and of each candidate the changes that use it. Prices for the search of moves follow what is
// hidden: a cell that is hidden already is nearly free.
// What it costs. Adding or removing a change takes time by its cells and by the demands on them.
// Agrees with open_demands() of its certificates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

  // The range of a change by its cells and their limits, at most kMaxRange each way.
  void set_range(ScaledChange& change) const;
  std::uint32_t add(ScaledChange change);
  // It stays known by its number, so that it can be put back, until compact().
  void remove(std::uint32_t change);
  void put_back(std::uint32_t change);
  void compact();
  bool is_alive(std::uint32_t change) const { return changes_[change].is_alive; }
  std::size_t n_numbers() const { return changes_.size(); }
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
  const ScaledChange& change(std::uint32_t number) const { return changes_[number].change; }
  // The demands on the cells of a change.
  void add_demands_of(std::uint32_t change, std::vector<std::uint32_t>& out) const;
  const std::vector<std::uint32_t>& demands_of(std::uint32_t cell) const {
    return demands_of_cell_[demand_slot_[cell]];
  }

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

  static constexpr std::int64_t kMaxRange = std::int64_t{1} << 30;

 private:
  struct Entry {
    ScaledChange change;
    std::vector<std::uint32_t> touched;  // the knowers of its cells
    bool is_alive = true;
  };
  std::int64_t price_of(std::uint32_t cell) const;
  void list(std::uint32_t number);
  DemandReach reach(const Entry& entry, std::uint32_t cell) const;
  bool knows(std::uint32_t knower, std::uint32_t cell) const;
  std::vector<std::uint32_t> ignorant(const Entry& entry, std::uint32_t cell) const;
  void write(const Entry& entry, std::vector<Certificate>& out) const;

  const SuppressionProblem& problem_;
  MoveTable table_;
  std::int64_t scale_ = 1, usual_price_ = 1, cost_ = 0;
  bool unrest_ = false;
  std::uint64_t seed_ = 0;
  std::size_t n_alive_ = 0;
  std::vector<std::uint32_t> use_;  // of each cell
  std::vector<Entry> changes_;
  // Lists may name changes that are no longer alive.
  std::vector<std::vector<std::uint32_t>> users_, through_;  // of each candidate; of each demand
  std::vector<std::uint32_t> demand_slot_;                   // of each cell, 0 for none
  std::vector<std::vector<std::uint32_t>> demands_of_cell_;
  std::vector<std::size_t> knowers_at_;  // of each cell, into knowers_
  std::vector<std::uint32_t> knowers_;
};

}  // namespace sdclattice
