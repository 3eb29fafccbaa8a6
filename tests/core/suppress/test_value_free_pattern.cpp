// The choice against itself on all tables of the same status, and certificates that keep it.
#include <algorithm>
#include <map>

#include "check.hpp"
#include "status_cases.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

// The inner counts of the table that a certificate leads to.
std::vector<std::int64_t> other_counts(const StatusCase& c, const StoredCells& cells,
                                       const Certificate& certificate) {
  std::vector<std::int64_t> out = c.pattern.table.counts;
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::uint32_t at = cells.find(cells.key_of(c.pattern.table.inner[k].data()));
    for (std::size_t e = 0; e < certificate.cell.size(); ++e)
      if (certificate.cell[e] == at) out[k] += certificate.change[e];
  }
  return out;
}

}  // namespace

TEST(whoever_knows_the_method_cannot_exclude_the_other_tables) {
  Dice dice(2);
  std::size_t n_keeping = 0, n_uncovered = 0, n_secondary = 0;
  std::map<std::size_t, std::size_t> n_level;
  for (int i = 0; i < check::cases(24, 80); ++i) {
    const StatusCase c = random_status_case(dice, 9, false);
    const StoredCells cells = c.pattern.table.stored();
    const ValueFreePattern found = choose(c, cells, i % 4 != 0);
    const Answer own(found.level, hidden_cells(cells, found.pattern.hidden));
    SuppressionProblem same = c.pattern.problem;
    same.system.lower = c.status.lower;
    same.system.upper = c.status.upper;
    int n_reruns = 0;
    for (const Certificate& certificate : found.keeping) {
      CHECK(certifies(same, found.pattern.hidden, certificate));
      if (++n_reruns <= check::cases(1, 1000))
        CHECK(rerun(c, other_counts(c, cells, certificate), i % 4 != 0) == own);
    }
    CHECK(open_set(found.uncovered) == open_set(open_demands(c.pattern.problem, found.keeping)));
    if (found.level > 0) CHECK(found.uncovered.empty());
    n_keeping += found.keeping.size();
    n_uncovered += found.uncovered.size();
    n_secondary += static_cast<std::size_t>(found.pattern.cost);
    if (!found.keeping.empty()) ++n_level[found.level];
  }
  CHECK(n_keeping > 20);
  CHECK(n_uncovered > 3);
  CHECK(n_secondary > 25);
  CHECK(n_level[0] > 0);
  CHECK(n_level[1] > 0);
  CHECK(n_level.rbegin()->first > 1);
}

TEST(the_choice_looks_at_no_count) {
  Dice dice(62);
  int n_compared = 0;
  const int n = check::cases(20, 200);
  for (int i = 0; i < n; ++i) {
    const StatusCase c = random_status_case(dice, 9, i % 3 == 0);
    // other counts of the same cells: where the status of all totals stays, so does the choice
    std::vector<std::int64_t> counts = c.pattern.table.counts;
    for (std::int64_t& count : counts)
      if (count > c.most) count = c.most + dice.between(1, 9);
    const PatternCase other = [&] {
      PublishedTable table = c.pattern.table;
      table.counts = counts;
      return with_rule(table, c.most);
    }();
    if (other.problem.role != c.pattern.problem.role) continue;
    ++n_compared;
    CHECK(rerun(c, counts, false) == answer(c, false));
  }
  CHECK(2 * n_compared > n);
}

TEST(certificates_of_the_table_as_it_is_hold) {
  Dice dice(63);
  for (int i = 0; i < check::cases(9, 400); ++i) {
    const StatusCase c = random_status_case(dice, 9, i % 3 == 0);
    const StoredCells cells = c.pattern.table.stored();
    const ValueFreePattern found = choose(c, cells, i % 2 == 0);
    for (const Certificate& certificate : found.pattern.certificates)
      CHECK(certifies(c.pattern.problem, found.pattern.hidden, certificate));
    CHECK(open_set(found.pattern.lacking) ==
          open_set(open_demands(c.pattern.problem, found.pattern.certificates)));
    std::int64_t cost = 0;
    for (std::size_t k = 0; k < c.pattern.problem.n_cells(); ++k)
      cost += c.pattern.problem.role[k] == CellRole::candidate && found.pattern.hidden[k] ? 1 : 0;
    CHECK_EQ(found.pattern.cost, cost);
  }
}

TEST(a_choice_that_time_cuts_short_promises_nothing) {
  Dice dice(64);
  for (int i = 0; i < 20; ++i) {
    const StatusCase c = random_status_case(dice, 9, false);
    const StoredCells cells = c.pattern.table.stored();
    ValueFreeLimits limits;
    limits.seconds = 0;
    const ValueFreePattern found =
        value_free_pattern(cells, c.pattern.problem, c.status, limits, nullptr);
    if (!found.choice_stopped) continue;
    CHECK(found.pattern.stopped);
    CHECK_EQ(found.keeping.size(), std::size_t{0});
    CHECK_EQ(found.uncovered.size(), c.pattern.problem.demands.size());
  }
}

TEST(only_levels_are_offered_and_what_is_too_dear_is_told) {
  Dice dice(2);
  std::size_t n_taken = 0, n_dear = 0;
  for (int i = 0; i < check::cases(12, 25); ++i) {
    const StatusCase c = random_status_case(dice, 12, false);
    const StoredCells cells = c.pattern.table.stored();
    ValueFreeLimits limits;
    limits.blind.idle_sweeps = 2;
    const ValueFreePattern all =
        value_free_pattern(cells, c.pattern.problem, c.status, limits, nullptr);
    limits.only_levels = true;
    limits.blind.most_price = 1.1;
    const ValueFreePattern found =
        value_free_pattern(cells, c.pattern.problem, c.status, limits, nullptr);
    if (found.level > 0) {
      CHECK_EQ(all.level, found.level);
      CHECK(all.pattern.hidden == found.pattern.hidden);
      ++n_taken;
    } else {
      CHECK_EQ(found.pattern.certificates.size(), std::size_t{0});
      CHECK(found.keeping.empty());
      if (found.dear_cost > 0) CHECK(10 * found.dear_cost > 11 * found.usual_cost);
      n_dear += found.dear_cost > 0;
    }
  }
  CHECK(n_taken > 2);
  CHECK(n_dear > 0);
}
