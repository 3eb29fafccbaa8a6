#include "linear/reader_search.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/shared_end.hpp"
#include "base/work_clock.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/reader_parts.hpp"
#include "linear/reader_questions.hpp"
#include "linear/sparse_questions.hpp"

namespace sdclattice {

namespace {

using Pool = std::vector<std::uint32_t>;

// Readers of a target that took a proof each, though nobody learns it, until pools are given more
// than walks, too.
constexpr std::size_t kHard = 3;

// The questions of one part. Pools hold places among the part's readers.
class PartSearch {
 public:
  PartSearch(const ReaderPart& part, const ReaderSearchLimits& limits, WorkClock& clock,
             ReaderFindings& out)
      : part_(part),
        limits_(limits),
        clock_(clock),
        out_(out),
        narrowed_(part.system),
        found_(part.system.n_cells()) {
    if (part.system.n_cells() <= limits.dense_cells)
      questions_ = exact_questions(part.system, limits, clock);
    else
      questions_ = std::make_unique<SparseQuestions>(part.system, part.implied, part.truth, clock);
  }
  ~PartSearch() { out_.n_witnesses += found_.n_found(); }
  PartSearch(const PartSearch&) = delete;
  PartSearch& operator=(const PartSearch&) = delete;

  // Readers of the part (by place) whose question about the target is still open afterwards.
  Pool settle(const PartTarget& target) {
    Pool pool;
    set_target(target);
    for (std::uint32_t k = 0; k < part_.readers.size(); ++k) {
      const OwnNeed* own = own_need(k);
      if (own == nullptr || own->asked) pool.push_back(k);
    }
    out_.n_asked += pool.size();
    if (!questions_->is_local() || !settle_for_all(pool))
      settle_pool(pool, !questions_->is_local());
    return std::move(unsure_);
  }
  // The same for readers who are left.
  Pool settle_left(const PartTarget& target, Pool pool, Trial trial) {
    set_target(target);
    drop_settled(pool);
    for (std::uint32_t k : pool) settle_one(k, trial);
    return std::move(unsure_);
  }
  bool may_try_harder() const { return questions_->is_local(); }

 private:
  const OwnNeed* own_need(std::uint32_t k) const {
    const std::uint32_t reader = part_.readers[k].reader;
    const std::vector<OwnNeed>& all = target_->target.own;
    const auto before = [](const OwnNeed& own, std::uint32_t r) { return own.reader < r; };
    const auto at = std::lower_bound(all.begin(), all.end(), reader, before);
    return at != all.end() && at->reader == reader ? &*at : nullptr;
  }
  ReaderNeed need_of(std::uint32_t k) const {
    const OwnNeed* own = own_need(k);
    return own == nullptr ? target_->target.need : own->need;
  }
  const std::vector<ReaderLimit>& limits_of(std::uint32_t k) const {
    return part_.readers[k].limits;
  }
  ReaderNeed strictest(const Pool& pool) const {
    ReaderNeed need = need_of(pool[0]);
    for (std::uint32_t k : pool) {
      const ReaderNeed own = need_of(k);
      need = {std::min(need.low, own.low), std::max(need.high, own.high)};
    }
    return need;
  }

  void set_target(const PartTarget& target) {
    target_ = &target;
    loosest_ = target.target.need;
    for (const OwnNeed& own : target.target.own)
      loosest_ = {std::max(loosest_.low, own.need.low), std::min(loosest_.high, own.need.high)};
    n_hard_ = 0;
    unsure_.clear();
  }

  // A table that heeds nobody comes first, and settles the questions of all readers whose limits it
  // keeps. Where there is none everybody learns the target. False: some questions are left.
  bool settle_for_all(Pool& pool) {
    drop_settled(pool);
    if (pool.empty()) return true;
    const ReaderNeed need = strictest(pool);
    const ReaderVerdict verdict = ask({}, need, Trial::thorough);
    if (verdict != ReaderVerdict::closed || need.low != loosest_.low || need.high != loosest_.high)
      return false;
    for (std::uint32_t k : pool) learned(k);
    return true;
  }

