// Critical widths: against the closed form of each release, and against all tables.
#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/critical_widths.hpp"
#include "release/graph_cases.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// The sub-table and the one-way tables of all other variables: a cell holds at most the least of
// its counts, and at least their sum less the total for each but one.
std::int64_t by_closed_form(const Dense& x, const Stored& stored, Mask set) {
  std::vector<Mask> sets = {set};
  for (std::size_t v = 0; v < x.n_variables(); ++v)
    if (!in(set, v)) sets.push_back(Mask{1} << v);
  std::vector<std::map<Levels, std::int64_t>> margins;
  for (Mask s : sets) margins.push_back(x.margin(s));
  const std::int64_t total = x.margin(0)[{}];
  std::int64_t width = INT64_MAX;
  for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
    std::int64_t lower = total, upper = total;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const std::int64_t count = margins[i][x.at(stored.risk_cell(k), sets[i])];
      lower -= total - count;
      upper = std::min(upper, count);
    }
    width = std::min(width, upper - std::max<std::int64_t>(lower, 0));
  }
  return width;
}

// The same of levels: with a variable at a coarser level its finest one is joined over that.
std::int64_t by_level(const Dense& x, const Stored& stored, const LevelSteps& steps, Mask set) {
  const auto whole = x.margin(set);
  std::vector<std::map<Levels, std::int64_t>> finest, shared;
  for (std::size_t v = 0; v < steps.n_variables(); ++v) {
    finest.push_back(x.margin(steps.steps_of(v)));
    shared.push_back(x.margin(steps.steps_of(v) & set));
  }
  std::int64_t width = INT64_MAX;
  for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
    const auto at = [&](Mask s) { return x.at(stored.risk_cell(k), s); };
    std::int64_t lower = whole.at(at(set)), upper = lower;
    for (std::size_t v = 0; v < steps.n_variables(); ++v) {
      const std::int64_t one_way = finest[v].at(at(steps.steps_of(v)));
      lower += one_way - shared[v].at(at(steps.steps_of(v) & set));
      upper = std::min(upper, one_way);
    }
    width = std::min(width, upper - std::max<std::int64_t>(lower, 0));
  }
  return width;
}

// Of all sub-tables, by number.
std::vector<std::int64_t> all_widths(const RiskCells& cells, const Tick& tick = {}) {
  CriticalWidths found;
  critical_widths(cells, {}, found, tick);
  std::vector<std::int64_t> out(std::size_t{1} << cells.n_variables(), -1);
  CHECK_EQ(found.set.size(), out.size());
  CHECK(!found.late && found.complete == cells.n_variables());
  for (std::size_t i = 0; i < found.set.size(); ++i) out[found.set[i]] = found.width[i];
  return out;
}

// Whether the widths are those of `all`, each set once, and none is missing that must be there.
bool is_part(const CriticalWidths& found, const std::vector<std::int64_t>& all) {
  std::vector<int> seen(all.size(), 0);
  for (std::size_t i = 0; i < found.set.size(); ++i)
    if (found.width[i] != all[found.set[i]] || ++seen[found.set[i]] > 1) return false;
  for (SubTable set = 0; set < all.size(); ++set)
    if (found.complete > 0 && set_size(set) <= found.complete && seen[set] == 0) return false;
  return true;
}

}  // namespace

TEST(widths_are_those_of_the_closed_form) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 120; ++round) {
    const std::size_t n = 1 + random.below(5);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 12, random.below(4));
    const Stored stored(x, 4, round % 5 == 0 ? Levels(n, 60000) : Levels());
    if (stored.at_risk.empty()) continue;
    const auto found = all_widths(stored.risk());
    wrong += found.size() != std::size_t{1} << n;
    for (Mask set = 0; set <= x.all(); ++set) wrong += found[set] != by_closed_form(x, stored, set);
  }
  CHECK_EQ(wrong, 0);
}

