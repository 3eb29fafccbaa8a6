// The query space of a table server, and walks over it, against sets that are looked at one by one.
#include <algorithm>

#include "check.hpp"
#include "families.hpp"
#include "server/query_space.hpp"
#include "server/set_walk.hpp"

using namespace sdclattice;
using families::Family;
using families::has;
using families::size_of;

namespace {

const Tick kQuiet = [](double) {};

struct Case {
  std::size_t n = 0;
  Family released = 0;
  SpaceRules rules;
  SpaceState state;

  QuerySpace space() const { return QuerySpace(rules, state); }
  SubTable end() const { return SubTable{1} << n; }
};

// By their definitions, for one set.
bool lies_in_envelope(const Case& c, SubTable set) {
  for (SubTable whole : c.rules.envelope)
    if ((set & ~whole) == 0) return true;
  return false;
}

bool one_step(const Case& c, SubTable set) {
  for (std::size_t v = 0; v < c.n; ++v) {
    if ((set >> v & 1) == 0) continue;
    const SubTable part = set & ~(SubTable{1} << v);
    bool maximal = true;
    for (std::size_t w = 0; w < c.n; ++w)
      if ((part >> w & 1) == 0 && has(c.released, part | SubTable{1} << w)) maximal = false;
    if (has(c.released, part) && (c.rules.step == Step::any || maximal)) return true;
  }
  return false;
}

bool eligible(const Case& c, SubTable set) {
  return !has(c.released, set) && size_of(set) <= c.rules.max_dimension &&
         (!c.rules.enclosed || lies_in_envelope(c, set)) && (!c.rules.stepwise || one_step(c, set));
}

bool above_refused(const Case& c, SubTable set) {
  for (SubTable part : c.state.refused)
    if (!has(c.released, part) && (part & ~set) == 0) return true;
  return false;
}

char letter(const Case& c, SubTable set, bool to_operator) {
  if (has(c.released, set)) return 'r';
  if (to_operator && above_refused(c, set)) return 'u';
  return eligible(c, set) ? 'o' : 'c';
}

bool lexicographic(SubTable a, SubTable b) {
  const SubTable apart = a ^ b;
  return (a & apart & (~apart + 1)) != 0;
}

Case make_case(std::size_t n, Family released, PublicRandom& random) {
  Case out;
  out.n = n;
  out.released = released;
  out.rules.n_variables = n;
  out.rules.stepwise = random.below(3) > 0;
  out.rules.step = random.below(2) == 0 ? Step::any : Step::frontier;
  out.rules.enclosed = random.below(3) == 0;
  if (out.rules.enclosed)
    for (std::size_t i = 1 + random.below(3); i > 0; --i)
      out.rules.envelope.push_back(random.below(out.end()));
  if (random.below(3) == 0) out.rules.max_dimension = 1 + random.below(n);
  out.state.released = families::maximal(released, n);
  for (std::size_t i = random.below(3); i > 0; --i)
    out.state.refused.push_back(1 + random.below(out.end() - 1));
  return out;
}

// All families up to 4 variables, some of 5 and 6.
std::vector<Case> cases(std::uint64_t seed, std::size_t n_random) {
  PublicRandom random(seed);
  std::vector<Case> out;
  for (std::size_t n = 1; n <= 4; ++n)
    for (Family family : families::all(n)) out.push_back(make_case(n, family, random));
  for (std::size_t n = 5; n <= 6; ++n)
    for (std::size_t i = 0; i < n_random; ++i)
      out.push_back(make_case(n, families::random(n, random), random));
  return out;
}

std::vector<SubTable> sorted(std::vector<SubTable> sets) {
  std::sort(sets.begin(), sets.end());
  return sets;
}

// Every page of the list, of few sets each.
std::vector<SubTable> all_pages(const QuerySpace& space, const SpaceQuestion& asked,
                                std::size_t limit) {
  std::vector<SubTable> out;
  const std::vector<SubTable> bounds = walk_bounds(space, asked);
  SetWalk walk(bounds, asked.held, asked.size);
  SpacePage page = walk_space(space, asked, walk, limit);
  for (;;) {
    CHECK(page.sets.size() <= limit && page.sets.size() == page.standings.size());
    out.insert(out.end(), page.sets.begin(), page.sets.end());
    if (!page.more) return out;
    CHECK_EQ(page.sets.size(), limit);
    SetWalk rest(bounds, asked.held, asked.size, page.last);
    page = walk_space(space, asked, rest, limit);
    CHECK(!page.sets.empty());
  }
}

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
      const Closed wanted = size_of(set) > c.rules.max_dimension            ? Closed::dimension
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
      if (!whole && standing == 'c' && size_of(set) <= c.rules.max_dimension)
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
        if (letter(c, set, false) == 'r') ++released[size_of(set)];
        if (letter(c, set, false) == 'o') ++open[size_of(set)];
        if (letter(c, set, true) == 'u') ++refused[size_of(set)];
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

TEST(pages_of_a_walk_list_all_sets_of_a_kind_in_order_and_each_once) {
  const Standing kinds[] = {Standing::released, Standing::open, Standing::closed,
                            Standing::refused};
  std::uint64_t round = 0;
  for (const Case& c : cases(6, 25)) {
    const QuerySpace space = c.space();
    for (SubTable held = 0; held < c.end(); held = 2 * held + 1) {
      for (std::size_t size = 0; size <= c.n; ++size) {
        SpaceQuestion asked{held, size, ++round % 5 == 0, kinds[round % 4], round % 2 == 1};
        std::vector<SubTable> wanted;
        for (SubTable set = 0; set < c.end(); ++set) {
          const auto standing = static_cast<Standing>(letter(c, set, asked.to_operator));
          if ((held & ~set) == 0 && size_of(set) == size &&
              (asked.all || standing == asked.standing))
            wanted.push_back(set);
        }
        std::sort(wanted.begin(), wanted.end(), lexicographic);
        CHECK(all_pages(space, asked, 1 + round % 4) == wanted);
      }
    }
  }
}

TEST(a_walk_goes_on_behind_any_of_its_sets) {
  for (std::size_t n = 1; n <= 6; ++n) {
    PublicRandom random(n);
    for (int round = 0; round < 12; ++round) {
      std::vector<SubTable> bounds;
      for (std::size_t i = random.below(5); i > 0; --i)
        bounds.push_back(random.below(SubTable{1} << n));
      for (SubTable held = 0; held < SubTable{1} << n; held = 2 * held + 1) {
        for (std::size_t size = 0; size <= n; ++size) {
          std::vector<SubTable> wanted;
          for (SubTable set = 0; set < SubTable{1} << n; ++set)
            if ((held & ~set) == 0 && size_of(set) == size && is_inside_any(set, bounds))
              wanted.push_back(set);
          std::sort(wanted.begin(), wanted.end(), lexicographic);
          for (std::size_t from = 0; from <= wanted.size(); ++from) {
            SetWalk walk = from == 0 ? SetWalk(bounds, held, size)
                                     : SetWalk(bounds, held, size, wanted[from - 1]);
            std::vector<SubTable> found;
            for (SubTable set = 0; walk.next(set);) found.push_back(set);
            CHECK(found == std::vector<SubTable>(wanted.begin() + static_cast<std::ptrdiff_t>(from),
                                                 wanted.end()));
          }
        }
      }
    }
  }
}

TEST(a_page_that_finds_nothing_says_where_to_go_on) {
  SpaceRules rules;
  rules.n_variables = 40;
  SpaceState state;
  for (std::size_t v = 0; v < 40; ++v) state.released.push_back(SubTable{1} << v);
  const QuerySpace space(rules, state);
  const SpaceQuestion asked{0, 20, false, Standing::refused, true};
  SetWalk walk(walk_bounds(space, asked), asked.held, asked.size);
  const SpacePage page = walk_space(space, asked, walk, 10);
  CHECK(page.more && page.sets.empty());
  CHECK_EQ(size_of(page.last), 20u);
  SetWalk rest(walk_bounds(space, asked), asked.held, asked.size, page.last);
  SubTable next = 0;
  CHECK(rest.next(next) && lexicographic(page.last, next));
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
        return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : lexicographic(a, b);
      });
      CHECK(space.released_parts(set) == parts);
      std::size_t most = 0;
      for (SubTable part : parts) {
        for (std::size_t v = 0; v < c.n; ++v) {
          const SubTable step = part | SubTable{1} << v;
          if (step == part || (step & ~set) != 0 || step == set || !eligible(c, step)) continue;
          if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
          most = std::max(most, size_of(step));
        }
      }
      steps.erase(std::remove_if(steps.begin(), steps.end(),
                                 [most](SubTable step) { return size_of(step) < most; }),
                  steps.end());
      CHECK(sorted(space.steps_towards(set)) == sorted(steps));
    }
  }
}
