// A class of tables: groups, hopeless tables and greatest subsets, against slow twins.
#include <algorithm>
#include <set>

#include "check.hpp"
#include "listed_tables_of.hpp"
#include "server/listed_class.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using small_tables::Dice;

namespace {

const Tick kNoTick;

double margin_at(const double* table, SubTable set, std::size_t cell) {
  double out = 0;
  for (std::size_t c = 0; c < 8; ++c)
    if ((c & set) == (cell & set)) out += table[c];
  return out;
}

bool agree(const ListedClass& all, const Envelope& envelope, std::uint32_t a, std::uint32_t b) {
  for (const SubTable set : envelope.sets)
    for (std::size_t c = 0; c < 8; ++c)
      if (margin_at(all.counts(a), set, c) != margin_at(all.counts(b), set, c)) return false;
  return true;
}

// Do all tables keep the promise in their own spread and that of `base`?
bool keeps(const ListedClass& all, const ListedClass::Tables& base,
           const ListedClass::Tables& tables, double width) {
  for (const std::uint32_t t : tables)
    for (std::size_t c = 0; c < 8; ++c) {
      if (!all.at_risk(t, c)) continue;
      double low = all.counts(t)[c], high = low;
      for (const ListedClass::Tables* some : {&base, &tables})
        for (const std::uint32_t other : *some) {
          low = std::min(low, all.counts(other)[c]);
          high = std::max(high, all.counts(other)[c]);
        }
      if (high - low < width) return false;
    }
  return true;
}

}  // namespace

TEST(groups_agree_in_the_margins) {
  WorkerPool pool(2);
  WorkClock clock(60, kNoTick);
  const std::vector<Envelope> envelopes = all_envelopes(3, 3);
  Dice dice(1);
  for (const auto& one : listed_tables_of::classes(3, 5)) {
    const ListedTables tables{one.second.data(), 8, one.second.size() / 8};
    const ListedClass all(tables, {2, 2, 2}, {{1, 2}, {}, 2}, envelopes, pool, clock);
    ListedClass::Tables some;
    for (std::uint32_t t = 0; t < all.n_tables(); ++t)
      if (dice.below(4) > 0) some.push_back(t);
    const Envelope& envelope = envelopes[static_cast<std::size_t>(dice.below(8))];
    std::set<std::uint32_t> seen;
    for (const auto& group : all.groups(envelope, some, clock)) {
      CHECK(std::is_sorted(group.begin(), group.end()));
      for (const std::uint32_t t : group) {
        CHECK(seen.insert(t).second);
        CHECK(agree(all, envelope, group.front(), t));
        for (const std::uint32_t other : some)
          if (agree(all, envelope, t, other))
            CHECK(std::find(group.begin(), group.end(), other) != group.end());
      }
    }
    for (const std::uint32_t t : some)
      if (seen.count(t) == 0) CHECK(all.breaks(t, all.spread({t})));
  }
}

TEST(greatest_subsets_keep_the_promise) {
  WorkerPool pool(1);
  WorkClock clock(60, kNoTick);
  Dice dice(2);
  for (const auto& one : listed_tables_of::classes(3, 6)) {
    const ListedTables tables{one.second.data(), 8, one.second.size() / 8};
    const double width = dice.between(1, 3);
    const ListedClass all(tables, {2, 2, 2}, {{1}, {}, width}, {}, pool, clock);
    for (std::uint32_t t = 0; t < all.n_tables(); ++t) {
      ListedClass::Tables others(all.n_tables());
      for (std::uint32_t u = 0; u < others.size(); ++u) others[u] = u;
      CHECK_EQ(all.hopeless(t), !keeps(all, others, {t}, width));
    }
    ListedClass::Tables some, base;
    for (std::uint32_t t = 0; t < all.n_tables() && some.size() < 9; ++t)
      (dice.below(5) > 0 ? some : base).push_back(t);
    if (dice.below(2) > 0) base.clear();
    ListedClass::Tables best;  // the union of all subsets that keep it
    for (std::size_t bits = 0; bits < std::size_t{1} << some.size(); ++bits) {
      ListedClass::Tables part;
      for (std::size_t i = 0; i < some.size(); ++i)
        if ((bits >> i & 1) != 0) part.push_back(some[i]);
      if (part.size() > best.size() && keeps(all, base, part, width)) best = part;
    }
    CHECK(all.greatest(all.spread(base), some, clock) == best);
  }
}

TEST(named_cells_are_at_risk_in_every_table) {
  WorkerPool pool(1);
  WorkClock clock(60, kNoTick);
  const std::vector<double> square = {0, 3, 3, 0, 1, 2, 2, 1, 2, 1, 1, 2, 3, 0, 0, 3};
  const ListedClass all({square.data(), 4, 4}, {2, 2}, {{}, {2}, 3}, {}, pool, clock);
  for (std::uint32_t t = 0; t < 4; ++t) {
    CHECK(all.at_risk(t, 2) && !all.at_risk(t, 1));
    CHECK(!all.hopeless(t));
  }
  CHECK(all.greatest(CellSpread(4), {1, 2}, clock).empty());
  CHECK(all.greatest(CellSpread(4), {0, 1, 2, 3}, clock).size() == 4);
}

TEST(time_ends_the_work) {
  WorkerPool pool(2);
  WorkClock clock(0, kNoTick);
  const auto classes = listed_tables_of::classes(3, 5);
  const std::vector<double>& one = classes.begin()->second;
  const ListedTables tables{one.data(), 8, one.size() / 8};
  const ListedRisk risk{{1}, {}, 2};
  const std::vector<std::size_t> dim = {2, 2, 2};
  CHECK_THROWS(WorkTimeUp, ListedClass(tables, dim, risk, all_envelopes(3, 3), pool, clock));
}
