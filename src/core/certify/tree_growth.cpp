#include "certify/tree_growth.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "table/part_table.hpp"

namespace sdclattice {

namespace {

bool fits(const Layout& layout, const TreeLimits& limits, SubTable set) {
  if (set_size(set) > limits.max_variables) return false;
  double n = 1;
  for (std::size_t v = 0; v < layout.n_variables(); ++v)
    if (has_variable(set, v)) n *= layout.n_levels(v);
  return n <= static_cast<double>(limits.max_cells);
}

class Growth {
 public:
  Growth(const Layout& layout, const ComponentTree& tree, const ReleasedParts& released,
         const TreeLimits& limits, PartCounts& counts)
      : layout_(layout), tree_(tree), released_(released), limits_(limits), counts_(counts) {}

  std::vector<TreeStep> run() {
    for (std::size_t j = 1; j < tree_.components.size(); ++j) {
      merge(j);
      widen(tree_.parent[j], j, j);
      widen(j, tree_.parent[j], j);
      if (is_leaf(j)) hang_elsewhere(j);
    }
    std::stable_sort(steps_.begin(), steps_.end(),
                     [](const TreeStep& a, const TreeStep& b) { return a.gain > b.gain; });
    return std::move(steps_);
  }

 private:
  std::int64_t n_released(std::size_t j) const {
    return std::count_if(released_[j].begin(), released_[j].end(),
                         [this](SubTable set) { return counts_.is_counted(set); });
  }

  bool is_leaf(std::size_t j) const {
    return std::find(tree_.parent.begin() + 1, tree_.parent.end(), j) == tree_.parent.end();
  }

  TreeStep unchanged() const {
    TreeStep out;
    out.tree = tree_;
    out.from.resize(tree_.components.size());
    std::iota(out.from.begin(), out.from.end(), std::size_t{0});
    return out;
  }

  static void drop(TreeStep& step, std::size_t j) {
    const auto at = static_cast<std::ptrdiff_t>(j);
    step.tree.components.erase(step.tree.components.begin() + at);
    step.tree.separators.erase(step.tree.separators.begin() + at);
    step.tree.parent.erase(step.tree.parent.begin() + at);
    step.from.erase(step.from.begin() + at);
    for (std::size_t k = 1; k < step.tree.parent.size(); ++k)
      if (step.tree.parent[k] > j) --step.tree.parent[k];
  }

  void keep(TreeStep&& step, std::size_t made, std::int64_t gain) {
    if (gain <= 0) return;
    step.made = made;
    step.from[made] = TreeStep::kNew;
    step.gain = gain;
    steps_.push_back(std::move(step));
  }

  // Component j and its parent.
  void merge(std::size_t j) {
    const std::size_t p = tree_.parent[j];
    const SubTable both = tree_.components[p] | tree_.components[j];
    if (!fits(layout_, limits_, both)) return;
    const std::int64_t before =
        n_released(p) + n_released(j) - counts_.of_whole(tree_.separators[j]);
    const std::int64_t gain = counts_(both) - before;
    if (gain <= 0) return;
    TreeStep step = unchanged();
    step.tree.components[p] = both;
    for (std::size_t k = j + 1; k < step.tree.parent.size(); ++k)
      if (step.tree.parent[k] == j) step.tree.parent[k] = p;
    drop(step, j);
    keep(std::move(step), p, gain);
  }

  // Component c takes a variable of its neighbour d; edge: the number of the one that hangs.
  void widen(std::size_t c, std::size_t d, std::size_t edge) {
    for (std::size_t v = 0; v < layout_.n_variables(); ++v) {
      if (!has_variable(tree_.components[d] & ~tree_.components[c], v)) continue;
      const SubTable shared = tree_.separators[edge] | SubTable{1} << v;
      const SubTable wider = tree_.components[c] | SubTable{1} << v;
      if (shared == tree_.components[d] || !fits(layout_, limits_, wider)) continue;
      const std::int64_t more = counts_.of_whole(shared) - counts_.of_whole(tree_.separators[edge]);
      const std::int64_t gain = counts_(wider) - n_released(c) - more;
      if (gain <= 0 || !is_released(d, shared)) continue;
      TreeStep step = unchanged();
      step.tree.components[c] = wider;
      step.tree.separators[edge] = shared;
      keep(std::move(step), c, gain);
    }
  }

  bool is_released(std::size_t j, SubTable set) const {
    return std::find(released_[j].begin(), released_[j].end(), set) != released_[j].end();
  }

  // The variables that only leaf j has, on another released set: of each other component the one
  // that brings most.
  void hang_elsewhere(std::size_t j) {
    const SubTable own = tree_.components[j] & ~tree_.separators[j];
    if (set_size(own) >= limits_.max_variables) return;
    const std::size_t most = limits_.max_variables - set_size(own);
    const std::int64_t before = n_released(j) - counts_.of_whole(tree_.separators[j]);
    for (std::size_t p = 0; p < tree_.components.size(); ++p) {
      if (p == j) continue;
      SubTable best = 0;
      std::int64_t gain = 0;
      for (SubTable s : largest_released(p, most)) {
        if (!fits(layout_, limits_, own | s) || !keeps_forced(own | s, own)) continue;
        const std::int64_t brings = counts_(own | s) - counts_.of_whole(s) - before;
        if (brings <= gain) continue;
        gain = brings;
        best = s;
      }
      if (gain <= 0) continue;
      TreeStep step = unchanged();
      step.tree.components[j] = own | best;
      step.tree.separators[j] = best;
      step.tree.parent[j] = p;
      move_last(step, j);
      keep(std::move(step), step.tree.components.size() - 1, gain);
    }
  }

  // So that its parent comes before it.
  static void move_last(TreeStep& step, std::size_t j) {
    const SubTable component = step.tree.components[j], separator = step.tree.separators[j];
    std::size_t parent = step.tree.parent[j];
    drop(step, j);
    if (parent > j) --parent;
    step.tree.components.push_back(component);
    step.tree.separators.push_back(separator);
    step.tree.parent.push_back(parent);
    step.from.push_back(TreeStep::kNew);
  }

  // The maximal ones among the released sets of at most `most` variables: a larger separator never
  // brings less.
  std::vector<SubTable> largest_released(std::size_t j, std::size_t most) const {
    std::vector<SubTable> small;
    for (SubTable s : released_[j])
      if (set_size(s) <= most) small.push_back(s);
    return maximal_masks(std::move(small));
  }

  bool keeps_forced(SubTable component, SubTable own) const {
    return std::all_of(limits_.forced.begin(), limits_.forced.end(),
                       [&](SubTable s) { return (s & own) == 0 || holds(component, s); });
  }

  const Layout& layout_;
  const ComponentTree& tree_;
  const ReleasedParts& released_;
  const TreeLimits& limits_;
  PartCounts& counts_;
  std::vector<TreeStep> steps_;
};

}  // namespace

std::vector<TreeStep> growth_steps(const Layout& layout, const ComponentTree& tree,
                                   const ReleasedParts& released, const TreeLimits& limits,
                                   PartCounts& counts) {
  return Growth(layout, tree, released, limits, counts).run();
}

}  // namespace sdclattice
