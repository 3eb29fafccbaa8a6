// Numbers 0, 1, ... for distinct texts, in the order in which they first come.
//
// Open addressing over slots that hold the number of a text and the upper half of its hash; the
// texts themselves lie one after the other. O(length) for each call. Agrees with
// std::map<std::string, int>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/flat_map.hpp"

namespace sdclattice {

class TextNumbers {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view text(std::size_t number) const {
    const std::size_t from = number == 0 ? 0 : ends_[number - 1];
    return std::string_view(bytes_).substr(from, ends_[number] - from);
  }
  // Adds the text when it is not there.
  std::uint32_t number(std::string_view text) {
    const std::uint64_t hash = hash_text(text);
    const Slot& slot = slots_.find(hash, [&](const Slot& s) {
      return ((s.bits ^ hash) & kUpperHalf) == 0 && this->text(s.number()) == text;
    });
    return slot.is_free() ? add(slot, hash, text) : slot.number();
  }

 private:
  static constexpr std::uint64_t kUpperHalf = ~std::uint64_t{UINT32_MAX};

  struct Slot {
    std::uint64_t bits = 0;  // the upper half of the hash; the number + 1
    bool is_free() const { return bits == 0; }
    std::uint64_t hash() const { return bits & kUpperHalf; }
    std::uint32_t number() const { return static_cast<std::uint32_t>(bits) - 1; }
  };

  static std::uint64_t hash_text(std::string_view text) {
    std::uint64_t mixed = text.size();
    for (std::size_t at = 0; at < text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
      mixed = (mixed ^ word) * 0x9e3779b97f4a7c15u;
      mixed ^= mixed >> 32;
    }
    return mixed * 0xd6e8feb86659fd93u;
  }
  std::uint32_t add(const Slot& free, std::uint64_t hash, std::string_view text) {
    if (size() >= INT32_MAX) throw TooLargeError("A column has more than 2^31 distinct values.");
    bytes_.append(text);
    ends_.push_back(bytes_.size());
    slots_.fill(free, Slot{(hash & kUpperHalf) | size()});
    return static_cast<std::uint32_t>(size() - 1);
  }

  FlatSlots<Slot, 2> slots_{0};
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

}  // namespace sdclattice
