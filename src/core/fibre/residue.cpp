#include "fibre/residue.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

namespace {

// A term took some 1000 to 4000 times as long as an addition of the programme of twoway.hpp.
constexpr double kStepsOfTerm = 3000;

BigCount choose(const BigCount& n, std::int64_t k) {
  assert(k >= 0);
  BigCount out = 1;
  for (std::int64_t i = 1; i <= k; ++i) out = out * (n - k + i) / i;
  return out;
}

// Exponents of a term: b of each column, then e of each pair of columns.
using Exponents = std::vector<std::int64_t>;

struct HashExponents {
  std::size_t operator()(const Exponents& key) const {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL;
    for (std::int64_t x : key) {
      h = (h ^ static_cast<std::uint64_t>(x)) * 0xbf58476d1ce4e5b9ULL;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

using Terms = std::unordered_map<Exponents, BigCount, HashExponents>;

// The shape of a problem: rows with sums and open columns; columns from the narrowest to the
// widest.
struct OpenTable {
  std::vector<std::int64_t> row, column;
  std::vector<std::vector<bool>> open;
};

class Extraction {
 public:
  Extraction(const OpenTable& table, const FibreLimits& limits, const Tick& tick)
      : table_(table), limits_(limits), tick_(tick), n_(table.column.size()) {}

  double steps() const { return kStepsOfTerm * static_cast<double>(steps_); }

  BigCount run() {
    Terms terms = expand_rows();
    for (std::size_t p = 0; p + 2 < n_ && !terms.empty(); ++p) terms = extract(p, terms);
    BigCount sum = 0;
    for (const auto& [key, factor] : terms) sum += factor * last_coefficient(key);
    assert(sum >= 0);
    return sum;
  }

 private:
  std::size_t pair(std::size_t j, std::size_t k) const {  // of two different columns
    if (j > k) std::swap(j, k);
    return n_ + j * n_ - j * (j + 1) / 2 + (k - j - 1);
  }

  void add(Terms& terms, const Exponents& key, const BigCount& factor) {
    if (++steps_ % 1024 == 0) {
      report(tick_, 0);
      if (kStepsOfTerm * static_cast<double>(steps_) > limits_.steps ||
          static_cast<double>(terms.size() * (n_ + 4)) > limits_.states)
        throw TooLargeError("The rational functions have too many terms for the limit.");
    }
    const auto [at, is_new] = terms.try_emplace(key, factor);
    if (is_new) return;
    at->second += factor;
    if (at->second == 0) terms.erase(at);
  }

  Terms expand_rows() {
    Terms now, next;
    now.emplace(Exponents(n_ + n_ * (n_ - 1) / 2, 0), 1);
    for (std::size_t i = 0; i < table_.row.size(); ++i) {
      next.clear();
      for (const auto& [key, factor] : now)
        for (std::size_t j = 0; j < n_; ++j)
          if (table_.open[i][j]) expand_row(i, j, key, factor, next);
      std::swap(now, next);
    }
    return now;
  }

  // The summand of row i for column j.
  void expand_row(std::size_t i, std::size_t j, Exponents key, const BigCount& factor,
                  Terms& terms) {
    bool negative = false;
    std::int64_t others = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      if (k == j || !table_.open[i][k]) continue;
      ++others;
      ++key[pair(j, k)];
      negative = negative != (k > j);
    }
    key[j] += table_.row[i] + others;
    if (key[0] > table_.column[0] && n_ > 1) return;
    key[n_ - 1] = 0;  // follows from the others by homogeneity
    add(terms, key, negative ? BigCount(-factor) : factor);
  }

  Terms extract(std::size_t p, const Terms& terms) {
    Terms out;
    for (const auto& [key, factor] : terms) {
      const std::int64_t a = table_.column[p] - key[p];
      if (a < 0) continue;
      bool pole = false;
      for (std::size_t q = p + 1; q < n_; ++q) {
        if (key[pair(p, q)] == 0) continue;
        pole = true;
        residue(p, q, a, key, factor, out);
      }
      if (pole || a > 0) continue;
      Exponents rest = key;
      rest[p] = 0;
      add(out, rest, factor);
    }
    return out;
  }

  // Minus the residue at y_p = y_q, in u = y_p - y_q: the coefficient of u^(e - 1), e the order of
  // the pole, in (y_q + u)^(-a-1) times (y_k - y_q - u)^(-e_pk) over the other columns k.
  void residue(std::size_t p, std::size_t q, std::int64_t a, const Exponents& key,
               const BigCount& factor, Terms& out) {
    Exponents rest = key;
    const std::int64_t order = key[pair(p, q)];
    assert(order > 0 && a >= 0);
    rest[p] = rest[pair(p, q)] = 0;
    spread(p, q, p + 1, order - 1, a, key, rest, order % 2 == 0 ? BigCount(-factor) : factor, out);
  }

  // Column k on take their share of the remaining power of u.
  void spread(std::size_t p, std::size_t q, std::size_t k, std::int64_t power, std::int64_t a,
              const Exponents& key, Exponents& rest, const BigCount& factor, Terms& out) {
    if (k == n_) {
      const std::int64_t before = rest[q];
      if (q + 1 < n_) rest[q] -= a + 1 + power;
      const bool vanishes = q == p + 1 && q + 1 < n_ && rest[q] > table_.column[q];
      const BigCount own = factor * choose(a + power, power);
      if (!vanishes) add(out, rest, power % 2 == 0 ? own : BigCount(-own));
      rest[q] = before;
      return;
    }
    const std::int64_t e = k == q ? 0 : key[pair(p, k)];
    if (e == 0) return spread(p, q, k + 1, power, a, key, rest, factor, out);
    std::int64_t& there = rest[pair(q, k)];
    const std::int64_t before = there;
    rest[pair(p, k)] = 0;
    for (std::int64_t t = 0; t <= power; ++t) {
      there = before + e + t;
      const bool negative = k < q && (e + t) % 2 != 0;
      const BigCount ways = factor * choose(e + t - 1, t);
      spread(p, q, k + 1, power - t, a, key, rest, negative ? BigCount(-ways) : ways, out);
    }
    there = before;
    rest[pair(p, k)] = e;
  }

  BigCount last_coefficient(const Exponents& key) const {
    if (n_ == 1) return 1;
    const std::int64_t a = table_.column[n_ - 2] - key[n_ - 2], e = key[pair(n_ - 2, n_ - 1)];
    if (a < 0) return 0;
    if (e == 0) return a == 0 ? 1 : 0;
    return choose(BigCount(a) + e - 1, e - 1);
  }

  const OpenTable& table_;
  const FibreLimits& limits_;
  const Tick& tick_;
  std::size_t n_;
  std::uint64_t steps_ = 0;
};

// Leaves out empty rows and columns, and puts the narrowest column first.
OpenTable in_order(const OpenTable& given) {
  OpenTable out;
  std::vector<std::size_t> column(given.column.size());
  std::iota(column.begin(), column.end(), std::size_t{0});
  column.erase(std::remove_if(column.begin(), column.end(),
                              [&](std::size_t j) { return given.column[j] == 0; }),
               column.end());
  std::stable_sort(column.begin(), column.end(),
                   [&](std::size_t a, std::size_t b) { return given.column[a] < given.column[b]; });
  for (std::size_t j : column) out.column.push_back(given.column[j]);
  for (std::size_t i = 0; i < given.row.size(); ++i) {
    if (given.row[i] == 0) continue;
    out.row.push_back(given.row[i]);
    out.open.emplace_back();
    for (std::size_t j : column) out.open.back().push_back(given.open[i][j]);
  }
  return out;
}

OpenTable transpose(const OpenTable& given) {
  OpenTable out{given.column, given.row, {}};
  out.open.assign(given.column.size(), std::vector<bool>(given.row.size()));
  for (std::size_t i = 0; i < given.row.size(); ++i)
    for (std::size_t j = 0; j < given.column.size(); ++j) out.open[j][i] = given.open[i][j];
  return out;
}

BigCount count_open(const OpenTable& given, const FibreLimits& limits, const Tick& tick,
                    double* steps = nullptr) {
  for (std::int64_t sum : given.row)
    if (sum < 0) return 0;
  for (std::int64_t sum : given.column)
    if (sum < 0) return 0;
  const OpenTable table = in_order(given);
  if (table.row.empty() || table.column.empty()) return table.row.empty() && table.column.empty();
  Extraction extraction(table, limits, tick);
  BigCount out = extraction.run();
  if (steps) *steps = extraction.steps();
  return out;
}

class Residues : public FibrePart {
 public:
  Residues(const TwoWayTable& table, std::size_t n_cells, const FibreLimits& limits)
      : limits_(limits), n_cells_(n_cells), cell_(table.cell) {
    table_.row = table.row;
    table_.column = table.column;
    table_.open.assign(table.row.size(), std::vector<bool>(table.column.size(), false));
    for (const TwoWayCell& c : table.cell) table_.open[c.row][c.column] = true;
  }

  // Which way is quicker shows only by trying: both by turns, with more and more steps.
  BigCount count(const Tick& tick) override {
    FibreLimits some = limits_;
    for (some.steps = 6e7; !counted_; some.steps *= 4) {
      const bool last = some.steps >= limits_.steps;
      some.steps = std::min(some.steps, limits_.steps);
      counted_ = try_count(some, false, tick) || try_count(some, last, tick);
    }
    return count_;
  }

  double steps_taken() const override { return steps_; }

  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) override {
    std::vector<CellWays> out;
    count(tick);
    double n_values = 0;
    for (std::uint32_t c : cells) n_values += static_cast<double>(most(table_, c));
    if (n_values > limits_.states || n_values * steps_ > limits_.steps)
      throw TooLargeError("The cells have too many values for the limit.");
    for (std::uint32_t c : cells) out.push_back(law(c, tick));
    return out;
  }

  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) override {
    BigCount n = count(tick);
    OpenTable left = table_;
    for (std::uint32_t c = 0; c < cell_.size(); ++c) {
      const std::int64_t own = draw_cell(left, c, n, random, tick);
      if (c < n_cells_) x[c] = own;
      left = less(left, c, own);
      left.open[cell_[c].row][cell_[c].column] = false;
    }
    assert(n == 1);  // of the tables with all these cells
  }

