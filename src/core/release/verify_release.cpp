#include "release/verify_release.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/parallel.hpp"
#include "table/project.hpp"

namespace sdclattice {

namespace {

// Sums of differences by a key of one word or more; the sums of one table are zero or not.
class SumCheck {
 public:
  explicit SumCheck(std::size_t n_words) : n_words_(n_words) {}

  void clear(std::size_t n_entries) {
    std::size_t slots = 16;
    while (slots < 2 * n_entries) slots *= 2;
    if (slots > stamp_.size()) {
      stamp_.assign(slots, 0);
      key_.resize(slots * n_words_);
      sum_.resize(slots);
      round_ = 0;
    }
    n_slots_ = slots;
    n_nonzero_ = 0;
    ++round_;
  }

  void add(const std::uint64_t* key, const std::vector<std::uint64_t>& mask, std::int64_t by) {
    std::uint64_t mixed = 0x2545f4914f6cdd1dULL;
    for (std::size_t w = 0; w < n_words_; ++w) {
      mixed ^= key[w] & mask[w];
      mixed *= 0xd6e8feb86659fd93ULL;
      mixed ^= mixed >> 29;
    }
    std::size_t at = static_cast<std::size_t>(mixed) & (n_slots_ - 1);
    for (; stamp_[at] == round_; at = (at + 1) & (n_slots_ - 1)) {
      if (!matches(at, key, mask)) continue;
      n_nonzero_ -= sum_[at] != 0;
      sum_[at] += by;
      n_nonzero_ += sum_[at] != 0;
      return;
    }
    stamp_[at] = round_;
    for (std::size_t w = 0; w < n_words_; ++w) key_[at * n_words_ + w] = key[w] & mask[w];
    sum_[at] = by;
    n_nonzero_ += by != 0;
  }

  bool all_zero() const { return n_nonzero_ == 0; }

 private:
  bool matches(std::size_t at, const std::uint64_t* key,
               const std::vector<std::uint64_t>& mask) const {
    for (std::size_t w = 0; w < n_words_; ++w)
      if (key_[at * n_words_ + w] != (key[w] & mask[w])) return false;
    return true;
  }

  std::size_t n_words_, n_slots_ = 0, n_nonzero_ = 0;
  std::uint64_t round_ = 0;
  std::vector<std::uint64_t> stamp_, key_;
  std::vector<std::int64_t> sum_;
};

// Finds keys of one word or more by what they are: the number of each among those of a list.
class KeyNumbers {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Each key begins `stride` words after the one before it.
  KeyNumbers(const std::uint64_t* keys, std::size_t n, std::size_t n_words, std::size_t stride)
      : keys_(keys), n_words_(n_words), stride_(stride) {
    std::size_t slots = 16;
    while (slots < 2 * n) slots *= 2;
    number_.assign(slots, kNone);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t at = slot(keys + i * stride);
      all_differ_ = all_differ_ && number_[at] == kNone;
      number_[at] = i;
    }
  }

  bool all_differ() const { return all_differ_; }
  // kNone where the list has no such key.
  std::size_t find(const std::uint64_t* key) const { return number_[slot(key)]; }

 private:
  // Where the key is, or belongs.
  std::size_t slot(const std::uint64_t* key) const {
    std::uint64_t mixed = 0x9e3779b97f4a7c15ULL;
    for (std::size_t w = 0; w < n_words_; ++w) {
      mixed = (mixed ^ key[w]) * 0xd6e8feb86659fd93ULL;
      mixed ^= mixed >> 32;
    }
    std::size_t at = static_cast<std::size_t>(mixed) & (number_.size() - 1);
    while (number_[at] != kNone && !std::equal(key, key + n_words_, keys_ + number_[at] * stride_))
      at = (at + 1) & (number_.size() - 1);
    return at;
  }

  const std::uint64_t* keys_;
  std::size_t n_words_, stride_;
  std::vector<std::size_t> number_;
  bool all_differ_ = true;
};

// The certificates with the counts of their cells: read by all threads, changed by none.
class HeldList {
 public:
  HeldList(const Layout& layout, const CellsView& cells,
           const std::vector<std::vector<std::uint32_t>>& margins, const CertificateList& list)
      : layout_(layout),
        list_(list),
        numbers_(list.keys, list.n_keys, layout.n_words(), layout.n_words()) {
    // The total is known as well.
    masks_.emplace_back(layout.n_words(), 0);
    for (const auto& margin : margins) {
      std::vector<std::uint64_t> mask(layout.n_words(), 0);
      for (std::uint32_t v : margin)
        mask[layout.field(v).word] |= layout.field(v).mask << layout.field(v).shift;
      masks_.push_back(std::move(mask));
    }
    whole_ = numbers_lead_somewhere() && numbers_.all_differ() && are_cells();
    if (!whole_) return;
    count(cells);
    certificate_.assign(list.n_keys, KeyNumbers::kNone);
    for (std::size_t c = 0; c < list.n; ++c)
      certificate_[static_cast<std::size_t>(list.target[c])] = c;
  }

