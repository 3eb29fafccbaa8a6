// How many small cells publications leave certain.
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/certain.hpp"
#include "risk_cases.hpp"

using namespace sdclattice;
using namespace risk_cases;

namespace {

// All tables of 2 x 3 cells with the margins of `x`.
std::vector<Counts> same_margins(const Counts& x) {
  std::vector<Counts> out;
  for (std::int64_t a = 0; a <= x[0] + x[1]; ++a)
    for (std::int64_t b = 0; b <= x[2] + x[3]; ++b) {
      const std::int64_t c = x[0] + x[2] + x[4] - a - b;
      const Counts t{a, x[0] + x[1] - a, b, x[2] + x[3] - b, c, x[4] + x[5] - c};
      if (c >= 0 && t[5] >= 0) out.push_back(t);
    }
  return out;
}

// By the definition: over all results, the small cells at which all tables that lead there agree.
double mean_certain(const Counts& x, const CycleSet& set, const Mechanism& me) {
  const std::vector<Counts> all = same_margins(x);
  std::vector<decltype(all_results(x, set, me))> lead;
  for (const Counts& t : all) lead.push_back(all_results(t, set, me));
  double sum = 0;
  for (const auto& [result, p] : all_results(x, set, me))
    for (std::size_t i = 0; i < 6; ++i) {
      if (x[i] != 1 && x[i] != 2) continue;
      bool sure = true;
      for (std::size_t t = 0; t < all.size(); ++t)
        if (lead[t].count(result) && all[t][i] != x[i]) sure = false;
      sum += sure ? p : 0;
    }
  return sum;
}

}  // namespace

TEST(certain_cells_are_those_of_all_originals) {
  std::mt19937_64 dice(12);
  int between = 0;
  for (int round = 0; round < 60; ++round) {
    const CycleSet set = cycles_chain(2, 3);
    Counts x(6);
    std::vector<std::uint8_t> small(6);
    for (std::size_t i = 0; i < 6; ++i) {
      x[i] = static_cast<std::int64_t>(dice() % 4);
      small[i] = x[i] == 1 || x[i] == 2;
    }
    Mechanism me{{}, {.25}, {.25}, round % 3 ? ZeroRule::blocked : ZeroRule::nonnegative};
    for (std::size_t c = 0; c < set.size(); ++c)
      me.sequence.push_back(static_cast<std::int32_t>(c));
    const CertainCells out = certain_cells(x, small, set, me, 7, {10000, 1000, 1e9});
    const double wanted = mean_certain(x, set, me);
    CHECK_NEAR(out.certain, wanted, 1e-9);
    CHECK(out.all);
    between += wanted > 0 && wanted < out.seen;
  }
  CHECK(between > 5);
}

TEST(work_is_limited_and_input_is_checked) {
  const CycleSet set = set_of(8, {square, {{4, 1}, {5, -1}, {6, -1}, {7, 1}}});
  const Mechanism me{{0, 1}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<std::uint8_t> small(8, 1);
  const CertainCells part = certain_cells(Counts(8, 2), small, set, me, 7, {100, 10, 1});
  CHECK(!part.all);
  CHECK_EQ(part.seen, 4.0);
  CHECK_THROWS(InputError, certain_cells(Counts(8, 2), {1}, set, me, 7, {100, 10, 1}));
}
