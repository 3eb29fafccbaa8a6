// The law of weighted sums of changes against a forward run of every outcome of the coins.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/sums.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr double plenty = 1e12;
using SumOf = std::map<std::int64_t, double>;

struct Case {
  CycleSet set;
  Mechanism mechanism;
  Whole published;
  std::vector<double> values;
};

Case random_case(Dice& dice, int n_cells, int n_cycles, int steps) {
  Case out;
  out.set = random_cycles(dice, n_cells, n_cycles, 1 + dice.below(2));
  out.mechanism = random_mechanism(dice, out.set, steps,
                                   dice.below(2) ? ZeroRule::blocked : ZeroRule::nonnegative);
  Whole original;
  for (int i = 0; i < n_cells; ++i) original.push_back(dice.below(4));
  out.published = draw(publish(out.set, out.mechanism, original), dice);
  out.values = as_doubles(out.published);
  return out;
}

std::vector<Publication> source(const Case& c) {
  return {{c.set, c.mechanism, c.values.data()}};
}

// The sum over laws of coefficient x change of one cell of the law, for every original.
SumOf truth_of(const Case& c, const Linkage& linkage, const std::vector<std::int32_t>& coefficient,
               const std::vector<double>& rate) {
  SumOf out;
  double all = 0;
  for (auto [table, p] : originals(c.set, c.mechanism, c.published)) {
    std::int64_t sum = 0;
    std::vector<char> met(coefficient.size(), 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      for (std::int64_t v = 1; !rate.empty() && v <= table[i]; ++v)
        p *= rate[i] / static_cast<double>(v);
      const std::int32_t law = linkage.law_of_cell[i];
      if (law == 0 || met[static_cast<std::size_t>(std::abs(law) - 1)]++) continue;
      const std::int64_t change = c.published[i] - table[i];
      sum +=
          coefficient[static_cast<std::size_t>(std::abs(law) - 1)] * (law > 0 ? change : -change);
    }
    out[sum] += p;
    all += p;
  }
  for (auto& [sum, p] : out) p /= all;
  return out;
}

bool same(const SumLaw& got, const SumOf& truth) {
  double all = 0;
  for (std::size_t i = 0; i < got.probability.size(); ++i) {
    const auto at = truth.find(got.low + static_cast<std::int64_t>(i));
    const double wanted = at == truth.end() ? 0 : at->second;
    if (std::fabs(got.probability[i] - wanted) > 1e-12) return false;
    all += got.probability[i];
  }
  return std::fabs(all - 1) < 1e-12;
}

std::vector<std::int32_t> random_coefficients(Dice& dice, std::size_t n, int most) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(dice.between(-most, most));
  return out;
}

}  // namespace

TEST(sums_by_messages_and_by_enumeration) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    const Case c = random_case(dice, 2 + dice.below(4), 1 + dice.below(3), dice.below(5));
    for (const Inference method : {Inference::automatic, Inference::enumeration}) {
      PosteriorModel model(source(c), method, 1000000);
      const auto coefficient = random_coefficients(dice, model.n_laws(), 3);
      CHECK(same(sum_changes(model, {}, coefficient, plenty, {}),
                 truth_of(c, model.linkage(), coefficient, {})));
    }
  }
}

TEST(a_prior_weighs_the_sums) {
  Dice dice(2);
  for (int round = 0; round < 100; ++round) {
    const Case c = random_case(dice, 2 + dice.below(3), 1 + dice.below(3), dice.below(4));
    std::vector<double> rate;
    for (std::size_t i = 0; i < c.set.n_cells; ++i)
      rate.push_back(round % 4 == 0 ? std::pow(10.0, -dice.below(40)) : .5 + dice.below(3));
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    factor.value = {rate.data(), rate.size()};
    Prior prior;
    prior.factors.push_back(factor);
    PosteriorModel model(source(c), Inference::automatic, 1000000);
    const auto coefficient = random_coefficients(dice, model.n_laws(), 2);
    CHECK(same(sum_changes(model, prior, coefficient, plenty, {}),
               truth_of(c, model.linkage(), coefficient, rate)));
  }
}

