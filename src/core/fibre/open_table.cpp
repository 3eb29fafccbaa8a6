#include "fibre/open_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/flat_map.hpp"
#include "base/modular_binomials.hpp"
#include "fibre/exponent_fields.hpp"
#include "fibre/twoway.hpp"

namespace sdclattice {

namespace {

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

// More than the number of tables has binary digits.
double bits_of_count(const OpenTable& table) {
  TwoWayTable cells{table.row, table.column, {}};
  for (std::uint32_t i = 0; i < table.row.size(); ++i)
    for (std::uint32_t j = 0; j < table.column.size(); ++j)
      if (table.open[i][j]) cells.cell.push_back({i, j, std::min(table.row[i], table.column[j])});
  return log2_bound(cells) * (1 + 1e-9) + 2;
}

using Key = std::vector<std::uint64_t>;
using Terms = KeyNumbers<>;

// Remainders of a number modulo all primes, side by side.
using Remainders = std::vector<std::uint64_t>;

}  // namespace

class OpenCount::Extraction {
 public:
  explicit Extraction(const OpenTable& table)
      : table_(table),
        n_(table.column.size()),
        fields_(table),
        moduli_(prime_moduli(static_cast<std::size_t>(bits_of_count(table) / 60) + 1)),
        n_primes_(moduli_.size()),
        binomial_(moduli_, fields_.most_e()),
        now_(no_terms()),
        next_(no_terms()),
        n_stages_(table.row.size() + (n_ > 2 ? n_ - 2 : 0)) {
    for (const PrimeModulus& m : moduli_) one_.push_back(m.one());
    level_.assign(n_ + 1, Remainders(n_primes_));
    std::copy_n(one_.data(), n_primes_, now_.extra(now_.number(fields_.zero().data())));
  }

  double steps() const { return kStepsOfTerm * static_cast<double>(steps_); }

  // The rows are multiplied one after the other, then a column is taken out in each stage.
  bool reach(double steps, double max_states, const Tick& tick) {
    max_steps_ = steps;
    max_states_ = max_states;
    tick_ = &tick;
    const std::size_t m = table_.row.size();
    while (stage_ < n_stages_) {
      for (; at_ < now_.size(); ++at_) {
        if (this->steps() >= max_steps_) return false;
        if (stage_ < m)
          expand_row(stage_);
        else
          extract(stage_ - m);
      }
      now_ = std::move(next_);
      next_ = no_terms();
      at_ = 0;
      ++stage_;
    }
    return true;
  }

  BigCount count() const {
    Remainders sum(n_primes_, 0);
    for (std::size_t i = 0; i < now_.size(); ++i) add_last(now_.key(i), now_.extra(i), sum);
    return from_remainders(moduli_, sum);
  }

 private:
  Terms no_terms() const { return Terms(fields_.n_words(), n_primes_); }

  // Negative if `negative`.
  void add(const Key& key, const std::uint64_t* factor, bool negative) {
    if (++steps_ % 1024 == 0) check();
    std::uint64_t* to = next_.extra(next_.number(key.data()));
    for (std::size_t p = 0; p < n_primes_; ++p)
      to[p] = moduli_[p].sum(to[p], negative ? moduli_[p].negative(factor[p]) : factor[p]);
  }
  void check() {
    const double done = static_cast<double>(at_) / static_cast<double>(now_.size());
    report(*tick_, (static_cast<double>(stage_) + done) / static_cast<double>(n_stages_));
    const auto words = static_cast<double>(fields_.n_words() + n_primes_ + 1);
    if (static_cast<double>(now_.size() + next_.size()) * words > max_states_)
      throw TooLargeError("The rational functions have more terms than the limit of " +
                          power_of_ten(max_states_) + " numbers holds.");
  }
  bool is_zero(const std::uint64_t* factor) const {
    return std::all_of(factor, factor + n_primes_, [](std::uint64_t x) { return x == 0; });
  }

