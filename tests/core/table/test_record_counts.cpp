// Counts that come in rows, range by range, against a map.
#include <map>
#include <vector>

#include "check.hpp"
#include "table/record_counts.hpp"
#include "table/records.hpp"

using namespace records;

namespace {

// Rows of random cells of a table, with weights, and how often each was met.
struct Rows {
  std::vector<std::vector<std::uint64_t>> rows;
  Twin twin;

  Rows(Dice& dice, const Layout& layout, bool places, std::size_t n) {
    const std::vector<std::size_t> strides = layout.strides();
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::uint64_t> row(places ? 1 : layout.n_words(), 0);
      Levels levels;
      for (std::size_t v = 0; v < layout.n_variables(); ++v) {
        levels.push_back(dice.below(1 + dice.below(layout.n_levels(v))));
        if (places)
          row[0] += levels[v] * strides[v];
        else
          layout.put(row.data(), v, levels[v]);
      }
      row.push_back(1 + dice.below(3));
      twin[reversed(levels)] += row.back();
      rows.push_back(row);
    }
  }
};

// Counts without weights meet a row as often as its weight says.
template <class Counts>
Cells count_all(Counts counts, const Rows& all, std::size_t n_words, WorkerPool& pool) {
  using Word = typename Counts::Word;
  bool fits = true;
  for (const std::vector<std::uint64_t>& given : all.rows) {
    const std::vector<Word> row(given.begin(), given.end() - (counts.has_weights() ? 0 : 1));
    const std::size_t range = counts.range(row.data());
    fits = fits && range < counts.n_ranges() && row.size() == counts.stride();
    for (std::size_t times = counts.has_weights() ? 1 : given.back(); times-- > 0;)
      counts.add(range, row.data(), 1, 0);
  }
  CHECK(fits);
  Stored stored;
  counts.take(pool, sink_of(stored, n_words));
  return rows_of(stored, n_words);
}

}  // namespace

TEST(counts_agree_with_a_map) {
  Dice dice;
  for (int round = 0; round < 12; ++round) {
    WorkerPool pool(1 + round % 3);
    const Layout narrow(random_dim(dice, 1 + dice.below(3), 40));
    const Rows placed(dice, narrow, true, dice.below(300));
    const std::size_t most = 1 + dice.below(64);
    CHECK(agrees(narrow, count_all(ArrayCounts<std::uint64_t>(narrow, most), placed, 1, pool),
                 placed.twin));
    CHECK(agrees(narrow, count_all(ArrayCounts<std::uint32_t>(narrow, most), placed, 1, pool),
                 placed.twin));
    const Layout wide(random_dim(dice, 1 + dice.below(30), 12));
    const Rows keyed(dice, wide, false, round == 0 ? 20000 : dice.below(900));
    std::vector<std::uint64_t> sample;
    for (std::size_t i = 0; i < keyed.rows.size(); i += 9)
      sample.insert(sample.end(), keyed.rows[i].begin(), keyed.rows[i].end() - 1);
    const KeyRanges ranges(wide, std::size_t{1} << dice.below(5), sample);
    for (bool weights : {false, true}) {
      const SortedCounts counts(wide, ranges, weights, pool.n_workers());
      CHECK(agrees(wide, count_all(counts, keyed, wide.n_words(), pool), keyed.twin));
    }
  }
}

// Many rows of few cells: what waits is added up now and then.
TEST(rows_that_wait_are_settled) {
  Dice dice;
  WorkerPool pool(1);
  const Layout layout({30, 30});
  const Rows rows(dice, layout, false, 30000);
  for (bool weights : {false, true}) {
    const SortedCounts counts(layout, KeyRanges(layout, 1, {}), weights, 1);
    CHECK(agrees(layout, count_all(counts, rows, 1, pool), rows.twin));
  }
}
