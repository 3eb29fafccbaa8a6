// What a rounded table tells of its original, against all tables within the limits; likelihoods of
// the two procedures against all roundings.
#include "base/error.hpp"
#include "check.hpp"
#include "round/rounding_posterior.hpp"
#include "round/small_roundings.hpp"

using namespace sdclattice;
using namespace small_roundings;

namespace {

constexpr std::size_t plenty = 100000;

struct Case {
  Circulation network;  // of the original
  std::int64_t base;
  Whole rounded;  // cells
  LinearSystem system;
  CellWeights prior;
};

// The originals that a rounded table allows: cells and sums less than a base away.
LinearSystem intervals(const Circulation& network, const Whole& rounded, std::int64_t base) {
  LinearSystem out;
  for (const std::int64_t x : rounded) {
    out.lower.push_back(std::max<std::int64_t>(0, x - base + 1));
    out.upper.push_back(x + base - 1);
  }
  const Whole sums = all_sums(network, rounded);
  for (std::size_t e = network.n_cells; e < sums.size(); ++e) {
    Whole a(rounded.size(), 0);
    for (const auto& above : network.above)
      for (std::size_t i = 0; i < a.size(); ++i)
        if (above[i] == e) a[i] = 1;
    add_row(out, a, sums[e] - base + 1, sums[e] + base - 1);
  }
  return out;
}

CellWeights weights(Dice& dice, const LinearSystem& system, bool zeros) {
  CellWeights out;
  out.start.push_back(0);
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    for (std::int64_t v = system.lower[i]; v <= system.upper[i]; ++v)
      out.weight.push_back(zeros && dice.below(5) == 0 ? 0 : .2 * dice.between(1, 9));
    out.start.push_back(out.weight.size());
  }
  return out;
}

Case random_case(Dice& dice, int most_cells) {
  Case out;
  out.network = random_table(dice, most_cells, 7).network();
  out.base = dice.between(2, 3);
  std::vector<Whole> all;
  each_rounding(out.network, out.base, [&](const Whole& edges) { all.push_back(edges); });
  const Whole& one = all[static_cast<std::size_t>(dice.below(static_cast<int>(all.size())))];
  out.rounded.assign(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(out.network.n_cells));
  out.system = intervals(out.network, out.rounded, out.base);
  out.prior = weights(dice, out.system, dice.below(2) == 0);
  return out;
}

double weight_of(const Case& c, const Whole& x) {
  double out = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    out *= c.prior.weight[c.prior.start[i] + static_cast<std::size_t>(x[i] - c.system.lower[i])];
  return out;
}

// A likelihood of any form, that is 0 now and then.
double odd_likelihood(const Whole& x) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<std::int64_t>(i + 1) * x[i];
  return static_cast<double>(sum % 4) / 3;
}

RoundingLaw truth_of(const Case& c, const TableLikelihood& likelihood) {
  RoundingLaw out;
  out.sums.assign(c.prior.weight.size(), 0);
  for (const Whole& x : solutions(c.system)) {
    const double prior = weight_of(c, x);
    out.n_compatible += prior > 0;
    const double weight = prior * likelihood(x);
    out.n_tables += weight > 0;
    out.total += weight;
    for (std::size_t i = 0; i < x.size(); ++i)
      out.sums[c.prior.start[i] + static_cast<std::size_t>(x[i] - c.system.lower[i])] += weight;
  }
  return out;
}

}  // namespace

TEST(sums_over_all_tables) {
  Dice dice(1);
  for (int round = 0; round < 250; ++round) {
    const Case c = random_case(dice, 4);
    for (const TableLikelihood& likelihood :
         {TableLikelihood([](const Whole&) { return 1.0; }), TableLikelihood(odd_likelihood)}) {
      const RoundingLaw truth = truth_of(c, likelihood);
      const RoundingLaw got = sum_over_tables(c.system, c.prior, likelihood, plenty, {});
      CHECK_NEAR(got.total, truth.total, 1e-12);
      CHECK_EQ(got.n_tables, truth.n_tables);
      CHECK_EQ(got.n_compatible, truth.n_compatible);
      double worst = 0;
      for (std::size_t k = 0; k < truth.sums.size(); ++k)
        worst = std::max(worst, std::fabs(truth.sums[k] - got.sums[k]));
      CHECK(worst <= 1e-12 * (1 + truth.total));
    }
  }
}

// Unbiased: the mean weight of a draw is the sum over all tables, within six standard errors.
TEST(samples_are_unbiased) {
  Dice dice(2);
  const std::size_t batches = 5, each = 300;
  const double n = static_cast<double>(batches * each);
  for (int round = 0; round < 25; ++round) {
    const Case c = random_case(dice, 4);
    const CellWeights proposal = weights(dice, c.system, false);
    const RoundingLaw truth = truth_of(c, odd_likelihood);
    const SampledLaws got =
        sample_rounding_laws(c.system, c.prior, proposal, odd_likelihood, batches, each, 11, {});
    CHECK_EQ(got.batch.size(), batches);
    double sum = 0;
    std::vector<double> sums(truth.sums.size(), 0);
    for (const RoundingLaw& law : got.batch) {
      sum += law.total;
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += law.sums[k];
      CHECK(law.n_tables <= law.n_compatible && law.n_compatible <= each);
    }
    const double error = std::sqrt(std::max(0.0, got.squares / n - sum / n * sum / n) / n);
    CHECK(std::fabs(sum / n - truth.total) <= 6 * error + 1e-9 * (1 + truth.total));
    bool fits = true;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      fits =
          fits && std::fabs(sums[k] / n - truth.sums[k]) <= 6 * std::sqrt(got.squares) / n + 1e-9;
      fits = fits && (truth.sums[k] > 0 || sums[k] == 0);
    }
    CHECK(fits);
    const SampledLaws again =
        sample_rounding_laws(c.system, c.prior, proposal, odd_likelihood, batches, each, 11, {});
    CHECK_EQ(again.batch[0].sums, got.batch[0].sums);
    CHECK_EQ(again.squares, got.squares);
  }
}

