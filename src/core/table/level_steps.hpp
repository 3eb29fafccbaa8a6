// Variables with levels, as sets of steps.
//
// A variable whose categories form a tree of L levels below the total has L steps, from coarse to
// fine, which stand next to each other: to choose level j of it is to choose its steps 1 to j
// (thermometer coding). A choice of levels for all variables is thus a set of steps that holds,
// with each step, the coarser ones of its variable: a closed set. Inclusion of closed sets is the
// order of the product of chains (drop a variable, or coarsen it), their intersections and unions
// are its meets and joins, and with one level for each variable all sets are closed.
//
// Why a search over sets of variables may take steps for variables. The table over the steps has
// the coarse category as its first coordinate, and then the number of each node among the children
// of its parent. The margin over a closed set has the cells of the margin at those levels. Some
// combinations of coordinates stand for no node. They are empty, and whoever knows the margin over
// all steps of the variable sees that: as these margins are always released (they are the one-way
// tables), the tables over the steps that agree with a release are exactly the tables that agree
// with it. So intervals, widths, closed forms and certificates are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table/part_table.hpp"

namespace sdclattice {

class LevelSteps {
 public:
  // So many variables of one level.
  LevelSteps(std::size_t n_variables = kMaxSubTableVariables);
  // The number of levels of each variable, at least 1. At most kMaxSubTableVariables steps.
  explicit LevelSteps(const std::vector<std::size_t>& n_levels);

  std::size_t n_steps() const { return n_steps_; }
  std::size_t n_variables() const { return first_.size(); }
  std::size_t n_levels(std::size_t v) const { return n_levels_[v]; }
  SubTable all() const;
  SubTable steps_of(std::size_t v) const;
  SubTable first_steps() const { return firsts_; }
  bool are_variables() const { return n_steps() == n_variables(); }

  bool is_closed(SubTable set) const { return (coarser(set) & ~set) == 0; }
  SubTable closure(SubTable set) const;   // the least closed set that holds it
  SubTable interior(SubTable set) const;  // the largest closed set inside of it

  // Of closed sets: how many variables they have, and which level of one (0: none).
  std::size_t n_variables_in(SubTable set) const { return set_size(set & firsts_); }
  std::size_t level_of(SubTable set, std::size_t v) const { return set_size(set & steps_of(v)); }
  // The closed sets inside of a set, without the empty one.
  std::int64_t n_inside(SubTable set) const;
  // A step and the finer ones of its variable.
  SubTable from_step(std::size_t step) const;
  // The steps by each of which a closed set may grow, or shrink, and be closed.
  SubTable next_steps(SubTable set) const;
  SubTable last_steps(SubTable set) const { return set & ~coarser(set); }

  // Closed sets have places: the numbers whose digits are the levels, the first variable fastest.
  // With one level for each variable a set is its own place.
  double n_places() const;
  std::size_t stride(std::size_t v) const { return strides_[v]; }
  std::size_t place(SubTable set) const;

 private:
  // The steps just before those of the set, of their variables.
  SubTable coarser(SubTable set) const { return (set & ~firsts_) >> 1; }

  std::size_t n_steps_ = 0;
  std::vector<std::size_t> first_, n_levels_, strides_;
  SubTable firsts_ = 0;
};

// Calls visit(place, set) for each closed set, by place. There must be room for the places.
template <class Visit>
void for_closed_sets(const LevelSteps& steps, Visit visit) {
  const std::size_t n = steps.n_variables();
  std::vector<std::size_t> level(n, 0);
  SubTable set = 0;
  for (std::size_t place = 0;; ++place) {
    visit(place, set);
    std::size_t v = 0;
    for (; v < n && level[v] == steps.n_levels(v); ++v) {
      level[v] = 0;
      set &= ~steps.steps_of(v);
    }
    if (v == n) return;
    ++level[v];
    set |= steps.next_steps(set) & steps.steps_of(v);
  }
}

// For each place: does some of these closed sets hold it? And: does it hold some?
std::vector<char> lay_out_below(const LevelSteps& steps, const std::vector<SubTable>& sets);
std::vector<char> lay_out_above(const LevelSteps& steps, const std::vector<SubTable>& sets);

// How many closed sets with 0, 1, ... variables hold `low` and lie inside of `high`.
std::vector<double> count_between(const LevelSteps& steps, SubTable low, SubTable high);

}  // namespace sdclattice
