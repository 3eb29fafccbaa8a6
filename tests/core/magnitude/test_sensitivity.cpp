// Sensitivity rules: against their definitions in wide whole numbers, all small cells one by one,
// and what a reader can estimate from each total that is said to protect.
#include <algorithm>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/wide_int.hpp"
#include "check.hpp"
#include "magnitude/contributor_groups.hpp"
#include "magnitude/sensitivity.hpp"

using namespace sdclattice;

namespace {

using Values = std::vector<std::int64_t>;
using Wider = WideInt;
constexpr std::int64_t kPercent = kWholePercent / 100;

Wider total_of(const Values& x) {
  Wider out = 0;
  for (std::int64_t v : x) out += v;
  return out;
}

// The rules by their words; values largest first.
bool fires_by_words(const SensitivityRule& rule, const Values& x) {
  Wider top = 0;
  switch (rule.kind) {
    case RuleKind::threshold:
      return static_cast<std::int64_t>(x.size()) < rule.n;
    case RuleKind::nk:
      for (std::size_t i = 0; i < x.size() && static_cast<std::int64_t>(i) < rule.n; ++i)
        top += x[i];
      return top * kWholePercent > total_of(x) * rule.percent;
    case RuleKind::p_percent:
      for (std::size_t i = 0; i < x.size() && i < 2; ++i) top += x[i];
      return (total_of(x) - top) * kWholePercent <
             (x.empty() ? Wider{0} : Wider{x[0]} * rule.percent);
  }
  return false;
}

// Calls `act` with all cells of up to `n` values up to `most`, largest first.
template <class Act>
void each_cell(std::size_t n, std::int64_t most, const Act& act) {
  Values x;
  const auto go = [&](auto&& self) -> void {
    act(x);
    if (x.size() == n) return;
    for (std::int64_t v = 0; v <= (x.empty() ? most : x.back()); ++v) {
      x.push_back(v);
      self(self);
      x.pop_back();
    }
  };
  go(go);
}

std::vector<SensitivityRule> some_rules() {
  return {{RuleKind::threshold, 1, 0},
          {RuleKind::threshold, 3, 0},
          {RuleKind::nk, 1, 50 * kPercent},
          {RuleKind::nk, 1, 75 * kPercent + 1},
          {RuleKind::nk, 2, 85 * kPercent},
          {RuleKind::nk, 3, 60 * kPercent},
          {RuleKind::p_percent, 0, 10 * kPercent},
          {RuleKind::p_percent, 0, 50 * kPercent},
          {RuleKind::p_percent, 0, 33 * kPercent + 333333},
          {RuleKind::p_percent, 0, 150 * kPercent}};
}

CellView view(const Values& x) {
  return view_cell(x.data(), x.size());
}

}  // namespace

TEST(rules_fire_by_their_words_on_all_small_cells) {
  int wrong = 0, fired = 0, quiet = 0;
  for (const SensitivityRule& rule : some_rules())
    each_cell(5, 6, [&](const Values& x) {
      const bool found = fires(rule, view(x));
      wrong += found != fires_by_words(rule, x);
      ++(found ? fired : quiet);
    });
  CHECK_EQ(wrong, 0);
  CHECK(fired > 1000 && quiet > 1000);
}

