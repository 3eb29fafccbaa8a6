// The questions of an audit of magnitudes: who learns a sensitive total within what its rules ask
// for, and which sums of leaves follow and are sensitive.
#ifndef SDCLATTICE_AUDIT_MAGNITUDE_HPP
#define SDCLATTICE_AUDIT_MAGNITUDE_HPP

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "audit-case.hpp"
#include "audit-rules.hpp"
#include "audit-sums.hpp"
#include "audit-system.hpp"

namespace audit {

inline std::string words_of(Wide x) {
  return std::to_string(static_cast<Whole>(x));
}

class MagnitudeAudit {
 public:
  MagnitudeAudit(const Case& now, bool explain, std::ostream& out)
      : now_(now), judge_(now.holdings), explain_(explain), out_(out) {}

  Verdict run() {
    if (!agrees()) return Verdict::wrong;
    find_targets();
    const System outside(now_, {});
    for (Target& target : targets_) ask_outsider(outside, target);
    if (now_.readers.count("contributor") > 0) ask_contributors();
    if (now_.readers.count("method") > 0) {
      out_ << "undecided method - : a method reads whose the values are, which nobody can list\n";
      undecided_ = true;
    }
    ask_sums(outside);
    return open_ ? Verdict::open : undecided_ ? Verdict::undecided : Verdict::safe;
  }

 private:
  // A total that must not be known closely. `up` and `down`: what must be possible, for everybody.
  struct Target {
    std::size_t sum = 0;
    bool marked = false;
    Judged judged;
    Holders holders;
    Wide up = 0;
    Wide down = 0;
    bool settled = false;
  };

  const Leaves& leaves_of(std::size_t sum) const { return now_.sums[sum].leaves; }

  Holders holders_of(const Leaves& leaves) const {
    std::vector<Whole> times(now_.truth.size(), 0);
    for (int leaf : leaves) times[static_cast<std::size_t>(leaf)] = 1;
    return judge_.holders(times);
  }

  bool agrees() {
    bool ok = true;
    for (std::size_t leaf = 0; leaf < now_.truth.size(); ++leaf) {
      const Wide total = judge_.judge(holders_of({static_cast<int>(leaf)})).total;
      if (total == now_.truth[leaf]) continue;
      ok = false;
      out_ << "wrong leaf " << leaf + 1 << " its parts have " << words_of(total) << "\n";
    }
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      const Sum& sum = now_.sums[k];
      const Whole total = sum_of(now_.truth, sum.leaves);
      if (!sum.shown || total == sum.low) continue;
      ok = false;
      out_ << "wrong " << k + 1 << " the table has " << total << "\n";
    }
    const Holdings& of = now_.holdings;
    for (Whole total : now_.truth) ok = ok && (!of.has_lowest || total >= of.lowest);
    return ok;
  }

  void find_targets() {
    for (std::size_t k = 0; k < now_.sums.size(); ++k) {
      Target one;
      one.sum = k;
      one.holders = holders_of(leaves_of(k));
      one.judged = judge_.judge(one.holders);
      one.marked = now_.sums[k].primary && !one.judged.sensitive;
      if (now_.sums[k].unseen || (!one.judged.sensitive && !one.marked)) continue;
      if (now_.sums[k].shown) {
        out_ << "shown " << k + 1 << "\n";
        open_ = true;
        continue;
      }
      const Wide level = one.marked ? one.judged.reach : one.judged.level;
      const Wide least = Wide{now_.holdings.lowest} * static_cast<Whole>(leaves_of(k).size());
      one.up = one.judged.total + level;
      one.down = std::max(least, one.judged.total - level);
      targets_.push_back(one);
    }
  }

  // ---- everybody --------------------------------------------------------------------------------

  void ask_outsider(const System& outside, Target& target) {
    const Leaves& leaves = leaves_of(target.sum);
    const Judged& judged = target.judged;
    const Wide two = judged.largest + judged.second;
    const Wide far = std::max(target.up, judged.total + 1);
    const End128 high = outside.end_of(leaves, 1, std::max(far, two + judged.reach), tables_);
    const End128 low = outside.end_of(leaves, -1, target.down, tables_);
    const bool up = high.endless || high.value >= target.up;
    const bool down = low.endless || low.value <= target.down;
    const bool apart = high.endless || low.endless || high.value > low.value;
    const bool missed = high.endless || low.endless || high.value >= two + judged.reach ||
                        low.value <= two - judged.reach || judged.reach == 0;
    const bool bounded = now_.holdings.has_lowest;
    const bool safe = apart && (!bounded || (up && down && missed));
    target.settled = !safe;
    say(safe, high.sure && low.sure, "outsider", "-", target.sum, low, high);
  }

