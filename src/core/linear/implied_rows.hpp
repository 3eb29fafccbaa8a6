// Equations that are combinations of others, by sparse elimination modulo the prime 2^61 - 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/wide_int.hpp"

namespace sdclattice {

// Numbers modulo 2^61 - 1.
struct Modulo {
  static constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
  static std::uint64_t of(std::int64_t x) {
    const std::int64_t rest = x % static_cast<std::int64_t>(kPrime);
    return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(kPrime) : rest);
  }
  static std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
    return a >= b ? a - b : a + kPrime - b;
  }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    const WideUint wide = static_cast<WideUint>(a) * b;
    const std::uint64_t sum =
        (static_cast<std::uint64_t>(wide) & kPrime) + static_cast<std::uint64_t>(wide >> 61);
    return sum >= kPrime ? sum - kPrime : sum;
  }
  static std::uint64_t inverse(std::uint64_t a);
};

// Equations over unknowns 0, ..., n - 1, by row.
struct Equations {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> unknown;
  std::vector<std::int64_t> coefficient;
  std::vector<std::int64_t> sum;
  std::size_t n_rows() const { return sum.size(); }
};

class Combinations {
 public:
  Combinations(const Equations& rows, std::size_t n_unknowns);

  // Goes through the rows, one after the other. A row is implied when those before it add up to it.
  // Tables of three variables with few suppressed cells in no order fill the rows with terms: after
  // `max_terms` of them, a second or two of work, the rows that are left count as not implied.
  // InfeasibleError when rows add up to the coefficients of another, and not to its sum.
  void find(std::size_t max_terms = 400000000);
  bool is_implied(std::size_t row) const { return implied_[row]; }

  // Of a combination of rows that are not implied: what they say its sum is, modulo the prime.
  struct Entry {
    std::uint32_t unknown;
    std::int64_t coefficient;
  };
  std::uint64_t sum_of(const std::vector<Entry>& combination);

 private:
  struct Term {
    std::uint32_t unknown;
    std::uint64_t value;
  };
  std::vector<std::uint32_t> peel();
  std::vector<std::uint32_t> order_rows();
  void add(std::uint32_t unknown, std::uint64_t value);
  void reduce();
  void take_row(std::size_t row);
  void keep_or_drop(std::size_t row);
  void clear();

  const Equations& rows_;
  std::vector<char> implied_;
  std::vector<std::uint32_t> n_rows_of_;  // of an unknown: rows that are not peeled
  std::vector<std::uint32_t> pivot_row_;  // of an unknown: place in echelon_, or none
  std::vector<std::uint32_t> pivot_;      // of an echelon row: the unknown, with coefficient 1
  std::vector<std::size_t> echelon_start_{0};
  std::vector<Term> echelon_;  // without the pivot
  std::vector<std::uint64_t> echelon_sum_;
  std::vector<std::uint64_t> value_;  // of the row in work, by unknown
  std::vector<char> is_touched_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> heap_;  // echelon rows whose pivots are to go, least on top
  std::uint64_t sum_ = 0;
  std::size_t n_terms_ = 0;
};

}  // namespace sdclattice
