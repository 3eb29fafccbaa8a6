// Cells in sorted runs against tabulating all of them in memory.
#include "check.hpp"
#include "table/cell_runs.hpp"
#include "table/cell_stream.hpp"
#include "table/project.hpp"
#include "table/records.hpp"
#include "table/tape.hpp"

using namespace records;
using namespace tapes;

namespace {

// From memory for one row to memory for all.
std::size_t some_bytes(Dice& dice, std::size_t stride) {
  const std::size_t rows[] = {0, 1, 2, 7, 100, 100000};
  return 16 * stride * rows[dice.below(6)];
}

Cells table_of(CellRuns& runs, std::size_t n_words) {
  return all_rows(*runs.source(), n_words);
}

// Two words, when there are enough variables of many levels.
Levels some_dim(Dice& dice, int round) {
  if (round % 4 == 0) return random_dim(dice, 14 + dice.below(20), 40);
  return random_dim(dice, dice.below(5), round % 3 == 0 ? 40 : 3);
}

}  // namespace

TEST(records_in_runs_make_the_table_of_all) {
  Dice dice;
  std::size_t n_spilled = 0, n_wide = 0;
  for (int round = 0; round < 250; ++round) {
    const Levels dim = some_dim(dice, round);
    const Records records(dice, dim, dice.below(round % 50 == 0 ? 12000 : 400));
    const Layout layout(dim);
    Tape tape;
    CellRuns runs(layout.n_words(), {&tape, some_bytes(dice, layout.n_words() + 1)}, {});
    const bool weighted = dice.below(2) == 0;
    CHECK(tabulate_in_runs(layout, records.columns(), records.n,
                           weighted ? records.weights.data() : nullptr, runs)
              .empty());
    CHECK(agrees(layout, table_of(runs, layout.n_words()), records.twin(records.all(), weighted)));
    CHECK(runs.has_spilled() == (tape.n_appended > 0));
    n_spilled += runs.has_spilled();
    n_wide += runs.has_spilled() && layout.n_words() > 1;
  }
  CHECK(n_spilled > 80);
  CHECK(n_wide > 15);
}

// One row for each run: thousands of runs, merged on three levels.
TEST(many_runs_are_merged_on_the_way) {
  Dice dice;
  const Records records(dice, {90, 90}, 9000);
  const Layout layout(records.dim);
  Tape tape;
  CellRuns runs(layout.n_words(), {&tape, 0}, {});
  tabulate_in_runs(layout, records.columns(), records.n, nullptr, runs);
  CHECK(tape.n_appended > 9000);
  CHECK(agrees(layout, table_of(runs, layout.n_words()), records.twin(records.all(), false)));
}

// Keys that come again and again are never written, however many records there are.
TEST(repeated_cells_stay_in_memory) {
  Dice dice;
  const Records records(dice, {20, 20}, 200000);
  const Layout layout(records.dim);
  Tape tape;
  CellRuns runs(layout.n_words(), {&tape, 32 * 900}, {});
  tabulate_in_runs(layout, records.columns(), records.n, nullptr, runs);
  CHECK(agrees(layout, table_of(runs, layout.n_words()), records.twin(records.all(), false)));
  CHECK(!runs.has_spilled());
  CHECK(tape.n_read == 0);
}

TEST(missing_values_are_counted_in_runs) {
  const std::int32_t a[] = {1, INT32_MIN, 2}, b[] = {INT32_MIN, INT32_MIN, 1};
  std::vector<Column> columns(2);
  columns[0].codes = a;
  columns[1].codes = b;
  Tape tape;
  const Layout layout({2, 1});
  CellRuns runs(layout.n_words(), {&tape, 0}, {});
  CHECK(tabulate_in_runs(layout, columns, 3, nullptr, runs) == std::vector<std::size_t>({1, 2}));
}

