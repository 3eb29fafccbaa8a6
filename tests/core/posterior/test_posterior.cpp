// Posteriors by messages against enumeration, on random sets and tables.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/posterior.hpp"

using namespace sdclattice;

namespace {

// Lenz's band for m rows and n columns; a ring of squares for m = n.
CycleSet lenz(int m, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(m * n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k + 1 < m; ++k) {
      set.add(k + m * ((k + i) % n), 1);
      set.add(k + m * ((k + 1 + i) % n), -1);
    }
    set.add(m - 1 + m * ((m - 1 + i) % n), 1);
    set.add(m - 1 + m * i, -1);
    set.close();
  }
  return set;
}

// m / 2 bands of two rows, each with its own ring of 2 x 2 cycles.
CycleSet pairs(int m, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(m * n);
  for (int row = 0; row < m; row += 2) {
    for (int i = 0; i < n; ++i) {
      const int j = (i + 1) % n;
      set.add(row + m * i, 1);
      set.add(row + 1 + m * i, -1);
      set.add(row + m * j, -1);
      set.add(row + 1 + m * j, 1);
      set.close();
    }
  }
  return set;
}

struct Case {
  CycleSet set;
  Mechanism mechanism;
  std::vector<double> published, rates;
  Prior prior;
};

struct Dice {
  std::mt19937_64 source{20240611};
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
  double uniform() { return static_cast<double>(source() >> 11) / 9007199254740992.0; }
};

