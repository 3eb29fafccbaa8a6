// Sorted and merged cells against std::map, for keys of one word and of more.
#include <map>

#include "check.hpp"
#include "table/cell_order.hpp"
#include "table/records.hpp"

using namespace records;

namespace {

// The order of keys: the last word is the most significant.
std::vector<std::uint64_t> sortable(const std::uint64_t* key, std::size_t words) {
  return {std::make_reverse_iterator(key + words), std::make_reverse_iterator(key)};
}

}  // namespace

TEST(cells_are_sorted_and_merged_as_by_a_map) {
  Dice dice;
  int sorted_before = 0;
  for (int round = 0; round < 200; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(round % 2 ? 5 : 30), 1 + dice.below(40)));
    const std::size_t words = layout.n_words();
    Cells cells(words);
    std::map<std::vector<std::uint64_t>, std::uint64_t> twin;
    const std::size_t n = dice.below(round % 5 == 0 ? 3 : 200);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::uint64_t> key(words, 0);
      for (std::size_t v = 0; v < layout.n_variables(); ++v)
        layout.put(key.data(), v, dice.below(layout.n_levels(v)));
      const std::uint64_t count = 1 + dice.below(9);
      cells.add(key.data(), count);
      twin[sortable(key.data(), words)] += count;
    }
    bool ascending = true;
    for (std::size_t i = 1; i < cells.size(); ++i)
      ascending = ascending && !(sortable(cells.row(i), words) < sortable(cells.row(i - 1), words));
    CHECK_EQ(is_sorted(cells), ascending);
    sorted_before += ascending;
    sort_cells(cells);
    CHECK(cells.size() == n && is_sorted(cells));
    merge_neighbours(cells);
    bool same = cells.size() == twin.size();
    std::size_t i = 0;
    for (const auto& [key, count] : twin) {
      same = same && sortable(cells.row(i), words) == key && cells.count(i) == count;
      ++i;
    }
    CHECK(same);
  }
  CHECK(sorted_before > 10 && sorted_before < 150);
}

TEST(two_sorted_tables_are_united) {
  Dice dice;
  int shared = 0;
  for (int round = 0; round < 100; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(round % 2 ? 3 : 30), 6));
    const std::size_t words = layout.n_words();
    std::vector<Cells> part(2, Cells(words));
    std::map<std::vector<std::uint64_t>, std::uint64_t> twin;
    for (std::size_t i = dice.below(60); i-- > 0;) {
      std::vector<std::uint64_t> key(words, 0);
      for (std::size_t v = 0; v < layout.n_variables(); ++v)
        layout.put(key.data(), v, dice.below(layout.n_levels(v)));
      if (!twin.emplace(sortable(key.data(), words), i + 1).second) continue;
      const std::uint32_t to = dice.below(3);  // the first, the second, or both
      if (to != 1) part[0].add(key.data(), i + 1);
      if (to != 0) part[1].add(key.data(), i + 1);
      shared += to == 2;
    }
    sort_cells(part[0]);
    sort_cells(part[1]);
    const Cells all = united(part[0], part[1]);
    bool same = all.size() == twin.size();
    std::size_t i = 0;
    for (const auto& [key, count] : twin) {
      same = same && sortable(all.row(i), words) == key && all.count(i) == count;
      ++i;
    }
    CHECK(same);
  }
  CHECK(shared > 100);
}

TEST(sorted_keys_are_counted) {
  Dice dice;
  std::vector<std::uint64_t> room;
  for (int round = 0; round < 60; ++round) {
    const std::size_t words = 1 + dice.below(3);
    std::vector<std::uint64_t> keys;
    Cells all(words), counted(words);
    for (std::size_t i = dice.below(round == 0 ? 1 : 200); i-- > 0;) {
      std::vector<std::uint64_t> key;
      for (std::size_t w = 0; w < words; ++w) key.push_back(dice.below(4) << dice.below(2) * 20);
      keys.insert(keys.end(), key.begin(), key.end());
      all.add(key.data(), 1);
    }
    sort_keys(keys, words, room);
    count_sorted(keys, counted);
    sort_cells(all);
    merge_neighbours(all);
    CHECK(counted.rows == all.rows);
  }
}

// Tables of any number of shared cells; pieces that are cut from a table.
TEST(sorted_tables_are_added_and_joined) {
  Dice dice;
  WorkerPool pool(3);
  std::vector<std::uint64_t> room;
  for (int round = 0; round < 100; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(round % 2 ? 3 : 30), 6));
    const std::size_t words = layout.n_words();
    Cells sum(words), all(words);
    for (int t = 0; t < 3; ++t) {
      Cells more(words);
      for (std::size_t i = dice.below(60); i-- > 0;) {
        std::vector<std::uint64_t> key(words, 0);
        for (std::size_t v = 0; v < layout.n_variables(); ++v)
          layout.put(key.data(), v, dice.below(layout.n_levels(v)));
        more.add(key.data(), 1 + dice.below(9));
      }
      all.rows.insert(all.rows.end(), more.rows.begin(), more.rows.end());
      sort_cells(more, room);
      merge_neighbours(more);
      add_sorted(sum, more, room);
    }
    sort_cells(all);
    merge_neighbours(all);
    CHECK(sum.rows == all.rows);
    std::vector<Cells> pieces(4, Cells(words));
    for (std::size_t i = 0; i < all.size(); ++i)
      pieces[4 * i / all.size()].add(all.row(i), all.count(i));
    Stored together;
    write_joined(pieces, pool, sink_of(together, words));
    CHECK(rows_of(together, words).rows == all.rows);
  }
}
