// Tables over a few variables: against sums over all cells.
#include <set>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

// The number of a cell with such levels in a table with the levels `sizes`.
std::size_t number(const cases::Levels& at, const cases::Levels& sizes) {
  std::size_t out = 0;
  for (std::size_t v = at.size(); v-- > 0;) out = out * sizes[v] + at[v];
  return out;
}

std::vector<std::int64_t> dense_margin(const cases::Dense& x, Mask set) {
  cases::Levels sizes;
  for (std::size_t v = 0; v < x.n_variables(); ++v)
    if (cases::in(set, v)) sizes.push_back(x.levels[v]);
  std::vector<std::int64_t> out(cases::number_of_cells(sizes), 0);
  for (const auto& [at, count] : x.margin(set)) out[number(at, sizes)] = count;
  return out;
}

}  // namespace

TEST(sets_and_masks_are_two_ways_to_write_one_thing) {
  for (Mask mask = 0; mask < 256; ++mask) {
    const VariableSet set = as_set(mask);
    CHECK_EQ(as_mask(set), mask);
    CHECK_EQ(set.size(), cases::size_of(mask));
    CHECK_EQ(set_size(mask), set.size());
    for (std::uint32_t v = 0; v < 8; ++v)
      CHECK_EQ(has_variable(mask, v), std::count(set.begin(), set.end(), v) == 1);
    for (Mask part = 0; part < 256; part += 7) CHECK_EQ(holds(mask, part), (mask | part) == mask);
  }
  CHECK(as_set(Mask{1} << 63) == VariableSet{63});
  CHECK_EQ(as_mask({0, 63}), (Mask{1} << 63) + 1);
  CHECK_EQ(as_set(~Mask{0}).size(), 64u);
  CHECK_EQ(set_size(~Mask{0}), 64u);
}

TEST(maximal_masks_are_each_once_and_the_largest_first) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<Mask> sets(random.below(9));
    for (Mask& set : sets) set = random.below(32);
    const std::vector<Mask> found = maximal_masks(sets);
    for (std::size_t i = 1; i < found.size(); ++i)
      wrong += cases::size_of(found[i]) > cases::size_of(found[i - 1]);
    std::vector<Mask> sorted = found;
    std::sort(sorted.begin(), sorted.end());
    wrong += sorted != cases::maximal(sets);
  }
  CHECK_EQ(wrong, 0);
}

