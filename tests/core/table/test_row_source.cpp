// Merged sources against a map of their rows.
#include <map>

#include "check.hpp"
#include "table/cell_order.hpp"
#include "table/records.hpp"
#include "table/row_source.hpp"
#include "table/tape.hpp"

using namespace records;
using namespace tapes;

namespace {

// A key with its most significant word first.
using Twins = std::map<std::vector<std::uint64_t>, std::uint64_t>;

Cells random_cells(Dice& dice, std::size_t n_words, std::size_t n, std::uint32_t range) {
  Cells out(n_words);
  std::vector<std::uint64_t> key(n_words);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::uint64_t& word : key)
      word = dice.below(9) == 0 ? ~std::uint64_t{dice.below(2)} : dice.below(range);
    out.add(key.data(), 1 + dice.below(5));
  }
  sort_cells(out);
  merge_neighbours(out);
  return out;
}

void add_to(Twins& twins, const Cells& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<std::uint64_t> key(cells.row(i), cells.row(i) + cells.stride - 1);
    std::reverse(key.begin(), key.end());
    twins[key] += cells.count(i);
  }
}

Cells cells_of(const Twins& twins, std::size_t n_words) {
  Cells out(n_words);
  for (const auto& [key, count] : twins) {
    const std::vector<std::uint64_t> words(key.rbegin(), key.rend());
    out.add(words.data(), count);
  }
  return out;
}

}  // namespace

// Tables, rows in memory and runs on a tape together; blocks of one row; wide keys; ties; nothing.
TEST(sources_of_all_kinds_are_merged) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n_words = 1 + dice.below(3), n_sources = dice.below(round % 10 == 0 ? 40 : 5);
    std::vector<Cells> cells;
    for (std::size_t s = 0; s < n_sources; ++s)
      cells.push_back(random_cells(dice, n_words, dice.below(round % 20 == 0 ? 4000 : 30),
                                   1 + dice.below(round % 2 == 0 ? 5 : 100000)));
    Twins twins;
    std::vector<Stored> stored;
    for (const Cells& some : cells) {
      add_to(twins, some);
      stored.push_back(store(some));
    }
    Tape tape;
    RowSources sources;
    for (std::size_t s = 0; s < n_sources; ++s) {
      const std::uint32_t kind = dice.below(3);
      if (kind == 0) sources.push_back(rows_of(cells[s]));
      if (kind == 1) sources.push_back(rows_of(stored[s].view(), n_words));
      if (kind == 2) {
        const Run run{tape.append(cells[s].rows.data(), cells[s].rows.size()), cells[s].size()};
        sources.push_back(rows_of(tape, run, n_words, 1 + dice.below(50)));
      }
    }
    const std::unique_ptr<RowSource> merged = merged_rows(std::move(sources), n_words);
    CHECK(count_rows(*merged) == twins.size());
    const Cells found = all_rows(*merged, n_words);
    CHECK(found.rows == cells_of(twins, n_words).rows);
    merged->next();
    merged->rewind();
    CHECK(all_rows(*merged, n_words).rows == found.rows);
  }
}
