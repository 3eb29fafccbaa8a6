// Public random numbers: the same on every platform. They protect nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sdclattice {

// SplitMix64 (Steele, Lea and Flood 2014).
class PublicRandom {
 public:
  explicit PublicRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // 0, ..., n - 1, each as likely as the others up to n / 2^64.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((*this)() % n); }

  // A number in [0, 1).
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  // std::shuffle() may differ between libraries.
  template <class Iterator>
  void shuffle(Iterator first, Iterator last) {
    for (auto n = last - first; n > 1; --n) {
      std::swap(first[n - 1],
                first[static_cast<std::ptrdiff_t>(below(static_cast<std::size_t>(n)))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace sdclattice
