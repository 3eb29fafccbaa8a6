#include "suppress/certificate_pool.hpp"

#include <utility>

namespace sdclattice {

bool CellBits::is_inside(const CellBits& other) const {
  for (std::size_t w = 0; w < words_.size(); ++w)
    if ((words_[w] & ~other.words_[w]) != 0) return false;
  return true;
}

void CertificatePool::add(Certificate certificate) {
  CellBits support(by_cell_.size());
  for (std::size_t e = 0; e < certificate.cell.size(); ++e) {
    support.add(certificate.cell[e]);
    by_cell_[certificate.cell[e]].push_back({certificates_.size(), certificate.change[e]});
  }
  support_.push_back(std::move(support));
  certificates_.push_back(std::move(certificate));
}

void CertificatePool::add_difference(const std::vector<std::int64_t>& from,
                                     const std::vector<std::int64_t>& to) {
  Certificate out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i]) continue;
    out.cell.push_back(static_cast<std::uint32_t>(i));
    out.change.push_back(to[i] - from[i]);
  }
  if (!out.cell.empty()) add(std::move(out));
}

CertificatePool::Reach CertificatePool::reach(std::uint32_t cell, const CellBits& free) const {
  Reach out;
  for (const Entry& entry : by_cell_[cell]) {
    const bool farther = entry.change > 0 ? entry.change > out.up : -entry.change > out.down;
    if (!farther || !support_[entry.certificate].is_inside(free)) continue;
    (entry.change > 0 ? out.up : out.down) = entry.change > 0 ? entry.change : -entry.change;
    (entry.change > 0 ? out.up_at : out.down_at) = entry.certificate;
  }
  return out;
}

}  // namespace sdclattice
