// Full tables from those of components: every step keeps the margins that it must, by sums over all
// cells.
#include <map>

#include "base/error.hpp"
#include "cases.hpp"
#include "certify/joint_tables.hpp"
#include "check.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

// A chain, a star and two parts that share nothing.
struct Shape {
  std::size_t n;
  ComponentTree tree;
};

std::vector<Shape> shapes() {
  return {{3, {{3, 6}, {0, 2}, {0, 0}, 0}},
          {4, {{3, 6, 12}, {0, 2, 4}, {0, 0, 1}, 0}},
          {4, {{3, 5, 9}, {0, 1, 1}, {0, 0, 0}, 0}},
          {3, {{3, 4}, {0, 0}, {0, 0}, 0}},
          {4, {{7, 12}, {0, 4}, {0, 0}, 0}}};
}

std::vector<const ComponentTable*> pointers(const std::vector<ComponentTable>& tables) {
  std::vector<const ComponentTable*> out;
  for (const ComponentTable& table : tables) out.push_back(&table);
  return out;
}

struct Case {
  Dense x;
  Stored stored;
  ComponentTree tree;
  std::vector<ComponentTable> components;
  JointTables joint;

  Case(PublicRandom& random, const Shape& shape)
      : x(random_dense(random, Levels(shape.n, 2), 4, 1)),
        stored(x, 2),
        tree(shape.tree),
        components(tables()),
        joint(stored.layout, stored.view(), tree, pointers(components)) {}

  std::vector<ComponentTable> tables() const {
    std::vector<ComponentTable> out;
    for (SubTable set : tree.components) out.emplace_back(stored.layout, stored.view(), set, 1000);
    return out;
  }
  // The full table that the steps so far have led to.
  Dense now() const {
    Dense out = x;
    for (const CellChange& change : joint.changes()) {
      std::size_t cell = 0;
      for (std::size_t v = x.n_variables(); v-- > 0;)
        cell = cell * x.levels[v] + stored.layout.level(joint.pool().key(change.cell), v);
      out.counts[cell] += change.by;
    }
    return out;
  }
  bool keeps_components(const Dense& table) const {
    return std::all_of(tree.components.begin(), tree.components.end(),
                       [&](Mask set) { return table.margin(set) == x.margin(set); });
  }
};

bool not_negative(const Dense& x) {
  return std::all_of(x.counts.begin(), x.counts.end(), [](std::int64_t n) { return n >= 0; });
}

}  // namespace

TEST(pools_number_cells_in_the_order_in_which_they_come) {
  PublicRandom random(1);
  const Layout layout(Levels(3, 4000000000u));
  std::map<std::vector<std::uint64_t>, std::uint32_t> twin;
  CellPool pool(layout.n_words());
  int wrong = 0;
  for (int i = 0; i < 6000; ++i) {
    std::vector<std::uint64_t> key(layout.n_words(), 0);
    for (std::size_t v = 0; v < 3; ++v)
      layout.put(key.data(), v, static_cast<std::uint32_t>(random.below(13)));
    const auto [at, is_new] = twin.emplace(key, static_cast<std::uint32_t>(twin.size()));
    wrong += pool.number(key.data()) != at->second || pool.size() != twin.size();
  }
  for (const auto& [key, id] : twin)
    wrong += !std::equal(key.begin(), key.end(), pool.key(id)) || pool.find(pool.key(id)) != id;
  CHECK_EQ(wrong, 0);
  CHECK(twin.size() > 1500);
}

TEST(emptied_cells_leave_all_components_as_they_are) {
  PublicRandom random(2);
  int wrong = 0, emptied = 0, stuck = 0, sharp = 0;
  for (int round = 0; round < 60; ++round)
    for (const Shape& shape : shapes()) {
      Case c(random, shape);
      const auto exact = sharp_bounds(c.x, maximal(c.tree.components));
      for (std::uint32_t cell = 0; cell < c.stored.cell.size(); ++cell) {
        c.joint.reset();
        wrong += !c.joint.changes().empty();
        const std::int64_t left = c.joint.empty_cell(cell);
        const Dense after = c.now();
        wrong += left != after.counts[c.stored.cell[cell]] || left != c.joint.count(cell);
        wrong += !not_negative(after) || !c.keeps_components(after);
        ++(left == 0 ? emptied : stuck);
        if (exact.empty()) continue;
        wrong += left < exact[c.stored.cell[cell]].lower;
        sharp += left == exact[c.stored.cell[cell]].lower;
      }
    }
  CHECK_EQ(wrong, 0);
  CHECK(emptied > 300 && stuck > 20 && sharp > 300);
}

