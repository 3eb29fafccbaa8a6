#include "linear/reader_questions.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/network_flow.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

void throw_contradiction() {
  throw InfeasibleError("What a reader knows contradicts the table.");
}

void NarrowedLimits::narrow(const std::vector<ReaderLimit>& known) {
  for (const ReaderLimit& limit : known) {
    changed.push_back(limit.cell);
    lower[limit.cell] = std::max(lower[limit.cell], limit.lower);
    upper[limit.cell] = std::min(upper[limit.cell], limit.upper);
    if (lower[limit.cell] > upper[limit.cell]) throw_contradiction();
  }
}

void NarrowedLimits::reset(const LinearSystem& part) {
  for (std::uint32_t i : changed) {
    lower[i] = part.lower[i];
    upper[i] = part.upper[i];
  }
  changed.clear();
}

LinearSystem NarrowedLimits::applied(const LinearSystem& part) const {
  LinearSystem out = part;
  out.lower = lower;
  out.upper = upper;
  return out;
}

ReaderVerdict ask_bounds(const LinearSystem& known, std::size_t cell, const ReaderNeed& need,
                         const ReaderSearchLimits& limits, WorkClock& clock) {
  BoundsLimits work;
  work.seconds = clock.seconds_left();
  work.max_entries = limits.max_entries;
  const IntegerBounds found =
      integer_bounds(known, {static_cast<std::uint32_t>(cell)}, work, clock.tick());
  const bool reaches =
      (need.high < kNoLimit && found.upper[cell] >= need.high) || found.lower[cell] <= need.low;
  if (!reaches) return ReaderVerdict::closed;
  return found.sharp[cell] ? ReaderVerdict::open : ReaderVerdict::unsure;
}

namespace {

class NetworkQuestions : public ReaderQuestions {
 public:
  NetworkQuestions(const LinearSystem& part, WorkClock& clock)
      : part_(part), check_([&clock] { clock.check(); }) {}

  ReaderVerdict ask(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits, Trial,
                    WitnessStore& found) override {
    std::optional<FlowNetwork> network = FlowNetwork::from(limits.applied(part_));
    if (!network) return ReaderVerdict::unsure;
    if (!network->solve(check_)) throw_contradiction();
    for (const int sign : {1, -1}) {
      if (!(sign > 0 ? limits.can_rise(cell, need) : limits.can_fall(cell, need))) continue;
      if (!network->push(cell, sign, check_)) return ReaderVerdict::open;
      Witness witness;
      for (std::size_t i = 0; i < part_.n_cells(); ++i) witness.value.push_back(network->flow(i));
      if (found.keep(std::move(witness)).meets(cell, need)) return ReaderVerdict::open;
    }
    return ReaderVerdict::closed;
  }

 private:
  const LinearSystem& part_;
  std::function<void()> check_;
};

class ProgrammeQuestions : public ReaderQuestions {
 public:
  ProgrammeQuestions(const LinearSystem& part, const ReaderSearchLimits& limits, WorkClock& clock)
      : part_(part), limits_(limits), clock_(clock) {
    try {
      simplex_ =
          std::make_unique<ExactSimplex>(part, limits.max_entries, [&clock] { clock.check(); });
    } catch (const TooLargeError&) {
    }
  }

  ReaderVerdict ask(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits, Trial,
                    WitnessStore& found) override {
    try {
      if (simplex_) {
        put_limits(limits.changed, limits.lower, limits.upper);
        const ReaderVerdict verdict = climb(cell, need, limits, found);
        put_limits(limits.changed, part_.lower, part_.upper);
        return verdict;
      }
    } catch (const TooLargeError&) {
      simplex_.reset();
    }
    if (clock_.is_up()) return ReaderVerdict::unsure;
    return ask_bounds(limits.applied(part_), cell, need, limits_, clock_);
  }

 private:
  void put_limits(const std::vector<std::uint32_t>& cells, const std::vector<std::int64_t>& lower,
                  const std::vector<std::int64_t>& upper) {
    for (std::uint32_t i : cells) simplex_->set_limits(i, lower[i], upper[i]);
  }

  ReaderVerdict climb(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits,
                      WitnessStore& found) {
    if (!simplex_->restore()) throw_contradiction();
    for (const int sign : {1, -1}) {
      if (!(sign > 0 ? limits.can_rise(cell, need) : limits.can_fall(cell, need))) continue;
      if (!simplex_->climb(cell, sign)) return ReaderVerdict::open;
      const WideInt most = simplex_->numerator(cell), den = simplex_->denominator();
      if (sign > 0 ? most < need.high * den : most > need.low * den) continue;
      if (keep_vertex(cell, need, found)) return ReaderVerdict::open;
      if (reach_whole(cell, need, limits, sign, found)) return ReaderVerdict::open;
      if (!simplex_->restore()) throw_contradiction();
    }
    return ReaderVerdict::closed;
  }

  // Only part of a unit reaches so far: is there a table of whole numbers?
  bool reach_whole(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits, int sign,
                   WitnessStore& found) {
    const std::int64_t lower = limits.lower[cell], upper = limits.upper[cell];
    simplex_->set_limits(cell, sign > 0 ? std::max(need.high, lower) : lower,
                         sign > 0 ? upper : std::min(need.low, upper));
    const bool there = WholeSearch(*simplex_).find() && keep_vertex(cell, need, found);
    simplex_->set_limits(cell, lower, upper);
    return there;
  }

  // Whether the vertex is a table that meets the need; numbers beyond 64 bits are not kept.
  bool keep_vertex(std::size_t cell, const ReaderNeed& need, WitnessStore& found) {
    if (!limits_.relaxed && simplex_->first_fractional() < simplex_->n_cells()) return false;
    const WideInt most = simplex_->numerator(cell), den = simplex_->denominator();
    const bool meets = most >= need.high * den || most <= need.low * den;
    Witness witness;
    witness.denominator = simplex_->denominator();
    for (std::size_t i = 0; i < part_.n_cells(); ++i) {
      const WideInt value = simplex_->numerator(i);
      if (magnitude(value) > INT64_MAX) return meets;
      witness.value.push_back(static_cast<std::int64_t>(value));
    }
    found.keep(std::move(witness));
    return meets;
  }

  const LinearSystem& part_;
  const ReaderSearchLimits& limits_;
  WorkClock& clock_;
  std::unique_ptr<ExactSimplex> simplex_;
};

}  // namespace

std::unique_ptr<ReaderQuestions> exact_questions(const LinearSystem& part,
                                                 const ReaderSearchLimits& limits,
                                                 WorkClock& clock) {
  if (FlowNetwork::from(part)) return std::make_unique<NetworkQuestions>(part, clock);
  return std::make_unique<ProgrammeQuestions>(part, limits, clock);
}

}  // namespace sdclattice
