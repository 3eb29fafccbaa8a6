// All tables that agree with a publication, for the tests of what certificates claim: from the
// definition, by going through the inner cells one after the other. Nothing here asks the core.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "small_published.hpp"

namespace small_published {

// What a reader knows of the cells that the nodes make: a value, or the least one.
struct Known {
  std::map<Nodes, std::int64_t> fixed, least;
};

// Published cells that are not hidden, and published zeros, show their value; of hidden ones
// everybody knows that they are at least `floor`.
inline Known seen_by_all(const PublishedTable& table, const std::map<Nodes, char>& hidden,
                         std::int64_t floor) {
  Known out;
  for (const auto& [cell, value] : table.sums(table.counts)) {
    if (!table.is_published(cell)) continue;
    const auto at = hidden.find(cell);
    if (value == 0 || at == hidden.end() || !at->second) {
      out.fixed[cell] = value;
    } else {
      out.least[cell] = floor;
    }
  }
  return out;
}

// Lists inner counts. A count may exceed the true one by `rise` at most: whatever else holds of a
// table without an end, no list of it is complete.
class AgreeingTables {
 public:
  AgreeingTables(const PublishedTable& table, const Known& known, std::int64_t rise,
                 std::size_t most_tables)
      : rise_(rise), most_tables_(most_tables), truth_(table.counts), now_(truth_.size(), 0) {
    for (const auto& [cell, value] : known.fixed) add(table, cell, value, value);
    for (const auto& [cell, value] : known.least) add(table, cell, value, INT64_MAX);
    through_.resize(truth_.size());
    for (std::size_t s = 0; s < sums_.size(); ++s)
      for (const std::size_t i : sums_[s].inner) through_[i].push_back(s);
    complete_ = walk(0);
  }

  bool complete() const { return complete_; }  // all tables up to the rise
  const std::vector<std::vector<std::int64_t>>& all() const { return tables_; }

 private:
  struct Sum {
    std::vector<std::size_t> inner;
    std::int64_t low, high, so_far;
  };

  void add(const PublishedTable& table, const Nodes& cell, std::int64_t low, std::int64_t high) {
    Sum sum{{}, low, high, 0};
    for (std::size_t i = 0; i < table.inner.size(); ++i)
      if (table.is_below(table.inner[i], cell)) sum.inner.push_back(i);
    sums_.push_back(sum);
  }

  // Can the sums through inner cell i still come out, after its count was chosen?
  bool may_hold(std::size_t i) const {
    for (const std::size_t s : through_[i]) {
      const Sum& sum = sums_[s];
      if (sum.so_far > sum.high) return false;
      if (sum.inner.back() == i && sum.so_far < sum.low) return false;
    }
    return true;
  }

  bool walk(std::size_t i) {
    if (i == truth_.size()) {
      tables_.push_back(now_);
      return tables_.size() < most_tables_;
    }
    for (std::int64_t x = 0; x <= truth_[i] + rise_; ++x) {
      now_[i] = x;
      for (const std::size_t s : through_[i]) sums_[s].so_far += x;
      const bool goes_on = !may_hold(i) || walk(i + 1);
      for (const std::size_t s : through_[i]) sums_[s].so_far -= x;
      if (!goes_on) return false;
    }
    return true;
  }

  std::int64_t rise_;
  std::size_t most_tables_;
  std::vector<std::int64_t> truth_, now_;
  std::vector<Sum> sums_;
  std::vector<std::vector<std::size_t>> through_;
  std::vector<std::vector<std::int64_t>> tables_;
  bool complete_ = false;
};

// The value of a cell in a table of inner counts.
inline std::int64_t value_in(const PublishedTable& table, const std::vector<std::int64_t>& counts,
                             const Nodes& cell) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    out += table.is_below(table.inner[i], cell) ? counts[i] : 0;
  return out;
}

}  // namespace small_published
