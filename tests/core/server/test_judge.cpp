// The judge against one that lists all tables of whole numbers that agree with what is released.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "server/judge.hpp"
#include "server/listed_judge.hpp"

using namespace sdclattice;
using namespace listed_judge;

namespace {

const Tick kQuiet = [](double) {};

JudgeLimits ample(std::int64_t least) {
  JudgeLimits out;
  out.least = least;
  out.width.seconds = 1e6;
  return out;
}

QuerySpace space_of(std::size_t n, Family family, bool stepwise = false) {
  SpaceRules rules;
  rules.steps = n;
  rules.stepwise = stepwise;
  return QuerySpace(rules, {families::maximal(family, n), {}});
}

// What is said to one more sub-table, checked against the list.
void check_verdict(const SmallTable& table, const RiskCells& risk, Family family, SubTable set,
                   std::int64_t least) {
  const RiskVerdict found = judge_addition(risk, families::maximal(family, table.n_variables()),
                                           set, ample(least), true, kQuiet);
  const std::int64_t width = table.width(with(family, set));
  CHECK(found.verdict == (width >= least ? Verdict::certified : Verdict::refuted));
  if (found.measured) {
    CHECK(found.width_least <= width);
    CHECK(width <= found.width_most);
  }
  // what refutes alone says nothing wrong
  const RiskVerdict quick = judge_addition(risk, families::maximal(family, table.n_variables()),
                                           set, ample(least), false, kQuiet);
  CHECK(quick.verdict == Verdict::undecided ||
        (quick.verdict == Verdict::refuted && width < least));
}

// Every family, and every set that is one step from it or `every` set that lies outside of it.
void check_all(const SmallTable& table, const std::vector<Family>& some, std::int64_t least) {
  const RiskCells risk = table.risk();
  for (Family family : some)
    for (SubTable set = 1; set < SubTable{1} << table.n_variables(); ++set)
      if (!has(family, set)) check_verdict(table, risk, family, set, least);
}

}  // namespace

TEST(the_list_has_all_tables) {
  // of two rows and columns of 2 and 1: the corner is 1 or 2
  const SmallTable table(2, {1, 1, 1, 0}, {1, 2});
  CHECK_EQ(table.n_tables(), 2u);
  CHECK_EQ(table.width(families::one_way(2)), 1);
  CHECK_EQ(table.width(with(families::one_way(2), 3)), 0);
}

TEST(verdicts_on_all_families_of_up_to_four_variables_are_those_of_the_list) {
  PublicRandom random(1);
  for (std::size_t n = 1; n <= 3; ++n)
    for (int round = 0; round < 20; ++round)
      check_all(random_table(n, 3 + random.below(10), {1, 2}, random), families::all(n),
                1 + static_cast<std::int64_t>(random.below(3)));
  for (int round = 0; round < 4; ++round)
    check_all(random_table(4, 5 + random.below(4), {1, 2}, random), families::all(4),
              1 + round % 2);
}

TEST(verdicts_on_families_of_five_variables_are_those_of_the_list) {
  PublicRandom random(2);
  const std::vector<Family> all = families::all(5);
  const SmallTable table = random_table(5, 5, {1, 2}, random);
  const RiskCells risk = table.risk();
  for (std::size_t i = 0; i < all.size(); i += 2) {
    const SubTable set = 1 + random.below(31);
    if (!has(all[i], set)) check_verdict(table, risk, all[i], set, 1);
  }
}

TEST(cells_at_risk_may_be_large_ones) {
  PublicRandom random(3);
  for (int round = 0; round < 10; ++round)
    check_all(random_table(3, 12, {3, 4, 5, 6, 7, 8}, random), families::all(3),
              1 + static_cast<std::int64_t>(random.below(5)));
}

