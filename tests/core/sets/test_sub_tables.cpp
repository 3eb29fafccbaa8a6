#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "release/release_fit.hpp"
#include "sets/sub_tables.hpp"

using namespace sdclattice;

namespace {

const Tick kQuiet = [](double) {};

VariableSet members(std::size_t mask) {
  VariableSet out;
  for (std::uint32_t v = 0; v < 64; ++v)
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

TEST(margins_at_the_cells_at_risk_are_sums_over_all_cells_that_agree) {
  PublicRandom random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t k = 1 + random.below(5);
    std::vector<std::uint32_t> levels;
    double size = 1;
    for (std::size_t v = 0; v < k; ++v) {
      levels.push_back(static_cast<std::uint32_t>(1 + random.below(4)));
      size *= levels.back();
    }
    const Layout layout(levels);
    std::vector<double> dense;
    for (double i = 0; i < size; ++i)
      dense.push_back(random.below(2) == 0 ? 0 : static_cast<double>(random.below(5)));
    const Cells cells = cells_from_dense(layout, dense.data(), dense.size());
    std::vector<std::uint64_t> keys;
    std::vector<double> counts;
    std::vector<std::uint32_t> at;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      keys.insert(keys.end(), cells.row(i), cells.row(i) + layout.n_words());
      counts.push_back(static_cast<double>(cells.count(i)));
      at.push_back(static_cast<std::uint32_t>(i));
    }
    const RiskCells risk(layout, {keys.data(), counts.data(), counts.size()}, at);
    for (SubTable set = 0; set <= risk.all_variables(); ++set) {
      const std::vector<std::int64_t> found = risk.margin(set);
      for (std::size_t i = 0; i < at.size(); ++i) {
        std::int64_t sum = 0;
        for (std::size_t j = 0; j < at.size(); ++j) {
          bool same = true;
          for (std::size_t v = 0; v < k; ++v)
            if ((set >> v & 1) != 0 && risk.level(i, v) != risk.level(j, v)) same = false;
          if (same) sum += risk.count(j);
        }
        CHECK(found[i] == sum);
      }
    }
    if (k < 3 || risk.total() == 0) continue;
    // the chain 12, 23, with all later variables free: its fit over all cells, one by one
    const std::vector<SubTable> chain = {3, 6};
    double error = 0, others = 1;
    for (std::size_t v = 3; v < k; ++v) others *= levels[v];
    std::vector<double> pair(levels[0] * levels[1], 0), next(levels[1] * levels[2], 0);
    std::vector<double> middle(levels[1], 0);
    const auto level = [&](std::size_t cell, std::size_t v) {
      for (std::size_t u = 0; u < v; ++u) cell /= levels[u];
      return cell % levels[v];
    };
    for (std::size_t c = 0; c < dense.size(); ++c) {
      pair[level(c, 0) + levels[0] * level(c, 1)] += dense[c];
      next[level(c, 1) + levels[1] * level(c, 2)] += dense[c];
      middle[level(c, 1)] += dense[c];
    }
    for (std::size_t c = 0; c < dense.size(); ++c) {
      const double shared = middle[level(c, 1)];
      const double fit = shared == 0
                             ? 0
                             : pair[level(c, 0) + levels[0] * level(c, 1)] *
                                   next[level(c, 1) + levels[1] * level(c, 2)] / shared / others;
      error += (dense[c] - fit) * (dense[c] - fit);
    }
    CHECK(std::fabs(decomposable_fit_error(risk, chain, kQuiet) - error) < 1e-6 * (1 + error));
  }
}
