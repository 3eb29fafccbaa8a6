// Tables of components and the sets of variables over them: against sums over all cells and plain
// sets of sets.
#include <set>

#include "base/error.hpp"
#include "cases.hpp"
#include "certify/component_table.hpp"
#include "check.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// All non-empty parts of some sets.
std::set<LocalSet> closure(const std::vector<Mask>& sets) {
  std::set<LocalSet> out;
  for (Mask set : sets)
    for (Mask part = set; part != 0; part = (part - 1) & set)
      out.insert(static_cast<LocalSet>(part));
  return out;
}

FaceComplex complex_of(std::size_t n, const std::set<LocalSet>& sets) {
  FaceComplex out(n);
  for (std::size_t size = 1; size <= n; ++size)
    for (LocalSet set : sets)
      if (set_size(set) == size) out.add(set);
  return out;
}

bool all_facets_in(const std::set<LocalSet>& sets, LocalSet set) {
  for (std::size_t v = 0; v < 32; ++v) {
    const LocalSet facet = set & ~(LocalSet{1} << v);
    if (in(set, v) && facet != 0 && sets.count(facet) == 0) return false;
  }
  return true;
}

int differences(const FaceComplex& found, std::size_t n, const std::set<LocalSet>& twin) {
  int wrong = found.size() != twin.size();
  std::vector<LocalSet> maximal, missing;
  for (LocalSet set = 1; set < LocalSet{1} << n; ++set) {
    const bool held = twin.count(set) > 0;
    wrong += found.holds(set) != held;
    wrong += found.can_add(set) != (!held && all_facets_in(twin, set));
    if (!held && all_facets_in(twin, set)) missing.push_back(set);
    bool top = held;
    std::set<LocalSet> above;
    for (LocalSet other : twin)
      if (inside(set, other)) {
        above.insert(other);
        top = top && other == set;
      }
    if (top) maximal.push_back(set);
    const auto listed = found.above(set);
    wrong +=
        listed.size() != above.size() || std::set<LocalSet>(listed.begin(), listed.end()) != above;
  }
  wrong += found.maximal() != maximal || found.minimal_missing() != missing;
  std::vector<LocalSet> ordered(twin.begin(), twin.end());
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](LocalSet a, LocalSet b) { return size_of(a) < size_of(b); });
  wrong += found.faces() != ordered;
  return wrong;
}

}  // namespace

