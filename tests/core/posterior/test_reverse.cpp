// Weighted reverse passes against enumeration.
#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/posterior.hpp"
#include "posterior/reverse.hpp"

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
