#include "fibre/twoway_sorted.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/modular.hpp"

namespace sdclattice {

namespace {

// Chains of more numbers are left to other methods.
constexpr std::int64_t kMostLevels = 2000;

// ---- chains ------------------------------------------------------------------------------------

// The chains that stay below that of the column sums, numbered so that each of their numbers adds
// to the index by itself. Level a is that of the columns that hold more than a.
class Chains {
 public:
  explicit Chains(const std::vector<std::int64_t>& column) : width_(column.size() + 1) {
    const std::int64_t highest = *std::max_element(column.begin(), column.end());
    for (std::int64_t a = 0; a < highest; ++a)
      cap_.push_back(static_cast<std::size_t>(
          std::count_if(column.begin(), column.end(), [a](std::int64_t c) { return c > a; })));
    number();
  }

  std::size_t n_levels() const { return cap_.size(); }
  std::size_t n_columns() const { return width_ - 1; }
  double size() const { return size_; }
  std::size_t cap(std::size_t level) const { return cap_[level]; }
  // What x columns at a level add to the index of a chain.
  std::size_t place(std::size_t level, std::size_t x) const { return place_[level * width_ + x]; }
  // The largest sum of the numbers from a level on that are at most x.
  std::size_t room(std::size_t level, std::size_t x) const { return room_[level * width_ + x]; }

  // How many chains have each sum from 0 to that of the caps.
  std::vector<double> by_sum() const {
    const std::size_t total = room(0, n_columns());
    // Of the levels from one on, by the most of the first of them.
    std::vector<std::vector<double>> from(width_, std::vector<double>(total + 1, 0));
    for (std::vector<double>& f : from) f[0] = 1;
    for (std::size_t a = n_levels(); a-- > 0;) {
      for (std::size_t x = cap_[a]; x > 0; --x) {  // those whose first number is x
        std::rotate(from[x].begin(), from[x].end() - static_cast<std::ptrdiff_t>(x), from[x].end());
        std::fill(from[x].begin(), from[x].begin() + static_cast<std::ptrdiff_t>(x), 0);
      }
      for (std::size_t x = 1; x < width_; ++x)
        if (x > cap_[a])
          from[x] = from[cap_[a]];
        else
          std::transform(from[x].begin(), from[x].end(), from[x - 1].begin(), from[x].begin(),
                         std::plus<double>());
    }
    return from[n_columns()];
  }

 private:
  // From the last level on: an index counts the chains that come before in the order of their
  // numbers from the first level on.
  void number() {
    std::vector<double> below(width_, 1);  // chains of the later levels, by their most
    place_.assign(n_levels() * width_, 0);
    room_.assign((n_levels() + 1) * width_, 0);
    for (std::size_t a = n_levels(); a-- > 0;) {
      double sum = 0;
      std::vector<double> own(width_);
      for (std::size_t x = 0; x < width_; ++x) {
        if (x <= cap_[a]) {
          place_[a * width_ + x] = sum < 1e18 ? static_cast<std::size_t>(sum) : 0;
          sum += below[x];
        }
        own[x] = sum;
        room_[a * width_ + x] = room_[(a + 1) * width_ + x] + std::min(x, cap_[a]);
      }
      below = own;
    }
    size_ = below.back();
  }

  std::size_t width_;
  std::vector<std::size_t> cap_, place_, room_;
  double size_ = 1;
};

// ---- the passes of a row -----------------------------------------------------------------------

class SortedSweep {
 public:
  SortedSweep(const Chains& chains, const PrimeModulus& modulus)
      : chains_(chains),
        modulus_(modulus),
        ways_(static_cast<std::size_t>(chains.size()), 0),
        line_(chains.n_columns() + 1) {
    ways_[0] = 1;
  }

  // Chains before the row have the sum `low_`; after it, that and the row's.
  void add_row(std::size_t sum, const std::function<void()>& check) {
    low_ = high_;
    high_ += sum;
    for (level_ = 0; level_ < chains_.n_levels(); ++level_) {
      check();
      choose_below(0, chains_.n_columns(), 0, 0);
    }
  }

  std::uint64_t ways(std::size_t index) const { return ways_[index]; }

 private:
  // The numbers of the levels before that of the pass. One that is 0 leaves the pass nothing to do.
  void choose_below(std::size_t at, std::size_t most, std::size_t sum, std::size_t index) {
    most = std::min(most, chains_.cap(at));
    if (at == level_) {
      most_ = most;
      least_ = 0;
      choose_above(at + 1, most, sum, index);
      return;
    }
    for (std::size_t x = std::min(most, high_ - sum); x > 0; --x) {
      if (sum + x + chains_.room(at + 1, x) < low_) break;
      choose_below(at + 1, x, sum + x, index + chains_.place(at, x));
    }
  }

