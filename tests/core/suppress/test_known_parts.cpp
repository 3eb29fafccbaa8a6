// What contributors know of cells, against all tables and all sets of cells.
#include "base/error.hpp"
#include "check.hpp"
#include "small_suppressions.hpp"
#include "suppress/certified_pattern.hpp"
#include "suppress/hitting_pattern.hpp"
#include "suppress/known_parts.hpp"

using namespace sdclattice;
using namespace small_suppressions;

namespace {

// A reader by what she knows: the cells that are hers alone, and the least of others.
struct Contributor {
  std::vector<std::uint32_t> alone;
  std::map<std::uint32_t, std::int64_t> least;
};

// Others exceed a cell by `room` at most.
struct Tie {
  std::uint32_t cell;
  std::vector<std::uint32_t> others;
  std::int64_t room;
};

struct Magnitudes {
  SmallTable table;
  SmallProblem plain;                     // without contributors
  std::vector<CellParts> parts;           // of cells that are split
  std::vector<Contributor> contributors;  // knowers of `problem`, in this order
  std::vector<std::vector<std::uint32_t>> sums;
  std::vector<Tie> ties;
  SuppressionProblem problem;
};

std::int64_t excess_of(const Tie& tie, const std::vector<std::int64_t>& value) {
  std::int64_t out = -value[tie.cell];
  for (const std::uint32_t i : tie.others) out += value[i];
  return out;
}

Magnitudes random_magnitudes(Dice& dice) {
  Magnitudes out;
  out.table = random_table(dice, {flat(2), flat(dice.between(2, 3))}, 4, 1);
  out.plain = problem_of(out.table, 2, {0, 2}, {0, dice.between(0, 2), dice.between(0, 2), 1});
  limit_candidates(out.plain, dice, 6);
  const int n = static_cast<int>(out.plain.n_cells());
  for (std::uint32_t i = 0; i < out.plain.n_cells(); ++i) {
    if (dice.below(2) == 0) continue;
    const int besides =
        dice.below(3) == 0 ? dice.between(0, static_cast<int>(out.plain.value[i])) : 0;
    const std::int64_t first = dice.between(0, static_cast<int>(out.plain.value[i]) - besides);
    out.parts.push_back({i, first, dice.between(0, static_cast<int>(first)), besides});
    // everybody knows this part
    out.plain.system.lower[i] = std::max<std::int64_t>(out.plain.system.lower[i], besides);
  }
  out.problem = out.plain;
  const std::vector<SplitCell> split = split_cells(out.problem, out.parts);
  for (int k = dice.below(4); k > 0 && n > 0; --k) {
    Contributor one;
    std::vector<std::uint32_t> known;
    if (dice.below(2) == 0) one.alone.push_back(static_cast<std::uint32_t>(dice.below(n)));
    known = one.alone;
    for (std::size_t s = 0; s < split.size(); ++s) {
      const int what = dice.below(3);
      if (what == 0) continue;
      one.least[out.parts[s].cell] =
          (what == 1 ? out.parts[s].first : out.parts[s].second) + out.parts[s].besides;
      if (split[s].second != SplitCell::kNone) known.push_back(split[s].second);
      if (what == 1 && split[s].more != SplitCell::kNone) known.push_back(split[s].more);
    }
    std::sort(known.begin(), known.end());
    out.contributors.push_back(one);
    out.problem.knowers.push_back(known);
  }
  // demands for the outsider alone, for everybody, and for some
  out.problem.circles = {{}, {}};
  for (std::uint32_t k = 0; k < out.contributors.size(); ++k)
    if (dice.below(2) == 0) out.problem.circles[1].push_back(k);
  for (Demand& demand : out.problem.demands) {
    if (dice.below(3) == 0) continue;
    demand.circle = static_cast<std::uint32_t>(dice.below(2));
    demand.outside = dice.below(3) == 0;
  }
  if (n > 1 && dice.below(2) == 0) {
    out.sums.push_back({static_cast<std::uint32_t>(n - 1), 0});
    out.problem.demands.push_back({add_sum(out.problem, out.sums[0]), 0, 0, 1, 0});
  }
  if (n > 3 && dice.below(2) == 0) {
    Tie tie{1, {static_cast<std::uint32_t>(n - 2), 0}, 0};
    tie.room = excess_of(tie, out.plain.value) + dice.below(2);
    add_excess(out.problem, tie.cell, tie.others, tie.room);
    out.ties.push_back(tie);
  }
  return out;
}

// How far a demand's cell goes, by the definition: over all tables that agree with the hidden cells
// and with what the reader knows.
bool is_met(const Magnitudes& m, const Demand& demand, const Contributor& reader,
            const std::vector<char>& hidden, const std::vector<small_tables::Whole>& all) {
  std::int64_t up = 0, down = 0;
  for (const small_tables::Whole& d : all) {
    bool agrees = true;
    for (std::size_t i = 0; i < d.size() && agrees; ++i)
      agrees = d[i] == 0 || may_change(m.plain, hidden, SIZE_MAX, i);
    for (const std::uint32_t i : reader.alone) agrees = agrees && d[i] == 0;
    for (const auto& [i, least] : reader.least) agrees = agrees && m.plain.value[i] + d[i] >= least;
    for (const Tie& tie : m.ties)
      agrees = agrees && excess_of(tie, m.plain.value) + excess_of(tie, d) <= tie.room;
    if (!agrees) continue;
    std::int64_t change = 0;
    if (demand.cell < d.size())
      change = d[demand.cell];
    else
      for (const std::uint32_t i : m.sums[0]) change += d[i];
    up = std::max(up, change);
    down = std::max(down, -change);
  }
  return up >= demand.up && down >= demand.down && up + down >= demand.slide;
}

// Of every demand and reader whom it concerns.
std::vector<char> met_by(const Magnitudes& m, const std::vector<char>& hidden,
                         const std::vector<small_tables::Whole>& all) {
  std::vector<char> out;
  for (const Demand& demand : m.problem.demands) {
    out.push_back(is_met(m, demand, {}, hidden, all) ? 1 : 0);
    for (std::uint32_t k = 0; k < m.contributors.size(); ++k) {
      const std::vector<std::uint32_t>& alone = m.contributors[k].alone;
      const std::vector<std::uint32_t> nobody;
      const bool everybody = demand.circle == Demand::kEverybody;
      const auto& circle = everybody ? nobody : m.problem.circles[demand.circle];
      const bool knows = std::count(alone.begin(), alone.end(), demand.cell) > 0;
      const bool named =
          everybody || (std::count(circle.begin(), circle.end(), k) > 0) != demand.outside;
      if (!knows && named) out.push_back(is_met(m, demand, m.contributors[k], hidden, all) ? 1 : 0);
    }
  }
  return out;
}

std::int64_t least_of_all_sets(const Magnitudes& m, const std::vector<small_tables::Whole>& all) {
  std::vector<std::size_t> candidates;
  std::vector<char> hidden(m.plain.n_cells(), 0), most;
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] = m.plain.role[i] == CellRole::primary ? 1 : 0;
    if (m.plain.role[i] == CellRole::candidate) candidates.push_back(i);
  }
  most = hidden;
  for (const std::size_t i : candidates) most[i] = 1;
  const std::vector<char> can = met_by(m, most, all);
  std::int64_t out = INT64_MAX;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << candidates.size(); ++set) {
    std::vector<char> now = hidden;
    std::int64_t cost = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if ((set >> c & 1) != 0) now[candidates[c]] = 1, cost += m.plain.cost[candidates[c]];
    if (cost < out && met_by(m, now, all) == can) out = cost;
  }
  return out;
}

}  // namespace

