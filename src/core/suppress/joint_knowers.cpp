#include "suppress/joint_knowers.hpp"

#include <algorithm>
#include <map>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

using InnerCells = std::vector<std::uint32_t>;

class CoalitionMaker {
 public:
  CoalitionMaker(SuppressionProblem& problem, const StoredCells& cells, std::int64_t most,
                 const std::vector<OwnCell>& own)
      : problem_(problem), cells_(cells) {
    for (const OwnCell& one : own) own_[one.of.front()].push_back(&one);
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
      if (!cells.is_inner(cell) || cells.value(cell) < 1 || cells.value(cell) > most) continue;
      if (cells.value(cell) == 1) single_.emplace(cell, static_cast<std::uint32_t>(single_.size()));
      people_.push_back(cell);
    }
    if (single_.size() != problem.knowers.size())
      throw InputError("Coalitions must be added to the people who are alone in a cell.");
    problem.within.assign(single_.size(), {});
    extend(0, 0, most);
  }

 private:
  // All sets that the cells from `first` on make with those of set_, which has `n` people.
  void extend(std::size_t first, std::int64_t n, std::int64_t room) {
    if (n > 1) add();
    for (std::size_t i = first; i < people_.size(); ++i) {
      const std::int64_t more = cells_.value(people_[i]);
      if (more > room) continue;
      set_.push_back(people_[i]);
      extend(i + 1, n + more, room - more);
      set_.pop_back();
    }
  }

  void add() {
    poll_at(problem_.knowers.size());
    InnerCells known = set_, within;
    for (const std::uint32_t cell : set_) {
      const auto alone = single_.find(cell);
      if (alone == single_.end()) continue;
      within.push_back(alone->second);
      const InnerCells& own = problem_.knowers[alone->second];
      known.insert(known.end(), own.begin(), own.end());
    }
    for (const std::uint32_t cell : set_) {
      const auto found = own_.find(cell);
      if (found == own_.end()) continue;
      for (const OwnCell* one : found->second)
        if (std::includes(set_.begin(), set_.end(), one->of.begin(), one->of.end()))
          known.push_back(one->cell);
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    problem_.knowers.push_back(std::move(known));
    problem_.within.push_back(std::move(within));
  }

  SuppressionProblem& problem_;
  const StoredCells& cells_;
  std::map<std::uint32_t, std::vector<const OwnCell*>> own_;  // by the first cell
  std::map<std::uint32_t, std::uint32_t> single_;             // the knower of an inner cell of 1
  InnerCells people_, set_;                                   // ascending
};

}  // namespace

std::vector<OwnCell> totals_of_few(const StoredCells& cells, std::int64_t most) {
  std::map<std::uint32_t, InnerCells> people;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!cells.is_inner(cell) || cells.value(cell) < 1 || cells.value(cell) > most) continue;
    cells.each_above(cells.key(cell), [&](std::uint64_t key) {
      const std::uint32_t above = cells.find(key);
      if (above != cell && cells.value(above) > 1 && cells.value(above) <= most &&
          cells.is_published(above))
        people[above].push_back(cell);
    });
  }
  std::vector<OwnCell> out;
  for (auto& total : people) out.push_back({total.first, std::move(total.second)});
  return out;
}

void add_coalitions(SuppressionProblem& problem, const StoredCells& cells, std::int64_t most,
                    const std::vector<OwnCell>& own) {
  CoalitionMaker(problem, cells, most, own);
}

}  // namespace sdclattice
