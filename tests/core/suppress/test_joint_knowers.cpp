// Coalitions against all sets of inner cells.
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

TEST(coalitions_are_added_to_those_who_are_alone) {
  Dice dice(9);
  PublishedTable table = random_published(dice, 20, false);
  table.counts.assign(table.counts.size(), 1);
  const StoredCells cells = table.stored();
  SuppressionProblem problem = table_problem(cells, 1, false);
  CHECK_THROWS(InputError, add_coalitions(problem, cells, 3, {}));
}
