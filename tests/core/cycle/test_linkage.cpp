// Laws and components of cycles against the dense matrix: cells move together when their columns
// are equal up to the sign, cycles hang together when a walk over shared cells leads from one to
// the other.
#include <set>

#include "check.hpp"
#include "cycle/linkage.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

using Column = std::vector<int>;

std::vector<Column> columns_of(const CycleSet& set) {
  const auto matrix = dense(set);
  std::vector<Column> out(set.n_cells, Column(set.size(), 0));
  for (std::size_t i = 0; i < set.n_cells; ++i)
    for (std::size_t c = 0; c < set.size(); ++c) out[i][c] = matrix[c][i];
  return out;
}

Column times(Column x, int factor) {
  for (int& v : x) v *= factor;
  return x;
}

bool is_zero(const Column& x) {
  return std::all_of(x.begin(), x.end(), [](int v) { return v == 0; });
}

Column law_column(const Linkage& linkage, std::size_t law) {
  Column out(linkage.n_cycles, 0);
  for (std::size_t e = linkage.law_start[law]; e < linkage.law_start[law + 1]; ++e)
    out[static_cast<std::size_t>(linkage.law_cycle[e])] = linkage.law_coef[e];
  return out;
}

// The cycles that a walk over shared cells reaches from each cycle.
std::vector<std::set<std::int32_t>> reached(const CycleSet& set) {
  const auto matrix = dense(set);
  std::vector<std::set<std::int32_t>> out(set.size());
  for (std::size_t from = 0; from < set.size(); ++from) {
    std::vector<std::size_t> open{from};
    out[from].insert(static_cast<std::int32_t>(from));
    while (!open.empty()) {
      const std::size_t c = open.back();
      open.pop_back();
      for (std::size_t d = 0; d < set.size(); ++d) {
        bool meet = false;
        for (std::size_t i = 0; i < set.n_cells; ++i)
          meet = meet || (matrix[c][i] != 0 && matrix[d][i] != 0);
        if (meet && out[from].insert(static_cast<std::int32_t>(d)).second) open.push_back(d);
      }
    }
  }
  return out;
}

bool laws_fit(const CycleSet& set, const Linkage& linkage, bool single) {
  const auto columns = columns_of(set);
  std::vector<int> members(linkage.n_laws(), 0);
  for (std::size_t i = 0; i < set.n_cells; ++i) {
    const std::int32_t at = linkage.law_of_cell[i];
    if ((at == 0) != is_zero(columns[i])) return false;
    if (at == 0) continue;
    const auto law = static_cast<std::size_t>(std::abs(at) - 1);
    if (law >= linkage.n_laws()) return false;
    ++members[law];
    if (times(law_column(linkage, law), at > 0 ? 1 : -1) != columns[i]) return false;
    if (single && at < 0) return false;
  }
  std::set<Column> different;
  for (std::size_t law = 0; law < linkage.n_laws(); ++law) {
    if (members[law] == 0 || (single && members[law] != 1)) return false;
    const std::size_t from = linkage.law_start[law], to = linkage.law_start[law + 1];
    if (from == to || (!single && linkage.law_coef[from] <= 0)) return false;
    for (std::size_t e = from + 1; e < to; ++e)
      if (linkage.law_cycle[e - 1] >= linkage.law_cycle[e]) return false;
    if (!single && !different.insert(law_column(linkage, law)).second) return false;
  }
  return true;
}

bool components_fit(const CycleSet& set, const Linkage& linkage) {
  const auto truth = reached(set);
  std::vector<int> seen(set.size(), 0);
  std::int32_t next_law = 0;
  for (const Component& part : linkage.components) {
    if (part.cycles.empty() || part.first_law != next_law) return false;
    next_law += part.n_laws;
    const std::set<std::int32_t> mine(part.cycles.begin(), part.cycles.end());
    if (!std::is_sorted(part.cycles.begin(), part.cycles.end())) return false;
    if (mine != truth[static_cast<std::size_t>(part.cycles[0])]) return false;
    for (const std::int32_t c : part.cycles) ++seen[static_cast<std::size_t>(c)];
    for (std::int32_t law = part.first_law; law < next_law; ++law) {
      const auto l = static_cast<std::size_t>(law);
      for (std::size_t e = linkage.law_start[l]; e < linkage.law_start[l + 1]; ++e)
        if (mine.count(linkage.law_cycle[e]) == 0) return false;
    }
  }
  return next_law == static_cast<std::int32_t>(linkage.n_laws()) &&
         std::all_of(seen.begin(), seen.end(), [](int k) { return k == 1; });
}

