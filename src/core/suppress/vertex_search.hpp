// Which cells to hide, by linear programmes whose vertices serve many demands.
//
// Construction: demand by demand, the cheapest difference that the pool still lacks; cells that are
// hidden already cost nearly nothing, so that one difference often serves many primary cells.
// Drop pass: a secondary cell is published when every demand whose certificates change it gets new
// ones among the cells that stay hidden.
// Neighbourhoods: some secondary cells that lie close together are published and, mostly, must not
// be hidden again; what they served is served anew. The result is kept when it is not dearer.
// The pool is certified after every step, and the search can be stopped at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "suppress/suppression_problem.hpp"
#include "suppress/vertex_pool.hpp"
#include "suppress/vertex_programme.hpp"

namespace sdclattice {

// Cells that may differ where these are hidden: primary ones, candidates that are `hidden`, and
// those that nobody sees.
std::vector<char> usable_cells(const SuppressionProblem& problem, const std::vector<char>& hidden);

class VertexSearch {
 public:
  // Keeps references to index and clock. The clock's exceptions leave the pools valid.
  VertexSearch(const DemandIndex& index, std::uint64_t seed, WorkClock& clock);

  // Serves the open demands that can be served with the cells of a programme. Those that cannot are
  // given up for good. Large cells come first, or any order.
  void construct(VertexPool& pool, VertexProgramme& programme, bool by_value);
  // The same with hidden cells alone; nothing is given up for good.
  void construct_among(VertexPool& pool, const std::vector<char>& hidden);
  // One drop pass; true when it dropped a cell.
  bool drop(VertexPool& pool);
  // One neighbourhood for each secondary cell; true when the pool became cheaper.
  bool improve(VertexPool& pool);

  VertexProgramme& whole();  // all cells that may be hidden
  // A demand was given up, and that is proved to be right.
  bool is_proved(std::uint32_t demand, std::uint32_t reader) const;

 private:
  using Cells = std::vector<std::uint32_t>;
  struct Task {
    VertexPool& pool;
    VertexProgramme& programme;
    const Cells& shut;
    bool gives_up;
  };

  bool is_given_up(std::uint32_t demand, std::uint32_t reader) const;
  bool serve(const Task& task, std::uint32_t demand, bool outsider_alone);
  bool serve_all(const Task& task, const Cells& demands);
  Cells doubtful_first(Cells demands, std::uint32_t cell) const;
  bool serve_readers(const Task& task, std::uint32_t demand, const Cells& readers);
  bool find_change(const Task& task, std::uint32_t demand, const Cells& readers, Certificate& best,
                   bool& is_proof);
  bool find_best(const Task& task, const std::vector<WantedChange>& choices, bool thorough,
                 Certificate& best, bool& is_proof);
  std::vector<WantedChange> choices(const VertexPool& pool, std::uint32_t demand,
                                    const Cells& readers, bool& is_all);
  void set_prices(const VertexPool& pool, double spread);
  Cells cells_near(const VertexPool& pool, std::uint32_t cell);
  std::vector<char> usable_near(const VertexPool& pool, Cells cells) const;
  bool try_without(VertexPool& pool, const Cells& cells, bool shuts);

  const DemandIndex& index_;
  const SuppressionProblem& problem_;
  WorkClock& clock_;
  PublicRandom random_;
  RowsByCell rows_;
  double mean_cost_ = 1;
  double spread_ = 0;  // of random prices
  std::vector<double> price_;
  std::unique_ptr<VertexProgramme> whole_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> given_up_;  // and whether proved
};

}  // namespace sdclattice