  // Those of the levels behind it; all from `at` on are 0 for the line.
  void choose_above(std::size_t at, std::size_t most, std::size_t sum, std::size_t index) {
    transform(sum, index);
    if (at == chains_.n_levels()) return;
    most = std::min(most, chains_.cap(at));
    for (std::size_t x = 1; x <= most && sum + x <= high_; ++x) {
      if (at == level_ + 1) least_ = x;
      if (sum + x + chains_.room(at + 1, x) + most_ < low_) continue;
      choose_above(at + 1, x, sum + x, index + chains_.place(at, x));
    }
  }

  // The line of all chains with these other numbers. Chains below the sum before the row count as
  // 0: they are of rows before it.
  void transform(std::size_t sum, std::size_t index) {
    if (sum + most_ < low_ || sum + least_ > high_) return;
    const std::size_t first = std::max(least_, low_ - std::min(low_, sum)),
                      last = std::min(most_, high_ - sum);
    if (first >= last) return;
    const auto at = [&](std::size_t x) { return index + chains_.place(level_, x); };
    const std::size_t low = first - least_, n = last - least_;
    for (std::size_t i = low; i <= n; ++i) line_[i] = ways_[at(least_ + i)];
    for (std::size_t k = 1; k <= n; ++k)
      for (std::size_t i = n; i >= std::max(k, low + 1); --i)
        line_[i] = modulus_.sum(line_[i], line_[i - 1]);
    for (std::size_t i = low + 1; i <= n; ++i) ways_[at(least_ + i)] = line_[i];
  }

  const Chains& chains_;
  const PrimeModulus& modulus_;
  std::vector<std::uint64_t> ways_, line_;
  std::size_t low_ = 0, high_ = 0;    // sums of chains
  std::size_t level_ = 0;             // of the pass
  std::size_t least_ = 0, most_ = 0;  // of the chain's number there
};

// ---- the table ---------------------------------------------------------------------------------

bool is_open(const TwoWayTable& table) {
  const std::size_t n = table.column.size();
  std::vector<bool> there(table.row.size() * n, false);
  for (const TwoWayCell& c : table.cell) {
    if (c.limit < std::min(table.row[c.row], table.column[c.column])) return false;
    if (there[c.row * n + c.column]) return false;
    there[c.row * n + c.column] = true;
  }
  return !there.empty() && std::find(there.begin(), there.end(), false) == there.end();
}

std::size_t n_primes(const TwoWayTable& table) {
  return static_cast<std::size_t>((log2_bound(table) * (1 + 1e-9) + 1) / 60) + 1;
}

// Each chain counts in the rows between whose sums its own lies, for each level; and for each of
// its columns in a line.
SortedPlan plan_upright(const TwoWayTable& table, double max_states) {
  SortedPlan out;
  if (*std::max_element(table.column.begin(), table.column.end()) > kMostLevels) return out;
  const Chains chains(table.column);
  if (chains.size() > max_states) return out;
  const std::vector<double> n = chains.by_sum();
  double seen = 0;
  std::size_t sum = 0;
  for (const std::int64_t r : table.row) {
    const std::size_t end = sum + static_cast<std::size_t>(r);
    for (std::size_t h = sum; h <= end; ++h) seen += n[h];
    sum = end;
  }
  out.states = chains.size();
  out.steps =
      seen * static_cast<double>((chains.n_levels() + chains.n_columns()) * n_primes(table));
  return out;
}

}  // namespace

SortedPlan plan_sorted(const TwoWayTable& table, double max_states) {
  if (table.impossible || !is_open(table)) return {};
  SortedPlan upright = plan_upright(table, max_states);
  SortedPlan across = plan_upright(table.transposed(), max_states);
  across.transposed = true;
  return across.steps < upright.steps ? across : upright;
}

BigCount count_sorted(const TwoWayTable& given, const SortedPlan& plan, const Tick& tick) {
  const TwoWayTable table = plan.transposed ? given.transposed() : given;
  const Chains chains(table.column);
  const std::vector<PrimeModulus> moduli = prime_moduli(n_primes(table));
  std::size_t all = 0;  // the chain of the column sums themselves
  for (std::size_t a = 0; a < chains.n_levels(); ++a) all += chains.place(a, chains.cap(a));
  std::vector<std::uint64_t> remainders;
  double done = 0;
  const double share = 1 / static_cast<double>(moduli.size() * table.row.size());
  for (const PrimeModulus& modulus : moduli) {
    SortedSweep sweep(chains, modulus);
    for (const std::int64_t r : table.row) {
      sweep.add_row(static_cast<std::size_t>(r), [&] { report(tick, done); });
      done += share;
    }
    remainders.push_back(modulus.form(sweep.ways(all)));
  }
  return from_remainders(moduli, remainders);
}

}  // namespace sdclattice
