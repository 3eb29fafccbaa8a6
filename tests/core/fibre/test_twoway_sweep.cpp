// One step of the programme, layer by layer, against the sum over all fillings of the line.
#include "check.hpp"
#include "fibre/twoway_sweep.hpp"
#include "twoway_cases.hpp"

using namespace sdclattice::twoway;
using namespace twoway_cases;

namespace {

std::vector<std::uint64_t> by_enumeration(const OrderedLines& lines, std::size_t i, const Box& from,
                                          const Box& to, const std::vector<std::uint64_t>& states) {
  std::vector<std::uint64_t> out(static_cast<std::size_t>(to.n_states()), 0);
  const LineWays line = line_ways(lines, i);
  each_state(from, [&](const Values& v) {
    for (const auto& [held, ways] : line) {
      Values end = v;
      bool inside = true;
      for (std::size_t j = 0; j < v.size(); ++j) inside = inside && to.holds(j, end[j] += held[j]);
      if (inside) out[to.index(end.data())] += states[from.index(v.data())] * ways;
    }
  });
  return out;
}

std::vector<std::uint64_t> by_sweep(const OrderedLines& lines, std::size_t i, const Box& from,
                                    const Box& to, const std::vector<std::uint64_t>& states) {
  const Sweep<std::uint64_t> sweep(from, to, lines, i);
  std::vector<std::uint64_t> work(sweep.n_states()), copied(sweep.n_states());
  std::vector<std::uint64_t> out(static_cast<std::size_t>(to.n_states()), 0), ways;
  const CellGroup& rest = lines.group[i].back();
  for (const auto& w : shares(rest, rest.most)) ways.push_back(static_cast<std::uint64_t>(w));
  ways.resize(static_cast<std::size_t>(std::max(rest.most, lines.sum[i])) + 1);
  for (std::int64_t s = sweep.first_layer(); s <= sweep.last_layer(); ++s) {
    sweep.load(s, states.data(), work.data());
    for (std::size_t j = 0; j < lines.n_axes(); ++j)
      for (std::int64_t limit : lines.group[i][j].limit) sweep.pass(s, j, limit, work.data());
    sweep.copy(s, work.data(), copied.data());
    sweep.store(s, copied.data(), ways.data(), rest.most, out.data());
  }
  return out;
}

}  // namespace

TEST(a_step_counts_the_fillings_of_its_line) {
  Dice dice(11);
  int n_steps = 0;
  for (int round = 0; round < 400; ++round) {
    const TwoWayTable table = random_table(dice);
    const OrderedLines lines = arrange(table, random_plan(table, dice));
    for (std::size_t i = 0; i < lines.n_lines(); ++i) {
      const Box from = box_after(lines, i), to = box_after(lines, i + 1);
      if (from.empty || to.empty) continue;
      std::vector<std::uint64_t> states(static_cast<std::size_t>(from.n_states()), 0);
      each_state(from, [&](const Values& v) { states[from.index(v.data())] = dice.below(9); });
      const std::vector<std::uint64_t> swept = by_sweep(lines, i, from, to, states);
      const std::vector<std::uint64_t> listed = by_enumeration(lines, i, from, to, states);
      each_state(to, [&](const Values& v) {
        CHECK_EQ(swept[to.index(v.data())], listed[to.index(v.data())]);
      });
      ++n_steps;
    }
  }
  CHECK(n_steps > 500);
}