TEST(parts_are_the_margins_of_the_table) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random.below(4);
    const cases::Dense x =
        cases::random_dense(random, cases::random_levels(random, n, 1, 4), 6, random.below(4));
    const cases::Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    for (Mask set = 0; set <= x.all(); ++set) {
      const PartTable part(risk, set, 1000);
      wrong += part.counts() != dense_margin(x, set);
      wrong += part.n_variables() != cases::size_of(set);
      wrong += n_cells(risk, set) != static_cast<double>(part.counts().size());
      for (std::size_t v = 0, k = 0; v < n; ++v) {
        if (!cases::in(set, v)) continue;
        wrong += part.levels()[k] != x.levels[v];
        wrong += part.local(Mask{1} << v) != Mask{1} << k;
        ++k;
      }
      wrong += part.local(~set) != 0;
      wrong += part.local(set) != (Mask{1} << part.n_variables()) - 1;
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(cells_asked_about_are_those_of_the_cells_at_risk) {
  PublicRandom random(3);
  int wrong = 0, shared = 0;
  for (int round = 0; round < 60; ++round) {
    const cases::Dense x = cases::random_dense(random, {3, 2, 4}, 4, 1);
    const cases::Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    for (Mask set = 0; set < 8; ++set) {
      const PartTable part(risk, set, 24);
      std::set<std::size_t> asked;
      wrong += part.position().size() != risk.size();
      for (std::size_t k = 0; k < risk.size(); ++k) {
        const std::size_t cell = number(x.at(stored.risk_cell(k), set), part.levels());
        asked.insert(cell);
        wrong += part.asked()[part.position()[k]] != cell;
      }
      wrong += part.asked() != std::vector<std::size_t>(asked.begin(), asked.end());
      shared += asked.size() < risk.size();
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(shared > 100);
}

TEST(margins_of_a_part_and_where_its_cells_fall) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 40; ++round) {
    const cases::Dense x = cases::random_dense(random, cases::random_levels(random, 4, 1, 3), 5, 1);
    const cases::Stored stored(x, 3);
    const RiskCells risk = stored.risk();
    for (Mask whole : {Mask{15}, Mask{11}, Mask{6}, Mask{8}}) {
      const PartTable part(risk, whole, 1000);
      const cases::Dense y{part.levels(), part.counts()};
      for (std::size_t c = 0; c < y.counts.size(); ++c)
        for (std::size_t v = 0; v < y.n_variables(); ++v) {
          wrong += part.level(c, v) != y.level(c, v);
          wrong += y.level(c, v) + 1 < y.levels[v] &&
                   y.level(c + part.stride(v), v) != y.level(c, v) + 1;
        }
      for (Mask set = 0; set <= y.all(); ++set) {
        const auto margin = part.margin(set), at_asked = part.margin_at_asked(set);
        wrong += margin != dense_margin(y, set);
        cases::Levels sizes;
        for (std::size_t v = 0; v < y.n_variables(); ++v)
          if (cases::in(set, v)) sizes.push_back(y.levels[v]);
        for (std::size_t c = 0; c < y.counts.size(); ++c)
          wrong += part.place_in(set, c) != number(y.at(c, set), sizes);
        for (std::size_t i = 0; i < part.asked().size(); ++i)
          wrong += at_asked[i] != margin[part.place_in(set, part.asked()[i])];
      }
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(tables_with_more_cells_than_allowed_are_refused) {
  const cases::Dense x{{3, 4, 5}, std::vector<std::int64_t>(60, 1)};
  const cases::Stored stored(x, 1);
  const RiskCells risk = stored.risk();
  CHECK_EQ(PartTable(risk, 7, 60).counts().size(), 60u);
  CHECK_THROWS(TooLargeError, PartTable(risk, 7, 59));
  CHECK_EQ(PartTable(risk, 6, 20).counts().size(), 20u);
  CHECK_THROWS(TooLargeError, PartTable(risk, 6, 19));
  // 2^64 cells and more are no small number by accident.
  const Layout many(std::vector<std::uint32_t>(64, 4));
  const std::vector<std::uint64_t> keys(many.n_words(), 0);
  const std::vector<double> counts = {1};
  const RiskCells wide(many, {keys.data(), counts.data(), 1}, {0});
  CHECK_EQ(n_cells(wide, ~Mask{0}), 0x1p128);
  CHECK_THROWS(TooLargeError, PartTable(wide, ~Mask{0}, SIZE_MAX));
  CHECK_THROWS(TooLargeError, PartTable(wide, 0xffffffff, 1000000));
}

TEST(large_counts_are_exact) {
  const std::int64_t large = std::int64_t{1} << 51;
  const cases::Dense x{{2, 2}, {large, large + 1, large - 1, large}};
  const cases::Stored stored(x, 0);
  const RiskCells risk = stored.risk();
  const PartTable part(risk, 3, 4);
  CHECK(part.counts() == x.counts);
  CHECK(part.margin(1) == (std::vector<std::int64_t>{2 * large - 1, 2 * large + 1}));
  CHECK(part.margin(0) == (std::vector<std::int64_t>{4 * large}));
  CHECK(part.asked().empty());
}

TEST(laying_out_can_be_stopped) {
  const cases::Dense x{{200, 200}, std::vector<std::int64_t>(40000, 1)};
  const cases::Stored stored(x, 1);
  const RiskCells risk = stored.risk();
  const Deadline over([] { return true; });
  CHECK_THROWS(WorkTimeUp, PartTable(risk, 3, 40000));
}
