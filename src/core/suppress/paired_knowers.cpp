#include "suppress/paired_knowers.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace sdclattice {

namespace {

using Cells = std::vector<std::uint32_t>;
using Pair = std::pair<std::uint32_t, std::uint32_t>;  // inner cells; of 2 people the same one

// The published totals of 2, and the inner cells of 2, of each pair.
std::map<Pair, Cells> cells_of_two(const StoredCells& cells, bool zeros_hidden) {
  std::map<std::uint32_t, Cells> people;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
    if (!cells.is_inner(cell) || cells.value(cell) < 1 || cells.value(cell) > 2) continue;
    if (cells.value(cell) == 2) people[cell] = {cell};
    if (zeros_hidden) continue;
    cells.each_above(cells.key(cell), [&](std::uint64_t key) {
      const std::uint32_t above = cells.find(key);
      if (above != cell && cells.value(above) == 2 && cells.is_published(above))
        people[above].push_back(cell);
    });
  }
  std::map<Pair, Cells> out;
  for (const auto& total : people) {
    const Cells& inner = total.second;
    out[std::minmax(inner.front(), inner.back())].push_back(total.first);
  }
  return out;
}

}  // namespace

void add_pairs(SuppressionProblem& problem, const StoredCells& cells, bool zeros_hidden) {
  const std::map<Pair, Cells> both = cells_of_two(cells, zeros_hidden);
  const std::size_t n_alone = problem.knowers.size();
  Cells alone;
  for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell)
    if (cells.is_inner(cell) && cells.value(cell) == 1) alone.push_back(cell);
  if (alone.size() != n_alone)
    throw InputError("Pairs must be added to the people who are alone in a cell.");
  problem.within.assign(n_alone, {});
  const auto add = [&](Cells known, const Pair& pair, Cells within) {
    const auto found = both.find(pair);
    if (found != both.end()) known.insert(known.end(), found->second.begin(), found->second.end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    problem.knowers.push_back(std::move(known));
    problem.within.push_back(std::move(within));
  };
  for (std::uint32_t a = 0; a < n_alone; ++a)
    for (std::uint32_t b = a + 1; b < n_alone; ++b) {
      Cells known = problem.knowers[a];
      known.insert(known.end(), problem.knowers[b].begin(), problem.knowers[b].end());
      add(std::move(known), {alone[a], alone[b]}, {a, b});
    }
  for (const auto& pair : both)
    if (pair.first.first == pair.first.second) add({}, pair.first, {});
}

}  // namespace sdclattice