// Over all roundings of one original the chances add up to 1, and each edge keeps its mean.
TEST(the_random_procedure_is_unbiased) {
  Dice dice(3);
  for (int round = 0; round < 40; ++round) {
    const Circulation network = random_table(dice, 6, 9).network();
    const std::int64_t base = dice.between(2, 4);
    const Whole original(network.value.begin(),
                         network.value.begin() + static_cast<std::ptrdiff_t>(network.n_cells));
    double total = 0;
    std::vector<double> mean(network.n_edges(), 0);
    each_rounding(network, base, [&](const Whole& edges) {
      const Whole cells(edges.begin(),
                        edges.begin() + static_cast<std::ptrdiff_t>(network.n_cells));
      const double p = procedure_likelihood(network, base, cells, plenty)(original);
      CHECK(p >= 0 && p <= 1 + 1e-12);
      total += p;
      for (std::size_t e = 0; e < edges.size(); ++e) mean[e] += p * static_cast<double>(edges[e]);
    });
    CHECK_NEAR(total, 1, 1e-12);
    for (std::size_t e = 0; e < mean.size(); ++e)
      CHECK_NEAR(mean[e], static_cast<double>(network.value[e]), 1e-12);
  }
}

// What is no rounding of the original has no chance, whichever procedure.
TEST(what_cannot_come_from_an_original) {
  const Circulation network = make_circulation({1, 4, 3, 0}, {{1, 2, 1, 2}}, {{1, 1, 2, 2}});
  for (const Whole& cells : {Whole{6, 3, 3, 0}, {0, 3, 3, 3}, {3, 6, 0, 0}, {1, 4, 3, 0}}) {
    CHECK_EQ(procedure_likelihood(network, 3, cells, plenty)({1, 4, 3, 0}), 0);
    CHECK_EQ(nearest_likelihood(network, 3, cells, RoundingAim::all)({1, 4, 3, 0}), 0);
  }
}

// Of all roundings of an original the deterministic procedure leads to one.
TEST(the_nearest_rounding_is_one_of_all) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    const Circulation network = random_table(dice, 6, 9).network();
    const Whole original(network.value.begin(),
                         network.value.begin() + static_cast<std::ptrdiff_t>(network.n_cells));
    for (const RoundingAim aim : {RoundingAim::cells, RoundingAim::all}) {
      double total = 0;
      each_rounding(network, 3, [&](const Whole& edges) {
        const Whole cells(edges.begin(),
                          edges.begin() + static_cast<std::ptrdiff_t>(network.n_cells));
        total += nearest_likelihood(network, 3, cells, aim)(original);
      });
      CHECK_EQ(total, 1);
    }
  }
}

// The originals of one rounded table, by both: the state of a likelihood does not carry over from
// one table to the next.
TEST(likelihoods_can_be_asked_in_any_order) {
  Dice dice(5);
  for (int round = 0; round < 15; ++round) {
    const Case c = random_case(dice, 4);
    const auto procedure = procedure_likelihood(c.network, c.base, c.rounded, plenty);
    const auto nearest = nearest_likelihood(c.network, c.base, c.rounded, RoundingAim::cells);
    std::vector<Whole> all = solutions(c.system);
    std::vector<double> first, second;
    for (const Whole& x : all) first.push_back(procedure(x) + 10 * nearest(x));
    for (std::size_t k = all.size(); k-- > 0;)
      second.push_back(procedure(all[k]) + 10 * nearest(all[k]));
    std::reverse(second.begin(), second.end());
    CHECK_EQ(first, second);
  }
}

TEST(limits_and_what_is_no_sum) {
  Dice dice(6);
  const auto one = [](const Whole&) { return 1.0; };
  LinearSystem system;
  system.lower = Whole(3, 0);
  system.upper = Whole(3, 4);
  const CellWeights prior = weights(dice, system, false);
  CHECK_EQ(sum_over_tables(system, prior, one, 125, {}).n_tables, 125);
  CHECK_THROWS(TooLargeError, sum_over_tables(system, prior, one, 124, {}));
  add_row(system, {1, 1, 1}, 13, 20);
  CHECK_EQ(sum_over_tables(system, prior, one, plenty, {}).total, 0);
  CHECK_EQ(sample_rounding_laws(system, prior, prior, one, 2, 5, 1, {}).squares, 0);
  add_row(system, {1, 2, 0}, 0, 9);
  CHECK_THROWS(InputError, sum_over_tables(system, prior, one, plenty, {}));
  CHECK_THROWS(InputError, sample_rounding_laws(system, prior, prior, one, 2, 5, 1, {}));
  // The chances of a large table are too many sequences of coins.
  Whole cells(16, 1);
  const Table table{cells,
                    {{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4}},
                    {{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}}};
  const Whole target{5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5};
  CHECK_THROWS(TooLargeError, procedure_likelihood(table.network(), 5, target, 3)(cells));
}
