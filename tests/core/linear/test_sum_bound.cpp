// Bounds of weighted sums: never above what enumeration attains, whatever the multipliers; and no
// table with a small sum is further from its limits than it may be.
#include <algorithm>

#include "check.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/sum_bound.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

std::int64_t sum_of(const Whole& x, const Whole& weight) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out += x[i] * weight[i];
  return out;
}

Whole random_weight(Dice& dice, std::size_t n) {
  Whole out(n);
  for (std::int64_t& w : out) w = dice.between(-4, 4);
  return out;
}

std::vector<double> random_duals(Dice& dice, std::size_t n) {
  std::vector<double> out;
  for (std::size_t r = 0; r < n; ++r) out.push_back(dice.between(-12, 12) / (1.0 + dice.below(6)));
  return out;
}

std::vector<SparseSimplex::Term> downwards(const Whole& weight) {
  std::vector<SparseSimplex::Term> out;
  for (std::uint32_t i = 0; i < weight.size(); ++i)
    out.push_back({i, -static_cast<double>(weight[i])});
  return out;
}

// All tables whose sum is at most `most` have their cells within the room that is left to them.
bool rooms_hold(const LinearSystem& system, const Whole& weight, const std::vector<Whole>& tables,
                const SumBound& found, std::int64_t most) {
  for (const Whole& x : tables) {
    if (sum_of(x, weight) > most) continue;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (found.rate[i] == 0) continue;
      const std::int64_t away = found.rate[i] > 0 ? x[i] - system.lower[i] : system.upper[i] - x[i];
      if (away > found.room(i, most)) return false;
    }
  }
  return true;
}

}  // namespace

TEST(no_table_has_a_smaller_sum) {
  Dice dice(1);
  int n_tight = 0, n = 0;
  for (int round = 0; round < 400; ++round) {
    const LinearSystem system =
        random_system(dice, 2 + dice.below(5), 1 + dice.below(3), 1 + dice.below(2));
    const std::vector<Whole> tables = solutions(system);
    if (tables.empty()) continue;
    const Whole weight = random_weight(dice, system.n_cells());
    std::int64_t least = sum_of(tables[0], weight), most = least;
    for (const Whole& x : tables) {
      least = std::min(least, sum_of(x, weight));
      most = std::max(most, sum_of(x, weight));
    }
    SparseSimplex simplex(system, 1, [] {});
    CHECK(simplex.climb_again(downwards(weight)) == ClimbEnd::optimal);
    const std::vector<double> duals =
        round % 2 == 0 ? simplex.duals() : random_duals(dice, system.n_rows());
    const SumBound found = sum_bound(system, system.lower, system.upper, weight, duals);
    CHECK(found.denominator > 0 && found.bound <= least);
    CHECK(rooms_hold(system, weight, tables, found, least));
    CHECK(rooms_hold(system, weight, tables, found, (least + most) / 2));
    n += round % 2 == 0;
    n_tight += round % 2 == 0 && found.bound == least;
  }
  CHECK(n > 100 && 2 * n_tight > n);
}

TEST(sums_beyond_128_bits_give_no_bound) {
  LinearSystem system;
  const std::int64_t far = std::int64_t{1} << 52;
  system.lower = {0, 0};
  system.upper = {far, far};
  system.cell = {0, 1};
  system.coefficient = {far, far};
  system.start = {0, 2};
  system.row_lower = {0};
  system.row_upper = {far};
  const SumBound found = sum_bound(system, system.lower, system.upper, {1, 1}, {1e18});
  CHECK(found.bound <= 0);
}
