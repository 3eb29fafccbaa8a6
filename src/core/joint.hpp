// The joint state of the applications of one cycle, and what a link between two cycles makes of
// two such states.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "core/mechanism.hpp"

namespace sdclattice {

// A cycle's state has one digit per application: what the coin did (plus, minus, nothing) and, for
// nothing, whether the cells seen so far would have allowed a step. Rules "blocked", "none" and
// "roehrig" need one such flag (4 digits), "nonnegative" one for each direction (6 digits). A fresh
// state is one in which no cell has objected yet.
class StateSpace {
 public:
  StateSpace(ZeroRule rule, int covers);

  ZeroRule rule() const { return rule_; }
  int covers() const { return covers_; }
  int size() const { return size_; }
  const std::vector<std::int32_t>& fresh() const { return fresh_; }
  int fresh_of(int state) const { return fresh_of_[state]; }  // same coefficients, no objection
  int net(int state) const { return net_[state]; }
  int digit(int state, int application) const { return digits_[state * covers_ + application]; }
  int base() const { return base_; }

  // Probability of the coins behind each state, once no cell of the cycle is left unseen.
  template <typename Number>
  std::vector<Number> weights(double alpha, double beta) const {
    std::vector<Number> weight(size_, Number(1));
    for (int state = 0; state < size_; ++state)
      for (int t = 0; t < covers_; ++t)
        weight[state] = weight[state] * Number(digit_weight(digit(state, t), alpha, beta));
    return weight;
  }

 private:
  double digit_weight(int digit, double alpha, double beta) const;

  ZeroRule rule_;
  int covers_, base_, size_;
  std::vector<std::int8_t> digits_;
  std::vector<std::int32_t> fresh_, fresh_of_;
  std::vector<int> net_;
};

// What a link says: the least published values of the cells that `second` raises and `first` lowers
// (up), and of the reverse (down), both capped at `cap`; and in which order the applications of the
// two come (bit t is set where the t-th is one of `second`).
struct LinkKey {
  std::uint32_t pattern = 0;
  std::uint8_t up = 0, down = 0;
  bool operator<(const LinkKey& other) const {
    if (pattern != other.pattern) return pattern < other.pattern;
    return up != other.up ? up < other.up : down < other.down;
  }
};

// after[first * size + second]: the two states after the link has had its say, coded alike; -1
// where it forbids them.
using Join = std::vector<std::int32_t>;

// Least value from which a cell never stops a step: 2 covers + 1.
inline int link_cap(int covers) { return 2 * covers + 1; }

Join make_join(const StateSpace& space, const LinkKey& key);

class JoinCache {
 public:
  explicit JoinCache(const StateSpace& space) : space_(space) {}
  const Join& get(const LinkKey& key) {
    auto& slot = joins_[key];
    if (!slot) slot = std::make_unique<Join>(make_join(space_, key));
    return *slot;
  }

 private:
  const StateSpace& space_;
  std::map<LinkKey, std::unique_ptr<Join>> joins_;
};

}  // namespace sdclattice
