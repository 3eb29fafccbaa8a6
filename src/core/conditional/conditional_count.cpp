#include "conditional/conditional_count.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/wide_int.hpp"
#include "conditional/total_sets.hpp"

namespace sdclattice {

namespace {

constexpr const char* kTooManySums =
    "The totals are too large for the numbers of tables to be counted.";

// Work that may still be done; none is left when it is negative.
class Budget {
 public:
  explicit Budget(double products) : left_(products) {}
  bool pay(double products) { return (left_ -= products) >= 0; }
  bool pays(double products) const { return left_ >= products; }

 private:
  double left_;
};

// A possible total above the least one, and its ways.
struct Way {
  std::int64_t more;
  BigCount ways;
};

// C(x + splits - 1, splits - 1) for x = 0, 1, ...
class Splits {
 public:
  Splits(std::int64_t splits, std::int64_t largest) : ways_{1} {
    for (std::int64_t x = 1; splits > 1 && x <= largest; ++x)
      ways_.push_back(ways_.back() * (x + splits - 1) / x);
  }
  bool free() const { return ways_.size() > 1; }
  const BigCount& of(std::int64_t x) const {
    return ways_[free() ? static_cast<std::size_t>(x) : 0];
  }

 private:
  std::vector<BigCount> ways_;
};

// The ways of the cells of a row to sum to t: f(s) over sums s of cells above their lower limits.
// Without splits it is a difference of running sums.
BigCount ways_of_total(const RateRow& row, std::int64_t t, const Splits& splits, Budget& budget) {
  std::int64_t spare = t;
  for (std::size_t j = 0; j < row.n_cells; ++j) spare -= row.least(j, t);
  std::vector<BigCount> f(checked_size(spare, kTooManySums) + 1);
  f[0] = 1;
  for (std::size_t j = 0; j < row.n_cells; ++j) {
    const std::int64_t low = row.least(j, t), room = row.largest(j, t) - low;
    std::vector<BigCount> next(f.size());
    const double work = static_cast<double>(spare + 1) *
                        (splits.free() ? static_cast<double>(std::min(room, spare) + 1) : 2.0);
    if (!budget.pay(work)) return 0;
    if (splits.free()) {
      for (std::int64_t s = 0; s <= spare; ++s)
        for (std::int64_t x = 0; x <= std::min(room, s); ++x)
          next[s] += splits.of(low + x) * f[s - x];
    } else {
      for (std::int64_t s = 0; s <= spare; ++s) {
        next[s] = f[s];
        if (s > 0) next[s] += next[s - 1];
        if (s > room) next[s] -= f[s - room - 1];
      }
    }
    f = std::move(next);
  }
  return f[spare];
}

std::vector<Way> ways_of_row(const RateRow& row, std::int64_t least, std::int64_t spare,
                             const Splits& splits, Budget& budget) {
  std::vector<Way> out;
  const std::int64_t by = row.exact() ? least : 1;
  for (std::int64_t more = 0; more <= spare && budget.pay(1); more += by)
    if (row.allows(least + more))
      out.push_back({more, ways_of_total(row, least + more, splits, budget)});
  return out;
}

void add_multiples(std::int64_t least, std::vector<BigCount>& f) {
  const auto by = static_cast<std::size_t>(least);
  for (std::size_t s = by; s < f.size(); ++s) f[s] += f[s - by];
}

void add_ways(const std::vector<Way>& row, std::vector<BigCount>& f) {
  for (std::size_t s = f.size(); s-- > 0;) {
    BigCount sum = 0;
    for (const Way& way : row) {
      if (way.more > static_cast<std::int64_t>(s)) break;
      const BigCount& rest = f[s - static_cast<std::size_t>(way.more)];
      if (!rest.is_zero()) sum += way.ways * rest;
    }
    f[s] = std::move(sum);
  }
}

}  // namespace

std::optional<BigCount> count_rate_tables(const RateRows& rows, std::int64_t n, std::int64_t splits,
                                          double max_products, const Tick& tick) {
  const RateKinds found = group_rows(rows);
  std::vector<std::int64_t> least;
  const std::int64_t limit = n - (static_cast<std::int64_t>(rows.size()) - 1);
  std::int64_t spare = n;
  for (const RateKind& kind : found.kinds) {
    least.push_back(least_total(kind.row, limit, tick));
    for (std::int64_t i = 0; i < kind.copies && spare >= 0; ++i) spare -= least.back();
    if (least.back() == 0 || spare < 0) return BigCount(0);
  }
  Budget budget(max_products);
  const double sums = static_cast<double>(spare) + 1;
  if (!budget.pays(sums * static_cast<double>(rows.size()))) return std::nullopt;
  const double words = static_cast<double>(std::min(splits - 1, n)) / 16 + 1;
  if (splits > 1 && !budget.pay(static_cast<double>(n) * words)) return std::nullopt;
  const Splits binomials(splits, n);
  std::vector<BigCount> f(checked_size(spare, kTooManySums) + 1);
  f[0] = 1;
  for (std::size_t k = 0; k < found.kinds.size(); ++k) {
    const RateKind& kind = found.kinds[k];
    const bool plain = kind.row.exact() && !binomials.free();
    std::vector<Way> ways;
    if (!plain) ways = ways_of_row(kind.row, least[k], spare, binomials, budget);
    for (std::int64_t i = 0; i < kind.copies; ++i) {
      const double each = plain ? 1 : static_cast<double>(ways.size()) / 2 + 1;
      if (!budget.pay(sums * each)) return std::nullopt;
      plain ? add_multiples(least[k], f) : add_ways(ways, f);
    }
    report(tick, static_cast<double>(k + 1) / static_cast<double>(found.kinds.size()));
  }
  return f[static_cast<std::size_t>(spare)];
}

}  // namespace sdclattice
