#include "linear/glued_tables.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sdclattice {

TableGlue::TableGlue(const std::vector<NodeFamilies>& variables,
                     std::vector<std::vector<std::uint32_t>> boxes,
                     std::vector<std::vector<std::uint32_t>> nodes)
    : keys_(variables),
      boxes_(std::move(boxes)),
      nodes_(std::move(nodes)),
      finest_(boxes_.size()),
      leaves_(keys_.width()) {
  for (const NodeFamilies& all : variables) {
    level_.emplace_back(all.n_nodes, 0);
    above_.emplace_back(all.n_nodes, 0);
    below_.emplace_back(all.n_nodes, UINT32_MAX);  // the first level of families below
    for (std::size_t f = 0; f < all.n_families(); ++f) {
      std::uint32_t& below = below_.back()[all.parent[f]];
      below = std::min(below, all.level[f]);
      for (std::size_t e = all.start[f]; e < all.start[f + 1]; ++e) {
        level_.back()[all.child[e]] = all.level[f];
        above_.back()[all.child[e]] = all.parent[f];
      }
    }
  }
}

bool TableGlue::is_finest(std::size_t cell, const Cut& cut) const {
  for (std::size_t v = 0; v < cut.size(); ++v) {
    const std::uint32_t node = nodes_[v][cell];
    if (level_[v][node] > cut[v] || below_[v][node] <= cut[v]) return false;
  }
  return true;
}

std::uint32_t TableGlue::coarse(std::size_t variable, std::uint32_t node, std::uint32_t cut) const {
  while (level_[variable][node] > cut) node = above_[variable][node];
  return node;
}

// ---- pieces ------------------------------------------------------------------------------------

TableGlue::Pieces TableGlue::pieces_of(std::size_t box,
                                       const std::vector<std::int64_t>& counts) const {
  Pieces out;
  std::vector<std::uint64_t> key(keys_.width());
  for (const std::uint32_t cell : finest_[box]) {
    if (counts[cell] == 0) continue;
    for (std::size_t v = 0; v < nodes_.size(); ++v) keys_.set(key.data(), v, nodes_[v][cell]);
    out.key.insert(out.key.end(), key.begin(), key.end());
    out.count.push_back(counts[cell]);
  }
  return out;
}

// Keys of the cells where boxes meet, in which the pieces lie.
std::vector<std::uint64_t> TableGlue::meets(const Pieces& of, const Cut& cut) const {
  const std::size_t width = keys_.width();
  std::vector<std::uint64_t> out(of.key.size(), 0);
  for (std::size_t k = 0; k < of.count.size(); ++k)
    for (std::size_t v = 0; v < cut.size(); ++v)
      keys_.set(&out[k * width], v, coarse(v, keys_.get(&of.key[k * width], v), cut[v]));
  return out;
}

