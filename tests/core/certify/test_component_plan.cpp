// Plans of components: what is released has a proof for every cell, and stays closed; by all tables
// with the margins.
#include "cases.hpp"
#include "certify/component_plan.hpp"
#include "check.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

WorkerPool one_thread(1);
const PlanWork kGoOn{one_thread, [] { return false; }};

PlanEffort small_effort() {
  PlanEffort out;
  out.looks = {20000, 50000};
  out.repair_looks = 20000;
  out.enlarge_looks = 20000;
  out.max_passes = 2;
  return out;
}

struct Case {
  Dense x;
  Stored stored;
  ComponentTable table;
  FaceComplex admissible;
  std::vector<CellNeed> needs;

  Case(PublicRandom& random, Levels levels, std::int32_t beta, const std::vector<Mask>& sets)
      : x(random_dense(random, std::move(levels), 3, 1)),
        stored(x, 2),
        table(stored.layout, stored.view(), x.all(), 1000),
        admissible(x.n_variables()) {
    for (std::size_t size = 1; size <= x.n_variables(); ++size)
      for (LocalSet set = 1; set <= x.all(); ++set)
        if (size_of(set) == size &&
            std::any_of(sets.begin(), sets.end(), [&](Mask s) { return inside(set, s); }))
          admissible.add(set);
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
      CellNeed need{static_cast<std::uint32_t>(stored.risk_cell(k)), beta, true};
      if (k % 2 == 0) {  // reach one more than there is
        need.upper = table.count[need.cell] + 1;
        need.spread = false;
      }
      needs.push_back(need);
    }
  }
  std::int64_t value(const CellChanges& change, std::uint32_t cell) const {
    std::int64_t out = x.counts[cell];
    for (const CellChange& c : change)
      if (c.cell == cell) out += c.by;
    return out;
  }
  bool keeps(const CellChanges& change, const std::vector<LocalSet>& sets) const {
    Dense after = x;
    for (const CellChange& c : change) after.counts[c.cell] += c.by;
    for (std::int64_t count : after.counts)
      if (count < 0) return false;
    return std::all_of(sets.begin(), sets.end(),
                       [&](LocalSet set) { return after.margin(set) == x.margin(set); });
  }
  // What is wrong with a plan that says it is done.
  int faults(const ComponentPlan& plan, const std::vector<LocalSet>& fixed) const {
    int wrong = plan.needs().size() != needs.size() || plan.proofs().size() != needs.size();
    const auto released = plan.faces().maximal();
    for (LocalSet face : plan.faces().faces()) {
      wrong += !admissible.holds(face);
      for (LocalSet part = (face - 1) & face; part != 0; part = (part - 1) & face)
        wrong += !plan.faces().holds(part);
    }
    for (LocalSet set : fixed) wrong += !plan.faces().holds(set);
    for (std::size_t v = 0; v < x.n_variables(); ++v)
      wrong += !plan.faces().holds(LocalSet{1} << v);
    for (std::size_t i = 0; i < needs.size(); ++i) {
      const CellProof& proof = plan.proofs()[i];
      wrong += !keeps(proof.up, released) || !keeps(proof.down, released);
      const std::int64_t up = value(proof.up, needs[i].cell);
      const std::int64_t down = value(proof.down, needs[i].cell);
      wrong += needs[i].spread ? up - down < needs[i].upper : up < needs[i].upper;
    }
    return wrong;
  }
  // Could every need be met with these margins? 1 yes, 0 no, -1 not known.
  int possible(const std::vector<LocalSet>& sets) const {
    const auto exact = sharp_bounds(x, maximal({sets.begin(), sets.end()}));
    if (exact.empty()) return -1;
    for (const CellNeed& need : needs) {
      const Interval& truth = exact[need.cell];
      if (need.spread ? truth.width() < need.upper : truth.upper < need.upper) return 0;
    }
    return 1;
  }
};

}  // namespace

