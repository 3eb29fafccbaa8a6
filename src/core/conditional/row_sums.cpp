#include "conditional/row_sums.hpp"

#include "base/error.hpp"

namespace sdclattice {

namespace {

void check_room(std::int64_t largest, std::size_t n_kinds, const RateLimits& limits) {
  int levels = 4;
  for (std::size_t k = 1; k < n_kinds; k *= 2) ++levels;
  if (largest < limits.max_sums / levels) return;
  throw TooLargeError("The total is too large for the memory that sums may take.");
}

}  // namespace

Summand::Summand(const TotalSet& totals, std::int64_t n_copies)
    : least(totals.least),
      copies(n_copies),
      all_from(totals.all_from - totals.least),
      coins(totals.generators) {
  for (std::int64_t g : totals.generators) steps.push_back(g - least);
}

Summand::Summand(std::int64_t least_one, std::vector<std::int64_t> above)
    : least(least_one), copies(1), all_from(above.back() + 1), steps(std::move(above)) {}

void Summand::add_to(SumSet& sums, std::int64_t times) const {
  for (std::int64_t i = 0; i < times && !steps.empty() && sums.tail() > 0; ++i) {
    const bool grown = sums.add_steps(steps);
    if (i > 0 && !grown) return;
    for (std::size_t g = 0; i == 0 && g < coins.size(); ++g) sums.add_coin(coins[g]);
  }
}

RowSums::RowSums(const RateRows& rows, std::int64_t total, const Tick& tick)
    : kinds(group_rows(rows)), n(total), n_rows(static_cast<std::int64_t>(rows.size())) {
  for (const RateKind& kind : kinds.kinds) {
    totals.push_back({least_total(kind.row, n - (n_rows - 1), tick), {}, 0});
    impossible.push_back(totals.back().least == 0);
    if (impossible.back()) n_impossible += kind.copies;
    // A sum of least totals above n is as good as n + 1.
    for (std::int64_t i = 0; i < kind.copies && least <= n; ++i) least += totals.back().least;
  }
}

std::vector<Summand> RowSums::summands(std::int64_t spare, const RateLimits& limits,
                                       const Tick& tick) {
  check_room(spare, kinds.kinds.size(), limits);
  std::vector<Summand> out;
  for (std::size_t k = 0; k < totals.size(); ++k) {
    const RateKind& kind = kinds.kinds[k];
    if (!impossible[k]) totals[k] = possible_totals(kind.row, totals[k].least + spare, tick);
    out.push_back(Summand(totals[k], kind.copies));
  }
  return out;
}

}  // namespace sdclattice