  void settle_pool(Pool& pool, bool first) {
    drop_settled(pool);
    if (pool.empty()) return;
    if (pool.size() == 1) return settle_one(pool[0], Trial::thorough);
    const Trial trial = questions_->is_local() && n_hard_ < kHard ? Trial::quick : Trial::thorough;
    if (ask(pool, strictest(pool), trial) == ReaderVerdict::open) return;
    // a table that nobody's limits restrict settles many questions
    if (first) ask({}, need_of(pool[0]), Trial::thorough);
    drop_settled(pool);
    const auto middle = pool.begin() + static_cast<std::ptrdiff_t>(pool.size() / 2);
    Pool half(pool.begin(), middle), rest(middle, pool.end());
    settle_pool(half, false);
    settle_pool(rest, false);
  }

  void settle_one(std::uint32_t k, Trial trial) {
    const std::size_t before = out_.n_programmes;
    const ReaderVerdict verdict = ask({k}, need_of(k), trial);
    if (verdict == ReaderVerdict::closed) return learned(k);
    if (verdict == ReaderVerdict::unsure) unsure_.push_back(k);
    n_hard_ += out_.n_programmes - before;
  }

  // Readers that some witness settles.
  void drop_settled(Pool& pool) const {
    for (const Witness& witness : found_.held()) {
      if (pool.empty()) return;
      if (!witness.meets(target_->target.cell, loosest_)) continue;
      pool.erase(std::remove_if(pool.begin(), pool.end(),
                                [&](std::uint32_t k) {
                                  return witness.meets(target_->target.cell, need_of(k)) &&
                                         witness.agrees(limits_of(k));
                                }),
                 pool.end());
    }
  }

  // What is quick comes first, where the part has something quick.
  ReaderVerdict ask(const Pool& pool, const ReaderNeed& need, Trial trial) {
    for (std::uint32_t k : pool) narrowed_.narrow(limits_of(k));
    const std::size_t cell = target_->target.cell;
    ReaderVerdict verdict = ReaderVerdict::unsure;
    if (questions_->is_local())
      verdict = questions_->ask(cell, need, narrowed_, Trial::quick, found_);
    if (verdict == ReaderVerdict::unsure && trial != Trial::quick) {
      ++out_.n_programmes;
      verdict = questions_->ask(cell, need, narrowed_, trial, found_);
    }
    narrowed_.reset(part_.system);
    return verdict;
  }

  // The interval that the reader has, outer when time runs out.
  void learned(std::uint32_t k) {
    narrowed_.narrow(limits_of(k));
    const LinearSystem known = narrowed_.applied(part_.system);
    narrowed_.reset(part_.system);
    const std::size_t cell = target_->target.cell;
    const ReaderNeed need = need_of(k);
    std::int64_t lower = std::max(known.lower[cell], need.low + 1);
    std::int64_t upper = std::min(known.upper[cell], need.high - (need.high < kNoLimit));
    if (lower < upper) {
      const IntegerBounds found = bounds(known, cell);
      lower = std::max(lower, found.lower[cell]);
      upper = std::min(upper, found.upper[cell]);
    }
    out_.learned.push_back(target_->in_system(part_.readers[k].reader, lower, upper));
  }
  IntegerBounds bounds(const LinearSystem& known, std::size_t cell) {
    BoundsLimits limits;
    limits.seconds = clock_.seconds_left();
    limits.max_entries = limits_.max_entries;
    const std::vector<std::uint32_t> asked{static_cast<std::uint32_t>(cell)};
    return limits_.relaxed ? relaxed_bounds(known, asked, limits, clock_.tick()).whole
                           : integer_bounds(known, asked, limits, clock_.tick());
  }

  const ReaderPart& part_;
  const ReaderSearchLimits& limits_;
  WorkClock& clock_;
  ReaderFindings& out_;
  NarrowedLimits narrowed_;
  WitnessStore found_;
  std::unique_ptr<ReaderQuestions> questions_;
  const PartTarget* target_ = nullptr;
  ReaderNeed loosest_{};
  std::size_t n_hard_ = 0;
  Pool unsure_;
};

// All parts: first every question, then longer those that are left. When the time ends, `open` says
// of which targets a question is.
class PartsSearch {
 public:
  PartsSearch(const std::vector<ReaderPart>& parts, const ReaderSearchLimits& limits,
              WorkClock& clock, std::vector<char>& open)
      : limits_(limits), clock_(clock), open_(open) {
    for (const ReaderPart& part : parts) {
      n_ += part.targets.size();
      for (const PartTarget& target : part.targets) open[target.place] = true;
      for (std::size_t first = 0; first < part.targets.size(); first += limits.slice)
        slices_.push_back(
            {part, first, std::min(first + limits.slice, part.targets.size()), {}, {}});
    }
  }

