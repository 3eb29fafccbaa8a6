// Families of sets of variables for tests of the server: what may be released.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "server/query_space.hpp"
#include "table/part_table.hpp"

namespace families {

using sdclattice::set_size;
using sdclattice::SubTable;

// A family that holds all parts of its sets, as bits: bit m stands for the set with the bits of m.
// At most 6 variables.
using Family = std::uint64_t;

inline bool has(Family family, SubTable set) {
  return (family >> set & 1) != 0;
}

inline bool has_all_parts(Family family, SubTable set) {
  for (std::size_t v = 0; v < 6; ++v)
    if ((set >> v & 1) != 0 && !has(family, set & ~(SubTable{1} << v))) return false;
  return true;
}

// The empty set and all sets of one variable.
inline Family one_way(std::size_t n) {
  Family out = 1;
  for (std::size_t v = 0; v < n; ++v) out |= Family{1} << (SubTable{1} << v);
  return out;
}

inline std::vector<SubTable> by_size(std::size_t n) {
  std::vector<SubTable> out;
  for (std::size_t size = 2; size <= n; ++size)
    for (SubTable set = 0; set < SubTable{1} << n; ++set)
      if (set_size(set) == size) out.push_back(set);
  return out;
}

// All families with all sets of one variable: 1, 2, 9, 114, 6894 for 1 to 5 variables.
inline std::vector<Family> all(std::size_t n) {
  std::vector<Family> out = {one_way(n)};
  for (SubTable set : by_size(n)) {
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < before; ++i)
      if (has_all_parts(out[i], set)) out.push_back(out[i] | Family{1} << set);
  }
  return out;
}

inline Family random(std::size_t n, sdclattice::PublicRandom& draw) {
  Family out = one_way(n);
  const std::size_t share = 2 + draw.below(4);
  for (SubTable set : by_size(n))
    if (has_all_parts(out, set) && draw.below(share) > 0) out |= Family{1} << set;
  return out;
}

// The sets of a family that no other of its sets holds.
inline std::vector<SubTable> maximal(Family family, std::size_t n) {
  std::vector<SubTable> out;
  for (SubTable set = 1; set < SubTable{1} << n; ++set) {
    bool alone = has(family, set);
    for (std::size_t v = 0; v < n && alone; ++v)
      alone = (set >> v & 1) != 0 || !has(family, set | SubTable{1} << v);
    if (alone) out.push_back(set);
  }
  return out;
}

}  // namespace families
