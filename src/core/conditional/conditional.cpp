#include "conditional/conditional.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/sum_set.hpp"

namespace sdclattice {

namespace {

__extension__ typedef __int128 Product;

constexpr std::int64_t kMaxScale = std::int64_t{1} << 61;

// rate t / scale, rounded down or up. Most products fit 64 bits, where dividing is fast.
std::int64_t floor_share(std::int64_t rate, std::int64_t t, std::int64_t scale) {
  std::int64_t product;
  if (!__builtin_mul_overflow(rate, t, &product)) return product / scale;
  return static_cast<std::int64_t>(static_cast<Product>(rate) * t / scale);
}

std::int64_t ceil_share(std::int64_t rate, std::int64_t t, std::int64_t scale) {
  std::int64_t product;
  if (!__builtin_mul_overflow(rate, t, &product)) return product / scale + (product % scale > 0);
  return static_cast<std::int64_t>((static_cast<Product>(rate) * t + scale - 1) / scale);
}

// The multiple of a whole number, or an error that says so.
std::int64_t scaled(std::int64_t x, std::int64_t by) {
  if (static_cast<Product>(x) * by > kMaxScale)
    throw TooLargeError("The rates and the tolerance together have too many digits.");
  return x * by;
}

// Walks over the totals 1, 2, ... and says which are possible. The first cell's limits are carried
// along without a division; they rule out most totals when rates have many digits.
class TotalScan {
 public:
  explicit TotalScan(const RateRow& row) : row_(row) {
    while (cell_ + 1 < row.n_cells && row.low[cell_] == 0) ++cell_;
    if (row.low[cell_] == 0) cell_ = 0;
  }

  // Moves on to the next total; is it possible?
  bool next() {
    ++total_;
    if ((low_ += row_.low[cell_]) >= row_.scale) low_ -= row_.scale, ++low_whole_;
    if ((high_ += row_.high[cell_]) >= row_.scale) high_ -= row_.scale, ++high_whole_;
    return low_whole_ + (low_ > 0) <= high_whole_ && row_.allows(total_);
  }
  std::int64_t total() const { return total_; }

 private:
  const RateRow row_;
  std::size_t cell_ = 0;
  std::int64_t total_ = 0, low_ = 0, low_whole_ = 0, high_ = 0, high_whole_ = 0;
};

// Can cells sum to a total at all?
bool sums_to_one(const RateRow& row) {
  Product low = 0, high = 0;
  for (std::size_t j = 0; j < row.n_cells; ++j) low += row.low[j], high += row.high[j];
  return low <= row.scale && row.scale <= high;
}

// An exact row has the multiples of its least common denominator.
TotalSet multiples(const RateRow& row, std::int64_t limit) {
  std::int64_t common = row.scale;
  for (std::size_t j = 0; j < row.n_cells; ++j) common = std::gcd(common, row.low[j]);
  const std::int64_t least = row.scale / common;
  if (least > limit) return {};
  return {least, {least}, least == 1 ? 1 : limit + 1};
}

// The sums of two or more of numbers that come in increasing order. The set is kept for a window of
// sums, which doubles when it no longer suffices; below twice the first number none is needed.
class GeneratedSums {
 public:
  void add(std::int64_t generator) {
    all_.push_back(generator);
    if (window_ > 0) sums_.add_coin(generator);
  }
  bool has(std::int64_t sum) {
    if (all_.empty() || sum < 2 * all_[0]) return false;
    if (sum > window_) grow(2 * sum);
    return sums_.has(sum);
  }
  std::vector<std::int64_t> take() { return std::move(all_); }

 private:
  void grow(std::int64_t window) {
    window_ = window;
    sums_ = SumSet(window);
    for (std::int64_t g : all_) sums_.add_coin(g);
  }

  std::vector<std::int64_t> all_;
  std::int64_t window_ = 0;
  SumSet sums_{0};
};

// Scans until as many totals in a row are possible as the least one says: by adding the least one
// to these, all further ones are.
TotalSet find_generators(const RateRow& row, std::int64_t least, std::int64_t limit,
                         const Tick& tick) {
  TotalScan scan(row);
  GeneratedSums generated;
  std::int64_t in_a_row = 0;
  while (scan.total() < limit && in_a_row < least) {
    const bool possible = scan.next();
    if (scan.total() % (1 << 22) == 0) report(tick, 0);
    in_a_row = possible ? in_a_row + 1 : 0;
    if (possible && !generated.has(scan.total())) generated.add(scan.total());
  }
  const bool all = in_a_row == least;
  return {least, generated.take(), all ? scan.total() - least + 1 : limit + 1};
}

// What a kind adds to sums above the least ones; one that is impossible adds nothing.
struct Summand {
  std::int64_t least = 0, copies = 0, all_from = 0;  // the last one above the least total
  std::vector<std::int64_t> steps, coins;

