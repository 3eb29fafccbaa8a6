// What certificates claim, against all tables that agree with the publication: for the outsider,
// for everybody who is alone in a cell, for pairs of people, and for readers who know the method.
// SDCLATTICE_LONG=1 takes 10,000 tables.
#include "agreeing_tables.hpp"
#include "check.hpp"
#include "status_cases.hpp"
#include "suppress/certified_pattern.hpp"
#include "suppress/joint_knowers.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

constexpr std::int64_t kRise = 4;
constexpr std::size_t kMostTables = 20000;

// The cells of a problem in all listed tables, and what the readers know of them.
struct Listed {
  std::vector<std::vector<std::int64_t>> values;  // of each table, of each cell
  bool complete = false;
};

std::map<Nodes, char> by_nodes(const StoredCells& cells, const std::vector<char>& hidden) {
  std::map<Nodes, char> out;
  for (std::uint32_t i = 0; i < cells.n_cells(); ++i) out[nodes_of(cells, i)] = hidden[i];
  return out;
}

Listed list_tables(const PatternCase& c, const StoredCells& cells,
                   const std::vector<char>& hidden) {
  const AgreeingTables found(c.table, seen_by_all(c.table, by_nodes(cells, hidden), c.floor), kRise,
                             kMostTables);
  std::vector<std::vector<std::size_t>> below(cells.n_cells());
  for (std::uint32_t i = 0; i < cells.n_cells(); ++i)
    for (std::size_t k = 0; k < c.table.inner.size(); ++k)
      if (c.table.is_below(c.table.inner[k], nodes_of(cells, i))) below[i].push_back(k);
  Listed out;
  out.complete = found.complete();
  for (const std::vector<std::int64_t>& counts : found.all()) {
    out.values.emplace_back(cells.n_cells(), 0);
    for (std::uint32_t i = 0; i < cells.n_cells(); ++i)
      for (const std::size_t k : below[i]) out.values.back()[i] += counts[k];
  }
  return out;
}

// Whether she sees no difference between the table and the one that there is.
bool is_same_to(const SuppressionProblem& problem, std::uint32_t knower,
                const std::vector<std::int64_t>& value) {
  if (knower == OpenDemand::kNobody) return true;
  for (const std::uint32_t i : problem.knowers[knower])
    if (value[i] != problem.value[i]) return false;
  return true;
}

struct Interval {
  std::int64_t low, high;
};

Interval interval_of(const SuppressionProblem& problem, const Listed& listed, std::uint32_t cell,
                     std::uint32_t knower) {
  Interval out{problem.value[cell], problem.value[cell]};
  for (const std::vector<std::int64_t>& value : listed.values) {
    if (!is_same_to(problem, knower, value)) continue;
    out.low = std::min(out.low, value[cell]);
    out.high = std::max(out.high, value[cell]);
  }
  return out;
}

bool meets(const Demand& demand, std::int64_t truth, const Interval& interval) {
  return interval.high >= truth + demand.up && interval.low <= truth - demand.down &&
         interval.high - interval.low >= demand.slide;
}

struct Tally {
  int pairs = 0, knower_pairs = 0, impossible = 0, tables = 0, needed = 0;
};

bool knows(const SuppressionProblem& problem, std::uint32_t knower, std::uint32_t cell) {
  if (knower == OpenDemand::kNobody) return false;
  const std::vector<std::uint32_t>& own = problem.knowers[knower];
  return std::binary_search(own.begin(), own.end(), cell);
}

// The inner counts of a table of which all stored cells are given.
std::vector<std::int64_t> counts_in(const StatusCase& c, const StoredCells& cells,
                                    const std::vector<std::int64_t>& value) {
  std::vector<std::int64_t> out;
  for (const Nodes& nodes : c.pattern.table.inner) {
    const std::uint32_t at = cells.find(cells.key_of(nodes.data()));
    out.push_back(at == StoredCells::kNone ? 0 : value[at]);
  }
  return out;
}

std::vector<std::uint32_t> readers_of(const SuppressionProblem& problem) {
  std::vector<std::uint32_t> out{OpenDemand::kNobody};
  for (std::uint32_t k = 0; k < problem.knowers.size(); ++k) out.push_back(k);
  return out;
}

