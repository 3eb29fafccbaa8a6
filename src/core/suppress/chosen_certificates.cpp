#include "suppress/chosen_certificates.hpp"

#include <cstddef>
#include <cstdint>

namespace sdclattice {

CellBits free_cells(const SuppressionProblem& problem, const CellBits& candidates,
                    const std::vector<std::uint32_t>& known) {
  CellBits out = candidates;
  for (std::size_t i = 0; i < problem.n_cells(); ++i)
    if (problem.role[i] == CellRole::primary || problem.role[i] == CellRole::unseen) out.add(i);
  for (const std::uint32_t i : known) out.remove(i);
  return out;
}

bool is_met_anyway(const SuppressionProblem& problem, const CertificatePool& pool,
                   const ReaderDemand& reader) {
  const Demand& demand = problem.demands[reader.demand];
  const CellBits free = free_cells(problem, CellBits(problem.n_cells()), reader.known);
  return pool.reach(demand.cell, free).meets(demand);
}

std::vector<Certificate> chosen_certificates(const SuppressionProblem& problem,
                                             const CertificatePool& pool,
                                             const CellBits& candidates) {
  CertificatePool chosen(problem.n_cells());
  const auto choose = [&](std::size_t k) {
    if (k != CertificatePool::kNone) chosen.add(pool[k]);
  };
  for (const ReaderDemand& reader : reader_demands(problem)) {
    const Demand& demand = problem.demands[reader.demand];
    const CellBits free = free_cells(problem, candidates, reader.known);
    const CertificatePool::Reach has = chosen.reach(demand.cell, free);
    if (has.meets(demand)) continue;
    const CertificatePool::Reach may = pool.reach(demand.cell, free);
    CertificatePool::Reach with_up = has, with_down = has;
    with_up.up = may.up;
    with_down.down = may.down;
    const bool takes_down = !with_up.meets(demand);
    const bool takes_up = !takes_down || !with_down.meets(demand);
    if (takes_up && may.up > has.up) choose(may.up_at);
    if (takes_down && may.down > has.down) choose(may.down_at);
  }
  std::vector<Certificate> out;
  for (std::size_t k = 0; k < chosen.size(); ++k) out.push_back(chosen[k]);
  return out;
}

}  // namespace sdclattice