  Summand(const TotalSet& totals, std::int64_t n_copies)
      : least(totals.least),
        copies(n_copies),
        all_from(totals.all_from - totals.least),
        coins(totals.generators) {
    for (std::int64_t g : totals.generators) steps.push_back(g - least);
  }

  void add_to(SumSet& sums, std::int64_t times) const {
    for (std::int64_t i = 0; i < times && !steps.empty() && sums.tail() > 0; ++i) {
      const bool grown = sums.add_steps(steps);
      if (i > 0 && !grown) return;
      for (std::size_t g = 0; i == 0 && g < coins.size(); ++g) sums.add_coin(coins[g]);
    }
  }
};

// Calls visit(k, sums) for every kind k with the sums that all rows but one of that kind reach
// above their least ones. Division: the kinds from `from` to `to` are not in `sums`.
template <class Visit>
void leave_one_out(const std::vector<Summand>& summands, std::size_t from, std::size_t to,
                   SumSet sums, Visit& visit) {
  if (to - from == 1) {
    summands[from].add_to(sums, summands[from].copies - 1);
    visit(from, sums);
    return;
  }
  const std::size_t middle = from + (to - from) / 2;
  {
    SumSet left = sums;
    for (std::size_t k = middle; k < to; ++k) summands[k].add_to(left, summands[k].copies);
    leave_one_out(summands, from, middle, std::move(left), visit);
  }
  for (std::size_t k = from; k < middle; ++k) summands[k].add_to(sums, summands[k].copies);
  leave_one_out(summands, middle, to, std::move(sums), visit);
}

void check_room(std::int64_t largest, std::size_t n_kinds, const RateLimits& limits) {
  int levels = 4;
  for (std::size_t k = 1; k < n_kinds; k *= 2) ++levels;
  if (largest < limits.max_sums / levels) return;
  throw TooLargeError("The total is too large for the memory that sums may take.");
}

// The kinds of rows, the totals that each can have by itself, and what they need at least.
struct RowSums {
  RateKinds kinds;
  std::vector<TotalSet> totals;
  std::vector<bool> impossible;  // by itself
  std::int64_t n = 0, n_rows = 0, least = 0, n_impossible = 0;

  RowSums(const RateRows& rows, std::int64_t total, const Tick& tick)
      : kinds(group_rows(rows)), n(total), n_rows(static_cast<std::int64_t>(rows.size())) {
    for (const RateKind& kind : kinds.kinds) {
      totals.push_back({least_total(kind.row, n - (n_rows - 1), tick), {}, 0});
      impossible.push_back(totals.back().least == 0);
      if (impossible.back()) n_impossible += kind.copies;
      // A sum of least totals above n is as good as n + 1.
      for (std::int64_t i = 0; i < kind.copies && least <= n; ++i) least += totals.back().least;
    }
  }

  // Generators of totals up to what is left when all other rows have their least ones.
  std::vector<Summand> summands(std::int64_t spare, const RateLimits& limits, const Tick& tick) {
    check_room(spare, kinds.kinds.size(), limits);
    std::vector<Summand> out;
    for (std::size_t k = 0; k < totals.size(); ++k) {
      const RateKind& kind = kinds.kinds[k];
      if (!impossible[k]) totals[k] = possible_totals(kind.row, totals[k].least + spare, tick);
      out.push_back(Summand(totals[k], kind.copies));
    }
    return out;
  }
};

// Collects the totals of one kind, in runs.
struct RunList {
  std::vector<TotalRun> runs;
  std::int64_t by = 1, n = 0;

