// One step of a chain: messages on and back through its kernel.
//
// `code`: the prior weight of each code, null where all are 1. `from` and `after` are messages
// before and after the step; where the step has a single lane, sums stay in registers.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "posterior/chain.hpp"
#include "posterior/chain_numbers.hpp"

namespace sdclattice {

using One = std::integral_constant<std::size_t, 1>;

template <typename Number>
void step_on(const Kernel& kernel, const Number* code, const Number* from, Number* to, One) {
  for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
    const Number a = from[f];
    if (is_zero(a)) continue;
    const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
    for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e)
      to[e->to] += (code ? Number(e->weight) * code[e->code] : Number(e->weight)) * a;
  }
}

template <typename Number>
void step_on(const Kernel& kernel, const Number* code, const Number* from, Number* to,
             std::size_t lanes) {
  for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
    const Number* a = from + f * lanes;
    if (all_zero(a, lanes)) continue;
    const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
    for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
      const Number w = code ? Number(e->weight) * code[e->code] : Number(e->weight);
      add_scaled(w, a, to + e->to * lanes, lanes);
    }
  }
}

// Writes the message before the step, and adds what each code has of all paths to `mass`. What no
// path reaches needs no message.
template <typename Number>
void step_back(const Kernel& kernel, const Number* code, const Number* from, const Number* after,
               Number* before, Number* mass, One) {
  for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
    const Number a = from[f];
    if (is_zero(a)) continue;  // what no path reaches needs no message
    Number sum{};
    const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
    for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
      const Number x =
          (code ? Number(e->weight) * code[e->code] : Number(e->weight)) * after[e->to];
      sum += x;
      mass[e->code] += a * x;
    }
    before[f] = sum;
  }
}

template <typename Number>
void step_back(const Kernel& kernel, const Number* code, const Number* from, const Number* after,
               Number* before, Number* mass, std::size_t lanes) {
  for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
    const Number* a = from + f * lanes;
    if (all_zero(a, lanes)) continue;  // what no path reaches needs no message
    Number* back = before + f * lanes;
    const Kernel::Entry* end = kernel.entries.data() + kernel.first[f + 1];
    for (const Kernel::Entry* e = kernel.entries.data() + kernel.first[f]; e != end; ++e) {
      const Number w = code ? Number(e->weight) * code[e->code] : Number(e->weight);
      const Number* b = after + e->to * lanes;
      add_scaled(w, b, back, lanes);
      mass[e->code] += w * dot(a, b, lanes);
    }
  }
}

// The entries of a kernel by the state that they reach, and the states that they leave.
struct Arrivals {
  std::vector<std::uint32_t> first, entry, from;

  explicit Arrivals(const Kernel& kernel)
      : first(kernel.n_to + 2, 0), entry(kernel.entries.size()), from(kernel.entries.size()) {
    for (const Kernel::Entry& e : kernel.entries) ++first[e.to + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
      for (std::uint32_t i = kernel.first[f]; i < kernel.first[f + 1]; ++i) {
        const std::uint32_t at = first[kernel.entries[i].to + 1]++;
        entry[at] = i;
        from[at] = f;
      }
    }
  }
};

}  // namespace sdclattice
