// The query space of a table server against sets that are looked at one by one.
#include <algorithm>

#include "check.hpp"
#include "server/query_space.hpp"
#include "space_cases.hpp"

using namespace sdclattice;
using namespace space_cases;

namespace {

const Tick kQuiet = [](double) {};

}  // namespace

TEST(there_are_as_many_families_as_the_books_say) {
  CHECK_EQ(families::all(1).size(), 1u);
  CHECK_EQ(families::all(2).size(), 2u);
  CHECK_EQ(families::all(3).size(), 9u);
  CHECK_EQ(families::all(4).size(), 114u);
  CHECK_EQ(families::all(5).size(), 6894u);
}

TEST(each_set_stands_where_its_definition_says_one_by_one_and_laid_out) {
  for (const Case& c : cases(1, 150)) {
    const QuerySpace space = c.space();
    for (bool to_operator : {false, true}) {
      const std::vector<char> layout = space.lay_out(to_operator);
      bool right = layout.size() == closed_sets(c).size();
      for (SubTable set : closed_sets(c)) {
        const char wanted = letter(c, set, to_operator);
        right = right && layout[c.rules.steps.place(set)] == wanted &&
                static_cast<char>(space.standing(set, to_operator)) == wanted;
      }
      CHECK(right);
    }
    bool alike = true;
    for (SubTable set : closed_sets(c))
      alike = alike && space.is_eligible(set) == eligible(c, set) &&
              space.is_released(set) == has(c.released, set);
    CHECK(alike);
  }
}

TEST(why_a_set_is_closed_is_the_first_rule_that_it_breaks) {
  for (const Case& c : cases(2, 60)) {
    const QuerySpace space = c.space();
    bool right = true;
    for (SubTable set : closed_sets(c)) {
      if (has(c.released, set)) continue;
      const Closed wanted = dimension(c, set) > c.rules.max_dimension       ? Closed::dimension
                            : c.rules.enclosed && !lies_in_envelope(c, set) ? Closed::envelope
                            : c.rules.stepwise && !one_step(c, set)         ? Closed::step
                                                                            : Closed::no;
      right = right && space.closed(set) == wanted;
    }
    CHECK(right);
  }
}

TEST(candidates_are_the_eligible_sets_one_step_from_what_is_released) {
  for (const Case& c : cases(3, 100)) {
    std::vector<SubTable> wanted;
    for (SubTable set : closed_sets(c))
      if (eligible(c, set) && one_step(c, set)) wanted.push_back(set);
    CHECK(sorted(c.space().candidates()) == wanted);
  }
}

TEST(bounds_hold_all_that_is_released_or_open) {
  for (const Case& c : cases(4, 100)) {
    const std::vector<SubTable> bounds = c.space().bounds();
    bool inside = true;
    for (SubTable set : closed_sets(c)) {
      const char standing = letter(c, set, false);
      if (standing == 'o') inside = inside && is_inside_any(set, bounds);
      // where parts of open sets are so too, nothing else lies inside
      const bool whole = c.rules.stepwise && c.rules.step == Step::frontier;
      if (!whole && standing == 'c' && dimension(c, set) <= c.rules.max_dimension)
        inside = inside && !is_inside_any(set, bounds);
    }
    CHECK(inside);
  }
}

TEST(levels_are_counted_alike_one_by_one_laid_out_and_by_intersections) {
  for (const Case& c : cases(5, 60)) {
    const QuerySpace space = c.space();
    const std::vector<char> layout = space.lay_out(false), operators = space.lay_out(true);
    for (SubTable some = 0; some < c.end(); some += 1 + some % 3) {
      const SubTable held = c.rules.steps.closure(some);
      std::vector<double> released(c.n_variables() + 1, 0), open = released, refused = released;
      for (SubTable set : closed_sets(c)) {
        if ((held & ~set) != 0) continue;
        if (letter(c, set, false) == 'r') ++released[dimension(c, set)];
        if (letter(c, set, false) == 'o') ++open[dimension(c, set)];
        if (letter(c, set, true) == 'u') ++refused[dimension(c, set)];
      }
      const LevelCounts laid = count_laid_out(layout, c.rules.steps, held);
      CHECK(laid.released == released && laid.open == open);
      CHECK(count_laid_out(operators, c.rules.steps, held).refused == refused);
      const LevelCounts counted = count_levels(space, held, kQuiet);
      CHECK(counted.released == released && counted.open == open && counted.refused == refused);
    }
  }
}

