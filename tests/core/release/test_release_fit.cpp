// How well a release fits: against iterative proportional fitting of the whole table.
#include <cmath>

#include "cases.hpp"
#include "check.hpp"
#include "release/graph_cases.hpp"
#include "release/release_fit.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const Tick kQuiet = [](double) {};

// From equal cells, scaled to each margin in turn until nothing moves.
double error_by_fitting(const Dense& x, const std::vector<Mask>& cliques) {
  double total = 0;
  for (std::int64_t count : x.counts) total += static_cast<double>(count);
  std::vector<double> fit(x.counts.size(), total / static_cast<double>(x.counts.size()));
  for (int round = 0; round < 40; ++round)
    for (Mask clique : cliques) {
      auto wanted = x.margin(clique);
      std::map<Levels, double> have;
      for (std::size_t c = 0; c < fit.size(); ++c) have[x.at(c, clique)] += fit[c];
      for (std::size_t c = 0; c < fit.size(); ++c) {
        const Levels at = x.at(c, clique);
        fit[c] = have[at] == 0 ? 0 : fit[c] * static_cast<double>(wanted[at]) / have[at];
      }
    }
  double error = 0;
  for (std::size_t c = 0; c < fit.size(); ++c) {
    const double apart = static_cast<double>(x.counts[c]) - fit[c];
    error += apart * apart;
  }
  return error;
}

}  // namespace

TEST(errors_are_those_of_fitting_the_whole_table) {
  PublicRandom random(1);
  const std::vector<char> chordal = chordal_codes(4);
  for (int round = 0; round < 80; ++round) {
    const Dense x = random_dense(random, random_levels(random, 4, 1, 3), 6, random.below(4));
    const Stored stored(x, INT64_MAX, round % 4 == 0 ? x.levels : Levels());
    std::size_t code = random.below(chordal.size());
    while (chordal[code] == 0) code = random.below(chordal.size());
    std::vector<Mask> cliques = graph_of(4, code).clique_tree().cliques;
    random.shuffle(cliques.begin(), cliques.end());
    CHECK_NEAR(decomposable_fit_error(stored.risk(), cliques, kQuiet), error_by_fitting(x, cliques),
               1e-9);
  }
}

// Variables that no clique holds are equal in all levels.
TEST(variables_without_a_clique_are_spread_evenly) {
  PublicRandom random(2);
  for (int round = 0; round < 40; ++round) {
    const Dense x = random_dense(random, {2, 3, 2, 3}, 6, 1);
    const Stored stored(x, INT64_MAX);
    for (const auto& cliques : std::vector<std::vector<Mask>>{{1}, {3}, {8, 2}, {5, 6}, {0b1010}})
      CHECK_NEAR(decomposable_fit_error(stored.risk(), cliques, kQuiet),
                 error_by_fitting(x, cliques), 1e-9);
  }
}

TEST(the_table_itself_fits_and_nothing_released_leaves_the_mean) {
  PublicRandom random(3);
  for (int round = 0; round < 20; ++round) {
    const Dense x = random_dense(random, {3, 2, 2}, 9, 1);
    const Stored stored(x, INT64_MAX);
    CHECK_NEAR(decomposable_fit_error(stored.risk(), {7}, kQuiet), 0.0, 1e-9);
    double total = 0, squares = 0;
    for (std::int64_t count : x.counts) {
      total += static_cast<double>(count);
      squares += static_cast<double>(count * count);
    }
    if (total == 0) continue;
    CHECK_NEAR(decomposable_fit_error(stored.risk(), {}, kQuiet), squares - total * total / 12,
               1e-9);
  }
}

// More released never fits worse in the sense of the likelihood; for independent tables the one-way
// tables fit exactly.
TEST(independent_tables_are_rebuilt_from_one_way_tables) {
  for (std::int64_t a = 1; a <= 3; ++a)
    for (std::int64_t b = 1; b <= 3; ++b) {
      const Dense x{{2, 3}, {2 * a, 2 * b, 3 * a, 3 * b, 5 * a, 5 * b}};
      const Stored stored(x, INT64_MAX);
      CHECK_NEAR(decomposable_fit_error(stored.risk(), {1, 2}, kQuiet), 0.0, 1e-9);
      CHECK(decomposable_fit_error(stored.risk(), {1}, kQuiet) > 1);
    }
}

TEST(empty_tables_fit_and_fitting_can_be_stopped) {
  const Dense none{{2, 2}, {0, 0, 0, 0}}, x{{2, 2}, {1, 2, 3, 4}};
  const Stored empty(none, 9), stored(x, 9);
  CHECK_EQ(decomposable_fit_error(empty.risk(), {1, 2}, kQuiet), 0.0);
  CHECK_THROWS(int, decomposable_fit_error(stored.risk(), {1, 2}, [](double) { throw 1; }));
}
