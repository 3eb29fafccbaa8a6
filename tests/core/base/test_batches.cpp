// Estimates from batches: against the same statistics written out in extended precision, and
// against what simulation with a known answer must give.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/batches.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double uniform(PublicRandom& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

struct Batch {
  double log_evidence;
  std::vector<double> laws;
};

// Two laws over three changes each.
std::vector<double> random_laws(PublicRandom& random) {
  std::vector<double> out;
  for (int law = 0; law < 2; ++law) {
    double x[3], sum = 0;
    for (double& v : x) sum += v = random.below(3) == 0 ? 0 : uniform(random);
    for (double v : x) out.push_back(sum == 0 ? 1.0 / 3 : v / sum);
  }
  return out;
}

std::vector<Batch> random_batches(PublicRandom& random, std::size_t n, double around) {
  std::vector<Batch> out;
  for (std::size_t b = 0; b < n; ++b) {
    const bool empty = b > 0 && random.below(4) == 0;
    out.push_back({empty ? kNever : around + 6 * uniform(random),
                   empty ? std::vector<double>(6, 0) : random_laws(random)});
  }
  return out;
}

SimulatedLaws estimate(const std::vector<Batch>& batches) {
  Batches out;
  for (const Batch& b : batches) out.add(b.log_evidence, b.laws);
  return out.estimate();
}

// The statistics of evidences that are plain numbers: the mean, the variance of the mean, and the
// ratio of means with its variance by linearization.
struct Twin {
  long double mean = 0, error = 0;
  std::vector<long double> laws, law_error;
};

Twin twin(const std::vector<Batch>& batches) {
  Twin out;
  const auto n = static_cast<long double>(batches.size());
  for (const Batch& b : batches) out.mean += std::exp(static_cast<long double>(b.log_evidence)) / n;
  long double spread = 0;
  for (const Batch& b : batches) {
    const long double apart = std::exp(static_cast<long double>(b.log_evidence)) - out.mean;
    spread += apart * apart / (n - 1);
  }
  out.error = std::sqrt(spread / n) / out.mean;
  for (std::size_t i = 0; i < batches[0].laws.size(); ++i) {
    long double joint = 0, residue = 0;
    for (const Batch& b : batches)
      joint += std::exp(static_cast<long double>(b.log_evidence)) * b.laws[i];
    const long double ratio = joint / (n * out.mean);
    for (const Batch& b : batches) {
      const long double w = std::exp(static_cast<long double>(b.log_evidence));
      residue += (w * b.laws[i] - ratio * w) * (w * b.laws[i] - ratio * w);
    }
    out.laws.push_back(ratio);
    out.law_error.push_back(std::sqrt(residue / (n * (n - 1))) / out.mean);
  }
  return out;
}

}  // namespace

TEST(the_mean_of_exponentials_is_that_of_plain_numbers) {
  PublicRandom random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> x(1 + random.below(9));
    long double sum = 0;
    for (double& v : x) {
      v = random.below(5) == 0 ? kNever : 20 * uniform(random) - 10;
      sum += std::exp(static_cast<long double>(v));
    }
    const long double mean = std::log(sum / static_cast<long double>(x.size()));
    CHECK_NEAR(log_mean_exp(x), static_cast<double>(mean), 1e-13);
  }
}

TEST(the_mean_of_exponentials_neither_overflows_nor_underflows) {
  CHECK_NEAR(log_mean_exp({1e4, 1e4}), 1e4, 1e-15);
  CHECK_NEAR(log_mean_exp({-1e4, -1e4, -1e4}), -1e4, 1e-15);
  CHECK_NEAR(log_mean_exp({-1e300, 5}), 5 - std::log(2), 1e-15);
  CHECK_EQ(log_mean_exp({kNever}), kNever);
  CHECK_EQ(log_mean_exp({kNever, kNever}), kNever);
  CHECK_NEAR(log_mean_exp({kNever, 0}), -std::log(2), 1e-15);
  CHECK_EQ(log_mean_exp({-7.25}), -7.25);
}

