#include "server/announce.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "server/listed_class.hpp"

namespace sdclattice {

namespace {

using Tables = ListedClass::Tables;

constexpr std::uint32_t kRest = UINT32_MAX;
// Envelopes whose tables are looked for at once.
constexpr std::size_t kAtOnce = 32;

// The block of nothing more, which loses and gains tables.
class RestBlock {
 public:
  explicit RestBlock(const ListedClass& tables)
      : class_(tables), counts_(tables.n_cells()), pairs_(tables.n_cells(), 0) {}

  void add(std::uint32_t t) {
    for (std::size_t c = 0; c < counts_.size(); ++c) ++counts_[c][class_.counts(t)[c]];
    change_pairs(t, 1);
  }
  void remove(std::uint32_t t) {
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const auto at = counts_[c].find(class_.counts(t)[c]);
      if (--at->second == 0) counts_[c].erase(at);
    }
    change_pairs(t, -1);
  }
  bool keeps_promise() const {
    for (std::size_t c = 0; c < counts_.size(); ++c)
      if (pairs_[c] > 0 && narrow(c)) return false;
    return true;
  }
  std::vector<std::size_t> narrow_cells() const {
    std::vector<std::size_t> out;
    for (std::size_t c = 0; c < counts_.size(); ++c)
      if (narrow(c)) out.push_back(c);
    return out;
  }
  // Pairs of a table and a cell at risk that a further table mends, less those that it adds.
  std::int64_t gain(std::uint32_t t, const std::vector<std::size_t>& narrow_cells) const {
    std::int64_t out = 0;
    for (const std::size_t c : narrow_cells) {
      const double count = class_.counts(t)[c];
      const double low = counts_[c].empty() ? count : std::min(count, counts_[c].begin()->first);
      const double high = counts_[c].empty() ? count : std::max(count, counts_[c].rbegin()->first);
      if (class_.wide(high - low))
        out += pairs_[c];
      else if (class_.at_risk(t, c))
        --out;
    }
    return out;
  }

 private:
  bool narrow(std::size_t c) const {
    return counts_[c].empty() ||
           !class_.wide(counts_[c].rbegin()->first - counts_[c].begin()->first);
  }
  void change_pairs(std::uint32_t t, int by) {
    if (class_.hopeless(t)) return;
    for (std::size_t c = 0; c < pairs_.size(); ++c)
      if (class_.at_risk(t, c)) pairs_[c] += by;
  }

  const ListedClass& class_;
  std::vector<std::map<double, std::size_t>> counts_;  // of each cell: how many tables have each
  std::vector<std::int64_t> pairs_;  // of each cell: tables, not hopeless, where it is at risk
};

struct Block {
  std::uint32_t envelope;
  Tables tables;
  CellSpread spread;
};

class Announcer {
 public:
  Announcer(const AnnounceProblem& problem, WorkerPool& pool, WorkClock& clock)
      : envelopes_(problem.envelopes),
        pool_(pool),
        clock_(clock),
        class_(problem.tables, problem.dim, problem.risk, problem.envelopes, pool, clock),
        rest_(class_),
        block_(class_.n_tables(), kRest) {}

  Announcement run(std::size_t steps) {
    give_greatest();
    for (std::uint32_t t = 0; t < block_.size(); ++t)
      if (block_[t] == kRest) rest_.add(t);
    clock_.done = 0.6;
    if (steps >= 2) mend_rest();
    clock_.done = 0.8;
    if (steps >= 3)
      while (give_back()) {
      }
    return result();
  }

 private:
  Tables in_rest() const {
    Tables out;
    for (std::uint32_t t = 0; t < block_.size(); ++t)
      if (block_[t] == kRest && !class_.hopeless(t)) out.push_back(t);
    return out;
  }
  Tables still_in_rest(const Tables& tables) const {
    Tables out;
    for (const std::uint32_t t : tables)
      if (block_[t] == kRest) out.push_back(t);
    return out;
  }

