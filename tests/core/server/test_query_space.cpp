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
      bool right = layout.size() == c.end();
      for (SubTable set = 0; set < c.end() && right; ++set) {
        const char wanted = letter(c, set, to_operator);
        right =
            layout[set] == wanted && static_cast<char>(space.standing(set, to_operator)) == wanted;
      }
      CHECK(right);
    }
    bool alike = true;
    for (SubTable set = 0; set < c.end(); ++set)
      alike = alike && space.is_eligible(set) == eligible(c, set) &&
              space.is_released(set) == has(c.released, set);
    CHECK(alike);
  }
}

TEST(why_a_set_is_closed_is_the_first_rule_that_it_breaks) {
  for (const Case& c : cases(2, 60)) {
    const QuerySpace space = c.space();
    bool right = true;
    for (SubTable set = 1; set < c.end(); ++set) {
      if (has(c.released, set)) continue;
      const Closed wanted = set_size(set) > c.rules.max_dimension           ? Closed::dimension
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
    for (SubTable set = 0; set < c.end(); ++set)
      if (eligible(c, set) && one_step(c, set)) wanted.push_back(set);
    CHECK(sorted(c.space().candidates()) == wanted);
  }
}

TEST(bounds_hold_all_that_is_released_or_open) {
  for (const Case& c : cases(4, 100)) {
    const std::vector<SubTable> bounds = c.space().bounds();
    bool inside = true;
    for (SubTable set = 0; set < c.end(); ++set) {
      const char standing = letter(c, set, false);
      if (standing == 'o') inside = inside && is_inside_any(set, bounds);
      // where parts of open sets are so too, nothing else lies inside
      const bool whole = c.rules.stepwise && c.rules.step == Step::frontier;
      if (!whole && standing == 'c' && set_size(set) <= c.rules.max_dimension)
        inside = inside && !is_inside_any(set, bounds);
    }
    CHECK(inside);
  }
}

TEST(levels_are_counted_alike_one_by_one_laid_out_and_by_intersections) {
  for (const Case& c : cases(5, 60)) {
    const QuerySpace space = c.space();
    const std::vector<char> layout = space.lay_out(false), operators = space.lay_out(true);
    for (SubTable held = 0; held < c.end(); held += 1 + held % 3) {
      std::vector<double> released(c.n + 1, 0), open = released, refused = released;
      for (SubTable set = 0; set < c.end(); ++set) {
        if ((held & ~set) != 0) continue;
        if (letter(c, set, false) == 'r') ++released[set_size(set)];
        if (letter(c, set, false) == 'o') ++open[set_size(set)];
        if (letter(c, set, true) == 'u') ++refused[set_size(set)];
      }
      const LevelCounts laid = count_laid_out(layout, c.n, held);
      CHECK(laid.released == released && laid.open == open);
      CHECK(count_laid_out(operators, c.n, held).refused == refused);
      const LevelCounts counted = count_levels(space, held, kQuiet);
      CHECK(counted.released == released && counted.open == open && counted.refused == refused);
    }
  }
}

TEST(with_sixty_four_variables_levels_are_counted_and_nothing_is_laid_out) {
  SpaceRules rules;
  rules.n_variables = 64;
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

TEST(parts_and_steps_of_a_set_are_those_of_their_definitions) {
  for (const Case& c : cases(7, 60)) {
    const QuerySpace space = c.space();
    for (SubTable set = 1; set < c.end(); ++set) {
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
