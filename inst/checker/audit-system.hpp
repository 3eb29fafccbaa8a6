// What is known of the leaves of a table, and the least and greatest totals that agree with it: by
// linear programmes, and by branches where these have no whole corner.
#ifndef SDCLATTICE_AUDIT_SYSTEM_HPP
#define SDCLATTICE_AUDIT_SYSTEM_HPP

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "audit-case.hpp"
#include "audit-programme.hpp"
#include "audit-search.hpp"

namespace audit {

constexpr std::size_t kMostBranches = 400;

// A sum of leaves that is known, or of which the least is.
struct Fact {
  Leaves leaves;
  Whole value = 0;
  bool exact = true;
};

// A limit of one leaf: at most `value` where the side is -1, at least that where it is 1.
struct Cut {
  int leaf = 0;
  int side = 0;
  Whole value = 0;
};

using Cuts = std::vector<Cut>;

// The end of what is possible. `endless`: there is none; `sure`: it is proved.
struct End128 {
  Wide value = 0;
  bool endless = false;
  bool sure = true;
};

class System {
 public:
  // `own`: what a reader knows besides.
  System(const Case& now, const std::vector<Fact>& own) : now_(now) {
    std::set<Leaves> seen;
    for (const Sum& sum : now.sums)
      if (sum.shown && seen.insert(sum.leaves).second)
        facts_.push_back({sum.leaves, sum.low, true});
    facts_.insert(facts_.end(), own.begin(), own.end());
  }

  // The greatest total of some leaves, or with `sign` -1 the least; one that is `enough` will do.
  // Whole tables that are found join `tables`.
  End128 end_of(const Leaves& leaves, int sign, Wide enough, std::vector<Table>& tables) const {
    std::vector<Cuts> waiting = {{}};
    End128 out;
    out.value = sum_of(now_.truth, leaves);
    for (std::size_t n = 0; !waiting.empty() && sign * out.value < sign * enough; ++n) {
      const Cuts branch = waiting.back();
      waiting.pop_back();
      if (n == kMostBranches) {
        out.sure = false;
        break;
      }
      if (look(leaves, sign, branch, out, waiting, tables)) return {0, true, true};
    }
    return out;
  }

  // Vectors that span all changes of the leaves which keep what is known. The last ones of the
  // facts are those of `own`, which have to be exact.
  std::vector<Table> directions() const {
    Programme programme(columns());
    add_facts(programme, {});
    std::vector<Table> out;
    if (!programme.start()) return out;
    for (const Row128& row : programme.directions()) {
      Table one = of_leaves(row);
      if (std::any_of(one.begin(), one.end(), [](Whole x) { return x != 0; })) out.push_back(one);
    }
    return out;
  }

 private:
  std::size_t n() const { return now_.truth.size(); }
  bool is_free() const { return !now_.holdings.has_lowest; }
  std::size_t columns() const { return is_free() ? 2 * n() : n(); }

  Row128 row_of(const Leaves& leaves, Wide sign) const {
    Row128 out(columns(), 0);
    for (int leaf : leaves) {
      out[static_cast<std::size_t>(leaf)] = sign;
      if (is_free()) out[n() + static_cast<std::size_t>(leaf)] = -sign;
    }
    return out;
  }

  // What all columns are above.
  Wide floor_of(const Leaves& leaves) const {
    return is_free() ? 0 : Wide{now_.holdings.lowest} * static_cast<Whole>(leaves.size());
  }

  Table of_leaves(const Row128& columns) const {
    Table out(n());
    for (std::size_t k = 0; k < n(); ++k)
      out[k] = static_cast<Whole>(columns[k] - (is_free() ? columns[n() + k] : 0));
    return out;
  }

  void add_facts(Programme& to, const Cuts& branch) const {
    for (const Fact& fact : facts_) {
      const Wide value = fact.value - floor_of(fact.leaves);
      if (fact.exact) to.equal(row_of(fact.leaves, 1), value);
      if (!fact.exact) to.at_least(row_of(fact.leaves, 1), value);
    }
    for (const Cut& cut : branch)
      to.at_least(row_of({cut.leaf}, cut.side), cut.side * (cut.value - floor_of({cut.leaf})));
  }

  // One branch: true where there is no end.
  bool look(const Leaves& leaves, int sign, const Cuts& branch, End128& best,
            std::vector<Cuts>& waiting, std::vector<Table>& tables) const {
    Programme programme(columns());
    add_facts(programme, branch);
    if (!programme.start()) return false;
    if (programme.maximise(row_of(leaves, sign)) == Answer::unbounded) return true;
    const Wide over = programme.denominator();
    const Wide bound = floor_ratio(programme.value(), over) + sign * floor_of(leaves);
    if (bound <= sign * best.value) return false;
    Row128 corner = programme.corner();
    const int at = part_of_whole(corner, over);
    if (at < 0) {
      for (Wide& x : corner) x /= over;
      Table table = of_leaves(corner);
      for (Whole& x : table) x += static_cast<Whole>(floor_of({0}));
      best.value = sum_of(table, leaves);
      tables.push_back(table);
      return false;
    }
    const Wide value = leaf_value(corner, at, over);
    for (int side : {-1, 1}) {
      Cuts next = branch;
      next.push_back({at, side, static_cast<Whole>(side > 0 ? value + 1 : value)});
      waiting.push_back(next);
    }
    return false;
  }

  static Wide floor_ratio(Wide a, Wide by) { return a / by - (a % by != 0 && a < 0 ? 1 : 0); }

  Wide leaf_value(const Row128& corner, int leaf, Wide over) const {
    const auto at = static_cast<std::size_t>(leaf);
    const Wide x = corner[at] - (is_free() ? corner[n() + at] : 0);
    return floor_ratio(x, over) + floor_of({leaf});
  }

  // A leaf that is no whole number, or -1.
  int part_of_whole(const Row128& corner, Wide over) const {
    for (std::size_t k = 0; k < n(); ++k)
      if ((corner[k] - (is_free() ? corner[n() + k] : 0)) % over != 0) return static_cast<int>(k);
    return -1;
  }

  const Case& now_;
  std::vector<Fact> facts_;
};

}  // namespace audit

#endif
