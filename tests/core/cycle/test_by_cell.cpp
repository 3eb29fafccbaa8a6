// Cycles seen from their cells against the dense matrix.
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
