// Cycles seen from their cells against the dense matrix, and the forest against repainted colours.
#include "check.hpp"
#include "cycle/by_cell.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

bool same_as_dense(const CycleSet& set) {
  const ByCell cells(set);
  const auto matrix = dense(set);
  bool same = cells.start.size() == set.n_cells + 1 && cells.start[0] == 0 &&
              cells.start.back() == set.cell.size();
  for (std::size_t i = 0; same && i < set.n_cells; ++i) {
    std::vector<std::int32_t> cycles;
    std::vector<int> coefs;
    for (std::size_t c = 0; c < set.size(); ++c) {
      if (matrix[c][i] == 0) continue;
      cycles.push_back(static_cast<std::int32_t>(c));
      coefs.push_back(matrix[c][i]);
    }
    same = cells.count(static_cast<std::int32_t>(i)) == cycles.size();
    for (std::size_t k = 0; same && k < cycles.size(); ++k)
      same = cells.cycle[cells.start[i] + k] == cycles[k] &&
             cells.coef[cells.start[i] + k] == coefs[k];
  }
  return same;
}

// Joins by painting one class in the colour of the other.
struct Colours {
  std::vector<int> of;
  explicit Colours(int n) {
    for (int i = 0; i < n; ++i) of.push_back(i);
  }
  void join(int i, int j) {
    const int from = of[static_cast<std::size_t>(i)], to = of[static_cast<std::size_t>(j)];
    for (int& colour : of)
      if (colour == from) colour = to;
  }
};

bool same_classes(Forest& forest, const Colours& colours) {
  const int n = static_cast<int>(colours.of.size());
  for (int i = 0; i < n; ++i) {
    const int root = forest.root(i);
    if (root < 0 || root >= n || forest.root(root) != root) return false;
    for (int j = 0; j < n; ++j)
      if ((root == forest.root(j)) !=
          (colours.of[static_cast<std::size_t>(i)] == colours.of[static_cast<std::size_t>(j)]))
        return false;
  }
  return true;
}

}  // namespace

TEST(cells_know_their_cycles) {
  Dice dice(1);
  for (int round = 0; round < 1500; ++round)
    CHECK(same_as_dense(random_cycles(dice, 1 + dice.below(9), dice.below(7), 127)));
}

// Every pair of cycles on three cells with coefficients from -1 to 1.
TEST(all_small_pairs_of_cycles) {
  const Whole low(6, -1), high(6, 1);
  each_between(low, high, [&](const Whole& x) {
    CycleSet set;
    set.n_cells = 3;
    for (int c = 0; c < 2; ++c) {
      for (int i = 0; i < 3; ++i)
        if (x[static_cast<std::size_t>(3 * c + i)] != 0)
          set.add(i, static_cast<std::int8_t>(x[static_cast<std::size_t>(3 * c + i)]));
      set.close();
    }
    CHECK(same_as_dense(set));
  });
}

// Entries of a cycle may stand in any order; those of a cell ascend by cycle all the same.
TEST(the_order_within_a_cycle_does_not_matter) {
  CycleSet set;
  set.n_cells = 4;
  set.add(3, 1), set.add(0, -1), set.close();
  set.add(2, -127), set.add(3, 127), set.add(0, 2), set.close();
  CHECK(same_as_dense(set));
  const ByCell cells(set);
  CHECK_EQ(cells.start, std::vector<std::size_t>({0, 2, 2, 3, 5}));
  CHECK_EQ(cells.cycle, std::vector<std::int32_t>({0, 1, 1, 0, 1}));
  CHECK_EQ(cells.coef, std::vector<std::int8_t>({-1, 2, -127, 1, 127}));
}

TEST(sets_without_cycles_or_cells) {
  CycleSet set;
  const ByCell none(set);
  CHECK_EQ(none.start, std::vector<std::size_t>{0});
  set.n_cells = 3;
  CHECK(same_as_dense(set));
  CHECK_EQ(ByCell(set).count(2), 0u);
}

// Every sequence of three joins among four members.
TEST(all_short_sequences_of_joins) {
  const Whole low(6, 0), high(6, 3);
  each_between(low, high, [&](const Whole& x) {
    Forest forest(4);
    Colours colours(4);
    bool same = true;
    for (std::size_t k = 0; k < 6; k += 2) {
      forest.join(static_cast<std::int32_t>(x[k]), static_cast<std::int32_t>(x[k + 1]));
      colours.join(static_cast<int>(x[k]), static_cast<int>(x[k + 1]));
      same = same && same_classes(forest, colours);
    }
    CHECK(same);
  });
}

TEST(many_joins) {
  Dice dice(2);
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + dice.below(40);
    Forest forest(static_cast<std::size_t>(n));
    Colours colours(n);
    CHECK(same_classes(forest, colours));
    for (int k = 0; k < n; ++k) {
      const int i = dice.below(n), j = dice.below(n);
      forest.join(i, j);
      colours.join(i, j);
    }
    CHECK(same_classes(forest, colours));
  }
}

// A chain of joins as long as the longest set of cycles that is met is no recursion.
TEST(a_long_chain_of_joins) {
  const std::int32_t n = 200000;
  Forest forest(static_cast<std::size_t>(n));
  for (std::int32_t i = 1; i < n; ++i) forest.join(i - 1, i);
  const std::int32_t root = forest.root(0);
  bool one = true;
  for (std::int32_t i = 0; i < n; ++i) one = one && forest.root(i) == root;
  CHECK(one);
}
