#include "certify/component_tree.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/error.hpp"
#include "certify/part_counts.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

SubTable ComponentTree::below(std::size_t j) const {
  std::vector<char> inside(components.size(), 0);
  inside[j] = 1;
  SubTable out = 0;
  for (std::size_t k = j; k < components.size(); ++k) {
    if (k > j && parent[k] >= j && inside[parent[k]]) inside[k] = 1;
    if (inside[k]) out |= components[k];
  }
  return out & ~separators[j];
}

namespace {

// The roots are tried in turn, those with most sub-tables first, while this lasts: a tenth of a
// second or two.
constexpr std::size_t kPlanLooks = 50000000;
constexpr std::size_t kRootsAtOnce = 32;

struct Block {
  SubTable variables = 0, separator = 0;
  std::size_t parent = 0;
  std::int64_t gain = -1;
};

class TreePlanner {
 public:
  TreePlanner(const Layout& layout, const std::vector<SubTable>& admissible,
              const TreeLimits& limits)
      : layout_(layout),
        admissible_(admissible),
        limits_(limits),
        counts_(layout.n_variables(), admissible, limits.steps) {
    for (std::size_t v = 0; v < layout.n_variables(); ++v) all_ |= SubTable{1} << v;
  }

  std::size_t n_looks() const { return n_looks_; }

  bool fits(SubTable set) const {
    if (set_size(set) > limits_.max_variables) return false;
    double n = 1;
    for (std::size_t v = 0; v < layout_.n_variables(); ++v)
      if (set >> v & 1) n *= layout_.n_levels(v);
    return n <= static_cast<double>(limits_.max_cells);
  }

