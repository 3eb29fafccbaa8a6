// Packed keys: levels in and out.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check.hpp"
#include "table/layout.hpp"
#include "table/records.hpp"

using namespace records;

TEST(layouts_use_as_few_bits_as_they_can) {
  const Layout forty(Levels(40, 4));
  CHECK_EQ(forty.n_words(), 2u);
  CHECK_EQ(forty.used_bits(0), 64u);
  CHECK_EQ(forty.used_bits(1), 16u);
  CHECK_NEAR(forty.n_cells(), std::pow(4.0, 40), 0);
  CHECK_EQ(Layout({}).n_words(), 1u);
  CHECK_EQ(Layout({}).n_cells(), 1.0);
  CHECK_EQ(Layout({1, 1, 0}).used_bits(0), 0u);
  CHECK_EQ(Layout({5, 0}).n_cells(), 0.0);
  const Layout wide({std::numeric_limits<std::uint32_t>::max(), 3, 2147483647u, 2});
  CHECK_EQ(wide.n_words(), 2u);
}

TEST(levels_come_back_from_keys) {
  Dice dice;
  for (int round = 0; round < 200; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(30), 40);
    const Layout layout(dim);
    std::vector<std::uint64_t> key(layout.n_words(), 0);
    Levels levels;
    for (std::uint32_t n : dim) levels.push_back(dice.below(n));
    for (std::size_t v = 0; v < dim.size(); ++v) layout.put(key.data(), v, dim[v] - 1);
    for (std::size_t v = 0; v < dim.size(); ++v) layout.put(key.data(), v, levels[v]);
    bool same = true;
    for (std::size_t v = 0; v < dim.size(); ++v)
      same = same && layout.level(key.data(), v) == levels[v];
    CHECK(same);
  }
}
