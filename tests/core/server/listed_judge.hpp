// The slow judge of the tests: it lists all tables of whole numbers that agree with what is
// released.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "families.hpp"
#include "server/judge.hpp"

namespace listed_judge {

using namespace sdclattice;
using families::Family;
using families::has;

using Counts = std::vector<std::int64_t>;

// A table of two levels each: cell m has the levels of the bits of m.
class SmallTable {
 public:
  SmallTable(std::size_t n, Counts counts, const std::vector<std::int64_t>& at_risk)
      : n_(n), counts_(std::move(counts)), layout_(std::vector<std::uint32_t>(n, 2)) {
    std::vector<std::uint64_t> key(layout_.n_words(), 0);
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
      if (counts_[cell] == 0) continue;
      for (std::size_t v = 0; v < n; ++v) layout_.put(key.data(), v, cell >> v & 1);
      if (std::count(at_risk.begin(), at_risk.end(), counts_[cell]) > 0) {
        risk_.push_back(static_cast<std::uint32_t>(stored_.size()));
        cells_.push_back(cell);
      }
      keys_.insert(keys_.end(), key.begin(), key.end());
      stored_.push_back(static_cast<double>(counts_[cell]));
    }
    list();
  }

  std::size_t n_variables() const { return n_; }
  std::size_t n_tables() const { return tables_.size(); }
  const Counts& counts() const { return counts_; }
  bool has_risk() const { return !cells_.empty(); }
  RiskCells risk() const {
    return RiskCells(layout_, {keys_.data(), stored_.data(), stored_.size()}, risk_);
  }

  // The least width of a cell at risk among all tables that agree in the sets of the family.
  std::int64_t width(Family family) const {
    std::int64_t out = INT64_MAX;
    std::vector<char> agrees(tables_.size(), 1);
    for (SubTable set : families::maximal(family, n_))
      for (std::size_t t = 0; t < tables_.size(); ++t)
        agrees[t] = static_cast<char>(agrees[t] != 0 && same_[set][t] != 0);
    for (std::size_t cell : cells_) {
      std::int64_t least = INT64_MAX, most = 0;
      for (std::size_t t = 0; t < tables_.size(); ++t) {
        if (agrees[t] == 0) continue;
        least = std::min(least, tables_[t][cell]);
        most = std::max(most, tables_[t][cell]);
      }
      out = std::min(out, most - least);
    }
    return out;
  }

 private:
  // All tables with the same one-way tables, and in which sets each of them agrees.
  void list() {
    Counts left(2 * n_, 0);
    for (std::size_t cell = 0; cell < counts_.size(); ++cell)
      for (std::size_t v = 0; v < n_; ++v) left[2 * v + (cell >> v & 1)] += counts_[cell];
    Counts table(counts_.size(), 0);
    fill(0, table, left);
    same_.assign(std::size_t{1} << n_, std::vector<char>(tables_.size(), 1));
    for (SubTable set = 0; set < same_.size(); ++set)
      for (std::size_t t = 0; t < tables_.size(); ++t)
        same_[set][t] = static_cast<char>(margin(tables_[t], set) == margin(counts_, set));
  }

  void fill(std::size_t cell, Counts& table, Counts& left) {
    if (cell == table.size()) {
      if (std::all_of(left.begin(), left.end(), [](std::int64_t n) { return n == 0; }))
        tables_.push_back(table);
      return;
    }
    std::int64_t most = INT64_MAX;
    for (std::size_t v = 0; v < n_; ++v) most = std::min(most, left[2 * v + (cell >> v & 1)]);
    for (std::int64_t count = 0; count <= most; ++count) {
      table[cell] = count;
      for (std::size_t v = 0; v < n_; ++v) left[2 * v + (cell >> v & 1)] -= count;
      fill(cell + 1, table, left);
      for (std::size_t v = 0; v < n_; ++v) left[2 * v + (cell >> v & 1)] += count;
    }
    table[cell] = 0;
  }

  Counts margin(const Counts& table, SubTable set) const {
    Counts out(table.size(), 0);
    for (std::size_t cell = 0; cell < table.size(); ++cell) out[cell & set] += table[cell];
    return out;
  }

  std::size_t n_;
  Counts counts_;
  Layout layout_;
  std::vector<std::uint64_t> keys_;
  std::vector<double> stored_;
  std::vector<std::uint32_t> risk_;
  std::vector<std::size_t> cells_;  // at risk
  std::vector<Counts> tables_;
  std::vector<std::vector<char>> same_;
};

// `total` people in random cells, some of them in one of few.
inline SmallTable random_table(std::size_t n, std::size_t total,
                               const std::vector<std::int64_t>& at_risk, PublicRandom& random) {
  for (;;) {
    Counts counts(std::size_t{1} << n, 0);
    for (std::size_t i = 0; i < total; ++i)
      ++counts[random.below(2) == 0 ? random.below(counts.size()) : random.below(2)];
    SmallTable out(n, counts, at_risk);
    if (out.has_risk()) return out;
  }
}

inline Family with(Family family, SubTable set) {
  for (SubTable part = set;; part = (part - 1) & set) {
    family |= Family{1} << part;
    if (part == 0) return family;
  }
}

// A judge that decides everything, by the list.
struct SlowJudge {
  const SmallTable& table;
  Family released;
  std::vector<SubTable> refused;
  JudgePolicy policy;
  SpaceRules rules;
  std::int64_t least;

  bool eligible(SubTable set) const {
    if (set_size(set) > rules.max_dimension) return false;
    bool step = !rules.stepwise;
    for (std::size_t v = 0; v < table.n_variables(); ++v)
      step = step || ((set >> v & 1) != 0 && has(released, set & ~(SubTable{1} << v)));
    return step;
  }
  bool implied(SubTable set) const {
    return std::any_of(refused.begin(), refused.end(),
                       [set](SubTable part) { return (part & ~set) == 0; });
  }
  bool too_risky(SubTable set) const { return table.width(with(released, set)) < least; }

  // Candidates that `set` would close, but for those that it holds: these would be released.
  std::size_t n_closed(SubTable set) const {
    std::size_t out = 0;
    for (SubTable other = 1; other < SubTable{1} << table.n_variables(); ++other) {
      bool step = false;
      for (std::size_t v = 0; v < table.n_variables(); ++v)
        step = step || ((other >> v & 1) != 0 && has(released, other & ~(SubTable{1} << v)));
      if (!step || has(released, other) || !eligible(other) || implied(other)) continue;
      if ((other & ~set) == 0 || too_risky(other)) continue;
      if (table.width(with(with(released, set), other)) < least) ++out;
    }
    return out;
  }

  Judgement operator()(SubTable set, double n_refused) const {
    Judgement out;
    const auto say = [&out](Answer answer, JudgeReason reason) {
      out.answer = answer;
      out.reason = reason;
      return out;
    };
    if (has(released, set)) return say(Answer::already, JudgeReason::anybody);
    if (!eligible(set)) return say(Answer::structural, JudgeReason::anybody);
    if (policy.collects_votes) return say(Answer::deferred, JudgeReason::anybody);
    if (n_refused >= policy.max_refused) return say(Answer::structural, JudgeReason::spent);
    if (implied(set)) return say(Answer::refused, JudgeReason::implied);
    if (too_risky(set)) return say(Answer::refused, JudgeReason::refuted);
    if (policy.guarded && n_closed(set) > policy.max_closed)
      return say(Answer::refused, JudgeReason::guarded);
    return say(Answer::released, JudgeReason::safe);
  }
};

}  // namespace listed_judge