  std::vector<SubTable> choose_roots() {
    if (fits(all_)) return {all_};
    const std::size_t n = layout_.n_variables();
    double combinations = 1;
    for (std::size_t i = 0; i < std::min(n, limits_.max_variables); ++i)
      combinations *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    std::vector<SubTable> out = combinations <= 20000 && n <= 20 ? all_roots() : grown_roots();
    SubTable together = 0;
    for (SubTable s : limits_.forced) {
      together |= s;
      if (fits(s)) out.push_back(grown_root(s));
    }
    if (fits(together)) out.push_back(grown_root(together));
    std::sort(out.begin(), out.end(), [&](SubTable a, SubTable b) {
      const std::int64_t x = counts_(a), y = counts_(b);
      return x != y ? x > y : a < b;
    });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  ComponentTree complete(SubTable root) {
    ComponentTree tree;
    tree.components = {root};
    tree.separators = {0};
    tree.parent = {0};
    SubTable rest = all_ & ~root;
    for (SubTable s : limits_.forced) rest &= ~attach_forced(tree, s, rest);
    if (set_size(rest) <= 6) {
      for (const Block& b : best_partition(root, rest)) attach(tree, b);
    } else {
      while (rest != 0) {
        const Block b = next_block(tree, rest);
        attach(tree, b);
        rest &= ~b.variables;
      }
    }
    deepen(tree);
    tree.n_sets = count_sets(tree);
    return tree;
  }

 private:
  // A component for what is missing of a forced set, where one holds the other part of it. The
  // variables that were placed.
  SubTable attach_forced(ComponentTree& tree, SubTable set, SubTable rest) {
    if ((set & rest) == 0) return 0;
    const Block best = best_block_of(tree, set & rest, set & ~rest);
    if (best.gain < 0) return 0;
    attach(tree, best);
    return set & rest;
  }

  // Whether a component, the only one with some variables, holds all that is forced with them.
  bool keeps_forced(SubTable component, SubTable own) const {
    return std::all_of(limits_.forced.begin(), limits_.forced.end(),
                       [&](SubTable s) { return (s & own) == 0 || (s & ~component) == 0; });
  }

  void attach(ComponentTree& tree, const Block& b) const {
    tree.components.push_back(b.variables | b.separator);
    tree.separators.push_back(b.separator);
    tree.parent.push_back(b.parent);
  }

  // Maximal sets that fit: of the largest size, or smaller where the cells are too many.
  std::vector<SubTable> all_roots() const {
    std::vector<SubTable> out;
    for (SubTable s = 1; s <= all_; ++s) {
      if (!fits(s)) continue;
      bool maximal = true;
      for (std::size_t v = 0; v < layout_.n_variables() && maximal; ++v)
        maximal = (s >> v & 1) || !fits(s | SubTable{1} << v);
      if (maximal) out.push_back(s);
    }
    return out;
  }

  std::vector<SubTable> grown_roots() {
    std::vector<SubTable> out;
    for (std::size_t first = 0; first < layout_.n_variables(); ++first)
      out.push_back(grown_root(SubTable{1} << first));
    return out;
  }

  // Always by the variable that adds most.
  SubTable grown_root(SubTable root) {
    for (;;) {
      SubTable best = 0;
      std::int64_t most = -1;
      for (std::size_t v = 0; v < layout_.n_variables(); ++v) {
        const SubTable larger = root | SubTable{1} << v;
        if (larger == root || !fits(larger) || counts_(larger) <= most) continue;
        most = counts_(larger);
        best = larger;
      }
      if (best == 0) return root;
      root = best;
    }
  }

  // The best separator for a block among the released sets of one component, with some variables at
  // least. Without gain when there is none.
  Block best_block(SubTable component, std::size_t number, SubTable variables, SubTable least = 0) {
    Block out;
    out.variables = variables;
    out.parent = number;
    const auto look = [&](SubTable s) {
      if ((least & ~s) != 0) return;
      const std::int64_t gain = counts_(s | variables) - counts_.of_whole(s);
      if (gain <= out.gain || !fits(s | variables)) return;  // dear questions last
      out.gain = gain;
      out.separator = s;
    };
    look(0);
    n_looks_ += admissible_.size();
    for (SubTable s : admissible_)
      if ((s & ~component) == 0) look(s);
    return out;
  }

  // The same among all components of a tree.
  Block best_block_of(const ComponentTree& tree, SubTable variables, SubTable least = 0) {
    Block best;
    for (std::size_t j = 0; j < tree.components.size(); ++j) {
      const Block b = best_block(tree.components[j], j, variables, least);
      if (b.gain > best.gain) best = b;
    }
    return best;
  }

  // All partitions of a few variables into blocks on the root.
  std::vector<Block> best_partition(SubTable root, SubTable rest) {
    std::vector<SubTable> parts;
    for (SubTable p = rest;; p = (p - 1) & rest) {
      parts.push_back(p);
      if (p == 0) break;
    }
    std::reverse(parts.begin(), parts.end());
    std::unordered_map<SubTable, Block> block, last;
    std::unordered_map<SubTable, std::int64_t> value{{0, 0}};
    for (SubTable p : parts)
      if (p != 0 && fits(p)) block[p] = best_block(root, 0, p);
    for (SubTable p : parts) {
      if (p == 0) continue;
      std::int64_t most = -1;
      for (SubTable b = p; b != 0; b = (b - 1) & p) {
        if (block.count(b) == 0 || (b & (p & (~p + 1))) == 0) continue;
        const std::int64_t v = value[p ^ b] + block[b].gain;
        if (v <= most) continue;
        most = v;
        last[p] = block[b];
      }
      value[p] = most;
    }
    std::vector<Block> out;
    for (SubTable p = rest; p != 0; p &= ~last[p].variables) out.push_back(last[p]);
    return out;
  }

  // Many variables are left: the one that adds most, with others while that gains.
  Block next_block(const ComponentTree& tree, SubTable rest) {
    std::vector<Block> single;
    for (std::size_t v = 0; v < layout_.n_variables(); ++v)
      if (rest >> v & 1) single.push_back(best_block_of(tree, SubTable{1} << v));
    Block out = *std::max_element(single.begin(), single.end(),
                                  [](const Block& a, const Block& b) { return a.gain < b.gain; });
    for (const Block& s : single) {
      if ((s.variables & out.variables) != 0 || set_size(out.variables) >= 4) continue;
      const Block wider = best_block_of(tree, out.variables | s.variables);
      if (wider.gain > out.gain + s.gain) out = wider;
    }
    return out;
  }

  // Leaves may hang better on other components than on the root.
  void deepen(ComponentTree& tree) {
    for (std::size_t j = 1; j < tree.components.size(); ++j) {
      const SubTable own = tree.components[j] & ~tree.separators[j];
      const bool is_parent =
          std::find(tree.parent.begin() + 1, tree.parent.end(), j) != tree.parent.end();
      if (is_parent) continue;
      std::int64_t most = counts_(tree.components[j]) - counts_.of_whole(tree.separators[j]);
      for (std::size_t k = 1; k < j; ++k) {
        const Block b = best_block(tree.components[k], k, own);
        if (b.gain <= most || !keeps_forced(b.variables | b.separator, own)) continue;
        most = b.gain;
        tree.components[j] = b.variables | b.separator;
        tree.separators[j] = b.separator;
        tree.parent[j] = k;
      }
    }
  }

  std::size_t count_sets(const ComponentTree& tree) {
    std::int64_t n = 0;
    for (std::size_t j = 0; j < tree.components.size(); ++j)
      n += counts_(tree.components[j]) - counts_.of_whole(tree.separators[j]);
    return static_cast<std::size_t>(n);
  }

  const Layout& layout_;
  const std::vector<SubTable>& admissible_;
  TreeLimits limits_;
  PartCounts counts_;
  SubTable all_ = 0;
  std::size_t n_looks_ = 0;  // at admissible sets, for separators
};

bool holds_all(const ComponentTree& tree, const std::vector<SubTable>& forced) {
  return std::all_of(forced.begin(), forced.end(), [&](SubTable s) {
    return std::any_of(tree.components.begin(), tree.components.end(),
                       [s](SubTable c) { return (s & ~c) == 0; });
  });
}

}  // namespace

// The cliques in the order of Prim's algorithm: each hangs on the one before it with which it
// shares most.
ComponentTree tree_of_cliques(const std::vector<SubTable>& cliques, const LevelSteps& steps) {
  ComponentTree out;
  std::vector<SubTable> left = cliques;
  SubTable seen = 0;
  while (!left.empty()) {
    std::size_t best = 0, parent = 0, most = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; j < out.components.size(); ++j) {
        const std::size_t shared = set_size(left[i] & out.components[j]);
        if (shared <= most) continue;
        most = shared;
        best = i;
        parent = j;
      }
    const SubTable clique = left[best];
    const SubTable separator = out.components.empty() ? 0 : clique & out.components[parent];
    if ((clique & seen) != separator)
      throw InputError("The cliques are not those of a chordal graph.");
    out.components.push_back(clique);
    out.separators.push_back(separator);
    out.parent.push_back(parent);
    out.n_sets += static_cast<std::size_t>(steps.n_inside(clique) - steps.n_inside(separator));
    seen |= clique;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return out;
}

std::vector<ComponentTree> plan_trees(const Layout& layout, const std::vector<SubTable>& admissible,
                                      const std::vector<SubTable>& roots, const TreeLimits& limits,
                                      WorkerPool& pool, const Tick& tick) {
  std::vector<TreePlanner> planners(pool.n_workers(), TreePlanner(layout, admissible, limits));
  const std::vector<SubTable> start = roots.empty() ? planners[0].choose_roots() : roots;
  std::vector<ComponentTree> out;
  const auto is_enough = [&](std::size_t looks) {
    return out.size() >= limits.n_trees && looks > kPlanLooks;
  };
  std::size_t n_looks = 0;
  for (std::size_t at = 0; at < start.size() && !is_enough(n_looks); at += kRootsAtOnce) {
    report(tick, 0);
    std::vector<ComponentTree> trees(std::min(kRootsAtOnce, start.size() - at));
    std::vector<std::size_t> looks(trees.size());
    pool.run(trees.size(), [&](std::size_t i, std::size_t worker) {
      const std::size_t before = planners[worker].n_looks();
      trees[i] = planners[worker].complete(start[at + i]);
      looks[i] = planners[worker].n_looks() - before;
    });
    for (std::size_t i = 0; i < trees.size() && !is_enough(n_looks); ++i) {
      n_looks += looks[i];
      if (holds_all(trees[i], limits.forced)) out.push_back(std::move(trees[i]));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const ComponentTree& a, const ComponentTree& b) {
    return a.n_sets > b.n_sets;
  });
  // Two roots often lead to the same components.
  std::vector<std::vector<SubTable>> seen;
  std::vector<ComponentTree> distinct;
  for (ComponentTree& tree : out) {
    std::vector<SubTable> key = tree.components;
    std::sort(key.begin(), key.end());
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(std::move(key));
    distinct.push_back(std::move(tree));
    if (distinct.size() == limits.n_trees) break;
  }
  return distinct;
}

}  // namespace sdclattice