TEST(the_cheapest_pattern_is_that_of_all_sets_and_all_tables) {
  Dice dice(61);
  std::size_t n_dear = 0, n_knowers = 0;
  const int n = check::cases(40, 150);
  for (int i = 0; i < n; ++i) {
    const Magnitudes m = random_magnitudes(dice);
    const std::vector<small_tables::Whole> all = differences(m.table, m.plain);
    const std::int64_t least = least_of_all_sets(m, all);
    const SuppressionPattern exact = hitting_pattern(m.problem, {}, nullptr);
    CHECK(exact.optimal);
    CHECK_EQ(exact.cost, least);
    PatternLimits limits;
    limits.seconds = 5;
    const SuppressionPattern found = certified_pattern(m.problem, limits, nullptr);
    CHECK_EQ(found.cost, least);
    for (const SuppressionPattern* pattern : {&exact, &found})
      for (const Certificate& certificate : pattern->certificates)
        CHECK(certifies(m.problem, pattern->hidden, certificate));
    n_dear += least > 0 ? 1 : 0;
    n_knowers += m.contributors.size();
  }
  CHECK(3 * n_dear > static_cast<std::size_t>(n) &&
        3 * n_knowers > static_cast<std::size_t>(2 * n));
}

TEST(parts_and_sums_add_up) {
  Dice dice(62);
  for (int i = 0; i < 50; ++i) {
    const Magnitudes m = random_magnitudes(dice);
    CHECK(satisfies(m.problem.system, m.problem.value));
    CHECK_EQ(m.problem.role.size(), m.problem.n_cells());
    CHECK_EQ(m.problem.cost.size(), m.problem.n_cells());
    for (std::size_t c = m.plain.n_cells(); c < m.problem.n_cells(); ++c)
      CHECK(m.problem.role[c] == CellRole::unseen);
  }
}

TEST(others_that_exceed_a_cell_by_more_than_room_are_errors) {
  SuppressionProblem problem = problem_of(read_table("-1 0 0|-1 0 0", "all", "1 1:3;2 2:4"), 1, {});
  const std::int64_t more = problem.value[1] - problem.value[0];
  CHECK_THROWS(InputError, add_excess(problem, 0, {1}, more - 1));
  const std::uint32_t added = add_excess(problem, 0, {1}, more);
  CHECK_EQ(problem.value[added], -more);
  CHECK(satisfies(problem.system, problem.value));
}

TEST(parts_that_are_more_than_the_cell_are_errors) {
  SuppressionProblem problem = problem_of(read_table("-1 0 0|-1 0 0", "all", "1 1:3;2 2:4"), 1, {});
  CHECK_THROWS(InputError, split_cells(problem, {{0, problem.value[0] + 1, 0}}));
  CHECK_THROWS(InputError, split_cells(problem, {{0, 1, 2}}));
  CHECK_THROWS(InputError, split_cells(problem, {{0, 1, -1}}));
  CHECK_THROWS(InputError, split_cells(problem, {{99, 0, 0}}));
}
