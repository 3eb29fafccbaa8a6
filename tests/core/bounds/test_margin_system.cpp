// The equations of margins against sums over all cells.
#include <algorithm>

#include "base/error.hpp"
#include "bounds/margin_cases.hpp"
#include "bounds/margin_system.hpp"
#include "check.hpp"

using namespace margin_cases;

namespace {

// What is wrong with the system of these margins of the table.
int faults(const Table& table, const std::vector<VariableSet>& sets) {
  std::vector<Owned> owned;
  std::vector<ReleasedMargin> margins;
  std::vector<std::vector<double>> values;
  std::size_t n_rows = 0;
  for (const VariableSet& set : sets) {
    owned.push_back(table.released(set));
    values.push_back(table.values(set));
    n_rows += owned.back().counts.size();
  }
  for (const Owned& x : owned) margins.push_back(x.view());
  const MarginSystem found = margin_system(table.levels, margins, 10000, {});
  int wrong = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < table.count.size(); ++i) {
    double least = static_cast<double>(kMaxCount);
    for (const auto& v : values) least = std::min(least, v[i]);
    if (least == 0) continue;
    wrong += next >= found.cells.size() || found.cells[next] != i ||
             found.system.lower[next] != 0 ||
             static_cast<double>(found.system.upper[next]) != least;
    ++next;
  }
  wrong += next != found.cells.size() || found.system.n_rows() != n_rows;
  for (std::size_t r = 0; r < found.system.n_rows(); ++r) {
    double sum = 0;
    for (std::size_t e = found.system.start[r]; e < found.system.start[r + 1]; ++e)
      sum += static_cast<double>(found.system.coefficient[e]) *
             table.count[found.cells[found.system.cell[e]]];
    wrong += sum != static_cast<double>(found.system.row_lower[r]) ||
             found.system.row_lower[r] != found.system.row_upper[r];
  }
  return wrong;
}

}  // namespace

TEST(every_table_solves_the_equations_of_its_margins) {
  PublicRandom random(3);
  int wrong = 0;
  for (int k = 0; k < 400; ++k) {
    const Table table = random_table(random, 1 + random.below(4), 4, 2);
    wrong += faults(table, random_sets(random, table.levels.size()));
  }
  CHECK_EQ(wrong, 0);
}

TEST(too_many_cells_are_refused) {
  CHECK_THROWS(TooLargeError, margin_system({100, 100, 2}, {}, 19999, {}));
  CHECK_EQ(margin_system({100, 100, 2}, {}, 20000, {}).cells.size(), 20000u);
}

TEST(a_positive_cell_of_a_margin_needs_a_cell) {
  PublicRandom random(4);
  Table one{{2, 2}, {1, 0, 0, 1}}, other{{2, 2}, {2, 0, 0, 0}};
  const Owned rows = one.released({0}), columns = other.released({1});
  CHECK_EQ(margin_system({2, 2}, {rows.view(), columns.view()}, 10, {}).cells.size(), 2u);
  const Owned nothing{{1}, Layout({2}), {}, {}};
  CHECK_THROWS(InfeasibleError, margin_system({2, 2}, {rows.view(), nothing.view()}, 10, {}));
}
