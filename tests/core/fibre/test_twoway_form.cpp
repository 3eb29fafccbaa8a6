// Systems of row and column sums as two-way tables: the same number of tables as by enumeration.
#include "check.hpp"
#include "fibre/twoway_form.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// Some of the rows, columns and the total, in intervals around a table; cells start at 0.
LinearSystem random_sums(Dice& dice) {
  LinearSystem out;
  const int m = 1 + dice.below(3), n = 1 + dice.below(2);
  Whole x;
  for (int i = 0; i < m * n; ++i) {
    x.push_back(dice.below(3));
    out.lower.push_back(0);
    out.upper.push_back(x.back() + dice.below(2));
  }
  const auto add = [&](auto&& inside) {
    Whole a;
    std::int64_t sum = 0;
    for (int i = 0; i < m * n; ++i) {
      a.push_back(inside(i) ? 1 : 0);
      sum += a.back() * x[static_cast<std::size_t>(i)];
    }
    add_row(out, a, sum - dice.below(2), sum + dice.below(2));
  };
  for (int r = 0; r < m; ++r)
    if (dice.below(4) > 0) add([&](int i) { return i % m == r; });
  for (int s = 0; s < n; ++s)
    if (dice.below(4) > 0) add([&](int i) { return i / m == s; });
  if (dice.below(2)) add([](int) { return true; });
  return out;
}

// All fillings of a two-way table; the first cells are those of the system.
std::size_t count_fillings(const TwoWayTable& table) {
  LinearSystem out;
  for (const TwoWayCell& cell : table.cell) {
    out.lower.push_back(0);
    out.upper.push_back(std::min({cell.limit, table.row[cell.row], table.column[cell.column]}));
  }
  for (std::uint32_t r = 0; r < table.row.size(); ++r) {
    Whole a;
    for (const TwoWayCell& cell : table.cell) a.push_back(cell.row == r ? 1 : 0);
    add_row(out, a, table.row[r], table.row[r]);
  }
  for (std::uint32_t c = 0; c < table.column.size(); ++c) {
    Whole a;
    for (const TwoWayCell& cell : table.cell) a.push_back(cell.column == c ? 1 : 0);
    add_row(out, a, table.column[c], table.column[c]);
  }
  return solutions(out).size();
}

}  // namespace

TEST(two_way_tables_have_the_fillings_of_their_system) {
  Dice dice(35);
  int n_tables = 0, n_slack = 0;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system = random_sums(dice);
    const std::optional<TwoWayTable> table = as_two_way(system);
    CHECK(table.has_value());
    if (!table || table->cell.size() > 10) continue;
    const std::size_t n = solutions(system).size();
    CHECK_EQ(table->impossible ? 0 : count_fillings(*table), n);
    if (table->impossible) continue;
    CHECK(table->cell.size() >= system.n_cells());
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      CHECK_EQ(table->cell[i].limit, system.upper[i]);
    std::int64_t rows = 0, columns = 0;
    for (const std::int64_t sum : table->row) rows += sum;
    for (const std::int64_t sum : table->column) columns += sum;
    CHECK_EQ(rows, columns);
    ++n_tables;
    n_slack += table->cell.size() > system.n_cells();
  }
  CHECK(n_tables > 150);
  CHECK(n_slack > 50);
}

TEST(other_systems_are_no_two_way_tables) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {3, 3, 3};
  add_row(system, {1, 1, 0}, 2, 2);
  add_row(system, {0, 1, 1}, 2, 2);
  CHECK(as_two_way(system).has_value());
  add_row(system, {1, 0, 1}, 2, 2);  // an odd ring of rows
  CHECK(!as_two_way(system).has_value());
  LinearSystem weighted;
  weighted.lower = {0, 0};
  weighted.upper = {3, 3};
  add_row(weighted, {1, 2}, 2, 2);
  CHECK(!as_two_way(weighted).has_value());
}
