// Small cells and groups of cells against loops over maps.
#include "check.hpp"
#include "table/cell_counts.hpp"
#include "table/records.hpp"

using namespace records;

TEST(cells_up_to_a_count) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(round % 2 ? 4 : 30), 6);
    const Records records(dice, dim, dice.below(200));
    const Layout layout(dim);
    const Stored x = store(tabulate(layout, records.columns(), records.n, nullptr, 1, {}).cells);
    const std::uint64_t most = dice.below(5);
    Twin twin;
    for (const auto& [key, count] : records.twin(records.all(), false))
      if (count <= most) twin[key] = count;
    CHECK(agrees(layout, cells_up_to(layout, x.view(), static_cast<double>(most)), twin));
  }
}

TEST(levels_that_have_a_cell) {
  Dice dice;
  std::size_t unused = 0;
  for (int round = 0; round < 60; ++round) {
    const Levels dim = random_dim(dice, dice.below(round % 2 ? 4 : 30), 9);
    const Records records(dice, dim, dice.below(20));
    const Layout layout(dim);
    const Stored x = store(tabulate(layout, records.columns(), records.n, nullptr, 1, {}).cells);
    std::vector<std::vector<bool>> used;
    for (std::size_t v = 0; v < dim.size(); ++v) {
      used.emplace_back(dim[v], false);
      for (std::int32_t code : records.codes[v]) used[v][static_cast<std::size_t>(code - 1)] = true;
      unused += static_cast<std::size_t>(std::count(used[v].begin(), used[v].end(), false));
    }
    CHECK(levels_in_use(layout, x.view()) == used);
  }
  CHECK(unused > 10);
}

TEST(counts_in_groups) {
  Dice dice;
  std::size_t small = 0, large = 0;
  for (int round = 0; round < 200; ++round) {
    const Levels dim = random_dim(dice, dice.below(round % 3 ? 5 : 30), 9);
    const Records records(dice, dim, dice.below(300));
    const Layout layout(dim);
    const Stored x = store(tabulate(layout, records.columns(), records.n, nullptr, 1, {}).cells);
    const std::size_t most = dice.below(4);
    Levels n_groups;
    std::vector<Levels> group_of;
    for (std::uint32_t levels : dim) {
      n_groups.push_back(1 + dice.below(round % 3 ? 3 : 9));
      group_of.emplace_back();
      for (std::uint32_t l = 0; l < levels; ++l)
        group_of.back().push_back(dice.below(n_groups.back()));
    }
    std::map<Levels, std::vector<std::uint64_t>> twin;
    for (const auto& [key, count] : records.twin(records.all(), false)) {
      Levels group = reversed(key);
      for (std::size_t v = 0; v < dim.size(); ++v) group[v] = group_of[v][group[v]];
      std::vector<std::uint64_t>& counts = twin[group];
      counts.resize(1 + most);
      ++counts[0];
      if (count <= most) ++counts[count];
      (count <= most ? small : large) += 1;
    }
    const Layout groups(n_groups);
    const GroupCounts found = count_in_groups(layout, x.view(), groups, group_of, most, {});
    bool same = found.size() == twin.size();
    for (std::size_t i = 0; i < found.size(); ++i) {
      Levels group;
      for (std::size_t v = 0; v < dim.size(); ++v) group.push_back(groups.level(found.row(i), v));
      const std::uint64_t* counts = found.row(i) + groups.n_words();
      same = same && twin[group] == std::vector<std::uint64_t>(counts, counts + 1 + most);
    }
    CHECK(same);
  }
  CHECK(small > 1000 && large > 1000);
}

TEST(counting_in_groups_can_be_stopped) {
  const Stored x{{0, 1}, {1, 2}};
  struct Stop {};
  CHECK_THROWS(Stop, count_in_groups(Layout({2}), x.view(), Layout({1}), {{0, 0}}, 3,
                                     [](double) { throw Stop{}; }));
}
