#include "magnitude/share_sums.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;
constexpr std::size_t kMostOthers = 2000;  // of others, for each first one

using ShareHolders = std::vector<std::uint32_t>;

class ShareJudge {
 public:
  ShareJudge(const LinearSystem& rows, const CellShares& shares, const ShareRule& rule,
             WorkClock& watch)
      : rows_(rows),
        shares_(shares),
        rule_(rule),
        watch_(watch),
        clearing_(rows, [&watch] { watch.check(); }),
        near_(rule) {
    // What others take of a cell is no more than its total, so that nothing is missing in cells
    // where the first one has no part. She takes more instead: she is the largest.
    near_.other = std::min(rule.other, rule.total);
    near_.lead = rule.lead + static_cast<std::int64_t>(rule.others) * (rule.other - near_.other);
    list_cells();
    find_scale();
    for (std::uint32_t i = 0; i < shares.total.size(); ++i)
      is_plenty_.push_back(left(i, kNobody, {}, rule.others, rule) >= 0 &&
                           left(i, kNobody, {}, rule.others, near_) >= 0);
    is_touched_.assign(shares.total.size(), 0);
  }

  ShareSums run() {
    try {
      for (std::uint32_t x = 0; x < cells_of_.size(); ++x)
        if (!cells_of_[x].empty() && may_fail(x)) judge(x);
    } catch (const WorkTimeUp&) {
      out_.stopped = true;
    }
    return std::move(out_);
  }

 private:
  void list_cells() {
    for (std::uint32_t i = 0; i < shares_.total.size(); ++i)
      for (std::size_t h = shares_.start[i]; h < shares_.start[i + 1]; ++h) {
        const std::uint32_t holder = shares_.holder[h];
        if (holder >= cells_of_.size()) cells_of_.resize(holder + std::size_t{1});
        cells_of_[holder].push_back(i);
      }
  }

  // Values that are too large for the programme are divided, and rounded down: what is cleared then
  // is cleared.
  void find_scale() {
    WideInt most = 1;
    for (std::uint32_t i = 0; i < shares_.total.size(); ++i) {
      WideInt held = magnitude(static_cast<WideInt>(shares_.total[i]));
      for (std::size_t h = shares_.start[i]; h < shares_.start[i + 1]; ++h)
        held += shares_.value[h];
      most = std::max(most, held * (rule_.total + near_.lead + rule_.other));
    }
    while (most / scale_ >= Clearing::kMost / 2) scale_ *= 2;
  }

  // ---- what is left of a cell -------------------------------------------------------------------

  // Without the first one and `others`, and without the largest `more` of further ones.
  WideInt left(std::uint32_t i, std::uint32_t first, const ShareHolders& others, std::size_t more,
               const ShareRule& rule) const {
    WideInt out = wide_product(rule.total, shares_.total[i]);
    for (std::size_t h = shares_.start[i]; h < shares_.start[i + 1]; ++h) {
      const std::uint32_t holder = shares_.holder[h];
      if (holder == first)
        out -= wide_product(rule.lead, shares_.value[h]);
      else if (std::find(others.begin(), others.end(), holder) != others.end())
        out -= wide_product(rule.other, shares_.value[h]);
      else if (more > 0)
        out -= wide_product(rule.other, shares_.value[h]), --more;
    }
    return floor_ratio(out, scale_);
  }

  bool may_fail(std::uint32_t x) const {
    return std::any_of(cells_of_[x].begin(), cells_of_[x].end(),
                       [&](std::uint32_t i) { return left(i, x, {}, rule_.others, near_) < 0; });
  }

  // In cells where none of the named has a part all is left.
  void ask_about(std::uint32_t first, const ShareHolders& others, const ShareRule& rule) {
    for (const std::uint32_t i : touched_) clearing_.set(i, all_of(i));
    if (touched_.empty())
      for (std::uint32_t i = 0; i < shares_.total.size(); ++i) clearing_.set(i, all_of(i));
    touched_ = cells_of_[first];
    for (const std::uint32_t y : others)
      touched_.insert(touched_.end(), cells_of_[y].begin(), cells_of_[y].end());
    for (const std::uint32_t i : touched_)
      clearing_.set(i, static_cast<std::int64_t>(left(i, first, others, 0, rule)));
  }
  std::int64_t all_of(std::uint32_t i) const {
    return static_cast<std::int64_t>(left(i, kNobody, {}, 0, rule_));
  }

  // ---- a contributor who may be the first of a sum ----------------------------------------------

