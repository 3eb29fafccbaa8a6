// The walk through all cells of a table against its keys, one by one.
#include "check.hpp"
#include "table/dense_cells.hpp"
#include "table/records.hpp"

using namespace records;

TEST(the_odometer_goes_through_all_cells_in_order) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    const Layout layout(random_dim(dice, dice.below(5), 5));
    const std::vector<std::size_t> strides = layout.strides();
    CellOdometer cell(layout);
    bool same = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(layout.n_cells()); ++i, cell.step())
      for (std::size_t v = 0; v < layout.n_variables(); ++v)
        same = same && layout.level(cell.key(), v) == i / strides[v] % layout.n_levels(v);
    CHECK(same);
  }
}

TEST(gathered_cells_are_those_above_zero) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(3), 5));
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(layout.n_cells()));
    for (auto& n : counts) n = dice.below(3);
    const Cells cells = gather_cells(layout, counts.data(), counts.size());
    const std::vector<std::size_t> strides = layout.strides();
    std::vector<std::uint64_t> back(counts.size(), 0);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::size_t at = 0;
      for (std::size_t v = 0; v < layout.n_variables(); ++v)
        at += strides[v] * layout.level(cells.row(i), v);
      back[at] = cells.count(i);
    }
    CHECK(back == counts);
    WorkerPool pool(1 + round % 3);
    Stored stored;
    gather_cells(layout, counts.data(), counts.size(), pool, sink_of(stored, 1));
    CHECK(rows_of(stored, 1).rows == cells.rows);
  }
}

// More than one piece, cut within the levels of the first variable.
TEST(threads_gather_pieces) {
  Dice dice;
  for (const Levels& dim : {Levels{700, 130}, Levels{3, 5, 7, 1000}, Levels{1, 90000}}) {
    const Layout layout(dim);
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(layout.n_cells()));
    for (auto& n : counts) n = dice.below(4) == 0 ? dice.below(5) : 0;
    WorkerPool pool(3);
    Stored stored;
    gather_cells(layout, counts.data(), counts.size(), pool, sink_of(stored, 1));
    CHECK(rows_of(stored, 1).rows == gather_cells(layout, counts.data(), counts.size()).rows);
  }
}

TEST(dense_arrays_are_for_tables_with_few_cells) {
  CHECK(is_dense(Layout({64, 64}), 0, 1));
  CHECK(!is_dense(Layout({64, 65}), 0, 1));
  CHECK(is_dense(Layout({100, 100}), 20000, .5));
  CHECK(!is_dense(Layout({100, 101}), 20000, .5));
}
