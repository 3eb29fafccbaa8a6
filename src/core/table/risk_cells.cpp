#include "table/risk_cells.hpp"

#include <algorithm>
#include <utility>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

// The fields of some variables in each word of a key.
std::vector<std::uint64_t> field_masks(const Layout& layout, SubTable set) {
  std::vector<std::uint64_t> out(layout.n_words(), 0);
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    if ((set >> v & 1) == 0) continue;
    const Field& f = layout.field(v);
    out[f.word] |= f.mask << f.shift;
  }
  return out;
}

// Numbers the distinct keys under a mask in the order in which they come: open addressing, at most
// half full. The places hold the first stored cell of a key, which stands for it.
class MaskedKeys {
 public:
  MaskedKeys(const CellsView& cells, std::vector<std::uint64_t> masks)
      : cells_(cells), masks_(std::move(masks)) {
    while (n_slots() < 2 * cells.n + 2) ++bits_;
    assign_polled(slots_, n_slots(), std::uint32_t{kFree});
    assign_polled(ids_, n_slots(), std::uint32_t{0});
  }

  std::uint32_t insert(std::size_t cell) {
    std::size_t at = hash(cell);
    while (slots_[at] != kFree && !same(slots_[at], cell)) at = (at + 1) & (n_slots() - 1);
    if (slots_[at] == kFree) {
      slots_[at] = static_cast<std::uint32_t>(cell);
      ids_[at] = size_++;
    }
    return ids_[at];
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;
  std::size_t n_slots() const { return std::size_t{1} << bits_; }
  const std::uint64_t* key(std::size_t cell) const { return cells_.keys + cell * masks_.size(); }

  std::size_t hash(std::size_t cell) const {
    const std::uint64_t* k = key(cell);
    std::uint64_t mixed = 0;
    for (std::size_t w = 0; w < masks_.size(); ++w) {
      mixed = (mixed ^ (k[w] & masks_[w])) * 0x9e3779b97f4a7c15u;
      mixed ^= mixed >> 32;
    }
    return static_cast<std::size_t>((mixed * 0x9e3779b97f4a7c15u) >> (64 - bits_));
  }

  bool same(std::size_t a, std::size_t b) const {
    const std::uint64_t *x = key(a), *y = key(b);
    for (std::size_t w = 0; w < masks_.size(); ++w)
      if (((x[w] ^ y[w]) & masks_[w]) != 0) return false;
    return true;
  }

  const CellsView& cells_;
  std::vector<std::uint64_t> masks_;
  unsigned bits_ = 4;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> slots_, ids_;
};

}  // namespace

RiskCells::RiskCells(Layout layout, const CellsView& cells, std::vector<std::uint32_t> at_risk)
    : layout_(std::move(layout)), cells_(cells), at_risk_(std::move(at_risk)) {
  if (layout_.n_variables() > kMaxSubTableVariables)
    throw TooLargeError("The search for releases supports at most 64 variables.");
  if (cells.n >= UINT32_MAX)
    throw TooLargeError("The search for releases supports fewer than 2^32 - 1 stored cells.");
  counts_.reserve(at_risk_.size());
  for (std::uint32_t at : at_risk_) counts_.push_back(static_cast<std::int64_t>(cells.counts[at]));
  for (std::size_t i = 0; i < cells.n; ++i) total_ += static_cast<std::int64_t>(cells.counts[i]);
}

SubTable RiskCells::all_variables() const {
  return n_variables() == 64 ? ~SubTable{0} : (SubTable{1} << n_variables()) - 1;
}

std::int64_t RiskCells::least_count() const {
  return counts_.empty() ? 0 : *std::min_element(counts_.begin(), counts_.end());
}

std::vector<std::int64_t> RiskCells::margin(SubTable set) const {
  MaskedKeys keys(cells_, field_masks(layout_, set));
  std::vector<std::uint32_t> id(cells_.n);
  std::vector<std::int64_t> sums;
  for (std::size_t i = 0; i < cells_.n; ++i) {
    poll_at(i);
    id[i] = keys.insert(i);
    if (id[i] == sums.size()) sums.push_back(0);
    sums[id[i]] += static_cast<std::int64_t>(cells_.counts[i]);
  }
  std::vector<std::int64_t> out;
  out.reserve(size());
  for (std::uint32_t at : at_risk_) out.push_back(sums[id[at]]);
  return out;
}

}  // namespace sdclattice
