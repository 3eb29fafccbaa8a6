#include "conditional/rate_bounds.hpp"

#include "conditional/rate_rows.hpp"

namespace sdclattice {

namespace {

void keep_cells(IntegerBounds& found, std::size_t n) {
  for (auto* ends : {&found.lower, &found.upper, &found.least, &found.most}) ends->resize(n);
  found.sharp.resize(n);
}

}  // namespace

IntegerBounds rate_bounds(const LinearSystem& table, const std::vector<RateSet>& sets,
                          const std::vector<std::uint32_t>& asked, const BoundsLimits& limits,
                          const Tick& tick, const NarrowLimits& narrow) {
  WorkClock watch(limits.seconds, tick);
  RateSystem rates = rate_system(table, sets);
  RateNarrowing narrowing(rates, narrow, watch);
  narrowing.run();
  for (std::size_t s = 0; s < rates.sets.size(); ++s)
    for (std::size_t r = 0; r < rates.sets[s].size(); ++r)
      if (narrowing.domain(s, r))
        add_hull_rows(rates.system, rates.sets[s][r], *narrowing.domain(s, r));
  BoundsLimits left = limits;
  left.seconds = watch.seconds_left();
  IntegerBounds out = integer_bounds(rates.system, asked, left, tick);
  keep_cells(out, table.n_cells());
  return out;
}

}  // namespace sdclattice
