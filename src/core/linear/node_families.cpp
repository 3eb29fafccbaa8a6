#include "linear/node_families.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"

namespace sdclattice {

namespace {

using Set = std::vector<std::uint32_t>;

class Merger {
 public:
  explicit Merger(std::size_t n_levels) : n_levels_(n_levels) {
    if (n_levels == 0) throw InputError("A variable must have at least one level.");
    for (std::uint32_t level = 0; level < n_levels; ++level) {
      sets_.push_back({level});
      out_.node.push_back(level);
    }
    Set all(n_levels);
    std::iota(all.begin(), all.end(), 0u);
    out_.root = node_of(all);
  }

  void add_total(Set held) {
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
    if (held.empty() || held.back() >= n_levels_)
      throw InputError("Each total of a variable must hold some of its levels.");
    out_.node.push_back(node_of(held));
  }

  // Families from the smallest node to the root: `top` is the largest node above a level so far.
  void add_tree(const std::vector<std::uint32_t>& totals) {
    std::set<std::uint32_t> distinct{out_.root};
    for (const std::uint32_t total : totals) distinct.insert(out_.node.at(n_levels_ + total));
    std::vector<std::uint32_t> nodes(distinct.begin(), distinct.end());
    std::stable_sort(nodes.begin(), nodes.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sets_[a].size() < sets_[b].size();
    });
    std::vector<std::uint32_t> top(n_levels_);
    std::iota(top.begin(), top.end(), 0u);
    for (const std::uint32_t node : nodes) {
      if (sets_[node].size() > 1) add_family(node, top);
      for (const std::uint32_t level : sets_[node]) top[level] = node;
    }
  }

  LabelNodes finish() {
    out_.families.n_nodes = static_cast<std::uint32_t>(sets_.size());
    set_levels();
    return std::move(out_);
  }

 private:
  std::uint32_t node_of(const Set& held) {
    if (held.size() == 1) return held[0];
    const auto found = numbers_.emplace(held, static_cast<std::uint32_t>(sets_.size()));
    if (found.second) sets_.push_back(held);
    return found.first->second;
  }

  void add_family(std::uint32_t node, const std::vector<std::uint32_t>& top) {
    Set parts;
    std::size_t n_held = 0;
    std::set<std::uint32_t> seen;
    for (const std::uint32_t level : sets_[node])
      if (seen.insert(top[level]).second) {
        parts.push_back(top[level]);
        n_held += sets_[top[level]].size();
      }
    if (n_held != sets_[node].size())
      throw InputError("Two totals of one tree must not overlap, unless one holds the other.");
    Set key = parts;
    std::sort(key.begin(), key.end());
    key.push_back(node);
    if (!families_.insert(key).second) return;
    NodeFamilies& all = out_.families;
    all.parent.push_back(node);
    all.child.insert(all.child.end(), parts.begin(), parts.end());
    all.start.push_back(all.child.size());
  }

  // By depth where each node has one family and is a part of one; else 1 for all but the root.
  void set_levels() {
    const NodeFamilies& all = out_.families;
    const std::size_t n = sets_.size();
    std::vector<std::uint32_t> above(n, out_.root);
    bool one_tree =
        std::set<std::uint32_t>(all.parent.begin(), all.parent.end()).size() == all.parent.size();
    for (std::size_t f = 0; f < all.n_families(); ++f)
      for (std::size_t e = all.start[f]; e < all.start[f + 1]; ++e)
        above[all.child[e]] = all.parent[f];
    one_tree = one_tree && all.child.size() + 1 == n;
    out_.level.assign(n, 1);
    out_.level[out_.root] = 0;
    std::vector<std::uint32_t> by_size(n);
    std::iota(by_size.begin(), by_size.end(), 0u);
    std::stable_sort(by_size.begin(), by_size.end(), [this](std::uint32_t a, std::uint32_t b) {
      return sets_[a].size() > sets_[b].size();
    });
    for (const std::uint32_t node : by_size)
      if (one_tree && node != out_.root) out_.level[node] = out_.level[above[node]] + 1;
    for (const std::uint32_t parent : all.parent)
      out_.families.level.push_back(one_tree ? out_.level[parent] + 1 : 1);
  }

  std::size_t n_levels_;
  std::vector<Set> sets_;
  std::map<Set, std::uint32_t> numbers_;
  std::set<Set> families_;
  LabelNodes out_;
};

}  // namespace

LabelNodes merge_labels(std::size_t n_levels, const std::vector<std::vector<std::uint32_t>>& held,
                        const std::vector<std::vector<std::uint32_t>>& trees) {
  Merger merger(n_levels);
  for (const Set& levels : held) merger.add_total(levels);
  for (const auto& tree : trees) merger.add_tree(tree);
  // a variable without totals is summed over all the same
  if (trees.empty()) merger.add_tree({});
  return merger.finish();
}

}  // namespace sdclattice
