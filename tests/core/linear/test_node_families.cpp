// Nodes and families of labels against the sets of levels that they stand for.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/node_families.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

using Set = std::vector<std::uint32_t>;

struct Labels {
  std::size_t n_levels = 0;
  std::vector<Set> held, trees;
};

// Splits a run of levels at random, down to single levels at most; single parts are common.
void grow(Dice& dice, std::uint32_t from, std::uint32_t to, Labels& out, Set& tree, int depth) {
  Set held;
  for (std::uint32_t level = from; level < to; ++level) held.push_back(level);
  tree.push_back(static_cast<std::uint32_t>(out.held.size()));
  out.held.push_back(held);
  if (depth == 0 || to - from < 2) return;
  for (std::uint32_t at = from; at < to;) {
    const std::uint32_t next =
        std::min(to, at + 1 + static_cast<std::uint32_t>(dice.below(static_cast<int>(to - from))));
    if (dice.below(3) > 0) grow(dice, at, next, out, tree, depth - 1);
    at = next;
  }
}

Labels random_labels(Dice& dice) {
  Labels out;
  out.n_levels = 1 + static_cast<std::size_t>(dice.below(7));
  for (int trees = dice.below(3); trees >= 0; --trees) {
    Set tree;
    grow(dice, 0, static_cast<std::uint32_t>(out.n_levels), out, tree, dice.below(4));
    out.trees.push_back(tree);
  }
  return out;
}

// The levels of each node, from the labels that became it; the root holds all.
std::vector<std::set<std::uint32_t>> levels_of(const Labels& labels, const LabelNodes& found) {
  std::vector<std::set<std::uint32_t>> out(found.families.n_nodes);
  for (std::uint32_t i = 0; i < labels.n_levels; ++i) {
    out[i].insert(i);
    out[found.root].insert(i);
  }
  for (std::size_t k = 0; k < labels.held.size(); ++k) {
    const std::set<std::uint32_t> held(labels.held[k].begin(), labels.held[k].end());
    auto& levels = out[found.node[labels.n_levels + k]];
    CHECK(levels.empty() || levels == held);
    levels = held;
  }
  return out;
}

}  // namespace

TEST(families_are_partitions) {
  Dice dice(5);
  int several = 0;
  for (int round = 0; round < 1000; ++round) {
    const Labels labels = random_labels(dice);
    const LabelNodes found = merge_labels(labels.n_levels, labels.held, labels.trees);
    const auto levels = levels_of(labels, found);
    const NodeFamilies& all = found.families;
    CHECK_EQ(std::set<std::set<std::uint32_t>>(levels.begin(), levels.end()).size(), levels.size());
    std::set<std::uint32_t> parents;
    for (std::size_t f = 0; f < all.n_families(); ++f) {
      std::set<std::uint32_t> sum;
      std::size_t n = 0;
      for (std::size_t e = all.start[f]; e < all.start[f + 1]; ++e) {
        sum.insert(levels[all.child[e]].begin(), levels[all.child[e]].end());
        n += levels[all.child[e]].size();
      }
      CHECK(all.start[f + 1] - all.start[f] > 1);
      CHECK(sum == levels[all.parent[f]] && n == sum.size());
      several += !parents.insert(all.parent[f]).second;
    }
    // each node that is no level has a family, so that it can be split
    for (std::uint32_t i = 0; i < all.n_nodes; ++i)
      CHECK_EQ(parents.count(i), levels[i].size() > 1);
  }
  CHECK(several > 100);
}

TEST(levels_go_by_depth_in_one_tree) {
  // total: a (1, 2), and 3; a single part and the root of a second tree are the same nodes
  const LabelNodes found = merge_labels(3, {{0, 1, 2}, {0, 1}, {2}}, {{0, 1, 2}});
  CHECK_EQ(found.node, (Set{0, 1, 2, 3, 4, 2}));
  CHECK_EQ(found.root, 3u);
  CHECK_EQ(found.level, (Set{2, 2, 1, 0, 1}));
  CHECK_EQ(found.families.level, (Set{2, 1}));
  const LabelNodes two = merge_labels(3, {{0, 1, 2}, {0, 1}, {1, 2}}, {{0, 1}, {0, 2}});
  CHECK_EQ(two.level, (Set{1, 1, 1, 0, 1, 1}));
  CHECK_EQ(two.families.level, (Set{1, 1, 1, 1}));
}

TEST(labels_without_sense_are_refused) {
  CHECK_THROWS(InputError, merge_labels(3, {{0, 1}, {1, 2}}, {{0, 1}}));
  CHECK_THROWS(InputError, merge_labels(3, {{}}, {{0}}));
  CHECK_THROWS(InputError, merge_labels(3, {{3}}, {{0}}));
  CHECK_THROWS(InputError, merge_labels(0, {}, {}));
}