TEST(components_are_margins_of_the_table) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random.below(4);
    const Dense x = random_dense(random, random_levels(random, n, 1, 4), 9, random.below(4));
    const Stored stored(x, 3);
    for (Mask set = 1; set <= x.all(); ++set) {
      const ComponentTable table(stored.layout, stored.view(), set, 1000);
      wrong += table.set != set || table.size() != size_of(set);
      wrong += table.all() != (LocalSet{1} << size_of(set)) - 1;
      auto margin = x.margin(set);
      const Dense y{table.levels, {}};
      for (std::uint32_t c = 0; c < table.count.size(); ++c) {
        wrong += table.count[c] != margin[y.at(c, table.all())];
        for (std::size_t i = 0; i < table.size(); ++i) wrong += table.level(c, i) != y.level(c, i);
        for (LocalSet face = 0; face <= table.all(); ++face)
          for (std::size_t i = 0; i < table.size(); ++i)
            wrong +=
                table.level(table.project_cell(c, face), i) != (in(face, i) ? y.level(c, i) : 0);
      }
      for (std::size_t i = 0; i < stored.cell.size(); ++i) {
        const auto* key = stored.keys.data() + i * stored.layout.n_words();
        const std::uint32_t c = table.cell_of(stored.layout, key);
        wrong += y.at(c, table.all()) != x.at(stored.cell[i], set);
      }
      for (LocalSet face = 0; face <= table.all(); ++face) {
        wrong += table.local(table.global(face)) != face || !inside(table.global(face), set);
        wrong += size_of(table.global(face)) != size_of(face);
      }
      wrong += table.local(set) != table.all() || table.local(x.all()) != table.all();
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(large_counts_are_capped) {
  const std::int64_t large = std::int64_t{1} << 40;
  const Dense x{{2, 2}, {large, large, ComponentTable::kCountCap - 1, 1}};
  const Stored stored(x, 1);
  const ComponentTable whole(stored.layout, stored.view(), 3, 4);
  const ComponentTable margin(stored.layout, stored.view(), 2, 4);
  const std::int32_t cap = ComponentTable::kCountCap;
  CHECK(whole.count == (std::vector<std::int32_t>{cap, cap, cap - 1, 1}));
  CHECK(margin.count == (std::vector<std::int32_t>{cap, cap}));
}

TEST(large_components_are_refused) {
  const Dense x{{3, 4, 5}, std::vector<std::int64_t>(60, 1)}, many{Levels(17, 1), {1}};
  const Stored stored(x, 1), wide(many, 1);
  CHECK_EQ(ComponentTable(stored.layout, stored.view(), 7, 60).count.size(), 60u);
  CHECK_THROWS(TooLargeError, ComponentTable(stored.layout, stored.view(), 7, 59));
  CHECK_EQ(ComponentTable(wide.layout, wide.view(), 0xffff, 60).size(), 16u);
  CHECK_THROWS(TooLargeError, ComponentTable(wide.layout, wide.view(), 0x1ffff, 60));
}

TEST(changes_show_in_the_margins_that_they_change) {
  PublicRandom random(2);
  int wrong = 0, yes = 0, no = 0;
  for (int round = 0; round < 200; ++round) {
    const Dense x = random_dense(random, random_levels(random, 3, 1, 3), 9, 1);
    const Stored stored(x, 3);
    const ComponentTable table(stored.layout, stored.view(), 7, 1000);
    CellChanges change;
    Dense after = x;
    for (std::size_t i = random.below(6); i > 0; --i) {
      const auto cell = static_cast<std::uint32_t>(random.below(x.counts.size()));
      const auto by = static_cast<std::int32_t>(random.below(3)) - 1;
      change.push_back({cell, by});
      after.counts[cell] += by;
    }
    for (LocalSet face = 0; face < 8; ++face) {
      const bool changed = after.margin(face) != x.margin(face);
      wrong += changes_margin(table, change, face) != changed;
      MarginProbe probe(table, face);
      wrong += probe.changes(change) != changed || probe.changes({});
      wrong += probe.changes(change) != changed;
      ++(changed ? yes : no);
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(yes > 300 && no > 300);
}

TEST(complexes_are_sets_of_sets) {
  PublicRandom random(3);
  int wrong = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = 1 + random.below(5);
    std::set<LocalSet> twin = closure(random_frontier(random, n, 4));
    FaceComplex faces = complex_of(n, twin);
    wrong += faces.n_variables() != n || differences(faces, n, twin);
    for (int step = 0; step < 8; ++step) {
      const auto set = static_cast<LocalSet>(1 + random.below((std::size_t{1} << n) - 1));
      if (faces.can_add(set) && random.below(2) == 0) {
        faces.add(set);
        faces.add(set);  // twice is once
        twin.insert(set);
      } else if (random.below(2) == 0) {
        faces.remove_above(set);
        for (auto at = twin.begin(); at != twin.end();)
          at = inside(set, *at) ? twin.erase(at) : std::next(at);
      }
      wrong += differences(faces, n, twin);
    }
  }
  CHECK_EQ(wrong, 0);
}

TEST(an_empty_complex_lacks_all_single_variables) {
  const FaceComplex faces(3);
  CHECK(faces.minimal_missing() == (std::vector<LocalSet>{1, 2, 4}));
  CHECK(faces.maximal().empty() && faces.faces().empty());
  CHECK(!faces.can_add(0) && !faces.can_add(3) && faces.can_add(4));
}
