// The hashes of a ledger's rows, and the SHA-256 (FIPS 180-4) and HMAC (RFC 2104) behind them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256_blocks.hpp"

namespace sdclattice {

using Digest = std::array<std::uint8_t, 32>;

// SHA-256 of bytes that come in pieces.
class Sha256 {
 public:
  void update(const std::uint8_t* bytes, std::size_t n);
  void update(std::string_view text);
  // The digest of all that came; after it the object is spent.
  Digest finish();

 private:
  Sha256Blocks compress_ = sha256_blocks();
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> block_{};
  std::size_t held_ = 0;     // bytes in block_
  std::uint64_t total_ = 0;  // bytes in all
};

// Hashes of texts: SHA-256, or HMAC-SHA-256 with a key that is not empty.
class TextHash {
 public:
  explicit TextHash(std::string_view key);
  Digest operator()(std::string_view text) const;

 private:
  bool keyed_;
  Sha256 inner_, outer_;  // have seen the key's blocks
};

std::string lower_hex(const Digest& digest);

// Appends `text` as a JSON string: quotes, backslashes and the control characters below U+0020 are
// escaped, the last as \u00xx; all other bytes stay.
void append_json_string(std::string& out, std::string_view text);

}  // namespace sdclattice
