#include "release/verify_release.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

namespace sdclattice {

namespace {

using KeyBytes = std::string;

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

class CertificateChecker {
 public:
  CertificateChecker(const Layout& layout, const CellsView& cells,
                     const std::vector<std::vector<std::uint32_t>>& margins,
                     const CertificateList& list)
      : layout_(layout), list_(list), sums_(layout.n_words()) {
    // The total is known as well.
    masks_.emplace_back(layout.n_words(), 0);
    for (const auto& margin : margins) {
      std::vector<std::uint64_t> mask(layout.n_words(), 0);
      for (std::uint32_t v : margin)
        mask[layout.field(v).word] |= layout.field(v).mask << layout.field(v).shift;
      masks_.push_back(std::move(mask));
    }
    count_keys(cells);
  }

  // Do all numbers lead somewhere, and all keys name cells of the table, each once?
  bool is_whole() const { return whole_; }

  CertificateFault check_cell(const std::uint64_t* key, std::int64_t beta, std::int64_t& width,
                              std::size_t& margin) {
    const auto found = certificate_.find(bytes(key));
    if (found == certificate_.end()) return CertificateFault::missing;
    const auto target = static_cast<std::int64_t>(list_.target[found->second]);
    std::int64_t value[2];
    for (std::size_t side = 0; side < 2; ++side) {
      const auto first = static_cast<std::size_t>(list_.start[2 * found->second + side]);
      const auto last = static_cast<std::size_t>(list_.start[2 * found->second + side + 1]);
      const CertificateFault fault = check_table(first, last, margin);
      if (fault != CertificateFault::none) return fault;
      value[side] = count_[static_cast<std::size_t>(target)];
      for (std::size_t e = first; e < last; ++e)
        if (list_.cell[e] == target) value[side] += list_.by[e];
    }
    width = std::max(value[0], value[1]) - std::min(value[0], value[1]);
    return width < beta ? CertificateFault::narrow : CertificateFault::none;
  }

 private:
  KeyBytes bytes(const std::uint64_t* key) const {
    return KeyBytes(reinterpret_cast<const char*>(key), 8 * layout_.n_words());
  }

  const std::uint64_t* key(std::size_t number) const {
    return list_.keys + number * layout_.n_words();
  }

  void count_keys(const CellsView& cells) {
    whole_ = numbers_lead_somewhere();
    if (!whole_) return;
    std::unordered_map<KeyBytes, std::int64_t> stored;
    stored.reserve(cells.n);
    for (std::size_t i = 0; i < cells.n; ++i)
      stored[bytes(cells.keys + i * layout_.n_words())] =
          static_cast<std::int64_t>(cells.counts[i]);
    std::unordered_map<KeyBytes, std::size_t> seen;
    for (std::size_t k = 0; k < list_.n_keys; ++k) {
      whole_ = whole_ && is_cell(key(k)) && seen.emplace(bytes(key(k)), k).second;
      const auto found = stored.find(bytes(key(k)));
      count_.push_back(found == stored.end() ? 0 : found->second);
    }
    now_.assign(count_.size(), 0);
    if (!whole_) return;
    for (std::size_t c = 0; c < list_.n; ++c)
      certificate_[bytes(key(static_cast<std::size_t>(list_.target[c])))] = c;
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
  bool is_cell(const std::uint64_t* k) const {
    std::vector<std::uint64_t> again(layout_.n_words(), 0);
    for (std::size_t v = 0; v < layout_.n_variables(); ++v) {
      const std::uint32_t level = layout_.level(k, v);
      if (level >= layout_.n_levels(v)) return false;
      layout_.put(again.data(), v, level);
    }
    return std::equal(again.begin(), again.end(), k);
  }

  CertificateFault check_table(std::size_t first, std::size_t last, std::size_t& margin) {
    bool negative = false;
    for (std::size_t e = first; e < last; ++e) now_[number(e)] += list_.by[e];
    for (std::size_t e = first; e < last; ++e)
      negative = negative || count_[number(e)] + now_[number(e)] < 0;
    for (std::size_t e = first; e < last; ++e) now_[number(e)] = 0;
    if (negative) return CertificateFault::negative;
    for (std::size_t m = 0; m < masks_.size() && last > first; ++m) {
      sums_.clear(last - first);
      for (std::size_t e = first; e < last; ++e) sums_.add(key(number(e)), masks_[m], list_.by[e]);
      if (sums_.all_zero()) continue;
      margin = m;
      return CertificateFault::margin;
    }
    return CertificateFault::none;
  }

  std::size_t number(std::size_t entry) const {
    return static_cast<std::size_t>(list_.cell[entry]);
  }

  const Layout& layout_;
  const CertificateList& list_;
  std::vector<std::vector<std::uint64_t>> masks_;  // the total first
  std::vector<std::int64_t> count_, now_;          // of each key: the original, the difference
  std::unordered_map<KeyBytes, std::size_t> certificate_;
  SumCheck sums_;
  bool whole_ = false;
};

}  // namespace

ReleaseCheck check_certificates(const Layout& layout, const CellsView& cells,
                                const std::vector<std::uint32_t>& at_risk,
                                const std::vector<std::vector<std::uint32_t>>& margins,
                                std::int64_t beta, const CertificateList& list, const Tick& tick) {
  ReleaseCheck out;
  CertificateChecker checker(layout, cells, margins, list);
  if (!checker.is_whole()) {
    out.fault = CertificateFault::damaged;
    out.n_failed = at_risk.size();
    return out;
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < at_risk.size(); ++i) {
    if (i % 512 == 0) report(tick, static_cast<double>(i) / static_cast<double>(at_risk.size()));
    std::int64_t width = 0;
    std::size_t margin = 0;
    const CertificateFault fault =
        checker.check_cell(cells.keys + at_risk[i] * layout.n_words(), beta, width, margin);
    const bool holds = fault == CertificateFault::none || fault == CertificateFault::narrow;
    if (holds) least = std::min(least, width);
    if (fault == CertificateFault::none) continue;
    if (out.n_failed++ > 0) continue;
    out.fault = fault;
    out.at = i;
    out.margin = margin;
  }
  if (least < std::numeric_limits<std::int64_t>::max()) out.least_width = least;
  return out;
}

}  // namespace sdclattice