  void add(std::int64_t from, std::int64_t to) {
    n += (to - from) / by + 1;
    if (!runs.empty() && runs.back().to + by == from)
      runs.back().to = to;
    else
      runs.push_back({from, to, by});
  }
};

// The totals of a kind whose rest the other rows reach. `spare` is what they share out.
RunList extending_totals(const Summand& kind, const SumSet& others, std::int64_t spare) {
  RunList out;
  const std::int64_t all_to = spare - others.tail();  // up to here the others reach every rest
  if (kind.coins.size() == 1) {
    out.by = kind.least;
    std::int64_t more = 0;
    if (all_to >= 0) {
      more = all_to / out.by * out.by;
      out.add(kind.least, kind.least + more);
      more += out.by;
    }
    for (; more <= spare; more += out.by)
      if (others.has(spare - more)) out.add(kind.least + more, kind.least + more);
    return out;
  }
  SumSet own(std::min(spare, kind.all_from - 1));
  kind.add_to(own, 1);
  const std::int64_t all_from = own.tail();
  for (std::int64_t more = 0; more <= spare; more = own.next(more + 1)) {
    if (more >= all_from && more <= all_to) {
      out.add(kind.least + more, kind.least + all_to);
      more = all_to;
    } else if (others.has(spare - more)) {
      out.add(kind.least + more, kind.least + more);
    }
  }
  return out;
}

// Bounds of the cells of a row over the totals in the runs. The limits of a cell grow with the
// total: from the smallest total on until no lower bound can fall further, and likewise from the
// largest on.
class CellBounds {
 public:
  CellBounds(const RateRow& row, std::int64_t* lower, std::int64_t* upper)
      : row_(row), lower_(lower), upper_(upper), low_(row.n_cells), high_(row.n_cells) {}

  void find(const RunList& list) {
    const std::int64_t last = list.runs.back().to;
    std::fill(lower_, lower_ + row_.n_cells, last);
    std::fill(upper_, upper_ + row_.n_cells, 0);
    lower_done_ = false;
    for (const TotalRun& run : list.runs)
      for (std::int64_t t = run.from; t <= run.to && !lower_done_; t += run.by) look(t);
    upper_done_ = false;
    for (std::size_t i = list.runs.size(); i-- > 0;)
      for (std::int64_t t = list.runs[i].to; t >= list.runs[i].from && !upper_done_;
           t -= list.runs[i].by)
        look(t);
  }

 private:
  void look(std::int64_t t) {
    std::int64_t low_sum = 0, high_sum = 0;
    for (std::size_t j = 0; j < row_.n_cells; ++j) {
      low_sum += low_[j] = row_.least(j, t);
      high_sum += high_[j] = row_.largest(j, t);
    }
    lower_done_ = upper_done_ = true;
    for (std::size_t j = 0; j < row_.n_cells; ++j) {
      if (low_[j] < lower_[j]) lower_done_ = false;
      if (high_[j] > upper_[j]) upper_done_ = false;
      lower_[j] = std::min(lower_[j], std::max(low_[j], t - (high_sum - high_[j])));
      upper_[j] = std::max(upper_[j], std::min(high_[j], t - (low_sum - low_[j])));
    }
  }

  const RateRow row_;
  std::int64_t *lower_, *upper_;
  std::vector<std::int64_t> low_, high_;
  bool lower_done_ = false, upper_done_ = false;
};

void keep_runs(const RunList& list, std::size_t max_runs, SharpRates& out) {
  out.run_start.push_back(out.runs.size());
  if (!out.all_runs) return;
  if (out.runs.size() + list.runs.size() > max_runs) {
    out.all_runs = false;
    out.runs.clear();
    return;
  }
  out.runs.insert(out.runs.end(), list.runs.begin(), list.runs.end());
}

void bound_kinds(RowSums& sums, std::size_t n_cells, const RateLimits& limits, SharpRates& out,
                 const Tick& tick) {
  const std::int64_t spare = sums.n - sums.least;
  const std::vector<Summand> summands = sums.summands(spare, limits, tick);
  out.lower.resize(n_cells * summands.size());
  out.upper.resize(out.lower.size());
  auto visit = [&](std::size_t k, const SumSet& others) {
    const RunList list = extending_totals(summands[k], others, spare);
    out.feasible = out.feasible && !list.runs.empty();
    if (!out.feasible) return;
    CellBounds(sums.kinds.kinds[k].row, &out.lower[n_cells * k], &out.upper[n_cells * k])
        .find(list);
    out.n_totals.push_back(list.n);
    out.first.push_back(list.runs.front().from);
    out.last.push_back(list.runs.back().to);
    keep_runs(list, limits.max_runs, out);
    report(tick, static_cast<double>(k + 1) / static_cast<double>(summands.size()));
  };
  leave_one_out(summands, 0, summands.size(), SumSet(spare), visit);
  out.run_start.push_back(out.runs.size());
}

// Fractions of two whole numbers, the second above 0.
struct Tolerance {
  std::int64_t numerator = 0, denominator = 1;
};

// How far the centre of a row must be stretched to reach a total: the least H, if it is below a
// known fraction, such that whole cells within (centre t +- H) / scale sum to t.
class Stretch {
 public:
  Stretch(const std::int64_t* units, std::size_t n_cells, std::int64_t scale)
      : units_(units), n_cells_(n_cells), scale_(scale) {}