  // Do all numbers lead somewhere, and all keys name cells of the table, each once?
  bool is_whole() const { return whole_; }
  const Layout& layout() const { return layout_; }
  const CertificateList& list() const { return list_; }
  // The total first.
  const std::vector<std::vector<std::uint64_t>>& masks() const { return masks_; }
  std::int64_t count(std::size_t number) const { return count_[number]; }
  const std::uint64_t* key(std::size_t number) const {
    return list_.keys + number * layout_.n_words();
  }
  // The certificate of a cell; KeyNumbers::kNone where it has none.
  std::size_t certificate(const std::uint64_t* cell) const {
    const std::size_t number = numbers_.find(cell);
    return number == KeyNumbers::kNone ? number : certificate_[number];
  }

 private:
  void count(const CellsView& cells) {
    const KeyNumbers stored(cells.keys, cells.n, layout_.n_words(), layout_.n_words());
    for (std::size_t k = 0; k < list_.n_keys; ++k) {
      const std::size_t at = stored.find(key(k));
      count_.push_back(at == KeyNumbers::kNone ? 0 : static_cast<std::int64_t>(cells.counts[at]));
    }
  }

  bool numbers_lead_somewhere() const {
    if (list_.n_start != 2 * list_.n + 1 || list_.start[0] != 0) return false;
    for (std::size_t i = 1; i < list_.n_start; ++i)
      if (!(list_.start[i] >= list_.start[i - 1])) return false;
    if (list_.start[list_.n_start - 1] != static_cast<double>(list_.n_entries)) return false;
    const auto is_key = [&](std::int32_t k) {
      return k >= 0 && static_cast<std::size_t>(k) < list_.n_keys;
    };
    return std::all_of(list_.target, list_.target + list_.n, is_key) &&
           std::all_of(list_.cell, list_.cell + list_.n_entries, is_key);
  }

  // Levels that exist, and no bit besides.
  bool are_cells() const {
    std::vector<std::uint64_t> again(layout_.n_words());
    for (std::size_t k = 0; k < list_.n_keys; ++k) {
      std::fill(again.begin(), again.end(), 0);
      for (std::size_t v = 0; v < layout_.n_variables(); ++v) {
        const std::uint32_t level = layout_.level(key(k), v);
        if (level >= layout_.n_levels(v)) return false;
        layout_.put(again.data(), v, level);
      }
      if (!std::equal(again.begin(), again.end(), key(k))) return false;
    }
    return true;
  }

  const Layout& layout_;
  const CertificateList& list_;
  KeyNumbers numbers_;
  std::vector<std::vector<std::uint64_t>> masks_;
  std::vector<std::int64_t> count_;       // of each key, in the original
  std::vector<std::size_t> certificate_;  // of each key
  bool whole_ = false;
};

// Checks one cell after the other, with memory of its own: one for each thread.
class CertificateChecker {
 public:
  explicit CertificateChecker(const HeldList& held)
      : held_(held), list_(held.list()), now_(list_.n_keys, 0), sums_(held.layout().n_words()) {}

  CertificateFault check_cell(const std::uint64_t* key, std::int64_t beta, std::int64_t& width,
                              std::size_t& margin) {
    const std::size_t found = held_.certificate(key);
    if (found == KeyNumbers::kNone) return CertificateFault::missing;
    const auto target = static_cast<std::int64_t>(list_.target[found]);
    std::int64_t value[2];
    for (std::size_t side = 0; side < 2; ++side) {
      const auto first = static_cast<std::size_t>(list_.start[2 * found + side]);
      const auto last = static_cast<std::size_t>(list_.start[2 * found + side + 1]);
      const CertificateFault fault = check_table(first, last, margin);
      if (fault != CertificateFault::none) return fault;
      value[side] = held_.count(static_cast<std::size_t>(target));
      for (std::size_t e = first; e < last; ++e)
        if (list_.cell[e] == target) value[side] += list_.by[e];
    }
    width = std::max(value[0], value[1]) - std::min(value[0], value[1]);
    return width < beta ? CertificateFault::narrow : CertificateFault::none;
  }

 private:
  CertificateFault check_table(std::size_t first, std::size_t last, std::size_t& margin) {
    bool negative = false;
    for (std::size_t e = first; e < last; ++e) now_[number(e)] += list_.by[e];
    for (std::size_t e = first; e < last; ++e)
      negative = negative || held_.count(number(e)) + now_[number(e)] < 0;
    for (std::size_t e = first; e < last; ++e) now_[number(e)] = 0;
    if (negative) return CertificateFault::negative;
    for (std::size_t m = 0; m < held_.masks().size() && last > first; ++m) {
      sums_.clear(last - first);
      for (std::size_t e = first; e < last; ++e)
        sums_.add(held_.key(number(e)), held_.masks()[m], list_.by[e]);
      if (sums_.all_zero()) continue;
      margin = m;
      return CertificateFault::margin;
    }
    return CertificateFault::none;
  }

  std::size_t number(std::size_t entry) const {
    return static_cast<std::size_t>(list_.cell[entry]);
  }

