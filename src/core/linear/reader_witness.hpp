// Tables that agree with a publication, kept because each may settle later questions of readers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/wide_int.hpp"
#include "linear/linear.hpp"
#include "linear/reader_search.hpp"

namespace sdclattice {

// Values over a common denominator, which is 1 for whole numbers.
struct Witness {
  std::vector<std::int64_t> value;
  std::int64_t denominator = 1;

  bool between(std::size_t cell, std::int64_t lower, std::int64_t upper) const {
    return value[cell] >= wide_product(lower, denominator) &&
           (upper >= kNoLimit || value[cell] <= wide_product(upper, denominator));
  }
  bool meets(std::size_t cell, const ReaderNeed& need) const {
    return (need.high < kNoLimit && value[cell] >= wide_product(need.high, denominator)) ||
           value[cell] <= wide_product(need.low, denominator);
  }
  bool agrees(const std::vector<ReaderLimit>& known) const {
    return std::all_of(known.begin(), known.end(), [this](const ReaderLimit& limit) {
      return between(limit.cell, limit.lower, limit.upper);
    });
  }
  bool within(const std::vector<std::int64_t>& lower,
              const std::vector<std::int64_t>& upper) const {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (!between(i, lower[i], upper[i])) return false;
    return true;
  }
};

// The first table stays; of the others the newest, as many as the memory allows.
class WitnessStore {
 public:
  explicit WitnessStore(std::size_t n_cells)
      : most_(std::clamp<std::size_t>(kMostValues / (n_cells + 1), 12, 300)) {}

  const Witness& keep(Witness witness) {
    ++n_found_;
    if (held_.size() < most_) {
      held_.push_back(std::move(witness));
      return held_.back();
    }
    Witness& oldest = held_[1 + n_found_ % (most_ - 1)];
    oldest = std::move(witness);
    return oldest;
  }
  std::size_t n_found() const { return n_found_; }
  const std::vector<Witness>& held() const { return held_; }

 private:
  static constexpr std::size_t kMostValues = 4000000;
  std::size_t most_, n_found_ = 0;
  std::vector<Witness> held_;
};

}  // namespace sdclattice
