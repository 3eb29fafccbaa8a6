// How far cells move from a known table, against the list of all tables.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/table_reach.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

const Tick kQuiet = [](double) {};

struct Range {
  std::int64_t least, most;
};

Range range_of(const std::vector<Whole>& tables, std::size_t cell) {
  Range out{tables[0][cell], tables[0][cell]};
  for (const Whole& x : tables) out = {std::min(out.least, x[cell]), std::max(out.most, x[cell])};
  return out;
}

bool contains(const TableReach::Ends& ends, const Range& truth) {
  return ends.lower <= truth.least && ends.upper >= truth.most && ends.least >= truth.least &&
         ends.most <= truth.most;
}

}  // namespace

TEST(ends_close_in_on_what_all_tables_attain) {
  Dice dice(3);
  WorkClock clock(1000, kQuiet);
  int n = 0, moved = 0;
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(5), 1 + dice.below(3), 1 + dice.below(2));
    const std::vector<Whole> tables = solutions(system);
    if (tables.empty()) continue;
    const Whole& own =
        tables[static_cast<std::size_t>(dice.below(static_cast<int>(tables.size())))];
    TableReach reach(system, own, clock);
    for (std::uint32_t i = 0; i < system.n_cells(); ++i) {
      const Range truth = range_of(tables, i);
      CHECK(contains(reach.ends(i), truth));
      CHECK(reach.ends(i).least <= own[i] && reach.ends(i).most >= own[i]);
      for (const SearchLevel level : kSearchLevels)
        for (const int sign : {1, -1}) {
          reach.close(i, sign, level);
          CHECK(contains(reach.ends(i), truth));
        }
      const TableReach::Ends ends = reach.ends(i);
      CHECK(ends.lower == truth.least && ends.least == truth.least);
      CHECK(ends.upper == truth.most && ends.most == truth.most);
      for (const int sign : {1, -1}) {
        const Whole x = reach.table(i, sign);
        CHECK(satisfies(system, x));
        moved += x != own;
      }
      ++n;
    }
  }
  CHECK(n > 500 && moved > 300);
}

TEST(without_a_table_one_is_found_or_there_is_none) {
  Dice dice(4);
  WorkClock clock(1000, kQuiet);
  int found = 0, none = 0;
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(2));
    const auto look = [&] {
      TableReach reach(system, {}, clock);
      CHECK(reach.table(0, 1).empty() || satisfies(system, reach.table(0, 1)));
      CHECK(reach.find_table(SearchLevel::complete));
      CHECK(satisfies(system, reach.table(0, 1)));
    };
    if (solutions(system).empty()) {
      CHECK_THROWS(InfeasibleError, look());
      ++none;
    } else {
      look();
      ++found;
    }
  }
  CHECK(found > 100 && none > 5);
}
