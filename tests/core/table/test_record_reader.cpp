// Places and keys of records against one level at a time.
#include <vector>

#include "base/error.hpp"
#include "check.hpp"
#include "table/record_reader.hpp"
#include "table/records.hpp"

using namespace records;

TEST(keys_and_places_hold_the_levels) {
  Dice dice;
  for (int round = 0; round < 40; ++round) {
    const Levels dim = random_dim(dice, dice.below(round % 2 ? 6 : 40), 9);
    const Records all(dice, dim, 1 + dice.below(300));
    const Layout layout(dim);
    const std::vector<Column> columns = all.columns();
    RecordReader reader(layout, columns);
    const std::size_t from = dice.below(static_cast<std::uint32_t>(all.n)), n = all.n - from;
    const std::size_t stride = layout.n_words() + round % 3;
    std::vector<std::uint64_t> rows(n * stride, 7);
    std::vector<std::uint32_t> places(n);
    reader.read_keys(from, n, stride, rows.data());
    const bool small = layout.n_cells() < 4e9;
    if (small) reader.read_places(from, n, places.data());
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t place = 0, step = 1;
      for (std::size_t v = 0; v < dim.size(); ++v) {
        const auto level = static_cast<std::uint32_t>(all.codes[v][from + i] - 1);
        same = same && layout.level(rows.data() + i * stride, v) == level;
        place += level * step;
        step *= dim[v];
      }
      same = same && (!small || places[i] == place);
    }
    CHECK(same && !reader.any_missing());
  }
}

// The block is read again one by one; a level that stands for missing values takes them.
TEST(missing_values_are_counted_or_have_a_level) {
  std::vector<std::int32_t> a(200, 2), b(200, -3);
  a[70] = a[199] = b[5] = kMissing;
  b[70] = 4;
  const std::vector<std::int32_t> lookup{1, 0, 0, 0, 0, 0, 0, 2};
  std::vector<Column> columns(2);
  columns[0].codes = a.data();
  columns[1].codes = b.data();
  columns[1].base = -3;
  columns[1].lookup = lookup.data();
  columns[1].lookup_size = 8;
  columns[1].level_of_missing = 3;
  const Layout layout({2, 4});
  RecordReader reader(layout, columns);
  std::vector<std::uint32_t> places(200);
  reader.read_places(0, 70, places.data());
  CHECK(!reader.any_missing());
  CHECK_EQ(places[0], 1u + 2 * 1);
  CHECK_EQ(places[5], 1u + 2 * 3);
  reader.read_places(70, 130, places.data());
  CHECK(reader.any_missing());
  CHECK(reader.missing() == std::vector<std::size_t>{2, 0});
}

TEST(codes_outside_the_levels_are_refused) {
  const Layout layout({3});
  for (std::int32_t wrong : {0, 4, -1, INT32_MAX, INT32_MIN + 1}) {
    std::vector<std::int32_t> codes(100, 1);
    codes[64] = wrong;
    std::vector<Column> columns(1);
    columns[0].codes = codes.data();
    RecordReader reader(layout, columns);
    std::vector<std::uint32_t> places(100);
    CHECK_THROWS(InputError, reader.read_places(0, 100, places.data()));
  }
}