 private:
  // Leaves the table the other way round when it fails.
  bool try_count(const FibreLimits& limits, bool last, const Tick& tick) {
    try {
      count_ = count_open(table_, limits, tick, &steps_);
      return true;
    } catch (const TooLargeError&) {
      if (last) throw;
      table_ = transpose(table_);
      for (TwoWayCell& c : cell_) std::swap(c.row, c.column);
      return false;
    }
  }

  std::int64_t most(const OpenTable& table, std::uint32_t c) const {
    return std::min(table.row[cell_[c].row], table.column[cell_[c].column]);
  }
  OpenTable less(OpenTable table, std::uint32_t c, std::int64_t k) const {
    table.row[cell_[c].row] -= k;
    table.column[cell_[c].column] -= k;
    return table;
  }
  // Taking k off gives the tables with at least k in the cell.
  BigCount at_least(const OpenTable& table, std::uint32_t c, std::int64_t k,
                    const Tick& tick) const {
    if (k > most(table, c)) return 0;
    return count_open(less(table, c, k), limits_, tick);
  }

  CellWays law(std::uint32_t c, const Tick& tick) const {
    CellWays out;
    const std::int64_t top = most(table_, c);
    for (std::int64_t k = 0; k <= top; ++k) {
      report(tick, static_cast<double>(k) / static_cast<double>(top + 1));
      out.push_back(at_least(table_, c, k, tick));
    }
    assert(std::is_sorted(out.rbegin(), out.rend()));
    for (std::size_t k = 0; k + 1 < out.size(); ++k) out[k] -= out[k + 1];
    return out;
  }

