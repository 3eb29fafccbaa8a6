// Disjoint sets against a slow twin that relabels all elements at every join.
#include "base/disjoint_sets.hpp"
#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

TEST(joins_agree_with_relabelling) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    PublicRandom random(seed);
    const std::size_t n = random.below(30), joins = n == 0 ? 0 : random.below(2 * n);
    DisjointSets sets(n);
    std::vector<std::size_t> label(n);
    std::iota(label.begin(), label.end(), std::size_t{0});
    for (std::size_t k = 0; k < joins; ++k) {
      const std::size_t i = random.below(n), j = random.below(n), from = label[i], to = label[j];
      sets.join(i, j);
      for (std::size_t& l : label)
        if (l == from) l = to;
    }
    bool same = true;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        same = same && (sets.root(i) == sets.root(j)) == (label[i] == label[j]);
    CHECK(same);
  }
}

TEST(the_root_is_a_member_and_its_own_root) {
  DisjointSets sets(6);
  for (std::size_t i = 0; i < 6; ++i) CHECK_EQ(sets.root(i), i);
  sets.join(0, 4);
  sets.join(4, 2);
  CHECK(sets.root(2) == 0 || sets.root(2) == 2 || sets.root(2) == 4);
  CHECK_EQ(sets.root(sets.root(0)), sets.root(2));
  CHECK_EQ(sets.root(5), 5u);
}

TEST(a_long_chain_is_one_set) {
  const std::size_t n = 100000;
  DisjointSets sets(n);
  for (std::size_t i = 1; i < n; ++i) sets.join(i - 1, i);
  CHECK_EQ(sets.root(0), sets.root(n - 1));
}

}  // namespace
