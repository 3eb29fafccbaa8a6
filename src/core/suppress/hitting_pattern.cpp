#include "suppress/hitting_pattern.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "suppress/certificate_pool.hpp"
#include "suppress/cheapest_cover.hpp"
#include "suppress/chosen_certificates.hpp"
#include "suppress/pattern_bound.hpp"
#include "suppress/protection_oracle.hpp"
#include "suppress/reader_demands.hpp"

namespace sdclattice {

namespace {

// Covers that are made at once, to find one as cheap as the bound.
constexpr std::size_t kTries = 50;
// Demands that have a cut of their own in each round, before the cuts without a cell in common.
constexpr std::size_t kHitsAtOnce = 6;

class HittingSearch {
 public:
  HittingSearch(const SuppressionProblem& problem, const HittingLimits& limits, const Tick& tick)
      : problem_(problem),
        clock_(limits.seconds, tick),
        random_(limits.seed),
        pool_(problem.n_cells()),
        demands_(reader_demands(problem)),
        is_left_out_(demands_.size(), 0),
        is_impossible_(demands_.size(), 0),
        max_entries_(limits.max_entries) {
    for (std::size_t i = 0; i < problem.n_cells(); ++i)
      if (problem.role[i] == CellRole::candidate) {
        candidates_.push_back(static_cast<std::uint32_t>(i));
        all_cost_ += problem.cost[i];
      }
  }

  SuppressionPattern run(const std::vector<Certificate>& start) {
    for (const Certificate& certificate : start) pool_.add(certificate);
    n_start_ = start.size();
    best_ = candidates_;
    best_cost_ = all_cost_;
    try {
      oracle_ = std::make_unique<ProtectionOracle>(problem_, pool_, max_entries_,
                                                   [this] { clock_.check(); });
      find_impossible();
      find_first();
      while (best_cost_ > bound_ && improve()) {
      }
    } catch (const WorkTimeUp&) {
      stopped_ = true;
    } catch (const WorkInterrupted&) {
      stopped_ = true;
    } catch (const TooLargeError&) {
      if (!oracle_) throw;
      stopped_ = true;  // choices or numbers too many for the tableau: what is proved remains
    }
    return result();
  }

  HittingEffort effort() const {
    return {n_rounds_, cuts_.size(), n_asked_, oracle_ ? oracle_->n_searched() : 0};
  }

 private:
  // ---- what can be met at all -------------------------------------------------------------------

  void find_impossible() {
    for (std::size_t q = 0; q < demands_.size(); ++q) {
      const ProtectionAnswer answer = ask(q, candidates_bits(), OracleEffort::full);
      is_left_out_[q] = answer.met ? 0 : 1;
      is_impossible_[q] = answer.met || answer.open ? 0 : 1;
    }
    const std::vector<char> implied = implied_demands(demands_, is_left_out_);
    for (std::size_t q = 0; q < demands_.size(); ++q)
      if (is_left_out_[q] == 0 && implied[q] == 0 && !is_met_anyway(problem_, pool_, demands_[q]))
        asked_.push_back(q);
  }

  // The rows give the first cuts, and what the certificates so far change is a first pattern.
  void find_first() {
    cuts_ = row_cuts(problem_, left_out());
    const CellCover cover =
        cheapest_cover(cuts_, problem_.cost, clock_.seconds_left() / 10, clock_.tick());
    bound_ = cover.bound;
    if (cover.interrupted) throw WorkTimeUp();
    keep(changed_by_certificates());
  }

  // What certificates of all demands change: those of the start before others.
  CellBits changed_by_certificates() const {
    CellBits out(problem_.n_cells());
    for (std::size_t k = 0; k < n_start_; ++k)
      for (const std::uint32_t i : pool_[k].cell) out.add(i);
    for (std::size_t q = 0; q < demands_.size(); ++q)
      if (!reach(q, out).meets(problem_.demands[demands_[q].demand])) hide_proof(q, out);
    return out;
  }

  // ---- rounds -----------------------------------------------------------------------------------

  // False when there is nothing more to do.
  bool improve() {
    while (is_cheapest_at_once()) {
    }
    if (bound_ >= best_cost_) return false;
    const CellCover cover =
        cheapest_cover(cuts_, problem_.cost, clock_.seconds_left(), clock_.tick(), best_);
    bound_ = std::max(bound_, cover.bound);
    if (bound_ >= best_cost_) return false;
    stopped_ = cover.interrupted || clock_.is_up();
    if (stopped_) return false;
    // No new cut, and no proof: costs were rounded, or the oracle left a demand open.
    stopped_ = !add_cuts(cover) && best_cost_ > bound_;
    return !stopped_;
  }

