// The cheapest product move through a cell of a table with trees.
//
// What is computed. A direction of a variable is a leaf and either another leaf or none: +1 on the
// nodes that hold the first leaf and not the second, -1 on those that hold the second and not the
// first. It keeps each total of the variable the sum of its parts, and so does the product of one
// direction of each variable: a change by +1 or -1 of the cells whose nodes all change. Searched is
// the product that changes the given cell, changes stored cells alone and costs least: prices of
// the changed cells, added up. A multiple t of the move leaves a table while no cell falls below
// its lower limit: -minus <= t <= plus.
// How. The directions of each variable are priced along the axis through the cell; variables come
// in the order of their numbers of directions. What the axes of the other variables cost at least
// bounds the rest. At most `directions` of a variable, `width` at each step and `looks` look-ups,
// and 256 leaves of a fibre on each side: within these limits the cheapest move is found.
// What it costs. A look-up in a hash table for each changed cell of each product that is tried.
// Agrees with the list of all products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "suppress/stored_cells.hpp"

namespace sdclattice {

// What the multiples of a move that changes the cell by +1 must reach.
struct MoveWish {
  std::int64_t up = 0, down = 0, slide = 1;
  bool is_met(std::int64_t plus, std::int64_t minus) const {
    return plus >= up && minus >= down && plus + minus >= slide;
  }
};

struct MoveEffort {
  std::size_t directions = 60, width = 24, looks = 150000;
  double skip = 0;  // the share of directions that are left out at random
};

struct MoveCell {
  std::uint64_t key;
  std::uint32_t cell;  // StoredCells::kNone where it is not stored
  std::int8_t sign;
};

struct ProductMove {
  std::vector<MoveCell> cells;  // the cell that was asked is the first, with sign +1
  std::int64_t price = 0, plus = 0, minus = 0;
};

// What the search looks at of each stored cell.
struct MoveTable {
  static constexpr std::int64_t kForbidden = INT64_MAX / 4;

  std::vector<std::int64_t> price;
  std::vector<std::int64_t> slack;  // how far the cell can fall
  // Cells that are not stored: their price, kForbidden for moves of tables, and those that are
  // free. With a price for them slacks are not looked at.
  std::int64_t price_of_zero = kForbidden;
  std::vector<std::uint64_t> free_zeros;

  bool allows_debts() const { return price_of_zero < kForbidden; }
  std::int64_t zero(std::uint64_t key) const;
};

class ProductMoveSearch {
 public:
  ProductMoveSearch(const StoredCells& cells, const MoveTable& table);

  // A move with price < bound through the cell, which need not be stored; its own price does not
  // count. False when there is none. Ties are broken by the random stream.
  bool find(std::uint64_t key, const MoveWish& wish, std::int64_t bound, const MoveEffort& effort,
            PublicRandom& random);
  const ProductMove& best() const { return best_; }
  // Cells, ascending, that moves leave alone besides those that the table forbids; they must live
  // while moves are searched.
  void bar(const std::vector<std::uint32_t>* cells) { barred_ = cells; }

 private:
  struct AxisNode {
    std::uint64_t seen = 0;  // by which search
    std::uint32_t cell = 0;
    std::int64_t price = 0;
  };
  struct Direction {
    std::uint32_t first, second;  // second: StoredCells::kNone for none
    std::int64_t price;
    std::uint64_t tie;
  };
  struct Partial {
    std::vector<MoveCell> cells;
    std::int64_t price = 0, plus = 0, minus = 0;
  };

  AxisNode& axis_node(std::size_t variable, std::uint32_t node);
  std::int64_t price_of(std::uint64_t key, std::uint32_t& cell);
  void list_directions(std::size_t variable, const MoveEffort& effort, PublicRandom& random);
  void thin_leaves(std::size_t variable, std::vector<std::uint32_t>& leaves, PublicRandom& random);
  void rank_leaves(std::size_t variable, std::vector<std::uint32_t>& leaves, std::size_t keep);
  std::int64_t direction_price(std::size_t variable, std::uint32_t first, std::uint32_t second);
  void set_steps(std::size_t variable, std::uint32_t first, std::uint32_t second);
  bool extend(const Partial& from, std::size_t variable, std::int64_t rest, Partial& to);
  bool add_cell(const MoveCell& cell, std::int64_t price, Partial& to) const;
  std::size_t list_partials(const Partial& from, std::size_t depth);
  void descend(const Partial& from, std::size_t depth);

  const StoredCells& cells_;
  const MoveTable& table_;
  const std::vector<std::uint32_t>* barred_ = nullptr;
  std::vector<std::vector<AxisNode>> axis_;  // of each variable, by node
  std::uint64_t search_ = 0;
  std::vector<std::vector<Direction>> directions_;
  std::vector<std::size_t> order_;
  std::vector<std::int64_t> rest_;  // what the variables from a depth on cost at least
  std::vector<std::uint32_t> own_leaves_, other_leaves_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> near_;  // leaves, the nearest first
  // The nodes of a direction with their signs, that of the cell left out.
  std::vector<std::pair<std::uint32_t, std::int8_t>> steps_;
  std::vector<std::vector<Partial>> partials_;  // by depth
  std::uint64_t key_ = 0;
  MoveWish wish_;
  MoveEffort effort_;
  std::size_t looks_ = 0;
  std::int64_t bound_ = 0;
  ProductMove best_;
};

}  // namespace sdclattice
