// Cycles on k-way tables against dense arrays: margins, chances, bands; and merged tables.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/cycle_checks.hpp"
#include "cycle/cycle_margin.hpp"

using namespace sdclattice;
using cycle_checks::two_chances;

namespace {

using Dim = std::vector<std::size_t>;

const std::vector<Dim> shapes = {
    {2},       {5},          {2, 2},       {2, 3},       {3, 2},          {3, 3},
    {4, 5},    {5, 4},       {7, 3},       {1, 4},       {2, 2, 2},       {2, 2, 3},
    {4, 3, 5}, {4, 4, 3},    {5, 4, 4},    {3, 3, 4},    {6, 5, 7},       {3, 3, 3},
    {4, 1, 5}, {2, 2, 2, 3}, {2, 3, 2, 5}, {3, 3, 3, 3}, {2, 2, 2, 2, 2}, {2, 3, 2, 2, 3}};

std::vector<int> dense(const CycleSet& set, std::size_t c) {
  std::vector<int> out(set.n_cells, 0);
  for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
    out[static_cast<std::size_t>(set.cell[i])] += set.coef[i];
  }
  return out;
}

// Whether sums over dimension v are 0 at all levels of the others.
bool sums_to_nothing(const std::vector<int>& x, const Dim& dim, std::size_t v) {
  std::size_t stride = 1;
  for (std::size_t u = 0; u < v; ++u) stride *= dim[u];
  std::vector<int> sums(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) sums[i - i / stride % dim[v] * stride] += x[i];
  return std::all_of(sums.begin(), sums.end(), [](int s) { return s == 0; });
}

bool keeps_all_margins(const CycleSet& set, const Dim& dim) {
  for (std::size_t c = 0; c < set.size(); ++c) {
    const std::vector<int> move = dense(set, c);
    for (std::size_t v = 0; v < dim.size(); ++v) {
      if (dim[v] > 1 && !sums_to_nothing(move, dim, v)) return false;
    }
  }
  return true;
}

// The cycles of each band add up to nothing, and no two bands share a cell.
bool bands_stand_alone(const CycleSet& set, std::size_t n) {
  std::vector<int> owner(set.n_cells, -1);
  for (std::size_t c = 0; c < set.size(); c += n) {
    std::vector<int> sum(set.n_cells, 0);
    for (std::size_t k = c; k < c + n; ++k) {
      for (std::size_t i = set.start[k]; i < set.start[k + 1]; ++i) {
        const auto at = static_cast<std::size_t>(set.cell[i]);
        sum[at] += set.coef[i];
        if (owner[at] != -1 && owner[at] != int(c)) return false;
        owner[at] = int(c);
      }
    }
    if (std::any_of(sum.begin(), sum.end(), [](int s) { return s != 0; })) return false;
  }
  return true;
}

bool odd_beside(const Dim& dim, std::size_t ring) {
  for (std::size_t v = 0; v < dim.size(); ++v) {
    if (v != ring && dim[v] > 1 && dim[v] % 2 == 1) return true;
  }
  return false;
}

}  // namespace

TEST(every_ring_of_every_shape_keeps_all_margins) {
  for (const Dim& dim : shapes) {
    for (std::size_t ring = 0; ring < dim.size(); ++ring) {
      if (dim[ring] == 1 || (dim[ring] == 2 && odd_beside(dim, ring))) {
        CHECK_THROWS(InputError, cycles_margin(dim, ring));
        CHECK_THROWS(InputError, count_cycles_margin(dim, ring));
        continue;
      }
      const CycleSet set = cycles_margin(dim, ring);
      validate(set);
      CHECK_EQ(set.size(), count_cycles_margin(dim, ring));
      CHECK(keeps_all_margins(set, dim));
      CHECK(two_chances(set));
      CHECK(bands_stand_alone(set, dim[ring]));
    }
  }
}

TEST(cells_of_a_cycle_are_two_for_each_pair_and_three_for_each_three) {
  const CycleSet set = cycles_margin({6, 5, 7}, 2);  // blocks 2 2 2 and 2 3
  std::multiset<std::size_t> sizes;
  for (std::size_t c = 0; c < set.size(); ++c) sizes.insert(set.start[c + 1] - set.start[c]);
  CHECK_EQ(sizes.count(8), 21u);
  CHECK_EQ(sizes.count(12), 21u);
  CHECK_EQ(set.size(), 42u);
}

TEST(a_ring_of_two_is_one_move_and_its_negative) {
  const CycleSet set = cycles_margin({2, 2, 2}, 0);
  CHECK_EQ(set.size(), 2u);
  std::vector<int> first = dense(set, 0);
  for (int& k : first) k = -k;
  CHECK(dense(set, 1) == first);
}

TEST(the_best_ring_is_odd_then_long) {
  CHECK_EQ(best_ring({4, 4, 3}), 2u);
  CHECK_EQ(best_ring({4, 6, 8}), 2u);
  CHECK_EQ(best_ring({3, 8, 5}), 2u);
  CHECK_EQ(best_ring({6, 6}), 0u);
  CHECK_EQ(best_ring({1, 2}), 1u);
  CHECK_THROWS(InputError, best_ring({1, 1}));
  for (const Dim& dim : shapes) CHECK(cycles_margin(dim, best_ring(dim)).size() >= 2);
}

TEST(merged_cells_are_those_of_the_permuted_table) {
  const Dim dim{2, 3, 4, 5};
  const std::vector<std::vector<std::size_t>> ways{{3, 0}, {1, 2}};
  CHECK((merged_dim(dim, ways) == Dim{10, 12}));
  const std::vector<std::int32_t> cells = merged_cells(dim, ways);
  CHECK_EQ(cells.size(), 120u);
  std::size_t i = 0;
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t d = 0; d < 5; ++d) {
          CHECK_EQ(cells[i++], std::int32_t(a + 2 * (b + 3 * (c + 4 * d))));
        }
}

TEST(cycles_of_a_merged_table_keep_the_margins_without_a_way) {
  const Dim dim{2, 3, 2, 3};
  const std::vector<std::vector<std::size_t>> ways{{0, 3}, {2}, {1}};
  const Dim merged = merged_dim(dim, ways);
  CycleSet set = cycles_margin(merged, best_ring(merged));
  unmerge(dim, ways, set);
  CHECK(two_chances(set));
  CHECK(!find_broken_margin(set, dim, {{1, 2}, {0, 1, 3}, {0, 2, 3}}).found);
  CHECK(find_broken_margin(set, dim, {{0, 1, 2}}).found);
}

TEST(what_is_no_merging_is_refused) {
  const Dim dim{2, 3, 4};
  CHECK_THROWS(InputError, merged_dim(dim, {{0, 1}}));
  CHECK_THROWS(InputError, merged_dim(dim, {{0, 1}, {1, 2}}));
  CHECK_THROWS(InputError, merged_cells(dim, {{0, 1}, {3}}));
  CHECK_THROWS(InputError, cycles_margin({2, 0, 2}, 0));
  CHECK_THROWS(InputError, cycles_margin({2, 2}, 2));
  CHECK_THROWS(TooLargeError, cycles_margin({1u << 20, 1u << 20}, 0));
  CycleSet set = cycles_margin({2, 2}, 0);
  CHECK_THROWS(InputError, unmerge(dim, {{0, 1}, {2}}, set));
}
