#include "linear/sparse_lu.hpp"

#include <algorithm>
#include <cmath>

namespace sdclattice {

namespace {

constexpr double kNoEntry = 1e-14;  // what is smaller is a rounding error
constexpr double kDoubtful = 1e-7;  // how far two computations of a pivot may lie apart
constexpr std::size_t kLeastUpdates = 20;

}  // namespace

void TriangleSide::rename(const std::vector<std::uint32_t>& name, std::uint32_t none) {
  std::size_t n = 0, from = 0;
  for (std::size_t k = 1; k < start.size(); ++k) {
    for (; from < start[k]; ++from) {
      if (name[place[from]] == none) continue;
      place[n] = name[place[from]];
      value[n++] = value[from];
    }
    start[k] = n;
  }
  place.resize(n);
  value.resize(n);
}

void TriangleSide::transpose(const TriangleSide& from) {
  const std::size_t n = from.start.size() - 1;
  start.assign(n + 1, 0);
  for (const std::uint32_t k : from.place) ++start[k + 1];
  for (std::size_t k = 0; k < n; ++k) start[k + 1] += start[k];
  place.resize(from.place.size());
  value.resize(from.place.size());
  for (std::size_t k = n; k-- > 0;)
    for (std::size_t e = from.start[k]; e < from.start[k + 1]; ++e) {
      const std::size_t at = --start[from.place[e] + 1];
      place[at] = static_cast<std::uint32_t>(k);
      value[at] = from.value[e];
    }
  start.erase(start.begin());
  start.push_back(place.size());
}

bool SparseLU::is_worn() const {
  const std::size_t added = row_eta_.place.size() + 2 * chain_.size();
  return is_doubtful_ || n_updates() >= most_updates_ ||
         (n_updates() >= kLeastUpdates && added > n_rows() + factored_entries_);
}

std::size_t SparseLU::n_entries() const {
  return n_rows() + lower_.place.size() + upper_.place.size() + row_eta_.place.size();
}

// L, and the rows that updates have cleared.
void SparseLU::solve_lower(MarkedVector& x) const {
  x.ascend(first_lower_, [&](std::size_t k) {
    const double top = x[k];
    if (std::fabs(top) < kNoEntry) return;
    for (std::size_t e = lower_.start[k]; e < lower_.start[k + 1]; ++e)
      x.add(lower_.place[e], -lower_.value[e] * top);
  });
  for (std::size_t t = 0; t < left_.size(); ++t) {
    double sum = x[left_[t]];
    x.forget(left_[t]);
    for (std::size_t e = row_eta_.start[t]; e < row_eta_.start[t + 1]; ++e)
      sum -= row_eta_.value[e] * x[row_eta_.place[e]];
    if (sum != 0.0) x.set(n_rows() + t, sum);
  }
}

// Columns of U may still name rows that have moved: what they add to an abandoned place is void.
void SparseLU::solve_upper(MarkedVector& x) const {
  x.descend([&](std::size_t k) {
    if (is_left_[k] || std::fabs(x[k]) < kNoEntry) return x.forget(k);
    const double top = x[k] / diagonal_[k];
    x.set(k, top);
    for (std::size_t e = upper_.start[k]; e < upper_.start[k + 1]; ++e)
      x.add(upper_.place[e], -upper_.value[e] * top);
  });
}

void SparseLU::ftran(MarkedVector& x) const {
  solve_lower(x);
  solve_upper(x);
}

void SparseLU::ftran_entering(MarkedVector& x) {
  solve_lower(x);
  spike_place_.clear();
  spike_.clear();
  x.each([&](std::size_t k) {
    if (is_left_[k] || std::fabs(x[k]) < kNoEntry) return;
    spike_place_.push_back(static_cast<std::uint32_t>(k));
    spike_.push_back(x[k]);
  });
  solve_upper(x);
}

// The entries of a row of U behind its diagonal, also those in columns that have left.
template <class Visit>
void SparseLU::each_in_row(std::size_t k, Visit visit) const {
  if (k < n_rows())
    for (std::size_t e = upper_rows_.start[k]; e < upper_rows_.start[k + 1]; ++e)
      visit(upper_rows_.place[e], upper_rows_.value[e]);
  for (std::uint32_t e = chain_at_[k]; e != kNone; e = chain_[e].next)
    visit(chain_[e].place, chain_[e].value);
}

void SparseLU::solve_upper_rows(MarkedVector& y, std::size_t from) const {
  y.ascend(from, [&](std::size_t k) {
    if (is_left_[k] || std::fabs(y[k]) < kNoEntry) return y.forget(k);
    const double top = y[k] / diagonal_[k];
    y.set(k, top);
    each_in_row(k, [&](std::uint32_t j, double u) { y.add(j, -u * top); });
  });
}

void SparseLU::btran(MarkedVector& y) const {
  solve_upper_rows(y, 0);
  finish_btran(y);
}

// Half way B^-T e_k holds, but for a factor, the multiples of the rows behind k that clear row k of
// U.
void SparseLU::btran_leaving(std::size_t k, MarkedVector& y) {
  y.clear();
  y.add(k, 1.0);
  solve_upper_rows(y, k);
  leaving_ = k;
  cleared_.clear();
  y.each([&](std::size_t i) {
    if (i != k && y[i] != 0.0) cleared_.add(i, -diagonal_[k] * y[i]);
  });
  finish_btran(y);
}

void SparseLU::finish_btran(MarkedVector& y) const {
  for (std::size_t t = left_.size(); t-- > 0;) {
    const double top = y[n_rows() + t];
    if (top == 0.0) continue;
    y.forget(n_rows() + t);
    y.set(left_[t], top);
    for (std::size_t e = row_eta_.start[t]; e < row_eta_.start[t + 1]; ++e)
      y.add(row_eta_.place[e], -row_eta_.value[e] * top);
  }
  y.descend([&](std::size_t k) {
    const double top = y[k];
    if (std::fabs(top) < kNoEntry) return y.forget(k);
    for (std::size_t e = lower_rows_.start[k]; e < lower_rows_.start[k + 1]; ++e)
      y.add(lower_rows_.place[e], -lower_rows_.value[e] * top);
  });
}

// The spike becomes the last column of U. Its entry in the row of the leaving one, which is cleared
// and now the last, is the new pivot.
double SparseLU::append_spike() {
  const std::size_t last = n_rows() + left_.size();
  double pivot = 0.0;
  for (std::size_t e = 0; e < spike_.size(); ++e) {
    const std::uint32_t i = spike_place_[e];
    pivot += i == leaving_ ? spike_[e] : -cleared_[i] * spike_[e];
    if (i == leaving_) continue;
    upper_.push(i, spike_[e]);
    chain_.push_back({static_cast<std::uint32_t>(last), chain_at_[i], spike_[e]});
    chain_at_[i] = static_cast<std::uint32_t>(chain_.size() - 1);
  }
  upper_.close();
  return pivot;
}

std::uint32_t SparseLU::update(double pivot) {
  const double found = append_spike(), expected = pivot * diagonal_[leaving_];
  is_doubtful_ = std::fabs(found - expected) > kDoubtful * std::fabs(expected);
  cleared_.each([&](std::size_t i) { row_eta_.push(static_cast<std::uint32_t>(i), cleared_[i]); });
  row_eta_.close();
  diagonal_.push_back(found);
  is_left_[leaving_] = 1;
  left_.push_back(static_cast<std::uint32_t>(leaving_));
  return static_cast<std::uint32_t>(n_rows() + left_.size() - 1);
}

}  // namespace sdclattice
