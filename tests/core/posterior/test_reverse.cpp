// Weighted reverse passes against enumeration.
#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/posterior.hpp"
#include "posterior/reverse.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

struct Dice {
  std::mt19937_64 source{5};
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
  double uniform() { return static_cast<double>(source() >> 11) / 9007199254740992.0; }
};

CycleSet random_squares(Dice& dice, int n) {
  CycleSet set;
  set.n_cells = 12;
  for (int k = 0; k < n; ++k) {
    const int a = dice.below(3), b = (a + 1 + dice.below(2)) % 3;
    const int i = dice.below(4), j = (i + 1 + dice.below(3)) % 4;
    set.add(a + 3 * i, 1), set.add(b + 3 * i, -1), set.add(a + 3 * j, -1), set.add(b + 3 * j, 1);
    set.close();
  }
  return set;
}

// What a mechanism makes of a random table of small counts.
small_tables::Whole random_publication(small_tables::Dice& dice, const CycleSet& set,
                                       const Mechanism& mechanism) {
  small_tables::Whole original;
  for (std::size_t i = 0; i < set.n_cells; ++i) original.push_back(dice.below(4));
  return small_tables::draw(small_tables::publish(set, mechanism, original), dice);
}

}  // namespace

TEST(reverse_passes_estimate_the_posterior) {
  Dice dice;
  int far = 0, all = 0;
  for (int round = 0; round < 12; ++round) {
    const CycleSet set = random_squares(dice, 6);
    Mechanism mechanism;
    for (int t = 0; t < 2; ++t)
      for (int c = 0; c < 6; ++c) mechanism.sequence.push_back(c);
    mechanism.rule = round % 2 ? ZeroRule::blocked : ZeroRule::nonnegative;
    mechanism.alpha = {.25};
    mechanism.beta = {round % 4 == 0 ? .25 : .15};
    std::vector<double> published;
    for (int i = 0; i < 12; ++i) published.push_back(dice.below(4));
    const double rate = 2;
    Prior prior;
    if (round % 3 == 1) {
      PriorFactor factor{};
      factor.kind = PriorFactor::Kind::poisson;
      factor.value = {&rate, 1};
      prior.factors.push_back(factor);
    }
    PosteriorModel model({{set, mechanism, published.data()}}, Inference::automatic, 1000000);
    std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
    const double log_evidence = model.infer(prior, laws.data(), {});

    std::vector<Publication> sources{{set, mechanism, published.data()}};
    std::vector<std::int32_t> room(12);
    const Problem problem(sources, room.data());
    ReversePasses passes(sources[0], problem, prior);
    const SimulatedLaws found = passes.infer(20, 400, [&] { return dice.uniform(); }, {});
    CHECK(std::fabs(std::exp(found.log_evidence - log_evidence) - 1) <
          5 * found.evidence_error + 1e-9);
    if (round % 4 == 0 && prior.uniform()) {  // the symmetric case
      CHECK_NEAR(found.log_evidence, 0, 1e-12);
      CHECK_EQ(found.redraws, 0u);
    }
    for (std::size_t i = 0; i < laws.size(); ++i) {
      far += std::fabs(found.laws[i] - laws[i]) > 4 * found.law_error[i] + 2e-3;
      ++all;
    }
  }
  CHECK(far < all / 100);
}