TEST(answers_under_all_rules_are_those_of_a_judge_that_lists_all_tables) {
  PublicRandom random(4);
  std::set<JudgeReason> seen;
  for (std::size_t n = 2; n <= 3; ++n) {
    for (int round = 0; round < 12; ++round) {
      const SmallTable table = random_table(n, 4 + random.below(7), {1, 2}, random);
      const RiskCells risk = table.risk();
      for (Family family : families::all(n)) {
        SlowJudge slow{table, family, {}, {}, {}, 1 + static_cast<std::int64_t>(random.below(2))};
        slow.rules.steps = n;
        slow.rules.stepwise = random.below(2) == 0;
        if (random.below(4) == 0) slow.rules.max_dimension = 2;
        slow.policy.collects_votes = random.below(8) == 0;
        slow.policy.guarded = random.below(2) == 0;
        slow.policy.guarded_seconds = 1e6;
        slow.policy.max_closed = random.below(2);
        slow.policy.max_refused = static_cast<double>(1 + random.below(3));
        if (random.below(3) == 0) slow.refused = {1 + random.below((SubTable{1} << n) - 1)};
        const QuerySpace space(slow.rules, {families::maximal(family, n), slow.refused});
        for (SubTable set = 0; set < SubTable{1} << n; ++set) {
          const double n_refused = static_cast<double>(random.below(3));
          const Judgement found = judge(risk, slow.policy, ample(slow.least), space, JudgePlan(),
                                        {set, n_refused}, kQuiet);
          const Judgement wanted = slow(set, n_refused);
          CHECK(found.answer == wanted.answer);
          CHECK(found.reason == wanted.reason);
          CHECK_EQ(found.judged, found.reason >= JudgeReason::refuted);
          seen.insert(found.reason);
        }
      }
    }
  }
  // but for what is undecided, all of them
  CHECK_EQ(seen.size(), 6u);
}

TEST(without_time_nothing_is_certified_and_which_clock_ended_it_is_told) {
  PublicRandom random(5);
  const SmallTable table = random_table(3, 9, {1, 2}, random);
  const RiskCells risk = table.risk();
  const QuerySpace space = space_of(3, families::one_way(3));
  JudgePolicy policy;
  for (SubTable set : {SubTable{3}, SubTable{5}, SubTable{7}}) {
    JudgeLimits limits = ample(1);
    limits.width.seconds = 0;
    Judgement found = judge(risk, policy, limits, space, JudgePlan(), {set, 0}, kQuiet);
    CHECK(found.reason == JudgeReason::undecided && found.risk.ground == Ground::time);
    limits = ample(1);
    limits.is_passed = [] { return true; };
    found = judge(risk, policy, limits, space, JudgePlan(), {set, 0}, kQuiet);
    CHECK(found.reason == JudgeReason::undecided && found.risk.ground == Ground::busy);
    policy.releases_undecided = true;
    found = judge(risk, policy, limits, space, JudgePlan(), {set, 0}, kQuiet);
    CHECK(found.answer == Answer::released && found.risk.verdict == Verdict::undecided);
    policy.releases_undecided = false;
  }
}

TEST(only_what_is_given_ends_a_judgement) {
  PublicRandom random(7);
  const SmallTable table = random_table(3, 9, {1, 2}, random);
  const RiskCells risk = table.risk();
  const QuerySpace space = space_of(3, families::one_way(3), true);
  JudgePolicy policy;
  policy.guarded = true;
  policy.guarded_seconds = 1e6;
  policy.max_closed = SIZE_MAX - 1;
  // the limit is reached when it is looked at for the first, second, ... time
  const auto stopped_at = [&](std::size_t last, std::size_t& looks) {
    JudgeLimits limits = ample(1);
    limits.is_passed = [&looks, last] { return ++looks >= last; };
    return judge(risk, policy, limits, space, JudgePlan(), {3, 0}, kQuiet);
  };
  std::size_t looks = 0;
  CHECK(stopped_at(SIZE_MAX, looks).reason == JudgeReason::safe);
  CHECK(looks > 1);
  const std::size_t most = looks;
  std::set<JudgeReason> seen;
  for (std::size_t last = 1; last <= most + 1; ++last) {
    std::size_t first = 0, again = 0;
    const Judgement found = stopped_at(last, first);
    CHECK(found.reason == stopped_at(last, again).reason);
    CHECK_EQ(first, again);
    CHECK(first <= most);
    seen.insert(found.reason);
  }
  CHECK_EQ(seen.count(JudgeReason::undecided), 1u);
  CHECK_EQ(seen.count(JudgeReason::guarded), 1u);
  CHECK_EQ(seen.count(JudgeReason::safe), 1u);
}

TEST(what_cannot_be_seen_in_time_counts_as_closing_too_much) {
  // a table of which nothing is too risky at width 0, so that only the time decides
  PublicRandom random(6);
  const SmallTable table = random_table(3, 9, {1, 2}, random);
  const RiskCells risk = table.risk();
  const QuerySpace space = space_of(3, families::one_way(3), true);
  JudgePolicy policy;
  policy.guarded = true;
  policy.guarded_seconds = 1e6;
  CHECK(judge(risk, policy, ample(0), space, JudgePlan(), {3, 0}, kQuiet).reason ==
        JudgeReason::safe);
  policy.guarded_seconds = 0;
  CHECK(judge(risk, policy, ample(0), space, JudgePlan(), {3, 0}, kQuiet).reason ==
        JudgeReason::guarded);
  const NewlyClosed none = newly_closed(risk, space, 3, ample(0), 10, 0, kQuiet);
  CHECK(none.stopped && none.sets.empty());
}

