// Query spaces for tests, with the standing of each set by its definition.
#pragma once

#include <algorithm>
#include <vector>

#include "families.hpp"
#include "server/query_space.hpp"

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
};

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
  return !has(c.released, set) && set_size(set) <= c.rules.max_dimension &&
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

inline Case make_case(std::size_t n, Family released, PublicRandom& random) {
  Case out;
  out.n = n;
  out.released = released;
  out.rules.n_variables = n;
  out.rules.stepwise = random.below(3) > 0;
  out.rules.step = random.below(2) == 0 ? Step::any : Step::frontier;
  out.rules.enclosed = random.below(3) == 0;
  if (out.rules.enclosed)
    for (std::size_t i = 1 + random.below(3); i > 0; --i)
      out.rules.envelope.push_back(random.below(out.end()));
  if (random.below(3) == 0) out.rules.max_dimension = 1 + random.below(n);
  out.state.released = families::maximal(released, n);
  for (std::size_t i = random.below(3); i > 0; --i)
    out.state.refused.push_back(1 + random.below(out.end() - 1));
  return out;
}

// All families up to 4 variables, some of 5 and 6.
inline std::vector<Case> cases(std::uint64_t seed, std::size_t n_random) {
  PublicRandom random(seed);
  std::vector<Case> out;
  for (std::size_t n = 1; n <= 4; ++n)
    for (Family family : families::all(n)) out.push_back(make_case(n, family, random));
  for (std::size_t n = 5; n <= 6; ++n)
    for (std::size_t i = 0; i < n_random; ++i)
      out.push_back(make_case(n, families::random(n, random), random));
  return out;
}

inline std::vector<SubTable> sorted(std::vector<SubTable> sets) {
  std::sort(sets.begin(), sets.end());
  return sets;
}

}  // namespace space_cases
