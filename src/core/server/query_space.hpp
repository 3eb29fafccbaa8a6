// The query space of a table server: which sub-tables are released, which may be requested, and
// which may not. All of it follows from the policy, which is public, and from what was decided.
//
// Released sets hold all sets inside of them, so the maximal ones, the frontier, say everything;
// refused ones are held by all sets that were refused for risk, so the minimal ones do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/tick.hpp"
#include "sets/sub_tables.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

// Has a set one variable more than a released one, or than a maximal released one?
enum class Step { any, frontier };

struct SpaceRules {
  std::size_t n_variables = 0;
  bool stepwise = true;  // only what is one step from a released set may be requested
  Step step = Step::any;
  bool enclosed = false;  // only what lies inside of the envelope may be requested
  std::vector<SubTable> envelope;
  std::size_t max_dimension = kMaxSubTableVariables;
};

// What was decided, as a value: the maximal released sets, all sets of one variable inside of them,
// and the minimal sets that were refused for risk.
struct SpaceState {
  std::vector<SubTable> released;
  std::vector<SubTable> refused;
};

// `refused` is for operators: it holds a set that was refused for risk. Users see it open or
// closed.
enum class Standing : char { released = 'r', open = 'o', closed = 'c', refused = 'u' };

// Why a set that is not released may not be requested, as anybody can work out.
enum class Closed { no, dimension, envelope, step };

class QuerySpace {
 public:
  QuerySpace(SpaceRules rules, SpaceState state);

  std::size_t n_variables() const { return rules_.n_variables; }
  const SpaceState& state() const { return state_; }
  SubTable all_variables() const;

  bool is_released(SubTable set) const;
  bool holds_refused(SubTable set) const;
  Closed closed(SubTable set) const;  // of a set that is not released
  bool is_eligible(SubTable set) const { return !is_released(set) && closed(set) == Closed::no; }
  Standing standing(SubTable set, bool to_operator) const;

  // Refused sets that were not released by other means since.
  const std::vector<SubTable>& refused_still() const { return refused_still_; }
  // Each released or eligible set lies inside of one of these.
  std::vector<SubTable> bounds() const;
  // Eligible sets that are one step from a released one; where sets cannot be laid out, or the
  // rules want it, from a maximal one.
  std::vector<SubTable> candidates() const;
  // The maximal released parts of a set: large ones first, then in the order of their variables.
  std::vector<SubTable> released_parts(SubTable set) const;
  // Eligible sets on the way to a set: parts of it, one step from a maximal released part. The
  // largest only, as they are nearest.
  std::vector<SubTable> steps_towards(SubTable set) const;

  // How many eligible sets of each size hold `held`, where so many are released; empty where there
  // are too many bounds to count by.
  std::vector<double> count_open(SubTable held, const std::vector<double>& released,
                                 const Tick& tick) const;
  // The standing of each of the 2^n sets, by the bits of its place. At most kEnumerated variables.
  std::vector<char> lay_out(bool to_operator) const;

 private:
  bool is_one_step(SubTable set) const;

  SpaceRules rules_;
  SpaceState state_;
  std::vector<SubTable> refused_still_;
};

bool is_inside_any(SubTable set, const std::vector<SubTable>& sets);
std::vector<SubTable> maximal_sub_tables(const std::vector<SubTable>& sets);
// Each once, in the order of its first appearance.
std::vector<SubTable> distinct_sub_tables(const std::vector<SubTable>& sets);
// The sets, and those with one variable more; each once.
std::vector<SubTable> one_step_up(const std::vector<SubTable>& sets, std::size_t n_variables);

// Numbers of sets by their number of variables, 0 to n. `open` is empty where there are too many
// bounds to count by.
struct LevelCounts {
  std::vector<double> released, open, refused;
};
// Of the sets that hold `held`: from the layout, and by intersections for any number of variables.
LevelCounts count_laid_out(const std::vector<char>& layout, std::size_t n_variables, SubTable held);
constexpr std::size_t kMaxCountedBounds = 1500;
LevelCounts count_levels(const QuerySpace& space, SubTable held, const Tick& tick);

}  // namespace sdclattice
