// Numbers of originals, the most probable one and laws of sums, against enumeration.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/originals.hpp"
#include "posterior/sums.hpp"

using namespace sdclattice;

namespace {

struct Dice {
  std::mt19937_64 source{3};
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
};

void add_square(CycleSet& set, int rows, int a, int b, int i, int j) {
  set.add(a + rows * i, 1), set.add(b + rows * i, -1);
  set.add(a + rows * j, -1), set.add(b + rows * j, 1);
  set.close();
}

// One band, or the three of a triad, on `rows` lines.
CycleSet bands(int rows, int n, bool open) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(rows * n);
  for (int a = 0; a < (rows == 2 ? 1 : rows); ++a)
    for (int i = 0; i + (open ? 1 : 0) < n; ++i)
      add_square(set, rows, a, (a + 1) % rows, i, (i + 1) % n);
  return set;
}

struct Case {
  CycleSet set;
  Mechanism mechanism;
  std::vector<double> published, rates;
  Prior prior;
};

Case random_case(Dice& dice) {
  Case out;
  const bool triad = dice.below(2) == 0;
  out.set = triad ? bands(3, 2 + dice.below(2), dice.below(2))
                  : bands(2, 3 + dice.below(3), dice.below(2));
  const int covers = triad ? 1 : 1 + dice.below(2);
  for (int t = 0; t < covers; ++t)
    for (std::size_t c = 0; c < out.set.size(); ++c)
      out.mechanism.sequence.push_back(static_cast<std::int32_t>(c));
  out.mechanism.alpha = {.1 + .1 * dice.below(4)};
  out.mechanism.beta = {.1 + .1 * dice.below(4)};
  out.mechanism.rule = dice.below(2) ? ZeroRule::blocked : ZeroRule::nonnegative;
  for (std::size_t i = 0; i < out.set.n_cells; ++i) {
    out.published.push_back(dice.below(4));
    out.rates.push_back(.5 * (1 + dice.below(6)));
  }
  if (dice.below(2)) {
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    factor.value = {out.rates.data(), out.rates.size()};
    out.prior.factors.push_back(factor);
  }
  return out;
}

struct Truth {
  std::vector<std::vector<int>> change;  // of each cell
  std::vector<double> probability;
};

Truth enumerate(const Case& c) {
  Component all;
  for (std::size_t k = 0; k < c.set.size(); ++k) all.cycles.push_back(static_cast<std::int32_t>(k));
  std::vector<std::int32_t> cells(c.set.n_cells);
  std::iota(cells.begin(), cells.end(), 0);
  const Originals found =
      enumerate_originals(c.set, c.mechanism, all, cells, c.published.data(), c.prior, 1000000, {});
  Truth out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    out.probability.push_back(found.weight[i]);
    out.change.emplace_back(
        found.shift.begin() + static_cast<std::ptrdiff_t>(i * cells.size()),
        found.shift.begin() + static_cast<std::ptrdiff_t>((i + 1) * cells.size()));
  }
  return out;
}

}  // namespace

