// The generalized shuttle: against following every sum of super-cells until nothing changes, and
// against all tables with the margins.
#include "base/deadline.hpp"
#include "base/error.hpp"
#include "bounds/shuttle.hpp"
#include "cases.hpp"
#include "check.hpp"

using namespace sdclattice;
using cases::Mask;

namespace {

const Tick kQuiet = [](double) {};

// Margins with their variables in any order.
struct Released {
  struct Own {
    std::vector<std::uint32_t> variables;
    Layout layout;
    std::vector<std::uint64_t> keys;
    std::vector<double> counts;
  };
  std::vector<Own> own;

  Released(PublicRandom& random, const cases::Dense& x, const std::vector<Mask>& sets) {
    for (Mask set : sets) {
      std::vector<std::uint32_t> variables, sizes;
      for (std::uint32_t v = 0; v < x.n_variables(); ++v)
        if (cases::in(set, v)) variables.push_back(v);
      random.shuffle(variables.begin(), variables.end());
      for (std::uint32_t v : variables) sizes.push_back(x.levels[v]);
      Own one{variables, Layout(sizes), {}, {}};
      std::vector<std::uint64_t> key(one.layout.n_words(), 0);
      for (const auto& [at, count] : x.margin(set)) {
        if (count == 0) continue;
        for (std::size_t k = 0; k < variables.size(); ++k) {
          const auto before = cases::size_of(set & ((Mask{1} << variables[k]) - 1));
          one.layout.put(key.data(), k, at[before]);
        }
        one.keys.insert(one.keys.end(), key.begin(), key.end());
        one.counts.push_back(static_cast<double>(count));
      }
      own.push_back(one);
    }
  }
  std::vector<ReleasedMargin> margins() const {
    std::vector<ReleasedMargin> out;
    for (const Own& o : own)
      out.push_back({o.variables, o.layout, {o.keys.data(), o.counts.data(), o.counts.size()}});
    return out;
  }
};

int differences(const GeneralizedShuttle& shuttle, const cases::SuperCells& twin) {
  int wrong = 0;
  for (const auto& [place, limits] : twin) {
    wrong += shuttle.lower(shuttle.place(place)) != limits.lower;
    wrong += shuttle.upper(shuttle.place(place)) != limits.upper;
  }
  return wrong;
}

}  // namespace

TEST(limits_are_those_of_following_all_sums) {
  PublicRandom random(1);
  int wrong = 0, n_open = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t n = 2 + random.below(3);
    const cases::Dense x = cases::random_dense(random, cases::random_levels(random, n, 1, 3),
                                               1 + random.below(9), random.below(4));
    const auto sets = cases::random_frontier(random, n, 4);
    const Released released(random, x, sets);
    GeneralizedShuttle shuttle(x.levels, released.margins(), 100000);
    CHECK(shuttle.run(100000, kQuiet));
    CHECK(shuttle.n_sweeps() > 0);
    cases::SuperCells twin = cases::super_cells(x, sets);
    cases::narrow(x.levels, twin);
    wrong += differences(shuttle, twin);
    for (const auto& [place, limits] : twin) n_open += limits.lower < limits.upper;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n_open > 1000);
}

