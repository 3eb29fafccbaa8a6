// Walks over sets of one size, and pages of them, against all sets in order.
#include <algorithm>

#include "check.hpp"
#include "server/set_walk.hpp"
#include "space_cases.hpp"

using namespace sdclattice;
using namespace space_cases;

namespace {

// By the lists of steps that two sets have beyond `held`; a list comes before those that it begins.
bool comes_first(SubTable a, SubTable b, SubTable held) {
  a &= ~held;
  b &= ~held;
  const SubTable apart = (a ^ b) & (~(a ^ b) + 1), behind = ~(apart | (apart - 1));
  return (a & apart) != 0 ? (b & behind) != 0 : (b & apart) != 0 && (a & behind) == 0;
}

// Every page of the list, of few sets each.
std::vector<SubTable> all_pages(const QuerySpace& space, const SpaceQuestion& asked,
                                std::size_t limit) {
  std::vector<SubTable> out;
  const std::vector<SubTable> bounds = walk_bounds(space, asked);
  SetWalk walk(space.steps(), bounds, asked.held, asked.size);
  SpacePage page = walk_space(space, asked, walk, limit);
  for (;;) {
    CHECK(page.sets.size() <= limit && page.sets.size() == page.standings.size());
    out.insert(out.end(), page.sets.begin(), page.sets.end());
    if (!page.more) return out;
    CHECK_EQ(page.sets.size(), limit);
    SetWalk rest(space.steps(), bounds, asked.held, asked.size, page.last);
    page = walk_space(space, asked, rest, limit);
    CHECK(!page.sets.empty());
  }
}

}  // namespace

TEST(pages_of_a_walk_list_all_sets_of_a_kind_in_order_and_each_once) {
  const Standing kinds[] = {Standing::released, Standing::open, Standing::closed,
                            Standing::refused};
  std::uint64_t round = 0;
  for (const Case& c : cases(6, 25)) {
    const QuerySpace space = c.space();
    for (SubTable some = 0; some < c.end(); some = 2 * some + 1) {
      const SubTable held = c.rules.steps.closure(some);
      for (std::size_t size = 0; size <= c.n_variables(); ++size) {
        SpaceQuestion asked{held, size, ++round % 5 == 0, kinds[round % 4], round % 2 == 1};
        std::vector<SubTable> wanted;
        for (SubTable set : closed_sets(c)) {
          const auto standing = static_cast<Standing>(letter(c, set, asked.to_operator));
          if ((held & ~set) == 0 && dimension(c, set) == size &&
              (asked.all || standing == asked.standing))
            wanted.push_back(set);
        }
        std::sort(wanted.begin(), wanted.end(),
                  [held](SubTable a, SubTable b) { return comes_first(a, b, held); });
        CHECK(all_pages(space, asked, 1 + round % 4) == wanted);
      }
    }
  }
}

TEST(a_walk_goes_on_behind_any_of_its_sets) {
  const std::vector<LevelSteps> spaces = {1,
                                          2,
                                          3,
                                          4,
                                          5,
                                          6,
                                          LevelSteps(std::vector<std::size_t>{3}),
                                          LevelSteps(std::vector<std::size_t>{2, 1, 3}),
                                          LevelSteps(std::vector<std::size_t>{1, 2, 2, 1})};
  for (const LevelSteps& steps : spaces) {
    PublicRandom random(steps.n_steps());
    for (int round = 0; round < 12; ++round) {
      std::vector<SubTable> bounds;
      for (std::size_t i = random.below(5); i > 0; --i)
        bounds.push_back(steps.closure(random.below(steps.all() + 1)));
      for (SubTable some = 0; some <= steps.all(); some = 2 * some + 1) {
        const SubTable held = steps.closure(some);
        for (std::size_t size = 0; size <= steps.n_variables(); ++size) {
          std::vector<SubTable> wanted;
          for_closed_sets(steps, [&](std::size_t, SubTable set) {
            if ((held & ~set) == 0 && steps.n_variables_in(set) == size &&
                is_inside_any(set, bounds))
              wanted.push_back(set);
          });
          std::sort(wanted.begin(), wanted.end(),
                    [held](SubTable a, SubTable b) { return comes_first(a, b, held); });
          for (std::size_t from = 0; from <= wanted.size(); ++from) {
            SetWalk walk = from == 0 ? SetWalk(steps, bounds, held, size)
                                     : SetWalk(steps, bounds, held, size, wanted[from - 1]);
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
  rules.steps = 40;
  SpaceState state;
  for (std::size_t v = 0; v < 40; ++v) state.released.push_back(SubTable{1} << v);
  const QuerySpace space(rules, state);
  const SpaceQuestion asked{0, 20, false, Standing::refused, true};
  SetWalk walk(space.steps(), walk_bounds(space, asked), asked.held, asked.size);
  const SpacePage page = walk_space(space, asked, walk, 10);
  CHECK(page.more && page.sets.empty());
  CHECK_EQ(set_size(page.last), 20u);
  SetWalk rest(space.steps(), walk_bounds(space, asked), asked.held, asked.size, page.last);
  SubTable next = 0;
  CHECK(rest.next(next) && lexicographic(page.last, next));
}
