// Tabulation of records against a slow twin.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check.hpp"
#include "table/records.hpp"
#include "table/tabulate.hpp"

using namespace records;

TEST(tabulation_agrees_with_a_map) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    const bool wide = round % 3 == 0;
    const Levels dim = random_dim(dice, dice.below(wide ? 45 : 6), wide ? 9 : 12);
    const Records records(dice, dim, dice.below(600));
    const Layout layout(dim);
    const bool weighted = round % 2 == 0;
    const double* weights = weighted ? records.weights.data() : nullptr;
    const Tabulation found = tabulate(layout, records.columns(), records.n, weights, 1, {});
    CHECK(found.missing.empty());
    CHECK(agrees(layout, found.cells, records.twin(records.all(), weighted)));
  }
}

TEST(large_tabulations_grow_the_map) {
  Dice dice;
  const Records records(dice, {100, 100, 100, 50}, 60000);
  const Layout layout(records.dim);
  const Tabulation found = tabulate(layout, records.columns(), records.n, nullptr, 1, {});
  CHECK(agrees(layout, found.cells, records.twin(records.all(), false)));
}

// Batches, ranges and arrays of one thread each; with weights, some of them 0.
TEST(threads_find_the_same_cells) {
  Dice dice;
  for (const Levels& dim : {Levels{7}, Levels{9, 300, 8, 5}, Levels{40, 40, 60, 9}, Levels(35, 5),
                            Levels{1}, Levels{}}) {
    const Layout layout(dim);
    for (std::size_t n : {1, 16385, 40000}) {
      const Records records(dice, dim, n);
      for (bool weighted : {false, true}) {
        const double* weights = weighted ? records.weights.data() : nullptr;
        std::vector<Cells> found;
        for (std::size_t threads : {1, 2, 3, 7})
          found.push_back(tabulate(layout, records.columns(), n, weights, threads, {}).cells);
        CHECK(found[1].rows == found[0].rows && found[2].rows == found[0].rows &&
              found[3].rows == found[0].rows);
        if (n < 20000 || dim.size() < 5)
          CHECK(agrees(layout, found[0], records.twin(records.all(), weighted)));
      }
    }
  }
}

TEST(records_have_places) {
  Dice dice;
  const Levels dim{3, 70000, 1, 90000, 8};
  const Layout layout(dim);
  const std::size_t n = 20000;
  Records records(dice, dim, n);
  for (std::size_t threads : {1, 3}) {
    std::vector<double> places(n);
    CHECK(place_records(layout, records.columns(), n, threads, {}, places.data()).empty());
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      double place = 0;
      for (std::size_t v = dim.size(); v-- > 0;) place = place * dim[v] + records.codes[v][i] - 1;
      same = same && places[i] == place;
    }
    CHECK(same);
  }
  records.codes[1][n - 1] = kMissing;
  std::vector<double> places(n);
  CHECK(place_records(layout, records.columns(), n, 2, {}, places.data()) ==
        std::vector<std::size_t>({0, 1, 0, 0, 0}));
}

// More than one batch, into an array that is too large for one of each thread.
TEST(batches_are_added_up) {
  Dice dice;
  const std::size_t n = 1100000;
  std::vector<std::int32_t> a, b;
  std::vector<std::uint64_t> twin(600 * 900, 0);
  for (std::size_t i = 0; i < n; ++i) {
    a.push_back(1 + static_cast<std::int32_t>(dice.below(600)));
    b.push_back(1 + static_cast<std::int32_t>(dice.below(900)));
    ++twin[static_cast<std::size_t>(a[i] - 1 + 600 * (b[i] - 1))];
  }
  std::vector<Column> columns(2);
  columns[0].codes = a.data();
  columns[1].codes = b.data();
  // the array of all cells, and one too many of them for it
  for (std::uint32_t levels : {600u, 1500u}) {
    const Layout layout({levels, 900});
    int ticks = 0;
    const Cells cells = tabulate(layout, columns, n, nullptr, 2, [&](double) { ++ticks; }).cells;
    std::size_t at = 0;
    bool same = true;
    for (std::size_t i = 0; i < twin.size(); ++i)
      if (twin[i] > 0) {
        same = same && layout.level(cells.row(at), 0) == i % 600 &&
               layout.level(cells.row(at), 1) == i / 600 && cells.count(at) == twin[i];
        ++at;
      }
    CHECK(same && at == cells.size());
    CHECK_EQ(ticks, 2);
  }
  a[1000000] = kMissing;
  CHECK(tabulate(Layout({600, 900}), columns, n, nullptr, 2, {}).missing ==
        std::vector<std::size_t>({1, 0}));
}

