// Messages along random chains against a walk along every path.
#include <cmath>
#include <limits>

#include "check.hpp"
#include "posterior/small_chains.hpp"

using namespace sdclattice;
using namespace small_chains;

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr int reach = 3;

std::vector<double> zeros(const Chain& chain) {
  return std::vector<double>(chain.laws.size() * (2 * reach + 1), 0);
}

LawWeights as_weights(const std::vector<double>& logs) {
  return {logs.data(), 0, reach};
}

ChangeLaw weigh(ChangeLaw law, const LawWeights& weights) {
  for (auto& [changes, w] : law)
    for (std::size_t l = 0; l < changes.size(); ++l)
      w *= std::exp(weights.get(static_cast<std::int32_t>(l), changes[l]));
  return law;
}

void compare(const Chain& chain, const LawWeights& weights, const ChangeLaw& truth) {
  const double all = total(truth), log_all = all > 0 ? std::log(all) : never;
  CHECK_NEAR(chain_evidence(chain, weights, {}), log_all, 1e-12);
  std::vector<double> laws = zeros(chain);
  CHECK_NEAR(chain_infer(chain, weights, reach, laws.data(), {}), log_all, 1e-12);
  if (all > 0)
    CHECK(worst_difference(laws, shares(truth, chain.laws.size(), reach)) < 1e-12);
  else
    CHECK(laws == zeros(chain));
}

}  // namespace

TEST(random_chains_against_all_paths) {
  Dice dice(1);
  int possible = 0;
  for (int round = 0; round < 1200; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(5), nullptr, 2);
    const ChangeLaw truth = all_paths(chain);
    possible += !truth.empty();
    compare(chain, {}, truth);
  }
  CHECK(possible > 300);
}

TEST(weights_of_changes) {
  Dice dice(2);
  for (int round = 0; round < 800; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 2);
    std::vector<double> logs = zeros(chain);
    for (double& x : logs) x = dice.below(6) == 0 ? never : -4 * dice.uniform();
    const LawWeights weights = as_weights(logs);
    ChangeLaw truth = weigh(all_paths(chain), weights);
    for (auto at = truth.begin(); at != truth.end();)
      at = at->second == 0 ? truth.erase(at) : std::next(at);
    compare(chain, weights, truth);
  }
}

// Numbers that doubles cannot hold: a constant for each law moves the evidence and nothing else.
TEST(weights_beyond_doubles) {
  Dice dice(3);
  for (int round = 0; round < 300; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 2);
    if (all_paths(chain).empty()) continue;
    for (const double far : {-5000.0, -1e6}) {
      std::vector<double> logs = zeros(chain);
      for (double& x : logs) x = far;
      std::vector<double> laws = zeros(chain), moved = laws;
      const double plain = chain_infer(chain, {}, reach, laws.data(), {});
      const double other = chain_infer(chain, as_weights(logs), reach, moved.data(), {});
      CHECK_NEAR(other, plain + far * static_cast<double>(chain.laws.size()), 1e-12);
      CHECK(worst_difference(laws, moved) < 1e-12);
    }
  }
}

// Laws whose changes differ by thousands of powers of e: the largest change of each path decides.
TEST(weights_far_apart) {
  Dice dice(4);
  for (int round = 0; round < 400; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 2);
    const ChangeLaw plain = all_paths(chain);
    std::vector<double> logs = zeros(chain);
    for (std::size_t i = 0; i < logs.size(); ++i)
      logs[i] = 700.0 * (static_cast<double>(i % (2 * reach + 1)) - 2 * reach);
    if (plain.empty() || chain.laws.empty()) continue;
    int top = -1000;
    for (const auto& [changes, w] : plain)
      top = std::max(top, std::accumulate(changes.begin(), changes.end(), 0));
    ChangeLaw truth;
    for (const auto& [changes, w] : plain)
      if (std::accumulate(changes.begin(), changes.end(), 0) == top) truth[changes] = w;
    std::vector<double> laws = zeros(chain);
    const double found = chain_infer(chain, as_weights(logs), reach, laws.data(), {});
    CHECK_NEAR(found,
               700.0 * (top - reach * static_cast<int>(chain.laws.size())) + std::log(total(truth)),
               1e-12);
    CHECK(worst_difference(laws, shares(truth, chain.laws.size(), reach)) < 1e-12);
    CHECK_NEAR(chain_evidence(chain, as_weights(logs), {}), found, 1e-12);
  }
}

// The joint law of all changes in 4000 draws, and never a change that no path makes.
TEST(draws_follow_the_paths) {
  Dice dice(5);
  int tried = 0;
  for (int round = 0; round < 60; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 1);
    const ChangeLaw truth = all_paths(chain);
    const std::size_t n = 4000, n_laws = chain.laws.size();
    if (truth.empty() || n_laws == 0) continue;
    ++tried;
    std::vector<std::int8_t> shifts(n * n_laws, 99);
    const double log_all =
        chain_sample(chain, {}, n, n_laws, [&] { return dice.uniform(); }, shifts.data(), {});
    CHECK_NEAR(log_all, std::log(total(truth)), 1e-12);
    ChangeLaw counted;
    for (std::size_t i = 0; i < n; ++i)
      counted[Changes(shifts.begin() + static_cast<std::ptrdiff_t>(i * n_laws),
                      shifts.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_laws))] += 1;
    bool fits = true;
    for (const auto& [changes, k] : counted) fits = fits && truth.count(changes) == 1;
    for (const auto& [changes, w] : truth) {
      const double p = w / total(truth), share = counted[changes] / static_cast<double>(n);
      fits = fits && std::fabs(share - p) < 5.5 * std::sqrt(p * (1 - p) / n) + 1e-9;
    }
    CHECK(fits);
  }
  CHECK(tried > 20);
}

