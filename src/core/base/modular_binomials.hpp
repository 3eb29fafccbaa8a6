// Binomial coefficients modulo several primes, side by side.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/modular.hpp"

namespace sdclattice {

class Binomials {
 public:
  Binomials(const std::vector<PrimeModulus>& moduli, std::size_t most)
      : moduli_(moduli), most_(most) {
    const std::size_t k = moduli.size();
    small_.assign((most + 1) * (most + 1) * k, 0);
    for (std::size_t n = 0; n <= most; ++n)
      for (std::size_t j = 0; j <= n; ++j)
        for (std::size_t p = 0; p < k; ++p)
          small_[at(n, j) + p] = j == 0 || j == n ? moduli[p].one()
                                                  : moduli[p].sum(small_[at(n - 1, j - 1) + p],
                                                                  small_[at(n - 1, j) + p]);
    for (std::size_t i = 0; i <= most; ++i)
      for (const PrimeModulus& modulus : moduli)
        inverse_.push_back(i == 0 ? 0 : modulus.inverse(modulus.form(i)));
  }

  // Of n over j, n at most `most`.
  const std::uint64_t* small(std::size_t n, std::size_t j) const {
    assert(n <= most_ && j <= n);
    return small_.data() + at(n, j);
  }
  // From a + i - 1 over i - 1 to a + i over i.
  void raise(std::uint64_t* x, std::int64_t a, std::size_t i) const {
    for (std::size_t p = 0; p < moduli_.size(); ++p) {
      const PrimeModulus& m = moduli_[p];
      const std::uint64_t ratio =
          m.product(m.form(static_cast<std::uint64_t>(a) + i), inverse_[i * moduli_.size() + p]);
      x[p] = m.product(x[p], ratio);
    }
  }

 private:
  std::size_t at(std::size_t n, std::size_t j) const {
    return (n * (most_ + 1) + j) * moduli_.size();
  }

  const std::vector<PrimeModulus>& moduli_;
  std::size_t most_;
  std::vector<std::uint64_t> small_, inverse_;
};

}  // namespace sdclattice
