#include "linear/cell_relations.hpp"

#include <algorithm>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

CellKeys::CellKeys(const std::vector<NodeFamilies>& variables) {
  unsigned used = 0;
  for (const NodeFamilies& variable : variables) {
    unsigned bits = 1;
    while ((std::uint64_t{1} << bits) < variable.n_nodes) ++bits;
    if (used + bits > 64) {
      ++width_;
      used = 0;
    }
    places_.push_back({width_ - 1, used, (std::uint64_t{1} << bits) - 1});
    used += bits;
  }
}

CellRelations::CellRelations(std::vector<NodeFamilies> variables, std::size_t max_cells)
    : variables_(std::move(variables)),
      max_cells_(max_cells),
      keys_(variables_),
      cells_(keys_.width()),
      scratch_(keys_.width()) {
  for (const NodeFamilies& variable : variables_) {
    of_parent_.push_back(links_of(variable, false));
    of_child_.push_back(links_of(variable, true));
  }
}

CellRelations::Links CellRelations::links_of(const NodeFamilies& variable, bool by_child) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t f = 0; f < variable.n_families(); ++f) {
    if (!by_child) pairs.emplace_back(variable.parent[f], f);
    for (std::size_t e = variable.start[f]; by_child && e < variable.start[f + 1]; ++e)
      pairs.emplace_back(variable.child[e], f);
  }
  std::sort(pairs.begin(), pairs.end());
  Links out;
  out.at.assign(variable.n_nodes + std::size_t{1}, 0);
  for (const auto& pair : pairs) {
    ++out.at.at(pair.first + std::size_t{1});
    out.family.push_back(pair.second);
  }
  for (std::size_t node = 0; node < variable.n_nodes; ++node) out.at[node + 1] += out.at[node];
  return out;
}

std::uint32_t CellRelations::add(const std::vector<std::uint32_t>& nodes, std::int64_t lower,
                                 std::int64_t upper) {
  std::fill(scratch_.begin(), scratch_.end(), 0);
  for (std::size_t v = 0; v < variables_.size(); ++v) keys_.set(scratch_.data(), v, nodes[v]);
  return add_key(scratch_.data(), lower, upper);
}

std::uint32_t CellRelations::add_key(const std::uint64_t* key, std::int64_t lower,
                                     std::int64_t upper) {
  const std::uint32_t cell = cells_.number(key);
  if (cell == lower_.size()) {
    if (cell >= max_cells_)
      throw TooLargeError("The release needs more cells, with those between them, than allowed.");
    lower_.push_back(lower);
    upper_.push_back(upper);
  }
  lower_[cell] = std::max(lower_[cell], lower);
  upper_[cell] = std::min(upper_[cell], upper);
  if (lower_[cell] > upper_[cell])
    throw InfeasibleError("Two parts of the release leave a cell no count.");
  return cell;
}

// The cell with another node of one variable.
std::uint32_t CellRelations::beside(std::uint32_t cell, std::size_t variable,
                                    std::uint32_t node) const {
  std::copy_n(cells_.key(cell), keys_.width(), scratch_.begin());
  keys_.set(scratch_.data(), variable, node);
  return cells_.find(scratch_.data());
}

// ---- splits ------------------------------------------------------------------------------------

std::size_t CellRelations::count_absent(std::uint32_t cell, std::size_t variable,
                                        std::uint32_t family) const {
  const NodeFamilies& all = variables_[variable];
  std::size_t out = 0;
  for (std::size_t e = all.start[family]; e < all.start[family + 1]; ++e)
    out += beside(cell, variable, all.child[e]) == kNone;
  return out;
}

void CellRelations::split_cell(Wanted of, const std::vector<std::uint32_t>& box,
                               std::vector<Wanted>& out) {
  const std::uint32_t cell = of.first;
  std::size_t fewest = SIZE_MAX, variable = 0;
  std::uint32_t family = 0;
  for (std::size_t v = 0; v < variables_.size() && fewest > 0; ++v) {
    const std::uint32_t at = node(cell, v);
    for (std::size_t k = of_parent_[v].at[at]; k < of_parent_[v].at[at + 1] && fewest > 0; ++k) {
      const std::uint32_t f = of_parent_[v].family[k];
      if (variables_[v].level[f] > box[v]) continue;
      const std::size_t absent = count_absent(cell, v, f);
      if (absent >= fewest) continue;
      fewest = absent;
      variable = v;
      family = f;
    }
  }
  if (fewest == SIZE_MAX) return;
  const NodeFamilies& all = variables_[variable];
  for (std::size_t e = all.start[family]; e < all.start[family + 1]; ++e) {
    std::uint32_t part = beside(cell, variable, all.child[e]);
    if (part == kNone) part = add_key(scratch_.data(), 0, kNoLimit);
    out.emplace_back(part, of.second);
  }
}

