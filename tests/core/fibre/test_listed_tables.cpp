// Listed tables: groups by margin, judgements and ranges, on tables that can be looked through.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/listed_tables.hpp"

using namespace sdclattice;

namespace {

// The 2 x 2 tables with rows and columns of 3: their first cell says it all.
const std::vector<double> kSquare = {0, 3, 3, 0, 1, 2, 2, 1, 2, 1, 1, 2, 3, 0, 0, 3};
const ListedTables kTables{kSquare.data(), 4, 4};
const std::vector<std::size_t> kAll = {0, 1, 2, 3};

}  // namespace

TEST(one_sum_is_one_group) {
  const JudgedTables found = judge_tables(kTables, kAll, {0, 0, 0, 0}, {{1, 2}, {}, 3}, {});
  CHECK(found.group == (std::vector<std::uint32_t>{0, 0, 0, 0}));
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 1, 1, 1}));
  const JudgedTables wide = judge_tables(kTables, kAll, {0, 0, 0, 0}, {{1, 2}, {}, 4}, {});
  // nothing is at risk in tables of 0 and 3
  CHECK(wide.safe == (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

TEST(all_cells_are_a_group_each) {
  const JudgedTables found = judge_tables(kTables, kAll, {0, 1, 2, 3}, {{1}, {}, 1}, {});
  CHECK(found.group == (std::vector<std::uint32_t>{0, 1, 2, 3}));
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

TEST(some_tables_and_named_cells) {
  const JudgedTables found = judge_tables(kTables, {1, 2}, {0, 0, 1, 1}, {{}, {3}, 1}, {});
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 1}));
  CHECK(judge_tables(kTables, {1, 2}, {0, 0, 1, 1}, {{}, {3}, 2}, {}).safe ==
        (std::vector<std::uint8_t>{0, 0}));
  CHECK(judge_tables(kTables, {}, {0, 0, 1, 1}, {{}, {3}, 2}, {}).safe.empty());
  CHECK_THROWS(InputError, judge_tables(kTables, kAll, {0, 0}, {{}, {3}, 2}, {}));
}

TEST(ranges) {
  const ListedRange found = range_of_tables(kTables, {1, 3});
  CHECK(found.lower == (std::vector<double>{1, 0, 0, 1}));
  CHECK(found.upper == (std::vector<double>{3, 2, 2, 3}));
  CHECK_THROWS(InputError, range_of_tables(kTables, {}));
}
