#include "linear/end_proof.hpp"

#include <cmath>
#include <utility>

namespace sdclattice {

namespace {

// Rows within reach that are tried one after the other.
constexpr std::size_t kReaches[] = {150, 500, 1500, 6000};
// Multipliers of tables are halves, thirds, quarters: the small denominators make short proofs, the
// least common multiple of 1, ..., 16 serves the rest.
constexpr std::int64_t kDenominators[] = {1, 2, 3, 4, 5, 6, 7, 8, 12, 60, 840, 720720};
// A programme that comes as near to the next whole number as this does not exclude it.
constexpr double kMargin = 1e-6;
// A cell without conflicts, or that is nearly whole, is not ruled out.
constexpr double kUnseen = .01, kNearlyAt = .1;

}  // namespace

EndProver::EndProver(const LinearSystem& system, std::function<void()> check, ProofLimits limits)
    : system_(system),
      check_(std::move(check)),
      most_(limits),
      limits_(system),
      reach_(system, limits_),
      weights_(system) {
  limits_.propagate(check_, 60 * (system.n_rows() + 100));
}

std::optional<EndProof> EndProver::prove(std::size_t cell, int sign, std::int64_t end,
                                         const std::vector<std::int64_t>& table) {
  goal_ = {cell, sign, end, limits_.lower(cell), limits_.upper(cell)};
  proof_ = {};
  const TracedLimits::Mark root = limits_.mark();
  const bool done = by_rows() || by_programme(table);
  limits_.undo(root);
  if (!done) return std::nullopt;
  return std::move(proof_);
}

void EndProver::go_beyond() {
  if (goal_.sign > 0)
    limits_.give(goal_.cell, goal_.end + 1, kNoLimit);
  else
    limits_.give(goal_.cell, -kNoLimit, goal_.end - 1);
}

bool EndProver::by_rows() {
  const TracedLimits::Mark root = limits_.mark();
  const bool done = attempt([this] {
    go_beyond();
    if (limits_.propagate(check_, most_.visits)) return false;
    const TracedLimits::Conflict conflict = limits_.conflict();
    return close(conflict);
  });
  limits_.undo(root);
  return done;
}

// More and more rows, until their programme excludes what lies beyond; at last by branching.
bool EndProver::by_programme(const std::vector<std::int64_t>& table) {
  for (const std::size_t n_rows : kReaches) {
    const bool more = reach_.from(goal_.cell, n_rows) && n_rows != *std::rbegin(kReaches);
    NearProgramme programme(system_, limits_, reach_, check_);
    if (!table.empty()) programme.load(table);
    const bool stands = programme.climb(goal_.cell, goal_.sign);
    const TracedLimits::Mark root = limits_.mark();
    go_beyond();
    const double beyond =
        goal_.sign * (programme.value(goal_.cell) - static_cast<double>(goal_.end));
    const bool done =
        ((!stands || beyond < 1 - kMargin) && attempt([&] { return try_duals(programme); })) ||
        (!more && attempt([&] { return refute(programme); }));
    limits_.undo(root);
    if (done || !more) return done;
  }
  return false;
}

// Excludes what is within the limits now: by rows, by the programme, or by two halves.
bool EndProver::refute(NearProgramme& programme) {
  check_();
  if (!limits_.propagate(check_, most_.visits)) {
    const TracedLimits::Conflict conflict = limits_.conflict();
    return close(conflict);
  }
  programme.take_limits(goal_.cell, goal_.lower, goal_.upper);
  const bool stands = programme.climb(goal_.cell, goal_.sign);
  const double at = programme.value(goal_.cell);
  if ((!stands || goal_.sign * (at - static_cast<double>(goal_.end)) < 1 - kMargin) &&
      attempt([&] { return try_duals(programme); }))
    return true;
  const std::size_t cell = stands ? heaviest(programme) : SIZE_MAX;
  if (cell != SIZE_MAX && !limits_.is_fixed(cell)) {
    const auto below = static_cast<std::int64_t>(std::floor(programme.value(cell)));
    if (below >= limits_.lower(cell) && below < limits_.upper(cell))
      return branch_on(cell, below, programme);
  }
  for (const std::uint32_t i : reach_.cells()) {
    if (limits_.is_fixed(i)) continue;
    const std::int64_t low = limits_.lower(i), high = limits_.upper(i);
    return branch_on(i, high >= kNoLimit ? 2 * low + 1 : low + (high - low) / 2, programme);
  }
  return false;
}

bool EndProver::try_duals(const NearProgramme& programme) {
  TracedLimits::Conflict found;
  for (const std::int64_t denominator : kDenominators) {
    found = {programme.rounded_duals(denominator), limits_.n_steps()};
    if (found.rows.row.empty()) continue;
    TracedLimits::Trace trace = limits_.trace(found);
    if (trace.proves) return leaf(std::move(trace.rows));
  }
  return !found.rows.row.empty() && close(found);
}

// Where a limit was rounded on the way, the fraction is lost in the combination: the cell is split
// there, one side is excluded by the row that gave the limit, and the other starts with it.
bool EndProver::close(const TracedLimits::Conflict& conflict) {
  if (conflict.rows.row.empty()) return leaf({});
  TracedLimits::Trace found = limits_.trace(conflict);
  if (found.proves) return leaf(std::move(found.rows));
  if (found.rounded == SIZE_MAX) return false;
  const TracedLimits::Step step = limits_.step(found.rounded);
  const TracedLimits::Conflict cause = limits_.cause(found.rounded);
  return branch(step.cell, step.is_upper ? step.after : step.after - 1,
                [&](bool above) { return close(above == step.is_upper ? cause : conflict); });
}

bool EndProver::branch(std::size_t cell, std::int64_t at, const std::function<bool(bool)>& then) {
  if (proof_.nodes.size() + 2 > most_.nodes) return false;
  proof_.nodes.push_back({static_cast<std::uint32_t>(cell), at});
  for (const bool above : {false, true}) {
    const TracedLimits::Mark here = limits_.mark();
    if (above)
      limits_.give(cell, at + 1, kNoLimit);
    else
      limits_.give(cell, -kNoLimit, at);
    const bool crossed =
        limits_.conflict().before != SIZE_MAX && limits_.conflict().rows.row.empty();
    const bool done = crossed ? leaf({}) : then(above);
    limits_.undo(here);
    if (!done) return false;
  }
  return true;
}

bool EndProver::branch_on(std::size_t cell, std::int64_t at, NearProgramme& programme) {
  return branch(cell, at, [&](bool) { return refute(programme); });
}

// The fractional cell to split: that of most conflicts, and far from whole numbers.
std::size_t EndProver::heaviest(const NearProgramme& programme) const {
  std::size_t best = SIZE_MAX;
  double most = 0.0;
  for (const std::uint32_t i : reach_.cells()) {
    const double x = programme.value(i), apart = std::fabs(x - std::round(x));
    if (apart <= kMargin || limits_.is_fixed(i)) continue;
    const auto room = static_cast<double>(limits_.upper(i) - limits_.lower(i));
    const double worth = (kUnseen + weights_.of_cell(i)) * (kNearlyAt + apart) / room;
    if (worth <= most) continue;
    most = worth;
    best = i;
  }
  return best;
}

bool EndProver::leaf(Combination rows) {
  weights_.add(rows.row);
  proof_.nodes.push_back({});
  proof_.leaves.push_back(std::move(rows));
  return true;
}

// What does not lead to a proof leaves no nodes behind.
bool EndProver::attempt(const std::function<bool()>& work) {
  const std::size_t n_nodes = proof_.nodes.size(), n_leaves = proof_.leaves.size();
  if (work()) return true;
  proof_.nodes.resize(n_nodes);
  proof_.leaves.resize(n_leaves);
  return false;
}

}  // namespace sdclattice
