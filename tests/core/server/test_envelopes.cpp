// Envelopes: their numbers are known, and each is compared with what its sets hold.
#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "server/envelopes.hpp"

using namespace sdclattice;

namespace {

std::vector<SubTable> inside(std::size_t n, const std::vector<SubTable>& sets) {
  std::vector<SubTable> out;
  for (SubTable set = 0; set < SubTable{1} << n; ++set)
    for (const SubTable whole : sets)
      if (set_size(set) > 1 && holds(whole, set)) {
        out.push_back(set);
        break;
      }
  return out;
}

}  // namespace

TEST(numbers_of_envelopes) {
  // antichains that cover n elements (1, 2, 9, 114, 6894), without that of single elements
  const std::size_t known[] = {0, 1, 8, 113, 6893};
  for (std::size_t n = 1; n <= 5; ++n) CHECK_EQ(all_envelopes(n, n).size(), known[n - 1]);
  CHECK_EQ(all_envelopes(3, 2).size(), std::size_t{7});  // sets of pairs
  CHECK_EQ(all_envelopes(5, 1).size(), std::size_t{0});
  CHECK_THROWS(TooLargeError, all_envelopes(6, 6));
}

TEST(envelopes_say_what_they_hold_in_order) {
  for (std::size_t n = 2; n <= 4; ++n) {
    std::set<std::vector<SubTable>> seen;
    std::size_t before = SIZE_MAX;
    for (const Envelope& envelope : all_envelopes(n, n)) {
      const std::vector<SubTable> held = inside(n, envelope.sets);
      CHECK(seen.insert(held).second);
      CHECK_EQ(held.size(), envelope.n_sub_tables);
      CHECK(envelope.n_sub_tables <= before);
      before = envelope.n_sub_tables;
      for (const SubTable set : envelope.sets) CHECK(set_size(set) > 1);
      CHECK(std::is_sorted(envelope.sets.begin(), envelope.sets.end()));
    }
  }
}

// All families of closed sets of two variables or more that hold what lies inside their sets.
TEST(by_level_envelopes_are_all_families_of_closed_sets) {
  const std::vector<std::vector<std::size_t>> ladders = {{2, 1}, {2, 2}, {3, 1}, {2, 1, 1}, {3, 2}};
  for (const auto& ladder : ladders) {
    const LevelSteps steps(ladder);
    std::vector<SubTable> sets;
    for (SubTable set = 0; set <= steps.all(); ++set)
      if (steps.closure(set) == set && steps.n_variables_in(set) > 1) sets.push_back(set);
    std::set<std::vector<SubTable>> families;
    for (std::size_t code = 1; code < std::size_t{1} << sets.size(); ++code) {
      std::vector<SubTable> family;
      bool whole = true;
      for (std::size_t i = 0; i < sets.size(); ++i)
        if ((code >> i & 1) != 0) family.push_back(sets[i]);
      for (const SubTable set : family)
        for (std::size_t i = 0; i < sets.size(); ++i)
          whole = whole && ((code >> i & 1) != 0 || !holds(set, sets[i]));
      if (whole) families.insert(family);
    }
    std::set<std::vector<SubTable>> found;
    std::size_t before = SIZE_MAX;
    for (const Envelope& envelope : all_envelopes(steps, ladder.size())) {
      std::vector<SubTable> held;
      for (const SubTable set : sets)
        if (std::any_of(envelope.sets.begin(), envelope.sets.end(),
                        [&](SubTable whole) { return holds(whole, set); }))
          held.push_back(set);
      CHECK_EQ(held.size(), envelope.n_sub_tables);
      CHECK(envelope.n_sub_tables <= before);
      before = envelope.n_sub_tables;
      CHECK(found.insert(held).second);
    }
    CHECK(found == families);
  }
}