  // The largest k with at least as many tables from k on as drawn; `n` becomes the number with k.
  std::int64_t draw_cell(const OpenTable& table, std::uint32_t c, BigCount& n, PublicRandom& random,
                         const Tick& tick) const {
    const BigCount rank = draw_below(n, random) + 1;
    std::int64_t low = 0, high = most(table, c) + 1;
    BigCount from_low = n, from_high = 0;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      BigCount here = at_least(table, c, middle, tick);
      (here >= rank ? low : high) = middle;
      (here >= rank ? from_low : from_high) = std::move(here);
    }
    assert(from_low >= rank && rank > from_high);
    n = from_low - from_high;
    return low;
  }

  FibreLimits limits_;
  std::size_t n_cells_;
  std::vector<TwoWayCell> cell_;
  OpenTable table_;
  bool counted_ = false;
  double steps_ = 0;
  BigCount count_;
};

}  // namespace

bool has_residues(const TwoWayTable& table) {
  std::vector<std::vector<bool>> seen(table.row.size(),
                                      std::vector<bool>(table.column.size(), false));
  for (const TwoWayCell& c : table.cell) {
    if (c.limit < std::min(table.row[c.row], table.column[c.column]) || seen[c.row][c.column])
      return false;
    seen[c.row][c.column] = true;
  }
  return true;
}

std::unique_ptr<FibrePart> make_residues(const TwoWayTable& table, std::size_t n_cells,
                                         const FibreLimits& limits) {
  const bool wide = table.column.size() > table.row.size();
  return std::make_unique<Residues>(wide ? table.transposed() : table, n_cells, limits);
}

}  // namespace sdclattice