Case random_case(Dice& dice, int covers) {
  Case out;
  const int kind = dice.below(3), n = 2 + dice.below(4);
  const int m = kind == 0 ? n : 2 + dice.below(3);
  out.set = kind == 2 || m % n == 1 ? pairs(covers == 1 ? 4 : 2, std::min(n, 4)) : lenz(m, n);
  std::vector<std::int32_t> order(out.set.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
  for (int t = 0; t < covers; ++t) {
    std::shuffle(order.begin(), order.end(), dice.source);
    for (std::int32_t c : order) out.mechanism.sequence.push_back(c);
  }
  const bool own = dice.below(2) == 0;
  for (std::size_t c = 0; c < (own ? out.set.size() : 1); ++c) {
    out.mechanism.alpha.push_back(.1 * (1 + dice.below(5)));
    out.mechanism.beta.push_back(.1 * dice.below(6));
  }
  out.mechanism.rule = static_cast<ZeroRule>(dice.below(4));
  for (std::size_t i = 0; i < out.set.n_cells; ++i) {
    out.published.push_back(dice.below(4));
    out.rates.push_back(.5 * (1 + dice.below(8)));
  }
  if (dice.below(2) == 0) {
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    factor.value = {out.rates.data(), out.rates.size()};
    out.prior.factors.push_back(factor);
  }
  return out;
}

constexpr double impossible = 1;  // no evidence of these cases is as large

std::vector<Publication> source(const CycleSet& set, const Mechanism& mechanism,
                                const std::vector<double>& published) {
  return {{set, mechanism, published.data()}};
}

std::vector<Publication> source(const Case& c) {
  return source(c.set, c.mechanism, c.published);
}

double infer(PosteriorModel& model, const Case& c, std::vector<double>& laws) {
  laws.assign(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
  try {
    return model.infer(c.prior, laws.data(), {});
  } catch (const InfeasibleError&) {
    return impossible * 1e9;
  }
}

double law(const PosteriorModel& model, const std::vector<double>& laws, std::size_t cell, int d) {
  const std::int32_t at = model.linkage().law_of_cell[cell];
  const int signed_d = at > 0 ? d : -d;
  if (std::abs(signed_d) > model.reach()) return 0;
  return laws[static_cast<std::size_t>((std::abs(at) - 1) * model.width() + model.reach() +
                                       signed_d)];
}

double worst_difference(const Case& c, const PosteriorModel& a, const std::vector<double>& in_a,
                        const PosteriorModel& b, const std::vector<double>& in_b) {
  const int reach = std::max(a.reach(), b.reach());
  double worst = 0;
  for (std::size_t cell = 0; cell < c.set.n_cells; ++cell)
    for (int d = -reach; d <= reach; ++d)
      worst = std::max(worst, std::fabs(law(a, in_a, cell, d) - law(b, in_b, cell, d)));
  return worst;
}

}  // namespace

TEST(messages_agree_with_enumeration) {
  Dice dice;
  for (int round = 0; round < 150; ++round) {
    const Case c = random_case(dice, 1 + round % 2);
    PosteriorModel rings(source(c), Inference::automatic, 1000000);
    PosteriorModel all(source(c), Inference::enumeration, 1000000);
    std::vector<double> in_rings, in_all;
    const double a = infer(rings, c, in_rings), b = infer(all, c, in_all);
    CHECK_NEAR(a, b, 1e-9);
    if (b < 1e8) CHECK(worst_difference(c, rings, in_rings, all, in_all) < 1e-9);
    if (b < 1e8) CHECK_NEAR(rings.log_evidence(c.prior, {}), b, 1e-9);
  }
}

TEST(three_covers_agree_with_enumeration) {
  Dice dice;
  for (int round = 0; round < 6; ++round) {
    Case c = random_case(dice, 3);
    if (c.set.size() > 4 || c.mechanism.rule == ZeroRule::nonnegative) continue;
    PosteriorModel rings(source(c), Inference::automatic, 1000000);
    PosteriorModel all(source(c), Inference::enumeration, 1000000);
    std::vector<double> in_rings, in_all;
    CHECK_NEAR(infer(rings, c, in_rings), infer(all, c, in_all), 1e-9);
    CHECK(worst_difference(c, rings, in_rings, all, in_all) < 1e-9);
  }
}

// Draws have the frequencies that the laws say, ring by ring and by enumeration.
TEST(draws_follow_the_laws) {
  Dice dice;
  for (int round = 0; round < 12; ++round) {
    Case c = random_case(dice, 1 + round % 2);
    c.mechanism.rule = ZeroRule::nonnegative;
    const auto method = round % 3 == 0 ? Inference::enumeration : Inference::automatic;
    PosteriorModel model(source(c), method, 1000000);
    std::vector<double> laws;
    if (infer(model, c, laws) > 1e8) continue;
    const std::size_t n = 4000;
    std::vector<std::int8_t> shifts(n * model.n_laws());
    model.sample(c.prior, n, [&] { return dice.uniform(); }, shifts.data(), {});
    std::vector<double> counted(laws.size(), 0);
    for (std::size_t i = 0; i < shifts.size(); ++i)
      counted[(i % model.n_laws()) * static_cast<std::size_t>(model.width()) +
              static_cast<std::size_t>(model.reach() + shifts[i])] += 1.0 / n;
    double worst = 0;
    for (std::size_t i = 0; i < laws.size(); ++i)
      worst = std::max(worst, std::fabs(laws[i] - counted[i]));
    CHECK(worst < .05);  // six standard errors
  }
}

TEST(large_coefficients_and_overlaps_have_laws) {
  CycleSet set;
  set.n_cells = 5;
  set.add(0, 2), set.add(1, -2), set.close();
  set.add(1, 1), set.add(2, -1), set.close();
  set.add(3, 1), set.add(2, -1), set.close();
  Mechanism mechanism{{0, 1, 2}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> published{3, 3, 3, 3, 3};
  PosteriorModel model(source(set, mechanism, published), Inference::automatic, 1000);
  CHECK_EQ(model.linkage().law_of_cell[4], 0);
  std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
  model.infer({}, laws.data(), {});
  for (std::size_t l = 0; l < model.n_laws(); ++l) {
    double sum = 0;
    for (int d = 0; d < model.width(); ++d) sum += laws[l * model.width() + d];
    CHECK_NEAR(sum, 1, 1e-12);
  }
}

TEST(limits_are_named) {
  const CycleSet set = lenz(5, 12);
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  for (int t = 0; t < 3; ++t)
    for (int c = 0; c < 12; ++c) mechanism.sequence.push_back(c);
  const std::vector<double> published(set.n_cells, 5.0);
  PosteriorModel model(source(set, mechanism, published), Inference::automatic, 1000);
  CHECK_THROWS(TooLargeError, model.log_evidence({}, {}));
  PosteriorModel all(source(set, mechanism, published), Inference::enumeration, 1000);
  CHECK_THROWS(TooLargeError, all.log_evidence({}, {}));
}

TEST(a_prior_can_exclude_everything) {
  const CycleSet set = pairs(2, 3);
  Mechanism mechanism{{0, 1, 2}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> published(6, 1.0), bound(1, 9.0);
  Prior prior;
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::at_least;
  factor.value = {bound.data(), 1};
  prior.factors.push_back(factor);
  for (Inference method : {Inference::automatic, Inference::enumeration}) {
    PosteriorModel model(source(set, mechanism, published), method, 1000);
    CHECK_THROWS(InfeasibleError, model.log_evidence(prior, {}));
  }
}

TEST(an_empty_set_leaves_the_table_known) {
  CycleSet set;
  set.n_cells = 3;
  const std::vector<double> published{1, 2, 3};
  PosteriorModel model(source(set, Mechanism{{}, {.25}, {.25}, ZeroRule::blocked}, published),
                       Inference::automatic, 1000);
  CHECK_EQ(model.n_laws(), 0u);
  CHECK_NEAR(model.log_evidence({}, {}), 0, 1e-12);
}

// A Poisson prior with one rate for all cells has the same total in every original: whatever the
// rate, the laws are those of rate 1, and the evidence differs by total x log(rate).
TEST(extreme_priors_keep_the_laws) {
  Dice dice;
  for (int round = 0; round < 12; ++round) {
    Case c = random_case(dice, 1 + round % 2);
    c.mechanism.rule = ZeroRule::nonnegative;
    PosteriorModel model(source(c), Inference::automatic, 1000000);
    double total = 0;
    for (double p : c.published) total += p;
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    double rate = 1;
    factor.value = {&rate, 1};
    c.prior.factors = {factor};
    std::vector<double> laws, extreme;
    const double evidence = infer(model, c, laws);
    for (double other : {1e-300, 1e-20, 1e-13, 1e20, 1e300}) {
      rate = other;
      CHECK_NEAR(infer(model, c, extreme), evidence + total * std::log(other), 1e-9);
      CHECK(worst_difference(c, model, laws, model, extreme) < 1e-9);
    }
    rate = 1;
  }
}

// Rates that differ by many orders of magnitude between cells.
TEST(wild_priors_agree_with_enumeration) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    Case c = random_case(dice, 1 + round % 2);
    for (double& rate : c.rates) rate = std::pow(10.0, -dice.below(100));
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    factor.value = {c.rates.data(), c.rates.size()};
    c.prior.factors = {factor};
    PosteriorModel rings(source(c), Inference::automatic, 1000000);
    PosteriorModel all(source(c), Inference::enumeration, 1000000);
    std::vector<double> in_rings, in_all;
    const double a = infer(rings, c, in_rings), b = infer(all, c, in_all);
    CHECK_NEAR(a, b, 1e-9);
    if (b < 1e8) CHECK(worst_difference(c, rings, in_rings, all, in_all) < 1e-9);
  }
}

// Large classes of cells and an ordinary rate: the weights of one link span thousands of powers of
// e.
TEST(long_classes_do_not_underflow) {
  const int n = 60;
  const CycleSet set = lenz(n, n);
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  for (int t = 0; t < 2; ++t)
    for (int c = 0; c < n; ++c) mechanism.sequence.push_back(c);
  const std::vector<double> published(set.n_cells, 20.0);
  PosteriorModel model(source(set, mechanism, published), Inference::automatic, 1000);
  std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0),
      flat = laws;
  Prior prior;
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::poisson;
  double rate = 1;
  factor.value = {&rate, 1};
  prior.factors = {factor};
  const double one = model.infer(prior, laws.data(), {});
  rate = 20;
  const double twenty = model.infer(prior, flat.data(), {});
  CHECK_NEAR(twenty - one, 20 * 3600 * std::log(20.0), 1e-9);
  double worst = 0;
  for (std::size_t i = 0; i < laws.size(); ++i)
    worst = std::max(worst, std::fabs(laws[i] - flat[i]));
  CHECK(worst < 1e-9);
}

