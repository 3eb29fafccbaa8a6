// How many tables have given conditional rates and a given grand total.
//
// What is computed. The number of tables of whole numbers whose rows have rates between limits
// (conditional.hpp) and totals of at least 1 that sum to n. With `splits` above 1 every cell is the
// sum of so many cells of a larger table, which are free: a cell x then counts C(x + splits - 1,
// splits - 1) times.
// Why it is right. f_r(s) is the number of ways of the first r rows with the sum s of totals;
// f_r(s) = sum over t of w_r(t) f_{r-1}(s - t), w_r(t) being the ways of the cells of row r with
// total t. For an exact row w is 1 at the multiples of its least total, and f_r(s) = f_{r-1}(s - L)
// + f_r(s - L). What it costs. Rows times sums for exact rates; times possible totals for others.
// Agrees with enumeration.
#pragma once

#include <cstdint>
#include <optional>

#include "base/big_count.hpp"
#include "base/tick.hpp"
#include "conditional/rates.hpp"

namespace sdclattice {

// No value when more than `max_products` additions or products of numbers would be needed.
std::optional<BigCount> count_rate_tables(const RateRows& rows, std::int64_t n, std::int64_t splits,
                                          double max_products, const Tick& tick);

}  // namespace sdclattice
