// Packed keys: levels in and out.
#include <cmath>
#include <limits>

#include "base/bits.hpp"
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

// The order of keys, the last word first, is that of the cells with the first variable fastest.
TEST(keys_are_in_the_order_of_cells) {
  Dice dice;
  int wrong = 0, several = 0;
  for (int round = 0; round < 300; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(30), 40);
    const Layout layout(dim);
    several += layout.n_words() > 1;
    std::vector<std::vector<std::uint64_t>> keys(2);
    std::vector<Levels> levels(2);
    for (std::size_t k = 0; k < 2; ++k) {
      keys[k].assign(layout.n_words(), 0);
      for (std::size_t v = 0; v < dim.size(); ++v) {
        // Mostly equal levels, so that any variable may decide.
        levels[k].push_back(k == 1 && dice.below(4) > 0 ? levels[0][v] : dice.below(dim[v]));
        layout.put(keys[k].data(), v, levels[k][v]);
      }
    }
    for (std::size_t k = 0; k < 2; ++k) {
      std::reverse(keys[k].begin(), keys[k].end());
      std::reverse(levels[k].begin(), levels[k].end());
    }
    wrong += (keys[0] < keys[1]) != (levels[0] < levels[1]);
    wrong += (keys[0] == keys[1]) != (levels[0] == levels[1]);
  }
  CHECK_EQ(wrong, 0);
  CHECK(several > 50);
}

TEST(strides_lead_to_neighbours_in_the_array_of_all_cells) {
  Dice dice;
  for (int round = 0; round < 50; ++round) {
    const Levels dim = random_dim(dice, dice.below(6), 5);
    const std::vector<std::size_t> strides = Layout(dim).strides();
    CHECK_EQ(strides.size(), dim.size());
    std::size_t product = 1;
    for (std::size_t v = 0; v < strides.size(); ++v) {
      CHECK_EQ(strides[v], product);
      product *= dim[v];
    }
    CHECK_EQ(Layout(dim).n_cells(), static_cast<double>(product));
  }
}

TEST(fields_do_not_overlap) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Layout layout(random_dim(dice, 1 + dice.below(40), 1000));
    std::vector<std::uint64_t> used(layout.n_words(), 0);
    for (std::size_t v = 0; v < layout.n_variables(); ++v) {
      const KeyField& f = layout.field(v);
      CHECK((used[f.word] & f.mask << f.shift) == 0);
      CHECK(f.mask + 1 >= layout.n_levels(v) && (f.mask == 0 || f.mask < 2 * layout.n_levels(v)));
      used[f.word] |= f.mask << f.shift;
    }
    for (std::size_t w = 0; w < used.size(); ++w)
      CHECK_EQ(count_bits(used[w]), static_cast<int>(layout.used_bits(w)));
  }
}