// alpha + beta is 1 in double precision: no coin asks for nothing, here as in the mechanism.
TEST(coins_that_always_move_leave_nothing_still) {
  const CycleSet set = lenz(2, 2);
  const Mechanism mechanism{{0, 1}, {1.0 / 3}, {2.0 / 3}, ZeroRule::blocked};
  const std::vector<double> published{3, 4, 5, 6};
  for (Inference method : {Inference::automatic, Inference::enumeration}) {
    PosteriorModel model(source(set, mechanism, published), method, 1000);
    std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
    model.infer({}, laws.data(), {});
    int possible = 0;
    for (int d = 0; d < model.width(); ++d) possible += laws[static_cast<std::size_t>(d)] > 0;
    CHECK_EQ(possible, 3);
  }
}

TEST(a_stopped_ring_stops) {
  const CycleSet set = lenz(3, 300);
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  mechanism.rule = ZeroRule::nonnegative;
  for (int t = 0; t < 2; ++t)
    for (int c = 0; c < 300; ++c) mechanism.sequence.push_back(c);
  const std::vector<double> published(set.n_cells, 3.0);
  PosteriorModel model(source(set, mechanism, published), Inference::automatic, 1000);
  struct Stop {};
  int asked = 0;
  CHECK_THROWS(Stop, model.log_evidence({}, [&](double) {
    if (++asked == 3) throw Stop{};
  }));
}
