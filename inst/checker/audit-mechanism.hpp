// What a mechanism makes of a table, and from which tables a publication can come: step by step,
// with the chances as whole numbers.
#ifndef SDCLATTICE_AUDIT_MECHANISM_HPP
#define SDCLATTICE_AUDIT_MECHANISM_HPP

#include <algorithm>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "audit-case.hpp"
#include "audit-programme.hpp"
#include "audit-search.hpp"

namespace audit {

struct TooManyTables : std::runtime_error {
  TooManyTables() : std::runtime_error("There are more tables than may be listed.") {}
};

// How likely each of the tables of a mechanism is: all have one denominator.
using Law = std::vector<std::pair<std::size_t, Wide>>;

class Mechanism {
 public:
  // Lists what the table may lead to, and all tables that may lead to the same.
  Mechanism(const Design& of, const Table& truth, std::size_t limit) : of_(of), limit_(limit) {
    whole_ = 1;
    for (std::size_t k = 0; k < of_.steps.size(); ++k) whole_ = times(whole_, of_.of);
    std::set<Table> some = {truth};
    for (const std::vector<int>& step : of_.steps) some = with(some, after(step, some));
    for (auto step = of_.steps.rbegin(); step != of_.steps.rend(); ++step)
      some = with(some, before(*step, some));
    tables_.assign(some.begin(), some.end());
    for (const std::vector<int>& step : of_.steps) find_ends(step);
    truth_ = place_of(truth);
  }

  Wide denominator() const { return whole_; }
  std::size_t n_tables() const { return tables_.size(); }
  const Table& table(std::size_t k) const { return tables_[k]; }
  std::size_t truth() const { return truth_; }

  // The place of a table among those that are listed, or their number.
  std::size_t place_of(const Table& table) const {
    const auto found = std::lower_bound(tables_.begin(), tables_.end(), table);
    if (found == tables_.end() || *found != table) return tables_.size();
    return static_cast<std::size_t>(found - tables_.begin());
  }

  // All publications of the table.
  Law publications() const {
    Row128 law(tables_.size(), 0);
    law[truth_] = 1;
    for (const std::vector<Ends>& step : ends_) {
      Row128 next(law.size(), 0);
      for (std::size_t k = 0; k < law.size(); ++k) {
        if (law[k] == 0) continue;
        next[k] += law[k] * (of_.of - of_.add - of_.take);
        next[step[k].up] += law[k] * of_.add;
        next[step[k].down] += law[k] * of_.take;
      }
      law = next;
    }
    return listed(law);
  }

  // All tables of counts that can lead to a publication of the table, and how likely it is from
  // each.
  Law origins(std::size_t publication) const {
    Row128 law(tables_.size() + 1, 0);
    law[publication] = 1;
    for (auto step = ends_.rbegin(); step != ends_.rend(); ++step) {
      Row128 before(law.size(), 0);
      for (std::size_t k = 0; k + 1 < law.size(); ++k) {
        const Ends& ends = (*step)[k];
        before[k] = law[k] * (of_.of - of_.add - of_.take) + law[ends.up] * of_.add +
                    law[ends.down] * of_.take;
      }
      law = before;
    }
    return listed(law);
  }

 private:
  // Where a step leads when the move is added, and when it is taken away. Tables that are not
  // listed lead to none that is in question.
  struct Ends {
    std::size_t up = 0;
    std::size_t down = 0;
  };

  static bool is_table(const Table& table) {
    return std::all_of(table.begin(), table.end(), [](Whole x) { return x >= 0; });
  }

  static Law listed(const Row128& law) {
    Law out;
    for (std::size_t k = 0; k < law.size(); ++k)
      if (law[k] > 0) out.push_back({k, law[k]});
    return out;
  }

  std::set<Table> with(std::set<Table> some, const std::set<Table>& others) const {
    some.insert(others.begin(), others.end());
    if (some.size() > limit_) throw TooManyTables();
    return some;
  }

  std::set<Table> after(const std::vector<int>& step, const std::set<Table>& some) const {
    std::set<Table> out;
    for (const Table& from : some)
      for (Whole side : {-1, 1}) out.insert(end(step, from, side));
    return out;
  }

  // What may lead to some tables in a step, and maybe others.
  std::set<Table> before(const std::vector<int>& step, const std::set<Table>& some) const {
    std::set<Table> out;
    for (const Table& to : some)
      for (int move : step)
        for (Whole side : {-1, 1}) {
          const Table from = moved(to, move, -side);
          if (is_table(from) && end(step, from, side) == to) out.insert(from);
        }
    return out;
  }

  void find_ends(const std::vector<int>& step) {
    ends_.emplace_back();
    for (const Table& from : tables_)
      ends_.back().push_back({place_of(end(step, from, 1)), place_of(end(step, from, -1))});
  }

  Table moved(Table table, int move, Whole side) const {
    const std::vector<Whole>& by = of_.moves[static_cast<std::size_t>(move)];
    for (std::size_t k = 0; k < table.size(); ++k) table[k] += side * by[k];
    return table;
  }

  bool is_blocked(const Table& table, int move) const {
    const std::vector<Whole>& by = of_.moves[static_cast<std::size_t>(move)];
    for (std::size_t k = 0; k < table.size(); ++k)
      if (table[k] < (by[k] < 0 ? -by[k] : by[k])) return true;
    return false;
  }

  // Where a step leads from a table by a coin that adds, or takes away.
  Table end(const std::vector<int>& step, const Table& from, Whole side) const {
    const auto permitted = [&](int move) { return !of_.blocked || !is_blocked(from, move); };
    const auto move = std::find_if(step.begin(), step.end(), permitted);
    if (move == step.end()) return from;
    const Table to = moved(from, *move, side);
    return is_table(to) ? to : from;
  }

  const Design& of_;
  std::size_t limit_;
  std::vector<Table> tables_;
  std::vector<std::vector<Ends>> ends_;
  std::size_t truth_ = 0;
  Wide whole_ = 1;
};

}  // namespace audit

#endif
