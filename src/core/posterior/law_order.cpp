#include "posterior/law_order.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace sdclattice {
namespace {

constexpr double kMaxBits = 64;  // of the states of a front

// Takes next the law that leaves the front with the fewest states; ties go to the one met last.
class Orderer {
 public:
  Orderer(const Linkage& linkage, const Component& part, CycleStates& states,
          std::vector<std::int32_t>& local)
      : linkage_(linkage),
        part_(part),
        local_(local),
        n_(part.cycles.size()),
        start_(n_ + 1, 0),
        size_(n_),
        active_(n_, 0),
        queued_(part.n_laws, 0) {
    for (std::size_t v = 0; v < n_; ++v) {
      local_[part.cycles[v]] = static_cast<std::int32_t>(v);
      size_[v] = std::log2(states.of(part.cycles[v]).size());
    }
    for_each_entry([this](std::int32_t, std::int32_t v) { ++start_[v + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<std::int32_t> at(start_.begin(), start_.end() - 1);
    law_.resize(start_[n_]);
    for_each_entry([&](std::int32_t l, std::int32_t v) { law_[at[v]++] = l; });
    for (std::size_t v = 0; v < n_; ++v) left_.push_back(start_[v + 1] - start_[v]);
  }

  LawOrder run() {
    LawOrder out;
    if (n_ == 0) return out;
    out.laws.reserve(part_.n_laws);
    queue_laws_of(farthest(farthest(0)));
    while (!candidates_.empty() && bits_ <= kMaxBits) out.laws.push_back(take_best());
    out.too_wide = bits_ > kMaxBits;
    out.width = static_cast<int>(std::count(active_.begin(), active_.end(), 1));
    assert(out.too_wide || (out.width == 0 && out.laws.size() == std::size_t(part_.n_laws)));
    return out;
  }

 private:
  template <typename Do>
  void for_each_entry(Do&& act) const {
    for (std::int32_t l = 0; l < part_.n_laws; ++l)
      for_each_variable(l, [&](std::int32_t v) { act(l, v); });
  }
  template <typename Do>
  void for_each_variable(std::int32_t law, Do&& act) const {
    const std::size_t at = static_cast<std::size_t>(part_.first_law) + law;
    for (std::size_t e = linkage_.law_start[at]; e < linkage_.law_start[at + 1]; ++e)
      act(local_[linkage_.law_cycle[e]]);
  }

  // The last variable met in a search by breadth.
  std::int32_t farthest(std::int32_t from) const {
    std::vector<char> seen(n_, 0);
    std::vector<std::int32_t> met{from};
    seen[from] = 1;
    for (std::size_t i = 0; i < met.size(); ++i)
      for (std::int32_t k = start_[met[i]]; k < start_[met[i] + 1]; ++k)
        for_each_variable(law_[k], [&](std::int32_t v) {
          if (!seen[v]) met.push_back(v);
          seen[v] = 1;
        });
    return met.back();
  }

  void queue_laws_of(std::int32_t v) {
    for (std::int32_t k = start_[v]; k < start_[v + 1]; ++k) {
      if (!queued_[law_[k]]) candidates_.push_back(law_[k]);
      queued_[law_[k]] = 1;
    }
  }

  // By how much the logarithm of the front's states grows.
  double growth(std::int32_t law) const {
    double sum = 0;
    for_each_variable(law, [&](std::int32_t v) {
      if (!active_[v]) sum += size_[v];
      if (left_[v] == 1) sum -= size_[v];
    });
    return sum;
  }

  std::int32_t take_best() {
    std::size_t best = candidates_.size() - 1;
    double least = growth(candidates_[best]);
    for (std::size_t i = best; i-- > 0;) {
      const double here = growth(candidates_[i]);
      if (here < least) least = here, best = i;
    }
    const std::int32_t law = candidates_[best];
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
    for_each_variable(law, [&](std::int32_t v) {
      if (!active_[v]) queue_laws_of(v);
      active_[v] = --left_[v] > 0;
    });
    bits_ += least;
    return law;
  }

  const Linkage& linkage_;
  const Component& part_;
  std::vector<std::int32_t>& local_;
  std::size_t n_;
  std::vector<std::int32_t> start_, law_, left_;
  std::vector<double> size_;
  std::vector<char> active_, queued_;
  std::vector<std::int32_t> candidates_;
  double bits_ = 0;  // logarithm of the states of the front
};

}  // namespace

LawOrder order_laws(const Linkage& linkage, const Component& part, CycleStates& states,
                    std::vector<std::int32_t>& local) {
  return Orderer(linkage, part, states, local).run();
}

}  // namespace sdclattice
