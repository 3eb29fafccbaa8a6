// Releases down a list: against a scan of all prefixes whose widths come from all tables.
#include "cases.hpp"
#include "check.hpp"
#include "release/greedy_release.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const Tick kQuiet = [](double) {};

std::int64_t width(const Dense& x, const Stored& stored, const std::vector<Mask>& sets) {
  const auto exact = sharp_bounds(x, maximal(sets), 500000);
  if (exact.empty()) return -1;
  std::int64_t out = INT64_MAX;
  for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
    out = std::min(out, exact[stored.risk_cell(k)].width());
  return out;
}

// A table, its sub-tables in an order that begins with the one-way tables and ends with the table.
struct Case {
  Dense x;
  Stored stored;
  std::vector<Mask> order;

  Case(PublicRandom& random, Dense dense) : x(std::move(dense)), stored(x, 2) {
    std::vector<Mask> rest = {3, 5, 6};
    random.shuffle(rest.begin(), rest.end());
    order = {1, 2, 4};
    order.insert(order.end(), rest.begin(), rest.end());
    order.push_back(7);
  }
  // The longest safe prefix, from 0 on.
  std::size_t prefix(std::int64_t beta) const {
    std::size_t out = 0;
    while (out < order.size() &&
           width(x, stored, {order.begin(), order.begin() + static_cast<long>(out) + 1}) >= beta)
      ++out;
    return out;
  }
  std::vector<Mask> first_fit(std::size_t prefix, std::int64_t beta) const {
    std::vector<Mask> out(order.begin(), order.begin() + static_cast<long>(prefix));
    for (std::size_t at = prefix; at < order.size(); ++at) {
      std::vector<Mask> more = out;
      more.push_back(order[at]);
      if (width(x, stored, more) >= beta) out = more;
    }
    return maximal(out);
  }
};

Case random_case(PublicRandom& random) {
  for (;;) {
    Dense x = random_dense(random, {2, 2, 2}, 3, 1);
    std::int64_t total = 0;
    for (std::int64_t count : x.counts) total += count;
    if (total < 4 || total > 12 || Stored(x, 2).at_risk.empty()) continue;
    return {random, std::move(x)};
  }
}

std::vector<Mask> sorted(std::vector<Mask> x) {
  std::sort(x.begin(), x.end());
  return x;
}

}  // namespace

TEST(the_longest_safe_prefix_is_released) {
  PublicRandom random(1);
  int wrong = 0, n = 0, long_ones = 0;
  for (int round = 0; round < 60; ++round) {
    const Case c = random_case(random);
    const RiskCells risk = c.stored.risk();
    const auto beta = static_cast<std::int64_t>(1 + random.below(3));
    const std::size_t expected = c.prefix(beta);
    if (expected < 3) continue;  // the one-way tables belong to every release
    const GreedyRelease found = release_greedily(risk, c.order, beta, {}, kQuiet);
    wrong += found.prefix != expected || found.stopped;
    wrong += sorted(found.frontier) !=
             maximal({c.order.begin(), c.order.begin() + static_cast<long>(expected)});
    GreedyLimits fit;
    fit.first_fit = true;
    wrong += sorted(release_greedily(risk, c.order, beta, fit, kQuiet).frontier) !=
             c.first_fit(expected, beta);
    ++n;
    long_ones += expected > 3;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 20 && long_ones > 5);
}

// When nothing is assured, nothing may be safe, and everything may.
TEST(nothing_is_taken_for_granted_unless_assured) {
  PublicRandom random(2);
  int wrong = 0, none = 0, some = 0;
  for (int round = 0; round < 60; ++round) {
    const Case c = random_case(random);
    const RiskCells risk = c.stored.risk();
    const auto beta = static_cast<std::int64_t>(1 + random.below(8));
    GreedyLimits limits;
    limits.assured = false;
    const GreedyRelease found = release_greedily(risk, c.order, beta, limits, kQuiet);
    const std::size_t expected = c.prefix(beta);
    wrong += found.prefix != expected;
    wrong += sorted(found.frontier) != c.first_fit(expected, beta);
    ++(found.frontier.empty() ? none : some);
  }
  CHECK_EQ(wrong, 0);
  CHECK(none > 3 && some > 20);
}

TEST(checks_say_what_was_found) {
  PublicRandom random(3);
  int wrong = 0, n = 0;
  for (int round = 0; round < 40; ++round) {
    const Case c = random_case(random);
    const RiskCells risk = c.stored.risk();
    GreedyLimits limits;
    limits.first_fit = true;
    const GreedyRelease found = release_greedily(risk, c.order, 2, limits, kQuiet);
    bool fill = false;
    for (const GreedyCheck& check : found.checks) {
      wrong += !check.decided || check.safe != (check.inner >= 2);
      wrong += check.at >= c.order.size() || check.inner > check.outer;
      wrong += fill && !check.in_fill;  // first the bisection, then the rest
      fill = check.in_fill;
      if (check.in_fill) continue;
      const std::vector<Mask> prefix(c.order.begin(),
                                     c.order.begin() + static_cast<long>(check.at) + 1);
      wrong += check.safe != (width(c.x, c.stored, prefix) >= 2);
      ++n;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 60);
}

// A list that ends before the one-way tables of all variables gets them, where that is safe.
TEST(one_way_tables_join_what_the_list_lacks) {
  const Dense x{{2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}};
  const Stored stored(x, 2);
  const RiskCells risk = stored.risk();
  const std::vector<Mask> order = {3, 7, 4};
  const GreedyRelease found = release_greedily(risk, order, 2, {}, kQuiet);
  CHECK_EQ(found.prefix, 1u);
  CHECK(sorted(found.frontier) == (std::vector<Mask>{3, 4}));
  CHECK(found.checks.back().in_fill && found.checks.back().safe);
}

TEST(without_time_only_what_is_assured_is_released) {
  PublicRandom random(4);
  const Case c = random_case(random);
  const RiskCells risk = c.stored.risk();
  GreedyLimits limits;
  limits.seconds = 0;
  const GreedyRelease found = release_greedily(risk, c.order, 3, limits, kQuiet);
  // A check without time may still be decided by what is at hand; nothing unsafe is released.
  CHECK(found.prefix <= std::max<std::size_t>(c.prefix(3), 1));
  CHECK(!found.checks.empty());
}
