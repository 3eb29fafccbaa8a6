// Unbiased controlled rounding of tables whose sums form a network (Cox 1987).
//
// What is computed. A random table R of multiples of a base b, with E(R) = T exactly for the
// original T. Every cell and every sum moves to one of the two adjacent multiples, multiples stay,
// and sums add up.
// How. The residues T mod b are a circulation up to multiples of b: no node has a single edge with
// a residue other than 0, so these edges hold a cycle. Pushing an amount around a cycle keeps all
// sums. One pushes up, as far as the residues stay in [0, b], with a probability such that the
// residues are a martingale; at least one edge reaches 0 or b and is done. What it costs. At most
// as many steps as edges with a residue, each as long as the walk that finds its cycle: at most the
// number of nodes; on dense tables a few edges. What it agrees with. Enumeration of all outcomes of
// the coins as exact fractions.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/tick.hpp"
#include "linear/circulation.hpp"

namespace sdclattice {

// Gives the next of a sequence of independent uniform 64-bit numbers.
using RandomWord = std::function<std::uint64_t()>;

// The residues on their way, and the rule that chooses the cycle: walk from the start of the lowest
// edge in play, at each node along the lowest edge in play but the one just used, until a node
// comes again. The rule looks at nothing but the residues, so that the procedure is a function of
// them and of its coins.
class ResidueWalk {
 public:
  ResidueWalk(const Circulation& circulation, std::int64_t base);

  // Finds the next cycle; false when every residue is 0 or the base.
  bool find_cycle();
  // How far the cycle can be pushed either way, both > 0.
  std::int64_t up() const { return up_; }
  std::int64_t down() const { return down_; }
  // Pushes the cycle by up() or by -down().
  void push(std::int64_t by);

  std::int64_t base() const { return base_; }
  const std::vector<std::int64_t>& residues() const { return residue_; }
  // The half-edges of the cycle; odd ones run against their edge.
  const std::vector<std::uint32_t>& cycle() const { return cycle_; }

 private:
  void walk_from(std::uint32_t node);
  void measure();

  const Circulation* circulation_;
  std::int64_t base_;
  std::vector<std::int64_t> residue_;
  EdgeLists lists_;
  std::uint32_t lowest_ = 0;
  std::vector<std::uint32_t> seen_, place_;  // of a node: the walk that saw it last, and where
  std::uint32_t walk_ = 0;
  std::vector<std::uint32_t> cycle_;
  std::int64_t up_ = 0, down_ = 0;
};

// True with probability weight / total, exactly; 0 < weight < total.
bool draw_coin(std::uint64_t weight, std::uint64_t total, const RandomWord& random);

// The rounded edges. `base` from 1 to 1e9.
std::vector<std::int64_t> round_randomly(const Circulation& circulation, std::int64_t base,
                                         const RandomWord& random, const Tick& tick);

// Calls act(residues, probability) at the end of every sequence of coins. Number: double, or a type
// of exact fractions. For small tables: the number of sequences doubles with every step.
template <class Number, class Act>
void each_outcome(ResidueWalk walk, const Number& probability, Act&& act) {
  if (!walk.find_cycle()) {
    act(walk.residues(), probability);
    return;
  }
  const std::int64_t up = walk.up(), down = walk.down();
  ResidueWalk other = walk;
  walk.push(up);
  each_outcome<Number>(std::move(walk), probability * Number(down) / Number(up + down), act);
  other.push(-down);
  each_outcome<Number>(std::move(other), probability * Number(up) / Number(up + down), act);
}

// The probability that the circulation is rounded to `rounded`, which has a value for each edge:
// the sum over all sequences of coins that lead there. Throws TooLargeError beyond `max_nodes`
// pushes.
double rounding_probability(const Circulation& circulation, std::int64_t base,
                            const std::vector<std::int64_t>& rounded, std::size_t max_nodes);

}  // namespace sdclattice
