// Chains joined against all pairs and triples of paths that make the same changes, but for the
// offsets.
#include <cmath>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/joint_chain.hpp"
#include "posterior/small_chains.hpp"

using namespace sdclattice;
using namespace small_chains;

namespace {

using Offsets = std::vector<std::vector<std::int32_t>>;
constexpr int reach = 3;

// The paths of the first chain, each times the weight of those of the others that it goes with.
ChangeLaw agreeing(const std::vector<Chain>& chains, const Offsets& offsets) {
  ChangeLaw out = all_paths(chains[0]);
  for (std::size_t k = 1; k < chains.size(); ++k) {
    const ChangeLaw other = all_paths(chains[k]);
    ChangeLaw both;
    for (const auto& [changes, w] : out) {
      Changes wanted = changes;
      for (std::size_t l = 0; l < wanted.size(); ++l) wanted[l] += offsets[k - 1][l];
      const auto at = other.find(wanted);
      if (at != other.end()) both[changes] = w * at->second;
    }
    out = std::move(both);
  }
  return out;
}

bool same(const ChangeLaw& a, const ChangeLaw& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [changes, w] : a)
    if (b.count(changes) == 0 || std::fabs(b.at(changes) - w) > 1e-12 * w) return false;
  return true;
}

bool shape_fits(const Chain& joint, const Chain& first) {
  if (joint.laws != first.laws || joint.steps.size() != first.steps.size()) return false;
  std::size_t states = 1;
  for (std::size_t j = 0; j < joint.steps.size(); ++j) {
    const ChainStep& step = joint.steps[j];
    if (step.n_before() != states || step.first_law != first.steps[j].first_law) return false;
    if (step.kernel->first.size() != step.kernel->n_from + 1) return false;
    states = step.n_after();
  }
  return states == 1;
}

// Whether the chains can be joined. They can not where no paths agree, and only there.
bool compare(const std::vector<Chain>& chains, const Offsets& offsets) {
  const ChangeLaw truth = agreeing(chains, offsets);
  if (truth.empty()) {
    CHECK_THROWS(InfeasibleError, [&] {
      const Chain joint = join_chains(chains, offsets, {});
      // Paths may agree up to some step and then end.
      if (chain_evidence(joint, {}, {}) < -1e300) throw InfeasibleError("none");
    }());
    return false;
  }
  const Chain joint = join_chains(chains, offsets, {});
  CHECK(shape_fits(joint, chains[0]));
  CHECK(same(all_paths(joint), truth));
  std::vector<double> laws(joint.laws.size() * (2 * reach + 1), 0);
  CHECK_NEAR(chain_infer(joint, {}, reach, laws.data(), {}), std::log(total(truth)), 1e-12);
  CHECK(worst_difference(laws, shares(truth, joint.laws.size(), reach)) < 1e-12);
  return true;
}

Offsets random_offsets(Dice& dice, std::size_t n_others, std::size_t n_laws) {
  Offsets out(n_others, std::vector<std::int32_t>(n_laws, 0));
  for (auto& of : out)
    for (std::int32_t& x : of) x = dice.below(3) == 0 ? dice.between(-1, 1) : 0;
  return out;
}

}  // namespace

TEST(pairs_of_chains) {
  Dice dice(1);
  int joined = 0;
  for (int round = 0; round < 900; ++round) {
    const Chain a = random_chain(dice, 1 + dice.below(4), nullptr, 1);
    const Chain b = random_chain(dice, static_cast<int>(a.steps.size()), &a, 1);
    joined += compare({a, b}, random_offsets(dice, 1, a.laws.size()));
  }
  CHECK(joined > 100);
}

TEST(three_chains) {
  Dice dice(2);
  int joined = 0;
  for (int round = 0; round < 700; ++round) {
    const Chain a = random_chain(dice, 1 + dice.below(3), nullptr, 1);
    const int n = static_cast<int>(a.steps.size());
    const Chain b = random_chain(dice, n, &a, 1), c = random_chain(dice, n, &a, 1);
    joined += compare({a, b, c}, random_offsets(dice, 2, a.laws.size()));
  }
  CHECK(joined > 50);
}

// A chain and itself: each change has the square of its weight.
TEST(a_chain_with_itself) {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    const Chain a = random_chain(dice, 1 + dice.below(3), nullptr, 1);
    const ChangeLaw once = all_paths(a);
    if (once.empty()) continue;
    ChangeLaw squared;
    for (const auto& [changes, w] : once) squared[changes] = w * w;
    const Offsets none(1, std::vector<std::int32_t>(a.laws.size(), 0));
    CHECK(same(all_paths(join_chains({a, a}, none, {})), squared));
  }
}

// One chain alone comes back with the same paths.
TEST(one_chain_stays_as_it_is) {
  Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    const Chain a = random_chain(dice, 1 + dice.below(4), nullptr, 2);
    if (!all_paths(a).empty()) compare({a}, {});
  }
}

// Offsets beyond what any path changes leave nothing.
TEST(publications_that_contradict_each_other) {
  Dice dice(5);
  for (int round = 0; round < 100; ++round) {
    const Chain a = random_chain(dice, 2, nullptr, 1);
    if (a.laws.empty() || all_paths(a).empty()) continue;
    const Offsets far(1, std::vector<std::int32_t>(a.laws.size(), 1 << 20));
    CHECK_THROWS(InfeasibleError, join_chains({a, a}, far, {}));
  }
}

// Tuples of states are numbered by 64 bits: more are refused before anything large is made.
TEST(too_many_tuples) {
  auto kernel = std::make_shared<Kernel>();
  kernel->n_to = 1 << 16;
  kernel->entries.push_back({0, 0, 1.0});
  kernel->first.push_back(1);
  kernel->n_codes = 1;
  Chain chain;
  chain.steps.push_back({kernel, 1 << 16, 0, nullptr});
  CHECK_THROWS(TooLargeError, join_chains({chain, chain}, {{}}, {}));
}
