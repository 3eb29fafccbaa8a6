// Draws of a line: every number below the count gives one filling; and fair shares of a group.
#include "check.hpp"
#include "fibre/twoway_draws.hpp"
#include "fibre/twoway_filling.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

TEST(every_number_gives_a_filling_and_each_filling_has_its_numbers) {
  Dice dice(41);
  int n_draws = 0;
  for (int round = 0; round < 600; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    Filling<std::uint64_t> filling(lines);
    filling.reach(lines.n_lines(), true, {});
    for (std::size_t i = 0; i < lines.n_lines(); ++i) {
      const LineWays before = fillings(lines, 0, i), line = line_ways(lines, i);
      LineDraw<std::uint64_t> draw(lines, i, filling.box(i), filling.states(i));
      each_state(filling.box(i + 1), [&](const Values& end) {
        const std::uint64_t n = filling.states(i + 1)[filling.box(i + 1).index(end.data())];
        LineWays drawn;
        for (std::uint64_t chosen = 0; chosen < n; ++chosen, ++n_draws) {
          Values v = end, held(lines.n_axes() + 1);
          draw.draw(chosen, v, held);
          for (std::size_t j = 0; j < v.size(); ++j) CHECK_EQ(v[j] + held[j], end[j]);
          ++drawn[held];
        }
        for (const auto& [held, numbers] : drawn) {
          Values start = with_rest(lines, end, i + 1);
          for (std::size_t j = 0; j < start.size(); ++j) start[j] -= held[j];
          CHECK_EQ(numbers, number(before, start) * number(line, held));
        }
      });
    }
  }
  CHECK(n_draws > 1000);
}

TEST(a_group_shares_its_sum_fairly) {
  const CellGroup group{{3, 0, 7}, {2, 4, 1}, 7};  // cell 7 is auxiliary
  sdclattice::PublicRandom random(5);
  for (std::int64_t sum = 0; sum <= group.most; ++sum) {
    std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
    const int n = 3000;
    for (int i = 0; i < n; ++i) {
      Values x(4, -1);
      share_out(group, sum, 4, random, x);
      const std::int64_t rest = sum - x[3] - x[0];
      CHECK(x[3] >= 0 && x[3] <= 2 && x[0] >= 0 && x[0] <= 4 && rest >= 0 && rest <= 1);
      CHECK(x[1] == -1 && x[2] == -1);
      ++seen[{x[3], x[0]}];
    }
    const sdclattice::BigCount ways = shares(group, group.most)[static_cast<std::size_t>(sum)];
    CHECK(ways == seen.size());
    const double expected = n / static_cast<double>(seen.size());
    for (const auto& [way, times] : seen)
      CHECK(std::fabs(times - expected) < 6 * std::sqrt(expected));
  }
}