  void say(bool safe, bool sure, const std::string& kind, const std::string& who, std::size_t sum,
           const End128& low, const End128& high) {
    open_ = open_ || (!safe && sure);
    undecided_ = undecided_ || (!safe && !sure);
    if (safe && !explain_) return;
    out_ << (safe   ? "safe "
             : sure ? "open "
                    : "undecided ")
         << kind << " " << who << " : " << sum + 1 << " "
         << (low.endless ? "-" : words_of(low.value)) << " "
         << (high.endless ? "-" : words_of(high.value)) << "\n";
  }

  // ---- contributors -----------------------------------------------------------------------------

  void ask_contributors() {
    const std::set<Whole> found = contributors();
    const std::vector<Whole> people(found.begin(), found.end());
    for (Whole one : people) ask_reader({one}, "contributor");
    if (now_.readers.count("coalition") == 0) return;
    for (Whole n = 2; n <= std::max<Whole>(2, now_.together); ++n) ask_sets(people, n, 0, {});
    if (!cut_) return;
    out_ << "undecided coalition - : only the first " << now_.coalitions
         << " sets of people were asked\n";
    undecided_ = true;
  }

  // All sets with `n` people more, of those from a number on.
  void ask_sets(const std::vector<Whole>& people, Whole n, std::size_t from,
                const std::set<Whole>& who) {
    if (cut_ || static_cast<std::size_t>(n) > people.size() - from) return;
    cut_ = n == 0 && asked_ == now_.coalitions;
    if (cut_) return;
    if (n == 0) {
      ++asked_;
      ask_reader(who, "coalition");
      return;
    }
    for (std::size_t k = from; k < people.size(); ++k) {
      std::set<Whole> more = who;
      more.insert(people[k]);
      ask_sets(people, n - 1, k + 1, more);
    }
  }

  // Who has a part in something that is hidden.
  std::set<Whole> contributors() const {
    std::set<Whole> out;
    for (const Part& part : now_.holdings.parts)
      for (const Sum& sum : now_.sums)
        if (sum.hidden && std::binary_search(sum.leaves.begin(), sum.leaves.end(), part.leaf))
          out.insert(part.who);
    return out;
  }

  // What people have together, and whether nobody else has anything to do with it.
  struct Own {
    Wide value = 0;
    Wide other = 0;
    bool alone = true;
    bool takes_part = false;
  };

  static Own own_of(const std::set<Whole>& who, const Holders& holders) {
    Own out;
    for (const auto& one : holders) {
      if (who.count(one.first) > 0) {
        out.value += one.second.value;
        out.takes_part = true;
      } else {
        out.other = std::max(out.other, one.second.value);
        out.alone = false;
      }
    }
    out.alone = out.alone && out.takes_part;
    return out;
  }

  // Totals that are theirs alone; and no other is less than what they have in it, unless what
  // others have may be negative.
  std::vector<Fact> known_to(const std::set<Whole>& who) const {
    std::set<Leaves> sums;
    for (const Sum& sum : now_.sums)
      if (sum.hidden || sum.unseen) sums.insert(sum.leaves);
    for (int leaf = 0; leaf < static_cast<int>(now_.truth.size()); ++leaf) sums.insert({leaf});
    std::vector<Fact> out;
    for (const Leaves& leaves : sums) {
      const Own own = own_of(who, holders_of(leaves));
      if (own.alone) out.push_back({leaves, static_cast<Whole>(own.value), true});
      if (!own.alone && own.value > 0 && !now_.holdings.may_be_negative)
        out.push_back({leaves, static_cast<Whole>(own.value), false});
    }
    return out;
  }

  void ask_reader(const std::set<Whole>& who, const std::string& kind) {
    const std::vector<Fact> facts = known_to(who);
    const System system(now_, facts);
    std::string words;
    for (Whole one : who) words += (words.empty() ? "" : ",") + std::to_string(one);
    for (const Target& target : targets_) {
      const Own own = own_of(who, target.holders);
      if (target.settled || own.alone || is_said(who, target.sum)) continue;
      if (ask_target(system, facts, target, own, kind, words)) learned_.insert({who, target.sum});
    }
  }

  // What some of a coalition learn is said of these.
  bool is_said(const std::set<Whole>& who, std::size_t sum) const {
    return std::any_of(learned_.begin(), learned_.end(), [&](const auto& one) {
      return one.second == sum &&
             std::includes(who.begin(), who.end(), one.first.begin(), one.first.end());
    });
  }