TEST(limits_hold_for_all_tables_with_the_margins) {
  PublicRandom random(2);
  int wrong = 0, sharp = 0, n = 0;
  for (int round = 0; round < 60; ++round) {
    const cases::Dense x = cases::random_dense(random, {2, 2, 3}, 2, 1);
    const auto sets = cases::random_frontier(random, 3, 3);
    const Released released(random, x, sets);
    GeneralizedShuttle shuttle(x.levels, released.margins(), 100000);
    shuttle.run(100000, kQuiet);
    const auto exact = cases::sharp_bounds(x, sets);
    if (exact.empty()) continue;
    for (std::size_t c = 0; c < x.counts.size(); ++c) {
      const std::size_t place = shuttle.place(x.at(c, 7));
      wrong += shuttle.lower(place) > exact[c].lower || shuttle.upper(place) < exact[c].upper;
      sharp += shuttle.lower(place) == exact[c].lower && shuttle.upper(place) == exact[c].upper;
      ++n;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(sharp > n / 2);
}

// Two-way tables with both margins: the bounds of Frechet, which are sharp.
TEST(two_way_tables_have_frechets_bounds) {
  PublicRandom random(3);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const cases::Dense x =
        cases::random_dense(random, cases::random_levels(random, 2, 2, 5), 20, 1);
    const Released released(random, x, {1, 2});
    GeneralizedShuttle shuttle(x.levels, released.margins(), 1000);
    shuttle.run(1000, kQuiet);
    auto rows = x.margin(1), columns = x.margin(2), total = x.margin(0);
    for (std::size_t c = 0; c < x.counts.size(); ++c) {
      const std::int64_t row = rows[x.at(c, 1)], column = columns[x.at(c, 2)];
      const std::size_t place = shuttle.place(x.at(c, 3));
      wrong += shuttle.lower(place) != std::max<std::int64_t>(0, row + column - total[{}]);
      wrong += shuttle.upper(place) != std::min(row, column);
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(every_sweep_only_narrows_and_keeps_the_truth) {
  PublicRandom random(4);
  int wrong = 0;
  for (int round = 0; round < 40; ++round) {
    const cases::Dense x = cases::random_dense(random, {3, 2, 2, 2}, 5, 2);
    const auto sets = cases::random_frontier(random, 4, 4);
    const Released released(random, x, sets);
    std::vector<std::int64_t> lower, upper;
    for (std::size_t sweeps = 0; sweeps < 6; ++sweeps) {
      GeneralizedShuttle shuttle(x.levels, released.margins(), 100000);
      CHECK(shuttle.run(sweeps, kQuiet));
      wrong += shuttle.n_sweeps() > sweeps;
      for (std::size_t c = 0; c < x.counts.size(); ++c) {
        const std::size_t place = shuttle.place(x.at(c, 15));
        if (sweeps == 0) lower.push_back(0), upper.push_back(INT64_MAX);
        wrong += shuttle.lower(place) < lower[c] || shuttle.upper(place) > upper[c];
        wrong += shuttle.lower(place) > x.counts[c] || shuttle.upper(place) < x.counts[c];
        lower[c] = shuttle.lower(place);
        upper[c] = shuttle.upper(place);
      }
    }
  }
  CHECK_EQ(wrong, 0);
}

// One count of a margin too many: where the shuttle finds no table there is none. Two margins with
// different totals it always finds out.
TEST(margins_without_a_table_cross) {
  PublicRandom random(5);
  int found = 0;
  for (int round = 0; round < 60; ++round) {
    const cases::Dense x = cases::random_dense(random, {2, 3, 2}, 3, 1);
    Released released(random, x, {3, 6, 5});
    auto& counts = released.own[random.below(3)].counts;
    if (counts.empty()) continue;
    counts[random.below(counts.size())] += 1;
    GeneralizedShuttle shuttle(x.levels, released.margins(), 1000);
    CHECK(!shuttle.run(10000, kQuiet));
    ++found;
  }
  CHECK(found > 50);
}

TEST(room_is_counted_in_super_cells) {
  const std::vector<std::uint32_t> levels = {2, 3, 4};
  CHECK(GeneralizedShuttle::has_room(levels, 60));
  CHECK(!GeneralizedShuttle::has_room(levels, 59));
  CHECK(!GeneralizedShuttle::has_room(std::vector<std::uint32_t>(64, 3), SIZE_MAX / 2));
  CHECK_THROWS(TooLargeError, GeneralizedShuttle(levels, {}, 59));
  CHECK_EQ(GeneralizedShuttle(levels, {}, 60).stride()[2], 12u);
}

TEST(large_counts_do_not_overflow) {
  const std::int64_t large = std::int64_t{1} << 51;
  const cases::Dense x{{2, 2}, {large, 1, 0, large - 1}};
  PublicRandom random(6);
  const Released released(random, x, {1, 2});
  GeneralizedShuttle shuttle(x.levels, released.margins(), 9);
  CHECK(shuttle.run(100, kQuiet));
  CHECK_EQ(shuttle.lower(shuttle.place({0, 0})), 1);
  CHECK_EQ(shuttle.upper(shuttle.place({0, 0})), large);
  CHECK_EQ(shuttle.lower(shuttle.place({2, 2})), 2 * large);
}

TEST(runs_can_be_stopped) {
  PublicRandom random(7);
  const cases::Dense x = cases::random_dense(random, {3, 3}, 5, 0);
  const Released released(random, x, {1, 2});
  GeneralizedShuttle shuttle(x.levels, released.margins(), 100);
  CHECK_THROWS(int, shuttle.run(100, [](double) { throw 1; }));
}
