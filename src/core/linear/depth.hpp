// Counts the choices of a search that are open, and gives up where they are too many.
#pragma once

#include <cstddef>

#include "base/error.hpp"

namespace sdclattice {

class Depth {
 public:
  explicit Depth(std::size_t& depth) : depth_(depth) {
    if (depth_ >= kDeepest) throw TooLargeError("The search makes too many choices at a time.");
    ++depth_;
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  // Each choice takes a frame of the stack, of which R has 8 MB.
  static constexpr std::size_t kDeepest = 4000;
  std::size_t& depth_;
};

}  // namespace sdclattice
