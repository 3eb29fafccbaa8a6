// The laws of one line against enumeration of all tables.
#include "check.hpp"
#include "fibre/twoway_laws.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

namespace {

// The number of tables by what group j of line i holds.
std::vector<std::uint64_t> tables_by_held(const OrderedLines& lines, std::size_t i, std::size_t j) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(lines.group[i][j].most) + 1, 0);
  const LineWays after = fillings(lines, i + 1, lines.n_lines()), line = line_ways(lines, i);
  for (const auto& [before, n] : fillings(lines, 0, i))
    for (const auto& [held, ways] : line) {
      Values left = all_totals(lines);
      for (std::size_t k = 0; k < left.size(); ++k) left[k] -= before[k] + held[k];
      const std::uint64_t more = number(after, left);
      if (more > 0) out[static_cast<std::size_t>(held[j])] += n * ways * more;
    }
  return out;
}

}  // namespace

TEST(laws_of_a_line_are_those_of_all_tables) {
  Dice dice(31);
  int n_laws = 0, n_parallel = 0;
  for (int round = 0; round < 300; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    const std::size_t m = lines.n_lines();
    Filling<std::uint64_t> front(lines), back(lines.reversed());
    front.reach(m - 1, true, {});
    back.reach(m - 1, true, {});
    for (std::size_t i = 0; i < m; ++i) {
      std::vector<std::uint64_t> after = back.states(m - 1 - i);
      std::reverse(after.begin(), after.end());
      std::vector<bool> wanted;
      for (std::size_t j = 0; j <= lines.n_axes(); ++j) wanted.push_back(dice.below(3) > 0);
      LineLaws<std::uint64_t> laws(lines, i, front.box(i), front.box(i + 1), front.states(i).data(),
                                   after.data(), wanted);
      const std::vector<std::vector<std::uint64_t>> found = laws.run({});
      for (std::size_t j = 0; j < wanted.size(); ++j) {
        if (!wanted[j]) continue;
        const CellGroup& group = lines.group[i][j];
        const std::vector<sdclattice::BigCount> ways = shares(group, group.most);
        const std::vector<std::uint64_t> listed = tables_by_held(lines, i, j);
        for (std::size_t k = 0; k < listed.size(); ++k) CHECK(ways[k] * found[j][k] == listed[k]);
        n_laws += 1;
        n_parallel += group.cell.size() > 1;
      }
    }
  }
  CHECK(n_laws > 500);
  CHECK(n_parallel > 50);
}
