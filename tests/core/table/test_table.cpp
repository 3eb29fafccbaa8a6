// Packed keys, tabulation, margins and totals against slow twins on maps of level vectors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "check.hpp"
#include "table/project.hpp"
#include "table/table.hpp"
#include "table/tabulate.hpp"
#include "table/totals.hpp"

using namespace sdclattice;

namespace {

using Levels = std::vector<std::uint32_t>;
using Twin = std::map<Levels, std::uint64_t>;  // keyed by the levels, last variable first

// A small generator, the same on all platforms.
struct Dice {
  std::uint64_t state = 12345;
  std::uint32_t below(std::uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  }
};

Levels reversed(Levels x) {
  std::reverse(x.begin(), x.end());
  return x;
}

struct Stored {
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  CellsView view() const { return {keys.data(), counts.data(), counts.size()}; }
};

Stored store(const Cells& cells) {
  Stored out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    out.keys.insert(out.keys.end(), cells.row(i), cells.row(i) + cells.stride - 1);
    out.counts.push_back(static_cast<double>(cells.count(i)));
  }
  return out;
}

// True when the cells are the twin's, in the twin's order.
bool agrees(const Layout& layout, const Cells& cells, const Twin& twin) {
  if (cells.size() != twin.size()) return false;
  std::size_t i = 0;
  for (const auto& [levels, count] : twin) {
    for (std::size_t v = 0; v < levels.size(); ++v)
      if (layout.level(cells.row(i), v) != levels[levels.size() - 1 - v]) return false;
    if (cells.count(i++) != count) return false;
  }
  return true;
}

struct Records {
  Levels dim;
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<double> weights;
  std::size_t n;

  Records(Dice& dice, Levels d, std::size_t size) : dim(std::move(d)), n(size) {
    for (std::uint32_t levels : dim) {
      std::vector<std::int32_t> column;
      for (std::size_t i = 0; i < n; ++i)
        column.push_back(1 + static_cast<std::int32_t>(dice.below(levels)));
      codes.push_back(column);
    }
    for (std::size_t i = 0; i < n; ++i) weights.push_back(dice.below(4));
  }
  std::vector<Column> columns() const {
    std::vector<Column> out(dim.size());
    for (std::size_t v = 0; v < dim.size(); ++v) out[v].codes = codes[v].data();
    return out;
  }
  Twin twin(const std::vector<std::size_t>& keep, bool weighted) const {
    Twin out;
    for (std::size_t i = 0; i < n; ++i) {
      Levels key;
      for (std::size_t v : keep) key.push_back(static_cast<std::uint32_t>(codes[v][i] - 1));
      const auto w = weighted ? static_cast<std::uint64_t>(weights[i]) : 1;
      if (w > 0) out[reversed(key)] += w;
    }
    return out;
  }
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> out(dim.size());
    for (std::size_t v = 0; v < out.size(); ++v) out[v] = v;
    return out;
  }
};

Levels random_dim(Dice& dice, std::size_t n, std::uint32_t most) {
  Levels dim;
  for (std::size_t v = 0; v < n; ++v) dim.push_back(1 + dice.below(most));
  return dim;
}

}  // namespace

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

TEST(tabulation_agrees_with_a_map) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    const bool wide = round % 3 == 0;
    const Levels dim = random_dim(dice, dice.below(wide ? 45 : 6), wide ? 9 : 12);
    const Records records(dice, dim, dice.below(600));
    const Layout layout(dim);
    const bool weighted = round % 2 == 0;
    const double* weights = weighted ? records.weights.data() : nullptr;
    const Tabulation found = tabulate(layout, records.columns(), records.n, weights, {});
    CHECK(found.missing.empty());
    CHECK(agrees(layout, found.cells, records.twin(records.all(), weighted)));
  }
}

TEST(large_tabulations_grow_the_map) {
  Dice dice;
  const Records records(dice, {100, 100, 100, 50}, 60000);
  const Layout layout(records.dim);
  const Tabulation found = tabulate(layout, records.columns(), records.n, nullptr, {});
  CHECK(agrees(layout, found.cells, records.twin(records.all(), false)));
}

TEST(margins_agree_with_a_map) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(round % 3 == 0 ? 40 : 6), 12);
    const Records records(dice, dim, dice.below(900));
    const Layout layout(dim);
    const Stored x = store(tabulate(layout, records.columns(), records.n, nullptr, {}).cells);
    std::vector<std::size_t> keep = records.all();
    for (std::size_t v = keep.size(); v > 1; --v)
      if (round % 2) std::swap(keep[v - 1], keep[dice.below(static_cast<std::uint32_t>(v))]);
    keep.resize(dice.below(static_cast<std::uint32_t>(keep.size()) + 1));
    if (round % 2 == 0) std::sort(keep.begin(), keep.end());
    Levels to;
    std::vector<VariableSource> sources;
    for (std::size_t v : keep) to.push_back(dim[v]), sources.push_back({v, nullptr});
    const Cells found = project(layout, x.view(), Layout(to), sources, {});
    CHECK(agrees(Layout(to), found, records.twin(keep, false)));
  }
}

