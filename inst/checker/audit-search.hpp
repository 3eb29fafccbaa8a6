// All tables of whole numbers that agree with what is known of some sums of their leaves: a search
// in depth, with exact limits of each leaf.
#ifndef SDCLATTICE_AUDIT_SEARCH_HPP
#define SDCLATTICE_AUDIT_SEARCH_HPP

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "audit-case.hpp"

namespace audit {

using Table = std::vector<Whole>;

struct Limit {
  Leaves leaves;
  Whole low = 0;
  Whole high = kNone;
};

inline Whole sum_of(const Table& table, const Leaves& leaves) {
  Whole out = 0;
  for (int leaf : leaves) out += table[static_cast<std::size_t>(leaf)];
  return out;
}

enum class End { finished, stopped, out_of_steps };

class Search {
 public:
  // `near`: a table that agrees; its values are tried first. Leaves that nothing limits end at
  // `cap`.
  Search(const Table& near, Whole cap) : near_(near), cap_(cap) {}

  // Limits of the same leaves become one.
  void add(const Leaves& leaves, Whole low, Whole high) {
    const auto found = place_.emplace(leaves, limits_.size());
    if (found.second) limits_.push_back({leaves, 0, kNone});
    Limit& limit = limits_[found.first->second];
    limit.low = std::max(limit.low, low);
    limit.high = std::min(limit.high, high);
  }

  // Calls `visit` with each table until it returns false. Some nodes of the search, at most.
  End run(std::size_t steps, const std::function<bool(const Table&)>& visit) {
    steps_ = steps;
    visit_ = &visit;
    Box box{Table(near_.size(), 0), Table(near_.size(), cap_)};
    return branch(box);
  }

 private:
  struct Box {
    Table low;
    Table high;
  };

  // Narrows the leaves of one limit. `none`: no table is left.
  bool narrow(const Limit& limit, Box& box, bool& none) const {
    Whole least = 0;
    Whole most = 0;
    for (int leaf : limit.leaves) {
      least += box.low[static_cast<std::size_t>(leaf)];
      most += box.high[static_cast<std::size_t>(leaf)];
    }
    none = least > limit.high || most < limit.low;
    if (none || (most <= limit.high && least >= limit.low)) return false;
    bool changed = false;
    for (int leaf : limit.leaves) {
      Whole& low = box.low[static_cast<std::size_t>(leaf)];
      Whole& high = box.high[static_cast<std::size_t>(leaf)];
      const Whole to = limit.high == kNone ? high : std::min(high, limit.high - (least - low));
      const Whole from = std::max(low, limit.low - (most - high));
      changed = changed || to < high || from > low;
      least += from - low;
      most -= high - to;
      high = to;
      low = from;
      none = low > high;
      if (none) return false;
    }
    return changed;
  }

  bool propagate(Box& box) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Limit& limit : limits_) {
        bool none = false;
        changed = narrow(limit, box, none) || changed;
        if (none) return false;
      }
    }
    return true;
  }

  End branch(Box& box) {
    if (steps_ == 0) return End::out_of_steps;
    --steps_;
    if (!propagate(box)) return End::finished;
    std::size_t at = near_.size();
    for (std::size_t leaf = 0; leaf < near_.size(); ++leaf) {
      const Whole room = box.high[leaf] - box.low[leaf];
      if (room > 0 && (at == near_.size() || room < box.high[at] - box.low[at])) at = leaf;
    }
    if (at == near_.size()) return (*visit_)(box.low) ? End::finished : End::stopped;
    // from the value of the near table outwards
    const Whole from = std::min(std::max(near_[at], box.low[at]), box.high[at]);
    for (Whole d = 0; from - d >= box.low[at] || from + d <= box.high[at]; ++d) {
      for (int side = d == 0 ? 1 : 0; side < 2; ++side) {
        const Whole value = side == 1 ? from + d : from - d;
        if (value < box.low[at] || value > box.high[at]) continue;
        Box next = box;
        next.low[at] = next.high[at] = value;
        const End end = branch(next);
        if (end != End::finished) return end;
      }
    }
    return End::finished;
  }

  Table near_;
  Whole cap_;
  std::vector<Limit> limits_;
  std::map<Leaves, std::size_t> place_;
  std::size_t steps_ = 0;
  const std::function<bool(const Table&)>* visit_ = nullptr;
};

}  // namespace audit

#endif
