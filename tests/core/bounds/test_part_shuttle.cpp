// The shuttle on parts of a table, and what it refutes: against following all sums, and against all
// tables with the margins.
#include "bounds/part_shuttle.hpp"
#include "cases.hpp"
#include "check.hpp"

using namespace sdclattice;
using cases::in;
using cases::inside;
using cases::Mask;

namespace {

const Tick kQuiet = [](double) {};

bool in_some(Mask set, const std::vector<Mask>& sets) {
  return std::any_of(sets.begin(), sets.end(), [&](Mask s) { return inside(set, s); });
}

// The margin of a table as a table of its own.
cases::Dense part_of(const cases::Dense& x, Mask set) {
  cases::Dense out;
  for (std::size_t v = 0; v < x.n_variables(); ++v)
    if (in(set, v)) out.levels.push_back(x.levels[v]);
  out.counts.assign(cases::number_of_cells(out.levels), 0);
  auto margin = x.margin(set);
  for (std::size_t c = 0; c < out.counts.size(); ++c) out.counts[c] = margin[out.at(c, out.all())];
  return out;
}

std::vector<Mask> facets(Mask set) {
  std::vector<Mask> out;
  for (std::size_t v = 0; v < 64; ++v)
    if (in(set, v)) out.push_back(set & ~(Mask{1} << v));
  return out;
}

// By definition: a small count of the new sub-table at a cell at risk, or a small upper limit in a
// table with one variable more that is out with all its facets released.
bool refuted(const cases::Dense& x, const cases::Stored& stored, std::vector<Mask> sets, Mask added,
             std::int64_t beta) {
  auto margin = x.margin(added);
  for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
    if (margin[x.at(stored.risk_cell(k), added)] < beta) return true;
  sets.push_back(added);
  for (std::size_t v = 0; v < x.n_variables(); ++v) {
    const Mask whole = added | Mask{1} << v;
    bool known = !in_some(whole, sets);
    for (Mask facet : facets(whole)) known = known && in_some(facet, sets);
    if (!known) continue;
    const cases::Dense part = part_of(x, whole);
    cases::SuperCells limits = cases::super_cells(part, facets(part.all()));
    cases::narrow(part.levels, limits);
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
      if (limits[x.at(stored.risk_cell(k), whole)].upper < beta) return true;
  }
  return false;
}

}  // namespace

TEST(limits_of_a_part_are_those_of_following_all_sums) {
  PublicRandom random(1);
  int wrong = 0, asked = 0;
  for (int round = 0; round < 120; ++round) {
    const cases::Dense x = cases::random_dense(random, cases::random_levels(random, 4, 1, 3), 5, 1);
    const cases::Stored stored(x, 3);
    const RiskCells risk = stored.risk();
    const Mask set = 1 + random.below(15);
    const cases::Dense y = part_of(x, set);
    const PartTable part(risk, set, 1000);
    const auto sets = cases::random_frontier(random, y.n_variables(), 3);
    const ShuttleBounds found = shuttle_part(part, sets, 100000, kQuiet);
    cases::SuperCells twin = cases::super_cells(y, sets);
    cases::narrow(y.levels, twin);
    wrong += found.lower.size() != part.asked().size();
    for (std::size_t i = 0; i < found.lower.size(); ++i) {
      const cases::Interval limits = twin[y.at(part.asked()[i], y.all())];
      wrong += found.lower[i] != limits.lower || found.upper[i] != limits.upper;
      ++asked;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(asked > 300);
}

TEST(without_room_there_are_no_limits) {
  PublicRandom random(2);
  const cases::Dense x = cases::random_dense(random, {3, 4}, 5, 0);
  const cases::Stored stored(x, 5);
  const RiskCells risk = stored.risk();
  const PartTable part(risk, 3, 100);
  CHECK_EQ(shuttle_part(part, {1, 2}, 20, kQuiet).lower.size(), part.asked().size());
  CHECK(shuttle_part(part, {1, 2}, 19, kQuiet).lower.empty());
  CHECK(shuttle_part(part, {1, 2}, 19, kQuiet).upper.empty());
}

TEST(refutations_are_those_of_the_definition) {
  PublicRandom random(3);
  const RefutationLimits limits;
  int wrong = 0, yes = 0, no = 0;
  for (int round = 0; round < 150; ++round) {
    const cases::Dense x =
        cases::random_dense(random, cases::random_levels(random, 4, 2, 3), 6, random.below(3));
    const cases::Stored stored(x, 3);
    const RiskCells risk = stored.risk();
    const auto sets = cases::random_frontier(random, 4, 4);
    for (int i = 0; i < 3; ++i) {
      const Mask added = 1 + random.below(15);
      const auto beta = static_cast<std::int64_t>(1 + random.below(9));
      WorkClock clock(1000, kQuiet);
      const bool found = is_refuted(risk, sets, added, beta, limits, clock);
      wrong += found != refuted(x, stored, sets, added, beta);
      ++(found ? yes : no);
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(yes > 100 && no > 50);
}

// What is refuted is narrower than beta at a cell at risk, in truth.
TEST(refutations_are_true) {
  PublicRandom random(4);
  const RefutationLimits limits;
  int wrong = 0, yes = 0;
  for (int round = 0; round < 120; ++round) {
    const cases::Dense x = cases::random_dense(random, {2, 3, 2}, 3, 1);
    const cases::Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    auto sets = cases::random_frontier(random, 3, 2);
    const Mask added = 1 + random.below(6);
    const auto beta = static_cast<std::int64_t>(1 + random.below(5));
    WorkClock clock(1000, kQuiet);
    if (!is_refuted(risk, sets, added, beta, limits, clock)) continue;
    ++yes;
    sets.push_back(added);
    const auto exact = cases::sharp_bounds(x, sets);
    if (exact.empty()) continue;
    bool narrow = false;
    for (std::size_t k = 0; k < risk.size(); ++k)
      narrow = narrow || exact[stored.risk_cell(k)].width() < beta;
    wrong += !narrow;
  }
  CHECK_EQ(wrong, 0);
  CHECK(yes > 40);
}

// Beyond its limits only the counts of the new sub-table are looked at; without time nothing else.
TEST(limits_of_refutations) {
  // Three pairs of a 2 x 2 x 2 table with one count: they show the table.
  const cases::Dense x{{2, 2, 2}, {1, 9, 9, 0, 4, 0, 0, 9}};
  const cases::Stored stored(x, 1);
  const RiskCells risk = stored.risk();
  WorkClock clock(1000, kQuiet), over(0, kQuiet);
  const std::int64_t beta = 10;
  CHECK(refuted(x, stored, {3, 5}, 6, beta));
  CHECK(is_refuted(risk, {3, 5}, 6, beta, {}, clock));
  CHECK(!is_refuted(risk, {3, 5}, 6, beta, {7, 1000000}, clock));
  CHECK(!is_refuted(risk, {3, 5}, 6, beta, {1000000, 26}, clock));
  CHECK(is_refuted(risk, {3, 5}, 6, beta, {8, 27}, clock));
  CHECK_THROWS(WorkTimeUp, is_refuted(risk, {3, 5}, 6, beta, {}, over));
  CHECK(is_refuted(risk, {3, 5}, 6, 11, {}, over));  // its own count is 10
  CHECK(!is_refuted(risk, {3}, 6, beta, {}, over));
}
