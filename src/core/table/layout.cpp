#include "table/layout.hpp"

#include <utility>

namespace sdclattice {

namespace {

unsigned bits_for(std::uint32_t levels) {
  unsigned bits = 0;
  while (bits < 32 && (std::uint64_t{1} << bits) < levels) ++bits;
  return bits;
}

}  // namespace

Layout::Layout(std::vector<std::uint32_t> levels) : levels_(std::move(levels)), used_(1, 0) {
  for (std::uint32_t n : levels_) {
    const unsigned bits = bits_for(n);
    if (used_.back() + bits > 64) used_.push_back(0);
    fields_.push_back(
        {used_.size() - 1, bits == 0 ? 0 : used_.back(), (std::uint64_t{1} << bits) - 1});
    used_.back() += bits;
  }
}

double Layout::n_cells() const {
  double n = 1;
  for (std::uint32_t levels : levels_) n *= levels;
  return n;
}

std::vector<std::size_t> Layout::strides() const {
  std::vector<std::size_t> out;
  std::size_t stride = 1;
  for (std::uint32_t levels : levels_) {
    out.push_back(stride);
    stride *= levels;
  }
  return out;
}

}  // namespace sdclattice
