// Exact inference on one ring of cycles.
//
// What is computed. The cycles of the ring are variables: the state of a cycle (joint.hpp) says
// what its coins did. A link between two cycles forbids or flags pairs of states; once all links of
// a cycle are seen its state has a weight. The evidence is the sum over all assignments of the
// product of the weights, and the law of a link is the share of each change D in that sum.
// Why it is right. A step is prevented by the cells of the links of its cycle only, and the value of
// such a cell at any time depends on the states of the link's two cycles and on the published
// value alone. So the likelihood factorises over links and cycles, and forward-backward messages
// along the ring are exact. Links reach at most `window` places, so the messages are over the states
// of `window` neighbours; the ring is cut by conditioning on the states of the first `window`
// cycles as the links across the cut leave them.
// What it costs. With S states per cycle: n S^window 3^covers transitions for each of S^window
// starts; linear in n (ring_work() below). Agrees with enumerate.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/joint.hpp"
#include "core/linkage.hpp"
#include "core/mechanism.hpp"
#include "core/tick.hpp"

namespace sdclattice {

// Upper bound of the products that inference on a ring takes: some 10^9 take a second.
double ring_work(const StateSpace& space, const Component& part);

// What all rings of a set share.
struct RingContext {
  const Linkage& linkage;
  const Mechanism& mechanism;
  const Times& times;
  const std::vector<std::uint8_t>& up;      // per link, capped
  const std::vector<std::uint8_t>& down;
  const Tick& tick;  // of the ring at hand
};

// Moving the window on by one cycle: `from` the old window state, `to` the new one, `closed` the
// final state of the cycle that leaves. delta[e * links + k] is D + 2 covers of the k-th link met.
struct Transition {
  struct Entry {
    std::int32_t from, to, closed;
  };
  std::vector<Entry> entries;
  std::vector<std::uint8_t> delta;
};

// Transitions depend on the links that they meet alone; rings share them.
class TransitionCache {
 public:
  struct Met {
    int slot;  // place in the window of the link's earlier cycle; the later one is entering
    LinkKey key;
  };
  TransitionCache(const StateSpace& space, JoinCache& joins, int window)
      : space_(space), joins_(joins), window_(window) {}
  const Transition& get(const std::vector<Met>& met);
  int window() const { return window_; }

 private:
  Transition make(const std::vector<Met>& met);
  const StateSpace& space_;
  JoinCache& joins_;
  int window_;
  std::map<std::vector<std::uint32_t>, Transition> made_;
};

class Ring {
 public:
  // `weights`: prior weight of each D = -2 covers .. 2 covers, for each link of the part in turn;
  // null for all 1.
  Ring(const StateSpace& space, JoinCache& joins, TransitionCache& transitions,
       const Component& part, const RingContext& context, const double* weights);

  // -Inf where no assignment is possible.
  double log_evidence() const;

  // Log evidence, and the law of each link, D = -2 covers at laws + stride * link; `laws` is zero
  // before.
  double infer(double* laws, std::size_t stride) const;

  // n independent exact draws of the changes: shifts[draw * n_laws + link] = D.
  void sample(std::size_t n, std::size_t n_laws, const std::function<double()>& uniform,
              std::int8_t* shifts) const;

 private:
  template <int Lanes>
  friend class RingBlock;
  template <typename Do>
  auto with_lanes(Do&& act) const;

  // A link as the ring meets it: `near` entered the window before `far`.
  struct Meeting {
    std::int32_t link;
    bool flipped;  // near is the link's second cycle
    int near, far;
    LinkKey key;
  };
  // A position of the ring from which the window moves on.
  struct Step {
    const Transition* move;
    std::size_t first_met, end_met;  // in met_
    std::int32_t leaving;            // cycle
  };

  Meeting meet(std::int32_t link, int near, int far) const;
  double weight_of(const Meeting& m, int delta) const;
  const std::vector<double>& closing(std::int32_t cycle) const;

  const StateSpace& space_;
  JoinCache& joins_;
  const RingContext& context_;
  const Component& part_;
  const double* weights_;
  int window_, width_, n_states_;
  std::vector<Meeting> met_, inner_, wrap_;
  std::vector<Step> steps_;
  std::vector<std::int32_t> starts_;
  std::vector<double> common_weights_;
  mutable std::vector<double> own_weights_;
};

}  // namespace sdclattice