// What the cycles keep is as it was published: a sum over all cells of a set whose cycles sum to 0.
TEST(preserved_sums_do_not_change) {
  Dice dice(3);
  const CycleSet set = cycles_lenz(3, 4);
  const Mechanism mechanism = random_mechanism(dice, set, 4, ZeroRule::blocked);
  const std::vector<double> table(12, 3.0);
  PosteriorModel model({{set, mechanism, table.data()}}, Inference::automatic, 1000000);
  for (int row = 0; row < 3; ++row) {
    std::vector<std::int32_t> coefficient(model.n_laws(), 0);
    for (int column = 0; column < 4; ++column) {
      const std::int32_t law =
          model.linkage().law_of_cell[static_cast<std::size_t>(row + 3 * column)];
      coefficient[static_cast<std::size_t>(std::abs(law) - 1)] += law > 0 ? 1 : -1;
    }
    const SumLaw sum = sum_changes(model, {}, coefficient, plenty, {});
    CHECK_EQ(sum.low, 0);
    CHECK_EQ(sum.probability, std::vector<double>{1.0});
  }
}

// The law of the negative sum is the mirror image, and doubled coefficients double the sums.
TEST(signs_and_factors) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    const Case c = random_case(dice, 2 + dice.below(4), 1 + dice.below(3), dice.below(5));
    PosteriorModel model(source(c), Inference::automatic, 1000000);
    auto coefficient = random_coefficients(dice, model.n_laws(), 2);
    const SumLaw plain = sum_changes(model, {}, coefficient, plenty, {});
    for (std::int32_t& x : coefficient) x *= -2;
    const SumLaw twice = sum_changes(model, {}, coefficient, plenty, {});
    const auto at = [](const SumLaw& law, std::int64_t sum) {
      const std::int64_t i = sum - law.low;
      return i < 0 || i >= static_cast<std::int64_t>(law.probability.size())
                 ? 0.0
                 : law.probability[static_cast<std::size_t>(i)];
    };
    double worst = 0;
    for (std::int64_t sum = -40; sum <= 40; ++sum) {
      worst = std::max(worst, std::fabs(at(plain, sum) - at(twice, -2 * sum)));
      worst = std::max(worst, at(twice, 2 * sum + 1));
    }
    CHECK(worst < 1e-12);
  }
}

// No leading or trailing zeros where a single component moves.
TEST(the_range_is_that_of_possible_sums) {
  CycleSet set;
  set.n_cells = 2;
  set.add(0, 1), set.add(1, -1), set.close();
  const std::vector<double> table{1, 9};
  PosteriorModel model({{set, {{0, 0}, {.25}, {0}, ZeroRule::nonnegative}, table.data()}},
                       Inference::automatic, 1000);
  const SumLaw sum = sum_changes(model, {}, {5}, plenty, {});
  CHECK_EQ(sum.low, 0);
  CHECK_EQ(sum.probability.size(), 6u);  // 0 or 5, never 10: the original would be negative
  CHECK(sum.probability.front() > 0 && sum.probability.back() > 0);
}

TEST(sets_without_laws) {
  CycleSet set;
  set.n_cells = 2;
  const std::vector<double> table{1, 9};
  PosteriorModel model({{set, {{}, {.25}, {.25}, ZeroRule::blocked}, table.data()}},
                       Inference::automatic, 1000);
  const SumLaw sum = sum_changes(model, {}, {}, plenty, {});
  CHECK_EQ(sum.low, 0);
  CHECK_EQ(sum.probability, std::vector<double>{1.0});
}

TEST(limits_and_contradictions) {
  Dice dice(5);
  const CycleSet set = cycles_lenz(2, 4);
  const Mechanism mechanism{{0, 1, 2, 3}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> table(8, 2.0), bound(1, 9.0);
  PosteriorModel model({{set, mechanism, table.data()}}, Inference::automatic, 1000);
  const std::vector<std::int32_t> coefficient(model.n_laws(), 1000);
  CHECK_THROWS(TooLargeError, sum_changes(model, {}, coefficient, 1000, {}));
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::at_least;
  factor.value = {bound.data(), 1};
  Prior prior;
  prior.factors.push_back(factor);
  CHECK_THROWS(InfeasibleError, sum_changes(model, prior, coefficient, plenty, {}));
}
