// Systems that are flows in a network, and the range of each flow over all solutions.
//
// One solution is kept, and its residual network: the largest value of a cell is reached by sending
// more through it, and back from its head to its tail by paths that have room. Paths are looked for
// from both ends at once, so that a push costs what it comes upon and not the whole network, and
// `changed()` says which cells it moved. A table of 2,000 x 2,000 has nodes of 2,000 arcs, of which
// few hold something: the arcs of a node lie in order of what a search can do with them, and it
// looks for one that meets the other side before it goes on to new nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// Rows are nodes, and there is one more, the ground; cell i is an arc from its tail to its head.
// The sum of a row, with its sign, is what flows in less what flows out; a row with a range gets an
// arc of its own to the ground.
class FlowNetwork {
 public:
  // Rows that follow from others are left out. Nothing when the system is no network: a
  // cell in more than two rows, a coefficient that is not 1 or -1, or signs that no change of rows
  // reconciles.
  static std::optional<FlowNetwork> from(const LinearSystem& system);

  // Finds a solution; false when there is none. `check` is called at every path and may throw.
  bool solve(const std::function<void()>& check);
  std::int64_t flow(std::size_t cell) const { return arcs_[cell].flow; }
  // Moves the solution to one with the largest (sign 1) or least (sign -1) value of the cell.
  // Returns false when that has no limit.
  bool push(std::size_t cell, int sign, const std::function<void()>& check);
  // The cells that the last push moved, some more than once.
  const std::vector<std::uint32_t>& changed() const { return changed_; }

 private:
  struct Arc {
    std::uint32_t tail, head;
    std::int64_t lower, upper, flow;
    std::int64_t room(bool forward) const {
      if (forward) return upper >= kNoLimit ? kNoLimit : upper - flow;
      return lower <= -kNoLimit ? kNoLimit : flow - lower;
    }
  };
  // An arc as a node sees it.
  struct Link {
    std::uint32_t arc, node;
  };
  // What flows can do along a link: only leave the node, both, or only enter it.
  enum Use : std::uint8_t { kLeave, kBoth, kEnter };
  // How far a walk through the links of nodes has come: node, link of it, end of its links.
  struct Cursor {
    std::size_t next = 0, link = 0, end = 0;
  };
  // What a search has reached from one end.
  struct Side {
    std::vector<std::uint32_t> nodes;
    Cursor go, look;      // to new nodes; for a link that meets the other side
    bool leaves = false;  // along the flow; else against it
    bool wide = false;    // goes by all links, not only those that flows can go along both ways
    bool spent = false;   // has reached all that it can
    std::uint32_t mark = 0;
  };

  void index();
  void sort_links();
  bool is_free(std::size_t arc) const { return arcs_[arc].lower < arcs_[arc].upper; }
  Use use_at(std::size_t arc, bool tail) const;
  void add(std::uint32_t arc, bool forward, std::int64_t by);
  void move_link(std::uint32_t arc, bool tail, Use from, Use to);
  void swap_links(std::size_t a, std::size_t b);
  std::size_t& place(std::uint32_t arc, bool tail) { return place_[2 * arc + (tail ? 0 : 1)]; }
  void fill_direct_arcs(std::vector<std::int64_t>& excess);
  // Sends up to `most` from one node to another, by short paths, without the arc `without`.
  // Returns what went; `endless_` says that there was a path without a limit, which is not used.
  std::int64_t send(std::uint32_t from, std::uint32_t to, std::int64_t most, std::size_t without,
                    const std::function<void()>& check);
  std::int64_t send_along(std::uint32_t from, std::uint32_t to, std::int64_t most);
  bool find_path(std::uint32_t from, std::uint32_t to, std::size_t without, bool in_tree = false);
  bool go_on(Side& side, const Side& other, std::size_t without);
  bool look(Side& side, const Side& other, std::size_t without);
  void widen(Side& side) const;
  void point(Cursor& cursor, const Side& side, std::size_t next, bool all) const;
  bool advance(Cursor& cursor, const Side& side, bool all) const;
  void join_ways(std::uint32_t node, std::uint32_t by);
  void reach(Side& side, std::uint32_t node, std::uint32_t by);
  void renew_marks();
  void start(Side& side, std::uint32_t node, bool leaves);
  // The nearest node that lacks something; n_nodes_ when no way leads to one.
  std::uint32_t find_lack(std::uint32_t from, const std::vector<std::int64_t>& excess);

  std::size_t n_nodes_ = 0, n_cells_ = 0;
  std::vector<Arc> arcs_;
  std::vector<std::int64_t> demand_;  // of a node: inflow less outflow
  // The links of a node: those along which flow can only leave, from `both_` on those along which
  // it can do both, from `enter_` on those along which it can only enter. Arcs that cannot change
  // have none.
  std::vector<std::size_t> at_, both_, enter_;
  std::vector<Link> around_;
  std::vector<std::size_t> place_;   // of an arc: its link at its tail, and at its head
  std::vector<std::uint32_t> way_;   // of a node: the arc by which the search came to it
  std::vector<std::uint32_t> mark_;  // of a node: by which side of which search
  std::vector<std::uint32_t> changed_;
  Side source_, target_;
  std::uint32_t round_ = 0;
  bool endless_ = false;
};

}  // namespace sdclattice
