// Pairs of tables as the checker of releases reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "certify/planned_tree.hpp"
#include "certify/random_risks.hpp"
#include "release/verify_release.hpp"

namespace random_risks {

inline std::vector<std::vector<std::uint32_t>> as_lists(const std::vector<SubTable>& sets) {
  std::vector<std::vector<std::uint32_t>> out;
  for (SubTable set : sets) {
    out.emplace_back();
    for (std::uint32_t v = 0; v < 64; ++v)
      if (set >> v & 1) out.back().push_back(v);
  }
  return out;
}

// The certificates as the checker reads them.
struct Listed {
  std::vector<std::int32_t> target, cell;
  std::vector<double> start;
  CertificateList list;
  Listed(const PairCertificates& x, std::size_t n_words)
      : target(x.target.begin(), x.target.end()),
        cell(x.cell.begin(), x.cell.end()),
        start(x.start.begin(), x.start.end()) {
    list.keys = x.keys.data();
    list.n_keys = x.keys.size() / n_words;
    list.target = target.data();
    list.n = target.size();
    list.start = start.data();
    list.n_start = start.size();
    list.cell = cell.data();
    list.by = x.by.data();
    list.n_entries = cell.size();
  }
};

inline ReleaseCheck check_pairs(const Case& x, const std::vector<SubTable>& frontier,
                                std::int64_t beta, const PairCertificates& certificates) {
  const Listed listed(certificates, x.layout.n_words());
  return check_certificates(x.layout, x.view(), x.at_risk, as_lists(frontier), beta, listed.list,
                            {});
}

}  // namespace random_risks