void CellRelations::split(const std::vector<std::vector<std::uint32_t>>& boxes,
                          std::vector<Wanted> wanted) {
  std::vector<bool> seen;
  std::vector<Wanted> parts;
  for (std::size_t step = 0; !wanted.empty(); ++step) {
    poll_at(step);
    const Wanted next = wanted.back();
    wanted.pop_back();
    const std::size_t at = next.first * boxes.size() + next.second;
    if (at >= seen.size()) seen.resize(std::max(2 * seen.size(), n_cells() * boxes.size()));
    if (seen[at]) continue;
    seen[at] = true;
    parts.clear();
    split_cell(next, boxes[next.second], parts);
    wanted.insert(wanted.end(), parts.begin(), parts.end());
  }
}

// ---- rows --------------------------------------------------------------------------------------

CellSystem CellRelations::system(bool check) const {
  CellSystem out;
  out.unknown.assign(n_cells(), kNone);
  for (std::uint32_t cell = 0; cell < n_cells(); ++cell) {
    if (lower_[cell] == upper_[cell]) continue;
    out.unknown[cell] = static_cast<std::uint32_t>(out.cell.size());
    out.cell.push_back(cell);
    out.system.lower.push_back(lower_[cell]);
    out.system.upper.push_back(upper_[cell]);
  }
  Terms terms;
  for (std::size_t v = 0; v < variables_.size(); ++v)
    if (check)
      add_all(out, v, terms);
    else
      add_touching(out, v, terms);
  return out;
}

void CellRelations::add_all(CellSystem& out, std::size_t variable, Terms& terms) const {
  const Links& below = of_parent_[variable];
  for (std::uint32_t cell = 0; cell < n_cells(); ++cell) {
    poll_at(cell);
    const std::uint32_t at = node(cell, variable);
    for (std::size_t k = below.at[at]; k < below.at[at + 1]; ++k)
      add_row(out, {cell, static_cast<std::uint32_t>(variable), below.family[k]}, terms);
  }
}

void CellRelations::add_touching(CellSystem& out, std::size_t variable, Terms& terms) const {
  const NodeFamilies& all = variables_[variable];
  const Links &below = of_parent_[variable], &above = of_child_[variable];
  FlatSet seen;
  const auto once = [&](std::uint32_t parent, std::uint32_t family) {
    if (parent == kNone) return;
    if (seen.insert(std::uint64_t{parent} * all.n_families() + family + 1))
      add_row(out, {parent, static_cast<std::uint32_t>(variable), family}, terms);
  };
  for (std::size_t i = 0; i < out.cell.size(); ++i) {
    poll_at(i);
    const std::uint32_t at = node(out.cell[i], variable);
    for (std::size_t k = above.at[at]; k < above.at[at + 1]; ++k)
      once(beside(out.cell[i], variable, all.parent[above.family[k]]), above.family[k]);
    for (std::size_t k = below.at[at]; k < below.at[at + 1]; ++k)
      once(out.cell[i], below.family[k]);
  }
}

// The parts less the total are 0. A row of one unknown has coefficient 1 and narrows its limits.
void CellRelations::add_row(CellSystem& out, CellRow row, Terms& terms) const {
  const NodeFamilies& all = variables_[row.variable];
  terms.unknowns.clear();
  terms.known = 0;
  for (std::size_t e = all.start[row.family]; e < all.start[row.family + 1]; ++e) {
    const std::uint32_t part = beside(row.parent, row.variable, all.child[e]);
    if (part == kNone) return;
    if (out.unknown[part] == kNone)
      terms.known += lower_[part];
    else
      terms.unknowns.push_back(out.unknown[part]);
  }
  const std::uint32_t total = out.unknown[row.parent];
  const WideInt right = (total == kNone ? WideInt{lower_[row.parent]} : WideInt{0}) - terms.known;
  if (magnitude(right) >= kNoLimit)
    throw TooLargeError("The published parts of a total add up to more than 2^60.");
  const auto value = static_cast<std::int64_t>(right);
  LinearSystem& system = out.system;
  const bool turned = terms.unknowns.empty();
  if (turned && total == kNone) {
    if (value != 0) throw InfeasibleError("The published parts of a total do not add up to it.");
    return;
  }
  if (total != kNone) terms.unknowns.push_back(total);
  std::sort(terms.unknowns.begin(), terms.unknowns.end());
  for (const std::uint32_t i : terms.unknowns) {
    system.cell.push_back(i);
    system.coefficient.push_back(i == total && !turned ? -1 : 1);
  }
  const std::int64_t side = turned ? -value : value;
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(side);
  system.row_upper.push_back(side);
  out.rows.push_back(row);
  if (terms.unknowns.size() > 1) return;
  const std::uint32_t i = terms.unknowns[0];
  system.lower[i] = std::max(system.lower[i], side);
  system.upper[i] = std::min(system.upper[i], side);
  if (system.lower[i] > system.upper[i])
    throw InfeasibleError("The published parts of a total leave a cell no count.");
}

}  // namespace sdclattice
