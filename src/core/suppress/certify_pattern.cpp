#include "suppress/certify_pattern.hpp"

#include <algorithm>

#include "base/work_clock.hpp"
#include "suppress/demand_proof.hpp"
#include "suppress/vertex_pool.hpp"
#include "suppress/vertex_search.hpp"

namespace sdclattice {

namespace {

constexpr double kShareOfSearch = .6;  // of the time; the rest is for proofs

// The open demands that are exposed, and of these the ones that no pattern can meet.
void prove(const SuppressionProblem& problem, const std::vector<char>& usable,
           const VertexSearch& search, double end, const Tick& tick, CertifiedPattern& out) {
  std::vector<OpenDemand>& lacking = out.pattern.lacking;
  out.exposed = unattainable(
      problem, usable, lacking,
      [&](std::uint32_t d, std::uint32_t who) { return search.is_proved(d, who); },
      .7 * std::max(0.0, end - work_seconds()), tick);
  std::vector<OpenDemand> exposed;
  for (std::size_t k = 0; k < lacking.size(); ++k)
    if (out.exposed[k]) exposed.push_back(lacking[k]);
  const std::vector<char> all(problem.n_cells(), 1);
  const std::vector<char> impossible = unattainable(
      problem, usable_cells(problem, all), exposed,
      [](std::uint32_t, std::uint32_t) { return false; }, std::max(0.0, end - work_seconds()),
      tick);
  for (std::size_t k = 0, n = 0; k < lacking.size(); ++k)
    if (out.exposed[k]) lacking[k].impossible = impossible[n++] != 0;
}

}  // namespace

CertifiedPattern certify_pattern(const SuppressionProblem& problem, const std::vector<char>& hidden,
                                 const ProgrammeLimits& limits, const Tick& tick) {
  const double end = work_seconds() + limits.seconds;
  WorkClock clock(kShareOfSearch * limits.seconds, tick);
  const DemandIndex index(problem);
  VertexSearch search(index, limits.seed, clock);
  VertexPool pool(index, hidden);
  const std::vector<char> usable = usable_cells(problem, hidden);
  bool stopped = false;
  try {
    VertexProgramme inside(problem, usable, clock);
    search.construct(pool, inside, true);
  } catch (const WorkTimeUp&) {
    stopped = true;
  } catch (const WorkInterrupted&) {
    stopped = true;
  }
  pool.thin_out();
  CertifiedPattern out;
  out.pattern = pool.pattern();
  out.pattern.stopped = stopped;
  prove(problem, usable, search, end, tick, out);
  return out;
}

}  // namespace sdclattice
