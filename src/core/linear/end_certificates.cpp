#include "linear/end_certificates.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/work_clock.hpp"

namespace sdclattice {

namespace {

// Ends that are open at last are tried again, so often, each time with so many times the work.
constexpr std::size_t kHarder = 2, kRounds = 5;

// The directions that keep all limits of a system with one: whole numbers that are 0 where cells
// and rows have a limit.
LinearSystem directions_of(const LinearSystem& system, std::size_t cell) {
  LinearSystem out = system;
  for (std::size_t i = 0; i < out.n_cells(); ++i) {
    out.lower[i] = i == cell;
    if (out.upper[i] < kNoLimit) out.upper[i] = 0;
  }
  for (std::size_t r = 0; r < out.n_rows(); ++r) {
    if (out.row_lower[r] > -kNoLimit) out.row_lower[r] = 0;
    if (out.row_upper[r] < kNoLimit) out.row_upper[r] = 0;
  }
  return out;
}

class Certifier {
 public:
  Certifier(const LinearSystem& system, const CertificateLimits& limits, WorkClock& watch)
      : system_(system),
        max_entries_(limits.max_entries),
        check_([&watch] { watch.check(); }),
        prover_(system, check_, limits.proof),
        tables_(system, limits.max_entries, check_) {}

  std::size_t table(const AskedEnd& end) {
    try {
      return tables_.reach(end.cell, end.sign, end.value);
    } catch (const TooLargeError&) {
      return SIZE_MAX;
    }
  }
  std::optional<EndProof> proof(const AskedEnd& end, std::size_t table) {
    std::vector<std::int64_t> x = tables_.base();
    if (table < tables_.size()) {
      const TableChange& change = tables_[table];
      for (std::size_t k = 0; k < change.cell.size(); ++k) x[change.cell[k]] = change.value[k];
    }
    return prover_.prove(end.cell, end.sign, end.value, x);
  }
  void work_harder() { prover_.work_harder(kHarder); }
  std::optional<TableChange> direction(const AskedEnd& end) const {
    try {
      const LinearSystem ways = directions_of(system_, end.cell);
      const EndTables found(ways, max_entries_, check_);
      TableChange out;
      for (std::uint32_t i = 0; i < found.base().size(); ++i) {
        if (found.base()[i] == 0) continue;
        out.cell.push_back(i);
        out.value.push_back(found.base()[i]);
      }
      return out;
    } catch (const InfeasibleError&) {
    } catch (const TooLargeError&) {
    }
    return std::nullopt;
  }
  // The tables that some end has, numbered anew.
  void give_tables(EndCertificates& out) const {
    out.base = tables_.base();
    std::vector<std::size_t> number(tables_.size(), SIZE_MAX);
    for (std::size_t& t : out.table) {
      if (t >= tables_.size()) continue;
      if (number[t] == SIZE_MAX) {
        number[t] = out.tables.size();
        out.tables.push_back(tables_[t]);
      }
      t = number[t];
    }
  }

 private:
  const LinearSystem& system_;
  std::size_t max_entries_;
  std::function<void()> check_;
  EndProver prover_;
  EndTables tables_;
};

template <class Found>
std::size_t keep(std::optional<Found>&& found, std::vector<Found>& all) {
  if (!found) return SIZE_MAX;
  all.push_back(std::move(*found));
  return all.size() - 1;
}

void certify(Certifier& certifier, const AskedEnd& end, std::size_t k, EndCertificates& out) {
  if (end.value >= kNoLimit) {
    out.direction[k] = keep(certifier.direction(end), out.directions);
    return;
  }
  out.table[k] = certifier.table(end);
  out.proof[k] = keep(certifier.proof(end, out.table[k]), out.proofs);
}

void retry(Certifier& certifier, const std::vector<AskedEnd>& asked, EndCertificates& out) {
  for (std::size_t round = 0; round < kRounds; ++round) {
    certifier.work_harder();
    for (std::size_t k = 0; k < asked.size(); ++k)
      if (asked[k].value < kNoLimit && out.proof[k] == SIZE_MAX)
        out.proof[k] = keep(certifier.proof(asked[k], out.table[k]), out.proofs);
  }
}

}  // namespace

EndCertificates certify_ends(const LinearSystem& system, const std::vector<AskedEnd>& asked,
                             const CertificateLimits& limits, const Tick& tick) {
  WorkClock watch(limits.seconds, tick);
  EndCertificates out;
  out.table.assign(asked.size(), SIZE_MAX);
  out.proof.assign(asked.size(), SIZE_MAX);
  out.direction.assign(asked.size(), SIZE_MAX);
  std::optional<Certifier> certifier;
  try {
    certifier.emplace(system, limits, watch);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      if (watch.is_up()) throw WorkTimeUp();
      certify(*certifier, asked[k], k, out);
      watch.done = static_cast<double>(k + 1) / static_cast<double>(asked.size());
    }
    retry(*certifier, asked, out);
  } catch (const WorkTimeUp&) {
    out.late = true;
  }
  if (certifier) certifier->give_tables(out);
  return out;
}

}  // namespace sdclattice
