// Coalitions against all sets of inner cells, and pairs against all people of each total.
#include <algorithm>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "check.hpp"
#include "small_published.hpp"
#include "suppress/joint_knowers.hpp"
#include "suppress/table_problem.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

using Cells = std::vector<std::uint32_t>;

Cells people_of(const StoredCells& cells) {
  Cells out;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    if (cells.is_inner(cell) && cells.value(cell) > 0) out.push_back(cell);
  return out;
}

// Some cells that some sets of inner cells own.
std::vector<OwnCell> draw_own(Dice& dice, const StoredCells& cells, const Cells& people) {
  std::vector<OwnCell> out;
  for (int i = 0; i < 6 && !people.empty(); ++i) {
    Cells of;
    for (const std::uint32_t one : people)
      if (dice.below(4) == 0) of.push_back(one);
    const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(cells.n_cells())));
    if (!of.empty()) out.push_back({cell, of});
  }
  return out;
}

std::multiset<Cells> coalitions_by_hand(const StoredCells& cells, const Cells& people,
                                        std::int64_t most, const std::vector<Cells>& singles,
                                        const std::vector<OwnCell>& own) {
  std::multiset<Cells> out;
  for (std::uint32_t bits = 1; bits < (1U << people.size()); ++bits) {
    std::int64_t n = 0;
    std::set<std::uint32_t> set, known;
    for (std::size_t i = 0; i < people.size(); ++i)
      if ((bits >> i & 1U) != 0) {
        set.insert(people[i]);
        n += cells.value(people[i]);
      }
    if (n < 2 || n > most) continue;
    known = set;
    for (const Cells& single : singles)
      for (const std::uint32_t cell : set)
        if (cells.value(cell) == 1 && std::count(single.begin(), single.end(), cell) > 0)
          known.insert(single.begin(), single.end());
    for (const OwnCell& one : own)
      if (std::all_of(one.of.begin(), one.of.end(),
                      [&](std::uint32_t cell) { return set.count(cell) > 0; }))
        known.insert(one.cell);
    out.emplace(known.begin(), known.end());
  }
  return out;
}

// The inner cells of two people, which may be the same one, and what they know.
std::multiset<Cells> pairs_by_hand(const PublishedTable& table, const StoredCells& cells,
                                   bool zeros_hidden) {
  const Sums truth = table.sums(table.counts);
  std::vector<std::size_t> people;  // the inner cell of each
  for (std::size_t k = 0; k < table.inner.size(); ++k)
    for (std::int64_t i = 0; i < table.counts[k]; ++i) people.push_back(k);
  // whether these people, and nobody else, are in a cell that they may know
  const auto know = [&](const Nodes& cell, std::int64_t value,
                        const std::vector<std::size_t>& who) {
    const bool own = cell == table.inner[who[0]];
    if (!own && (zeros_hidden || !table.is_published(cell))) return false;
    for (const std::size_t k : who)
      if (!table.is_below(table.inner[k], cell)) return false;
    return value == static_cast<std::int64_t>(who.size());
  };
  std::multiset<Cells> out;
  for (std::size_t a = 0; a < people.size(); ++a)
    for (std::size_t b = a + 1; b < people.size(); ++b) {
      const std::size_t one = people[a], other = people[b];
      const bool alone = table.counts[one] == 1 && table.counts[other] == 1;
      const bool shared = one == other && table.counts[one] == 2;
      if (!alone && !shared) continue;
      std::set<std::uint32_t> known;
      for (const auto& cell : truth)
        if (know(cell.first, cell.second, {one, other}) ||
            (alone &&
             (know(cell.first, cell.second, {one}) || know(cell.first, cell.second, {other}))))
          known.insert(cells.find(cells.key_of(cell.first.data())));
      out.emplace(known.begin(), known.end());
    }
  return out;
}

}  // namespace

TEST(coalitions_are_all_sets_of_inner_cells_with_few_people) {
  Dice dice(10);
  std::size_t n_all = 0, n_more = 0;
  for (int i = 0; i < 300; ++i) {
    const PublishedTable table = random_published(dice, 20, false);
    const StoredCells cells = table.stored();
    const Cells people = people_of(cells);
    if (people.size() > 14) continue;
    SuppressionProblem problem = table_problem(cells, 1, false);
    problem.knowers = knowers_of_ones(cells);
    const std::vector<Cells> singles = problem.knowers;
    const std::vector<OwnCell> own = draw_own(dice, cells, people);
    const std::int64_t most = 2 + i % 4;
    add_coalitions(problem, cells, most, own);
    CHECK_EQ(problem.within.size(), problem.knowers.size());
    std::multiset<Cells> found;
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k) {
      const Cells& known = problem.knowers[k];
      CHECK(std::is_sorted(known.begin(), known.end()));
      for (const std::uint32_t other : included(problem, k)) {
        const Cells& less = problem.knowers[other];
        CHECK(std::includes(known.begin(), known.end(), less.begin(), less.end()));
      }
      n_more += included(problem, k).size() > 2;
      CHECK(k >= singles.size() || included(problem, k).empty());
      if (k >= singles.size()) found.insert(known);
    }
    n_all += found.size();
    CHECK(found == coalitions_by_hand(cells, people, most, singles, own));
  }
  CHECK(n_all > 500 && n_more > 50);
}

TEST(pairs_know_what_either_knows_and_the_totals_of_the_two) {
  Dice dice(8);
  std::size_t n_all = 0, n_joint = 0;
  for (int i = 0; i < 300; ++i) {
    const PublishedTable table = random_published(dice, 20, false);
    const bool zeros_hidden = i % 3 == 0;
    StoredLimits limits;
    limits.zeros_rise = zeros_hidden;
    const StoredCells cells = table.stored(limits);
    SuppressionProblem problem = table_problem(cells, 0, false);
    problem.knowers = zeros_hidden ? knowers_of_own_ones(cells) : knowers_of_ones(cells);
    const std::size_t n_alone = problem.knowers.size();
    add_coalitions(problem, cells, 2,
                   zeros_hidden ? std::vector<OwnCell>() : totals_of_few(cells, 2));
    CHECK_EQ(problem.within.size(), problem.knowers.size());
    std::multiset<Cells> found;
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k) {
      const Cells& known = problem.knowers[k];
      CHECK(std::is_sorted(known.begin(), known.end()));
      for (const std::uint32_t other : included(problem, k)) {
        const Cells& less = problem.knowers[other];
        CHECK(other < n_alone);
        CHECK(std::includes(known.begin(), known.end(), less.begin(), less.end()));
        std::size_t joint = known.size();
        for (const std::uint32_t one : included(problem, k)) joint -= problem.knowers[one].size();
        n_joint += joint > 0 && joint < known.size();
      }
      CHECK(k >= n_alone || included(problem, k).empty());
      if (k >= n_alone) found.insert(known);
    }
    n_all += found.size();
    CHECK(found == pairs_by_hand(table, cells, zeros_hidden));
  }
  CHECK(n_all > 500 && n_joint > 100);
}

TEST(coalitions_are_added_to_those_who_are_alone) {
  Dice dice(9);
  PublishedTable table = random_published(dice, 20, false);
  table.counts.assign(table.counts.size(), 1);
  const StoredCells cells = table.stored();
  SuppressionProblem problem = table_problem(cells, 1, false);
  CHECK_THROWS(InputError, add_coalitions(problem, cells, 3, {}));
}