void check_set(const CycleSet& set) {
  for (const bool single : {false, true}) {
    std::vector<std::int32_t> room(set.n_cells + 1, 77);
    const Linkage linkage = find_linkage(set, single, room.data());
    CHECK_EQ(linkage.n_cycles, set.size());
    CHECK_EQ(linkage.n_cells, set.n_cells);
    CHECK(laws_fit(set, linkage, single));
    CHECK(components_fit(set, linkage));
    CHECK_EQ(room.back(), 77);
  }
}

}  // namespace

// Every pair of cycles on three cells with coefficients from -2 to 2.
TEST(all_small_pairs_of_cycles) {
  each_between(Whole(6, -2), Whole(6, 2), [&](const Whole& x) {
    CycleSet set;
    set.n_cells = 3;
    for (std::size_t c = 0; c < 6; c += 3) {
      for (std::size_t i = 0; i < 3; ++i)
        if (x[c + i] != 0)
          set.add(static_cast<std::int32_t>(i), static_cast<std::int8_t>(x[c + i]));
      if (set.cell.size() == set.start.back()) return;  // a cycle has entries
      set.close();
    }
    check_set(set);
  });
}

TEST(random_sets) {
  Dice dice(1);
  for (int round = 0; round < 400; ++round)
    check_set(random_cycles(dice, 1 + dice.below(12), dice.below(8), 1 + dice.below(2)));
}

// Whatever the coins do, a cell changes by its law's change, with its sign.
TEST(cells_of_a_law_move_together) {
  Dice dice(2);
  for (int round = 0; round < 300; ++round) {
    const CycleSet set = random_cycles(dice, 2 + dice.below(8), 1 + dice.below(5), 1);
    std::vector<std::int32_t> room(set.n_cells);
    const Linkage linkage = find_linkage(set, false, room.data());
    std::vector<int> net(set.size()), change(set.n_cells, 0);
    for (int& k : net) k = dice.between(-3, 3);
    const auto matrix = dense(set);
    for (std::size_t c = 0; c < set.size(); ++c)
      for (std::size_t i = 0; i < set.n_cells; ++i) change[i] += net[c] * matrix[c][i];
    for (std::size_t i = 0; i < set.n_cells; ++i) {
      int by = 0;
      if (room[i] != 0) {
        const Column law = law_column(linkage, static_cast<std::size_t>(std::abs(room[i]) - 1));
        for (std::size_t c = 0; c < set.size(); ++c) by += net[c] * law[c];
        if (room[i] < 0) by = -by;
      }
      CHECK_EQ(change[i], by);
    }
  }
}

// The rules of the papers: neighbours along a ring share two laws, or one component holds all.
TEST(known_sets) {
  std::vector<std::int32_t> room(9);
  const CycleSet lenz = cycles_lenz(3, 3);
  const Linkage one = find_linkage(lenz, false, room.data());
  CHECK_EQ(one.components.size(), 1u);
  CHECK_EQ(one.n_laws(), 3u);  // each pair of the three cycles shares one law
  CHECK_EQ(one.law_start, std::vector<std::size_t>({0, 2, 4, 6}));

  CycleSet apart;
  apart.n_cells = 9;
  apart.add(0, 1), apart.add(1, -1), apart.close();
  apart.add(4, -1), apart.add(5, 1), apart.add(8, -1), apart.close();
  const Linkage two = find_linkage(apart, false, room.data());
  CHECK_EQ(two.components.size(), 2u);
  CHECK_EQ(two.n_laws(), 2u);
  CHECK_EQ(room, std::vector<std::int32_t>({1, -1, 0, 0, -2, 2, 0, 0, -2}));
}

TEST(sets_without_cycles) {
  std::vector<std::int32_t> room(4, 5);
  CycleSet set;
  set.n_cells = 4;
  const Linkage none = find_linkage(set, false, room.data());
  CHECK_EQ(none.n_laws(), 0u);
  CHECK(none.components.empty());
  CHECK_EQ(room, std::vector<std::int32_t>(4, 0));
  const Linkage nothing = find_linkage(CycleSet{}, true, room.data());
  CHECK_EQ(nothing.n_laws(), 0u);
}