TEST(margins_in_runs_are_those_in_memory) {
  Dice dice;
  for (int round = 0; round < 150; ++round) {
    const Levels dim = some_dim(dice, round);
    const Records records(dice, dim, dice.below(500));
    const Layout from(dim);
    const Stored table = store(tabulate(from, records.columns(), records.n, nullptr, 1, {}).cells);
    std::vector<std::vector<std::int32_t>> maps;
    std::vector<std::size_t> kept;
    for (std::size_t v = 0; v < dim.size(); ++v)
      if (dice.below(3) > 0) kept.push_back(v);
    Levels to_dim;
    std::vector<VariableSource> sources;
    const bool maps_levels = dice.below(2) == 0;
    for (std::size_t v : kept) {
      to_dim.push_back(dim[v]);
      maps.emplace_back();
      for (std::uint32_t level = 0; level < dim[v]; ++level)
        maps.back().push_back(static_cast<std::int32_t>(dice.below(dim[v] + 1)) - 1);
    }
    for (std::size_t k = 0; k < kept.size(); ++k)
      sources.push_back({kept[k], maps_levels ? maps[k].data() : nullptr});
    const Layout to(to_dim);
    Tape tape;
    CellRuns runs(to.n_words(), {&tape, some_bytes(dice, to.n_words() + 1)}, {});
    project_in_runs(from, table.view(), to, sources, runs);
    CHECK(table_of(runs, to.n_words()).rows == project(from, table.view(), to, sources, {}).rows);
  }
}

// Codes come in any order, and layouts grow while there are rows on the tape already.
TEST(streams_spill_and_make_the_same_table) {
  Dice dice;
  std::size_t n_spilled = 0;
  for (int round = 0; round < 150; ++round) {
    const Levels dim = some_dim(dice, round);
    const Records records(dice, dim, dice.below(700));
    std::vector<std::vector<std::uint32_t>> level_of;
    std::vector<std::vector<std::int32_t>> codes;
    for (std::size_t v = 0; v < dim.size(); ++v) {
      level_of.emplace_back();
      codes.emplace_back();
      for (std::int32_t value : records.codes[v]) {
        std::vector<std::uint32_t>& seen = level_of.back();
        const auto level = static_cast<std::uint32_t>(value - 1);
        const auto at = std::find(seen.begin(), seen.end(), level) - seen.begin();
        if (static_cast<std::size_t>(at) == seen.size()) seen.push_back(level);
        codes.back().push_back(static_cast<std::int32_t>(at) + 1);
      }
    }
    Tape tape;
    const Layout to(dim);
    const Spill spill{&tape, some_bytes(dice, to.n_words() + 1)};
    CellStream stream(dim.size(), round % 2 == 0, spill);
    for (std::size_t from = 0; from < records.n;) {
      const std::size_t n = std::min<std::size_t>(records.n - from, 1 + dice.below(90));
      std::vector<const std::int32_t*> columns;
      for (const auto& column : codes) columns.push_back(column.data() + from);
      stream.add(columns, records.weights.data() + from, n);
      from += n;
    }
    const Twin twin = records.twin(records.all(), true);
    if (stream.has_spilled()) {
      ++n_spilled;
      CellRuns runs(to.n_words(), spill, {});
      stream.take_in_runs(to, level_of, runs);
      CHECK(agrees(to, table_of(runs, to.n_words()), twin));
      CHECK(!stream.has_spilled());
    } else {
      CHECK(agrees(to, stream.take(to, level_of, {}), twin));
    }
  }
  CHECK(n_spilled > 60);
}

TEST(a_full_tape_stops_the_work) {
  Dice dice;
  const Records records(dice, {90, 90}, 900);
  const Layout layout(records.dim);
  Tape tape;
  tape.most = 500;
  CellRuns runs(layout.n_words(), {&tape, 0}, {});
  CHECK_THROWS(TooLargeError,
               tabulate_in_runs(layout, records.columns(), records.n, nullptr, runs));
}