// What is not said to be open holds in the list; each table of a certificate is in it, unless it
// rises further.
void check_readers(const SuppressionProblem& problem, const Listed& listed,
                   const std::vector<Certificate>& certificates, const Open& open, Tally& tally) {
  const std::set<std::vector<std::int64_t>> all(listed.values.begin(), listed.values.end());
  bool inside = true;
  for (const Certificate& certificate : certificates) {
    std::vector<std::int64_t> value = problem.value;
    bool rises = false;
    for (std::size_t e = 0; e < certificate.cell.size(); ++e) {
      value[certificate.cell[e]] += certificate.change[e];
      rises = rises || certificate.change[e] > kRise;
    }
    inside = inside && !rises;
    CHECK(rises || !listed.complete || all.count(value) == 1);
  }
  if (!inside || !listed.complete) return;
  for (std::uint32_t d = 0; d < problem.demands.size(); ++d) {
    const Demand& demand = problem.demands[d];
    for (const std::uint32_t k : readers_of(problem)) {
      if (knows(problem, k, demand.cell) || open.count({d, k}) ||
          open.count({d, OpenDemand::kNobody}))
        continue;
      const Interval interval = interval_of(problem, listed, demand.cell, k);
      CHECK(meets(demand, problem.value[demand.cell], interval));
      // the claim itself: what her certificates reach lies in what is possible to her
      std::int64_t low = 0, high = 0;
      for (const Certificate& certificate : certificates) {
        std::int64_t own = 0;
        bool sees = false;
        for (std::size_t e = 0; e < certificate.cell.size(); ++e) {
          sees = sees || knows(problem, k, certificate.cell[e]);
          if (certificate.cell[e] == demand.cell) own = certificate.change[e];
        }
        low = std::min(low, sees ? 0 : own);
        high = std::max(high, sees ? 0 : own);
      }
      const std::int64_t truth = problem.value[demand.cell];
      CHECK(interval.low <= truth + low && truth + high <= interval.high);
      CHECK(meets(demand, truth, {truth + low, truth + high}));
      ++tally.pairs;
      tally.knower_pairs += k != OpenDemand::kNobody;
    }
  }
  ++tally.tables;
}

// What is said to be impossible is so in all tables of the list with all candidates hidden.
void check_impossible(const PatternCase& c, const StoredCells& cells,
                      const std::vector<OpenDemand>& lacking, Tally& tally) {
  if (lacking.empty()) return;
  std::vector<char> all(cells.n_cells(), 0);
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k] = c.problem.role[k] == CellRole::primary || c.problem.role[k] == CellRole::candidate;
  const Listed listed = list_tables(c, cells, all);
  for (const OpenDemand& open : lacking) {
    if (!open.impossible) continue;
    const Demand& demand = c.problem.demands[open.demand];
    CHECK(!meets(demand, c.problem.value[demand.cell],
                 interval_of(c.problem, listed, demand.cell, open.knower)));
    ++tally.impossible;
  }
}

// What the list says when one secondary cell is published after all: is a demand no longer met?
bool opens_something(const PatternCase& c, const StoredCells& cells,
                     const SuppressionPattern& pattern) {
  std::vector<char> hidden = pattern.hidden;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    if (!hidden[i] || c.problem.role[i] != CellRole::candidate) continue;
    hidden[i] = 0;
    break;
  }
  const Listed listed = list_tables(c, cells, hidden);
  for (const Demand& demand : c.problem.demands)
    for (const std::uint32_t k : readers_of(c.problem))
      if (!knows(c.problem, k, demand.cell) &&
          !meets(demand, c.problem.value[demand.cell],
                 interval_of(c.problem, listed, demand.cell, k)))
        return true;
  return false;
}

}  // namespace