  void improve(std::int64_t t, std::optional<Tolerance>& best) const {
    const Product most = static_cast<Product>(scale_) * t;  // reaches every cell from 0 to t
    Product high = most;
    if (best) {
      high = (static_cast<Product>(best->numerator) * t - 1);
      high = high < 0 ? -1 : high / best->denominator;
      if (high < 0 || !reaches(t, high)) return;
    }
    Product low = -1;  // does not reach
    while (high - low > 1) {
      const Product middle = low + (high - low) / 2;
      (reaches(t, middle) ? high : low) = middle;
    }
    best = Tolerance{static_cast<std::int64_t>(high), t};
  }

 private:
  bool reaches(std::int64_t t, Product by) const {
    Product low_sum = 0, high_sum = 0;
    for (std::size_t j = 0; j < n_cells_; ++j) {
      const Product centre = static_cast<Product>(units_[j]) * t;
      const Product low = centre <= by ? 0 : (centre - by + scale_ - 1) / scale_;
      const Product high = std::min<Product>(t, (centre + by) / scale_);
      if (low > high) return false;
      low_sum += low, high_sum += high;
    }
    return low_sum <= t && t <= high_sum;
  }

  const std::int64_t* units_;
  std::size_t n_cells_;
  std::int64_t scale_;
};

}  // namespace

std::int64_t RateRow::least(std::size_t cell, std::int64_t t) const {
  return ceil_share(low[cell], t, scale);
}

std::int64_t RateRow::largest(std::size_t cell, std::int64_t t) const {
  return floor_share(high[cell], t, scale);
}

bool RateRow::allows(std::int64_t t) const {
  std::int64_t low_sum = 0, high_sum = 0;
  for (std::size_t j = 0; j < n_cells; ++j) {
    const std::int64_t from = least(j, t), to = largest(j, t);
    if (from > to) return false;
    low_sum += from, high_sum += to;
  }
  return low_sum <= t && t <= high_sum;
}

bool RateRow::exact() const {
  return std::equal(low, low + n_cells, high);
}

RateRows make_rate_rows(std::size_t n_cells, const std::vector<std::int64_t>& units,
                        const std::vector<std::int64_t>& scale, std::int64_t tolerance_numerator,
                        std::int64_t tolerance_denominator) {
  assert(units.size() == n_cells * scale.size());
  RateRows out;
  out.n_cells = n_cells;
  for (std::size_t r = 0; r < scale.size(); ++r) {
    const std::int64_t one = scaled(scale[r], tolerance_denominator);
    out.scale.push_back(one);
    for (std::size_t j = r * n_cells; j < (r + 1) * n_cells; ++j) {
      const std::int64_t centre = units[j] * tolerance_denominator;
      const std::int64_t room = std::min(tolerance_numerator, one);
      out.low.push_back(std::max<std::int64_t>(0, centre - room));
      out.high.push_back(std::min(one, centre + room));
    }
  }
  return out;
}

RateKinds group_rows(const RateRows& rows) {
  const std::size_t n = rows.n_cells;
  RateKinds out;
  std::map<std::vector<std::int64_t>, std::uint32_t> known;
  std::vector<std::int64_t> key;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const RateRow row{&rows.low[n * r], &rows.high[n * r], n, rows.scale[r]};
    key.assign(row.low, row.low + n);
    key.insert(key.end(), row.high, row.high + n);
    key.push_back(row.scale);
    const auto [at, is_new] = known.emplace(key, static_cast<std::uint32_t>(out.kinds.size()));
    if (is_new) out.kinds.push_back({row, 0});
    ++out.kinds[at->second].copies;
    out.kind_of_row.push_back(at->second);
  }
  return out;
}

