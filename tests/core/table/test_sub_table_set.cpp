// A set of sub-tables: against std::set, with keys that crowd one place.
#include <set>

#include "base/random.hpp"
#include "check.hpp"
#include "table/sub_table_set.hpp"

using namespace sdclattice;

namespace {

int differences(const SubTableSet& set, const std::set<SubTable>& twin,
                const std::vector<SubTable>& asked) {
  int wrong = set.size() != twin.size();
  for (SubTable x : asked) wrong += set.contains(x) != (twin.count(x) > 0);
  for (SubTable x : twin) wrong += !set.contains(x);
  return wrong;
}

}  // namespace

TEST(sets_grow_with_random_sub_tables_that_come_again) {
  PublicRandom random(1);
  for (SubTable range : {SubTable{50}, SubTable{3000}, ~SubTable{0}}) {
    SubTableSet set;
    std::set<SubTable> twin;
    std::vector<SubTable> asked;
    for (int i = 0; i < 4000; ++i) {
      const SubTable x = 1 + random() % (range - 1);
      asked.push_back(1 + random() % (range - 1));
      set.insert(x);
      twin.insert(x);
      if (i % 500 == 0) CHECK_EQ(differences(set, twin, asked), 0);
    }
    CHECK_EQ(differences(set, twin, asked), 0);
  }
}

TEST(sub_tables_in_rows_and_at_both_ends) {
  std::vector<SubTable> in, out;
  for (SubTable i = 1; i <= 500; ++i) {
    in.push_back(i);
    in.push_back(i << 54);
    in.push_back(~i);
    in.push_back(i << 32 | i);
    out.push_back(i + 500);
    out.push_back((i << 20) + 7);
  }
  const SubTableSet set(in);
  CHECK_EQ(differences(set, {in.begin(), in.end()}, out), 0);
}

TEST(an_empty_set_holds_nothing) {
  const SubTableSet set;
  CHECK_EQ(set.size(), 0u);
  for (SubTable x = 1; x < 100; ++x) CHECK(!set.contains(x));
}