TEST(maps_merge_and_leave_out_levels) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Records records(dice, {6, 7, 5}, 300);
    const Layout from(records.dim), to({6, 3, 5});
    const Stored x = store(tabulate(from, records.columns(), records.n, nullptr, {}).cells);
    std::vector<std::int32_t> map;
    for (int l = 0; l < 7; ++l) map.push_back(static_cast<std::int32_t>(dice.below(4)) - 1);
    Twin twin;
    for (const auto& [key, count] : records.twin(records.all(), false)) {
      if (map[key[1]] < 0) continue;
      twin[{key[0], static_cast<std::uint32_t>(map[key[1]]), key[2]}] += count;
    }
    const Cells found =
        project(from, x.view(), to, {{0, nullptr}, {1, map.data()}, {2, nullptr}}, {});
    CHECK(agrees(to, found, twin));
  }
}

TEST(totals_agree_with_a_map) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(4), 5);
    const Records records(dice, dim, dice.below(100));
    const Layout from(dim);
    const Stored x = store(tabulate(from, records.columns(), records.n, nullptr, {}).cells);
    Levels extended = dim;
    std::vector<Totals> totals;
    for (std::uint32_t& levels : extended) {  // one total over all levels, one over the even ones
      Totals t;
      t.start.push_back(0);
      for (std::uint32_t l = 0; l < levels; ++l) {
        t.total.push_back(levels);
        if (l % 2 == 0) t.total.push_back(levels + 1);
        t.start.push_back(t.total.size());
      }
      totals.push_back(t);
      levels += 2;
    }
    Twin twin;
    for (const auto& [key, count] : records.twin(records.all(), false)) {
      std::vector<Levels> spread{{}};
      for (std::size_t v = 0; v < key.size(); ++v) {
        const std::size_t variable = key.size() - 1 - v;
        std::vector<Levels> next;
        for (const Levels& head : spread)
          for (std::uint32_t l : {key[v], dim[variable], dim[variable] + 1}) {
            if (l == dim[variable] + 1 && key[v] % 2) continue;
            next.push_back(head);
            next.back().push_back(l);
          }
        spread = next;
      }
      for (const Levels& l : spread) twin[l] += count;
    }
    const Layout to(extended);
    CHECK(agrees(to, add_totals(from, x.view(), to, totals, 1000000, {}), twin));
    if (twin.size() > 2) CHECK_THROWS(TooLargeError, add_totals(from, x.view(), to, totals, 1, {}));
  }
}

TEST(dense_counts_go_there_and_back) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Layout layout(random_dim(dice, dice.below(5), 6));
    std::vector<double> dense(static_cast<std::size_t>(layout.n_cells()));
    for (double& x : dense) x = dice.below(3);
    const Stored x = store(cells_from_dense(layout, dense.data(), dense.size()));
    std::vector<double> back(dense.size(), 0);
    write_dense(layout, x.view(), back.data());
    CHECK(back == dense);
    for (std::size_t v = 0; v < layout.n_variables(); ++v) {
      std::vector<std::int32_t> levels(x.counts.size());
      write_levels(layout, x.view(), v, 1, levels.data());
      bool same = true;
      for (std::size_t i = 0; i < levels.size(); ++i)
        same = same && levels[i] == 1 + static_cast<std::int32_t>(
                                            layout.level(&x.keys[i * layout.n_words()], v));
      CHECK(same);
    }
  }
}

TEST(missing_levels_are_counted_or_have_a_level) {
  const std::vector<std::int32_t> a{1, kMissing, 2, kMissing}, b{3, 3, kMissing, 1};
  std::vector<Column> columns(2);
  columns[0].codes = a.data();
  columns[1].codes = b.data();
  const Tabulation found = tabulate(Layout({2, 3}), columns, 4, nullptr, {});
  CHECK(found.missing == std::vector<std::size_t>{2, 1});
  CHECK_EQ(found.cells.size(), 0u);
  columns[0].level_of_missing = 2;
  columns[1].level_of_missing = 3;
  const Layout layout({3, 4});
  const Tabulation all = tabulate(layout, columns, 4, nullptr, {});
  CHECK(agrees(layout, all.cells, {{{0, 2}, 1}, {{2, 0}, 1}, {{2, 2}, 1}, {{3, 1}, 1}}));
  const Tabulation none = tabulate(Layout({0, 3}), columns, 0, nullptr, {});
  CHECK_EQ(none.cells.size(), 0u);
  columns[0].level_of_missing = -1;
  CHECK_THROWS(InputError, tabulate(Layout({0, 4}), columns, 4, nullptr, {}));
}