  // Do they learn it?
  bool ask_target(const System& system, const std::vector<Fact>& facts, const Target& target,
                  const Own& own, const std::string& kind, const std::string& words) {
    const Leaves& leaves = leaves_of(target.sum);
    const bool negative = now_.holdings.may_be_negative;
    Wide needed = target.up;
    if (!negative)
      needed = std::min(needed, judge_.needed(target.judged, target.marked, own.value, own.other));
    if (!now_.holdings.has_lowest) needed = target.judged.total;
    // another total is enough where the true one is far enough itself
    const bool there = needed <= target.judged.total;
    End128 high;
    End128 low;
    high.value = low.value = target.judged.total;
    const Wide far = there ? target.judged.total + 1 : needed;
    if (!seen(facts, leaves, far, there))
      high = system.end_of(leaves, 1, far, tables_);
    else
      high.value = far;
    bool safe = high.endless || high.value >= far;
    if (!safe && there) {
      low = system.end_of(leaves, -1, target.judged.total - 1, tables_);
      safe = low.endless || low.value < target.judged.total;
    }
    say(safe, high.sure && low.sure, kind, words, target.sum, low, high);
    return !safe;
  }

  // Is a table known that they cannot exclude, and that is far enough?
  bool seen(const std::vector<Fact>& facts, const Leaves& leaves, Wide far, bool any) const {
    return std::any_of(tables_.begin(), tables_.end(), [&](const Table& table) {
      const Whole total = sum_of(table, leaves);
      if (total < far && !(any && total != sum_of(now_.truth, leaves))) return false;
      return std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) {
        const Whole value = sum_of(table, fact.leaves);
        return fact.exact ? value == fact.value : value >= fact.value;
      });
    });
  }

  // ---- sums that follow -------------------------------------------------------------------------

  // Is the leaf one of the cells that were asked about?
  bool is_hidden_sum(int leaf) const {
    return std::any_of(now_.sums.begin(), now_.sums.end(),
                       [&](const Sum& sum) { return sum.hidden && sum.leaves == Leaves{leaf}; });
  }

  void ask_sums(const System& outside) {
    Leaves open;
    Leaves known;
    for (int leaf = 0; leaf < static_cast<int>(now_.truth.size()); ++leaf) {
      const bool shown = std::any_of(now_.sums.begin(), now_.sums.end(), [&](const Sum& sum) {
        return sum.shown && sum.leaves == Leaves{leaf};
      });
      if (shown) continue;
      const Wide truth = now_.truth[static_cast<std::size_t>(leaf)];
      const End128 high = outside.end_of({leaf}, 1, truth + 1, tables_);
      const End128 low = outside.end_of({leaf}, -1, truth - 1, tables_);
      undecided_ = undecided_ || !high.sure || !low.sure;
      const bool moves = high.endless || low.endless || high.value > low.value;
      (moves ? open : known).push_back(leaf);
    }
    std::vector<Fact> facts;
    for (int leaf : known) {
      facts.push_back({{leaf}, now_.truth[static_cast<std::size_t>(leaf)], true});
      if (!is_hidden_sum(leaf) && judge_.judge(holders_of({leaf})).sensitive) say_sum({leaf}, {1});
    }
    SumSearch search(System(now_, facts).directions(), open, now_.truth.size());
    if (!search.is_small()) {
      undecided_ = true;
      out_ << "undecided derived - : too many leaves are not published\n";
      return;
    }
    const auto found = search.run([&](const std::vector<Whole>& times) {
      return judge_.judge(judge_.holders(times)).sensitive;
    });
    for (const auto& times : found) {
      Leaves leaves;
      std::vector<Whole> counts;
      for (int leaf : open)
        if (times[static_cast<std::size_t>(leaf)] > 0) {
          leaves.push_back(leaf);
          counts.push_back(times[static_cast<std::size_t>(leaf)]);
        }
      say_sum(leaves, counts);
    }
  }

  void say_sum(const Leaves& leaves, const std::vector<Whole>& counts) {
    open_ = true;
    Whole total = 0;
    std::string words;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      total += counts[k] * now_.truth[static_cast<std::size_t>(leaves[k])];
      words += " " + std::to_string(leaves[k] + 1);
      if (counts[k] > 1) words += "*" + std::to_string(counts[k]);
    }
    out_ << "derived " << total << " :" << words << "\n";
  }

  const Case& now_;
  Judge judge_;
  bool explain_;
  std::ostream& out_;
  std::vector<Target> targets_;
  std::vector<Table> tables_;
  std::set<std::pair<std::set<Whole>, std::size_t>> learned_;
  std::size_t asked_ = 0;
  bool cut_ = false;
  bool open_ = false;
  bool undecided_ = false;
};

}  // namespace audit

#endif
