// Margins, permutations and merged levels against a slow twin.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check.hpp"
#include "table/project.hpp"
#include "table/records.hpp"

using namespace records;

TEST(margins_agree_with_a_map) {
  Dice dice;
  for (int round = 0; round < 300; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(round % 3 == 0 ? 40 : 6), 12);
    const Records records(dice, dim, dice.below(900));
    const Layout layout(dim);
    const Stored x = store(tabulate(layout, records.columns(), records.n, nullptr, 1, {}).cells);
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
    const Stored x = store(tabulate(from, records.columns(), records.n, nullptr, 1, {}).cells);
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

TEST(permuting_there_and_back_is_the_table) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    const Records records(dice, random_dim(dice, 4, 6), 200);
    const Layout from(records.dim);
    const Levels& d = records.dim;
    const Cells cells = tabulate(from, records.columns(), records.n, nullptr, 1, {}).cells;
    const Stored x = store(cells);
    const Layout turned({d[2], d[0], d[3], d[1]});
    const Stored y = store(project(from, x.view(), turned,
                                   {{2, nullptr}, {0, nullptr}, {3, nullptr}, {1, nullptr}}, {}));
    const Cells back = project(turned, y.view(), from,
                               {{1, nullptr}, {3, nullptr}, {0, nullptr}, {2, nullptr}}, {});
    CHECK(back.rows == cells.rows);
  }
}

TEST(the_margin_over_nothing_is_the_total) {
  Dice dice;
  const Records records(dice, {3, 4}, 50);
  const Layout from(records.dim), none(Levels{});
  const Stored x = store(tabulate(from, records.columns(), records.n, nullptr, 1, {}).cells);
  const Cells total = project(from, x.view(), none, {}, {});
  CHECK_EQ(total.size(), 1u);
  CHECK_EQ(total.count(0), 50u);
  CHECK_EQ(project(from, {}, none, {}, {}).size(), 0u);
}
