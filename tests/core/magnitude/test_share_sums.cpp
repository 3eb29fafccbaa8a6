// Rules about shares: the answer against one exact programme for each choice of contributors.
#include "base/tick.hpp"
#include "check.hpp"
#include "magnitude/share_cases.hpp"
#include "magnitude/share_sums.hpp"

using namespace sdclattice;
using namespace share_cases;

namespace {

constexpr int kFirms = 6;

// Does some sum fail? Each first one, with all sets of others.
bool fails(const LinearSystem& rows, const CellShares& shares, const ShareRule& rule) {
  const std::vector<char> free(shares.total.size(), 0);
  for (const std::vector<std::uint32_t>& others : sets_of(kFirms, rule.others))
    for (std::uint32_t x = 0; x < kFirms; ++x) {
      if (is_in(others, x)) continue;
      Whole c;
      for (std::size_t i = 0; i < shares.total.size(); ++i) {
        c.push_back(rule.total * shares.total[i] - rule.lead * value_in(shares, i, x));
        for (const std::uint32_t y : others) c.back() -= rule.other * value_in(shares, i, y);
      }
      if (!is_solvable(rows, c, free)) return true;
    }
  return false;
}

// By the definition: of the whole sum.
bool fires(const CellShares& shares, const ShareRule& rule, const DerivedSum& sum) {
  std::int64_t total = 0;
  Whole of(kFirms, 0);
  for (std::size_t k = 0; k < sum.cell.size(); ++k) {
    total += sum.times[k] * shares.total[sum.cell[k]];
    for (std::uint32_t f = 0; f < kFirms; ++f)
      of[f] += sum.times[k] * value_in(shares, sum.cell[k], f);
  }
  std::sort(of.rbegin(), of.rend());
  std::int64_t left = rule.total * total - rule.lead * of[0];
  for (std::size_t k = 1; k <= rule.others; ++k) left -= rule.other * of[k];
  return left < 0;
}

}  // namespace

TEST(some_sum_fails_when_an_exact_programme_says_so) {
  const std::vector<ShareRule> rules{{10, 11, 10, 1}, {100, 150, 100, 1}, {7, 10, 10, 0},
                                     {17, 20, 20, 1}, {4, 10, 10, 1},     {9, 10, 10, 2},
                                     {1, 2, 2, 3}};
  Dice dice(33);
  const Tick tick;
  int failing = 0, safe = 0;
  for (int round = 0; round < 420; ++round) {
    const LinearSystem rows = hidden_rows(dice);
    const CellShares shares = random_shares(dice, rows.n_cells(), kFirms);
    const ShareRule& rule = rules[static_cast<std::size_t>(round) % rules.size()];
    WorkClock watch(60, tick);
    const ShareSums found = share_sums(rows, shares, rule, watch);
    const bool fails_so = fails(rows, shares, rule);
    (fails_so ? failing : safe) += 1;
    CHECK_EQ(!found.failed.empty(), fails_so);
    CHECK(found.doubtful.empty());
    CHECK(!found.stopped);
    for (const FailedSum& one : found.failed) {
      CHECK(fires(shares, rule, one.sum));
      CHECK(follows(rows, times_of(one.sum, rows.n_cells())));
      CHECK_EQ(one.cell.size(), one.left.size());
    }
  }
  CHECK(failing > 40);
  CHECK(safe > 40);
}

TEST(values_too_large_for_the_programme_are_rounded_to_the_safe_side) {
  Dice dice(34);
  const Tick tick;
  int failing = 0;
  for (int round = 0; round < 40; ++round) {
    const LinearSystem rows = hidden_rows(dice);
    CellShares shares = random_shares(dice, rows.n_cells(), kFirms);
    const ShareRule rule{100000000, 110000001, 100000000, 1};
    WorkClock watch(60, tick);
    const bool small = !share_sums(rows, shares, rule, watch).failed.empty();
    for (std::int64_t& x : shares.total) x *= std::int64_t{1} << 44;
    for (std::int64_t& x : shares.value) x *= std::int64_t{1} << 44;
    const ShareSums found = share_sums(rows, shares, rule, watch);
    CHECK(!found.failed.empty() == small || !found.doubtful.empty());
    failing += small;
  }
  CHECK(failing > 5);
}

TEST(without_time_nothing_is_settled) {
  Dice dice(35);
  const Tick tick;
  int stopped = 0;
  for (int round = 0; round < 5; ++round) {
    const LinearSystem rows = hidden_rows(dice, 6);
    WorkClock watch(0, tick);
    const ShareSums found =
        share_sums(rows, random_shares(dice, rows.n_cells(), 40), {10, 11, 10, 1}, watch);
    stopped += found.stopped;
  }
  CHECK(stopped > 0);
}
