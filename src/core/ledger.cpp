#include "core/ledger.hpp"

#include <algorithm>
#include <cstring>

namespace sdclattice {

namespace {

constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr char kHexDigits[] = "0123456789abcdef";

std::uint32_t rotated(std::uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

using Word = std::uint32_t;

void one_round(Word a, Word b, Word c, Word& d, Word e, Word f, Word g, Word& h, Word added) {
  const Word first =
      h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + added;
  d += first;
  h = first + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

std::uint32_t big_endian(const std::uint8_t* b) {
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

}  // namespace

// The eight words keep their places and the rounds turn around them, eight at a time.
void Sha256::compress(const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7] +
           (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (int t = 0; t < 64; t += 8) {
    one_round(a, b, c, d, e, f, g, h, kRound[t] + w[t]);
    one_round(h, a, b, c, d, e, f, g, kRound[t + 1] + w[t + 1]);
    one_round(g, h, a, b, c, d, e, f, kRound[t + 2] + w[t + 2]);
    one_round(f, g, h, a, b, c, d, e, kRound[t + 3] + w[t + 3]);
    one_round(e, f, g, h, a, b, c, d, kRound[t + 4] + w[t + 4]);
    one_round(d, e, f, g, h, a, b, c, kRound[t + 5] + w[t + 5]);
    one_round(c, d, e, f, g, h, a, b, kRound[t + 6] + w[t + 6]);
    one_round(b, c, d, e, f, g, h, a, kRound[t + 7] + w[t + 7]);
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += added[i];
}

void Sha256::update(const std::uint8_t* bytes, std::size_t n) {
  total_ += n;
  if (held_ > 0) {
    const std::size_t taken = std::min(n, block_.size() - held_);
    std::memcpy(block_.data() + held_, bytes, taken);
    held_ += taken, bytes += taken, n -= taken;
    if (held_ < block_.size()) return;
    compress(block_.data());
    held_ = 0;
  }
  for (; n >= block_.size(); bytes += block_.size(), n -= block_.size()) compress(bytes);
  if (n > 0) std::memcpy(block_.data(), bytes, n);
  held_ = n;
}

void Sha256::update(std::string_view text) {
  if (!text.empty()) update(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

// A bit 1, zeros up to 8 bytes before the end of a block, and the length in bits.
Digest Sha256::finish() {
  const std::uint64_t bits = 8 * total_;
  const std::size_t padding = (held_ < 56 ? 56 : 120) - held_;
  std::array<std::uint8_t, 128> tail{};
  tail[0] = 0x80;
  for (std::size_t i = 0; i < 8; ++i)
    tail[padding + i] = static_cast<std::uint8_t>(bits >> (56 - 8 * i));
  update(tail.data(), padding + 8);
  Digest out;
  for (std::size_t i = 0; i < 32; ++i)
    out[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return out;
}

TextHash::TextHash(std::string_view key) : keyed_(!key.empty()) {
  if (!keyed_) return;
  std::array<std::uint8_t, 64> block{};
  if (key.size() <= block.size()) {
    std::memcpy(block.data(), key.data(), key.size());
  } else {
    Sha256 shortened;
    shortened.update(key);
    const Digest digest = shortened.finish();
    std::memcpy(block.data(), digest.data(), digest.size());
  }
  std::array<std::uint8_t, 64> pad;
  for (std::size_t i = 0; i < 64; ++i) pad[i] = block[i] ^ 0x36;
  inner_.update(pad.data(), pad.size());
  for (std::size_t i = 0; i < 64; ++i) pad[i] = block[i] ^ 0x5c;
  outer_.update(pad.data(), pad.size());
}

Digest TextHash::operator()(std::string_view text) const {
  Sha256 inner = inner_;
  inner.update(text);
  const Digest digest = inner.finish();
  if (!keyed_) return digest;
  Sha256 outer = outer_;
  outer.update(digest.data(), digest.size());
  return outer.finish();
}

std::string lower_hex(const Digest& digest) {
  std::string out;
  out.reserve(64);
  for (const std::uint8_t byte : digest) {
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t from = 0;  // what is before it has been appended
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out += text.substr(from, i - from);
    from = i;
    if (byte >= 0x20) {
      out += '\\';
      continue;
    }
    out += "\\u00";
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
    ++from;
  }
  out += text.substr(from);
  out += '"';
}

}  // namespace sdclattice
