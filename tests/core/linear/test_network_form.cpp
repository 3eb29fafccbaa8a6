// What is a network, and which rows are left out. Flows are compared in test_network_flow.cpp.
#include "check.hpp"
#include "linear/network_form.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

LinearSystem system_of(const std::vector<Whole>& rows, const Whole& sums) {
  LinearSystem out;
  out.lower.assign(rows[0].size(), 0);
  out.upper.assign(rows[0].size(), 9);
  for (std::size_t r = 0; r < rows.size(); ++r) add_row(out, rows[r], sums[r], sums[r]);
  return out;
}

}  // namespace

TEST(signs_of_rows_make_the_entries_of_a_cell_opposite) {
  Dice dice(1);
  int networks = 0;
  for (int round = 0; round < 1000; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(5), 1 + dice.below(4), 1);
    const auto form = find_network_form(system);
    if (!form) continue;
    ++networks;
    for (std::uint32_t i = 0; i < system.n_cells(); ++i) {
      std::int64_t sum = 0;
      std::size_t n = 0;
      for (std::size_t r = 0; r < system.n_rows(); ++r)
        for (std::size_t e = system.start[r]; e < system.start[r + 1] && !form->aside[r]; ++e) {
          if (system.cell[e] != i) continue;
          sum += form->sign[r] * system.coefficient[e];
          ++n;
        }
      CHECK_EQ(n, form->cells[i].n);
      CHECK(n < 2 || sum == 0);
    }
  }
  CHECK(networks > 200);
}

TEST(a_total_that_follows_is_set_aside) {
  const std::vector<Whole> rows = {
      {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}};
  const auto form = find_network_form(system_of(rows, {2, 3, 4, 1, 5}));
  CHECK(form.has_value());
  CHECK(form->aside == std::vector<bool>({false, false, false, false, true}));
  CHECK(!find_network_form(system_of(rows, {2, 3, 4, 1, 6})));
}

TEST(no_network) {
  CHECK(!find_network_form(system_of({{2, 1}}, {3})));
  CHECK(!find_network_form(system_of({{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, {2, 2, 2})));
}
