// Sums of cells: against asking every cell of the table whether a sum holds it.
#include <algorithm>

#include "cases.hpp"
#include "check.hpp"
#include "sets/groups.hpp"

using namespace sdclattice;

namespace {

using Variables = std::vector<LabelledVariable>;

bool holds_level(const LabelledVariable& x, std::size_t sum, std::uint32_t level) {
  if (x.label[sum] == kAllLevels) return true;
  const auto& held = x.held[x.label[sum]];
  return std::find(held.begin(), held.end(), level) != held.end();
}

GroupSums by_asking(const Variables& variables, std::size_t n) {
  cases::Dense all;
  for (const LabelledVariable& x : variables) all.levels.push_back(x.n_levels);
  GroupSums out;
  for (std::size_t s = 0; s < n; ++s) {
    for (std::uint32_t c = 0; c < cases::number_of_cells(all.levels); ++c) {
      bool held = true;
      for (std::size_t v = 0; v < variables.size(); ++v)
        held = held && holds_level(variables[v], s, all.level(c, v));
      if (held) out.cell.push_back(c);
    }
    out.start.push_back(out.cell.size());
  }
  return out;
}

// Labels for the single levels, then some for random sets of levels, which may be empty.
Variables random_variables(PublicRandom& random, std::size_t k, std::size_t n_sums) {
  Variables out(k);
  for (LabelledVariable& x : out) {
    x.n_levels = 1 + static_cast<std::uint32_t>(random.below(4));
    for (std::uint32_t level = 0; level < x.n_levels; ++level) x.held.push_back({level});
    for (std::size_t i = random.below(3); i > 0; --i) {
      x.held.emplace_back();
      for (std::uint32_t level = 0; level < x.n_levels; ++level)
        if (random.below(2) == 0) x.held.back().push_back(level);
    }
    for (std::size_t s = 0; s < n_sums; ++s)
      x.label.push_back(random.below(4) == 0
                            ? kAllLevels
                            : static_cast<std::uint32_t>(random.below(x.held.size())));
  }
  return out;
}

}  // namespace

TEST(sums_hold_the_cells_whose_levels_they_name_in_order) {
  PublicRandom random(1);
  std::size_t empty = 0, large = 0;
  for (int round = 0; round < 500; ++round) {
    const std::size_t n = random.below(6);
    const Variables variables = random_variables(random, random.below(5), n);
    const GroupSums found = expand_groups(variables, n), expected = by_asking(variables, n);
    CHECK(found.start == expected.start);
    CHECK(found.cell == expected.cell);
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t size = found.start[s + 1] - found.start[s];
      empty += size == 0;
      large += size > 8;
    }
  }
  CHECK(empty > 30 && large > 30);
}

TEST(without_variables_each_sum_is_the_one_cell) {
  const GroupSums found = expand_groups({}, 3);
  CHECK(found.start == (std::vector<std::size_t>{0, 1, 2, 3}));
  CHECK(found.cell == (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(without_sums_there_is_only_the_first_start) {
  PublicRandom random(2);
  const GroupSums found = expand_groups(random_variables(random, 3, 0), 0);
  CHECK(found.start == (std::vector<std::size_t>{0}));
  CHECK(found.cell.empty());
}

TEST(all_levels_of_all_variables_are_all_cells) {
  PublicRandom random(3);
  for (int round = 0; round < 50; ++round) {
    Variables variables = random_variables(random, 4, 1);
    std::size_t size = 1;
    for (LabelledVariable& x : variables) {
      x.label[0] = kAllLevels;
      size *= x.n_levels;
    }
    const GroupSums found = expand_groups(variables, 1);
    CHECK_EQ(found.cell.size(), size);
    for (std::size_t c = 0; c < found.cell.size(); ++c) CHECK_EQ(found.cell[c], c);
  }
}

// A label's levels keep the order in which it names them, the first variable fastest.
TEST(levels_come_in_the_order_of_their_label) {
  const Variables variables = {{3, {{2, 0}}, {0}}, {2, {{1, 0}}, {0}}};
  CHECK(expand_groups(variables, 1).cell == (std::vector<std::uint32_t>{5, 3, 2, 0}));
}

TEST(complementary_labels_share_out_the_cells) {
  PublicRandom random(4);
  for (int round = 0; round < 100; ++round) {
    // The first variable's levels in two labels, all else equal in both sums.
    Variables variables = random_variables(random, 3, 2);
    LabelledVariable& x = variables[0];
    x.held = {{}, {}};
    for (std::uint32_t level = 0; level < x.n_levels; ++level)
      x.held[random.below(2)].push_back(level);
    x.label = {0, 1};
    for (std::size_t v = 1; v < 3; ++v) variables[v].label[1] = variables[v].label[0];
    GroupSums parts = expand_groups(variables, 2);
    x.label = {kAllLevels, kAllLevels};
    const GroupSums whole = expand_groups(variables, 1);
    std::sort(parts.cell.begin(), parts.cell.end());
    CHECK(parts.cell == whole.cell);
  }
}