// A cell of contributions with weights against the list in which each is repeated, with weights in
// parts of `whole`: the list of parts, `whole` of which make one contribution.
TEST(inflated_cells_are_those_of_the_repeated_list) {
  PublicRandom random(7);
  int wrong = 0, fired = 0, mixed = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::int64_t whole = 1 + static_cast<std::int64_t>(random.below(4));
    Values value, weight, parts;
    for (std::size_t i = random.below(5); i > 0; --i) {
      weight.push_back(static_cast<std::int64_t>(random.below(12)));
      const auto size = static_cast<std::int64_t>(random.below(30));
      value.push_back(size * weight.back() * (random.below(4) == 0 ? -1 : 1));
      parts.insert(parts.end(), static_cast<std::size_t>(weight.back()), size);
    }
    std::sort(parts.rbegin(), parts.rend());
    Values list;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i % static_cast<std::size_t>(whole) == 0) list.push_back(0);
      list.back() += parts[i];
      mixed += i % static_cast<std::size_t>(whole) > 0 && parts[i] != parts[i - 1];
    }
    Values largest;
    const CellView cell =
        inflate_cell(value.data(), weight.data(), value.size(), whole, 3, largest);
    wrong += cell.total != static_cast<std::int64_t>(total_of(list));
    wrong += cell.count != value.size() || cell.n > 3;
    for (const SensitivityRule& rule : some_rules()) {
      const Values& words = rule.kind == RuleKind::threshold ? value : list;
      const bool found = fires(rule, cell);
      wrong += found != fires_by_words(rule, words);
      fired += found;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(fired > 1000 && mixed > 1000);
}

// A contribution of weight 1 is one contributor: all weights 1 change no judgement.
TEST(weights_of_one_change_nothing) {
  each_cell(4, 4, [&](const Values& x) {
    Contributors one;
    if (x.empty()) return;
    one.cell = {1};
    one.start = {0, x.size()};
    one.value = x;
    one.holder.assign(x.size(), 0);
    const SamplingWeights weights{Values(x.size(), 1), 1};
    const CellJudgement a = judge_cells(one, some_rules(), 10 * kPercent, Tick())[0];
    const CellJudgement b =
        judge_sampled_cells(one, weights, some_rules(), 10 * kPercent, Tick())[0];
    CHECK(a.fired == b.fired && a.total == b.total && a.largest == b.largest &&
          a.second == b.second && a.count == b.count && a.positive == b.positive &&
          a.needed == b.needed && a.ends.up == b.ends.up && a.ends.down == b.ends.down);
  });
}