  // Whether a cover that is made at once was as cheap as the bound, and left demands unmet.
  bool is_cheapest_at_once() {
    const CellCover quick = quick_cover(cuts_, problem_.cost, kTries, bound_, random_);
    if (quick.cost >= best_cost_) return false;
    const bool is_new = add_cuts(quick);
    return is_new && quick.cost <= bound_;
  }

  // Takes all demands in turn. False where the cover leaves none unmet.
  bool add_cuts(const CellCover& cover) {
    ++n_rounds_;
    const std::size_t known = cuts_.size();
    CellBits hidden(problem_.n_cells());
    for (const std::uint32_t i : cover.cells) hidden.add(i);
    random_.shuffle(asked_.begin(), asked_.end());
    add_first_cuts(hidden);
    for (const std::size_t q : asked_) add_cuts(q, hidden);
    offer(hidden);
    return cuts_.size() > known;
  }

  // Of some demands that these cells leave unmet, a cut each; hides what the cuts hold.
  void add_first_cuts(CellBits& hidden) {
    const CellBits first = hidden;
    const std::size_t last = cuts_.size() + kHitsAtOnce;
    for (std::size_t k = 0; k < asked_.size() && cuts_.size() < last; ++k) {
      const ProtectionAnswer answer = ask(asked_[k], first);
      if (answer.met || answer.open) continue;
      cuts_.push_back(minimal_cut(asked_[k], answer.blockers));
      for (const std::uint32_t i : cuts_.back()) hidden.add(i);
    }
  }

  // Until the demand is met, and hides what the cuts hold.
  void add_cuts(std::size_t q, CellBits& hidden) {
    for (;;) {
      const ProtectionAnswer answer = ask(q, hidden, OracleEffort::full);
      if (answer.met) return;
      if (answer.open) return hide_proof(q, hidden);
      cuts_.push_back(minimal_cut(q, answer.blockers));
      for (const std::uint32_t i : cuts_.back()) hidden.add(i);
    }
  }

  // What certificates of the demand change, as they are known.
  void hide_proof(std::size_t q, CellBits& hidden) const {
    const CertificatePool::Reach all = reach(q, candidates_bits());
    for (const std::size_t k : {all.up_at, all.down_at}) {
      if (k == CertificatePool::kNone) continue;
      for (const std::uint32_t i : pool_[k].cell) hidden.add(i);
    }
  }

  // With all candidates hidden but `cut` the demand is not met. Leaves out cells for which this
  // remains true.
  CellCut minimal_cut(std::size_t q, CellCut cut) {
    CellCut order = cut;
    random_.shuffle(order.begin(), order.end());
    if (random_.below(2) == 0)
      std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return problem_.cost[a] < problem_.cost[b];
      });
    for (const std::uint32_t i : order) {
      if (!std::binary_search(cut.begin(), cut.end(), i)) continue;
      CellBits hidden = candidates_bits();
      for (const std::uint32_t c : cut) hidden.remove(c);
      hidden.add(i);
      ProtectionAnswer answer = ask(q, hidden);
      if (!answer.met && !answer.open) cut = std::move(answer.blockers);
    }
    return cut;
  }

