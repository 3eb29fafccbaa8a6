#include "magnitude/few_sums.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sdclattice {

namespace {

constexpr std::size_t kMostSets = 2000;  // for each set that a search starts from

using Holders = std::vector<std::uint32_t>;

Holders joined(const Holders& a, const Holders& b) {
  Holders out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

class FewJudge {
 public:
  FewJudge(const LinearSystem& rows, const CellShares& shares, std::size_t n, WorkClock& watch)
      : rows_(rows),
        n_(n),
        watch_(watch),
        clearing_(rows, [&watch] { watch.check(); }),
        holders_(shares.total.size()) {
    for (std::uint32_t i = 0; i < holders_.size(); ++i) {
      clearing_.set(i, Clearing::kFree);
      if (shares.start[i + 1] - shares.start[i] >= n) continue;
      for (std::size_t h = shares.start[i]; h < shares.start[i + 1]; ++h)
        holders_[i].push_back(shares.holder[h]);
      std::sort(holders_[i].begin(), holders_[i].end());
      few_.push_back(i);
      if (holders_[i].empty()) clearing_.set(i, 0);
      for (const std::uint32_t y : holders_[i]) {
        if (y >= cells_of_.size()) cells_of_.resize(y + std::size_t{1});
        cells_of_[y].push_back(i);
      }
    }
  }

  ShareSums run() {
    std::set<Holders> starts;
    for (const std::uint32_t i : few_)
      if (!holders_[i].empty()) starts.insert(holders_[i]);
    try {
      for (const Holders& own : starts) judge(own);
    } catch (const WorkTimeUp&) {
      out_.stopped = true;
    }
    return std::move(out_);
  }

 private:
  // No sum of the cells inside a set has something in cells of just these contributors.
  void judge(const Holders& own) {
    std::set<Holders> asked;
    std::vector<Holders> open{own};
    while (!open.empty()) {
      const Holders set = std::move(open.back());
      open.pop_back();
      if (!asked.insert(set).second) continue;
      const Cleared found = ask(own, set);
      if (found == Cleared::yes)
        add_unserved(set, open);
      else
        (found == Cleared::no ? out_.failed : out_.doubtful)
            .push_back(failed_sum(rows_, clearing_));
      if (found == Cleared::no) return;
      if (asked.size() < kMostSets) continue;
      out_.doubtful.push_back({});
      return;
    }
  }

  Cleared ask(const Holders& own, const Holders& set) {
    if (watch_.is_up()) throw WorkTimeUp();
    ++out_.n_asked;
    for (const std::uint32_t i : inside_) clearing_.set(i, Clearing::kFree);
    inside_.clear();
    for (const std::uint32_t y : set)
      for (const std::uint32_t i : cells_of_[y]) {
        if (!std::includes(set.begin(), set.end(), holders_[i].begin(), holders_[i].end()))
          continue;
        clearing_.set(i, holders_[i] == own ? -1 : 0);
        inside_.push_back(i);
      }
    return clearing_.ask();
  }

  void add_unserved(const Holders& set, std::vector<Holders>& open) const {
    for (const std::uint32_t i : few_) {
      if (clearing_.change()[i] >= 0) continue;
      Holders more = joined(set, holders_[i]);
      if (more.size() > set.size() && more.size() < n_) open.push_back(std::move(more));
    }
  }

  const LinearSystem& rows_;
  std::size_t n_;
  WorkClock& watch_;
  Clearing clearing_;
  std::vector<Holders> holders_;  // of each cell with few, ascending
  std::vector<std::uint32_t> few_;
  std::vector<std::vector<std::uint32_t>> cells_of_;  // of these cells
  std::vector<std::uint32_t> inside_;                 // of the last question
  ShareSums out_;
};

}  // namespace

ShareSums few_sums(const LinearSystem& rows, const CellShares& shares, std::size_t n,
                   WorkClock& watch) {
  return FewJudge(rows, shares, n, watch).run();
}

}  // namespace sdclattice
