// Several publications of one table by weighted draws, against a forward run of every outcome of
// the coins of each.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "fibre/weighted.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr std::size_t plenty = 1000000;

struct Case {
  std::vector<CycleSet> sets;
  std::vector<Mechanism> mechanisms;
  std::vector<Whole> tables;
  std::vector<std::vector<double>> values;
};

// Two or three publications of a small table by different sets.
Case random_case(Dice& dice, int n_sources) {
  Case out;
  const int n_cells = dice.between(2, 4);
  Whole original;
  for (int i = 0; i < n_cells; ++i) original.push_back(dice.between(0, 4));
  for (int k = 0; k < n_sources; ++k) {
    const CycleSet set = random_cycles(dice, n_cells, dice.between(1, 2), 1);
    out.sets.push_back(k > 0 && dice.below(3) ? out.sets[0] : set);
    Mechanism mechanism =
        random_mechanism(dice, out.sets.back(), dice.between(1, 3), ZeroRule::nonnegative);
    out.tables.push_back(draw(publish(out.sets.back(), mechanism, original), dice));
    out.mechanisms.push_back(std::move(mechanism));
  }
  for (const Whole& table : out.tables) out.values.push_back(as_doubles(table));
  return out;
}

std::vector<Publication> sources(const Case& c) {
  std::vector<Publication> out;
  for (std::size_t k = 0; k < c.sets.size(); ++k)
    out.push_back({c.sets[k], c.mechanisms[k], c.values[k].data()});
  return out;
}

TableLaw truth_of(const Case& c) {
  TableLaw all = originals(c.sets[0], c.mechanisms[0], c.tables[0]);
  for (std::size_t k = 1; k < c.sets.size(); ++k) {
    const TableLaw other = originals(c.sets[k], c.mechanisms[k], c.tables[k]);
    TableLaw both;
    for (const auto& [table, p] : all)
      if (other.count(table)) both[table] = p * other.at(table);
    all = std::move(both);
  }
  return all;
}

// The change of a law in the first publication, from one of its cells.
int change_of(const Case& c, const Linkage& linkage, std::size_t law, const Whole& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::int32_t at = linkage.law_of_cell[i];
    if (static_cast<std::size_t>(std::abs(at)) != law + 1) continue;
    const auto change = static_cast<int>(c.tables[0][i] - table[i]);
    return at > 0 ? change : -change;
  }
  return 0;
}

std::vector<double> laws_of(const Case& c, const WeightedDraws& draws, const TableLaw& truth) {
  const auto width = 2 * static_cast<std::size_t>(draws.reach()) + 1;
  std::vector<double> out(draws.linkage().n_laws() * width, 0);
  for (const auto& [table, p] : truth)
    for (std::size_t l = 0; l < draws.linkage().n_laws(); ++l)
      out[l * width +
          static_cast<std::size_t>(draws.reach() + change_of(c, draws.linkage(), l, table))] +=
          p / total(truth);
  return out;
}

}  // namespace

TEST(estimates_are_near_the_truth) {
  Dice dice(1);
  int tried = 0;
  for (int round = 0; round < 120; ++round) {
    const Case c = random_case(dice, 2 + round % 2);
    const TableLaw truth = truth_of(c);
    if (truth.size() == 1 && round > 5) continue;
    WeightedDraws draws(sources(c), {}, plenty, {});
    const SimulatedLaws got = draws.infer(20, 40, [&] { return dice.uniform(); }, {});
    const double share = std::exp(got.log_evidence) / total(truth);
    CHECK(std::fabs(share - 1) < 6 * got.evidence_error + 1e-9);
    CHECK(!got.independent);
    const std::vector<double> laws = laws_of(c, draws, truth);
    CHECK_EQ(laws.size(), got.laws.size());
    double worst = 0;
    for (std::size_t i = 0; i < laws.size(); ++i)
      worst = std::max(worst, std::fabs(laws[i] - got.laws[i]) - 6 * got.law_error[i]);
    CHECK(worst < .02);
    tried += truth.size() > 1;
  }
  CHECK(tried > 8);
}