TEST(plans_prove_every_cell_and_keep_what_must_stay) {
  PublicRandom random(1);
  int wrong = 0, done = 0, given_up = 0, impossible = 0;
  const int n = check::cases(40, 60);
  for (int round = 0; round < n; ++round) {
    const Case c(random, {2, 3, 2}, 1 + static_cast<std::int32_t>(random.below(3)), {3, 5, 6});
    const std::vector<LocalSet> fixed =
        round % 2 == 0 ? std::vector<LocalSet>{3} : std::vector<LocalSet>{};
    ComponentPlan plan(c.table, c.admissible, fixed, c.needs, 7);
    if (plan.run(small_effort(), kGoOn)) {
      wrong += c.faults(plan, fixed);
      wrong += c.possible(plan.faces().maximal()) == 0;
      // Where everything admissible is safe, nothing need be given up.
      if (plan.faces().size() < c.admissible.size()) ++given_up;
      ++done;
    } else {
      std::vector<LocalSet> least = {1, 2, 4};
      least.insert(least.end(), fixed.begin(), fixed.end());
      impossible += c.possible(least) == 0;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(4 * done > n && 20 * given_up > n && 20 * impossible > n);
}

TEST(enlarged_plans_are_larger_and_still_proved) {
  PublicRandom random(2);
  int wrong = 0, grown = 0;
  for (int round = 0; round < 30; ++round) {
    const Case c(random, {2, 2, 2, 2}, 2, {7, 11, 13, 14});
    ComponentPlan plan(c.table, c.admissible, {}, c.needs, 3);
    if (!plan.run(small_effort(), kGoOn)) continue;
    const std::size_t before = plan.faces().size();
    const std::size_t won = plan.enlarge(small_effort(), kGoOn);
    wrong += plan.faces().size() != before + won || c.faults(plan, {});
    grown += won > 0;
  }
  CHECK_EQ(wrong, 0);
  CHECK(grown > 0);
}

TEST(without_needs_all_that_is_admissible_is_released) {
  PublicRandom random(3);
  Case c(random, {2, 3, 2}, 1, {3, 6});
  c.needs.clear();
  ComponentPlan plan(c.table, c.admissible, {}, {}, 1);
  CHECK(plan.run(small_effort(), kGoOn));
  CHECK(plan.faces().faces() == c.admissible.faces());
  CHECK_EQ(plan.n_hopeless(), 0u);
  CHECK_EQ(plan.enlarge(small_effort(), kGoOn), 0u);
}

TEST(equal_seeds_give_equal_plans) {
  PublicRandom random(4);
  for (int round = 0; round < 15; ++round) {
    const Case c(random, {2, 3, 2}, 2, {3, 5, 6});
    ComponentPlan a(c.table, c.admissible, {}, c.needs, 9),
        b(c.table, c.admissible, {}, c.needs, 9);
    CHECK_EQ(a.run(small_effort(), kGoOn), b.run(small_effort(), kGoOn));
    CHECK(a.faces().faces() == b.faces().faces());
    CHECK_EQ(a.n_looks(), b.n_looks());
    CHECK_EQ(a.n_hopeless(), b.n_hopeless());
  }
}

// Without time no cell is searched: a plan that has needs is not done.
TEST(plans_stop_when_they_are_told_to) {
  PublicRandom random(5);
  int done = 0, n = 0;
  for (int round = 0; round < 20; ++round) {
    const Case c(random, {2, 3, 2}, 2, {3, 5, 6});
    if (c.needs.empty()) continue;
    ComponentPlan plan(c.table, c.admissible, {}, c.needs, 9);
    done += plan.run(small_effort(), {one_thread, [] { return true; }});
    ++n;
  }
  CHECK_EQ(done, 0);
  CHECK(n > 10);
}

// A plan that is cut again and again ends with proofs, too, and keeps those that it had.
TEST(plans_that_were_cut_go_on) {
  PublicRandom random(6);
  int wrong = 0, done = 0, cut = 0;
  const int n = check::cases(24, 40);
  for (int round = 0; round < n; ++round) {
    const Case c(random, {2, 3, 2}, 1 + static_cast<std::int32_t>(random.below(3)), {3, 5, 6});
    ComponentPlan plan(c.table, c.admissible, {}, c.needs, 7);
    std::size_t left = c.needs.size(), asked = 0, most = 2;
    const PlanWork work{one_thread, [&] { return ++asked > most; }};
    bool found = false;
    for (int slice = 0; slice < 12 && !found; ++slice, most *= 2) {
      asked = 0;
      found = plan.run(small_effort(), work);
      wrong += plan.n_open() > left;
      left = plan.n_open();
      cut += !found;
    }
    if (!found) continue;
    wrong += c.faults(plan, {}) + static_cast<int>(plan.n_open());
    ++done;
  }
  CHECK_EQ(wrong, 0);
  CHECK(8 * done > 3 * n && cut > n);
}
