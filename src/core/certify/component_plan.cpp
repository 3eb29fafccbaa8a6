#include "certify/component_plan.hpp"

#include <algorithm>
#include <numeric>

#include "table/part_table.hpp"

namespace sdclattice {

namespace {

WalkEffort walk_effort(std::size_t looks, std::size_t steps) {
  WalkEffort out;
  out.restarts = 1000;
  out.steps = steps;
  out.looks = looks;
  return out;
}

}  // namespace

ComponentPlan::ComponentPlan(const ComponentTable& table, FaceComplex admissible,
                             std::vector<LocalSet> fixed, std::vector<CellNeed> needs,
                             std::uint64_t seed)
    : table_(table),
      admissible_(admissible),
      faces_(std::move(admissible)),
      fixed_(std::move(fixed)),
      needs_(std::move(needs)),
      proofs_(needs_.size()),
      walk_(table),
      random_(seed),
      open_(needs_.size()),
      offers_(needs_.size()),
      n_refused_(needs_.size(), 0) {
  std::iota(open_.begin(), open_.end(), std::size_t{0});
}

bool ComponentPlan::is_fixed(LocalSet face) const {
  return set_size(face) < 2 || std::any_of(fixed_.begin(), fixed_.end(),
                                           [&](LocalSet fixed) { return (face & ~fixed) == 0; });
}

void ComponentPlan::allow_missing(bool forget) {
  std::vector<MoveSet> sets;
  for (LocalSet s : faces_.minimal_missing()) sets.push_back({s, 0});
  walk_.move_on(sets, forget);
}

// Sets that are not released are free, those that could be given up cost what goes with them.
void ComponentPlan::allow_giving_up(std::size_t max_loss) {
  std::vector<MoveSet> sets;
  for (LocalSet s : faces_.minimal_missing()) sets.push_back({s, 0});
  for (LocalSet s : faces_.faces()) {
    if (is_fixed(s)) continue;
    const std::size_t loss = faces_.above(s).size();
    if (loss <= max_loss) sets.push_back({s, static_cast<std::int32_t>(2 + loss)});
  }
  walk_.move_on(sets, true);
}

bool ComponentPlan::prove(const CellNeed& need, const WalkEffort& effort, CellProof& out) {
  out = CellProof();
  WalkEffort fitting = effort;  // a small table is soon exhausted
  fitting.looks = std::min(effort.looks, 20000 * table_.count.size());
  if (!need.spread) return walk_.raise(need.cell, need.upper, fitting, random_, out.up);
  const std::int32_t count = table_.count[need.cell];
  for (std::int32_t low = 0; low <= count; ++low) {
    out.down.clear();
    if (low < count && !walk_.lower(need.cell, low, fitting, random_, out.down)) continue;
    if (low + need.upper <= count) return true;
    return walk_.raise(need.cell, low + need.upper, fitting, random_, out.up);
  }
  return false;
}

bool ComponentPlan::breaks(const CellProof& proof, LocalSet face) const {
  return changes_margin(table_, proof.up, face) || changes_margin(table_, proof.down, face);
}

// Closed upwards: a change that shows in a margin shows in all finer ones.
std::vector<LocalSet> ComponentPlan::broken_by(const CellProof& proof) const {
  std::vector<LocalSet> out;
  for (LocalSet face : faces_.maximal())
    if (breaks(proof, face)) out.push_back(face);
  if (out.empty()) return out;
  out.clear();
  std::vector<char> known(std::size_t{1} << table_.size(), 0);
  for (LocalSet face : faces_.faces()) {
    if (known[face] || !breaks(proof, face)) continue;
    for (LocalSet above : faces_.above(face)) known[above] = 1;
  }
  for (LocalSet face : faces_.faces())
    if (known[face]) out.push_back(face);
  return out;
}

// Cheap searches for all cells first, dear ones for those that are left. The open cells.
std::vector<std::size_t> ComponentPlan::search_all(const PlanEffort& effort, const StopAsked& stop,
                                                   std::vector<std::size_t> open) {
  for (std::size_t round = 0; round < effort.looks.size() && !open.empty(); ++round) {
    if (round > 0 && stop()) break;
    std::vector<std::size_t> left;
    for (std::size_t i : open) {
      const bool late = stop();  // also lets others interrupt
      if (late || !prove(needs_[i], walk_effort(effort.looks[round], 60 + 40 * round), proofs_[i]))
        left.push_back(i);
    }
    open = std::move(left);
  }
  return open;
}

bool ComponentPlan::run(const PlanEffort& effort, const StopAsked& stop, const StopAsked& abandon) {
  if (!searched_) {
    allow_missing(true);
    open_ = search_all(effort, stop, std::move(open_));
    n_hopeless_ = open_.size();
    searched_ = !stop();
  }
  return open_.empty() || repair(effort, stop, abandon);
}

std::vector<ComponentPlan::Offer> ComponentPlan::find_offers(std::size_t cell,
                                                             const PlanEffort& effort) {
  std::vector<Offer> out;
  for (std::size_t t = 0; t < effort.repair_tries; ++t) {
    Offer offer;
    if (!prove(needs_[cell], walk_effort(effort.repair_looks, 150), offer.proof)) break;
    offer.broken = broken_by(offer.proof);
    offer.sorted = offer.broken;
    std::sort(offer.sorted.begin(), offer.sorted.end());
    const bool known = std::any_of(out.begin(), out.end(), [&](const Offer& o) {
      return std::includes(offer.sorted.begin(), offer.sorted.end(), o.sorted.begin(),
                           o.sorted.end());
    });
    if (!known) out.push_back(std::move(offer));
    if (!out.empty() && out.back().broken.size() <= 1) break;
  }
  return out;
}

// Certificates that break a few released sets; then the fewest sets that serve all cells.
bool ComponentPlan::repair(const PlanEffort& effort, const StopAsked& stop,
                           const StopAsked& abandon) {
  PlanEffort more = effort;
  for (;; max_loss_ *= 4) {
    const bool last = max_loss_ > 4 * faces_.size() && max_loss_ > 2000;
    more.repair_looks = effort.repair_looks * max_loss_ / kFirstLoss;
    allow_giving_up(max_loss_);
    bool all_served = true;
    for (std::size_t i : open_) {
      if (abandon()) return false;
      if (stop()) more.repair_tries = 1;
      if (offers_[i].empty()) offers_[i] = find_offers(i, more);
      all_served = all_served && !offers_[i].empty();
      if (!all_served && last) return false;
    }
    if (all_served) break;
  }
  return give_up(effort, abandon);
}

std::size_t ComponentPlan::loss_by(const Offer& offer) const {
  return static_cast<std::size_t>(std::count_if(offer.broken.begin(), offer.broken.end(),
                                                [&](LocalSet face) { return faces_.holds(face); }));
}

// The open cells left when offers that cost nothing more are taken.
std::vector<std::size_t> ComponentPlan::take_offers(const std::vector<std::size_t>& open) {
  std::vector<std::size_t> left;
  for (std::size_t i : open) {
    const auto at = std::find_if(offers_[i].begin(), offers_[i].end(),
                                 [&](const Offer& offer) { return loss_by(offer) == 0; });
    if (at == offers_[i].end()) {
      left.push_back(i);
    } else {
      proofs_[i] = at->proof;
    }
  }
  return left;
}

// The offer that serves most open cells for each set that it gives up.
const ComponentPlan::Offer* ComponentPlan::best_offer(const std::vector<std::size_t>& open) const {
  const Offer* best = nullptr;
  double best_rate = 0;
  for (std::size_t i : open) {
    for (const Offer& offer : offers_[i]) {
      const auto serves = [&](const Offer& other) {
        return std::all_of(other.broken.begin(), other.broken.end(), [&](LocalSet face) {
          return !faces_.holds(face) ||
                 std::binary_search(offer.sorted.begin(), offer.sorted.end(), face);
        });
      };
      std::size_t served = 0;
      for (std::size_t j : open)
        served += std::any_of(offers_[j].begin(), offers_[j].end(), serves);
      const double rate = static_cast<double>(served) / static_cast<double>(loss_by(offer));
      if (rate <= best_rate) continue;
      best_rate = rate;
      best = &offer;
    }
  }
  return best;
}

// Every few sets the cells that are left are searched again: what was given up may be moved on.
bool ComponentPlan::give_up(const PlanEffort& effort, const StopAsked& abandon) {
  PlanEffort again = effort;
  again.looks = {effort.repair_looks};
  std::size_t n_given = 0;
  for (open_ = take_offers(open_); !open_.empty(); open_ = take_offers(open_)) {
    const Offer* best = best_offer(open_);
    n_given += loss_by(*best);
    for (LocalSet face : best->broken)
      if (faces_.holds(face)) faces_.remove_above(face);
    if (n_given < 4) continue;
    if (abandon()) return false;
    n_given = 0;
    open_ = take_offers(open_);
    allow_missing(true);
    open_ = search_all(again, abandon, std::move(open_));
  }
  return true;
}

// Adds one set if all cells whose certificates it breaks can be certified anew: cheap searches for
// all of them, then dear ones, first for the cells that have refused most often.
bool ComponentPlan::take_back(LocalSet face, const PlanEffort& effort, const StopAsked& stop) {
  std::vector<std::size_t> hit;
  for (std::size_t i = 0; i < needs_.size(); ++i)
    if (breaks(proofs_[i], face)) hit.push_back(i);
  std::stable_sort(hit.begin(), hit.end(),
                   [&](std::size_t a, std::size_t b) { return n_refused_[a] > n_refused_[b]; });
  faces_.add(face);
  allow_missing(false);
  std::vector<std::pair<std::size_t, CellProof>> found;
  const auto search = [&](std::size_t i, std::size_t looks) {
    CellProof proof;
    if (!prove(needs_[i], walk_effort(looks, 150), proof)) return false;
    found.emplace_back(i, std::move(proof));
    return true;
  };
  std::vector<std::size_t> left;
  for (std::size_t i : hit)
    if (stop() || !search(i, effort.enlarge_looks / 16)) left.push_back(i);
  for (std::size_t i : left) {
    if (!stop() && search(i, effort.enlarge_looks)) continue;
    ++n_refused_[i];
    faces_.remove_above(face);
    return false;
  }
  for (auto& f : found) proofs_[f.first] = std::move(f.second);
  return true;
}

std::size_t ComponentPlan::enlarge(const PlanEffort& effort, const StopAsked& stop) {
  const std::size_t before = faces_.size();
  for (std::size_t pass = 0; pass < effort.max_passes && !stop(); ++pass) {
    const std::size_t at_start = faces_.size();
    allow_missing(true);
    for (LocalSet face : admissible_.faces()) {
      if (stop()) break;
      if (faces_.can_add(face)) take_back(face, effort, stop);
    }
    if (faces_.size() == at_start) break;
  }
  return faces_.size() - before;
}

}  // namespace sdclattice
