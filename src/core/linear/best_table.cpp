#include "linear/best_table.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/wide_int.hpp"
#include "base/work_clock.hpp"
#include "linear/best_parts.hpp"

namespace sdclattice {

namespace {

// Nodes in each part before the others have their turn.
constexpr std::size_t kFirstTurn = 30;

// No table has a smaller sum, by the limits of the cells.
std::int64_t least_sum(const LinearSystem& system, const std::vector<std::int64_t>& weight) {
  WideInt least = 0, most = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const WideInt low = wide_product(weight[i], system.lower[i]),
                  high = wide_product(weight[i], system.upper[i]);
    least += std::min(low, high);
    most += std::max(low, high);
  }
  const WideInt limit = static_cast<WideInt>(1) << 53;
  if (least < -limit || most > limit) throw TooLargeError("The weighted sum exceeds 2^53.");
  return static_cast<std::int64_t>(least);
}

void search(BestParts& parts, WorkClock& clock, double seconds) {
  for (std::size_t turn = kFirstTurn; !parts.done(); turn *= 2) {
    clock.done = seconds > 0 ? 1 - clock.seconds_left() / seconds : 1;
    parts.advance(turn);
  }
}

}  // namespace

BestTable best_table(const LinearSystem& system, const std::vector<std::int64_t>& weight,
                     double seconds, const Tick& tick, const BestTableHints& hints) {
  WorkClock clock(seconds, tick);
  BestTable out;
  out.bound = least_sum(system, weight);
  std::optional<BestParts> parts;
  try {
    parts.emplace(system, weight,
                  hints.first.empty() ? std::vector<char>(weight.size(), 0) : hints.first, clock,
                  true);
    if (!hints.table.empty() && satisfies(system, hints.table)) parts->offer(hints.table);
    search(*parts, clock, seconds);
  } catch (const WorkTimeUp&) {
  } catch (const WorkInterrupted&) {
    out.interrupted = true;
  }
  if (!parts) return out;
  out.bound = std::max(out.bound, parts->bound());
  out.values = parts->table();
  for (std::size_t i = 0; i < out.values.size(); ++i) out.sum += weight[i] * out.values[i];
  return out;
}

}  // namespace sdclattice