  // For the envelopes from `first` on the work of find(envelope, clock), shared by the threads:
  // what depends on nothing that is announced meanwhile.
  template <class Find>
  auto find_for(std::size_t first, std::size_t last, Find find) {
    std::vector<decltype(find(std::size_t{0}, clock_))> found(last - first);
    SharedEnd end;
    end.run(
        pool_, found.size(),
        [&](std::size_t i) {
          SharedClock shared(clock_, end);
          found[i] = find(first + i, shared.watch());
        },
        [&] { report(clock_.tick(), clock_.done); });
    return found;
  }

  // Step 1. A table outside of the greatest subset is outside of that of fewer tables, too: so the
  // subsets of several envelopes are found at once, and then only lose what was announced.
  void give_greatest() {
    const CellSpread none(class_.n_cells());
    for (std::size_t first = 0; first < envelopes_.size(); first += kAtOnce) {
      const std::size_t last = std::min(first + kAtOnce, envelopes_.size());
      const Tables open = in_rest();
      const auto found = find_for(first, last, [&](std::size_t e, WorkClock& clock) {
        std::vector<Tables> out;
        for (const Tables& group : class_.groups(envelopes_[e], open, clock))
          out.push_back(class_.greatest(none, group, clock));
        return out;
      });
      for (std::size_t e = first; e < last; ++e)
        for (const Tables& group : found[e - first])
          announce_block(e, class_.greatest(none, still_in_rest(group), clock_));
      clock_.done = 0.6 * static_cast<double>(last) / static_cast<double>(envelopes_.size());
    }
  }

  void announce_block(std::size_t e, Tables tables) {
    if (tables.empty()) return;
    for (const std::uint32_t t : tables) block_[t] = static_cast<std::uint32_t>(blocks_.size());
    CellSpread spread = class_.spread(tables);
    blocks_.push_back({static_cast<std::uint32_t>(e), std::move(tables), std::move(spread)});
  }

  std::size_t n_sub_tables(std::uint32_t t) const {
    return envelopes_[blocks_[block_[t]].envelope].n_sub_tables;
  }

  // Step 2.
  void mend_rest() {
    while (!rest_.keeps_promise()) {
      look_at(clock_);
      move_to_rest(next_to_move());
    }
  }

  std::uint32_t next_to_move() const {
    const std::vector<std::size_t> narrow = rest_.narrow_cells();
    // those that mend first, then as the head of the header says
    using Order = std::pair<bool, std::pair<std::size_t, std::int64_t>>;
    Order least;
    std::uint32_t best = kRest;
    for (std::uint32_t t = 0; t < block_.size(); ++t) {
      if (block_[t] == kRest) continue;
      const std::int64_t gain = rest_.gain(t, narrow);
      const Order order = gain > 0 ? Order{false, {n_sub_tables(t), -gain}}
                                   : Order{true,
                                           {blocks_[block_[t]].tables.size(),
                                            static_cast<std::int64_t>(n_sub_tables(t))}};
      if (best != kRest && !(order < least)) continue;
      least = order;
      best = t;
    }
    if (best == kRest) throw InputError("The promise must hold in the class of the tables.");
    return best;
  }

  void move_to_rest(std::uint32_t moved) {
    Block& block = blocks_[block_[moved]];
    Tables leave = {moved};
    while (!leave.empty()) {
      for (const std::uint32_t t : leave) {
        block_[t] = kRest;
        rest_.add(t);
      }
      const std::uint32_t own = static_cast<std::uint32_t>(&block - blocks_.data());
      Tables stay;
      for (const std::uint32_t t : block.tables)
        if (block_[t] == own) stay.push_back(t);
      block.tables = std::move(stay);
      block.spread = class_.spread(block.tables);
      leave.clear();
      for (const std::uint32_t t : block.tables)
        if (class_.breaks(t, block.spread)) leave.push_back(t);
    }
  }

  // Step 3: tables that fit together with a block, kRest for none.
  struct Fitting {
    std::uint32_t block;
    Tables tables;
  };

