#include "certify/component_plan.hpp"

#include <algorithm>
#include <memory>
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

// Of batches that are about as large as each other: a small one at the end would leave threads
// idle.
std::size_t even_batch(std::size_t n, std::size_t most) {
  const std::size_t n_batches = (n + most - 1) / most;
  return n_batches == 0 ? 1 : (n + n_batches - 1) / n_batches;
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
      memory_(seed),
      open_(needs_.size()),
      offers_(needs_.size()),
      changed_at_(needs_.size(), 0),
      n_refused_(needs_.size(), 0) {
  std::iota(open_.begin(), open_.end(), std::size_t{0});
}

bool ComponentPlan::is_fixed(LocalSet face) const {
  return set_size(face) < 2 || std::any_of(fixed_.begin(), fixed_.end(),
                                           [&](LocalSet fixed) { return (face & ~fixed) == 0; });
}

std::vector<MoveSet> ComponentPlan::missing_sets(const FaceComplex& faces) const {
  std::vector<MoveSet> sets;
  for (LocalSet s : faces.minimal_missing()) sets.push_back({s, 0});
  return sets;
}

// Sets that are not released are free, those that could be given up cost what goes with them.
std::vector<MoveSet> ComponentPlan::sets_to_give_up(std::size_t max_loss) const {
  std::vector<MoveSet> sets = missing_sets(faces_);
  for (LocalSet s : faces_.faces()) {
    if (is_fixed(s)) continue;
    const std::size_t loss = faces_.above(s).size();
    if (loss <= max_loss) sets.push_back({s, static_cast<std::int32_t>(2 + loss)});
  }
  return sets;
}

bool ComponentPlan::prove(DebtWalk& walk, PublicRandom& random, const CellNeed& need,
                          const WalkEffort& effort, CellProof& out) const {
  out = CellProof();
  WalkEffort fitting = effort;  // a small table is soon exhausted
  fitting.looks = std::min(effort.looks, 20000 * table_.count.size());
  if (!need.spread) return walk.raise(need.cell, need.upper, fitting, random, out.up);
  const std::int32_t count = table_.count[need.cell];
  for (std::int32_t low = 0; low <= count; ++low) {
    out.down.clear();
    if (low < count && !walk.lower(need.cell, low, fitting, random, out.down)) continue;
    if (low + need.upper <= count) return true;
    return walk.raise(need.cell, low + need.upper, fitting, random, out.up);
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
std::vector<std::size_t> ComponentPlan::search_all(const std::vector<std::size_t>& looks,
                                                   std::size_t most, WalkTeam& team,
                                                   std::vector<std::size_t> open) {
  for (std::size_t round = 0; round < looks.size() && !team.stopped(); ++round) {
    const WalkEffort effort = walk_effort(std::min(looks[round], most), 60 + 40 * round);
    std::vector<std::size_t> left;
    const std::size_t batch = even_batch(open.size(), kBatch);
    for (std::size_t at = 0; at < open.size(); at += batch) {
      const std::size_t n = std::min(batch, open.size() - at);
      std::vector<CellProof> proof(n);
      std::vector<char> found(n, 0);
      const bool done = team.run(n, [&](std::size_t i, DebtWalk& walk, PublicRandom& random) {
        found[i] = prove(walk, random, needs_[open[at + i]], effort, proof[i]);
      });
      for (std::size_t i = 0; i < n; ++i) {
        if (done && found[i]) {
          proofs_[open[at + i]] = std::move(proof[i]);
        } else {
          left.push_back(open[at + i]);
        }
      }
    }
    open = std::move(left);
  }
  return open;
}

bool ComponentPlan::run(const PlanEffort& effort, const PlanWork& work) {
  WalkTeam team(table_, memory_, work.pool, work.stop);
  if (!searched_) {
    team.move_on(missing_sets(faces_), true);
    open_ = search_all(effort.looks, effort.most_looks, team, std::move(open_));
    n_hopeless_ = open_.size();
    searched_ = !team.stopped();
  }
  return open_.empty() || repair(effort, team);
}

std::vector<ComponentPlan::Offer> ComponentPlan::find_offers(DebtWalk& walk, PublicRandom& random,
                                                             std::size_t cell,
                                                             const PlanEffort& effort) const {
  std::vector<Offer> out;
  for (std::size_t t = 0; t < effort.repair_tries; ++t) {
    Offer offer;
    if (!prove(walk, random, needs_[cell], walk_effort(effort.repair_looks, 150), offer.proof))
      break;
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

// False when the work was stopped, or a cell has no offer where all must have one.
bool ComponentPlan::find_offers_of_all(const PlanEffort& effort, WalkTeam& team, bool all_or_none) {
  std::vector<std::size_t> cells;
  for (std::size_t i : open_)
    if (offers_[i].empty()) cells.push_back(i);
  const std::size_t batch = even_batch(cells.size(), kBatch);
  for (std::size_t at = 0; at < cells.size(); at += batch) {
    const std::size_t n = std::min(batch, cells.size() - at);
    std::vector<std::vector<Offer>> found(n);
    const bool done = team.run(n, [&](std::size_t i, DebtWalk& walk, PublicRandom& random) {
      found[i] = find_offers(walk, random, cells[at + i], effort);
    });
    if (!done) return false;
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) {
      all = all && !found[i].empty();
      offers_[cells[at + i]] = std::move(found[i]);
    }
    if (!all && all_or_none) return false;
  }
  return true;
}

// Certificates that break a few released sets; then the fewest sets that serve all cells.
bool ComponentPlan::repair(const PlanEffort& effort, WalkTeam& team) {
  PlanEffort more = effort;
  for (;; max_loss_ *= 4) {
    const bool last = max_loss_ > 4 * faces_.size() && max_loss_ > 2000;
    more.repair_looks = std::min(effort.most_looks, effort.repair_looks * max_loss_ / kFirstLoss);
    team.move_on(sets_to_give_up(max_loss_), true);
    if (!find_offers_of_all(more, team, last)) {
      if (!team.stopped()) max_loss_ *= 4;  // should there be another call
      return false;
    }
    const bool all_served =
        std::none_of(open_.begin(), open_.end(), [&](std::size_t i) { return offers_[i].empty(); });
    if (all_served) break;
  }
  return give_up(effort, team);
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
bool ComponentPlan::give_up(const PlanEffort& effort, WalkTeam& team) {
  std::size_t n_given = 0;
  for (open_ = take_offers(open_); !open_.empty(); open_ = take_offers(open_)) {
    const Offer* best = best_offer(open_);
    n_given += loss_by(*best);
    for (LocalSet face : best->broken)
      if (faces_.holds(face)) faces_.remove_above(face);
    if (n_given < 4) continue;
    n_given = 0;
    open_ = take_offers(open_);
    team.move_on(missing_sets(faces_), true);
    open_ = search_all({effort.repair_looks}, effort.most_looks, team, std::move(open_));
    if (team.stopped()) return false;
  }
  return true;
}

// Only proofs that are new since then are looked at.
void ComponentPlan::update_broken(LocalSet face, Broken& known) const {
  const bool is_new = known.cells.empty();
  known.cells.resize(needs_.size(), 0);
  std::unique_ptr<MarginProbe> probe;
  for (std::size_t i = 0; i < needs_.size(); ++i) {
    if (!is_new && changed_at_[i] <= known.at) continue;
    if (!probe) probe = std::make_unique<MarginProbe>(table_, face);
    known.cells[i] = probe->changes(proofs_[i].up) || probe->changes(proofs_[i].down);
  }
  known.at = n_taken_;
}

// All cells whose certificates the set breaks must be certified anew: cheap searches for all of
// them, then dear ones, first for the cells that have refused most often.
ComponentPlan::Trial ComponentPlan::try_back(DebtWalk& walk, PublicRandom& random, LocalSet face,
                                             const std::vector<char>& broken,
                                             const PlanEffort& effort) const {
  std::vector<std::size_t> hit;
  for (std::size_t i = 0; i < needs_.size(); ++i)
    if (broken[i]) hit.push_back(i);
  std::stable_sort(hit.begin(), hit.end(),
                   [&](std::size_t a, std::size_t b) { return n_refused_[a] > n_refused_[b]; });
  FaceComplex with = faces_;
  with.add(face);
  walk.move_on(missing_sets(with), false);
  Trial out;
  const std::size_t before = walk.n_looks();
  const auto search = [&](std::size_t i, std::size_t looks) {
    CellProof proof;
    const std::size_t spent = walk.n_looks() - before;
    looks = std::min(looks, effort.most_looks - std::min(effort.most_looks, spent));
    if (!prove(walk, random, needs_[i], walk_effort(looks, 150), proof)) return false;
    out.found.emplace_back(i, std::move(proof));
    return true;
  };
  std::vector<std::size_t> left;
  for (std::size_t i : hit)
    if (!search(i, effort.enlarge_looks / 16)) left.push_back(i);
  for (std::size_t i : left) {
    if (search(i, effort.enlarge_looks)) continue;
    out.refused_by = i;
    return out;
  }
  out.accepted = true;
  std::sort(out.found.begin(), out.found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

// Adds a set that was accepted, unless what was taken since then stands in the way: a new proof
// breaks it, or a proof that came with it breaks the set.
bool ComponentPlan::take_back(LocalSet face, Trial& trial, const std::vector<LocalSet>& taken,
                              std::uint64_t since) {
  const auto is_found = [&](std::size_t i) {
    const auto at = std::lower_bound(trial.found.begin(), trial.found.end(), i,
                                     [](const auto& f, std::size_t k) { return f.first < k; });
    return at != trial.found.end() && at->first == i;
  };
  for (std::size_t i = 0; i < needs_.size() && !taken.empty(); ++i)
    if (changed_at_[i] > since && !is_found(i) && breaks(proofs_[i], face)) return false;
  for (LocalSet other : taken)
    for (const auto& f : trial.found)
      if (breaks(f.second, other)) return false;
  ++n_taken_;
  for (auto& f : trial.found) {
    proofs_[f.first] = std::move(f.second);
    changed_at_[f.first] = n_taken_;
  }
  faces_.add(face);
  return true;
}

// One pass over the sets that are not released, in batches that are tried side by side. False when
// the work was stopped.
bool ComponentPlan::enlarge_once(const PlanEffort& effort, std::map<LocalSet, Broken>& broken,
                                 WalkTeam& team) {
  team.move_on({}, true);
  std::vector<char> tried(std::size_t{1} << table_.size(), 0);
  for (;;) {
    std::vector<LocalSet> batch;
    for (LocalSet face : admissible_.faces())
      if (batch.size() < kBatch && !tried[face] && faces_.can_add(face)) batch.push_back(face);
    if (batch.empty()) return true;
    std::vector<Trial> trials(batch.size());
    std::vector<Broken*> known;
    for (LocalSet face : batch) known.push_back(&broken[face]);
    const std::uint64_t since = n_taken_;
    const auto search = [&](std::size_t i, DebtWalk& walk, PublicRandom& random) {
      update_broken(batch[i], *known[i]);
      trials[i] = try_back(walk, random, batch[i], known[i]->cells, effort);
    };
    if (!team.run(batch.size(), search)) return false;
    std::vector<LocalSet> taken;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      tried[batch[i]] = !trials[i].accepted;
      if (!trials[i].accepted) {
        ++n_refused_[trials[i].refused_by];
      } else if (take_back(batch[i], trials[i], taken, since)) {
        taken.push_back(batch[i]);
      }
    }
  }
}

std::size_t ComponentPlan::enlarge(const PlanEffort& effort, const PlanWork& work) {
  WalkTeam team(table_, memory_, work.pool, work.stop);
  const std::size_t before = faces_.size();
  std::map<LocalSet, Broken> broken;
  for (std::size_t pass = 0; pass < effort.max_passes; ++pass) {
    const std::size_t at_start = faces_.size();
    if (!enlarge_once(effort, broken, team) || faces_.size() == at_start) break;
  }
  return faces_.size() - before;
}

}  // namespace sdclattice
