// Walks over sets of one size, and pages of them, against all sets in order.
#include <algorithm>

#include "check.hpp"
#include "server/set_walk.hpp"
#include "space_cases.hpp"

using namespace sdclattice;
using namespace space_cases;

namespace {

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
          if ((held & ~set) == 0 && set_size(set) == size &&
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
            if ((held & ~set) == 0 && set_size(set) == size && is_inside_any(set, bounds))
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
  CHECK_EQ(set_size(page.last), 20u);
  SetWalk rest(walk_bounds(space, asked), asked.held, asked.size, page.last);
  SubTable next = 0;
  CHECK(rest.next(next) && lexicographic(page.last, next));
}