  std::vector<Fitting> fitting(std::size_t e, const Tables& open, WorkClock& clock) const {
    Tables all = open;  // and a table of each block with this envelope, to know its margins by
    for (const Block& block : blocks_)
      if (block.envelope == e && !block.tables.empty()) all.push_back(block.tables.front());
    std::sort(all.begin(), all.end());
    std::vector<Fitting> out;
    for (const Tables& group : class_.groups(envelopes_[e], all, clock)) {
      Fitting one{kRest, {}};
      for (const std::uint32_t t : group) {
        if (block_[t] == kRest)
          one.tables.push_back(t);
        else
          one.block = block_[t];
      }
      one.tables = class_.greatest(base_of(one), std::move(one.tables), clock);
      if (!one.tables.empty()) out.push_back(std::move(one));
    }
    return out;
  }

  CellSpread base_of(const Fitting& some) const {
    return some.block == kRest ? CellSpread(class_.n_cells()) : blocks_[some.block].spread;
  }

  bool give_back() {
    bool changed = false;
    for (std::size_t first = 0; first < envelopes_.size(); first += kAtOnce) {
      const std::size_t last = std::min(first + kAtOnce, envelopes_.size());
      const Tables open = in_rest();
      const auto found = find_for(
          first, last, [&](std::size_t e, WorkClock& clock) { return fitting(e, open, clock); });
      for (std::size_t e = first; e < last; ++e)
        for (const Fitting& some : found[e - first]) changed |= give(e, some);
    }
    return changed;
  }

  bool give(std::size_t e, Fitting some) {
    look_at(clock_);
    const CellSpread base = base_of(some);
    some.tables = still_in_rest(some.tables);
    fit_without(some, kRest, base);
    for (const std::uint32_t t : some.tables) rest_.remove(t);
    while (!rest_.keeps_promise()) {
      clock_.check();
      const std::uint32_t needed = most_needed(some.tables);
      const Tables before = some.tables;
      fit_without(some, needed, base);
      for (const std::uint32_t t : before)
        if (!std::binary_search(some.tables.begin(), some.tables.end(), t)) rest_.add(t);
    }
    if (some.tables.empty()) return false;
    if (some.block == kRest) {
      announce_block(e, std::move(some.tables));
      return true;
    }
    Block& block = blocks_[some.block];
    for (const std::uint32_t t : some.tables) block_[t] = some.block;
    block.tables.insert(block.tables.end(), some.tables.begin(), some.tables.end());
    std::sort(block.tables.begin(), block.tables.end());
    block.spread = class_.spread(block.tables);
    return true;
  }

  // The greatest part without one table that fits together with the block.
  void fit_without(Fitting& some, std::uint32_t table, const CellSpread& base) {
    some.tables.erase(std::remove(some.tables.begin(), some.tables.end(), table),
                      some.tables.end());
    some.tables = class_.greatest(base, std::move(some.tables), clock_);
  }

  // Of tables that left the rest. There is one: with all of them the rest keeps its promise.
  std::uint32_t most_needed(const Tables& tables) const {
    const std::vector<std::size_t> narrow = rest_.narrow_cells();
    std::int64_t most = 0;
    std::uint32_t best = kRest;
    for (const std::uint32_t t : tables) {
      const std::int64_t gain = rest_.gain(t, narrow);
      if (best != kRest && gain <= most) continue;
      most = gain;
      best = t;
    }
    return best;
  }

  Announcement result() const {
    Announcement out;
    std::map<std::uint32_t, std::uint32_t> number;
    for (std::uint32_t t = 0; t < block_.size(); ++t) {
      const std::uint32_t b = block_[t];
      out.envelope.push_back(b == kRest ? kNothingMore : blocks_[b].envelope);
      const auto next = static_cast<std::uint32_t>(number.size());
      out.block.push_back(number.emplace(b, next).first->second);
      out.hopeless.push_back(static_cast<std::uint8_t>(class_.hopeless(t)));
    }
    return out;
  }

  const std::vector<Envelope>& envelopes_;
  WorkerPool& pool_;
  WorkClock& clock_;
  const ListedClass class_;
  RestBlock rest_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_;  // of each table
};

}  // namespace

Announcement announce(const AnnounceProblem& problem, std::size_t steps, WorkerPool& pool,
                      WorkClock& clock) {
  return Announcer(problem, pool, clock).run(steps);
}

}  // namespace sdclattice
