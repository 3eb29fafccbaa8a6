#include "linear/implied_rows.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

}  // namespace

std::uint64_t Modulo::inverse(std::uint64_t a) {
  std::uint64_t out = 1;  // a^(p - 2)
  for (std::uint64_t left = kPrime - 2; left > 0; left >>= 1) {
    if (left & 1) out = product(out, a);
    a = product(a, a);
  }
  return out;
}

Combinations::Combinations(const Equations& rows, std::size_t n_unknowns)
    : rows_(rows),
      implied_(rows.n_rows(), false),
      n_rows_of_(n_unknowns, 0),
      pivot_row_(n_unknowns, kNone),
      value_(n_unknowns, 0),
      is_touched_(n_unknowns, false) {}

// A row with an unknown that no other row has follows from no others and helps none to follow. It
// leaves, and so on. Returns the rows that remain.
std::vector<std::uint32_t> Combinations::peel() {
  const std::size_t n = n_rows_of_.size(), m = rows_.n_rows();
  std::vector<std::uint32_t> sum_of_rows(n, 0);  // the sum of the numbers of an unknown's rows
  for (std::uint32_t r = 0; r < m; ++r)
    for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e) {
      ++n_rows_of_[rows_.unknown[e]];
      sum_of_rows[rows_.unknown[e]] += r;
    }
  std::vector<char> peeled(m, false);
  std::vector<std::uint32_t> single;
  for (std::uint32_t u = 0; u < n; ++u)
    if (n_rows_of_[u] == 1) single.push_back(u);
  while (!single.empty()) {
    const std::uint32_t u = single.back();
    single.pop_back();
    if (n_rows_of_[u] != 1) continue;
    const std::uint32_t r = sum_of_rows[u];
    peeled[r] = true;
    for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e) {
      const std::uint32_t v = rows_.unknown[e];
      sum_of_rows[v] -= r;
      if (--n_rows_of_[v] == 1) single.push_back(v);
    }
  }
  std::vector<std::uint32_t> left;
  for (std::uint32_t r = 0; r < m; ++r)
    if (!peeled[r]) left.push_back(r);
  return left;
}

// Rows come in this order: those with few cells that stand in more than two rows, so that what
// stays is a network where it can be; then short ones.
std::vector<std::uint32_t> Combinations::order_rows() {
  std::vector<std::uint32_t> n_rows_of(n_rows_of_.size(), 0), n_crowded(rows_.n_rows(), 0);
  for (const std::uint32_t u : rows_.unknown) ++n_rows_of[u];
  for (std::size_t r = 0; r < rows_.n_rows(); ++r)
    for (std::size_t e = rows_.start[r]; e < rows_.start[r + 1]; ++e)
      n_crowded[r] += n_rows_of[rows_.unknown[e]] > 2;
  std::vector<std::uint32_t> order = peel();
  const auto length = [&](std::uint32_t r) { return rows_.start[r + 1] - rows_.start[r]; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return n_crowded[a] != n_crowded[b] ? n_crowded[a] < n_crowded[b] : length(a) < length(b);
  });
  return order;
}

void Combinations::find(std::size_t max_terms) {
  for (const std::uint32_t r : order_rows()) {
    if (n_terms_ > max_terms) return;
    take_row(r);
    reduce();
    keep_or_drop(r);
  }
}

void Combinations::add(std::uint32_t u, std::uint64_t value) {
  if (!is_touched_[u]) {
    is_touched_[u] = true;
    touched_.push_back(u);
    if (pivot_row_[u] != kNone) {
      heap_.push_back(pivot_row_[u]);
      std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
  }
  value_[u] = Modulo::difference(value_[u], Modulo::difference(0, value));
}

void Combinations::take_row(std::size_t row) {
  for (std::size_t e = rows_.start[row]; e < rows_.start[row + 1]; ++e)
    add(rows_.unknown[e], Modulo::of(rows_.coefficient[e]));
  sum_ = Modulo::of(rows_.sum[row]);
}

// An echelon row has no pivot of those before it, so each pivot is removed once.
void Combinations::reduce() {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint32_t k = heap_.back();
    heap_.pop_back();
    const std::uint64_t by = value_[pivot_[k]];
    value_[pivot_[k]] = 0;
    if (by == 0) continue;
    poll_at(64 * echelon_start_[k]);
    n_terms_ += echelon_start_[k + 1] - echelon_start_[k];
    const std::uint64_t minus = Modulo::difference(0, by);
    for (std::size_t e = echelon_start_[k]; e < echelon_start_[k + 1]; ++e)
      add(echelon_[e].unknown, Modulo::product(minus, echelon_[e].value));
    sum_ = Modulo::difference(sum_, Modulo::product(by, echelon_sum_[k]));
  }
}

void Combinations::keep_or_drop(std::size_t row) {
  std::uint32_t pivot = kNone;
  for (const std::uint32_t u : touched_)
    if (value_[u] != 0 && (pivot == kNone || n_rows_of_[u] < n_rows_of_[pivot])) pivot = u;
  if (pivot == kNone) {
    if (sum_ != 0) throw InfeasibleError("No table of whole numbers satisfies all constraints.");
    implied_[row] = true;
  } else {
    const std::uint64_t by = value_[pivot] == 1 ? 1 : Modulo::inverse(value_[pivot]);
    for (const std::uint32_t u : touched_)
      if (u != pivot && value_[u] != 0) echelon_.push_back({u, Modulo::product(by, value_[u])});
    pivot_row_[pivot] = static_cast<std::uint32_t>(pivot_.size());
    pivot_.push_back(pivot);
    echelon_start_.push_back(echelon_.size());
    echelon_sum_.push_back(Modulo::product(by, sum_));
  }
  clear();
}

void Combinations::clear() {
  for (const std::uint32_t u : touched_) {
    value_[u] = 0;
    is_touched_[u] = false;
  }
  touched_.clear();
  sum_ = 0;
}

std::uint64_t Combinations::sum_of(const std::vector<Entry>& combination) {
  for (const Entry& entry : combination) add(entry.unknown, Modulo::of(entry.coefficient));
  reduce();
  const std::uint64_t out = Modulo::difference(0, sum_);
  clear();
  return out;
}

}  // namespace sdclattice
