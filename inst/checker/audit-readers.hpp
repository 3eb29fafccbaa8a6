// Who reads a publication, and what they know besides.
#ifndef SDCLATTICE_AUDIT_READERS_HPP
#define SDCLATTICE_AUDIT_READERS_HPP

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "audit-case.hpp"
#include "audit-search.hpp"

namespace audit {

inline bool is_shown(const Case& now, int leaf) {
  return std::any_of(now.sums.begin(), now.sums.end(),
                     [&](const Sum& sum) { return sum.shown && sum.leaves == Leaves{leaf}; });
}

inline bool knows(const Reader& reader, std::size_t sum) {
  return std::find(reader.sums.begin(), reader.sums.end(), static_cast<int>(sum)) !=
         reader.sums.end();
}

// The hidden sums that hold all of these leaves, and nobody else.
inline std::vector<int> own_sums(const Case& now, const Leaves& cells) {
  std::vector<int> out;
  const Whole people = sum_of(now.truth, cells);
  for (std::size_t k = 0; k < now.sums.size(); ++k) {
    const Sum& sum = now.sums[k];
    if (!sum.hidden ||
        !std::includes(sum.leaves.begin(), sum.leaves.end(), cells.begin(), cells.end()))
      continue;
    // that a total has nobody else would tell zeros; where people are named that is said of each
    const bool same = sum.leaves == cells;
    if (((now.zeros_shown && !now.names_people) || same) && sum_of(now.truth, sum.leaves) == people)
      out.push_back(static_cast<int>(k));
  }
  return out;
}

inline Reader person(const Case& now, const std::string& kind, const Leaves& cells) {
  return {kind, cells, own_sums(now, cells)};
}

// Two who are alone in cells of their own know what either knows, and the totals that hold nobody
// but the two.
inline Reader pair_of(const Case& now, const Reader& one, const Reader& other) {
  Leaves cells = {one.cells[0], other.cells[0]};
  std::sort(cells.begin(), cells.end());
  Reader out = person(now, "coalition", cells);
  std::set<int> sums(out.sums.begin(), out.sums.end());
  sums.insert(one.sums.begin(), one.sums.end());
  sums.insert(other.sums.begin(), other.sums.end());
  out.sums.assign(sums.begin(), sums.end());
  return out;
}

// Everybody; each person who is alone in a leaf that is not published; each pair of these, and the
// two of a leaf. As far as the promise speaks of them.
inline std::vector<Reader> readers_of(const Case& now) {
  std::vector<Reader> out = {{"outsider", {}, {}}};
  if (now.readers.count("contributor") == 0) return out;
  std::vector<Reader> alone = now.people;
  std::vector<Reader> twos;
  for (int leaf = 0; leaf < static_cast<int>(now.truth.size()); ++leaf) {
    if (is_shown(now, leaf)) continue;
    const Whole count = now.truth[static_cast<std::size_t>(leaf)];
    if (count == 1 && !now.names_people) alone.push_back(person(now, "contributor", {leaf}));
    if (count == 2) twos.push_back(person(now, "coalition", {leaf}));
  }
  out.insert(out.end(), alone.begin(), alone.end());
  if (now.readers.count("coalition") == 0) return out;
  out.insert(out.end(), twos.begin(), twos.end());
  for (std::size_t i = 0; i < alone.size(); ++i)
    for (std::size_t j = i + 1; j < alone.size(); ++j)
      out.push_back(pair_of(now, alone[i], alone[j]));
  return out;
}

}  // namespace audit

#endif
