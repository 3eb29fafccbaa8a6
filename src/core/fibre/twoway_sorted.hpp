// The number of two-way tables whose cells have no limits of their own, by what the columns hold in
// descending order.
//
// What is counted. f(v) is the number of tables of the first rows with column sums v. It does not
// depend on the order of the columns, so that it is held once for each sorted v that fits below the
// column sums (Miller and Harrison 2013 count so, too). A sorted v is written as the numbers of
// columns that hold at least 1, 2, 3, and so on: a chain that does not grow.
// The recurrence. A row is given out in passes. Pass a gives one more to some of the columns that
// hold a - 1, among them those that got one in the pass before. If u columns hold a after it, the
// s of them that held a before can be chosen in binomial(u, s) ways; and the pass changes one
// number of the chain only. So each pass is a transform of short lines of the array of all chains,
// and takes nothing but additions. The passes of a row together add its sum to that of the chain.
// Arithmetic is modulo as many primes as an upper bound of the answer needs, one after the other.
// What it costs. Each chain is seen for each column sum up to the largest, in the rows that reach
// its sum: for n x n tables with margins near c some binomial(n + c, n) * (n + c) additions and as
// many numbers as chains, where twoway.hpp takes about c^n. Agrees with twoway.hpp and brute force
// on random tables, and with published counts.
#pragma once

#include <limits>

#include "base/big_count.hpp"
#include "base/tick.hpp"
#include "fibre/twoway.hpp"

namespace sdclattice {

struct SortedPlan {
  bool transposed = false;
  double n_primes = 1;
  // Numbers held at a time, and what the count takes, in additions; infinite for tables that are
  // not of this kind or that have too many states.
  double states = std::numeric_limits<double>::infinity();
  double steps = std::numeric_limits<double>::infinity();
};

SortedPlan plan_sorted(const TwoWayTable& table, double max_states);

// By a plan that is finite.
BigCount count_sorted(const TwoWayTable& table, const SortedPlan& plan, const Tick& tick);

}  // namespace sdclattice
