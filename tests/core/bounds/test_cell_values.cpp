// The values of tables at given cells, through arrays and by hashed keys, and where tables differ.
#include "bounds/cell_values.hpp"
#include "bounds/margin_cases.hpp"
#include "check.hpp"

using namespace margin_cases;

TEST(values_of_margins) {
  PublicRandom random(14);
  for (int k = 0; k < 200; ++k) {
    const Table table = random_table(random, 1 + random.below(5), 4, 3);
    const VariableSet set = random_sets(random, table.levels.size())[0];
    const Owned margin = table.released(set);
    const Asked asked(table);
    AskedCells some{{}, asked.cells.n};
    for (std::uint32_t v : set) some.levels.push_back(asked.cells.levels[v]);
    CHECK_EQ(values_at(margin.layout, margin.view().cells, some), table.values(set));
  }
}

// Twelve variables of 40 levels: keys of 72 bits in two words, found by hashing.
TEST(values_of_large_margins) {
  const Layout layout(std::vector<std::uint32_t>(12, 40));
  PublicRandom random(15);
  std::vector<std::vector<std::int32_t>> levels(12);
  std::map<std::vector<std::int32_t>, double> twin;
  for (int i = 0; i < 500; ++i) {
    std::vector<std::int32_t> at;
    for (int v = 0; v < 12; ++v)
      at.push_back(1 + static_cast<std::int32_t>(random.below(v < 10 ? 2 : 40)));
    for (std::size_t v = 0; v < 12; ++v) levels[v].push_back(at[v]);
    if (i % 2 == 0) twin[at] = i + 1;
  }
  std::vector<std::uint64_t> keys;
  std::vector<double> counts, expected;
  for (const auto& [at, n] : twin) {
    std::vector<std::uint64_t> word(layout.n_words(), 0);
    for (std::size_t v = 0; v < 12; ++v)
      layout.put(word.data(), v, static_cast<std::uint32_t>(at[v] - 1));
    keys.insert(keys.end(), word.begin(), word.end());
    counts.push_back(n);
  }
  AskedCells asked{{}, 500};
  for (const auto& column : levels) asked.levels.push_back(column.data());
  for (std::size_t i = 0; i < 500; ++i) {
    std::vector<std::int32_t> at;
    for (const auto& column : levels) at.push_back(column[i]);
    expected.push_back(twin.count(at) ? twin[at] : 0);
  }
  CHECK_EQ(values_at(layout, {keys.data(), counts.data(), counts.size()}, asked), expected);
}

TEST(tables_are_compared) {
  Cells a(1), b(1);
  for (std::uint64_t key : {1, 2, 4}) a.add(&key, key);
  for (std::uint64_t key : {2, 3, 4}) b.add(&key, key + (key == 4));
  const std::vector<Disagreement> found = compare_tables(a, b, 10);
  CHECK_EQ(found.size(), 3u);
  CHECK_EQ(found[0].key[0], 1u);
  CHECK_EQ(found[0].second, 0u);
  CHECK_EQ(found[1].key[0], 3u);
  CHECK_EQ(found[1].first, 0u);
  CHECK_EQ(found[2].second, 5u);
  CHECK_EQ(compare_tables(a, b, 1).size(), 1u);
  CHECK(compare_tables(a, a, 10).empty());
}
