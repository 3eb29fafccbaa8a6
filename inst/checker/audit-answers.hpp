// The questions of an audit of counts: who learns which sum, and which sums of leaves follow.
#ifndef SDCLATTICE_AUDIT_ANSWERS_HPP
#define SDCLATTICE_AUDIT_ANSWERS_HPP

#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "audit-case.hpp"
#include "audit-derived.hpp"
#include "audit-readers.hpp"
#include "audit-rows.hpp"
#include "audit-search.hpp"
#include "audit-zeros.hpp"

namespace audit {

constexpr std::size_t kListSteps = 3000000;
constexpr std::size_t kAskSteps = 20000;

// What is possible: the least and greatest count, as far as they are known.
struct Range {
  Whole low = 0;
  Whole high = 0;
  bool wide = false;
  bool sure = true;
};

class Audit {
 public:
  Audit(const Case& now, bool explain, std::ostream& out)
      : now_(now), zeros_(now), explain_(explain), out_(out) {}

  Verdict run() {
    if (!agrees()) return Verdict::wrong;
    ask_all();
    return open_ ? Verdict::open : undecided_ ? Verdict::undecided : Verdict::safe;
  }

 private:
  // Does the table itself agree with all that is published of it?
  bool agrees() {
    bool ok = true;
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      const Sum& sum = now_.sums[k];
      const Whole count = sum_of(now_.truth, sum.leaves);
      if (count >= sum.low && count <= sum.high) continue;
      ok = false;
      out_ << "wrong " << k + 1 << " the table has " << count << "\n";
    }
    if (zeros_.fits(now_.truth)) return ok;
    out_ << "wrong - a sum is 0 that no row of people allows\n";
    return false;
  }

  void ask_all() {
    list_tables();
    shown_small();
    const People all(now_);
    const std::vector<Reader> people = all.readers(now_.coalitions);
    if (all.number() > static_cast<double>(people.size())) say_cut(people.size() - 1);
    for (const Reader& reader : people) ask(reader);
    if (now_.readers.count("method") > 0) ask_method(people);
    ask_rows(people);
    if (now_.derived) ask_derived();
  }

  Search search() const {
    const Whole total = std::accumulate(now_.truth.begin(), now_.truth.end(), Whole{0});
    Search out(now_.truth, 2 * total + now_.width + now_.small + 10);
    for (const Sum& sum : now_.sums) out.add(sum.leaves, sum.low, sum.high);
    return out;
  }

