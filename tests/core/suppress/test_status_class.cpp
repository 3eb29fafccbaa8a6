// Tables of a class against a list of all of them, and tables that support each other by slow sums.
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/status_class.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

// A table, its rule and some hidden cells. Primary are published counts from 1 to `most`.
struct ClassCase {
  PublishedTable table;
  std::int64_t most = 0;
  SuppressionProblem problem;
  StatusLimits status;
  std::vector<char> hidden;
};

ClassCase random_class_case(Dice& dice) {
  ClassCase out;
  do {
    out.table = random_published(dice, 8, true);
  } while (out.table.inner.size() < 4);
  out.most = dice.between(2, 3);
  const StoredCells cells = out.table.stored();
  out.problem = table_problem(cells, 1, true);
  out.status = {out.problem.system.lower, out.problem.system.upper};
  const int share = dice.between(1, 3);
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    out.hidden.push_back(0);
    if (!cells.is_published(cell)) continue;
    if (cells.value(cell) <= out.most) {
      out.problem.role[cell] = CellRole::primary;
      out.problem.demands.push_back({cell, 0, 0, 1});
      out.status.upper[cell] = out.most;
      out.hidden[cell] = 1;
    } else {
      out.status.lower[cell] = out.most + 1;
      out.hidden[cell] = dice.below(4) < share;
    }
  }
  return out;
}

constexpr std::int64_t kMost = 4;

// All tables of the class with inner counts up to kMost.
std::set<WholeTable> all_tables(const ClassCase& c, const StoredCells& cells) {
  std::set<WholeTable> out;
  std::vector<std::int64_t> counts(c.table.counts.size(), 0);
  for (;;) {
    const Sums sums = c.table.sums(counts);
    WholeTable table(cells.n_cells(), 0);
    bool fits = true;
    for (const auto& sum : sums) {
      const std::uint32_t cell = cells.find(cells.key_of(sum.first.data()));
      if (cell == StoredCells::kNone) {
        fits = fits && sum.second == 0;
        continue;
      }
      table[cell] = sum.second;
      const bool seen = !c.hidden[cell] && cells.is_published(cell);
      fits = fits && c.status.lower[cell] <= sum.second && sum.second <= c.status.upper[cell] &&
             (!seen || sum.second == cells.value(cell));
    }
    if (fits) out.insert(table);
    std::size_t i = 0;
    while (i < counts.size() && counts[i] == kMost) counts[i++] = 0;
    if (i == counts.size()) return out;
    ++counts[i];
  }
}

// Whom a table leaves without another count in some primary cell that is not her own.
bool is_served_slowly(const ClassCase& c, const StoredCells& cells,
                      const std::vector<WholeTable>& tables, const WholeTable& table, bool people) {
  std::vector<std::vector<std::uint32_t>> readers(1);
  for (std::uint32_t home = 0; people && home < cells.n_cells(); ++home) {
    const bool seen = !c.hidden[home] && cells.is_published(home);
    if (!cells.is_inner(home) || table[home] != 1 || seen) continue;
    readers.push_back({home});
    const Nodes inner = nodes_of(cells, home);
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
      if (cell != home && table[cell] == 1 && cells.is_published(cell) &&
          c.table.is_below(inner, nodes_of(cells, cell)))
        readers.back().push_back(cell);
  }
  for (const auto& known : readers)
    for (const Demand& demand : c.problem.demands) {
      if (std::count(known.begin(), known.end(), demand.cell) > 0) continue;
      std::set<std::int64_t> counts;
      for (const WholeTable& other : tables) {
        bool agrees = true;
        for (const std::uint32_t cell : known) agrees = agrees && other[cell] == 1;
        if (agrees) counts.insert(other[demand.cell]);
      }
      if (counts.size() < 2) return false;
    }
  return true;
}

}  // namespace

TEST(the_tables_are_those_of_the_class_and_do_not_depend_on_which_is_the_true_one) {
  Dice dice(71);
  std::size_t n_tables = 0, n_others = 0, n_empty = 0;
  for (int i = 0; i < 300; ++i) {
    const ClassCase c = random_class_case(dice);
    if (c.problem.demands.empty() || c.table.inner.size() > 4) continue;
    const StoredCells cells = c.table.stored();
    const std::set<WholeTable> all = all_tables(c, cells);
    const WholeTable& truth = c.problem.value;
    const bool people = i % 2 == 0;
    const StatusClass own(cells, c.problem, c.status, c.hidden, truth, people);
    double work = 0;
    const std::vector<WholeTable> found = own.find_tables({}, nullptr, work);
    for (const WholeTable& table : found)
      if (*std::max_element(table.begin(), table.end()) <= kMost) CHECK(all.count(table) == 1);
    n_tables += found.size();
    // complete for who reads the publication
    bool is_open = false;
    for (const Demand& demand : c.problem.demands) {
      std::set<std::int64_t> counts;
      for (const WholeTable& table : all) counts.insert(table[demand.cell]);
      is_open = is_open || counts.size() < 2;
    }
    if (!is_open) CHECK(!found.empty());
    n_empty += found.empty();
    for (const WholeTable& table : all) {
      const StatusClass other(cells, c.problem, c.status, c.hidden, table, people);
      double again = 0;
      CHECK(other.find_tables({}, nullptr, again) == found);
      CHECK_EQ(again, work);
      if (++n_others % 4 == 0) break;
    }
  }
  CHECK(n_tables > 60);
  CHECK(n_others > 60);
  CHECK(n_empty > 10);
}

TEST(tables_that_support_each_other_serve_the_people_of_each) {
  Dice dice(72);
  std::size_t n_supporting = 0, n_dropped = 0;
  for (int i = 0; i < 400; ++i) {
    const ClassCase c = random_class_case(dice);
    if (c.problem.demands.empty()) continue;
    const StoredCells cells = c.table.stored();
    const bool people = i % 4 != 0;
    const StatusClass own(cells, c.problem, c.status, c.hidden, c.problem.value, people);
    double work = 0;
    const std::vector<WholeTable> found = own.find_tables({}, nullptr, work);
    const std::vector<WholeTable> kept = own.supporting(found);
    for (const WholeTable& table : kept) {
      CHECK(is_served_slowly(c, cells, kept, table, people));
      CHECK(own.serves(kept, table));
    }
    std::vector<WholeTable> with = kept;
    with.push_back(c.problem.value);
    CHECK_EQ(own.serves(kept, c.problem.value),
             is_served_slowly(c, cells, with, c.problem.value, people));
    n_supporting += !kept.empty();
    n_dropped += kept.size() < found.size();
  }
  CHECK(n_supporting > 15);
  CHECK(n_dropped > 5);
}