TEST(originals_are_counted_and_the_best_is_found) {
  Dice dice;
  for (int round = 0; round < check::cases(15, 150); ++round) {
    const Case c = random_case(dice);
    const Truth truth = enumerate(c);
    if (truth.change.empty()) continue;
    PosteriorModel model({{c.set, c.mechanism, c.published.data()}}, Inference::automatic, 1000000);
    const OriginalCount count = count_originals(model, c.prior, 100000, {});
    CHECK(count.exact);
    CHECK_EQ(static_cast<double>(count.count), static_cast<double>(truth.change.size()));
    const BestOriginal best = best_original(model, c.prior, 100000, {});
    const double log_evidence = model.log_evidence(c.prior, {});
    CHECK(best.exact);
    CHECK_NEAR(best.log_weight - log_evidence,
               std::log(*std::max_element(truth.probability.begin(), truth.probability.end())),
               1e-9);
    std::vector<int> change;
    for (std::size_t i = 0; i < c.set.n_cells; ++i) {
      const std::int32_t law = model.linkage().law_of_cell[i];
      change.push_back(law == 0  ? 0
                       : law > 0 ? best.change[static_cast<std::size_t>(law - 1)]
                                 : -best.change[static_cast<std::size_t>(-law - 1)]);
    }
    const auto at =
        std::find(truth.change.begin(), truth.change.end(), change) - truth.change.begin();
    CHECK(static_cast<std::size_t>(at) < truth.change.size());
    CHECK_NEAR(std::log(truth.probability[static_cast<std::size_t>(at)]),
               best.log_weight - log_evidence, 1e-9);

    // A narrow search is bounded by the truth on both sides, and says what it is.
    const BestOriginal narrow = best_original(model, c.prior, 1, {});
    CHECK(narrow.log_weight <= best.log_weight + 1e-9);
    CHECK(narrow.log_bound >= best.log_weight - 1e-9);
    if (narrow.exact) CHECK_NEAR(narrow.log_weight, best.log_weight, 1e-9);
    const OriginalCount bound = count_originals(model, c.prior, 1, {});
    CHECK(bound.count >= count.count);
  }
}

TEST(sums_have_their_laws) {
  Dice dice;
  for (int round = 0; round < check::cases(50, 100); ++round) {
    const Case c = random_case(dice);
    const Truth truth = enumerate(c);
    if (truth.change.empty()) continue;
    PosteriorModel model({{c.set, c.mechanism, c.published.data()}}, Inference::automatic, 1000000);
    std::vector<std::int32_t> coefficient(model.n_laws(), 0);
    std::map<int, double> expected;
    std::vector<int> chosen(c.set.n_cells, 0);
    for (std::size_t i = 0; i < c.set.n_cells; ++i) {
      chosen[i] = dice.below(3) - 1;
      const std::int32_t law = model.linkage().law_of_cell[i];
      if (law != 0)
        coefficient[static_cast<std::size_t>(std::abs(law) - 1)] +=
            law > 0 ? chosen[i] : -chosen[i];
    }
    for (std::size_t k = 0; k < truth.change.size(); ++k)
      expected[std::inner_product(chosen.begin(), chosen.end(), truth.change[k].begin(), 0)] +=
          truth.probability[k];
    const SumLaw found = sum_changes(model, c.prior, coefficient, 1e9, {});
    double worst = 0, total = 0;
    for (std::size_t i = 0; i < found.probability.size(); ++i) {
      const auto at = expected.find(static_cast<int>(found.low) + static_cast<int>(i));
      worst = std::max(worst,
                       std::fabs(found.probability[i] - (at == expected.end() ? 0 : at->second)));
      total += found.probability[i];
    }
    CHECK(worst < 1e-10);
    CHECK_NEAR(total, 1, 1e-10);
    CHECK_THROWS(TooLargeError,
                 sum_changes(model, c.prior, std::vector<std::int32_t>(model.n_laws(), 1), .5, {}));
  }
}

// Without blocking a closed ring of n cycles has (2r + 1)^n - (2r)^n originals.
TEST(rings_far_from_zero_have_the_known_number_of_originals) {
  for (int covers : {1, 2})
    for (int n : {3, 5, 40}) {
      const CycleSet set = bands(2, n, false);
      Mechanism mechanism;
      mechanism.alpha = mechanism.beta = {.25};
      for (int t = 0; t < covers; ++t)
        for (int c = 0; c < n; ++c) mechanism.sequence.push_back(c);
      const std::vector<double> published(set.n_cells, 50.0);
      PosteriorModel model({{set, mechanism, published.data()}}, Inference::automatic, 1000);
      BigCount expected = 1, all = 1;
      for (int i = 0; i < n; ++i) expected *= 2 * covers + 1, all *= 2 * covers;
      const OriginalCount count = count_originals(model, {}, 100000, {});
      CHECK(count.exact);
      CHECK(count.count == expected - all);
    }
}
