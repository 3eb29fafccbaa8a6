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
#include "audit-search.hpp"

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
      : now_(now), explain_(explain), out_(out) {}

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
    for (const ZeroRule& rule : now_.zero_rules) ok = ok && fits(now_.truth, rule);
    return ok;
  }

  bool fits(const Table& table, const ZeroRule& rule) const {
    const auto sum = [&](int k) {
      return sum_of(table, now_.sums[static_cast<std::size_t>(k)].leaves);
    };
    if (sum(rule.sum) > 0) return true;
    const Whole n = sum(rule.total);
    if (n <= rule.few) return n > 0;
    return std::any_of(rule.categories.begin(), rule.categories.end(),
                       [&](int k) { return n > 0 && sum(k) >= n - rule.others; });
  }

  bool fits(const Table& table) const {
    return std::all_of(now_.zero_rules.begin(), now_.zero_rules.end(),
                       [&](const ZeroRule& rule) { return fits(table, rule); });
  }

  void ask_all() {
    list_tables();
    shown_small();
    const std::vector<Reader> people = readers_of(now_);
    for (const Reader& reader : people) ask(reader);
    if (now_.readers.count("method") > 0) ask_method(people);
    for (const Row& row : now_.rows) ask_row(row, people);
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
      if (!fits(table)) return true;
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

  void ask(const Reader& reader) {
    const std::vector<std::size_t> own = consistent(reader);
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      if (!now_.sums[k].primary || knows(reader, k)) continue;
      judge(reader, k, listed_ ? listed_range(k, own) : searched_range(k, reader));
    }
  }

  // Which of the listed tables agree with what a reader knows.
  std::vector<std::size_t> consistent(const Reader& reader) const {
    std::vector<std::size_t> out;
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const bool cells = std::all_of(reader.cells.begin(), reader.cells.end(), [&](int leaf) {
        return tables_[t][static_cast<std::size_t>(leaf)] ==
               now_.truth[static_cast<std::size_t>(leaf)];
      });
      const bool sums = cells && std::all_of(reader.sums.begin(), reader.sums.end(), [&](int k) {
                          const Leaves& leaves = now_.sums[static_cast<std::size_t>(k)].leaves;
                          return sum_of(tables_[t], leaves) == sum_of(now_.truth, leaves);
                        });
      if (sums) out.push_back(t);
    }
    return out;
  }

  Range listed_range(std::size_t k, const std::vector<std::size_t>& own) const {
    Range out = known(k);
    for (std::size_t t : own) {
      out.low = std::min(out.low, values_[k][t]);
      out.high = std::max(out.high, values_[k][t]);
    }
    out.wide = out.high - out.low >= now_.width;
    return out;
  }

  Range known(std::size_t k) const {
    const Whole count = sum_of(now_.truth, now_.sums[k].leaves);
    return {count, count, false, true};
  }

  // Tables with less, then tables with more, until they are far enough apart.
  Range searched_range(std::size_t k, const Reader& reader) const {
    Range out = known(k);
    for (int side = 0; side < 2; ++side) {
      for (End end = End::stopped; end == End::stopped && !out.wide;) {
        Search one = search();
        for (int leaf : reader.cells) add_truth(one, {leaf});
        for (int sum : reader.sums) add_truth(one, leaves_of(sum));
        const Leaves& leaves = now_.sums[k].leaves;
        if (side == 0) one.add(leaves, 0, out.low - 1);
        if (side == 1) one.add(leaves, out.high + 1, kNone);
        end =
            out.low == 0 && side == 0 ? End::finished : one.run(kAskSteps, [&](const Table& table) {
              if (!fits(table)) return true;
              out.low = std::min(out.low, sum_of(table, leaves));
              out.high = std::max(out.high, sum_of(table, leaves));
              return false;
            });
        if (end == End::out_of_steps) out.sure = false;
        out.wide = out.high - out.low >= now_.width;
      }
    }
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
    if (range.wide && !explain_) return;
    out_ << (range.wide ? "safe "
             : open     ? "open "
                        : "undecided ")
         << reader.kind << " " << (reader.cells.empty() ? "-" : joined(reader.cells, ",")) << " : "
         << k + 1 << " " << range.low << " " << range.high << "\n";
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

  // ---- rows of people ---------------------------------------------------------------------------

  // How many people a reader has in a category, and in the rest of its row.
  struct Own {
    Whole inside = 0, outside = 0;
  };

  Own own_of(const Reader& reader, const Row& row, int category) const {
    Own out;
    for (const int leaf : reader.cells) {
      const Whole n = now_.truth[static_cast<std::size_t>(leaf)];
      if (holds(category, leaf))
        out.inside += n;
      else if (holds(row.total, leaf))
        out.outside += n;
    }
    return out;
  }

  // Is there somebody in a row but a reader's own people, and are all of these in one category, in
  // each of the tables?
  bool alike(const Row& row, int category, const Own& own,
             const std::vector<std::size_t>& left) const {
    const Leaves& total = leaves_of(row.total);
    return std::all_of(left.begin(), left.end(), [&](std::size_t t) {
      const Whole others = sum_of(tables_[t], total) - own.outside - own.inside;
      return others > 0 && sum_of(tables_[t], leaves_of(category)) - own.inside == others;
    });
  }

  // Everybody; and with `insiders` those who are all people of the row outside of a category, about
  // the others.
  void ask_row(const Row& row, const std::vector<Reader>& people) {
    if (!listed_) {
      out_ << "undecided row - : " << row.total + 1 << "\n";
      undecided_ = true;
      return;
    }
    const Whole all = sum_of(now_.truth, leaves_of(row.total));
    for (const Reader& reader : people) {
      const bool everybody = reader.kind == "outsider";
      if (!everybody && !now_.insiders) continue;
      for (const int k : row.categories) {
        const Own own = own_of(reader, row, k);
        const bool rest = all - sum_of(now_.truth, leaves_of(k)) == own.outside;
        if (!everybody && (own.outside == 0 || !rest)) continue;
        if (!alike(row, k, own, consistent(reader))) continue;
        out_ << "row " << reader.kind << " " << (everybody ? "-" : joined(reader.cells, ","))
             << " : " << row.total + 1 << " " << k + 1 << "\n";
        open_ = true;
      }
    }
  }

  const Leaves& leaves_of(int sum) const { return now_.sums[static_cast<std::size_t>(sum)].leaves; }

  bool holds(int sum, int leaf) const {
    const Leaves& leaves = leaves_of(sum);
    return std::binary_search(leaves.begin(), leaves.end(), leaf);
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
        found = fits(table);
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
  bool explain_;
  std::ostream& out_;
  std::vector<Table> tables_;
  std::vector<std::vector<Whole>> values_;
  bool listed_ = false;
  bool open_ = false;
  bool undecided_ = false;
};

}  // namespace audit

#endif
