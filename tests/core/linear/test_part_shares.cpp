// Shares of a system: against components, and bounds of each share against those of all.
#include <algorithm>
#include <numeric>

#include "check.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/part_shares.hpp"
#include "linear/small_releases.hpp"

using namespace sdclattice;

namespace {

const Tick kNoTick;

// Systems side by side: no row has cells of two.
LinearSystem beside(const std::vector<LinearSystem>& systems) {
  LinearSystem out;
  for (const LinearSystem& system : systems) {
    const auto first = static_cast<std::uint32_t>(out.n_cells());
    const std::size_t entries = out.cell.size();
    out.lower.insert(out.lower.end(), system.lower.begin(), system.lower.end());
    out.upper.insert(out.upper.end(), system.upper.begin(), system.upper.end());
    for (std::uint32_t c : system.cell) out.cell.push_back(first + c);
    out.coefficient.insert(out.coefficient.end(), system.coefficient.begin(),
                           system.coefficient.end());
    for (std::size_t r = 1; r < system.start.size(); ++r)
      out.start.push_back(entries + system.start[r]);
    out.row_lower.insert(out.row_lower.end(), system.row_lower.begin(), system.row_lower.end());
    out.row_upper.insert(out.row_upper.end(), system.row_upper.begin(), system.row_upper.end());
  }
  return out;
}

}  // namespace

TEST(each_share_by_itself_has_the_bounds_of_all) {
  small_tables::Dice dice(50);
  int used = 0, wrong = 0;
  for (int k = 0; k < 60; ++k) {
    std::vector<LinearSystem> systems;
    std::vector<std::uint32_t> of;
    for (int i = 0; i < 4; ++i) {
      systems.push_back(small_releases::sample_of(dice, (k + i) % 7).system);
      of.resize(of.size() + systems.back().n_cells(), static_cast<std::uint32_t>(i));
    }
    const LinearSystem all = beside(systems);
    std::vector<std::uint32_t> asked(all.n_cells());
    std::iota(asked.begin(), asked.end(), std::uint32_t{0});
    const IntegerBounds whole = integer_bounds(all, asked, BoundsLimits(), kNoTick);
    const PartShares shares = part_shares(all, asked, 3, kNoTick);
    for (std::uint32_t s = 0; s < 3; ++s) {
      std::vector<std::uint32_t> mine;
      for (std::uint32_t i : asked)
        if (shares.share[i] == s) mine.push_back(i);
      used += !mine.empty();
      const IntegerBounds found = integer_bounds(all, mine, BoundsLimits(), kNoTick);
      for (std::uint32_t i : mine)
        wrong += found.lower[i] != whole.lower[i] || found.upper[i] != whole.upper[i] ||
                 found.sharp[i] != whole.sharp[i];
    }
    const double work = std::accumulate(shares.work.begin(), shares.work.end(), 0.0);
    CHECK(*std::max_element(shares.work.begin(), shares.work.end()) <= work);
  }
  CHECK_EQ(wrong, 0);
  CHECK(used > 120);
}

TEST(work_counts_asked_cells_times_cells_and_what_is_known_is_no_work) {
  // two squares with known margins, of which one has one table alone
  LinearSystem square;
  square.lower = {0, 0, 0, 0};
  square.upper = {9, 9, 9, 9};
  square.start = {0, 2, 4, 6, 8};
  square.cell = {0, 1, 2, 3, 0, 2, 1, 3};
  square.coefficient.assign(8, 1);
  square.row_lower = square.row_upper = {3, 4, 5, 2};
  LinearSystem known = square;
  known.row_lower = known.row_upper = {3, 0, 3, 0};
  const PartShares shares =
      part_shares(beside({square, known, square}), {0, 1, 2, 3, 4, 8, 9}, 2, kNoTick);
  CHECK_EQ(shares.share[4], 0u);
  CHECK(shares.share[0] != shares.share[5]);
  CHECK(shares.share[0] == shares.share[1] && shares.share[0] == shares.share[3]);
  // each square has one unknown
  CHECK(shares.work == (std::vector<double>{4, 2}));
}
