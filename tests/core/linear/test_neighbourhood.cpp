// Neighbourhoods hold whole rows of the system, nearest first, and lose no solution.
#include "check.hpp"
#include "linear/neighbourhood.hpp"
#include "small_releases.hpp"

using namespace sdclattice;
using small_tables::Dice;
using small_tables::Whole;

TEST(a_neighbourhood_is_a_relaxation_of_the_system) {
  Dice dice(31);
  int partial = 0, complete = 0;
  for (int k = 0; k < 600; ++k) {
    const small_releases::Sample sample = small_releases::sample_of(dice, k % 6);
    const LinearSystem& system = sample.system;
    const RowsByCell rows(system);
    Neighbourhoods around(system, rows);
    for (std::uint32_t i = 0; i < system.n_cells(); i += 3) {
      const auto most = static_cast<std::size_t>(1 + dice.below(40));
      const Neighbourhood near = around.around(i, most);
      CHECK(near.cell[0] == i && near.system.n_rows() <= most);
      CHECK_EQ(near.whole, near.system.n_rows() == system.n_rows());
      (near.whole ? complete : partial)++;
      CHECK(satisfies(near.system, near.pick(sample.truth)));
      for (std::size_t c = 0; c < near.cell.size(); ++c)
        CHECK_EQ(near.system.upper[c], system.upper[near.cell[c]]);
    }
  }
  CHECK(partial > 1000 && complete > 1000);
}

// A chain x0 + x1 = 1, x1 + x2 = 1, ...: the nearest rows come first.
TEST(rows_come_breadth_first) {
  LinearSystem chain;
  chain.lower.assign(10, 0);
  chain.upper.assign(10, 1);
  for (std::size_t r = 0; r < 9; ++r) {
    Whole a(10, 0);
    a[r] = a[r + 1] = 1;
    small_tables::add_row(chain, a, 1, 1);
  }
  const RowsByCell rows(chain);
  Neighbourhoods around(chain, rows);
  const Neighbourhood near = around.around(5, 4);
  CHECK_EQ(near.cell, (std::vector<std::uint32_t>{5, 4, 6, 3, 7}));
  // What was seen before is forgotten.
  CHECK_EQ(around.around(5, 4).cell, near.cell);
  CHECK_EQ(around.around(0, 1).cell, (std::vector<std::uint32_t>{0, 1}));
}