// A law that the draws carry sums to 1, and no change is found that no original makes.
TEST(laws_are_laws) {
  Dice dice(2);
  for (int round = 0; round < 12; ++round) {
    const Case c = random_case(dice, 2);
    WeightedDraws draws(sources(c), {}, plenty, {});
    const SimulatedLaws got = draws.infer(4, 20, [&] { return dice.uniform(); }, {});
    const std::vector<double> truth = laws_of(c, draws, truth_of(c));
    const auto width = 2 * static_cast<std::size_t>(draws.reach()) + 1;
    for (std::size_t l = 0; l < draws.linkage().n_laws(); ++l) {
      double sum = 0;
      for (std::size_t d = 0; d < width; ++d) {
        sum += got.laws[l * width + d];
        if (truth[l * width + d] == 0) CHECK_EQ(got.laws[l * width + d], 0);
      }
      CHECK_NEAR(sum, 1, 1e-9);
    }
  }
}

// Sampled originals agree with all publications, with about the frequencies that they should have.
TEST(samples_are_possible_originals) {
  Dice dice(3);
  for (int round = 0; round < 8; ++round) {
    const Case c = random_case(dice, 2);
    const TableLaw truth = truth_of(c);
    WeightedDraws draws(sources(c), {}, plenty, {});
    const std::size_t n = 400, n_laws = draws.linkage().n_laws();
    std::vector<std::int8_t> shifts(n * n_laws, 99);
    draws.sample(n, 300, [&] { return dice.uniform(); }, shifts.data(), {});
    std::map<std::vector<int>, double> wanted, found;
    for (const auto& [table, p] : truth) {
      std::vector<int> changes;
      for (std::size_t l = 0; l < n_laws; ++l)
        changes.push_back(change_of(c, draws.linkage(), l, table));
      wanted[changes] += p / total(truth);
    }
    for (std::size_t k = 0; k < n; ++k)
      found[std::vector<int>(shifts.begin() + static_cast<std::ptrdiff_t>(k * n_laws),
                             shifts.begin() + static_cast<std::ptrdiff_t>((k + 1) * n_laws))] +=
          1.0 / static_cast<double>(n);
    for (const auto& [changes, share] : found) CHECK(wanted.count(changes) == 1);
    for (const auto& [changes, p] : wanted) CHECK(std::fabs(found[changes] - p) < .2);
  }
}

// One publication alone: its draws are exact, and its evidence has no error.
TEST(a_single_publication) {
  Dice dice(4);
  for (int round = 0; round < 10; ++round) {
    const Case c = random_case(dice, 1);
    WeightedDraws draws(sources(c), {}, plenty, {});
    const SimulatedLaws got = draws.infer(3, 10, [&] { return dice.uniform(); }, {});
    CHECK_NEAR(std::exp(got.log_evidence), total(truth_of(c)), 1e-9);
    CHECK(got.evidence_error < 1e-9);
  }
}

TEST(publications_that_contradict_each_other) {
  CycleSet set;
  set.n_cells = 2;
  set.add(0, 1), set.add(1, -1), set.close();
  const Mechanism mechanism{{0}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> a{3, 3}, b{9, 3};
  Dice dice(5);
  const auto run = [&] {
    WeightedDraws draws({{set, mechanism, a.data()}, {set, mechanism, b.data()}}, {}, plenty, {});
    draws.infer(2, 5, [&] { return dice.uniform(); }, {});
  };
  CHECK_THROWS(InfeasibleError, run());
}

TEST(a_publication_without_exact_posterior) {
  const CycleSet set = cycles_lenz(5, 12);
  Mechanism mechanism{{}, {.25}, {.25}, ZeroRule::blocked};
  for (int t = 0; t < 3; ++t)
    for (int c = 0; c < 12; ++c) mechanism.sequence.push_back(c);
  const std::vector<double> table(60, 5.0);
  const auto make = [&] {
    WeightedDraws draws({{set, mechanism, table.data()}, {set, mechanism, table.data()}}, {}, 100,
                        {});
  };
  CHECK_THROWS(TooLargeError, make());
}