TEST(reverse_passes_without_an_original_say_so) {
  Dice dice;
  const CycleSet set = random_squares(dice, 3);
  Mechanism mechanism{{0, 1, 2}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> published(12, 1.0), bound(1, 9.0);
  Prior prior;
  PriorFactor factor{};
  factor.kind = PriorFactor::Kind::at_least;
  factor.value = {bound.data(), 1};
  prior.factors.push_back(factor);
  std::vector<Publication> sources{{set, mechanism, published.data()}};
  std::vector<std::int32_t> room(12);
  const Problem problem(sources, room.data());
  const auto infer = [&] {
    ReversePasses(sources[0], problem, prior).infer(2, 10, [&] { return dice.uniform(); }, {});
  };
  CHECK_THROWS(InfeasibleError, infer());
}

// Against a forward run of every outcome of the coins, for sets of any form: evidence and laws
// within their errors, and never a change that no original makes.
TEST(reverse_passes_against_a_forward_run) {
  small_tables::Dice dice(3);
  int tried = 0;
  for (int round = 0; round < 40; ++round) {
    const CycleSet set =
        small_tables::random_cycles(dice, dice.between(2, 4), dice.between(1, 3), 2);
    const Mechanism mechanism = small_tables::random_mechanism(
        dice, set, dice.between(1, 4), round % 2 ? ZeroRule::blocked : ZeroRule::nonnegative);
    const auto table = random_publication(dice, set, mechanism);
    const auto truth = small_tables::originals(set, mechanism, table);
    const std::vector<double> published = small_tables::as_doubles(table);
    const std::vector<Publication> sources{{set, mechanism, published.data()}};
    std::vector<std::int32_t> room(set.n_cells);
    const Problem problem(sources.data(), 1, room.data());
    const Prior prior;
    ReversePasses passes(sources[0], problem, prior);
    const SimulatedLaws found = passes.infer(10, 100, [&] { return dice.uniform(); }, {});
    const double all = small_tables::total(truth);
    CHECK(std::fabs(std::exp(found.log_evidence) / all - 1) < 6 * found.evidence_error + 1e-9);
    const int reach = problem.reach();
    const auto width = 2 * static_cast<std::size_t>(reach) + 1;
    bool fits = true;
    for (std::size_t i = 0; i < room.size(); ++i) {
      if (room[i] == 0) continue;
      std::vector<double> law(width, 0);
      for (const auto& [x, p] : truth) {
        const auto change = static_cast<int>(table[i] - x[i]);
        law[static_cast<std::size_t>(reach + (room[i] > 0 ? change : -change))] += p / all;
      }
      for (std::size_t d = 0; d < width; ++d) {
        const std::size_t at = static_cast<std::size_t>(std::abs(room[i]) - 1) * width + d;
        fits = fits && (law[d] > 0 || found.laws[at] == 0);
        fits = fits && std::fabs(law[d] - found.laws[at]) < 6 * found.law_error[at] + .05;
      }
    }
    CHECK(fits);
    tried += truth.size() > 1;
  }
  CHECK(tried > 15);
}

// Draws are changes that some original makes together.
TEST(reverse_draws_are_possible_originals) {
  small_tables::Dice dice(4);
  for (int round = 0; round < 25; ++round) {
    const CycleSet set = small_tables::random_cycles(dice, 3, 2, 1);
    const Mechanism mechanism = small_tables::random_mechanism(dice, set, 3, ZeroRule::nonnegative);
    const auto table = random_publication(dice, set, mechanism);
    const auto truth = small_tables::originals(set, mechanism, table);
    const std::vector<double> published = small_tables::as_doubles(table);
    const std::vector<Publication> sources{{set, mechanism, published.data()}};
    std::vector<std::int32_t> room(set.n_cells);
    const Problem problem(sources.data(), 1, room.data());
    const Prior prior;
    const std::size_t n_laws = problem.linkage().n_laws(), n = 50;
    std::vector<std::int8_t> shifts(n * n_laws, 99);
    ReversePasses(sources[0], problem, prior)
        .sample(n, 80, [&] { return dice.uniform(); }, shifts.data(), {});
    for (std::size_t k = 0; k < n; ++k) {
      small_tables::Whole x = table;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (room[i] != 0)
          x[i] -= shifts[k * n_laws + static_cast<std::size_t>(std::abs(room[i]) - 1)] *
                  (room[i] > 0 ? 1 : -1);
      CHECK(truth.count(x) == 1);
    }
  }
}
