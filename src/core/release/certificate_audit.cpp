#include "release/certificate_audit.hpp"

#include <algorithm>
#include <cassert>

namespace sdclattice {

namespace {

std::vector<std::uint32_t> cells_at_risk(const CertificateFile& file) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < file.counts.size(); ++i) {
    const std::uint64_t asked = file.names_cells ? i : static_cast<std::uint64_t>(file.counts[i]);
    if (std::binary_search(file.risk.begin(), file.risk.end(), asked))
      out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

AuditFault as_audit_fault(CertificateFault fault) {
  switch (fault) {
    case CertificateFault::none:
      return AuditFault::none;
    case CertificateFault::negative:
      return AuditFault::negative;
    case CertificateFault::margin:
      return AuditFault::margin;
    case CertificateFault::narrow:
      return AuditFault::narrow;
    // A file that was read has no numbers that lead nowhere.
    case CertificateFault::damaged:
      assert(false);
      [[fallthrough]];
    case CertificateFault::missing:
      break;
  }
  return AuditFault::missing;
}

// Is each certificate for a cell at risk, and for another one?
void check_targets(const CertificateFile& file, const std::vector<std::uint32_t>& at_risk,
                   CertificateAudit& out) {
  std::vector<char> asked(file.counts.size(), 0);
  for (std::uint32_t cell : at_risk) asked[cell] = 1;
  for (std::int32_t target : file.target) {
    char& state = asked[static_cast<std::size_t>(target)];
    if (state != 1) {
      out.fault = state == 0 ? AuditFault::not_at_risk : AuditFault::repeated;
      out.cell = static_cast<std::size_t>(target);
      return;
    }
    state = 2;
  }
}

}  // namespace

CertificateAudit audit_certificates(const CertificateFile& file, const Tick& tick,
                                    std::size_t threads) {
  const std::vector<std::uint32_t> at_risk = cells_at_risk(file);
  CertificateAudit out;
  out.n_at_risk = at_risk.size();
  check_targets(file, at_risk, out);
  if (out.fault != AuditFault::none) return out;
  const Layout layout = file.layout();
  const ReleaseCheck found = check_certificates(layout, file.cells(), at_risk, file.tables,
                                                file.beta, file.list(layout), tick, threads);
  if (found.fault == CertificateFault::none) return out;
  out.fault = as_audit_fault(found.fault);
  out.cell = at_risk[found.at];
  // The checker counts the total first.
  out.table = found.margin == 0 ? file.tables.size() : found.margin - 1;
  return out;
}

}  // namespace sdclattice
