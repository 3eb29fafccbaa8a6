// The cheapest move from a cell against all moves on all sets.
#include <algorithm>

#include "cases.hpp"
#include "certify/move_search.hpp"
#include "check.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

constexpr std::int32_t kNone = MoveSearch::kNever;

// Cost less gain of one move, or kNone where the barred cell would rise.
std::int32_t score_of(const DebtTable& walk, const MoveSet& set, std::uint32_t cell,
                      const std::vector<std::int32_t>& shifts, bool up) {
  std::int32_t out = set.penalty;
  for (std::size_t i = 1; i < std::size_t{1} << shifts.size(); ++i) {
    std::uint32_t z = cell;
    for (std::size_t k = 0; k < shifts.size(); ++k)
      if (i >> k & 1) z += static_cast<std::uint32_t>(shifts[k]);
    const bool falls = ((size_of(i) & 1) != 0) == up;
    if (!falls && z == walk.barred) return kNone;
    if (falls) out += walk.now[z] > 0 ? 0 : walk.learned[z];
    if (!falls && walk.now[z] < 0) out -= walk.learned[z];
  }
  return out;
}

// The least score of all moves on one set, by each variable's other levels in turn.
std::int32_t least_score(const ComponentTable& table, const DebtTable& walk, const MoveSet& set,
                         std::uint32_t cell, bool up, std::vector<std::int32_t>& shifts,
                         std::size_t from) {
  std::size_t v = from;
  while (v < table.size() && !(set.set >> v & 1)) ++v;
  if (v == table.size()) return score_of(walk, set, cell, shifts, up);
  std::int32_t best = kNone;
  const auto here = static_cast<std::int32_t>(table.level(cell, v));
  for (std::int32_t l = 0; l < static_cast<std::int32_t>(table.levels[v]); ++l) {
    if (l == here) continue;
    shifts.push_back((l - here) * static_cast<std::int32_t>(table.stride[v]));
    best = std::min(best, least_score(table, walk, set, cell, up, shifts, v + 1));
    shifts.pop_back();
  }
  return best;
}

}  // namespace

TEST(no_move_is_cheaper) {
  PublicRandom random(7);
  int wrong = 0, found = 0, barred = 0;
  for (int round = 0; round < 400; ++round) {
    const Dense x = random_dense(random, {2, 3, 2, 2}, 3, 1);
    const Stored stored(x, 100);
    const ComponentTable table(stored.layout, stored.view(), x.all(), 1000);
    DebtTable walk;
    walk.now = table.count;
    for (std::size_t k = random.below(4); k > 0; --k) walk.now[random.below(24)] = -1;
    for (std::uint32_t i = 0; i < 24; ++i) {
      if (walk.now[i] < 0) walk.debts.push_back(i);
      walk.learned.push_back(1);
      walk.price.push_back(walk.now[i] > 0 ? 0 : 1);
    }
    std::vector<MoveSet> sets;
    for (LocalSet s = 1; s < 16; ++s)
      if (random.below(4) == 0) sets.push_back({s, static_cast<std::int32_t>(random.below(3))});
    walk.used.assign(sets.size(), 0);
    if (round % 3 == 0) walk.barred = static_cast<std::uint32_t>(random.below(24));
    const bool up = round % 2 == 0;
    const auto cell = static_cast<std::uint32_t>(random.below(24));
    std::int32_t least = kNone;
    std::vector<std::int32_t> shifts;
    for (const MoveSet& set : sets)
      least = std::min(least, least_score(table, walk, set, cell, up, shifts, 0));
    MoveSearch search(table);
    search.move_on(sets);
    const bool any = search.find(walk, cell, up, random);
    wrong += any != (least < kNone);
    if (!any) continue;
    ++found;
    barred += walk.barred != UINT32_MAX;
    const MoveSearch::Move& best = search.best();
    const MoveSet& set = sets[static_cast<std::size_t>(best.set)];
    wrong += best.shifts.size() != size_of(set.set);
    wrong += score_of(walk, set, cell, best.shifts, up) != least;
  }
  CHECK_EQ(wrong, 0);
  CHECK(found > 200 && barred > 50);
}