namespace {

int compare(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  for (std::size_t w = 0; w < width; ++w)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

}  // namespace

// By the cell where the boxes meet, then by the piece itself.
TableGlue::Sorted TableGlue::sorted(const Pieces& of, const Cut& meet) const {
  const std::size_t width = keys_.width();
  Sorted out{meets(of, meet), std::vector<std::size_t>(of.count.size())};
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::sort(out.order.begin(), out.order.end(), [&](std::size_t a, std::size_t b) {
    const int first = compare(&out.met[a * width], &out.met[b * width], width);
    if (first != 0) return first < 0;
    return compare(&of.key[a * width], &of.key[b * width], width) < 0;
  });
  return out;
}

bool TableGlue::glue(Pieces& table, const Cut& its_cut, const Pieces& next, const Cut& cut) const {
  const std::size_t width = keys_.width();
  Cut meet(cut.size());
  for (std::size_t v = 0; v < cut.size(); ++v) meet[v] = std::min(cut[v], its_cut[v]);
  const Sorted one = sorted(table, meet), other = sorted(next, meet);
  Pieces out;
  std::size_t i = 0, j = 0;
  std::int64_t used = 0, other_used = 0;
  while (i < one.order.size() && j < other.order.size()) {
    const std::size_t a = one.order[i], b = other.order[j];
    if (compare(&one.met[a * width], &other.met[b * width], width) != 0) return false;
    const std::int64_t left = table.count[a] - used, other_left = next.count[b] - other_used;
    const std::int64_t both = std::min(left, other_left);
    const std::uint64_t *key = &table.key[a * width], *other_key = &next.key[b * width];
    out.key.resize(out.key.size() + width);
    for (std::size_t v = 0; v < cut.size(); ++v)
      keys_.set(&out.key[out.count.size() * width], v,
                keys_.get(its_cut[v] >= cut[v] ? key : other_key, v));
    out.count.push_back(both);
    used = both < left ? used + both : 0;
    other_used = both < other_left ? other_used + both : 0;
    i += both == left;
    j += both == other_left;
  }
  if (i < one.order.size() || j < other.order.size()) return false;
  table = std::move(out);
  return true;
}

// The counts of all finest cells by their numbers; new ones get numbers.
bool TableGlue::glue_all(const std::vector<std::int64_t>& counts, std::vector<std::int64_t>& out) {
  Pieces table = pieces_of(0, counts);
  Cut cut = boxes_[0];
  for (std::size_t b = 1; b < boxes_.size(); ++b) {
    if (!glue(table, cut, pieces_of(b, counts), boxes_[b])) return false;
    for (std::size_t v = 0; v < cut.size(); ++v) cut[v] = std::max(cut[v], boxes_[b][v]);
  }
  out.assign(leaves_.size(), 0);
  for (std::size_t k = 0; k < table.count.size(); ++k) {
    const std::uint32_t leaf = leaves_.number(&table.key[k * keys_.width()]);
    if (leaf == out.size()) out.push_back(0);
    out[leaf] += table.count[k];
  }
  return true;
}

// ---- tables ------------------------------------------------------------------------------------

void TableGlue::add_cell(std::size_t cell) {
  for (std::size_t b = 0; b < boxes_.size(); ++b)
    if (is_finest(cell, boxes_[b])) finest_[b].push_back(static_cast<std::uint32_t>(cell));
}

bool TableGlue::set_base(const std::vector<std::int64_t>& counts) {
  counts_ = counts;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) add_cell(cell);
  if (boxes_.size() > 1) return glue_all(counts_, base_);
  leaf_.assign(counts.size(), UINT32_MAX);
  std::vector<std::uint64_t> key(keys_.width());
  for (const std::uint32_t cell : finest_[0]) {
    for (std::size_t v = 0; v < nodes_.size(); ++v) keys_.set(key.data(), v, nodes_[v][cell]);
    leaf_[cell] = leaves_.number(key.data());
    base_.push_back(counts[cell]);
  }
  return true;
}

bool TableGlue::change(const TableChange& cells, TableChange& out) {
  out = {};
  if (boxes_.size() == 1) {
    for (std::size_t k = 0; k < cells.cell.size(); ++k) {
      const std::uint32_t leaf = leaf_[cells.cell[k]];
      if (leaf == UINT32_MAX || cells.value[k] == base_[leaf]) continue;
      out.cell.push_back(leaf);
      out.value.push_back(cells.value[k]);
    }
    return true;
  }
  std::vector<std::int64_t> counts = counts_, table;
  for (std::size_t k = 0; k < cells.cell.size(); ++k) counts[cells.cell[k]] = cells.value[k];
  if (!glue_all(counts, table)) return false;
  base_.resize(table.size(), 0);
  for (std::uint32_t leaf = 0; leaf < table.size(); ++leaf) {
    if (table[leaf] == base_[leaf]) continue;
    out.cell.push_back(leaf);
    out.value.push_back(table[leaf]);
  }
  return true;
}

}  // namespace sdclattice
