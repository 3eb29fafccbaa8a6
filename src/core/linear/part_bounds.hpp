// The search for the bounds of one part of a system, by the engine that suits it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "linear/bounds_knowledge.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/network_flow.hpp"
#include "linear/presolve.hpp"
#include "linear/sparse_team.hpp"

namespace sdclattice {

enum class PartEngine { network, tableau, sparse };

class PartBounds {
 public:
  // Keeps references. `asked`: unknowns of the part; none of them is sought for itself where it is
  // empty, only a solution. `truth`: a solution of the part, or empty. With a crew large parts are
  // shared by several searches.
  PartBounds(const PresolvedPart& part, std::vector<std::uint32_t> asked,
             std::vector<std::int64_t> truth, const BoundsLimits& limits, WorkClock& watch,
             BoundsCrew crew = {});

  // Whether work() shares its work, and so must not itself be part of shared work.
  static bool is_shared(const PresolvedPart& part, const BoundsCrew& crew);

  // The work of one level on all ends that are still open. Networks and small parts do all of
  // theirs at the first level. WorkTimeUp, WorkInterrupted and InfeasibleError as they come.
  void work(SearchLevel level);
  bool done() const;
  bool is_asked() const { return asked_; }

  PartEngine engine() const { return engine_; }
  const Knowledge& known() const { return known_; }
  const Effort& effort() const { return effort_; }
  bool is_sharp(std::size_t unknown) const;

 private:
  void take_truth();
  void choose_engine();
  void search_network();
  void search_tableau();
  void search_sparse(SearchLevel level);
  void start_team();
  void drop_closed();

  const PresolvedPart& part_;
  std::vector<std::int64_t> truth_;
  const BoundsLimits& limits_;
  WorkClock& watch_;
  BoundsCrew crew_;
  Knowledge known_;
  Effort effort_;
  PartEngine engine_ = PartEngine::sparse;
  std::optional<FlowNetwork> network_;
  std::unique_ptr<SparseTeam> sparse_;
  std::vector<CellEnd> open_;
  bool asked_, started_ = false;
};

}  // namespace sdclattice