  void run() {
    WorkerPool pool(std::min(limits_.threads, std::max<std::size_t>(1, slices_.size())));
    on_each(pool, [this](Slice& slice, WorkClock& clock) { settle(slice, clock); });
    for (const Trial trial : {Trial::lengthy, Trial::complete})
      on_each(pool, [&](Slice& slice, WorkClock& clock) { settle_left(slice, trial, clock); });
  }
  // What was found, also when the time has ended.
  void gather(ReaderFindings& out) const {
    for (const Slice& slice : slices_) {
      const ReaderFindings& found = slice.found;
      out.learned.insert(out.learned.end(), found.learned.begin(), found.learned.end());
      out.n_asked += found.n_asked;
      out.n_programmes += found.n_programmes;
      out.n_witnesses += found.n_witnesses;
    }
  }

 private:
  struct Left {
    const PartTarget* target;
    Pool pool;
  };
  struct Slice {
    const ReaderPart& part;
    std::size_t first, last;  // of the targets of the part
    ReaderFindings found;
    std::vector<Left> left;
  };

  template <class Work>
  void on_each(WorkerPool& pool, Work work) {
    SharedEnd end;
    const auto tell = [this] {
      clock_.done = static_cast<double>(n_done_.load()) / static_cast<double>(n_ + 1);
      report(clock_.tick(), clock_.done);
    };
    end.run(
        pool, slices_.size(),
        [&](std::size_t s) {
          SharedClock clock(clock_, end);
          work(slices_[s], clock.watch());
        },
        tell);
  }

  void settle(Slice& slice, WorkClock& clock) {
    check_time(clock);
    PartSearch search(slice.part, limits_, clock, slice.found);
    for (std::size_t t = slice.first; t < slice.last; ++t) {
      const PartTarget& target = slice.part.targets[t];
      check_time(clock);
      Pool pool = search.settle(target);
      ++n_done_;
      if (pool.empty())
        open_[target.place] = false;
      else if (search.may_try_harder())
        slice.left.push_back({&target, std::move(pool)});
    }
  }

  void settle_left(Slice& slice, Trial trial, WorkClock& clock) {
    std::vector<Left>& left = slice.left;
    if (left.empty()) return;
    PartSearch search(slice.part, limits_, clock, slice.found);
    for (Left& one : left) {
      check_time(clock);
      one.pool = search.settle_left(*one.target, std::move(one.pool), trial);
      if (one.pool.empty()) open_[one.target->place] = false;
    }
    left.erase(
        std::remove_if(left.begin(), left.end(), [](const Left& one) { return one.pool.empty(); }),
        left.end());
  }

  static void check_time(const WorkClock& clock) {
    if (clock.is_up()) throw WorkTimeUp();
  }

  const ReaderSearchLimits& limits_;
  WorkClock& clock_;
  std::vector<char>& open_;  // targets with an open question; a slice writes its own
  std::vector<Slice> slices_;
  std::size_t n_ = 0;
  std::atomic<std::size_t> n_done_{0};
};

}  // namespace

ReaderFindings search_readers(const LinearSystem& system,
                              const std::vector<std::vector<ReaderLimit>>& readers,
                              const std::vector<ReaderTarget>& targets,
                              const ReaderSearchLimits& limits, const Tick& tick,
                              const std::vector<std::int64_t>& truth) {
  WorkClock clock(limits.seconds, tick);
  ReaderFindings out;
  std::vector<char> open(targets.size(), true);
  std::vector<ReaderPart> parts;
  std::unique_ptr<PartsSearch> search;
  try {
    parts = reader_parts(system, readers, targets, truth, limits.dense_cells, tick);
    open.assign(targets.size(), false);
    search = std::make_unique<PartsSearch>(parts, limits, clock, open);
    search->run();
  } catch (const WorkTimeUp&) {
  } catch (const WorkInterrupted&) {
    out.interrupted = true;
  }
  if (search) search->gather(out);
  for (std::uint32_t t = 0; t < targets.size(); ++t)
    if (open[t]) out.unsure.push_back(t);
  // The order is that of the readers, whichever part was searched first.
  std::sort(out.learned.begin(), out.learned.end(), [](const Learned& a, const Learned& b) {
    return std::tie(a.reader, a.target) < std::tie(b.reader, b.target);
  });
  return out;
}

}  // namespace sdclattice
