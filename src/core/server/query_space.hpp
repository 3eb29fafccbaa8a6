// The query space of a table server: which sub-tables are released, which may be requested, and
// which may not. All of it follows from the policy, which is public, and from what was decided.
//
// Sets are sets of steps (table/level_steps.hpp): of variables where each has one level. All sets
// here are closed, those that are given and those that come out.
//
// Released sets hold all sets inside of them, so the maximal ones, the frontier, say everything;
// refused ones are held by all sets that were refused for risk, so the minimal ones do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/tick.hpp"
#include "sets/sub_tables.hpp"
#include "table/level_steps.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

// Has a set one step more than a released one, or than a maximal released one?
enum class Step { any, frontier };

struct SpaceRules {
  LevelSteps steps;
  bool stepwise = true;  // only what is one step from a released set may be requested
  Step step = Step::any;
  bool enclosed = false;  // only what lies inside of the envelope may be requested
  std::vector<SubTable> envelope;
  std::size_t max_dimension = kMaxSubTableVariables;  // variables of a set
};

// What was decided, as a value: the maximal released sets, all steps inside of them,
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

// The most sets that are laid out, and that one page or one question looks at.
constexpr double kMaxPlaces = 1 << kEnumerated;
constexpr std::size_t kMaxWalked = 5000;

class QuerySpace {
 public:
  QuerySpace(SpaceRules rules, SpaceState state);

  const LevelSteps& steps() const { return rules_.steps; }
  std::size_t n_variables() const { return rules_.steps.n_variables(); }
  SubTable all_steps() const { return rules_.steps.all(); }
  const SpaceState& state() const { return state_; }

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
  // What is near a set that cannot be had: sets inside of it that are released or eligible. Those
  // with most variables first, then with most steps, so that what others hold comes after them; up
  // to the first released one, which is the last, or until `most` were found or kMaxWalked looked
  // at. It does not depend on what was refused.
  std::vector<SubTable> coarser_than(SubTable set, std::size_t most) const;

  // How many eligible sets of each number of variables hold `held`, where so many are released;
  // empty where there are too many bounds to count by.
  std::vector<double> count_open(SubTable held, const std::vector<double>& released,
                                 const Tick& tick) const;
  // The standing of each set, by its place. At most kMaxPlaces places.
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
// The sets, and those with one step more; each once.
std::vector<SubTable> one_step_up(const std::vector<SubTable>& sets, const LevelSteps& steps);

// How many sets with 0, 1, ... variables lie inside of one of `bounds` and hold `held`.
std::vector<double> count_inside(const LevelSteps& steps, const std::vector<SubTable>& bounds,
                                 SubTable held, const Tick& tick);
// How many of them hold `held` and one of `sets`.
std::vector<double> count_above(const LevelSteps& steps, const std::vector<SubTable>& sets,
                                SubTable held, const Tick& tick);

// Numbers of sets by their number of variables, 0 to n. `open` is empty where there are too many
// bounds to count by.
struct LevelCounts {
  std::vector<double> released, open, refused;
};
// Of the sets that hold `held`: from the layout, and by intersections for any number of variables.
LevelCounts count_laid_out(const std::vector<char>& layout, const LevelSteps& steps, SubTable held);
constexpr std::size_t kMaxCountedBounds = 1500;
LevelCounts count_levels(const QuerySpace& space, SubTable held, const Tick& tick);

}  // namespace sdclattice
