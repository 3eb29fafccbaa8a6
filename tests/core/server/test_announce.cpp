// Self-consistent announcements: the promise, by looking through the blocks of all tables; the
// figures of all 2 x 2 x 2 tables with 9 records; and what the rule may depend on.
#include <algorithm>
#include <map>

#include "check.hpp"
#include "listed_tables_of.hpp"
#include "server/announce.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

const Tick kNoTick;

struct Summary {
  double n = 0, broken = 0, released = 0;  // tables that start; of three tables of two variables
};

AnnounceProblem cube(const std::vector<double>& tables, const ListedRisk& risk) {
  return {{tables.data(), 8, tables.size() / 8}, {2, 2, 2}, risk, all_envelopes(3, 3)};
}

Announcement announced(const AnnounceProblem& problem, std::size_t steps, std::size_t threads = 1) {
  WorkerPool pool(threads);
  WorkClock clock(60, kNoTick);
  return announce(problem, steps, pool, clock);
}

bool at_risk(const ListedRisk& risk, double count) {
  return std::find(risk.counts.begin(), risk.counts.end(), count) != risk.counts.end();
}

// Which tables have a cell at risk that is narrow among the tables with the same mark?
std::vector<bool> breaking(const AnnounceProblem& problem, const std::vector<std::uint32_t>& mark) {
  struct Range {
    std::vector<double> low = std::vector<double>(8, 1e9), high = std::vector<double>(8, -1);
  };
  std::map<std::uint32_t, Range> ranges;
  for (std::size_t t = 0; t < mark.size(); ++t)
    for (std::size_t c = 0; c < 8; ++c) {
      Range& range = ranges[mark[t]];
      range.low[c] = std::min(range.low[c], problem.tables.table(t)[c]);
      range.high[c] = std::max(range.high[c], problem.tables.table(t)[c]);
    }
  std::vector<bool> out(mark.size(), false);
  for (std::size_t t = 0; t < mark.size(); ++t)
    for (std::size_t c = 0; c < 8; ++c)
      if (at_risk(problem.risk, problem.tables.table(t)[c]) &&
          ranges[mark[t]].high[c] - ranges[mark[t]].low[c] < problem.risk.width)
        out[t] = true;
  return out;
}

Summary summary(double records, double width, std::size_t steps) {
  Summary out;
  for (const auto& one : listed_tables_of::classes(3, records)) {
    const AnnounceProblem problem = cube(one.second, {{1, 2}, {}, width});
    const Announcement found = announced(problem, steps);
    const std::size_t n = problem.tables.n_tables;
    const std::vector<bool> hopeless = breaking(problem, std::vector<std::uint32_t>(n, 0)),
                            broken = breaking(problem, found.block);
    for (std::size_t t = 0; t < n; ++t) {
      CHECK_EQ(found.hopeless[t] != 0, bool(hopeless[t]));
      if (hopeless[t]) continue;
      ++out.n;
      out.broken += broken[t];
      if (found.envelope[t] == kNothingMore) continue;
      for (const SubTable pair : {3, 5, 6})
        for (const SubTable set : problem.envelopes[found.envelope[t]].sets)
          if (holds(set, pair)) {
            ++out.released;
            break;
          }
    }
  }
  return out;
}

}  // namespace

TEST(figures_of_nine_records) {
  const Summary first = summary(9, 2, 1), second = summary(9, 2, 2), third = summary(9, 2, 3);
  CHECK_EQ(second.n, 8016.0);
  CHECK_EQ(std::round(1000 * first.broken / first.n), 201.0);
  CHECK_EQ(std::round(100 * first.released / first.n), 81.0);
  CHECK_EQ(second.broken, 0.0);
  CHECK_EQ(std::round(100 * second.released / second.n), 66.0);
  CHECK_EQ(third.broken, 0.0);
  CHECK(third.released > second.released);
  const Summary wide = summary(9, 3, 2);
  CHECK_EQ(wide.n, 3736.0);
  CHECK_EQ(wide.broken, 0.0);
  CHECK_EQ(std::round(100 * wide.released / wide.n), 35.0);
}

// What a reader sees is the envelope and its margins: tables with equal ones must be one block, and
// others must not.
TEST(blocks_are_what_is_seen) {
  for (const auto& one : listed_tables_of::classes(3, 7)) {
    const AnnounceProblem problem = cube(one.second, {{1, 2}, {}, 2});
    const Announcement found = announced(problem, 3);
    std::map<std::vector<double>, std::uint32_t> seen;
    std::map<std::uint32_t, std::size_t> times;
    for (std::size_t t = 0; t < problem.tables.n_tables; ++t) {
      std::vector<double> view = {static_cast<double>(found.envelope[t])};
      if (found.envelope[t] != kNothingMore)
        for (const SubTable set : problem.envelopes[found.envelope[t]].sets) {
          std::vector<double> sums(8, 0);
          for (std::size_t c = 0; c < 8; ++c) sums[c & set] += problem.tables.table(t)[c];
          view.insert(view.end(), sums.begin(), sums.end());
        }
      CHECK_EQ(seen.emplace(view, found.block[t]).first->second, found.block[t]);
      ++times[found.block[t]];
      if (found.hopeless[t] != 0) CHECK_EQ(found.envelope[t], kNothingMore);
    }
    CHECK_EQ(seen.size(), times.size());
  }
}

TEST(threads_do_not_matter) {
  for (const auto& one : listed_tables_of::classes(3, 7)) {
    const AnnounceProblem problem = cube(one.second, {{1}, {}, 2});
    const Announcement a = announced(problem, 3), b = announced(problem, 3, 3);
    CHECK(a.envelope == b.envelope && a.block == b.block && a.hopeless == b.hopeless);
  }
}

TEST(few_envelopes_and_named_cells) {
  const auto classes = listed_tables_of::classes(3, 8);
  for (const auto& one : classes) {
    AnnounceProblem problem = cube(one.second, {{}, {0, 7}, 2});
    problem.envelopes = {{{3, 5}, 2}};
    const Announcement found = announced(problem, 3);
    for (std::size_t t = 0; t < problem.tables.n_tables; ++t) {
      CHECK(found.envelope[t] == 0 || found.envelope[t] == kNothingMore);
      if (found.hopeless[t] != 0) continue;
      for (const std::size_t c : {0, 7}) {
        double low = 1e9, high = -1;
        for (std::size_t other = 0; other < problem.tables.n_tables; ++other)
          if (found.block[other] == found.block[t]) {
            low = std::min(low, problem.tables.table(other)[c]);
            high = std::max(high, problem.tables.table(other)[c]);
          }
        CHECK(high - low >= 2);
      }
    }
    problem.envelopes.clear();
    for (const std::uint32_t e : announced(problem, 3).envelope) CHECK_EQ(e, kNothingMore);
  }
}

TEST(time_ends_an_announcement) {
  const auto classes = listed_tables_of::classes(3, 9);
  WorkerPool pool(2);
  WorkClock clock(0, kNoTick);
  const AnnounceProblem problem = cube(classes.begin()->second, {{1}, {}, 2});
  CHECK_THROWS(WorkTimeUp, announce(problem, 3, pool, clock));
}