TEST(draws_where_nothing_is_possible) {
  auto kernel = std::make_shared<Kernel>();
  kernel->first.push_back(0);
  Chain chain;
  chain.steps.push_back({kernel, 1, 0, nullptr});
  std::int8_t shift = 77;
  CHECK(chain_sample(chain, {}, 1, 1, [] { return .5; }, &shift, {}) == never);
  CHECK_EQ(shift, 77);
  CHECK(chain_evidence(chain, {}, {}) == never);
}

// The ends of the interval of uniform numbers are draws like others.
TEST(draws_at_the_ends) {
  Dice dice(6);
  for (int round = 0; round < 100; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 1);
    const ChangeLaw truth = all_paths(chain);
    if (truth.empty()) continue;
    for (const double u : {0.0, 1 - 1e-16, 1.0}) {
      std::vector<std::int8_t> shift(chain.laws.size(), 99);
      chain_sample(chain, {}, 1, chain.laws.size(), [u] { return u; }, shift.data(), {});
      CHECK(truth.count(Changes(shift.begin(), shift.end())) == 1);
    }
  }
}

// Scaling the weights of a kernel scales the evidence, however small they become.
TEST(small_weights_do_not_underflow) {
  auto kernel = std::make_shared<Kernel>();
  kernel->entries = {{0, 0, 1e-200}, {0, 0, 1e-200}};
  kernel->first.push_back(2);
  kernel->n_codes = 1;
  Chain chain;
  for (int j = 0; j < 50; ++j) chain.steps.push_back({kernel, 1, 0, nullptr});
  CHECK_NEAR(chain_evidence(chain, {}, {}), 50 * (std::log(2.0) - 200 * std::log(10.0)), 1e-12);
}

TEST(an_empty_chain_has_one_path) {
  CHECK_EQ(chain_evidence({}, {}, {}), 0);
  CHECK_EQ(chain_infer({}, {}, 2, nullptr, {}), 0);
  CHECK_EQ(chain_work({}), 0);
}

TEST(work_counts_entries_on_all_lanes) {
  Dice dice(7);
  for (int round = 0; round < 50; ++round) {
    const Chain chain = random_chain(dice, 4, nullptr, 1);
    double work = 0;
    for (const ChainStep& step : chain.steps) {
      for (std::size_t f = 0; f < step.kernel->n_from; ++f)
        work += (step.kernel->first[f + 1] - step.kernel->first[f]) * double(step.lanes);
    }
    CHECK_EQ(chain_work(chain), work);
  }
}

TEST(messages_are_kept_as_long_as_they_fit) {
  CHECK_EQ(chain_stride(0, 0), 1u);
  CHECK_EQ(chain_stride(1000, 1e6), 1000u);
  CHECK_EQ(chain_stride(1000, 1e12), 32u);
  CHECK_EQ(chain_stride(1, 1e12), 1u);
}

// Messages that are computed again are the same: wide steps, more than fit in memory at once.
TEST(messages_that_are_not_kept) {
  const std::uint32_t wide = 1 << 13;
  auto open = std::make_shared<Kernel>(), on = std::make_shared<Kernel>(),
       close = std::make_shared<Kernel>();
  const auto fill = [](Kernel& kernel, std::uint32_t n_from, std::uint32_t n_to) {
    kernel.n_from = n_from, kernel.n_to = n_to;
    kernel.n_codes = 2, kernel.n_laws = 1, kernel.delta = {0, 1};
    for (std::uint32_t f = 0; f < n_from; ++f) {
      kernel.entries.push_back({f % n_to, 0, .75});
      kernel.entries.push_back({(f + 1) % n_to, 1, .25});
      kernel.first.push_back(static_cast<std::uint32_t>(kernel.entries.size()));
    }
  };
  fill(*open, 1, wide), fill(*on, wide, wide), fill(*close, wide, 1);
  const std::size_t n_steps = 40;
  Chain chain;
  for (std::size_t j = 0; j < n_steps; ++j) {
    chain.steps.push_back({j == 0 ? open : j + 1 == n_steps ? close : on, 1, j, nullptr});
    chain.laws.push_back(static_cast<std::int32_t>(j));
  }
  std::vector<double> laws(n_steps * 3, 0);
  CHECK_NEAR(chain_infer(chain, {}, 1, laws.data(), {}), 0, 1e-12);
  double worst = 0;
  for (std::size_t j = 0; j < n_steps; ++j)
    worst = std::max(worst, std::fabs(laws[j * 3 + 2] - .25) + std::fabs(laws[j * 3 + 1] - .75));
  CHECK(worst < 1e-12);
}

TEST(codes_number_changes_as_they_come) {
  Codes codes;
  CHECK_EQ(codes.get({1, -1}), 0u);
  CHECK_EQ(codes.get({0, 5}), 1u);
  CHECK_EQ(codes.get({1, -1}), 0u);
  CHECK_EQ(codes.get({-128, 127}), 2u);
  Kernel kernel;
  kernel.n_laws = 2;
  codes.write(kernel);
  CHECK_EQ(kernel.n_codes, 3u);
  CHECK_EQ(kernel.delta, std::vector<std::int8_t>({1, -1, 0, 5, -128, 127}));
}