TEST(estimates_are_means_and_ratios_of_means) {
  PublicRandom random(2);
  for (int round = 0; round < 200; ++round) {
    const auto batches = random_batches(random, 2 + random.below(7), -3);
    const SimulatedLaws found = estimate(batches);
    const Twin expected = twin(batches);
    CHECK_NEAR(found.log_evidence, static_cast<double>(std::log(expected.mean)), 1e-12);
    CHECK_NEAR(found.evidence_error, static_cast<double>(expected.error), 1e-12);
    for (std::size_t i = 0; i < found.laws.size(); ++i) {
      CHECK_NEAR(found.laws[i], static_cast<double>(expected.laws[i]), 1e-12);
      CHECK_NEAR(found.law_error[i], static_cast<double>(expected.law_error[i]), 1e-12);
    }
  }
}

TEST(laws_stay_laws_and_only_the_evidence_has_a_scale) {
  PublicRandom random(3);
  for (int round = 0; round < 100; ++round) {
    auto batches = random_batches(random, 2 + random.below(5), 0);
    const SimulatedLaws before = estimate(batches);
    CHECK_NEAR(before.laws[0] + before.laws[1] + before.laws[2], 1.0, 1e-14);
    CHECK_NEAR(before.laws[3] + before.laws[4] + before.laws[5], 1.0, 1e-14);
    const double by = round % 2 == 0 ? 3000 : -3000;
    for (Batch& b : batches) b.log_evidence += by;
    random.shuffle(batches.begin(), batches.end());
    const SimulatedLaws after = estimate(batches);
    CHECK_NEAR(after.log_evidence, before.log_evidence + by, 1e-14);
    CHECK_NEAR(after.evidence_error, before.evidence_error, 1e-10);
    for (std::size_t i = 0; i < before.laws.size(); ++i) {
      CHECK_NEAR(after.laws[i], before.laws[i], 1e-10);
      CHECK_NEAR(after.law_error[i], before.law_error[i], 1e-10);
    }
  }
}

TEST(equal_batches_have_no_error) {
  PublicRandom random(4);
  const Batch one{-12.5, random_laws(random)};
  const SimulatedLaws found = estimate({one, one, one});
  CHECK_NEAR(found.log_evidence, -12.5, 1e-15);
  CHECK_NEAR(found.evidence_error, 0.0, 1e-14);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK_NEAR(found.laws[i], one.laws[i], 1e-15);
    CHECK_NEAR(found.law_error[i], 0.0, 1e-14);
  }
}

TEST(batches_that_find_nothing_count_in_the_evidence_and_not_in_the_laws) {
  PublicRandom random(5);
  const Batch one{-1, random_laws(random)}, none{kNever, std::vector<double>(6, 0)};
  const SimulatedLaws found = estimate({one, none, none, none});
  CHECK_NEAR(found.log_evidence, -1 - std::log(4), 1e-14);
  CHECK_NEAR(found.evidence_error, 1.0, 1e-14);
  for (std::size_t i = 0; i < 6; ++i) CHECK_NEAR(found.laws[i], one.laws[i], 1e-15);
}

TEST(nothing_found_at_all_is_an_error) {
  const Batch none{kNever, {0, 0, 0}};
  CHECK_THROWS(InfeasibleError, estimate({none}));
  CHECK_THROWS(InfeasibleError, estimate({none, none}));
  CHECK_THROWS(InfeasibleError, no_run_left());
}

// Weighted draws of a coin with known chance: the intervals of two standard errors hold the truth
// about as often as they say.
TEST(standard_errors_cover_the_truth) {
  PublicRandom random(6);
  int laws_covered = 0, evidence_covered = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    Batches batches;
    for (int b = 0; b < 30; ++b) {
      double weight = 0, heads = 0;
      for (int run = 0; run < 20; ++run) {
        // Heads comes up half of the time in the proposal, and weighs .6 of all.
        const bool head = random.below(2) == 0;
        weight += head ? 1.2 : .8;
        heads += head ? 1.2 : 0;
      }
      batches.add(std::log(weight / 20), {heads / weight, 1 - heads / weight});
    }
    const SimulatedLaws found = batches.estimate();
    laws_covered += std::abs(found.laws[0] - .6) <= 2 * found.law_error[0];
    evidence_covered += std::abs(std::exp(found.log_evidence) - 1) <= 2 * found.evidence_error;
  }
  CHECK(laws_covered > .92 * kRounds && laws_covered < .99 * kRounds);
  CHECK(evidence_covered > .92 * kRounds && evidence_covered < .99 * kRounds);
}
