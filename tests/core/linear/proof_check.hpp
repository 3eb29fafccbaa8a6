// Checks a proof of an end the slow way, on dense rows; nothing here calls the core.
#pragma once

#include "base/wide_int.hpp"
#include "linear/end_proof.hpp"
#include "small_tables.hpp"

namespace proof_check {

using namespace small_tables;
using sdclattice::Combination;
using sdclattice::EndProof;
using Wide = sdclattice::WideInt;

// The least of the sum of the rows over the limits exceeds the sum of the rows' limits.
inline bool excludes(const LinearSystem& system, const Combination& rows, const Whole& lower,
                     const Whole& upper) {
  for (std::size_t i = 0; i < lower.size(); ++i)
    if (lower[i] > upper[i]) return true;
  std::vector<Wide> sum(system.n_cells(), 0);
  Wide room = 0;
  for (std::size_t k = 0; k < rows.row.size(); ++k) {
    const std::size_t r = rows.row[k];
    const Wide times = rows.times[k];
    const std::int64_t limit = times > 0 ? system.row_upper[r] : system.row_lower[r];
    if (times == 0 || limit >= kNoLimit || limit <= -kNoLimit) return false;
    room += times * limit;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      sum[system.cell[e]] += times * system.coefficient[e];
  }
  Wide least = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (sum[i] < 0 && upper[i] >= kNoLimit) return false;
    if (sum[i] != 0) least += sum[i] * (sum[i] > 0 ? lower[i] : upper[i]);
  }
  return least > room;
}

struct Place {
  std::size_t node = 0, leaf = 0;
};

inline bool proves_below(const LinearSystem& system, const EndProof& proof, Place& at, Whole lower,
                         Whole upper) {
  if (at.node >= proof.nodes.size()) return false;
  const EndProof::Node node = proof.nodes[at.node++];
  if (node.cell == UINT32_MAX) {
    if (at.leaf >= proof.leaves.size()) return false;
    return excludes(system, proof.leaves[at.leaf++], lower, upper);
  }
  Whole low = lower, high = upper;
  high[node.cell] = std::min(high[node.cell], node.at);
  low[node.cell] = std::max(low[node.cell], node.at + 1);
  return proves_below(system, proof, at, lower, high) &&
         proves_below(system, proof, at, low, upper);
}

// No solution has sign * cell > sign * end, and nothing of the proof is left over.
inline bool proves(const LinearSystem& system, const EndProof& proof, std::size_t cell, int sign,
                   std::int64_t end) {
  Whole lower = system.lower, upper = system.upper;
  if (sign > 0)
    lower[cell] = std::max(lower[cell], end + 1);
  else
    upper[cell] = std::min(upper[cell], end - 1);
  Place at;
  return proves_below(system, proof, at, lower, upper) && at.node == proof.nodes.size() &&
         at.leaf == proof.leaves.size();
}

}  // namespace proof_check