  void judge(std::uint32_t x) {
    std::set<ShareHolders> asked;
    std::vector<ShareHolders> open{{}};
    while (!open.empty()) {
      const ShareHolders others = std::move(open.back());
      open.pop_back();
      if (!asked.insert(others).second) continue;
      Cleared found = ask(x, others, near_, open);
      if (found == Cleared::no && near_.other != rule_.other) found = ask(x, others, rule_, open);
      if (found == Cleared::no && fires(clearing_.sum())) {
        out_.failed.push_back(failed_sum(rows_, clearing_));
        return;
      }
      if (found != Cleared::yes) out_.doubtful.push_back(failed_sum(rows_, clearing_));
      if (asked.size() >= kMostOthers) {
        out_.doubtful.push_back({});
        return;
      }
    }
  }

  // Adds those to `open` whom the change does not serve.
  Cleared ask(std::uint32_t x, const ShareHolders& others, const ShareRule& rule,
              std::vector<ShareHolders>& open) {
    if (watch_.is_up()) throw WorkTimeUp();
    ++out_.n_asked;
    ask_about(x, others, rule);
    const Cleared found = clearing_.ask();
    if (found == Cleared::yes && others.size() < rule.others) {
      for (const std::uint32_t y : unserved(x, others, rule)) {
        open.push_back(others);
        open.back().insert(std::upper_bound(open.back().begin(), open.back().end(), y), y);
      }
    }
    return found;
  }

  // Further contributors to the cells of which the change leaves too little to all that can still
  // be named: one of them is in every set that it does not serve.
  std::set<std::uint32_t> unserved(std::uint32_t x, const ShareHolders& others,
                                   const ShareRule& rule) {
    std::set<std::uint32_t> out;
    const std::size_t more = rule.others - others.size();
    for (const std::uint32_t i : touched_) is_touched_[i] = 1;
    for (std::uint32_t i = 0; i < shares_.total.size(); ++i) {
      const std::int64_t change = clearing_.change()[i];
      if (change >= 0 && is_plenty_[i] && !is_touched_[i]) continue;
      if (left(i, x, others, more, rule) * clearing_.multiple() + change >= 0) continue;
      for (std::size_t h = shares_.start[i]; h < shares_.start[i + 1]; ++h) {
        const std::uint32_t y = shares_.holder[h];
        if (y != x && std::find(others.begin(), others.end(), y) == others.end()) out.insert(y);
      }
    }
    for (const std::uint32_t i : touched_) is_touched_[i] = 0;
    return out;
  }

  // What the rule says of the sum itself.
  bool fires(const DerivedSum& sum) const {
    WideInt left = 0;
    std::map<std::uint32_t, WideInt> of_holder;
    for (std::size_t k = 0; k < sum.cell.size(); ++k) {
      const std::uint32_t i = sum.cell[k];
      left += rule_.total * wide_product(sum.times[k], shares_.total[i]);
      for (std::size_t h = shares_.start[i]; h < shares_.start[i + 1]; ++h)
        of_holder[shares_.holder[h]] += wide_product(sum.times[k], shares_.value[h]);
    }
    std::vector<WideInt> held;
    for (const auto& one : of_holder) held.push_back(one.second);
    std::sort(held.begin(), held.end(), std::greater<WideInt>());
    for (std::size_t k = 0; k < held.size() && k <= rule_.others; ++k)
      left -= (k == 0 ? rule_.lead : rule_.other) * held[k];
    return left < 0;
  }

  const LinearSystem& rows_;
  const CellShares& shares_;
  const ShareRule& rule_;
  WorkClock& watch_;
  Clearing clearing_;
  ShareRule near_;
  std::vector<std::vector<std::uint32_t>> cells_of_;
  std::vector<std::uint32_t> touched_;  // cells that the last question had less left of
  std::vector<char> is_plenty_;  // of a cell: enough is left without its largest contributors
  std::vector<char> is_touched_;
  WideInt scale_ = 1;
  ShareSums out_;
};

}  // namespace

FailedSum failed_sum(const LinearSystem& rows, const Clearing& clearing) {
  FailedSum out;
  out.sum = clearing.sum();
  for (const std::uint32_t r : out.sum.row)
    for (std::size_t e = rows.start[r]; e < rows.start[r + 1]; ++e)
      out.cell.push_back(rows.cell[e]);
  std::sort(out.cell.begin(), out.cell.end());
  out.cell.erase(std::unique(out.cell.begin(), out.cell.end()), out.cell.end());
  for (const std::uint32_t i : out.cell) out.left.push_back(clearing.value(i));
  return out;
}

ShareSums share_sums(const LinearSystem& rows, const CellShares& shares, const ShareRule& rule,
                     WorkClock& watch) {
  return ShareJudge(rows, shares, rule, watch).run();
}

}  // namespace sdclattice