TEST(a_code_outside_the_levels_is_refused) {
  const std::vector<std::int32_t> a{1, 3};
  std::vector<Column> columns(1);
  columns[0].codes = a.data();
  CHECK_THROWS(InputError, tabulate(Layout({2}), columns, 2, nullptr, {}));
  const std::vector<std::int32_t> zero{0};
  columns[0].codes = zero.data();
  CHECK_THROWS(InputError, tabulate(Layout({2}), columns, 1, nullptr, {}));
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
  CHECK(agrees(layout, tabulate(layout, columns, 4, nullptr, {}).cells,
               {{{0}, 2}, {{1}, 1}, {{2}, 1}}));
}

TEST(levels_of_integers_are_found) {
  const std::vector<std::int32_t> x{5, -2, 5, kMissing, 0};
  std::vector<std::int32_t> levels;
  bool missing = false;
  CHECK(find_levels(x.data(), x.size(), 100, levels, missing));
  CHECK(levels == std::vector<std::int32_t>{-2, 0, 5});
  CHECK(missing);
  CHECK(!find_levels(x.data(), x.size(), 7, levels, missing));
  levels.clear();
  CHECK(find_levels(x.data(), 0, 7, levels, missing));
  CHECK(levels.empty() && !missing);
  const std::vector<std::int32_t> extremes{INT32_MAX, INT32_MIN + 1};
  CHECK(!find_levels(extremes.data(), 2, 1u << 20, levels, missing));
}

TEST(grand_totals_above_2_53_are_refused) {
  const std::vector<std::int32_t> a{1, 1};
  std::vector<Column> columns(1);
  columns[0].codes = a.data();
  const double limit = static_cast<double>(kMaxCount);
  const std::vector<double> fits{limit - 1, 1}, exceeds{limit, 1};
  const Layout layout({1});
  CHECK_EQ(tabulate(layout, columns, 2, fits.data(), {}).cells.count(0), kMaxCount);
  CHECK_THROWS(TooLargeError, tabulate(layout, columns, 2, exceeds.data(), {}));
}

TEST(counts_are_checked) {
  const auto fault = [](double x) { return check_counts(&x, 1).fault; };
  CHECK(fault(3) == CountFault::none);
  CHECK(fault(std::nan("")) == CountFault::missing);
  CHECK(fault(std::numeric_limits<double>::infinity()) == CountFault::infinite);
  CHECK(fault(-1) == CountFault::negative);
  CHECK(fault(.5) == CountFault::fractional);
  CHECK(fault(static_cast<double>(kMaxCount) + 2) == CountFault::too_large);
  const std::vector<double> two(2, static_cast<double>(kMaxCount));
  CHECK(check_counts(two.data(), 2).total_too_large);
  const std::vector<double> last{1, 2, -3};
  CHECK_EQ(check_counts(last.data(), 3).at, 2u);
}

TEST(work_can_be_stopped) {
  Dice dice;
  const Records records(dice, {3, 3}, 10);
  CHECK_THROWS(int, tabulate(Layout(records.dim), records.columns(), records.n, nullptr,
                             [](double) { throw 1; }));
}

TEST(distinct_numbers_are_found_and_tabulated) {
  const double none = std::nan("");
  const std::vector<double> x{.5, -0.0, none, 0.0, .5, -3};
  ValueBits words;
  words.bytes = reinterpret_cast<const unsigned char*>(x.data());
  words.width = sizeof(double);
  words.real = true;
  bool missing = false;
  const std::vector<std::size_t> first = find_distinct(words, x.size(), missing);
  CHECK(first == std::vector<std::size_t>{0, 1, 5});
  CHECK(missing);
  const ValueNumbers map = number_values(words, first);
  const std::vector<std::int32_t> lookup{2, 1, 0};
  Column column;
  column.values = words;
  column.numbers = &map;
  column.lookup = lookup.data();
  column.lookup_size = 3;
  column.level_of_missing = 3;
  const Layout layout({4});
  CHECK(agrees(layout, tabulate(layout, {column}, x.size(), nullptr, {}).cells,
               {{{0}, 1}, {{1}, 2}, {{2}, 2}, {{3}, 1}}));
  column.level_of_missing = -1;
  CHECK(tabulate(layout, {column}, x.size(), nullptr, {}).missing == std::vector<std::size_t>{1});
}

TEST(addresses_of_both_widths_are_words) {
  const std::vector<std::uint64_t> wide{800, 16, 800, 7};
  const std::vector<std::uint32_t> narrow{800, 16, 800, 7};
  for (std::size_t width : {sizeof(std::uint32_t), sizeof(std::uint64_t)}) {
    ValueBits words;
    words.bytes = width == 8 ? reinterpret_cast<const unsigned char*>(wide.data())
                             : reinterpret_cast<const unsigned char*>(narrow.data());
    words.width = width;
    words.missing = 7;
    bool missing = false;
    CHECK(find_distinct(words, 4, missing) == std::vector<std::size_t>{0, 1});
    CHECK(missing);
  }
}
