// Packed exponents against plain ones.
#include <map>

#include "check.hpp"
#include "fibre/exponent_fields.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

TEST(fields_hold_what_was_added) {
  Dice dice(5);
  for (int round = 0; round < 60; ++round) {
    const std::size_t m = 1 + dice.below(5), n = 2 + dice.below(6);
    OpenTable table;
    const std::int64_t large = std::int64_t{1} << (round % 50);
    table.row.assign(m, large);
    table.column.assign(n, 1);
    const ExponentFields fields(table);
    std::vector<std::uint64_t> key = fields.zero();
    std::vector<std::int64_t> b(n - 1, 0);
    std::map<std::size_t, std::size_t> e;
    for (int step = 0; step < 200; ++step) {
      const std::size_t j = dice.below(static_cast<int>(n - 1)),
                        k = j + 1 + dice.below(static_cast<int>(n - 1 - j));
      const std::int64_t to = (dice.below(2) == 0 ? 1 : -1) * static_cast<std::int64_t>(m) * large;
      fields.add(key.data(), j, to - b[j]);
      b[j] = to;
      const std::size_t pair = fields.pair(j, k), next = dice.below(static_cast<int>(m * n + 1));
      CHECK_EQ(pair, fields.pair(k, j));
      fields.add(key.data(), pair,
                 static_cast<std::int64_t>(next) - static_cast<std::int64_t>(e[pair]));
      e[pair] = next;
      for (std::size_t c = 0; c + 1 < n; ++c) CHECK_EQ(fields.b(key.data(), c), b[c]);
      for (const auto& [at, x] : e) CHECK_EQ(fields.e(key.data(), at), x);
    }
    CHECK_EQ(fields.most_e(), m * n);
  }
}
