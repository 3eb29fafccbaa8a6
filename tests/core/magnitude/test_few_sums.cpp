// Rules about few contributors: the answer against one exact programme for each set of them.
#include "base/tick.hpp"
#include "check.hpp"
#include "magnitude/few_sums.hpp"
#include "magnitude/share_cases.hpp"

using namespace sdclattice;
using namespace share_cases;

namespace {

constexpr int kFirms = 7;

bool has_contributors(const CellShares& shares, std::size_t cell) {
  return shares.start[cell] < shares.start[cell + 1];
}
bool is_inside(const CellShares& shares, std::size_t cell, const std::vector<std::uint32_t>& set) {
  for (std::size_t h = shares.start[cell]; h < shares.start[cell + 1]; ++h)
    if (!is_in(set, shares.holder[h])) return false;
  return true;
}

bool fails(const LinearSystem& rows, const CellShares& shares, std::size_t n) {
  for (const std::vector<std::uint32_t>& set : sets_of(kFirms, n - 1)) {
    Whole c;
    std::vector<char> free;
    for (std::size_t i = 0; i < shares.total.size(); ++i) {
      const bool inside = is_inside(shares, i, set);
      free.push_back(!inside);
      c.push_back(inside && has_contributors(shares, i) ? -1 : 0);
    }
    if (!is_solvable(rows, c, free)) return true;
  }
  return false;
}

}  // namespace

TEST(some_sum_has_few_contributors_when_an_exact_programme_says_so) {
  Dice dice(36);
  const Tick tick;
  int failing = 0, safe = 0;
  for (int round = 0; round < 200; ++round) {
    const LinearSystem rows = hidden_rows(dice);
    const CellShares shares = random_shares(dice, rows.n_cells(), kFirms);
    const auto n = static_cast<std::size_t>(2 + round % 3);
    WorkClock watch(60, tick);
    const ShareSums found = few_sums(rows, shares, n, watch);
    const bool fails_so = fails(rows, shares, n);
    (fails_so ? failing : safe) += 1;
    CHECK_EQ(!found.failed.empty(), fails_so);
    CHECK(found.doubtful.empty());
    CHECK(!found.stopped);
    for (const FailedSum& one : found.failed) {
      std::vector<std::uint32_t> who;
      for (const std::uint32_t i : one.sum.cell) {
        for (std::size_t h = shares.start[i]; h < shares.start[i + 1]; ++h)
          if (!is_in(who, shares.holder[h])) who.push_back(shares.holder[h]);
      }
      CHECK(!who.empty());
      CHECK(who.size() < n);
      CHECK(follows(rows, times_of(one.sum, rows.n_cells())));
    }
  }
  CHECK(failing > 40);
  CHECK(safe > 40);
}
