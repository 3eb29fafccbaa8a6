// What a publication says of its laws, against the dense matrix of the cycles of all sources.
#include "base/error.hpp"
#include "check.hpp"
#include "posterior/problem.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

struct Case {
  std::vector<Publication> sources;
  std::vector<std::vector<double>> published;
};

Case random_case(Dice& dice, int n_sources) {
  Case out;
  const int n_cells = 2 + dice.below(6);
  Whole original;
  for (int i = 0; i < n_cells; ++i) original.push_back(dice.below(9));
  for (int k = 0; k < n_sources; ++k) {
    Publication source;
    source.cycles = random_cycles(dice, n_cells, 1 + dice.below(4), 2);
    source.mechanism = random_mechanism(dice, source.cycles, dice.below(6), ZeroRule::nonnegative);
    source.mechanism.rule = static_cast<ZeroRule>(dice.below(4));
    // A published table that differs on cells of some set only: cells on no cycle stay.
    std::vector<double> table = as_doubles(original);
    for (const std::int32_t cell : source.cycles.cell)
      table[static_cast<std::size_t>(cell)] = dice.below(9);
    out.sources.push_back(source);
    out.published.push_back(table);
  }
  return out;
}

void point(Case& c) {
  for (std::size_t k = 0; k < c.sources.size(); ++k) c.sources[k].published = c.published[k].data();
}

int times_of(const Mechanism& mechanism, std::int32_t cycle) {
  return static_cast<int>(std::count(mechanism.sequence.begin(), mechanism.sequence.end(), cycle));
}

// How far source k can move a cell either way.
int reach_of(const Publication& source, std::size_t cell) {
  int out = 0;
  const auto matrix = dense(source.cycles);
  for (std::size_t c = 0; c < matrix.size(); ++c)
    out += std::abs(matrix[c][cell]) * times_of(source.mechanism, static_cast<std::int32_t>(c));
  return out;
}
int size_of(const Publication& source, std::size_t cell) {
  int out = 0;
  for (const auto& cycle : dense(source.cycles)) out += std::abs(cycle[cell]);
  return out;
}

// Of the cells of a law that its cycles raise (sign 1) or lower, the least value, but no more than
// what can stop no step any more.
std::int32_t least_value(const Case& c, const std::vector<std::int32_t>& law_of_cell,
                         std::int32_t law, std::size_t source, int sign) {
  double least = 1e9;
  for (std::size_t i = 0; i < law_of_cell.size(); ++i) {
    if (std::abs(law_of_cell[i]) != law + 1) continue;
    least = std::min<double>(least, reach_of(c.sources[source], i) + size_of(c.sources[source], i));
    if ((law_of_cell[i] > 0) == (sign > 0)) least = std::min(least, c.published[source][i]);
  }
  return static_cast<std::int32_t>(least);
}

}  // namespace

TEST(cycles_are_numbered_source_after_source) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(dice, 1 + dice.below(3));
    point(c);
    std::vector<std::int32_t> room(c.published[0].size());
    const Problem problem(c.sources, room.data());
    CHECK_EQ(problem.n_sources(), c.sources.size());
    std::int32_t number = 0;
    for (std::size_t k = 0; k < c.sources.size(); ++k) {
      const Mechanism& mechanism = c.sources[k].mechanism;
      CHECK(problem.rule(static_cast<int>(k)) == mechanism.rule);
      for (std::size_t own = 0; own < c.sources[k].cycles.size(); ++own, ++number) {
        CHECK_EQ(problem.source_of(number), k);
        CHECK_EQ(problem.number_in_source(number), own);
        CHECK_EQ(problem.alpha(number), mechanism.alpha[mechanism.alpha.size() == 1 ? 0 : own]);
        CHECK_EQ(problem.beta(number), mechanism.beta[mechanism.beta.size() == 1 ? 0 : own]);
        std::vector<std::size_t> steps;
        for (std::size_t i = 0; i < mechanism.sequence.size(); ++i)
          if (mechanism.sequence[i] == static_cast<std::int32_t>(own)) steps.push_back(i);
        CHECK_EQ(problem.applications(number), steps.size());
        for (std::size_t t = 0; t < steps.size(); ++t)
          CHECK_EQ(problem.step(number, static_cast<int>(t)), steps[t]);
      }
    }
    CHECK_EQ(problem.linkage().n_cycles, number);
  }
}

