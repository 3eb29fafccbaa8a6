// Which margins of a component may be released: from all admissible ones down to those for which
// every cell has a certificate, and up again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "certify/component_table.hpp"
#include "certify/debt_walk.hpp"

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
  TableChange up, down;
};

struct PlanEffort {
  std::vector<std::size_t> looks{200000, 1000000, 4000000};  // for each cell, in rounds
  std::size_t repair_looks = 1000000;  // for each search with sets that would be given up
  std::size_t repair_tries = 4;        // such searches for each cell
  std::size_t enlarge_looks = 4000000;
  std::size_t max_passes = 4;  // over the sets that were given up
};

using StopAsked = std::function<bool()>;  // asked between cells

class ComponentPlan {
 public:
  // `fixed`: sets that must stay, all of their parts with them.
  ComponentPlan(const ComponentTable& table, FaceComplex admissible, std::vector<LocalSet> fixed,
                std::vector<CellNeed> needs, std::uint64_t seed);

  // False when some cell has no certificate whatever is given up, or when `abandon` says so: the
  // next call then continues with the cells that are left. After `stop` no more cells are searched.
  bool run(const PlanEffort& effort, const StopAsked& stop, const StopAsked& abandon);
  // Tries to take sets back, and to trade few for more. The number of sets won.
  std::size_t enlarge(const PlanEffort& effort, const StopAsked& stop);

  const ComponentTable& table() const { return table_; }
  const FaceComplex& faces() const { return faces_; }
  const std::vector<CellNeed>& needs() const { return needs_; }
  const std::vector<CellProof>& proofs() const { return proofs_; }
  std::size_t n_hopeless() const { return n_hopeless_; }  // cells for which sets were given up
  std::size_t n_open() const { return open_.size(); }     // cells without a certificate
  std::size_t n_looks() const { return walk_.n_looks(); }

 private:
  struct Offer {
    CellProof proof;
    std::vector<LocalSet> broken;  // released sets whose margins it changes, small ones first
    std::vector<LocalSet> sorted;  // the same by number
  };

  bool prove(const CellNeed& need, const WalkEffort& effort, CellProof& out);
  std::vector<std::size_t> search_all(const PlanEffort& effort, const StopAsked& stop,
                                      std::vector<std::size_t> open);
  void allow_missing(bool forget);
  void allow_giving_up(std::size_t max_loss);
  bool is_fixed(LocalSet face) const;
  std::vector<LocalSet> broken_by(const CellProof& proof) const;
  bool breaks(const CellProof& proof, LocalSet face) const;
  std::vector<Offer> find_offers(std::size_t cell, const PlanEffort& effort);
  bool repair(const PlanEffort& effort, const StopAsked& stop, const StopAsked& abandon);
  std::size_t loss_by(const Offer& offer) const;
  std::vector<std::size_t> take_offers(const std::vector<std::size_t>& open);
  const Offer* best_offer(const std::vector<std::size_t>& open) const;
  bool give_up(const PlanEffort& effort, const StopAsked& abandon);
  bool take_back(LocalSet face, const PlanEffort& effort, const StopAsked& stop);

  static constexpr std::size_t kFirstLoss = 8;

  const ComponentTable& table_;
  FaceComplex admissible_, faces_;
  std::vector<LocalSet> fixed_;
  std::vector<CellNeed> needs_;
  std::vector<CellProof> proofs_;
  DebtWalk walk_;
  PublicRandom random_;
  std::vector<std::size_t> open_;  // needs without a certificate
  std::vector<std::vector<Offer>> offers_;
  std::size_t max_loss_ = kFirstLoss;     // that an offer may be
  bool searched_ = false;                 // without giving up sets
  std::vector<std::uint32_t> n_refused_;  // how often a cell has kept a set from being taken back
  std::size_t n_hopeless_ = 0;
};

}  // namespace sdclattice
