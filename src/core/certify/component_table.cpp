#include "certify/component_table.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

ComponentTable::ComponentTable(const Layout& layout, const CellsView& cells, SubTable part,
                               std::size_t max_cells)
    : set(part) {
  std::uint64_t n = 1;  // at most max_cells times the levels of a variable
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    if (!(part >> v & 1)) continue;
    variables.push_back(static_cast<std::uint32_t>(v));
    levels.push_back(layout.n_levels(v));
    stride.push_back(static_cast<std::uint32_t>(n));
    n *= layout.n_levels(v);
    if (n > max_cells || variables.size() > kMaxComponentVariables)
      throw TooLargeError("A component of the release has too many cells.");
  }
  count.assign(static_cast<std::size_t>(n), 0);
  for (std::size_t i = 0; i < cells.n; ++i) {
    std::int32_t& at = count[cell_of(layout, cells.keys + i * layout.n_words())];
    at = static_cast<std::int32_t>(std::min<double>(at + cells.counts[i], kCountCap));
  }
}

std::uint32_t ComponentTable::cell_of(const Layout& layout, const std::uint64_t* key) const {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < size(); ++i) out += layout.level(key, variables[i]) * stride[i];
  return out;
}

std::uint32_t ComponentTable::project_cell(std::uint32_t cell, LocalSet face) const {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (face >> i & 1) out += level(cell, i) * stride[i];
  return out;
}

SubTable ComponentTable::global(LocalSet face) const {
  SubTable out = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (face >> i & 1) out |= SubTable{1} << variables[i];
  return out;
}

LocalSet ComponentTable::local(SubTable part) const {
  LocalSet out = 0;
  for (std::size_t i = 0; i < size(); ++i)
    if (part >> variables[i] & 1) out |= LocalSet{1} << i;
  return out;
}

bool changes_margin(const ComponentTable& table, const CellChanges& change, LocalSet face) {
  std::vector<std::pair<std::uint32_t, std::int32_t>> sums;
  sums.reserve(change.size());
  for (const CellChange& c : change) sums.emplace_back(table.project_cell(c.cell, face), c.by);
  std::sort(sums.begin(), sums.end());
  for (std::size_t i = 0; i < sums.size();) {
    std::int64_t sum = 0;
    const std::uint32_t at = sums[i].first;
    for (; i < sums.size() && sums[i].first == at; ++i) sum += sums[i].second;
    if (sum != 0) return true;
  }
  return false;
}

MarginProbe::MarginProbe(const ComponentTable& table, LocalSet face) : sum_(table.count.size(), 0) {
  const std::size_t n = table.count.size();
  for (std::uint32_t stride : table.stride)
    if (std::size_t{stride} * stride <= n) split_ = stride;
  for (std::uint32_t cell = 0; cell < split_; ++cell)
    low_.push_back(table.project_cell(cell, face));
  for (std::size_t cell = 0; cell < n; cell += split_)
    high_.push_back(table.project_cell(static_cast<std::uint32_t>(cell), face));
}

bool MarginProbe::changes(const CellChanges& change) {
  const auto at = [this](std::uint32_t cell) { return high_[cell / split_] + low_[cell % split_]; };
  bool out = false;
  for (const CellChange& c : change) sum_[at(c.cell)] += c.by;
  for (const CellChange& c : change) out = out || sum_[at(c.cell)] != 0;
  for (const CellChange& c : change) sum_[at(c.cell)] = 0;
  return out;
}

void FaceComplex::add(LocalSet face) {
  if (holds_[face]) return;
  holds_[face] = 1;
  ++size_;
}

std::vector<LocalSet> FaceComplex::above(LocalSet face) const {
  std::vector<LocalSet> out;
  const LocalSet rest = static_cast<LocalSet>(holds_.size() - 1) & ~face;
  for (LocalSet part = rest;; part = (part - 1) & rest) {
    if (holds_[face | part]) out.push_back(face | part);
    if (part == 0) return out;
  }
}

void FaceComplex::remove_above(LocalSet face) {
  for (LocalSet f : above(face)) {
    holds_[f] = 0;
    --size_;
  }
}

bool FaceComplex::can_add(LocalSet face) const {
  if (face == 0 || holds_[face]) return false;
  for (LocalSet left = face; left != 0; left &= left - 1) {
    const LocalSet part = face & ~(left & (~left + 1));
    if (part != 0 && !holds_[part]) return false;
  }
  return true;
}

std::vector<LocalSet> FaceComplex::faces() const {
  std::vector<LocalSet> out;
  for (LocalSet f = 1; f < holds_.size(); ++f)
    if (holds_[f]) out.push_back(f);
  std::stable_sort(out.begin(), out.end(),
                   [](LocalSet a, LocalSet b) { return set_size(a) < set_size(b); });
  return out;
}

std::vector<LocalSet> FaceComplex::maximal() const {
  std::vector<LocalSet> out;
  for (LocalSet f = 1; f < holds_.size(); ++f) {
    if (!holds_[f]) continue;
    bool top = true;
    for (std::size_t i = 0; i < n_ && top; ++i)
      top = (f >> i & 1) || !holds_[f | (LocalSet{1} << i)];
    if (top) out.push_back(f);
  }
  return out;
}

std::vector<LocalSet> FaceComplex::minimal_missing() const {
  std::vector<LocalSet> out;
  for (LocalSet f = 1; f < holds_.size(); ++f)
    if (can_add(f)) out.push_back(f);
  return out;
}

}  // namespace sdclattice
