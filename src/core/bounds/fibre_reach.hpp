// How far cells of a table can move when some of its margins are released: certainly not beyond an
// outer interval, certainly as far as an attained one.
//
// Both close in on the sharp interval, from two sides: walks of basic moves (basic_moves.hpp), then
// whole numbers: linear programmes with branch and bound where there are few cells
// (exact_simplex.hpp), else the search for sparse systems (sparse_search.hpp). The true table is
// known, so there is a solution to start from. Work on a cell stops as soon as the question asked
// is decided: is its interval at least so wide?
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/work_clock.hpp"
#include "bounds/basic_moves.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/table_reach.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

constexpr std::int64_t kAnyWidth = INT64_MAX / 4;  // decided by the sharp interval only

struct CellReach {
  std::int64_t lower = 0, upper = 0;  // no table goes beyond
  std::int64_t least = 0, most = 0;   // tables that attain them are known
  std::int64_t attained() const { return most - least; }
  std::int64_t outer() const { return upper - lower; }
  bool closed() const { return lower == least && upper == most; }
  // Whether the width is known to be at least `target`, or less.
  bool decided(std::int64_t target) const {
    return attained() >= target || closed() || (target < kAnyWidth && outer() < target);
  }
};

struct ReachLimits {
  bool programmes = true;  // else walks alone
  bool debts = true;       // walks with debts too
  std::size_t max_programme_cells = 20000;
  std::size_t max_entries = 25000000;
  std::size_t max_choices = 32;  // boxes a non-face and step of a walk
  std::size_t max_non_faces = 5000;
};

class FibreReach {
 public:
  // `frontier`: the released margins, as sets of the component's variables. The table and the clock
  // must live as long.
  FibreReach(const PartTable& table, std::vector<SubTable> frontier, const ReachLimits& limits,
             WorkClock& clock);
  ~FibreReach();

  // Of the k-th cell asked about.
  const CellReach& reach(std::size_t k) const { return reach_[k]; }
  // Narrows and widens until decided; false when it gave up, for want of time or room. Without
  // `programmes` by walks alone.
  bool settle(std::size_t k, std::int64_t target, bool programmes = true);
  // Limits that somebody else knows: outer, or attained.
  void add_outer(std::size_t k, std::int64_t lower, std::int64_t upper);
  void add_attained(std::size_t k, std::int64_t least, std::int64_t most);
  // Called with each table that is found, as changes of the true one.
  std::function<void(const std::vector<CountChange>&)> on_table;

  std::size_t n_programmes() const {
    return n_programmes_ + (sparse_ ? sparse_->n_programmes() : 0);
  }
  bool gave_up() const { return gave_up_; }

 private:
  void walk(std::size_t k, std::int64_t target);
  void prepare_walks();
  void narrow();
  bool settle_whole(std::size_t k, std::int64_t target);
  void start_programme();
  bool solve(std::size_t k, std::int64_t target);
  bool search_sparse(std::size_t k, std::int64_t target);
  void take_table(const std::vector<std::int64_t>& values);
  bool fall_back(std::size_t k, std::int64_t target);
  std::vector<std::int64_t> own_counts() const;
  void relax(std::size_t k, int sign);
  void try_end(std::size_t k, int sign);
  bool search();
  bool record_if_whole();
  void record(const std::vector<CountChange>& changes);

  const PartTable& table_;
  std::vector<SubTable> frontier_;
  ReachLimits limits_;
  WorkClock& clock_;
  std::vector<CellReach> reach_;
  std::vector<std::int64_t> walked_;  // how far each cell asked about was walked, at least tried
  std::optional<BasicMoves> moves_;
  // The programme: its cells, as those of the component, and where the cells asked about are in it.
  std::unique_ptr<LinearSystem> system_;
  std::unique_ptr<ExactSimplex> simplex_;
  std::unique_ptr<TableReach> sparse_;
  std::vector<std::size_t> cells_;
  std::vector<std::uint32_t> in_system_;
  bool too_large_ = false, no_tableau_ = false, gave_up_ = false;
  std::size_t n_programmes_ = 0, depth_ = 0, n_failed_ = 0;
};

}  // namespace sdclattice
