// Exact inference for sets that skip zeros: makes the chain (chain.hpp) of a group of lines.
//
// What is computed. A sweep over the lines x and y goes along the columns of an open ring. Its step
// at column i does nothing where the column has a zero in x or y, or no later column is without
// one; else it moves one count between the columns i and k, k the first later column without a
// zero. Going along the columns once, for all sweeps at the same time, carry for each sweep what is
// pending: nothing; a step that moved by +1, -1 or 0 and waits for its column k; or a step that
// found no k, so that no column without a zero may come any more. Why it is right. Within a sweep
// the columns between i and k are left alone, and k is found by its values at the beginning of the
// sweep: so what a column does depends on what is pending and on its own values, which follow,
// sweep after sweep, from the published column and the changes alone. What it costs. A column has
// 5^sweeps states, with up to 4^sweeps ways on from each. Agrees with a forward run of all coins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/tick.hpp"
#include "cycle/linkage.hpp"
#include "posterior/chain.hpp"
#include "posterior/problem.hpp"

namespace sdclattice {

class Sweeps {
 public:
  Sweeps(const Publication& source, const Linkage& linkage) : source_(source), linkage_(linkage) {}

  // Throws TooLargeError when the component has more sweeps than exact inference can follow.
  void check(const Component& part) const { find_group(part); }
  // Throws TooLargeError when the kernels of the columns would need too much memory.
  Chain build(const Component& part, const Tick& tick);

 private:
  // A sweep of the component: its lines, and the first of its cycles, one for each column but the
  // last.
  struct Sweep {
    std::size_t x, y;
    std::int32_t first_cycle;
  };
  struct Group {
    std::vector<Sweep> sweeps;
    std::vector<std::vector<std::int32_t>> cell;  // [line][column]
    std::size_t n_columns = 0;
  };
  struct Column {
    bool first, last;
    std::vector<int> published;       // by line
    std::vector<double> alpha, beta;  // by sweep
    std::vector<double> key;
  };
  class Maker;

  Group find_group(const Component& part) const;
  Column column(const Group& group, std::size_t at) const;
  std::shared_ptr<const Kernel> kernel(const Group& group, const Column& column);
  void check_entries(const Group& group, std::size_t n_kernels) const;

  const Publication& source_;
  const Linkage& linkage_;
  std::map<std::vector<double>, std::shared_ptr<const Kernel>> kernels_;
  std::size_t n_entries_ = 0;  // of all kernels
};

}  // namespace sdclattice