  const HeldList& held_;
  const CertificateList& list_;
  std::vector<std::int64_t> now_;  // the difference of each key
  SumCheck sums_;
};

constexpr std::int64_t kNoWidth = std::numeric_limits<std::int64_t>::max();

// What the cells at risk from `first` up to `last` show; `least_width` is kNoWidth without any.
ReleaseCheck check_cells(CertificateChecker& checker, const CellsView& cells, std::size_t n_words,
                         const std::vector<std::uint32_t>& at_risk, std::size_t first,
                         std::size_t last, std::int64_t beta) {
  ReleaseCheck out;
  out.least_width = kNoWidth;
  for (std::size_t i = first; i < last; ++i) {
    std::int64_t width = 0;
    std::size_t margin = 0;
    const CertificateFault fault =
        checker.check_cell(cells.keys + at_risk[i] * n_words, beta, width, margin);
    const bool holds = fault == CertificateFault::none || fault == CertificateFault::narrow;
    if (holds) out.least_width = std::min(out.least_width, width);
    if (fault == CertificateFault::none) continue;
    if (out.n_failed++ > 0) continue;
    out.fault = fault;
    out.at = i;
    out.margin = margin;
  }
  return out;
}

// What several pieces show, in their order.
ReleaseCheck joined(const std::vector<ReleaseCheck>& pieces) {
  ReleaseCheck out;
  std::int64_t least = kNoWidth;
  for (const ReleaseCheck& piece : pieces) {
    least = std::min(least, piece.least_width);
    if (out.n_failed == 0 && piece.n_failed > 0)
      out = piece;
    else
      out.n_failed += piece.n_failed;
  }
  out.least_width = least == kNoWidth ? -1 : least;
  return out;
}

// The least count of one margin at a cell at risk.
std::int64_t least_at_risk(const Layout& layout, const CellsView& cells,
                           const std::vector<std::uint32_t>& at_risk,
                           const std::vector<std::uint32_t>& margin) {
  std::vector<VariableSource> sources;
  std::vector<std::uint32_t> n_levels;
  for (std::uint32_t v : margin) {
    sources.push_back({v, nullptr});
    n_levels.push_back(layout.n_levels(v));
  }
  const Layout to(n_levels);
  const Cells sums = project(layout, cells, to, sources, {});
  const KeyNumbers numbers(sums.rows.data(), sums.size(), to.n_words(), sums.stride);
  std::vector<std::uint64_t> key(to.n_words());
  std::int64_t least = kNoWidth;
  for (std::uint32_t cell : at_risk) {
    std::fill(key.begin(), key.end(), 0);
    for (std::size_t v = 0; v < margin.size(); ++v)
      to.put(key.data(), v, layout.level(cells.keys + cell * layout.n_words(), margin[v]));
    least = std::min(least, static_cast<std::int64_t>(sums.count(numbers.find(key.data()))));
  }
  return least;
}

// How many cells at risk a thread takes at a time.
constexpr std::size_t kCellsOfPart = 256;

}  // namespace

ReleaseCheck check_certificates(const Layout& layout, const CellsView& cells,
                                const std::vector<std::uint32_t>& at_risk,
                                const std::vector<std::vector<std::uint32_t>>& margins,
                                std::int64_t beta, const CertificateList& list, const Tick& tick,
                                std::size_t threads) {
  const HeldList held(layout, cells, margins, list);
  if (!held.is_whole()) {
    ReleaseCheck out;
    out.fault = CertificateFault::damaged;
    out.n_failed = at_risk.size();
    return out;
  }
  std::vector<ReleaseCheck> pieces((at_risk.size() + kCellsOfPart - 1) / kCellsOfPart);
  WorkerPool pool(std::min(threads, pieces.size()));
  std::vector<CertificateChecker> checkers(pool.n_workers(), CertificateChecker(held));
  std::atomic<std::size_t> n_done{0};
  pool.run(
      pieces.size(),
      [&](std::size_t part, std::size_t worker) {
        const std::size_t first = part * kCellsOfPart;
        pieces[part] = check_cells(checkers[worker], cells, layout.n_words(), at_risk, first,
                                   std::min(first + kCellsOfPart, at_risk.size()), beta);
        ++n_done;
      },
      [&] { report(tick, static_cast<double>(n_done) / static_cast<double>(pieces.size())); });
  return joined(pieces);
}

std::int64_t narrowest_margin(const Layout& layout, const CellsView& cells,
                              const std::vector<std::uint32_t>& at_risk,
                              const std::vector<std::vector<std::uint32_t>>& margins,
                              const Tick& tick, std::size_t threads) {
  std::vector<std::int64_t> least(margins.size(), kNoWidth);
  WorkerPool pool(std::min(threads, margins.size()));
  pool.run(
      margins.size(),
      [&](std::size_t m, std::size_t) {
        least[m] = least_at_risk(layout, cells, at_risk, margins[m]);
      },
      [&] { report(tick, 1); });
  return least.empty() ? kNoWidth : *std::min_element(least.begin(), least.end());
}

}  // namespace sdclattice