  void list_tables() {
    Search all = search();
    const End end = all.run(kListSteps, [&](const Table& table) {
      if (!zeros_.fits(table)) return true;
      tables_.push_back(table);
      return tables_.size() <= now_.limit;
    });
    listed_ = end == End::finished;
    if (!listed_) tables_.clear();
    if (listed_) out_ << "tables " << tables_.size() << "\n";
    if (!listed_) out_ << "tables many\n";
    if (listed_ && now_.list) {
      for (const Table& table : tables_) {
        out_ << "table";
        for (Whole x : table) out_ << " " << x;
        out_ << "\n";
      }
    }
    values_.assign(now_.sums.size(), {});
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      if (!now_.sums[k].hidden) continue;
      for (const Table& table : tables_) values_[k].push_back(sum_of(table, now_.sums[k].leaves));
    }
  }

  // Small counts that are published as they are.
  void shown_small() {
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      const Sum& sum = now_.sums[k];
      if (!sum.shown || sum.low > now_.small || sum.low < (now_.zeros_shown ? 1 : 0)) continue;
      out_ << "shown " << k + 1 << "\n";
      open_ = true;
    }
  }

  // ---- what they learn --------------------------------------------------------------------------

  // The others are more than are asked.
  void say_cut(std::size_t n) {
    out_ << "undecided coalition - : only the first " << n << " sets of people were asked\n";
    undecided_ = true;
  }

  void ask(const Reader& reader) {
    const std::vector<std::size_t> primary = unknown_to(reader);
    if (primary.empty()) return;
    std::vector<Range> ranges;
    if (listed_) ranges = listed_ranges(primary, reader);
    for (std::size_t k = 0; k < primary.size(); ++k)
      judge(reader, primary[k], listed_ ? ranges[k] : searched_range(primary[k], reader));
  }

  // The sums that a reader must not learn. What some of a coalition learn is said of these.
  std::vector<std::size_t> unknown_to(const Reader& reader) const {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      if (!now_.sums[k].primary || knows(reader, k)) continue;
      const auto found = learned_.find(k);
      const bool said = reader.kind == "coalition" && found != learned_.end() &&
                        std::any_of(found->second.begin(), found->second.end(),
                                    [&](const Members& some) { return is_part(some, reader); });
      if (!said) out.push_back(k);
    }
    return out;
  }

  static bool is_part(const Members& some, const Reader& of) {
    return std::all_of(some.begin(), some.end(), [&](const auto& one) {
      const auto found = of.members.find(one.first);
      return found != of.members.end() && found->second >= one.second;
    });
  }

  // Which of the listed tables agree with what a reader knows.
  std::vector<std::size_t> consistent(const Reader& reader) const {
    std::vector<std::size_t> out;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (is_possible(now_, tables_[t], reader)) out.push_back(t);
    return out;
  }

  // Where nothing is explained only until all ranges are wide.
  std::vector<Range> listed_ranges(const std::vector<std::size_t>& primary,
                                   const Reader& reader) const {
    std::vector<Range> out;
    for (std::size_t k : primary) out.push_back(known(k));
    bool all = false;
    for (std::size_t t = 0; t < tables_.size() && !all; ++t) {
      if (!is_possible(now_, tables_[t], reader)) continue;
      all = !explain_;
      for (std::size_t k = 0; k < primary.size(); ++k) {
        widen(out[k], values_[primary[k]][t]);
        all = all && out[k].wide;
      }
    }
    return out;
  }

  void widen(Range& range, Whole value) const {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
    range.wide = range.high - range.low >= now_.width;
  }

  Range listed_range(std::size_t k, const std::vector<std::size_t>& own) const {
    Range out = known(k);
    for (std::size_t t : own) widen(out, values_[k][t]);
    return out;
  }

  Range known(std::size_t k) const {
    const Whole count = sum_of(now_.truth, now_.sums[k].leaves);
    return {count, count, false, true};
  }

  // Tables that are known already; then tables with less, and with more, until they are far enough
  // apart.
  Range searched_range(std::size_t k, const Reader& reader) {
    Range out = known(k);
    const Leaves& leaves = now_.sums[k].leaves;
    for (std::size_t t = 0; t < seen_.size() && !out.wide; ++t)
      if (is_possible(now_, seen_[t], reader)) widen(out, sum_of(seen_[t], leaves));
    for (int side = 0; side < 2; ++side) {
      for (End end = End::stopped; end == End::stopped && !out.wide;) {
        if (out.low == 0 && side == 0) break;
        Search one = search_of(reader);
        if (side == 0) one.add(leaves, 0, out.low - 1);
        if (side == 1) one.add(leaves, out.high + 1, kNone);
        end = one.run(kAskSteps, [&](const Table& table) {
          if (!zeros_.fits(table)) return true;
          widen(out, sum_of(table, leaves));
          seen_.push_back(table);
          return false;
        });
        if (end == End::out_of_steps) out.sure = false;
      }
    }
    return out;
  }

  Search search_of(const Reader& reader) const {
    Search out = search();
    for (int leaf : reader.cells) add_truth(out, {leaf});
    for (int sum : reader.sums) add_truth(out, now_.sums[static_cast<std::size_t>(sum)].leaves);
    for (const auto& some : reader.least) out.add({some.first}, some.second, kNone);
    return out;
  }

  void add_truth(Search& to, const Leaves& leaves) const {
    const Whole count = sum_of(now_.truth, leaves);
    to.add(leaves, count, count);
  }

  void judge(const Reader& reader, std::size_t k, const Range& range) {
    const bool open = !range.wide && range.sure;
    open_ = open_ || open;
    undecided_ = undecided_ || (!range.wide && !range.sure);
    if (open) learned_[k].push_back(reader.members);
    if (range.wide && !explain_) return;
    out_ << (range.wide ? "safe "
             : open     ? "open "
                        : "undecided ")
         << reader.kind << " " << words_of(now_, reader) << " : " << k + 1 << " " << range.low
         << " " << range.high << "\n";
  }

  static std::string joined(const Leaves& leaves, const std::string& by) {
    std::string out;
    for (int leaf : leaves) out += (out.empty() ? "" : by) + std::to_string(leaf + 1);
    return out;
  }

  // ---- who runs the method again ----------------------------------------------------------------

  // Only the kept tables lead to this publication.
  void ask_method(const std::vector<Reader>& people) {
    const bool ok = listed_ && now_.has_kept &&
                    std::all_of(now_.kept.begin(), now_.kept.end(),
                                [&](std::size_t t) { return t < tables_.size(); });
    if (!ok) {
      out_ << "undecided method - : the method was not run on all tables\n";
      undecided_ = true;
      return;
    }
    for (Reader reader : people) {
      if (reader.kind == "coalition") continue;
      const std::vector<std::size_t> own = consistent(reader);
      std::vector<std::size_t> left;
      for (std::size_t t : own)
        if (std::find(now_.kept.begin(), now_.kept.end(), t) != now_.kept.end()) left.push_back(t);
      reader.kind = "method";
      for (std::size_t k = 0; k < now_.sums.size(); ++k)
        if (now_.sums[k].primary && !knows(reader, k)) judge(reader, k, listed_range(k, left));
    }
  }

  void ask_rows(const std::vector<Reader>& people) {
    RowAudit rows(
        now_,
        [this](const Reader& reader, const Leaves& leaves, Whole low, Whole high) {
          return find(reader, leaves, low, high);
        },
        explain_, out_);
    for (const Row& row : now_.rows) {
      const Found told = rows.ask(row, people);
      open_ = open_ || told == Found::yes;
      undecided_ = undecided_ || told == Found::unsure;
    }
  }

  Found find(const Reader& reader, const Leaves& leaves, Whole low, Whole high) {
    for (const Table& table : listed_ ? tables_ : seen_) {
      const Whole sum = sum_of(table, leaves);
      if (sum >= low && sum <= high && is_possible(now_, table, reader)) return Found::yes;
    }
    if (listed_) return Found::no;
    Search one = search_of(reader);
    one.add(leaves, low, high);
    const End end = one.run(kAskSteps, [&](const Table& table) {
      if (!zeros_.fits(table)) return true;
      seen_.push_back(table);
      return false;
    });
    return end == End::stopped ? Found::yes : end == End::finished ? Found::no : Found::unsure;
  }

  // ---- sums that follow -------------------------------------------------------------------------

  void ask_derived() {
    Leaves open;
    for (int leaf = 0; leaf < static_cast<int>(now_.truth.size()); ++leaf)
      if (!is_shown(now_, leaf)) open.push_back(leaf);
    if (open.size() > kMostDerivedLeaves) {
      out_ << "undecided derived - : more than 20 leaves are not published\n";
      undecided_ = true;
      return;
    }
    Differences space(open.size());
    for (std::size_t t = 0; t < tables_.size() && !space.is_full(); ++t) {
      space.add(difference(tables_[t], open));
    }
    std::map<Leaves, bool> settled;
    std::vector<Leaves> sets = constant(space, open);
    // of too many tables: each set is asked for by itself, until no new table moves one
    for (std::size_t k = 0; !listed_ && k < sets.size();) {
      if (settled.count(sets[k]) == 0 && moves(sets[k], open, space, settled)) {
        sets = constant(space, open);
        k = 0;
      } else {
        ++k;
      }
    }
    for (const Leaves& leaves : sets) {
      const bool sure = listed_ || settled[leaves];
      out_ << (sure ? "derived " : "undecided derived - : ") << sum_of(now_.truth, leaves) << " : "
           << joined(leaves, " ") << "\n";
      open_ = open_ || sure;
      undecided_ = undecided_ || !sure;
    }
  }

  // Is there a table with another sum? It joins the space. `settled`: whether it was proved that
  // there is none.
  bool moves(const Leaves& leaves, const Leaves& open, Differences& space,
             std::map<Leaves, bool>& settled) const {
    const Whole count = sum_of(now_.truth, leaves);
    bool sure = true;
    bool found = false;
    for (int side = 0; side < 2 && !found; ++side) {
      Search one = search();
      one.add(leaves, side == 0 ? 0 : count + 1, side == 0 ? count - 1 : kNone);
      const End end = one.run(kAskSteps, [&](const Table& table) {
        found = zeros_.fits(table);
        if (found) space.add(difference(table, open));
        return !found;
      });
      sure = sure && end != End::out_of_steps;
    }
    if (!found) settled[leaves] = sure;
    return found;
  }

  // The least sets of leaves whose sum is the same in all tables that are known, and small.
  std::vector<Leaves> constant(const Differences& space, const Leaves& open) const {
    std::vector<Leaves> out = constant_sets(part(now_.truth, open), space, now_.small);
    for (Leaves& set : out)
      for (int& k : set) k = open[static_cast<std::size_t>(k)];
    return out;
  }

  static Table part(const Table& table, const Leaves& open) {
    Table out;
    for (int leaf : open) out.push_back(table[static_cast<std::size_t>(leaf)]);
    return out;
  }

  Table difference(const Table& table, const Leaves& open) const {
    Table out = part(table, open);
    const Table truth = part(now_.truth, open);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] -= truth[k];
    return out;
  }

  const Case& now_;
  Zeros zeros_;
  bool explain_;
  std::ostream& out_;
  std::vector<Table> tables_;
  std::vector<Table> seen_;
  std::map<std::size_t, std::vector<Members>> learned_;
  std::vector<std::vector<Whole>> values_;
  bool listed_ = false;
  bool open_ = false;
  bool undecided_ = false;
};

}  // namespace audit

#endif
