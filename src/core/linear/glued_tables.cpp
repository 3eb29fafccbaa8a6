#include "linear/glued_tables.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

TableGlue::TableGlue(const std::vector<NodeFamilies>& variables,
                     const std::vector<std::vector<std::uint32_t>>& boxes,
                     std::vector<std::vector<std::uint32_t>> nodes)
    : keys_(variables), boxes_(boxes), nodes_(std::move(nodes)), leaves_(keys_.width()) {
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
  const auto side = [this](const Cut& cut) {
    return Side{cut, KeyNumbers<>(keys_.width()), {}, {}, {}};
  };
  Cut cut = boxes[0];
  for (std::size_t b = 1; b < boxes.size(); ++b) {
    seams_.push_back({{side(cut), side(boxes[b])}, KeyNumbers<>(keys_.width()), {}, {}, true});
    for (std::size_t v = 0; v < cut.size(); ++v) cut[v] = std::max(cut[v], boxes[b][v]);
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

// ---- seams -------------------------------------------------------------------------------------

namespace {

int compare(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  for (std::size_t w = 0; w < width; ++w)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

}  // namespace

TableGlue::Deltas TableGlue::deltas_of(std::size_t box, const TableChange& cells) const {
  Deltas out;
  std::vector<std::uint64_t> key(keys_.width());
  for (std::size_t k = 0; k < cells.cell.size(); ++k) {
    const std::uint32_t cell = cells.cell[k];
    const std::int64_t by = cells.value[k] - counts_[cell];
    if (by == 0 || !is_finest(cell, boxes_[box])) continue;
    for (std::size_t v = 0; v < nodes_.size(); ++v) keys_.set(key.data(), v, nodes_[v][cell]);
    out.key.insert(out.key.end(), key.begin(), key.end());
    out.by.push_back(by);
  }
  return out;
}

// What the members of a side lack, or, below 0, have too much of.
void TableGlue::demand(Seam& seam, int side, const Deltas& deltas) {
  Side& of = seam.sides[side];
  for (std::size_t k = 0; k < deltas.by.size(); ++k) {
    const std::uint32_t member = of.keys.number(&deltas.key[k * keys_.width()]);
    if (member == of.lack.size()) {
      of.lack.push_back(0);
      of.pairs.emplace_back();
    }
    of.lack[member] += deltas.by[k];
    of.touched.push_back(member);
  }
}

// Pairs give back what a member has too much of; then their other members lack it.
void TableGlue::take_back(Seam& seam, int side, std::uint32_t member) {
  Side &of = seam.sides[side], &other = seam.sides[1 - side];
  for (const std::uint32_t p : of.pairs[member]) {
    if (of.lack[member] >= 0) return;
    Pair& pair = seam.pairs[p];
    const std::int64_t back = std::min(pair.count + pair.delta, -of.lack[member]);
    if (back == 0) continue;
    pair.delta -= back;
    seam.touched.push_back(p);
    of.lack[member] += back;
    other.lack[pair.member[1 - side]] += back;
    other.touched.push_back(pair.member[1 - side]);
  }
}

// The members that lack something, by the cell where the boxes meet, then by themselves: the keys
// of both, and their numbers.
std::vector<TableGlue::Lack> TableGlue::lacking(Seam& seam, int side) const {
  Side& of = seam.sides[side];
  std::sort(of.touched.begin(), of.touched.end());
  of.touched.erase(std::unique(of.touched.begin(), of.touched.end()), of.touched.end());
  std::vector<Lack> out;
  for (const std::uint32_t member : of.touched) {
    if (of.lack[member] == 0) continue;
    Lack lack{member, std::vector<std::uint64_t>(keys_.width(), 0)};
    for (std::size_t v = 0; v < of.cut.size(); ++v) {
      const std::uint32_t cut = std::min(seam.sides[0].cut[v], seam.sides[1].cut[v]);
      keys_.set(lack.meet.data(), v, coarse(v, keys_.get(of.keys.key(member), v), cut));
    }
    out.push_back(std::move(lack));
  }
  of.touched.clear();
  std::sort(out.begin(), out.end(), [&](const Lack& a, const Lack& b) {
    if (a.meet != b.meet) return a.meet < b.meet;
    return compare(of.keys.key(a.member), of.keys.key(b.member), keys_.width()) < 0;
  });
  return out;
}

void TableGlue::pair_up(Seam& seam, std::uint32_t left, std::uint32_t right, std::int64_t count) {
  const Side &one = seam.sides[0], &other = seam.sides[1];
  std::vector<std::uint64_t> key(keys_.width(), 0);
  for (std::size_t v = 0; v < one.cut.size(); ++v)
    keys_.set(
        key.data(), v,
        keys_.get(one.cut[v] >= other.cut[v] ? one.keys.key(left) : other.keys.key(right), v));
  const std::uint32_t p = seam.keys.number(key.data());
  if (p == seam.pairs.size()) {
    seam.pairs.push_back({{left, right}, 0, 0});
    seam.sides[0].pairs[left].push_back(p);
    seam.sides[1].pairs[right].push_back(p);
  }
  seam.pairs[p].delta += count;
  seam.touched.push_back(p);
}

// Members that lack something find each other.
bool TableGlue::fill(Seam& seam) {
  const std::vector<Lack> left = lacking(seam, 0), right = lacking(seam, 1);
  std::size_t i = 0, j = 0;
  for (; i < left.size() && j < right.size() && left[i].meet == right[j].meet;) {
    std::int64_t &one = seam.sides[0].lack[left[i].member],
                 &other = seam.sides[1].lack[right[j].member];
    const std::int64_t both = std::min(one, other);
    pair_up(seam, left[i].member, right[j].member, both);
    one -= both;
    other -= both;
    i += one == 0;
    j += other == 0;
  }
  return i == left.size() && j == right.size();
}

// The pairs that changed. Those of the base stay, those of other tables are undone.
TableGlue::Deltas TableGlue::finish(Seam& seam) const {
  Deltas out;
  std::sort(seam.touched.begin(), seam.touched.end());
  seam.touched.erase(std::unique(seam.touched.begin(), seam.touched.end()), seam.touched.end());
  for (const std::uint32_t p : seam.touched) {
    Pair& pair = seam.pairs[p];
    if (pair.delta != 0) {
      out.key.insert(out.key.end(), seam.keys.key(p), seam.keys.key(p) + keys_.width());
      out.by.push_back(pair.delta);
    }
    if (seam.is_base) pair.count += pair.delta;
    pair.delta = 0;
  }
  seam.touched.clear();
  seam.is_base = false;
  return out;
}

bool TableGlue::join(Seam& seam, const Deltas& left, const Deltas& right, Deltas& out) {
  demand(seam, 0, left);
  demand(seam, 1, right);
  for (const int side : {0, 1}) {
    const std::vector<std::uint32_t> members = seam.sides[side].touched;
    for (const std::uint32_t member : members) take_back(seam, side, member);
  }
  if (!fill(seam)) return false;
  out = finish(seam);
  return true;
}

// ---- tables ------------------------------------------------------------------------------------

bool TableGlue::glue(const TableChange& cells, Deltas& out) {
  out = deltas_of(0, cells);
  for (std::size_t b = 1; b < boxes_.size(); ++b) {
    const Deltas so_far = std::move(out);
    if (!join(seams_[b - 1], so_far, deltas_of(b, cells), out)) return false;
  }
  return true;
}

bool TableGlue::set_base(const std::vector<std::int64_t>& counts) {
  counts_.assign(counts.size(), 0);
  TableChange all;
  for (std::uint32_t cell = 0; cell < counts.size(); ++cell) {
    all.cell.push_back(cell);
    all.value.push_back(counts[cell]);
  }
  Deltas found;
  if (!glue(all, found)) return false;
  counts_ = counts;
  for (std::size_t k = 0; k < found.by.size(); ++k) {
    leaves_.number(&found.key[k * keys_.width()]);
    base_.push_back(found.by[k]);
  }
  return true;
}

bool TableGlue::change(const TableChange& cells, TableChange& out) {
  out = {};
  Deltas found;
  if (!glue(cells, found)) return false;
  std::vector<std::pair<std::uint32_t, std::int64_t>> changed;
  for (std::size_t k = 0; k < found.by.size(); ++k) {
    const std::uint32_t leaf = leaves_.number(&found.key[k * keys_.width()]);
    if (leaf == base_.size()) base_.push_back(0);
    changed.emplace_back(leaf, base_[leaf] + found.by[k]);
  }
  std::sort(changed.begin(), changed.end());
  for (const auto& [leaf, value] : changed) {
    out.cell.push_back(leaf);
    out.value.push_back(value);
  }
  return true;
}

}  // namespace sdclattice