// A change of a component that keeps its separators shows in that component and in no other.
TEST(lifted_changes_show_in_their_component_only) {
  PublicRandom random(3);
  int wrong = 0, lifted = 0;
  for (int round = 0; round < 200; ++round)
    for (const Shape& shape : shapes()) {
      Case c(random, shape);
      const std::size_t j = random.below(c.components.size());
      const ComponentTable& part = c.components[j];
      // Another table of the component with the separators at hand, one of the first few.
      Dense small{part.levels, {part.count.begin(), part.count.end()}};
      std::vector<Mask> separators = {part.local(c.tree.separators[j])};
      for (std::size_t k = 1; k < c.tree.components.size(); ++k)
        if (c.tree.parent[k] == j) separators.push_back(part.local(c.tree.separators[k]));
      std::vector<std::int64_t> other = small.counts;
      std::size_t skip = random.below(30);
      SameMargins all(small, maximal(separators));
      all.each([&](const std::vector<std::int64_t>& table) {
        other = table;
        return skip-- > 0;
      });
      CellChanges change;
      for (std::uint32_t cell = 0; cell < other.size(); ++cell)
        if (other[cell] != part.count[cell])
          change.push_back({cell, static_cast<std::int32_t>(other[cell] - part.count[cell])});
      c.joint.lift(j, change);
      const Dense after = c.now();
      wrong += !not_negative(after);
      for (std::size_t k = 0; k < c.tree.components.size(); ++k) {
        auto margin = after.margin(c.tree.components[k]);
        if (k != j) wrong += margin != c.x.margin(c.tree.components[k]);
        if (k == j)
          for (std::size_t cell = 0; cell < other.size(); ++cell)
            wrong += margin[small.at(cell, small.all())] != other[cell];
      }
      lifted += !change.empty();
    }
  CHECK_EQ(wrong, 0);
  CHECK(lifted > 300);
}

TEST(gathered_cells_hold_what_every_component_holds) {
  PublicRandom random(4);
  int wrong = 0, moved = 0;
  for (int round = 0; round < 60; ++round)
    for (const Shape& shape : shapes()) {
      Case c(random, shape);
      for (std::uint32_t cell = 0; cell < c.stored.cell.size(); ++cell) {
        const std::size_t at = c.stored.cell[cell];
        std::int64_t most = INT64_MAX;
        for (Mask set : c.tree.components) most = std::min(most, c.x.margin(set)[c.x.at(at, set)]);
        c.joint.reset();
        c.joint.gather(cell, most);
        const Dense after = c.now();
        wrong += after.counts[at] != most || !not_negative(after) || !c.keeps_components(after);
        moved += most > c.x.counts[at];
        // One more than a component after the first holds.
        const Mask first = c.tree.components[0];
        if (c.x.margin(first)[c.x.at(at, first)] == most) continue;
        c.joint.reset();
        CHECK_THROWS(InfeasibleError, (c.joint.gather(cell, most + 1), 0));
      }
    }
  CHECK_EQ(wrong, 0);
  CHECK(moved > 300);
}

TEST(changes_that_do_not_fit_are_refused) {
  PublicRandom random(5);
  Case c(random, shapes()[0]);
  // More than there is; another total; another separator.
  const auto many = static_cast<std::int32_t>(c.components[0].count[0] + 1);
  CHECK_THROWS(InfeasibleError, (c.joint.lift(0, {{0, -many}, {1, many}}), 0));
  c.joint.reset();
  CHECK_THROWS(InfeasibleError, (c.joint.lift(0, {{0, 1}}), 0));
  const Dense y{{2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}};
  const Stored stored(y, 1);
  const ComponentTree tree = shapes()[0].tree;
  std::vector<ComponentTable> parts;
  for (SubTable set : tree.components) parts.emplace_back(stored.layout, stored.view(), set, 100);
  JointTables joint(stored.layout, stored.view(), tree, pointers(parts));
  CHECK_THROWS(InfeasibleError, (joint.lift(0, {{0, -1}, {2, 1}}), 0));
}