TEST(with_sixty_four_variables_levels_are_counted_and_nothing_is_laid_out) {
  SpaceRules rules;
  rules.steps = 64;
  SpaceState state;
  for (std::size_t v = 0; v < 64; ++v) state.released.push_back(SubTable{1} << v);
  const QuerySpace space(rules, state);
  const LevelCounts found = count_levels(space, 0, kQuiet);
  CHECK_EQ(found.released[0], 1);
  CHECK_EQ(found.released[1], 64);
  // pairs of variables: more bounds than are counted by
  CHECK(found.open.empty());
  const LevelCounts around = count_levels(space, SubTable{1} << 63, kQuiet);
  CHECK_EQ(around.open[2], 63);
  CHECK_EQ(space.candidates().size(), 64u * 63 / 2);
  CHECK(space.standing(~SubTable{0}, false) == Standing::closed);
}

// 16 variables of 3 levels: too many places to be laid out.
TEST(with_many_levels_sets_are_counted_by_intersections) {
  SpaceRules rules;
  rules.steps = LevelSteps(std::vector<std::size_t>(16, 3));
  rules.stepwise = false;
  const auto with = [&](std::size_t v, std::size_t level) {
    return rules.steps.steps_of(v) & (~SubTable{0} >> (64 - 3 * v - level));
  };
  SpaceState state;
  for (std::size_t v = 0; v < 16; ++v) state.released.push_back(with(v, 3));
  state.released.push_back(with(0, 2) | with(1, 1));
  state.refused = {with(2, 2) | with(3, 1), with(2, 1) | with(3, 3)};
  const QuerySpace space(rules, state);
  const LevelCounts found = count_levels(space, 0, kQuiet);
  CHECK_EQ(found.released[1], 48);
  CHECK_EQ(found.released[2], 2);
  CHECK_EQ(found.open[1], 0);
  CHECK_EQ(found.open[2], 120 * 9 - 2);
  // of the 9 choices for variables 2 and 3: levels (2, 1) and above, 6, and (1, 3)
  CHECK_EQ(found.refused[2], 7);
  CHECK_EQ(found.refused[3], 7 * 14 * 3);
  const LevelCounts around = count_levels(space, with(2, 2), kQuiet);
  CHECK_EQ(around.released[1], 2);
  CHECK_EQ(around.refused[2], 6);
  CHECK_EQ(around.open[2], 2 * 15 * 3);
}

TEST(what_is_near_a_set_comes_in_a_fixed_order_up_to_the_first_released_one) {
  for (const Case& c : cases(8, 60)) {
    const QuerySpace space = c.space();
    for (SubTable set : closed_sets(c)) {
      std::vector<SubTable> inside;
      for (SubTable part : closed_sets(c))
        if (part != set && holds(set, part) && (has(c.released, part) || eligible(c, part)))
          inside.push_back(part);
      std::sort(inside.begin(), inside.end(), [&](SubTable a, SubTable b) {
        if (dimension(c, a) != dimension(c, b)) return dimension(c, a) > dimension(c, b);
        return set_size(a) != set_size(b) ? set_size(a) > set_size(b) : lexicographic(a, b);
      });
      const auto first = std::find_if(inside.begin(), inside.end(),
                                      [&](SubTable part) { return has(c.released, part); });
      if (first != inside.end()) inside.erase(first + 1, inside.end());
      CHECK(space.coarser_than(set, 1000) == inside);
      if (inside.size() > 2) inside.resize(2);
      CHECK(space.coarser_than(set, 2) == inside);
    }
  }
}

TEST(parts_and_steps_of_a_set_are_those_of_their_definitions) {
  for (const Case& c : cases(7, 60)) {
    const QuerySpace space = c.space();
    for (SubTable set : closed_sets(c)) {
      std::vector<SubTable> parts, steps;
      for (SubTable part = set; part > 0; part = (part - 1) & set) {
        bool maximal = has(c.released, part);
        for (std::size_t v = 0; v < c.n; ++v) {
          const SubTable more = part | SubTable{1} << v;
          if (more != part && (more & ~set) == 0 && has(c.released, more)) maximal = false;
        }
        if (maximal) parts.push_back(part);
      }
      std::sort(parts.begin(), parts.end(), [](SubTable a, SubTable b) {
        return set_size(a) != set_size(b) ? set_size(a) > set_size(b) : lexicographic(a, b);
      });
      CHECK(space.released_parts(set) == parts);
      std::size_t most = 0;
      for (SubTable part : parts) {
        for (std::size_t v = 0; v < c.n; ++v) {
          const SubTable step = part | SubTable{1} << v;
          if (step == part || (step & ~set) != 0 || step == set || !eligible(c, step)) continue;
          if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
          most = std::max(most, set_size(step));
        }
      }
      steps.erase(std::remove_if(steps.begin(), steps.end(),
                                 [most](SubTable step) { return set_size(step) < most; }),
                  steps.end());
      CHECK(sorted(space.steps_towards(set)) == sorted(steps));
    }
  }
}