TEST(widths_are_those_of_all_tables) {
  PublicRandom random(2);
  int wrong = 0, judged = 0;
  for (int round = 0; round < 25; ++round) {
    const Dense x = random_dense(random, {2, 2, 2}, 3, 1);
    const Stored stored(x, 2);
    if (stored.at_risk.empty()) continue;
    const auto found = all_widths(stored.risk());
    for (Mask set = 0; set < 8; ++set) {
      const auto exact = sharp_bounds(x, maximal({set, 1, 2, 4}));
      if (exact.empty()) continue;
      std::int64_t width = INT64_MAX;
      for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
        width = std::min(width, exact[stored.risk_cell(k)].width());
      wrong += found[set] != width;
      ++judged;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 80);
}

TEST(critical_widths_are_those_of_the_most_parsimonious_releases) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const SmallTable table(seed, 2 + seed % 4, seed % 7 == 0);
    const RiskCells cells = table.risk();
    if (cells.size() == 0) continue;
    const std::vector<std::int64_t> found = all_widths(cells);
    for (SubTable set = 1; set <= cells.all_variables(); ++set)
      wrong += found[set] != width_of(cells, DecomposableGraph(cells.n_variables(), {set}));
  }
  CHECK_EQ(wrong, 0);
}

TEST(widths_by_level_are_those_of_the_closed_form) {
  PublicRandom random(5);
  int wrong = 0, judged = 0;
  for (int round = 0; round < 25; ++round) {
    const Levels drawn = random_levels(random, 1 + random.below(3), 1, 2);
    const std::vector<std::size_t> levels(drawn.begin(), drawn.end());
    const LevelSteps steps(levels);
    const std::size_t n = steps.n_steps();
    const Dense x = random_dense(random, random_levels(random, n, 2, 2), 6, random.below(4));
    const Stored stored(x, 4);
    if (stored.at_risk.empty()) continue;
    for (std::size_t d = 1; d <= levels.size(); ++d) {
      CriticalWidths whole, parts;
      critical_widths(stored.risk(), {d, 1e9, 0, 0, levels}, whole);
      std::size_t expected = 0;
      for_closed_sets(
          steps, [&](std::size_t, SubTable set) { expected += steps.n_variables_in(set) <= d; });
      wrong += whole.set.size() != expected || whole.complete != d;
      std::map<SubTable, std::int64_t> once;
      for (std::size_t i = 0; i < whole.set.size(); ++i) {
        const SubTable set = whole.set[i];
        wrong += !steps.is_closed(set) || !once.insert({set, whole.width[i]}).second;
        wrong += whole.width[i] != by_level(x, stored, steps, static_cast<Mask>(set));
      }
      const std::size_t split = std::min<std::size_t>(n, 3);
      for (SubTable left = 0; left < SubTable{1} << split; ++left) {
        critical_widths(stored.risk(), {d, 1e9, split, left, levels}, parts);
        for (std::size_t i = 0; i < parts.set.size(); ++i) {
          wrong += once[parts.set[i]] != parts.width[i];
          --expected;
        }
      }
      wrong += expected != 0;
      ++judged;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 20);
}

TEST(larger_sub_tables_are_no_wider_and_the_table_shows_all) {
  PublicRandom random(3);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const Dense x = random_dense(random, {2, 3, 2, 2}, 15, 1);
    const Stored stored(x, 5);
    if (stored.at_risk.empty()) continue;
    const auto found = all_widths(stored.risk());
    for (Mask set = 0; set < 16; ++set)
      for (std::size_t v = 0; v < 4; ++v) wrong += found[set | Mask{1} << v] > found[set];
    wrong += found[15] != 0 || found[0] != found[1] || found[1] != found[8];
  }
  CHECK_EQ(wrong, 0);
}

TEST(large_counts_and_many_variables) {
  const std::int64_t large = std::int64_t{1} << 51;
  const Dense x{{2, 2}, {1, large, large, large}};
  const Stored stored(x, 1);
  CHECK(all_widths(stored.risk()) ==
        (std::vector<std::int64_t>{large + 1, large + 1, large + 1, 0}));
  const Dense one{Levels(4, 1), {1}};
  const Stored many(one, 1, Levels(31, 2));
  CHECK_THROWS(TooLargeError, all_widths(many.risk()));
}

