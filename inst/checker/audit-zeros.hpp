// When a suppressed sum can be 0, as everybody knows: rows of people that would be given away.
#ifndef SDCLATTICE_AUDIT_ZEROS_HPP
#define SDCLATTICE_AUDIT_ZEROS_HPP

#include <algorithm>
#include <map>
#include <vector>

#include "audit-case.hpp"
#include "audit-search.hpp"

namespace audit {

class Zeros {
 public:
  explicit Zeros(const Case& now) : now_(now) {
    for (const ZeroRule& rule : now.zero_rules) rules_[rule.sum].push_back(&rule);
  }

  bool none() const { return rules_.empty(); }

  // Each of these sums has somebody, or one of its rows allows that it has nobody.
  bool fits(const Table& table) const {
    return std::all_of(rules_.begin(), rules_.end(), [&](const auto& of) {
      return sum(table, of.first) > 0 ||
             std::any_of(of.second.begin(), of.second.end(),
                         [&](const ZeroRule* rule) { return gives_away(table, *rule); });
    });
  }

  // The sums that are 0, as rows that are given away allow, and the rows (numbers of sums).
  std::map<int, std::vector<int>> rows_of_zeros() const {
    std::map<int, std::vector<int>> out;
    for (const auto& of : rules_)
      for (const ZeroRule* rule : of.second)
        if (sum(now_.truth, of.first) == 0 && gives_away(now_.truth, *rule))
          out[of.first].push_back(rule->total);
    return out;
  }

 private:
  Whole sum(const Table& table, int k) const {
    return sum_of(table, now_.sums[static_cast<std::size_t>(k)].leaves);
  }

  // Are the people of the row few, or all but some of them in one category?
  bool gives_away(const Table& table, const ZeroRule& rule) const {
    const Whole n = sum(table, rule.total);
    if (n <= rule.few) return n > 0;
    return std::any_of(rule.categories.begin(), rule.categories.end(),
                       [&](int k) { return n > 0 && sum(table, k) >= n - rule.others; });
  }

  const Case& now_;
  std::map<int, std::vector<const ZeroRule*>> rules_;
};

}  // namespace audit

#endif
