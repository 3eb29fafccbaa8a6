#include "linear/circulation.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr std::uint32_t kNoEdge = Circulation::kNoEdge;

// One of the two trees; `at`: the node at which each cell is, on the way from the root.
struct SumTree {
  std::vector<std::uint32_t> at;
  bool down;
};

std::uint32_t add_edge(Circulation& out, std::uint32_t from, std::uint32_t to) {
  out.from.push_back(from);
  out.to.push_back(to);
  out.value.push_back(0);
  return static_cast<std::uint32_t>(out.n_edges() - 1);
}

// A node for each part, hung by an edge below the node at which its cells are.
void add_partition(Circulation& out, SumTree& tree, const Partition& parts) {
  const std::uint32_t most = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
  std::vector<std::uint32_t> node(most + 1), hook(most + 1), edge(most + 1, kNoEdge);
  std::vector<std::uint32_t> above(parts.size(), kNoEdge);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint32_t part = parts[i];
    if (part == 0) continue;
    if (edge[part] == kNoEdge) {
      node[part] = static_cast<std::uint32_t>(out.n_nodes++);
      hook[part] = tree.at[i];
      edge[part] =
          add_edge(out, tree.down ? hook[part] : node[part], tree.down ? node[part] : hook[part]);
    }
    if (hook[part] != tree.at[i]) throw InputError("The sums of a family must be nested.");
    above[i] = edge[part];
    tree.at[i] = node[part];
  }
  out.above.push_back(std::move(above));
}

}  // namespace

Circulation make_circulation(const std::vector<std::int64_t>& cells,
                             const std::vector<Partition>& down, const std::vector<Partition>& up) {
  const std::size_t n = cells.size();
  Circulation out;
  out.n_nodes = 2;
  out.n_cells = n;
  out.from.resize(n);
  out.to.resize(n);
  out.value.resize(n);
  SumTree first{std::vector<std::uint32_t>(n, 0), true};
  SumTree second{std::vector<std::uint32_t>(n, 1), false};
  for (const Partition& parts : down) add_partition(out, first, parts);
  for (const Partition& parts : up) add_partition(out, second, parts);
  std::copy(first.at.begin(), first.at.end(), out.from.begin());
  std::copy(second.at.begin(), second.at.end(), out.to.begin());
  out.above.emplace_back(n, add_edge(out, 1, 0));
  out.load(cells);
  return out;
}

void Circulation::load(const std::vector<std::int64_t>& cells) {
  std::copy(cells.begin(), cells.end(), value.begin());
  std::fill(value.begin() + static_cast<std::ptrdiff_t>(n_cells), value.end(), 0);
  for (const auto& sums : above)
    for (std::size_t i = 0; i < n_cells; ++i)
      if (sums[i] != kNoEdge) value[sums[i]] += cells[i];
}

// Every list is a ring through the head of its node.
EdgeLists::EdgeLists(const Circulation& circulation, const std::vector<bool>& in_play)
    : in_(in_play) {
  const std::size_t n = circulation.n_edges();
  node_.resize(2 * n);
  next_.resize(2 * n + circulation.n_nodes);
  std::iota(next_.begin(), next_.end(), 0U);
  prev_ = next_;
  for (std::uint32_t half = 0; half < 2 * n; ++half) {
    node_[half] = half % 2 == 0 ? circulation.from[half / 2] : circulation.to[half / 2];
    if (!in_play[half / 2]) continue;
    const auto at = static_cast<std::uint32_t>(head(node_[half])), last = prev_[at];
    next_[last] = prev_[at] = half;
    prev_[half] = last;
    next_[half] = at;
  }
}

void EdgeLists::unlink(std::uint32_t half) {
  next_[prev_[half]] = next_[half];
  prev_[next_[half]] = prev_[half];
}

void EdgeLists::remove(std::uint32_t edge) {
  in_[edge] = false;
  unlink(2 * edge);
  unlink(2 * edge + 1);
}

}  // namespace sdclattice
