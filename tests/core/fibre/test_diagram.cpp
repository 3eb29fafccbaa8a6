// Diagrams of small systems of any form against all their tables.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/diagram.hpp"
#include "fibre/small_fibres.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

const FibreLimits plenty;

// A part: cells start at 0, and every row has a cell.
LinearSystem random_part(Dice& dice, int n, int n_rows) {
  LinearSystem out = random_system(dice, n, n_rows, 3);
  for (std::size_t r = 0; r < out.n_rows(); ++r)
    if (out.start[r] == out.start[r + 1]) return random_part(dice, n, n_rows);
  for (std::size_t i = 0; i < out.n_cells(); ++i) out.upper[i] = dice.below(4), out.lower[i] = 0;
  return out;
}

bool lists(const Diagram& diagram, std::vector<Whole> all) {
  std::vector<Whole> found;
  diagram.enumerate([&](const Whole& x) { found.push_back(x); });
  std::sort(found.begin(), found.end());
  std::sort(all.begin(), all.end());
  return found == all;  // each once
}

}  // namespace

TEST(random_parts_against_all_tables) {
  Dice dice(1);
  int some = 0;
  for (int round = 0; round < 500; ++round) {
    const LinearSystem part = random_part(dice, 1 + dice.below(6), dice.below(4));
    const std::vector<Whole> all = solutions(part);
    Diagram diagram(part, plenty, {});
    some += all.size() > 1;
    CHECK(knows(diagram, all, part.n_cells()));
    CHECK(lists(diagram, all));
    if (!all.empty() && all.size() < 60) CHECK(draws_evenly(diagram, all, part.n_cells(), 7));
  }
  CHECK(some > 150);
}

// Every single row over three cells with coefficients from -2 to 2.
TEST(all_small_rows) {
  each_between({-2, -2, -2, -2, 0}, {2, 2, 2, 3, 1}, [](const Whole& k) {
    if (k[0] == 0 && k[1] == 0 && k[2] == 0) return;
    LinearSystem part;
    part.lower = Whole(3, 0);
    part.upper = {2, 1, 2};
    add_row(part, {k[0], k[1], k[2]}, k[3], k[3] + k[4]);
    const std::vector<Whole> all = solutions(part);
    Diagram diagram(part, plenty, {});
    CHECK(knows(diagram, all, 3));
    CHECK(lists(diagram, all));
  });
}

// Three-way margins of a 2 x 2 x 2 table: a diagram with several open rows at a time.
TEST(three_way_margins) {
  Dice dice(2);
  for (int round = 0; round < 40; ++round) {
    Whole table;
    for (int i = 0; i < 8; ++i) table.push_back(dice.below(3));
    LinearSystem part;
    part.lower = Whole(8, 0);
    part.upper = Whole(8, 2);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b)
        for (int level = 0; level < 4; ++level) {
          Whole row(8, 0);
          std::int64_t sum = 0;
          for (int i = 0; i < 8; ++i)
            if (((i >> a) & 1) == (level & 1) && ((i >> b) & 1) == (level >> 1)) {
              row[static_cast<std::size_t>(i)] = 1;
              sum += table[static_cast<std::size_t>(i)];
            }
          add_row(part, row, sum, sum);
        }
    const std::vector<Whole> all = solutions(part);
    Diagram diagram(part, plenty, {});
    CHECK(!all.empty());
    CHECK(knows(diagram, all, 8));
  }
}

TEST(cells_without_rows_are_free) {
  LinearSystem part;
  part.lower = Whole(40, 0);
  part.upper = Whole(40, 9);
  Diagram diagram(part, plenty, {});
  CHECK_EQ(diagram.count({}).str(), "1" + std::string(40, '0'));
  const auto laws = diagram.laws({39}, {});
  CHECK_EQ(laws[0].size(), 10u);
  CHECK_EQ(laws[0][4].str(), "1" + std::string(39, '0'));
}

TEST(no_cells_or_no_tables) {
  Diagram nothing(LinearSystem{}, plenty, {});
  CHECK_EQ(nothing.count({}), 1);
  CHECK(lists(nothing, {Whole{}}));
  LinearSystem part;
  part.lower = {0, 0};
  part.upper = {2, 2};
  add_row(part, {2, 2}, 3, 3);
  Diagram none(part, plenty, {});
  CHECK_EQ(none.count({}), 0);
  CHECK(knows(none, {}, 2));
  CHECK(lists(none, {}));
}

TEST(limits_are_kept) {
  LinearSystem part;
  part.lower = Whole(12, 0);
  part.upper = Whole(12, 5);
  Whole row;
  for (int i = 0; i < 12; ++i) row.push_back(1 + i % 3);
  add_row(part, row, 40, 40);
  CHECK(Diagram(part, plenty, {}).count({}) > 1000);
  CHECK_THROWS(TooLargeError, Diagram(part, {50, 5e10}, {}));
  LinearSystem long_part;
  long_part.lower = Whole(20001, 0);
  long_part.upper = Whole(20001, 1);
  CHECK_THROWS(TooLargeError, Diagram(long_part, plenty, {}));
}

TEST(the_work_can_be_stopped) {
  struct Stop {};
  LinearSystem part;
  part.lower = Whole(30, 0);
  part.upper = Whole(30, 9);
  Whole row(30, 1);
  add_row(part, row, 100, 100);
  CHECK_THROWS(Stop, Diagram(part, plenty, [](double) { throw Stop{}; }));
}
