// Patterns against open_demands(), against sums over inner cells, and against all tables.
#include "base/work_clock.hpp"
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/move_pattern.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

void check_pattern(const PatternCase& c, const StoredCells& cells,
                   const SuppressionPattern& pattern) {
  const SuppressionProblem& problem = c.problem;
  CHECK_EQ(pattern.hidden.size(), problem.n_cells());
  std::int64_t cost = 0;
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell) {
    const CellRole role = problem.role[cell];
    if (role == CellRole::primary) CHECK(pattern.hidden[cell] != 0);
    if (role == CellRole::open || role == CellRole::unseen) CHECK(pattern.hidden[cell] == 0);
    cost += role == CellRole::candidate && pattern.hidden[cell] ? problem.cost[cell] : 0;
  }
  CHECK_EQ(pattern.cost, cost);
  for (const Certificate& certificate : pattern.certificates) {
    CHECK(certifies(problem, pattern.hidden, certificate));
    CHECK(is_witness(c.table, cells, pattern.hidden, c.floor, certificate));
  }
  CHECK(open_set(pattern.lacking) == open_set(open_demands(problem, pattern.certificates)));
  CHECK_EQ(pattern.optimal, pattern.cost == 0 && pattern.lacking.empty());
}

// All tables of inner cells that agree with what is published, each count at most two larger.
template <class Visit>
void each_agreeing(const PatternCase& c, const StoredCells& cells, const std::vector<char>& hidden,
                   Visit visit) {
  std::vector<std::pair<std::vector<std::size_t>, std::pair<std::int64_t, std::int64_t>>> sums;
  for (const auto& cell : c.table.sums(c.table.counts)) {
    if (!c.table.is_published(cell.first)) continue;
    const std::uint32_t at = cells.find(cells.key_of(cell.first.data()));
    const bool is_hidden = at != StoredCells::kNone && hidden[at];
    std::vector<std::size_t> below;
    for (std::size_t k = 0; k < c.table.inner.size(); ++k)
      if (c.table.is_below(c.table.inner[k], cell.first)) below.push_back(k);
    const std::int64_t low = is_hidden ? c.floor : cell.second;
    sums.push_back({below, {low, is_hidden ? kNoLimit : cell.second}});
  }
  small_tables::Whole lower(c.table.inner.size(), 0), upper = c.table.counts;
  for (std::int64_t& most : upper) most += 2;
  for (const auto& sum : sums)
    if (sum.first.size() == 1) {
      lower[sum.first[0]] = std::max(lower[sum.first[0]], sum.second.first);
      upper[sum.first[0]] = std::min(upper[sum.first[0]], sum.second.second);
    }
  small_tables::each_between(lower, upper, [&](const small_tables::Whole& inner) {
    for (const auto& sum : sums) {
      std::int64_t total = 0;
      for (const std::size_t k : sum.first) total += inner[k];
      if (total < sum.second.first || total > sum.second.second) return;
    }
    visit(inner);
  });
}

std::int64_t total_of(const PublishedTable& table, const Nodes& cell,
                      const std::vector<std::int64_t>& inner) {
  std::int64_t out = 0;
  for (std::size_t k = 0; k < inner.size(); ++k)
    out += table.is_below(table.inner[k], cell) ? inner[k] : 0;
  return out;
}

}  // namespace

TEST(patterns_are_certified) {
  Dice dice(15);
  std::size_t n_certificates = 0, n_lacking = 0;
  for (int i = 0; i < 100; ++i) {
    const PatternCase c = random_pattern_case(dice, 30, false);
    const StoredCells cells = c.table.stored();
    const SuppressionPattern pattern =
        move_pattern(cells, c.problem, {}, {60, static_cast<std::uint64_t>(i), 1, 2}, {});
    CHECK(!pattern.stopped);
    check_pattern(c, cells, pattern);
    n_certificates += pattern.certificates.size();
    n_lacking += pattern.lacking.size();
  }
  CHECK(n_certificates > 200);
  CHECK(n_lacking > 8);
}