std::int64_t least_total(const RateRow& row, std::int64_t limit, const Tick& tick) {
  if (!sums_to_one(row)) return 0;
  if (row.exact()) return multiples(row, limit).least;
  TotalScan scan(row);
  while (scan.total() < limit) {
    if (scan.next()) return scan.total();
    if (scan.total() % (1 << 22) == 0) report(tick, 0);
  }
  return 0;
}

TotalSet possible_totals(const RateRow& row, std::int64_t limit, const Tick& tick) {
  if (!sums_to_one(row)) return {};
  if (row.exact()) return multiples(row, limit);
  const std::int64_t least = least_total(row, limit, tick);
  if (least == 0) return {};
  return find_generators(row, least, limit, tick);
}

SharpRates sharp_rates(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                       const Tick& tick) {
  RowSums sums(rows, n, tick);
  SharpRates out;
  out.kind_of_row = sums.kinds.kind_of_row;
  for (std::uint32_t r = 0; r < rows.size(); ++r)
    if (sums.impossible[out.kind_of_row[r]]) out.alone.push_back(r);
  out.feasible = out.alone.empty() && sums.least <= n;
  if (out.feasible && rows.size() > 0) bound_kinds(sums, rows.n_cells, limits, out, tick);
  return out;
}

bool rates_feasible(const RateRows& rows, std::int64_t n, const RateLimits& limits,
                    const Tick& tick) {
  RowSums sums(rows, n, tick);
  if (sums.n_impossible > 0 || sums.least > n) return false;
  const std::int64_t spare = n - sums.least;
  const std::vector<Summand> summands = sums.summands(spare, limits, tick);
  SumSet reached(spare);
  for (const Summand& summand : summands) summand.add_to(reached, summand.copies);
  return reached.has(spare);
}

std::vector<double> least_tolerances(const RateRows& rows, const std::vector<std::int64_t>& units,
                                     const std::vector<std::int64_t>& scale, std::int64_t n,
                                     const RateLimits& limits, const Tick& tick) {
  RowSums sums(rows, n, tick);
  std::vector<double> out(rows.size(), -1);
  if (sums.n_impossible > 1) return out;
  const std::vector<RateKind>& kinds = sums.kinds.kinds;
  std::vector<std::size_t> row_of_kind(kinds.size());
  for (std::size_t r = rows.size(); r-- > 0;) row_of_kind[sums.kinds.kind_of_row[r]] = r;
  // What a row of each kind and the spare of the others have together.
  std::vector<std::int64_t> room(kinds.size());
  std::int64_t most = 0, all = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Product sum = static_cast<Product>(sums.totals[k].least) * kinds[k].copies + all;
    all = static_cast<std::int64_t>(std::min<Product>(sum, 2 * static_cast<Product>(n) + 1));
  }
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    room[k] = n - (all - sums.totals[k].least);
    if (sums.n_impossible == 0 || sums.impossible[k]) most = std::max(most, room[k]);
  }
  if (most < 1) return out;
  const std::vector<Summand> summands = sums.summands(most, limits, tick);
  std::vector<double> of_kind(kinds.size(), -1);
  auto visit = [&](std::size_t k, const SumSet& others) {
    if (sums.n_impossible > 0 && !sums.impossible[k]) return;
    const std::size_t r = row_of_kind[k];
    const Stretch stretch(&units[r * rows.n_cells], rows.n_cells, scale[r]);
    std::optional<Tolerance> best;
    for (std::int64_t t = 1; t <= room[k]; ++t) {
      if (others.has(room[k] - t)) stretch.improve(t, best);
      if (t % (1 << 20) == 0) report(tick, 0);
    }
    if (best)
      of_kind[k] = static_cast<double>(best->numerator) / static_cast<double>(best->denominator);
  };
  leave_one_out(summands, 0, summands.size(), SumSet(most), visit);
  for (std::size_t r = 0; r < rows.size(); ++r) out[r] = of_kind[sums.kinds.kind_of_row[r]];
  return out;
}

std::int64_t round_rate(std::int64_t count, std::int64_t total, std::int64_t scale) {
  return static_cast<std::int64_t>((2 * static_cast<Product>(count) * scale + total) /
                                   (2 * static_cast<Product>(total)));
}

}  // namespace sdclattice
