// Systems that are flows in a network, and the range of each flow over all solutions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// Rows are nodes, and there is one more, the ground; cell i is an arc from tail[i] to head[i]. The
// sum of a row, with its sign, is what flows in less what flows out; a row with a range gets an arc
// of its own to the ground.
class FlowNetwork {
 public:
  // Rows that follow from others are left out. Nothing when the system is no network: a
  // cell in more than two rows, a coefficient that is not 1 or -1, or signs that no change of rows
  // reconciles.
  static std::optional<FlowNetwork> from(const LinearSystem& system);

  // Finds a solution; false when there is none. `check` is called at every path and may throw.
  bool solve(const std::function<void()>& check);
  std::int64_t flow(std::size_t cell) const { return flow_[cell]; }
  // Moves the solution to one with the largest (sign 1) or least (sign -1) value of the cell.
  // Returns false when that has no limit.
  bool push(std::size_t cell, int sign, const std::function<void()>& check);

 private:
  struct Arc {
    std::uint32_t tail, head;
  };
  std::int64_t room(std::size_t arc, bool forward) const;
  void add(std::size_t arc, bool forward, std::int64_t by);
  // Sends up to `most` from one node to another, by shortest paths, without the arc `without`.
  // Returns what went; `endless_` says that there was a path without a limit, which is not used.
  std::int64_t send(std::size_t from, std::size_t to, std::int64_t most, std::size_t without,
                    const std::function<void()>& check);
  bool find_path(std::size_t from, std::size_t to, std::size_t without);
  void index();

  std::size_t n_nodes_ = 0, n_cells_ = 0;
  std::vector<Arc> arcs_;
  std::vector<std::int64_t> lower_, upper_, flow_;
  std::vector<std::int64_t> demand_;      // of a node: inflow less outflow
  std::vector<std::size_t> at_, around_;  // the arcs of a node
  std::vector<std::size_t> reached_by_;   // arc by which the search came to a node
  std::vector<std::uint32_t> mark_, queue_;
  std::uint32_t round_ = 0;
  bool endless_ = false;
};

}  // namespace sdclattice