TEST(rules_of_large_values_do_not_overflow) {
  PublicRandom random(1);
  int wrong = 0, fired = 0;
  for (int round = 0; round < 3000; ++round) {
    Values x;
    for (std::size_t i = random.below(6); i > 0; --i)
      x.push_back(static_cast<std::int64_t>(random() >> (4 + random.below(30))) / 2);
    std::sort(x.rbegin(), x.rend());
    for (const SensitivityRule& rule : some_rules()) {
      const bool found = fires(rule, view(x));
      wrong += found != fires_by_words(rule, x);
      fired += found;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(fired > 1000);
}

// At the limit itself no rule fires; one unit beyond it does.
TEST(cells_at_the_limit_are_not_sensitive) {
  const SensitivityRule nk{RuleKind::nk, 1, 75 * kPercent},
      p{RuleKind::p_percent, 0, 10 * kPercent};
  CHECK(!fires(nk, view({75, 20, 5})));
  CHECK(fires(nk, view({76, 19, 5})));
  CHECK(!fires(p, view({100, 50, 10})));
  CHECK(fires(p, view({100, 50, 9})));
  CHECK(!fires({RuleKind::threshold, 3, 0}, view({1, 0, 0})));
  CHECK(fires({RuleKind::threshold, 3, 0}, view({9, 9})));
  CHECK(!fires(p, view({})) && !fires(nk, view({})) && !fires(nk, view({0, 0})));
}

TEST(views_count_what_is_positive_and_add_up) {
  each_cell(4, 3, [&](const Values& x) {
    const CellView found = view(x);
    CHECK_EQ(found.n, x.size());
    CHECK_EQ(found.positive,
             x.size() - static_cast<std::size_t>(std::count(x.begin(), x.end(), 0)));
    CHECK(found.total == total_of(x));
  });
  const std::int64_t large = std::numeric_limits<std::int64_t>::max();
  CHECK_EQ(view({large}).total, large);
  CHECK_EQ(view({large - 1, 1}).total, large);
  CHECK_THROWS(TooLargeError, view({large, 1}));
}

// With fewer contributors of positive value a rule fires whatever they hold; with as many as are
// needed some values are safe.
TEST(as_many_contributors_as_needed_can_be_safe_and_fewer_cannot) {
  for (const SensitivityRule& rule : some_rules()) {
    const std::int64_t needed = contributors_needed(rule);
    CHECK_EQ(counts_zeros(rule), rule.kind == RuleKind::threshold);
    if (needed > 5) continue;
    std::map<std::int64_t, int> safe;
    each_cell(5, 6, [&](const Values& x) {
      const CellView cell = view(x);
      if (cell.total == 0 && !counts_zeros(rule)) return;
      safe[static_cast<std::int64_t>(counts_zeros(rule) ? cell.n : cell.positive)] +=
          !fires(rule, cell);
    });
    for (const auto& [n, some] : safe) CHECK_EQ(some > 0, n >= needed);
  }
  CHECK_EQ(contributors_needed({RuleKind::nk, 2, 100 * kPercent}), 0);
}

namespace {

// Is the largest value safe from every single other contributor, and from who knows none, when the
// total T is published? An estimate is T less what one knows; it must miss by p percent.
bool misses(const Values& x, std::int64_t percent, std::int64_t total) {
  const std::int64_t x1 = x.empty() ? 0 : x[0];
  const auto far = [&](std::int64_t estimate) {
    return Wider{estimate > x1 ? estimate - x1 : x1 - estimate} * kWholePercent >=
           Wider{percent} * x1;
  };
  bool out = far(total);
  for (std::size_t j = 1; j < x.size(); ++j) out = out && far(total - x[j]);
  return out;
}

}  // namespace

TEST(protected_totals_of_the_p_percent_rule_mislead_everybody) {
  int wrong = 0, down = 0, tight = 0;
  for (std::int64_t percent : {10 * kPercent, 25 * kPercent, 50 * kPercent, 100 * kPercent})
    each_cell(4, 9, [&](const Values& x) {
      if (x.empty()) return;
      const SensitivityRule rule{RuleKind::p_percent, 0, percent};
      const ProtectedEnds ends = judge_cell(view(x), {rule}, 0).ends;
      wrong += !ends.has_up;
      for (std::int64_t total = ends.up; total < ends.up + 12; ++total)
        wrong += !misses(x, percent, total);
      // Up begins as low as it can.
      if (x[0] > 0) {
        wrong += misses(x, percent, ends.up - 1);
        ++tight;
      }
      if (!ends.has_down) return;
      for (std::int64_t total = std::max<std::int64_t>(ends.low, 0); total <= ends.down; ++total)
        wrong += !misses(x, percent, total);
      ++down;
    });
  CHECK_EQ(wrong, 0);
  CHECK(down > 1000 && tight > 1000);
}

// The share of the largest n in a protected total is within the rule; down is as far below.
TEST(protected_totals_of_the_share_rule_keep_the_share) {
  int wrong = 0, down = 0;
  for (std::int64_t n : {1, 2})
    for (std::int64_t percent : {30 * kPercent, 50 * kPercent, 75 * kPercent, 90 * kPercent})
      each_cell(4, 8, [&](const Values& x) {
        const ProtectedEnds ends = judge_cell(view(x), {{RuleKind::nk, n, percent}}, 0).ends;
        Wider top = 0;
        for (std::size_t i = 0; i < x.size() && static_cast<std::int64_t>(i) < n; ++i) top += x[i];
        const auto kept = [&](Wider total) { return top * kWholePercent <= total * percent; };
        wrong += !ends.has_up || !kept(ends.up) || (top > 0 && kept(ends.up - 1));
        wrong += ends.has_down != (2 * percent >= kWholePercent);
        if (!ends.has_down) return;
        // S - down is at least 100 S / k - S, and would not be one unit higher.
        wrong += (top - ends.down + top) * percent < top * kWholePercent;
        wrong += (top - ends.down - 1 + top) * percent >= top * kWholePercent;
        ++down;
      });
  CHECK_EQ(wrong, 0);
  CHECK(down > 1000);
}

TEST(ends_of_several_rules_satisfy_each) {
  PublicRandom random(2);
  int wrong = 0, n = 0;
  for (int round = 0; round < 2000; ++round) {
    Values x;
    for (std::size_t i = 1 + random.below(5); i > 0; --i)
      x.push_back(static_cast<std::int64_t>(random.below(40)));
    std::sort(x.rbegin(), x.rend());
    const std::vector<SensitivityRule> rules = {
        {RuleKind::p_percent, 0, static_cast<std::int64_t>(5 + random.below(60)) * kPercent},
        {RuleKind::nk, 2, static_cast<std::int64_t>(55 + random.below(40)) * kPercent}};
    const ProtectedEnds both = judge_cell(view(x), rules, 0).ends;
    const ProtectedEnds nk = judge_cell(view(x), {rules[1]}, 0).ends;
    wrong += both.up < nk.up || (both.has_down && both.down > nk.down);
    for (std::int64_t total = both.up; total < both.up + 5; ++total)
      wrong += !misses(x, rules[0].percent, total);
    if (!both.has_down) continue;
    for (std::int64_t total = std::max<std::int64_t>(both.low, 0); total <= both.down; ++total)
      wrong += !misses(x, rules[0].percent, total);
    ++n;
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 500);
}

TEST(threshold_rules_have_ends_only_with_a_percentage_and_where_they_fire) {
  const std::vector<SensitivityRule> rules = {{RuleKind::threshold, 3, 0}};
  CHECK(!judge_cell(view({5, 3}), rules, 0).ends.has_up);
  CHECK(!judge_cell(view({5, 3, 1}), rules, 10 * kPercent).ends.has_up);
  const ProtectedEnds ends = judge_cell(view({50, 30}), rules, 10 * kPercent).ends;
  CHECK(ends.has_up && ends.up == 85);
}

TEST(all_cells_are_judged_by_absolute_values) {
  PublicRandom random(4);
  const auto rules = some_rules();
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    Values cell, value;
    std::vector<std::int32_t> holder;
    for (int i = 0; i < 40; ++i) {
      cell.push_back(static_cast<std::int64_t>(random.below(9)));
      holder.push_back(i);
      value.push_back(static_cast<std::int64_t>(random.below(60)) - (round % 2 == 0 ? 20 : 0));
    }
    const Contributors x = group_contributors(cell, holder, value);
    const auto judged = judge_cells(x, rules, 10 * kPercent, {});
    for (std::size_t c = 0; c < x.cell.size(); ++c) {
      Values held;
      for (std::size_t i = x.start[c]; i < x.start[c + 1]; ++i)
        held.push_back(std::abs(x.value[i]));
      const CellJudgement& j = judged[c];
      wrong += j.total != total_of(held) || j.count != static_cast<std::int64_t>(held.size());
      wrong += j.largest != held[0] || j.second != (held.size() > 1 ? held[1] : 0);
      std::int64_t needed = 0, positive = 0;
      for (std::int64_t v : held) positive += v > 0;
      for (std::size_t r = 0; r < rules.size(); ++r) {
        wrong += (j.fired >> r & 1) != static_cast<std::uint64_t>(fires_by_words(rules[r], held));
        const std::int64_t there = counts_zeros(rules[r]) ? j.count : positive;
        needed = std::max(needed, contributors_needed(rules[r]) - there);
      }
      wrong += j.positive != positive || j.needed != (j.fired == 0 ? 0 : needed);
    }
  }
  CHECK_EQ(wrong, 0);
  const std::vector<SensitivityRule> many(65, rules[0]);
  CHECK_THROWS(TooLargeError, judge_cells({}, many, 0, {}));
  CHECK(judge_cells({}, rules, 0, {}).empty());
}
