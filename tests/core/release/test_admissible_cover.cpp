// Covers of the admissible sub-tables against their list, and the limits that follow.
#include <algorithm>

#include "base/random.hpp"
#include "certify/random_risks.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/admissible_cover.hpp"
#include "release/decomposable_limit.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace random_risks;

namespace {

std::vector<SubTable> sorted(std::vector<SubTable> sets) {
  std::sort(sets.begin(), sets.end());
  return sets;
}

bool covers(const std::vector<SubTable>& cover, const std::vector<SubTable>& sets) {
  return std::all_of(sets.begin(), sets.end(), [&](SubTable s) {
    return std::any_of(cover.begin(), cover.end(), [s](SubTable c) { return holds(c, s); });
  });
}

}  // namespace

TEST(covers_hold_all_that_is_admissible_and_end_in_the_frontier) {
  PublicRandom random(1);
  std::size_t n_cut = 0, n_empty = 0;
  for (int round = 0; round < 150; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2}, 1 + random.below(12));
    if (x.counts.empty()) continue;
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::int64_t beta = 1 + static_cast<std::int64_t>(random.below(5));
    std::vector<SubTable> forbidden;
    if (round % 3 == 0) forbidden = {3 + random.below(60)};
    const std::vector<SubTable> listed = admissible_sets(risk, beta, 10000, {}, forbidden);
    const AdmissibleCover whole = cover_admissible(risk, beta, forbidden, 1e9);
    CHECK(whole.complete);
    CHECK(sorted(whole.sets) == sorted(maximal_masks(listed)));
    n_empty += listed.empty();
    for (double looks : {1.0, 1e3, 1e4, 3e4}) {
      const AdmissibleCover part = cover_admissible(risk, beta, forbidden, looks);
      CHECK(covers(part.sets, listed));
      CHECK(maximal_masks(part.sets).size() == part.sets.size());
      n_cut += !part.complete;
      if (part.complete) CHECK(part.sets == whole.sets);
    }
  }
  CHECK(n_cut > 100 && n_empty < 50);
}

// Where every sub-table is worth 1, a complete cover gives the limit of the list.
TEST(limits_from_covers_are_never_below_those_from_the_list) {
  PublicRandom random(2);
  std::size_t n_equal = 0, n = 0;
  for (int round = 0; round < 100; ++round) {
    const Case x = random_case(random, {2, 3, 2, 2, 3, 2}, 12);
    if (x.counts.empty()) continue;
    const RiskCells risk(x.layout, x.view(), x.at_risk);
    const std::vector<SubTable> listed = admissible_sets(risk, 2, 10000);
    const AdditiveUtility ones(std::vector<double>(6, 1), {}, {});
    const AdditiveUtility other({2, 0, 1, .5, 3, 1}, {5, 9}, {7, .25});
    CHECK(ones.counts_sub_tables() && !other.counts_sub_tables());
    for (double looks : {1.0, 1e4, 1e9}) {
      const AdmissibleCover cover = cover_admissible(risk, 2, {}, looks);
      const double limit = covered_limit(6, cover.sets, ones);
      CHECK(limit >= decomposable_limit(6, listed, ones));
      CHECK(covered_limit(6, cover.sets, other) >= decomposable_limit(6, listed, other) - 1e-9);
      if (looks < 1e9) continue;
      ++n;
      n_equal += limit == decomposable_limit(6, listed, ones);
    }
  }
  CHECK(n > 80 && n_equal == n);
}
