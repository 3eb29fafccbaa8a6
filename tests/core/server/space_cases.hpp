// Query spaces for tests, with the standing of each set by its definition. Sets are sets of steps;
// `n` is the number of steps. Where all variables have one level, all sets are closed.
#pragma once

#include <algorithm>
#include <vector>

#include "families.hpp"
#include "server/query_space.hpp"
#include "table/level_steps.hpp"

namespace space_cases {

using namespace sdclattice;
using families::Family;
using families::has;

struct Case {
  std::size_t n = 0;
  Family released = 0;
  SpaceRules rules;
  SpaceState state;

  QuerySpace space() const { return QuerySpace(rules, state); }
  SubTable end() const { return SubTable{1} << n; }
  std::size_t n_variables() const { return rules.steps.n_variables(); }
};

// With each step the one before it, unless it is the first of its variable.
inline bool closed(const Case& c, SubTable set) {
  for (std::size_t step = 1; step < c.n; ++step) {
    const bool first = (c.rules.steps.first_steps() >> step & 1) != 0;
    if (!first && (set >> step & 1) != 0 && (set >> (step - 1) & 1) == 0) return false;
  }
  return true;
}

inline std::size_t dimension(const Case& c, SubTable set) {
  return set_size(set & c.rules.steps.first_steps());
}

inline std::vector<SubTable> closed_sets(const Case& c) {
  std::vector<SubTable> out;
  for (SubTable set = 0; set < c.end(); ++set)
    if (closed(c, set)) out.push_back(set);
  return out;
}

// By their definitions, for one set.
inline bool lies_in_envelope(const Case& c, SubTable set) {
  for (SubTable whole : c.rules.envelope)
    if ((set & ~whole) == 0) return true;
  return false;
}

inline bool one_step(const Case& c, SubTable set) {
  for (std::size_t v = 0; v < c.n; ++v) {
    if ((set >> v & 1) == 0) continue;
    const SubTable part = set & ~(SubTable{1} << v);
    bool maximal = true;
    for (std::size_t w = 0; w < c.n; ++w)
      if ((part >> w & 1) == 0 && has(c.released, part | SubTable{1} << w)) maximal = false;
    if (has(c.released, part) && (c.rules.step == Step::any || maximal)) return true;
  }
  return false;
}

inline bool eligible(const Case& c, SubTable set) {
  return closed(c, set) && !has(c.released, set) && dimension(c, set) <= c.rules.max_dimension &&
         (!c.rules.enclosed || lies_in_envelope(c, set)) && (!c.rules.stepwise || one_step(c, set));
}

inline bool above_refused(const Case& c, SubTable set) {
  for (SubTable part : c.state.refused)
    if (!has(c.released, part) && (part & ~set) == 0) return true;
  return false;
}

inline char letter(const Case& c, SubTable set, bool to_operator) {
  if (has(c.released, set)) return 'r';
  if (to_operator && above_refused(c, set)) return 'u';
  return eligible(c, set) ? 'o' : 'c';
}

inline bool lexicographic(SubTable a, SubTable b) {
  const SubTable apart = a ^ b;
  return (a & apart & (~apart + 1)) != 0;
}

inline SubTable random_closed(const Case& c, PublicRandom& random) {
  return c.rules.steps.closure(random.below(c.end()));
}

inline Case make_case(const LevelSteps& steps, Family released, PublicRandom& random) {
  Case out;
  out.n = steps.n_steps();
  out.released = released;
  out.rules.steps = steps;
  out.rules.stepwise = random.below(3) > 0;
  out.rules.step = random.below(2) == 0 ? Step::any : Step::frontier;
  out.rules.enclosed = random.below(3) == 0;
  if (out.rules.enclosed)
    for (std::size_t i = 1 + random.below(3); i > 0; --i)
      out.rules.envelope.push_back(random_closed(out, random));
  if (random.below(3) == 0) out.rules.max_dimension = 1 + random.below(steps.n_variables());
  out.state.released = families::maximal(released, out.n);
  for (std::size_t i = random.below(3); i > 0; --i) {
    const SubTable refused = random_closed(out, random);
    if (refused != 0) out.state.refused.push_back(refused);
  }
  return out;
}

// A family of closed sets that holds, with each, all closed sets inside of it, and all those of one
// variable.
inline Family random_family(const LevelSteps& steps, PublicRandom& random) {
  Family out = 0;
  const std::size_t share = 2 + random.below(4);
  std::vector<SubTable> sets;
  for_closed_sets(steps, [&](std::size_t, SubTable set) { sets.push_back(set); });
  std::stable_sort(sets.begin(), sets.end(),
                   [](SubTable a, SubTable b) { return set_size(a) < set_size(b); });
  for (SubTable set : sets) {
    bool may = steps.n_variables_in(set) <= 1 || random.below(share) > 0;
    for (std::size_t step = 0; step < steps.n_steps(); ++step) {
      const SubTable part = set & ~(SubTable{1} << step);
      if (part != set && steps.is_closed(part)) may = may && has(out, part);
    }
    if (may) out |= Family{1} << set;
  }
  return out;
}

// Variables of one level: all families up to 4, some of 5 and 6. Then some with levels, of at most
// 6 steps.
inline std::vector<Case> cases(std::uint64_t seed, std::size_t n_random) {
  PublicRandom random(seed);
  std::vector<Case> out;
  for (std::size_t n = 1; n <= 4; ++n)
    for (Family family : families::all(n)) out.push_back(make_case(n, family, random));
  for (std::size_t n = 5; n <= 6; ++n)
    for (std::size_t i = 0; i < n_random; ++i)
      out.push_back(make_case(n, families::random(n, random), random));
  const std::vector<std::vector<std::size_t>> levels = {
      {3},       {2, 1},    {1, 2},       {2, 2}, {1, 3, 1},
      {2, 1, 2}, {2, 2, 2}, {1, 1, 2, 2}, {4, 2}, {3, 1, 2}};
  for (const std::vector<std::size_t>& of : levels)
    for (std::size_t i = 0; i < n_random / 3; ++i)
      out.push_back(make_case(LevelSteps(of), random_family(LevelSteps(of), random), random));
  return out;
}

inline std::vector<SubTable> sorted(std::vector<SubTable> sets) {
  std::sort(sets.begin(), sets.end());
  return sets;
}

}  // namespace space_cases