TEST(walks_over_all_sub_tables_can_be_stopped) {
  const Dense x{Levels(7, 2), std::vector<std::int64_t>(128, 1)};
  const Stored stored(x, 1);
  CHECK_THROWS(int, all_widths(stored.risk(), [](double) { throw 1; }));
}

TEST(walks_over_few_variables_are_those_of_all) {
  PublicRandom random(4);
  int wrong = 0, judged = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random.below(6);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 12, random.below(4));
    const Stored stored(x, 4);
    if (stored.at_risk.empty()) continue;
    const auto all = all_widths(stored.risk());
    for (std::size_t d = 1; d <= n + 1; ++d) {
      CriticalWidths found;
      std::size_t at_most = 0;
      for (SubTable set = 0; set < all.size(); ++set) at_most += set_size(set) <= d;
      // In one pass, and in several: a limit of time that is never reached.
      for (const double seconds : {std::numeric_limits<double>::infinity(), 1e6}) {
        critical_widths(stored.risk(), {d, seconds}, found);
        wrong += !is_part(found, all) || found.late;
        wrong += found.set.size() != at_most || found.complete != std::min(d, n);
      }
      ++judged;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 150);
}

TEST(parts_make_up_the_whole) {
  PublicRandom random(5);
  int wrong = 0, judged = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 1 + random.below(6);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 12, random.below(4));
    const Stored stored(x, 4);
    if (stored.at_risk.empty()) continue;
    const auto all = all_widths(stored.risk());
    for (std::size_t split = 0; split <= n; ++split) {
      const std::size_t d = 1 + random.below(n);
      // In one pass, and in several.
      const double seconds = split % 2 ? 1e6 : std::numeric_limits<double>::infinity();
      std::size_t at_most = 0, together = 0;
      for (SubTable set = 0; set < all.size(); ++set) at_most += set_size(set) <= d;
      for (SubTable left = 0; left < SubTable{1} << split; ++left) {
        CriticalWidths found;
        critical_widths(stored.risk(), {d, seconds, split, left}, found);
        wrong += found.late || found.complete != d;
        const SubTable first = (SubTable{1} << split) - 1;
        for (std::size_t i = 0; i < found.set.size(); ++i) {
          wrong += found.width[i] != all[found.set[i]];
          wrong += (~found.set[i] & first) != left;
        }
        together += found.set.size();
      }
      wrong += together != at_most;
      ++judged;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(judged > 100);
}

TEST(what_is_known_stays_when_the_work_ends) {
  const Dense x{Levels(9, 2), std::vector<std::int64_t>(512, 1)};
  const Stored stored(x, 1);
  const auto all = all_widths(stored.risk());
  CriticalWidths none;
  critical_widths(stored.risk(), {9, 0}, none);
  CHECK(none.late && none.set.empty() && none.complete == 0);
  std::size_t most = 0;
  for (int calls = 1; calls < 14; ++calls) {
    CriticalWidths found;
    int left = calls;
    try {
      critical_widths(stored.risk(), {9, 1e6}, found, [&](double done) {
        CHECK(done > 0 && done <= 1);
        if (--left == 0) throw 1;
      });
    } catch (int) {
      CHECK(found.complete < 9);
    }
    CHECK(is_part(found, all));
    CHECK(found.set.size() >= most);
    most = found.set.size();
  }
  CHECK(most > 100);
}

TEST(steps_are_those_of_the_walk) {
  CHECK_EQ(critical_steps(6, 6), 64);
  CHECK_EQ(critical_steps(1, 1), 2);
  CHECK_EQ(critical_steps(3, 0), 4);   // the variables leave one after the other
  CHECK_EQ(critical_steps(4, 1), 11);  // 1 and, with the v-th leaving last, 1 + (v - 1)
  for (std::size_t n = 1; n < 12; ++n)
    for (std::size_t d = 1; d <= n; ++d) CHECK(critical_steps(n, d - 1) <= critical_steps(n, d));
}