TEST(values_of_laws) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    Case c = random_case(dice, 1);
    point(c);
    std::vector<std::int32_t> room(c.published[0].size());
    const Problem problem(c.sources, room.data());
    for (std::int32_t law = 0; law < static_cast<std::int32_t>(problem.linkage().n_laws()); ++law) {
      CHECK_EQ(problem.values(law, 0).up, least_value(c, room, law, 0, 1));
      CHECK_EQ(problem.values(law, 0).down, least_value(c, room, law, 0, -1));
      CHECK_EQ(problem.values(law, 0).offset, 0);
    }
  }
}

// With several sources each cell is a law of its own, and its offset says how the tables differ.
TEST(offsets_between_publications) {
  Dice dice(3);
  int tried = 0;
  for (int round = 0; round < 300; ++round) {
    Case c = random_case(dice, 2 + dice.below(2));
    point(c);
    // A cell on no cycle of any source must be the same in all.
    std::vector<std::int32_t> room(c.published[0].size());
    const Problem problem(c.sources, room.data());
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (room[i] == 0) continue;
      CHECK(room[i] > 0);
      ++tried;
      for (std::size_t k = 0; k < c.sources.size(); ++k) {
        const Problem::Values& values = problem.values(room[i] - 1, static_cast<int>(k));
        CHECK_EQ(values.offset, c.published[k][i] - c.published[0][i]);
        CHECK_EQ(values.up, least_value(c, room, room[i] - 1, k, 1));
        CHECK_EQ(values.down, least_value(c, room, room[i] - 1, k, -1));
      }
    }
  }
  CHECK(tried > 500);
}

TEST(reach_is_that_of_the_first_source) {
  Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(dice, 1 + dice.below(2));
    point(c);
    std::vector<std::int32_t> room(c.published[0].size());
    const Problem problem(c.sources, room.data());
    int most = 0;
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (room[i] == 0) continue;
      CHECK_EQ(problem.reach(std::abs(room[i]) - 1), reach_of(c.sources[0], i));
      most = std::max(most, reach_of(c.sources[0], i));
    }
    CHECK_EQ(problem.reach(), most);
  }
}

TEST(a_still_cell_must_not_differ) {
  CycleSet set;
  set.n_cells = 3;
  set.add(0, 1), set.add(1, -1), set.close();
  const Mechanism mechanism{{0}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> a{1, 2, 3}, b{2, 1, 4};
  std::vector<Publication> sources{{set, mechanism, a.data()}, {set, mechanism, b.data()}};
  std::vector<std::int32_t> room(3);
  CHECK_THROWS(InfeasibleError, Problem(sources, room.data()));
  sources[1].published = a.data();
  CHECK_EQ(Problem(sources, room.data()).n_sources(), 2);
}

// Tables farther apart than any set reaches keep an offset that no law can make up for.
TEST(huge_counts_and_offsets_fit) {
  CycleSet set;
  set.n_cells = 2;
  set.add(0, 1), set.add(1, -1), set.close();
  const Mechanism mechanism{{0, 0}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> a{9007199254740992.0, 0}, b{0, 9007199254740992.0};
  std::vector<Publication> sources{{set, mechanism, a.data()}, {set, mechanism, b.data()}};
  std::vector<std::int32_t> room(2);
  const Problem problem(sources, room.data());
  CHECK_EQ(problem.values(0, 0).up, 3);  // enough for two changes and one more
  CHECK_EQ(problem.values(1, 0).up, 0);
  CHECK_EQ(problem.values(0, 1).offset, -(1 << 20));
  CHECK_EQ(problem.values(1, 1).offset, 1 << 20);
}
