// Which margins of a component may be released: from all admissible ones down to those for which
// every cell has a certificate, and up again.
//
// What it guarantees. Cells are searched in batches of a fixed size (walk_team.hpp), and so are the
// sets to be taken back: the plan does not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "certify/component_table.hpp"
#include "certify/walk_team.hpp"

namespace sdclattice {

// What a cell of a component must be able to do: reach `upper`; or, when `spread`, two values that
// differ by `upper`.
struct CellNeed {
  std::uint32_t cell;
  std::int32_t upper;
  bool spread = false;
};

// Changes of the component table that keep its released margins and do what the cell must.
struct CellProof {
  CellChanges up, down;
};

struct PlanEffort {
  std::vector<std::size_t> looks{200000, 1000000, 4000000};  // for each cell, in rounds
  std::size_t repair_looks = 1000000;  // for each search with sets that would be given up
  std::size_t repair_tries = 4;        // such searches for each cell
  std::size_t enlarge_looks = 4000000;
  std::size_t max_passes = 4;                             // over the sets that were given up
  std::size_t most_looks = static_cast<std::size_t>(-1);  // for one search, or one set
};

// How a piece of work on a plan is done, and when it must end.
struct PlanWork {
  WorkerPool& pool;
  StopAsked stop;
};

class ComponentPlan {
 public:
  // `fixed`: sets that must stay, all of their parts with them.
  ComponentPlan(const ComponentTable& table, FaceComplex admissible, std::vector<LocalSet> fixed,
                std::vector<CellNeed> needs, std::uint64_t seed);

  // False when some cell has no certificate whatever is given up, or when the work must stop: the
  // next call then continues with the cells that are left.
  bool run(const PlanEffort& effort, const PlanWork& work);
  // Tries to take sets back, and to trade few for more. The number of sets won.
  std::size_t enlarge(const PlanEffort& effort, const PlanWork& work);

  const ComponentTable& table() const { return table_; }
  const FaceComplex& faces() const { return faces_; }
  const std::vector<CellNeed>& needs() const { return needs_; }
  const std::vector<CellProof>& proofs() const { return proofs_; }
  std::size_t n_hopeless() const { return n_hopeless_; }  // cells for which sets were given up
  std::size_t n_open() const { return open_.size(); }     // cells without a certificate
  std::size_t n_looks() const { return memory_.n_looks; }

 private:
  struct Offer {
    CellProof proof;
    std::vector<LocalSet> broken;  // released sets whose margins it changes, small ones first
    std::vector<LocalSet> sorted;  // the same by number
  };

  // The cells whose proofs break a set, as of the last time that it was tried.
  struct Broken {
    std::uint64_t at = 0;
    std::vector<char> cells;
  };

  // What comes of taking one set back.
  struct Trial {
    bool accepted = false;
    std::size_t refused_by = 0;                            // a cell
    std::vector<std::pair<std::size_t, CellProof>> found;  // new proofs
  };

  bool prove(DebtWalk& walk, PublicRandom& random, const CellNeed& need, const WalkEffort& effort,
             CellProof& out) const;
  std::vector<std::size_t> search_all(const std::vector<std::size_t>& looks, std::size_t most,
                                      WalkTeam& team, std::vector<std::size_t> open);
  std::vector<MoveSet> missing_sets(const FaceComplex& faces) const;
  std::vector<MoveSet> sets_to_give_up(std::size_t max_loss) const;
  bool is_fixed(LocalSet face) const;
  std::vector<LocalSet> broken_by(const CellProof& proof) const;
  bool breaks(const CellProof& proof, LocalSet face) const;
  std::vector<Offer> find_offers(DebtWalk& walk, PublicRandom& random, std::size_t cell,
                                 const PlanEffort& effort) const;
  bool find_offers_of_all(const PlanEffort& effort, WalkTeam& team, bool all_or_none);
  bool repair(const PlanEffort& effort, WalkTeam& team);
  std::size_t loss_by(const Offer& offer) const;
  std::vector<std::size_t> take_offers(const std::vector<std::size_t>& open);
  const Offer* best_offer(const std::vector<std::size_t>& open) const;
  bool give_up(const PlanEffort& effort, WalkTeam& team);
  void update_broken(LocalSet face, Broken& known) const;
  Trial try_back(DebtWalk& walk, PublicRandom& random, LocalSet face,
                 const std::vector<char>& broken, const PlanEffort& effort) const;
  bool take_back(LocalSet face, Trial& trial, const std::vector<LocalSet>& taken,
                 std::uint64_t since);
  bool enlarge_once(const PlanEffort& effort, std::map<LocalSet, Broken>& broken, WalkTeam& team);

  static constexpr std::size_t kBatch = 16;  // cells, or sets, that are searched at once
  static constexpr std::size_t kFirstLoss = 8;

  const ComponentTable& table_;
  FaceComplex admissible_, faces_;
  std::vector<LocalSet> fixed_;
  std::vector<CellNeed> needs_;
  std::vector<CellProof> proofs_;
  WalkMemory memory_;
  std::vector<std::size_t> open_;  // needs without a certificate
  std::vector<std::vector<Offer>> offers_;
  std::size_t max_loss_ = kFirstLoss;      // that an offer may be
  bool searched_ = false;                  // without giving up sets
  std::uint64_t n_taken_ = 0;              // sets so far
  std::vector<std::uint64_t> changed_at_;  // when a set was taken: its proof, last of all
  std::vector<std::uint32_t> n_refused_;   // how often a cell has kept a set from being taken back
  std::size_t n_hopeless_ = 0;
};

}  // namespace sdclattice
