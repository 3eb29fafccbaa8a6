// What every exact method owes: the methods agree on tables too large to list, laws add up to the
// number of tables, their means to the sums, and draws are tables.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/diagram.hpp"
#include "fibre/residue.hpp"
#include "fibre/small_fibres.hpp"

using namespace sdclattice;
using namespace small_fibres;

namespace {

LinearSystem as_system(const TwoWayTable& table) {
  LinearSystem out;
  out.lower.assign(table.cell.size(), 0);
  for (const TwoWayCell& c : table.cell)
    out.upper.push_back(std::min({c.limit, table.row[c.row], table.column[c.column]}));
  const auto add = [&](bool is_row, std::size_t k, std::int64_t sum) {
    Whole a(table.cell.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = (is_row ? table.cell[i].row : table.cell[i].column) == k;
    if (std::count(a.begin(), a.end(), 1) > 0) add_row(out, a, sum, sum);
  };
  for (std::size_t r = 0; r < table.row.size(); ++r) add(true, r, table.row[r]);
  for (std::size_t c = 0; c < table.column.size(); ++c) add(false, c, table.column[c]);
  return out;
}

// The methods that know a table, each by its own.
std::vector<std::unique_ptr<FibrePart>> methods(const TwoWayTable& table) {
  const FibreLimits limits;
  std::vector<std::unique_ptr<FibrePart>> out;
  out.push_back(make_two_way(table, plan_two_way(table), table.cell.size(), limits));
  out.push_back(std::make_unique<Diagram>(as_system(table), limits, Tick()));
  if (has_residues(table)) out.push_back(make_residues(table, table.cell.size(), limits));
  return out;
}

std::vector<std::uint32_t> all_cells(const TwoWayTable& table) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < table.cell.size(); ++i) out.push_back(i);
  return out;
}

bool is_filling(const TwoWayTable& table, const Whole& x) {
  Whole row = table.row, column = table.column;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] < 0 || x[i] > table.cell[i].limit) return false;
    row[table.cell[i].row] -= x[i];
    column[table.cell[i].column] -= x[i];
  }
  return row == Whole(row.size(), 0) && column == Whole(column.size(), 0);
}

TwoWayTable larger_table(Dice& dice, bool open) {
  TwoWayTable out = random_table(dice, open, 7);
  while (out.cell.size() < 6) out = random_table(dice, open, 7);
  return out;
}

}  // namespace

TEST(methods_agree) {
  Dice dice(1);
  for (int round = 0; round < 24; ++round) {
    const TwoWayTable table = larger_table(dice, round % 2 == 0);
    const auto parts = methods(table);
    const BigCount n = parts[0]->count({});
    const auto laws = parts[0]->laws(all_cells(table), {});
    for (std::size_t k = 1; k < parts.size(); ++k) {
      CHECK_EQ(parts[k]->count({}), n);
      const auto other = parts[k]->laws(all_cells(table), {});
      bool same = other.size() == laws.size();
      for (std::size_t i = 0; same && i < laws.size(); ++i) same = same_ways(laws[i], other[i]);
      CHECK(same);
    }
  }
}

// Each law has as many tables as there are, and the means of a line's cells add up to its sum.
TEST(laws_add_up) {
  Dice dice(2);
  for (int round = 0; round < 16; ++round) {
    const TwoWayTable table = larger_table(dice, round % 2 == 0);
    for (const auto& part : methods(table)) {
      const BigCount n = part->count({});
      std::vector<BigCount> row(table.row.size()), column(table.column.size());
      const auto laws = part->laws(all_cells(table), {});
      for (std::size_t i = 0; i < laws.size(); ++i) {
        BigCount all = 0;
        for (std::size_t v = 0; v < laws[i].size(); ++v) {
          all += laws[i][v];
          row[table.cell[i].row] += laws[i][v] * v;
          column[table.cell[i].column] += laws[i][v] * v;
        }
        CHECK_EQ(all, n);
      }
      for (std::size_t r = 0; r < row.size(); ++r) CHECK_EQ(row[r], n * table.row[r]);
      for (std::size_t c = 0; c < column.size(); ++c) CHECK_EQ(column[c], n * table.column[c]);
    }
  }
}

// Draws are fillings, repeat with their seed, and follow the law of a cell.
TEST(draws_are_tables) {
  Dice dice(3);
  for (int round = 0; round < 10; ++round) {
    const TwoWayTable table = larger_table(dice, round % 2 == 0);
    for (const auto& part : methods(table)) {
      const auto law = part->laws({0}, {})[0];
      const double n = part->count({}).convert_to<double>();
      PublicRandom random(9), again(9);
      std::vector<double> counted(law.size(), 0);
      const int n_draws = 150;
      for (int k = 0; k < n_draws; ++k) {
        Whole x(table.cell.size(), -1), y = x;
        part->draw(random, x, {});
        part->draw(again, y, {});
        CHECK(x == y && is_filling(table, x));
        counted[static_cast<std::size_t>(x[0])] += 1;
      }
      for (std::size_t v = 0; v < law.size(); ++v) {
        const double p = law[v].convert_to<double>() / n;
        CHECK(std::fabs(counted[v] - n_draws * p) <= 6 * std::sqrt(n_draws * p * (1 - p)) + 1);
      }
    }
  }
}

// A method whose plan tells its cost beforehand says nothing more.
TEST(steps_that_are_not_counted) {
  struct One : FibrePart {
    BigCount count(const Tick&) override { return 1; }
    std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick&) override {
      return std::vector<CellWays>(cells.size(), CellWays{1});
    }
    void draw(PublicRandom&, Whole& x, const Tick&) override { x.assign(x.size(), 0); }
  };
  One part;
  CHECK_EQ(part.steps_taken(), 0);
  CHECK(knows(part, {{0, 0}}, 2));
  CHECK(!knows(part, {{0, 1}}, 2));
  CHECK(FibreLimits().states > 0 && FibreLimits().steps > 0);
}