  void expand_row(std::size_t i) {
    for (std::size_t j = 0; j < n_; ++j)
      if (table_.open[i][j]) expand_cell(i, j, now_.key(at_), now_.extra(at_));
  }

  // The summand of row i for column j. The exponent of the last column follows from the others by
  // homogeneity.
  void expand_cell(std::size_t i, std::size_t j, const std::uint64_t* given,
                   const std::uint64_t* factor) {
    Key key(given, given + fields_.n_words());
    bool negative = false;
    std::int64_t others = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      if (k == j || !table_.open[i][k]) continue;
      ++others;
      fields_.add(key.data(), fields_.pair(j, k), 1);
      negative = negative != (k > j);
    }
    if (j + 1 < n_) fields_.add(key.data(), j, table_.row[i] + others);
    if (n_ > 1 && fields_.b(key.data(), 0) > table_.column[0]) return;
    add(key, factor, negative);
  }

  void extract(std::size_t p) {
    const std::uint64_t *key = now_.key(at_), *factor = now_.extra(at_);
    const std::int64_t a = table_.column[p] - fields_.b(key, p);
    if (a < 0 || is_zero(factor)) return;
    bool pole = false;
    for (std::size_t q = p + 1; q < n_; ++q) {
      if (fields_.e(key, fields_.pair(p, q)) == 0) continue;
      pole = true;
      residue(p, q, a, key, factor);
    }
    if (!pole && a == 0) add(without_column(p, key), factor, false);
  }

  Key without_column(std::size_t p, const std::uint64_t* given) const {
    Key out(given, given + fields_.n_words());
    fields_.add(out.data(), p, -fields_.b(given, p));
    for (std::size_t k = p + 1; k < n_; ++k)
      fields_.add(out.data(), fields_.pair(p, k),
                  -static_cast<std::int64_t>(fields_.e(given, fields_.pair(p, k))));
    return out;
  }

  // Minus the residue at y_p = y_q, in u = y_p - y_q: the coefficient of u^(e - 1), e the order of
  // the pole, in (y_q + u)^(-a-1) times (y_k - y_q - u)^(-e_pk) over the other columns k.
  void residue(std::size_t p, std::size_t q, std::int64_t a, const std::uint64_t* key,
               const std::uint64_t* factor) {
    const std::size_t order = fields_.e(key, fields_.pair(p, q));
    assert(order > 0 && a >= 0);
    pole_ = {p, q, a, key, order % 2 == 0};
    rest_ = without_column(p, key);
    own_.resize(order * n_primes_);
    std::copy(one_.begin(), one_.end(), own_.begin());
    for (std::size_t i = 1; i < order; ++i) {
      std::uint64_t* next = own_.data() + i * n_primes_;
      std::copy_n(next - n_primes_, n_primes_, next);
      binomial_.raise(next, a, i);
    }
    std::copy_n(factor, n_primes_, level_[p + 1].data());
    spread(p + 1, order - 1, pole_.negative);
  }

  // Columns k on take their share of the remaining power of u; level_[k] is the factor so far.
  void spread(std::size_t k, std::size_t power, bool negative) {
    if (k == n_) return end_residue(power, negative);
    const std::size_t e = k == pole_.q ? 0 : fields_.e(pole_.key, fields_.pair(pole_.p, k));
    if (e == 0) {
      level_[k + 1] = level_[k];
      return spread(k + 1, power, negative);
    }
    const std::size_t there = fields_.pair(pole_.q, k);
    fields_.add(rest_.data(), there, static_cast<std::int64_t>(e));
    for (std::size_t t = 0; t <= power; ++t) {
      multiply(level_[k].data(), binomial_.small(e + t - 1, t), level_[k + 1].data());
      const bool minus = k < pole_.q && (e + t) % 2 != 0;
      spread(k + 1, power - t, negative != minus);
      fields_.add(rest_.data(), there, 1);
    }
    fields_.add(rest_.data(), there, -static_cast<std::int64_t>(e + power + 1));
  }