  // A pattern that meets all demands: gives back what is not needed, the dearest first.
  void offer(CellBits hidden) {
    std::vector<std::uint32_t> order;
    for (const std::uint32_t i : candidates_)
      if (hidden.has(i)) order.push_back(i);
    random_.shuffle(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return problem_.cost[a] > problem_.cost[b];
    });
    keep(hidden);
    std::vector<CertificatePool::Reach> shown(demands_.size());  // of those that are asked
    for (const std::size_t q : asked_) shown[q] = reach(q, hidden);
    for (const std::uint32_t i : order)
      if (gives_back(i, hidden, shown)) keep(hidden);
  }

  // Asks the demands again whose certificates change the cell.
  bool gives_back(std::uint32_t i, CellBits& hidden, std::vector<CertificatePool::Reach>& shown) {
    hidden.remove(i);
    for (const std::size_t q : asked_) {
      if (!pool_.changes(shown[q].up_at, i) && !pool_.changes(shown[q].down_at, i)) continue;
      if (!ask(q, hidden).met) {
        hidden.add(i);
        return false;
      }
      shown[q] = reach(q, hidden);
    }
    return true;
  }

  void keep(const CellBits& hidden) {
    std::int64_t cost = 0;
    std::vector<std::uint32_t> cells;
    for (const std::uint32_t i : candidates_)
      if (hidden.has(i)) {
        cells.push_back(i);
        cost += problem_.cost[i];
      }
    if (cost >= best_cost_) return;
    best_ = std::move(cells);
    best_cost_ = cost;
  }

  // ---- questions --------------------------------------------------------------------------------

  CertificatePool::Reach reach(std::size_t q, const CellBits& hidden) const {
    return pool_.reach(problem_.demands[demands_[q].demand].cell,
                       free_cells(problem_, hidden, demands_[q].known));
  }

  // Blockers that the reader knows are none: hiding them does not help.
  ProtectionAnswer ask(std::size_t q, const CellBits& hidden,
                       OracleEffort effort = OracleEffort::quick) {
    ++n_asked_;
    const std::vector<std::uint32_t>& known = demands_[q].known;
    ProtectionAnswer out = oracle_->ask(problem_.demands[demands_[q].demand],
                                        free_cells(problem_, hidden, known), effort);
    CellCut& blockers = out.blockers;
    blockers.erase(std::remove_if(blockers.begin(), blockers.end(),
                                  [&](std::uint32_t i) {
                                    return std::binary_search(known.begin(), known.end(), i);
                                  }),
                   blockers.end());
    return out;
  }

  CellBits candidates_bits() const {
    CellBits out(problem_.n_cells());
    for (const std::uint32_t i : candidates_) out.add(i);
    return out;
  }
  std::vector<OpenDemand> left_out() const {
    std::vector<OpenDemand> out;
    for (std::size_t q = 0; q < demands_.size(); ++q)
      if (is_left_out_[q] != 0) out.push_back({demands_[q].demand, demands_[q].knower, true});
    return out;
  }

  SuppressionPattern result() {
    if (best_cost_ == all_cost_) keep(changed_by_certificates());
    CellBits hidden(problem_.n_cells());
    for (const std::uint32_t i : best_) hidden.add(i);
    SuppressionPattern out;
    out.hidden.assign(problem_.n_cells(), 0);
    for (std::size_t i = 0; i < problem_.n_cells(); ++i)
      if (problem_.role[i] == CellRole::primary || hidden.has(i)) out.hidden[i] = 1;
    out.certificates = chosen_certificates(problem_, pool_, hidden);
    out.lacking = open_demands(problem_, out.certificates);
    for (OpenDemand& open : out.lacking) open.impossible = is_proved_impossible(open);
    out.cost = best_cost_;
    out.bound = bound_;
    out.stopped = stopped_;
    out.optimal = out.cost == out.bound &&
                  std::all_of(out.lacking.begin(), out.lacking.end(),
                              [](const OpenDemand& open) { return open.impossible; });
    return out;
  }

  bool is_proved_impossible(const OpenDemand& open) const {
    for (std::size_t q = 0; q < demands_.size(); ++q)
      if (demands_[q].demand == open.demand && demands_[q].knower == open.knower)
        return is_impossible_[q] != 0;
    return false;
  }

  const SuppressionProblem& problem_;
  WorkClock clock_;
  PublicRandom random_;
  CertificatePool pool_;
  std::unique_ptr<ProtectionOracle> oracle_;
  std::vector<ReaderDemand> demands_;
  std::vector<char> is_left_out_;    // of each of them: no pattern is known that meets it
  std::vector<char> is_impossible_;  // proved: none does
  std::size_t max_entries_;
  // possible, of those none of which follows from another, and not met by every pattern
  std::vector<std::size_t> asked_;
  std::vector<std::uint32_t> candidates_, best_;
  std::vector<CellCut> cuts_;
  std::int64_t all_cost_ = 0, best_cost_ = 0, bound_ = 0;
  std::size_t n_start_ = 0, n_rounds_ = 0, n_asked_ = 0;
  bool stopped_ = false;
};

}  // namespace

SuppressionPattern hitting_pattern(const SuppressionProblem& problem, const HittingLimits& limits,
                                   const Tick& tick, const std::vector<Certificate>& start,
                                   HittingEffort* effort) {
  HittingSearch search(problem, limits, tick);
  SuppressionPattern out = search.run(start);
  if (effort != nullptr) *effort = search.effort();
  return out;
}

}  // namespace sdclattice
