#include "store/ledger.hpp"

#include <algorithm>
#include <cstring>

namespace sdclattice {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

}  // namespace

void Sha256::update(const std::uint8_t* bytes, std::size_t n) {
  total_ += n;
  if (held_ > 0) {
    const std::size_t taken = std::min(n, block_.size() - held_);
    std::memcpy(block_.data() + held_, bytes, taken);
    held_ += taken, bytes += taken, n -= taken;
    if (held_ < block_.size()) return;
    compress_(state_.data(), block_.data(), 1);
    held_ = 0;
  }
  const std::size_t whole = n / block_.size();
  compress_(state_.data(), bytes, whole);
  bytes += whole * block_.size(), n -= whole * block_.size();
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