// Each demand truly has other tables, against the outsider and against each knower.
TEST(all_tables_agree_with_the_claims) {
  Dice dice(16);
  int n_cases = 0;
  for (int i = 0; i < 250; ++i) {
    const PatternCase c = random_pattern_case(dice, 6, true);
    const StoredCells cells = c.table.stored();
    const SuppressionPattern pattern = move_pattern(cells, c.problem, {}, {60, 1, 2, 2}, {});
    std::vector<std::vector<std::int64_t>> tables;
    each_agreeing(c, cells, pattern.hidden, [&](const auto& inner) { tables.push_back(inner); });
    const Open open = open_set(pattern.lacking);
    for (std::uint32_t d = 0; d < c.problem.demands.size(); ++d) {
      const Demand& demand = c.problem.demands[d];
      if (demand.up > 1 || demand.down > 1 || demand.slide > 1) continue;  // larger changes
      const Nodes cell = nodes_of(cells, demand.cell);
      if (open.count({d, OpenDemand::kNobody})) continue;
      for (std::uint32_t k = 0; k <= c.problem.knowers.size(); ++k) {
        std::vector<std::uint32_t> known;
        if (k < c.problem.knowers.size()) known = c.problem.knowers[k];
        if (open.count({d, k}) || std::count(known.begin(), known.end(), demand.cell)) continue;
        std::set<std::int64_t> values;
        for (const auto& inner : tables) {
          bool agrees = true;
          for (const std::uint32_t at : known)
            agrees = agrees && total_of(c.table, nodes_of(cells, at), inner) == c.problem.value[at];
          if (agrees) values.insert(total_of(c.table, cell, inner));
        }
        ++n_cases;
        CHECK(values.size() > 1);
        const std::int64_t own = c.problem.value[demand.cell];
        CHECK(demand.up == 0 || *values.rbegin() > own);
        CHECK(demand.down == 0 || *values.begin() < own);
      }
    }
  }
  CHECK(n_cases > 120);
}

TEST(a_search_does_not_make_a_pattern_dearer) {
  Dice dice(17);
  std::int64_t constructed = 0, searched = 0, from_start = 0;
  for (int i = 0; i < 30; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    const SuppressionPattern first = move_pattern(cells, c.problem, {}, {60, 1, 0, 2}, {});
    const SuppressionPattern best = move_pattern(cells, c.problem, {}, {60, 1, 3, 2}, {});
    const SuppressionPattern again =
        move_pattern(cells, c.problem, first.certificates, {60, 1, 3, 2}, {});
    check_pattern(c, cells, first);
    check_pattern(c, cells, again);
    CHECK(best.lacking.size() < first.lacking.size() ||
          (best.lacking.size() == first.lacking.size() && best.cost <= first.cost));
    CHECK(again.lacking.size() < first.lacking.size() ||
          (again.lacking.size() == first.lacking.size() && again.cost <= first.cost));
    constructed += first.cost;
    searched += best.cost;
    from_start += again.cost;
  }
  CHECK(searched < constructed);
  CHECK(from_start < constructed);
}

TEST(the_same_seed_gives_the_same_pattern) {
  Dice dice(18);
  for (int i = 0; i < 20; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    const SuppressionPattern a = move_pattern(cells, c.problem, {}, {60, 7, 1, 2}, {});
    const SuppressionPattern b = move_pattern(cells, c.problem, {}, {60, 7, 1, 2}, {});
    CHECK_EQ(a.hidden, b.hidden);
    CHECK_EQ(a.certificates.size(), b.certificates.size());
  }
}

TEST(a_search_that_is_stopped_keeps_what_it_has) {
  Dice dice(19);
  int n_stopped = 0;
  for (int i = 0; i < 30; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    int ticks = 0;
    const int most = dice.between(1, 4);
    const Tick tick = [&](double done) {
      CHECK(done >= 0 && done <= 1);
      if (++ticks >= most) throw WorkInterrupted();
    };
    const SuppressionPattern pattern = move_pattern(cells, c.problem, {}, {60, 1, 6, 2}, tick);
    n_stopped += pattern.stopped;
    check_pattern(c, cells, pattern);
  }
  CHECK(n_stopped > 5);
  const PatternCase c = random_pattern_case(dice, 36, false);
  const Tick faulty = [](double) { throw std::runtime_error("stop"); };
  PatternCase larger = c;
  while (larger.problem.demands.size() < 20) larger = random_pattern_case(dice, 36, false);
  const StoredCells cells = larger.table.stored();
  CHECK_THROWS(std::runtime_error, move_pattern(cells, larger.problem, {}, {}, faulty));
}