TEST(missing_levels_are_counted_or_have_a_level) {
  const std::vector<std::int32_t> a{1, kMissing, 2, kMissing}, b{3, 3, kMissing, 1};
  std::vector<Column> columns(2);
  columns[0].codes = a.data();
  columns[1].codes = b.data();
  const Tabulation found = tabulate(Layout({2, 3}), columns, 4, nullptr, 1, {});
  CHECK(found.missing == std::vector<std::size_t>{2, 1});
  CHECK_EQ(found.cells.size(), 0u);
  columns[0].level_of_missing = 2;
  columns[1].level_of_missing = 3;
  const Layout layout({3, 4});
  const Tabulation all = tabulate(layout, columns, 4, nullptr, 1, {});
  CHECK(agrees(layout, all.cells, {{{0, 2}, 1}, {{2, 0}, 1}, {{2, 2}, 1}, {{3, 1}, 1}}));
  const Tabulation none = tabulate(Layout({0, 3}), columns, 0, nullptr, 1, {});
  CHECK_EQ(none.cells.size(), 0u);
  columns[0].level_of_missing = -1;
  CHECK_THROWS(InputError, tabulate(Layout({0, 4}), columns, 4, nullptr, 1, {}));
}

TEST(a_code_outside_the_levels_is_refused) {
  const std::vector<std::int32_t> a{1, 3};
  std::vector<Column> columns(1);
  columns[0].codes = a.data();
  CHECK_THROWS(InputError, tabulate(Layout({2}), columns, 2, nullptr, 1, {}));
  const std::vector<std::int32_t> zero{0};
  columns[0].codes = zero.data();
  CHECK_THROWS(InputError, tabulate(Layout({2}), columns, 1, nullptr, 1, {}));
}

TEST(lookups_translate_codes) {
  const std::vector<std::int32_t> a{-5, 7, -5, 0};
  const std::vector<std::int32_t> lookup{0, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, 2};
  std::vector<Column> columns(1);
  columns[0].codes = a.data();
  columns[0].base = -5;
  columns[0].lookup = lookup.data();
  columns[0].lookup_size = static_cast<std::uint32_t>(lookup.size());
  const Layout layout({3});
  CHECK(agrees(layout, tabulate(layout, columns, 4, nullptr, 1, {}).cells,
               {{{0}, 2}, {{1}, 1}, {{2}, 1}}));
}

TEST(work_can_be_stopped) {
  Dice dice;
  const Records records(dice, {3, 3}, 10);
  CHECK_THROWS(int, tabulate(Layout(records.dim), records.columns(), records.n, nullptr, 1,
                             [](double) { throw 1; }));
}

TEST(grand_totals_above_2_53_are_refused) {
  const std::vector<std::int32_t> a{1, 1};
  std::vector<Column> columns(1);
  columns[0].codes = a.data();
  const double limit = static_cast<double>(kMaxCount);
  const std::vector<double> fits{limit - 1, 1}, exceeds{limit, 1};
  const Layout layout({1});
  CHECK_EQ(tabulate(layout, columns, 2, fits.data(), 1, {}).cells.count(0), kMaxCount);
  CHECK_THROWS(TooLargeError, tabulate(layout, columns, 2, exceeds.data(), 1, {}));
}
