// Costs with a second one for ties: one wide number in disguise.
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "base/ranked_cost.hpp"
#include "base/wide_int.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

// Costs of which the second lies within +-2^40, as one number.
WideInt one_number(const RankedCost& x) {
  return static_cast<WideInt>(x.first) * (std::int64_t{1} << 62) + x.second;
}

std::vector<RankedCost> costs() {
  std::vector<RankedCost> out;
  for (std::int64_t first : {-(std::int64_t{1} << 40), std::int64_t{-1}, std::int64_t{0},
                             std::int64_t{1}, std::int64_t{7}, std::int64_t{1} << 40})
    for (std::int64_t second : {-(std::int64_t{1} << 40), std::int64_t{-1}, std::int64_t{0},
                                std::int64_t{1}, std::int64_t{1} << 40})
      out.push_back({first, second});
  return out;
}

}  // namespace

TEST(costs_behave_as_one_wide_number) {
  for (const RankedCost& a : costs())
    for (const RankedCost& b : costs()) {
      CHECK_EQ(a < b, one_number(a) < one_number(b));
      CHECK_EQ(a == b, one_number(a) == one_number(b));
      CHECK(one_number(a + b) == one_number(a) + one_number(b));
      CHECK(one_number(a - b) == one_number(a) - one_number(b));
    }
}

TEST(the_order_is_total_and_survives_adding) {
  const auto all = costs();
  int wrong = 0;
  for (const RankedCost& a : all)
    for (const RankedCost& b : all) {
      wrong += (a < b) + (b < a) + (a == b) != 1;
      for (const RankedCost& c : all) {
        wrong += a < b && b < c && !(a < c);
        wrong += (a < b) != (a + c < b + c);
        wrong += (a < b) != (a - c < b - c);
        wrong += (a < b) != (c - b < c - a);
      }
    }
  CHECK_EQ(wrong, 0);
}

TEST(the_second_decides_ties_only) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  CHECK((RankedCost{1, most} < RankedCost{2, least}));
  CHECK(!(RankedCost{2, least} < RankedCost{1, most}));
  CHECK((RankedCost{2, least} < RankedCost{2, most}));
  CHECK((RankedCost{least, 0} < RankedCost{most, 0}));
  CHECK(!(RankedCost{most, most} < RankedCost{most, most}));
}

TEST(nothing_is_neutral_and_differences_undo_sums) {
  CHECK(RankedCost() == (RankedCost{0, 0}));
  PublicRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    const RankedCost a{static_cast<std::int64_t>(random() >> 3),
                       -static_cast<std::int64_t>(random() >> 3)};
    const RankedCost b{-static_cast<std::int64_t>(random() >> 3),
                       static_cast<std::int64_t>(random() >> 3)};
    CHECK(a + RankedCost() == a);
    CHECK((a + b) - b == a);
    CHECK(a + b == b + a);
    CHECK(a - a == RankedCost());
  }
}