TEST(no_more_than_were_asked_for_are_closed) {
  PublicRandom random(7);
  std::size_t most = 0;
  for (int round = 0; round < 20; ++round) {
    const SmallTable table = random_table(3, 8, {1, 2}, random);
    const RiskCells risk = table.risk();
    const QuerySpace space = space_of(3, families::one_way(3), true);
    for (SubTable set : {SubTable{3}, SubTable{5}, SubTable{6}}) {
      const NewlyClosed all = newly_closed(risk, space, set, ample(1), 100, 1e6, kQuiet);
      const NewlyClosed one = newly_closed(risk, space, set, ample(1), 1, 1e6, kQuiet);
      CHECK_EQ(one.sets.size(), std::min<std::size_t>(1, all.sets.size()));
      most = std::max(most, all.sets.size());
      for (SubTable closed : all.sets) {
        CHECK(table.width(with(families::one_way(3), closed)) >= 1);
        CHECK(table.width(with(with(families::one_way(3), set), closed)) < 1);
      }
    }
  }
  CHECK(most > 1);
}

TEST(inside_of_a_plan_nothing_is_computed_and_outside_of_it_only_refuted) {
  const SmallTable table(3, {3, 2, 4, 1, 5, 2, 1, 3}, {1, 2});
  const RiskCells risk = table.risk();
  const QuerySpace space = space_of(3, families::one_way(3));
  JudgePolicy policy;
  const JudgePlan plan{true, {3, 4}};
  JudgeLimits limits = ample(1);
  limits.width.seconds = 0;
  Judgement found = judge(risk, policy, limits, space, plan, {3, 0}, kQuiet);
  CHECK(found.answer == Answer::released && found.risk.ground == Ground::plan);
  // safe, but not certified as long as the plan is in force
  found = judge(risk, policy, ample(1), space, plan, {5, 0}, kQuiet);
  CHECK(found.reason == JudgeReason::undecided && found.risk.ground == Ground::not_refuted);
  CHECK(judge(risk, policy, ample(1), space, JudgePlan(), {5, 0}, kQuiet).reason ==
        JudgeReason::safe);
  policy.releases_undecided = true;
  found = judge(risk, policy, ample(1), space, plan, {5, 0}, kQuiet);
  CHECK(found.answer == Answer::released && found.risk.verdict == Verdict::certified);
}

TEST(the_table_is_made_only_for_what_needs_it) {
  const SmallTable table(3, {3, 2, 4, 1, 5, 2, 1, 3}, {1, 2});
  const QuerySpace space = space_of(3, with(families::one_way(3), 6));
  const JudgePlan plan{true, {3, 6}};
  const auto makes = [&](SubTable set, JudgePolicy policy) {
    const RiskTable lazy([&table] { return table.risk(); });
    judge(lazy, policy, ample(1), space, plan, {set, 0}, kQuiet);
    return lazy.is_made();
  };
  CHECK(!makes(6, JudgePolicy()));
  CHECK(!makes(3, JudgePolicy()));
  CHECK(makes(5, JudgePolicy()));
  JudgePolicy guarded;
  guarded.guarded = true;
  CHECK(makes(3, guarded));
}

TEST(a_rule_on_the_cells_of_a_sub_table_looks_at_them_alone) {
  PublicRandom random(8);
  const std::vector<std::int64_t> every_count = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (int round = 0; round < 20; ++round) {
    const SmallTable table = random_table(3, 12, every_count, random);
    JudgeLimits limits = ample(1 + static_cast<std::int64_t>(random.below(6)));
    limits.rule = RiskRule::least_count;
    for (SubTable set = 1; set < 8; ++set) {
      Counts sums(8, 0);
      for (std::size_t cell = 0; cell < 8; ++cell) sums[cell & set] += table.counts()[cell];
      const bool safe = std::none_of(sums.begin(), sums.end(),
                                     [&](std::int64_t n) { return n > 0 && n < limits.least; });
      const RiskVerdict found =
          judge_risk(table.risk(), JudgePolicy(), limits, space_of(3, families::one_way(3)),
                     JudgePlan(), set, kQuiet);
      CHECK(found.verdict == (safe ? Verdict::certified : Verdict::refuted));
      CHECK(found.ground == Ground::own_cells);
    }
  }
}