  void end_residue(std::size_t power, bool negative) {
    const std::size_t q = pole_.q;
    const std::int64_t shift = pole_.a + 1 + static_cast<std::int64_t>(power);
    const bool carried = q + 1 < n_;
    if (carried && q == pole_.p + 1 && fields_.b(rest_.data(), q) - shift > table_.column[q])
      return;  // vanishes with the next column
    multiply(level_[n_].data(), own_.data() + power * n_primes_, level_[n_].data());
    if (carried) fields_.add(rest_.data(), q, -shift);
    add(rest_, level_[n_].data(), negative != (power % 2 != 0));
    if (carried) fields_.add(rest_.data(), q, shift);
  }

  void multiply(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) const {
    for (std::size_t p = 0; p < n_primes_; ++p) out[p] = moduli_[p].product(a[p], b[p]);
  }

  // The coefficient of the last column but one, times the factor of the term.
  void add_last(const std::uint64_t* key, const std::uint64_t* factor, Remainders& sum) const {
    Remainders own(factor, factor + n_primes_);
    if (n_ > 1) {
      const std::int64_t a = table_.column[n_ - 2] - fields_.b(key, n_ - 2);
      const std::size_t e = fields_.e(key, fields_.pair(n_ - 2, n_ - 1));
      if (a < 0 || (e == 0 && a > 0)) return;
      for (std::size_t i = 1; i < e; ++i) binomial_.raise(own.data(), a, i);
    }
    for (std::size_t p = 0; p < n_primes_; ++p) sum[p] = moduli_[p].sum(sum[p], own[p]);
  }

  struct Pole {
    std::size_t p, q;
    std::int64_t a;
    const std::uint64_t* key;
    bool negative;
  };

  const OpenTable& table_;
  double max_steps_ = 0, max_states_ = 0;
  const Tick* tick_ = nullptr;
  std::size_t n_;
  ExponentFields fields_;
  std::vector<PrimeModulus> moduli_;
  std::size_t n_primes_;
  Binomials binomial_;
  Remainders one_, own_;           // own_: a + i over i for each power i of the pole at hand
  std::vector<Remainders> level_;  // of the columns of spread()
  Pole pole_{};
  Key rest_;
  Terms now_, next_;  // of this stage and of the next one
  std::size_t n_stages_, stage_ = 0, at_ = 0;
  std::uint64_t steps_ = 0;
};

OpenTable OpenTable::transposed() const {
  OpenTable out{column, row, {}};
  out.open.assign(column.size(), std::vector<bool>(row.size()));
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j < column.size(); ++j) out.open[j][i] = open[i][j];
  return out;
}

OpenCount::OpenCount(const OpenTable& given) {
  const auto negative = [](std::int64_t sum) { return sum < 0; };
  if (std::any_of(given.row.begin(), given.row.end(), negative) ||
      std::any_of(given.column.begin(), given.column.end(), negative))
    return;
  table_ = std::make_unique<OpenTable>(in_order(given));
  if (!table_->row.empty() && !table_->column.empty())
    extraction_ = std::make_unique<Extraction>(*table_);
  else
    count_ = table_->row.empty() && table_->column.empty();
}
OpenCount::~OpenCount() = default;

bool OpenCount::reach(double steps, double max_states, const Tick& tick) {
  if (!extraction_) return true;
  if (!extraction_->reach(steps, max_states, tick)) return false;
  count_ = extraction_->count();
  return true;
}

double OpenCount::steps() const {
  return extraction_ ? extraction_->steps() : 0;
}

BigCount count_open(const OpenTable& table, const FibreLimits& limits, const Tick& tick) {
  OpenCount open(table);
  if (!open.reach(limits.steps, limits.states, tick))
    throw TooLargeError("The rational functions take more than the limit of " +
                        power_of_ten(limits.steps) + " steps.");
  return open.count();
}

}  // namespace sdclattice
