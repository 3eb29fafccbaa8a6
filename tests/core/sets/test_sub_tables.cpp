#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "sets/sub_tables.hpp"

using namespace sdclattice;

namespace {

const Tick kQuiet = [](double) {};

VariableSet members(std::size_t mask) {
  VariableSet out;
  for (std::uint32_t v = 0; mask >> v != 0; ++v)
    if ((mask >> v & 1) != 0) out.push_back(v);
  return out;
}

std::vector<VariableSet> random_sets(PublicRandom& random, std::size_t n, std::size_t m) {
  std::vector<VariableSet> out;
  for (std::size_t i = 0; i < m; ++i) out.push_back(members(random.below(std::size_t{1} << n)));
  return out;
}

bool inside_any(std::size_t mask, const std::vector<VariableSet>& sets) {
  for (const VariableSet& set : sets)
    if (set_contains(set, members(mask))) return true;
  return false;
}

// The same sets among so many variables that nothing is laid out.
constexpr std::size_t kMany = 40;

}  // namespace

TEST(sub_tables_below_are_counted_alike_by_laying_out_by_intersections_and_one_by_one) {
  PublicRandom random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(7);
    const auto sets = random_sets(random, n, 1 + random.below(6));
    std::vector<double> by_hand(n + 1, 0), factors;
    for (std::size_t v = 0; v < kMany; ++v) factors.push_back(static_cast<double>(random.below(4)));
    double sum = 0;
    for (std::size_t m = 0; m < std::size_t{1} << n; ++m) {
      if (!inside_any(m, sets)) continue;
      ++by_hand[members(m).size()];
      double product = m == 0 ? 0 : 1;
      for (std::uint32_t v : members(m)) product *= factors[v];
      sum += product;
    }
    CHECK(count_below(n, sets, kQuiet) == by_hand);
    std::vector<double> implicit = count_below(kMany, sets, kQuiet);
    implicit.resize(n + 1);
    CHECK(implicit == by_hand);
    CHECK(sum_below(kMany, sets, factors, kQuiet) == sum);
    factors.resize(n);
    CHECK(sum_below(n, sets, factors, kQuiet) == sum);
  }
}

TEST(minimal_sub_tables_outside_are_those_whose_faces_are_all_inside) {
  PublicRandom random(2);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 1 + random.below(7);
    const auto sets = random_sets(random, n, 1 + random.below(6));
    std::size_t n_found = 0;
    const auto found = minimal_outside(n, sets, 1000, kQuiet);
    for (std::size_t m = 1; m < std::size_t{1} << n; ++m) {
      bool minimal = !inside_any(m, sets);
      for (std::uint32_t v : members(m))
        if (!inside_any(m & ~(std::size_t{1} << v), sets)) minimal = false;
      if (!minimal) continue;
      ++n_found;
      CHECK(std::find(found.begin(), found.end(), members(m)) != found.end());
    }
    CHECK(found.size() == n_found);
  }
}

TEST(minimal_sub_tables_outside_have_a_limit) {
  CHECK_THROWS(TooLargeError, minimal_outside(40, {{0}}, 10, kQuiet));
  CHECK(minimal_outside(40, {{0, 1}}, 100, kQuiet).size() == 38);
}

TEST(laid_out_sub_tables_lie_inside_or_around_the_sets) {
  PublicRandom random(3);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random.below(7);
    const auto sets = random_sets(random, n, random.below(6));
    const std::vector<char> below = lay_out_below(n, sets), above = lay_out_above(n, sets);
    CHECK(below.size() == std::size_t{1} << n && above.size() == below.size());
    for (std::size_t m = 0; m < below.size(); ++m) {
      CHECK((below[m] != 0) == inside_any(m, sets));
      bool holds = false;
      for (const VariableSet& set : sets) holds = holds || set_contains(members(m), set);
      CHECK((above[m] != 0) == holds);
    }
  }
}

TEST(no_set_holds_nothing_and_the_empty_one_only_itself) {
  CHECK(count_below(3, {}, kQuiet) == std::vector<double>({0, 0, 0, 0}));
  CHECK(count_below(3, {{}}, kQuiet) == std::vector<double>({1, 0, 0, 0}));
  CHECK(count_below(3, {{0, 1, 2}}, kQuiet) == std::vector<double>({1, 3, 3, 1}));
  CHECK(sum_below(3, {{0, 1, 2}}, {1, 1, 1}, kQuiet) == 7);
  CHECK(minimal_outside(3, {{0, 1, 2}}, 10, kQuiet).empty());
  CHECK(minimal_outside(3, {{}}, 10, kQuiet).size() == 3);
}

// The counts of forty variables in one set are binomials, far beyond what can be laid out.
TEST(large_sets_are_counted_by_binomials) {
  VariableSet all(kMany);
  for (std::uint32_t v = 0; v < kMany; ++v) all[v] = v;
  const std::vector<double> found = count_below(kMany, {all}, kQuiet);
  double binomial = 1;
  for (std::size_t d = 0; d <= kMany; ++d) {
    CHECK(found[d] == binomial);
    binomial = binomial * static_cast<double>(kMany - d) / static_cast<double>(d + 1);
  }
}
