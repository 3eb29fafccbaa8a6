// For ends of cells: a solution that attains the end, and a proof that none goes beyond. Where an
// end is none, a direction in which the cell grows from any solution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/tick.hpp"
#include "linear/end_proof.hpp"
#include "linear/end_table.hpp"

namespace sdclattice {

struct AskedEnd {
  std::uint32_t cell = 0;
  int sign = 1;            // the upper end, or -1: the lower one
  std::int64_t value = 0;  // kNoLimit: there is no upper end
};

struct EndCertificates {
  std::vector<std::int64_t> base;   // a solution; empty when none was found
  std::vector<TableChange> tables;  // that differ from it
  std::vector<EndProof> proofs;
  std::vector<TableChange> directions;               // cells that change, and by how much
  std::vector<std::size_t> table, proof, direction;  // of each asked end; SIZE_MAX: none was found
  bool late = false;                                 // the time ended the work
};

struct CertificateLimits {
  double seconds = 60;
  std::size_t max_entries = 25000000;  // of an exact tableau
  ProofLimits proof;
};

// InfeasibleError when there is no solution.
EndCertificates certify_ends(const LinearSystem& system, const std::vector<AskedEnd>& asked,
                             const CertificateLimits& limits, const Tick& tick);

}  // namespace sdclattice