TEST(certified_cells_have_their_intervals_for_outsiders_and_single_contributors) {
  Dice dice(231);
  Tally tally;
  const int n = check::cases(180, 10000);
  for (int i = 0; i < n; ++i) {
    const PatternCase c = random_pattern_case(dice, 8, i % 2 == 0);
    const StoredCells cells = c.table.stored();
    PatternLimits limits;
    limits.seconds = 5;
    const SuppressionPattern pattern = certified_pattern(cells, c.problem, limits, nullptr);
    check_readers(c.problem, list_tables(c, cells, pattern.hidden), pattern.certificates,
                  open_set(pattern.lacking), tally);
    if (pattern.lacking.empty()) {
      tally.needed += pattern.optimal && pattern.cost > 0 && opens_something(c, cells, pattern);
      continue;
    }
    check_impossible(c, cells, pattern.lacking, tally);
  }
  std::cout << n << " tables, " << tally.tables << " listed wholly, " << tally.pairs
            << " intervals of a cell and a reader, " << tally.knower_pairs
            << " of them of single contributors, " << tally.impossible << " impossible"
            << std::endl;
  CHECK(tally.tables > n / 2 && tally.pairs > n && tally.knower_pairs > n / 4);
  CHECK(tally.impossible > n / 10);
  CHECK(tally.needed > n / 10);
}

TEST(certified_cells_have_their_intervals_for_pairs_of_people) {
  Dice dice(233);
  Tally tally;
  const int n = check::cases(120, 10000);
  int n_exact = 0;
  for (int i = 0; i < n; ++i) {
    PatternCase c = random_pattern_case(dice, 8, i % 2 == 0);
    const StoredCells cells = c.table.stored();
    c.problem.knowers = knowers_of_ones(cells);
    add_coalitions(c.problem, cells, 2, totals_of_few(cells, 2));
    PatternLimits limits;
    limits.seconds = 5;
    limits.exact_only = i % 4 == 0;
    const SuppressionPattern pattern = certified_pattern(cells, c.problem, limits, nullptr);
    n_exact += pattern.optimal;
    check_readers(c.problem, list_tables(c, cells, pattern.hidden), pattern.certificates,
                  open_set(pattern.lacking), tally);
    check_impossible(c, cells, pattern.lacking, tally);
  }
  std::cout << n << " tables, " << tally.tables << " listed wholly, " << tally.pairs
            << " intervals of a cell and a reader, " << tally.knower_pairs
            << " of them of people and pairs, " << tally.impossible << " impossible, " << n_exact
            << " optimal" << std::endl;
  CHECK(tally.tables > n / 2 && tally.knower_pairs > 3 * n);
  CHECK(tally.impossible > n / 20 && n_exact > n / 2);
}

TEST(certificates_that_keep_the_status_have_theirs_for_readers_who_know_the_method) {
  Dice dice(232);
  Tally tally;
  const int n = check::cases(28, 10000);
  int n_rerun = 0, n_uncovered = 0;
  for (int i = 0; i < n; ++i) {
    const StatusCase c = random_status_case(dice, 8, i % 3 == 0);
    const StoredCells cells = c.pattern.table.stored();
    // a level may exclude tables of the status, and none that a certificate leads to
    const bool has_levels = i % 2 == 0;
    const ValueFreePattern found = choose(c, cells, has_levels);
    Listed listed = list_tables(c.pattern, cells, found.pattern.hidden);
    const auto keeps = [&](const std::vector<std::int64_t>& value) {
      for (std::size_t k = 0; k < value.size(); ++k)
        if (value[k] < c.status.lower[k] || value[k] > c.status.upper[k]) return false;
      return true;
    };
    std::vector<std::vector<std::int64_t>> kept;
    for (const auto& value : listed.values)
      if (keeps(value)) kept.push_back(value);
    listed.values = kept;
    n_uncovered += static_cast<int>(found.uncovered.size());
    check_readers(c.pattern.problem, listed, found.keeping, open_set(found.uncovered), tally);
    if (!c.pattern.table.crossings.empty() || !listed.complete || found.choice_stopped ||
        i % 4 != 1)
      continue;
    // without levels the method cannot tell any of these tables from the true one
    const auto& other =
        listed.values[static_cast<std::size_t>(dice.below(static_cast<int>(listed.values.size())))];
    CHECK(rerun(c, counts_in(c, cells, other), has_levels) == answer(c, has_levels));
    ++n_rerun;
  }
  std::cout << n << " tables, " << tally.tables << " listed wholly, " << tally.pairs
            << " intervals, " << tally.knower_pairs << " of single contributors, " << n_uncovered
            << " without a certificate, " << n_rerun << " run again" << std::endl;
  CHECK(tally.pairs > n / 4 && tally.knower_pairs > n / 20 && n_rerun > n / 20);
}
