// The table of one part of a system in which a weighted sum of the cells is least: branch and bound
// over whole numbers.
//
// The linear programme of each node starts where the last one ended. Its multipliers give a bound
// in exact whole numbers (sum_bound.hpp), and limits within which every better table lies.
// Floating point proposes and decides nothing. Which cell is branched on follows from what earlier
// branchings have cost, and from trials where little is known (reliability branching: Achterberg,
// Koch and Martin 2005). A branch is followed down until it ends, then the node with the least
// bound is next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "linear/branch_limits.hpp"
#include "linear/presolve.hpp"
#include "linear/repair_walk.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/sum_bound.hpp"

namespace sdclattice {

class BestParts;

class BestSearch {
 public:
  // All cells have limits. `first`: cells that are branched on before all others. Keeps a reference
  // to the part and to the clock. `helped`: whether smaller searches may look for tables.
  BestSearch(const PresolvedPart& part, std::vector<std::int64_t> weight, std::vector<char> first,
             WorkClock& watch, bool helped);
  ~BestSearch();

  // At most so many nodes, until done. The clock's exceptions pass; table and bound stay valid.
  void advance(std::size_t nodes);
  bool done() const { return !at_node_ && open_.empty() && !smaller_; }
  // A table that may be better; false when it is none, or no better.
  bool record(const std::vector<std::int64_t>& x);
  // Empty when none was found; when done, there is none.
  const std::vector<std::int64_t>& table() const { return best_; }
  std::int64_t sum() const { return best_sum_; }
  // No table has a smaller sum.
  std::int64_t bound() const;

 private:
  // The limits of a node, from itself back to the root.
  struct Step {
    std::shared_ptr<const Step> before;
    std::uint32_t cell;
    std::int64_t lower, upper;
  };
  struct Node {
    std::int64_t bound;
    std::shared_ptr<const Step> path;
    std::size_t number = 0;
    // How the node came about, to learn from: whether up, how far, and the sum before.
    bool up = false;
    double share = 0.0, before = 0.0;
  };
  struct IsLater {
    bool operator()(const Node& a, const Node& b) const {
      return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
    }
  };
  // What it has cost to push a cell up or down by 1.
  struct Cost {
    double sum[2] = {0.0, 0.0};
    std::size_t n[2] = {0, 0};
  };
  // A cell that the programme has between whole numbers.
  struct Fraction {
    std::uint32_t cell;
    double at;
    double score = 0.0;  // as expected before any trial
  };
  struct Choice {
    std::uint32_t cell = UINT32_MAX;
    std::int64_t floor = 0;
    bool up_first = false;
    double at = 0.0, sum = 0.0;  // of the programme
  };

  std::int64_t target() const { return best_.empty() ? kNoLimit : best_sum_ - 1; }
  void visit();
  bool bound_node(ClimbEnd end);
  bool narrow_by(const SumBound& bound, const std::vector<std::int64_t>& lower,
                 const std::vector<std::int64_t>& upper);
  bool narrow(std::uint32_t cell, std::int64_t lower, std::int64_t upper);
  void jump();
  void undo(std::size_t before);
  void tell(std::size_t before);
  double value() const;
  void learn();
  void look_for_tables();
  void find_fractional();
  void branch();
  void split(const Choice& choice);
  bool choose(Choice& out);
  bool try_out(const Fraction& f, bool up, double sum, double& gain);
  void close_side(const Fraction& f, bool up);
  bool may_try(std::uint32_t cell) const;
  static double score(const double (&gain)[2]);
  double expected(const Fraction& f, bool up) const;
  void note_cost(std::uint32_t cell, bool up, double cost);
  Choice any_open_cell() const;
  void search_around(const std::vector<std::int64_t>& at);
  void restart();
  void advance_and_record(BestParts& parts, std::size_t nodes);
  void advance_smaller(std::size_t nodes);

  const PresolvedPart& part_;
  const LinearSystem& system_;
  std::vector<std::int64_t> weight_;
  std::vector<char> first_;
  WorkClock& watch_;
  bool helped_;
  SparseSimplex simplex_;
  RepairWalk walk_;
  BranchLimits branch_;
  PublicRandom random_{0};
  std::vector<SparseSimplex::Term> objective_;  // its largest value is the least sum

  std::priority_queue<Node, std::vector<Node>, IsLater> open_;
  Node node_{};
  bool at_node_ = true;
  double sum_of_node_ = 0.0;  // of the programme
  // What the root leaves where that is much less, in its place: it may fall into parts.
  std::unique_ptr<BestParts> smaller_;
  std::int64_t proved_ = 0;            // no table had a smaller sum before
  std::int64_t tried_sum_ = kNoLimit;  // of the best table when a restart was last thought of
  std::size_t n_nodes_ = 0, n_made_ = 0;
  std::size_t at_root_ = 0;  // changes of limits that hold for all nodes
  SumBound root_;
  std::vector<std::int64_t> root_lower_, root_upper_;
  std::vector<Fraction> fractional_;
  std::vector<Cost> cost_;
  double cost_sum_ = 0.0;
  std::size_t cost_n_ = 0;
  std::size_t trial_steps_ = 0;
  std::size_t next_help_ = 0;
  std::vector<std::int64_t> best_;
  std::int64_t best_sum_ = 0;
};

}  // namespace sdclattice
