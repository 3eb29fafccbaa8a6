// Hash tables for keys that are whole numbers, by the million.
//
// What is computed. FlatMap gives words small values, FlatSet holds words, and KeyNumbers numbers
// keys of several words in the order in which they come. All are open addressing with linear
// probing over a power of two of slots; the way of a key begins at the top bits of its hash, which
// are the best mixed bits of a product. A part of the slots stays free, so that ways are short.
// What it costs. O(1) for each call, one miss of the cache for FlatMap and FlatSet and two for
// KeyNumbers. Nothing is ever taken out. Growing looks at the deadline.
// Agrees with std::unordered_map.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/deadline.hpp"
#include "base/error.hpp"

namespace sdclattice {

inline std::uint64_t hash_word(std::uint64_t word) {
  return (word ^ (word >> 32)) * 0x9e3779b97f4a7c15u;
}
template <class Width>
std::uint64_t hash_words(const std::uint64_t* words, Width width) {
  std::uint64_t mixed = 0;
  for (std::size_t w = 0; w < width; ++w) {
    mixed = (mixed ^ words[w]) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 32;
  }
  return mixed * 0xd6e8feb86659fd93u;
}

// The slots of a table, at least kRoom for each entry. A Slot has is_free(), true as it is made,
// and hash(), of which only the bits that `n_slots` needs are looked at; or whoever fills a slot
// says how to find the hash of what is in the others.
template <class Slot, std::size_t kRoom>
class FlatSlots {
  static_assert((kRoom & (kRoom - 1)) == 0, "the number of slots is a power of two");

 public:
  explicit FlatSlots(std::size_t n_expected) { clear(n_expected); }

  std::size_t size() const { return size_; }
  std::size_t n_slots() const { return slots_.size(); }
  // Empty, with room for so many entries before it grows.
  void clear(std::size_t n_expected) {
    size_ = 0;
    shift_ = 60;
    while ((std::uint64_t{1} << (64 - shift_)) < kRoom * n_expected) --shift_;
    const std::size_t n = std::size_t{1} << (64 - shift_);
    mask_ = n - 1;
    slots_.clear();
    slots_.reserve(n);
    while (slots_.size() < n) {
      poll();
      slots_.resize(std::min(n, slots_.size() + kPollEvery));
    }
  }
  const Slot* home(std::uint64_t hash) const { return &slots_[hash >> shift_]; }

  // The slot on the way of `hash` that `is` accepts, or the free one at its end.
  template <class Is>
  const Slot& find(std::uint64_t hash, Is is) const {
    std::size_t at = hash >> shift_;
    while (!slots_[at].is_free() && !is(slots_[at])) at = (at + 1) & mask_;
    return slots_[at];
  }
  // Fills a free slot that find() has come to.
  template <class HashOf>
  Slot& fill(const Slot& free, const Slot& fresh, HashOf hash_of) {
    assert(free.is_free() && !fresh.is_free());
    const bool is_full = kRoom * (size_ + 1) > mask_ + 1;
    if (is_full) grow(hash_of);
    Slot& slot = const_cast<Slot&>(is_full ? find_free(hash_of(fresh)) : free);
    slot = fresh;
    ++size_;
    return slot;
  }
  Slot& fill(const Slot& free, const Slot& fresh) {
    return fill(free, fresh, [](const Slot& slot) { return slot.hash(); });
  }

 private:
  const Slot& find_free(std::uint64_t hash) const {
    return find(hash, [](const Slot&) { return false; });
  }
  template <class HashOf>
  void grow(HashOf hash_of) {
    FlatSlots larger(2 * slots_.size() / kRoom);
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      poll_at(i);
      const Slot& slot = slots_[i];
      if (!slot.is_free()) larger.fill(larger.find_free(hash_of(slot)), slot, hash_of);
    }
    *this = std::move(larger);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0, mask_ = 0;
  unsigned shift_ = 60;
};

// Words, each with a value that is not kNone.
template <class Value, Value kNone, std::size_t kRoom = 2>
class FlatMap {
 public:
  explicit FlatMap(std::size_t n_expected = 0) : slots_(n_expected) {}

  std::size_t size() const { return slots_.size(); }
  // kNone when the word is not there.
  Value find(std::uint64_t word) const { return slots_.find(hash_word(word), Is{word}).value; }
  // The value of the word, and whether it is new; then it is `value`. Holds until the next call.
  std::pair<Value*, bool> try_emplace(std::uint64_t word, Value value) {
    assert(value != kNone);
    const Slot& slot = slots_.find(hash_word(word), Is{word});
    if (!slot.is_free()) return {const_cast<Value*>(&slot.value), false};
    return {&slots_.fill(slot, {word, value}).value, true};
  }

 private:
  struct Slot {
    std::uint64_t word = 0;
    Value value = kNone;
    bool is_free() const { return value == kNone; }
    std::uint64_t hash() const { return hash_word(word); }
  };
  struct Is {
    std::uint64_t word;
    bool operator()(const Slot& slot) const { return slot.word == word; }
  };
  FlatSlots<Slot, kRoom> slots_;
};

// Words other than 0.
class FlatSet {
 public:
  FlatSet() = default;
  explicit FlatSet(const std::vector<std::uint64_t>& words) {
    for (std::uint64_t word : words) insert(word);
  }
  std::size_t size() const { return slots_.size(); }
  bool contains(std::uint64_t word) const {
    return slots_.find(hash_word(word), Is{word}).word == word;
  }
  // Whether the word is new.
  bool insert(std::uint64_t word) {
    assert(word != 0);
    const Slot& slot = slots_.find(hash_word(word), Is{word});
    if (!slot.is_free()) return false;
    slots_.fill(slot, {word});
    return true;
  }

 private:
  struct Slot {
    std::uint64_t word = 0;
    bool is_free() const { return word == 0; }
    std::uint64_t hash() const { return hash_word(word); }
  };
  struct Is {
    std::uint64_t word;
    bool operator()(const Slot& slot) const { return slot.word == word; }
  };
  FlatSlots<Slot, 2> slots_{0};
};

// Numbers distinct keys of `width` words 0, 1, ... in the order in which they come. Each key has a
// row: its words, then `extra` words that are the user's own and 0 at first. A slot holds the
// number and the upper half of the hash, so that other keys are nearly never looked at. The width
// may be a type that the compiler knows the value of.
template <class Width = std::size_t>
class KeyNumbers {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  explicit KeyNumbers(Width width, std::size_t extra = 0, std::size_t n_expected = 0)
      : width_(width), stride_(width + extra), slots_(n_expected) {}

  std::size_t size() const { return slots_.size(); }
  const std::uint64_t* key(std::size_t number) const { return rows_.data() + number * stride_; }
  std::uint64_t* extra(std::size_t number) { return rows_.data() + number * stride_ + width_; }
  const std::uint64_t* extra(std::size_t number) const { return key(number) + width_; }

  // kNone when the key is not there.
  std::uint32_t find(const std::uint64_t* key) const {
    const std::uint64_t hash = hash_words(key, width_);
    return slots_.find(hash, Is{*this, hash, key}).number();
  }
  // Adds the key when it is not there.
  std::uint32_t number(const std::uint64_t* key) {
    const std::uint64_t hash = hash_words(key, width_);
    const Slot& slot = slots_.find(hash, Is{*this, hash, key});
    return slot.is_free() ? add(slot, hash, key) : slot.number();
  }

  // For loops that know their next keys: first the slots of some, then their rows.
  void prefetch_slot(const std::uint64_t* key) const {
    prefetch_for_writing(slots_.home(hash_words(key, width_)));
  }
  void prefetch_row(const std::uint64_t* key) const {
    const Slot* slot = slots_.home(hash_words(key, width_));
    if (!slot->is_free()) prefetch_for_writing(this->key(slot->number()));
  }

  void clear(std::size_t n_expected) {
    rows_.clear();
    slots_.clear(n_expected);
  }
  // The rows of all keys; nothing is left.
  std::vector<std::uint64_t> take() {
    rows_.resize(size() * stride_);
    std::vector<std::uint64_t> out = std::move(rows_);
    clear(0);
    return out;
  }

 private:
  // Slots are found by the upper half of a hash.
  static constexpr std::size_t kMaxKeys = std::size_t{1} << 31;
  static constexpr std::uint64_t kUpperHalf = ~std::uint64_t{UINT32_MAX};

  struct Slot {
    std::uint64_t bits = 0;  // the upper half of the hash; the number + 1
    Slot() = default;
    Slot(std::uint64_t hash, std::size_t number) : bits((hash & kUpperHalf) | (number + 1)) {}
    bool is_free() const { return bits == 0; }
    std::uint64_t hash() const { return bits & kUpperHalf; }
    std::uint32_t number() const { return static_cast<std::uint32_t>(bits) - 1; }
  };
  struct Is {
    const KeyNumbers& table;
    std::uint64_t hash;
    const std::uint64_t* key;
    bool operator()(const Slot& slot) const {
      return ((slot.bits ^ hash) & kUpperHalf) == 0 &&
             is_same(key, table.key(slot.number()), table.width_);
    }
  };

  static bool is_same(const std::uint64_t* a, const std::uint64_t* b, Width width) {
    for (std::size_t w = 0; w < width; ++w)
      if (a[w] != b[w]) return false;
    return true;
  }
  std::uint32_t add(const Slot& free, std::uint64_t hash, const std::uint64_t* key) {
    const std::size_t number = size();
    if (number >= kMaxKeys) throw TooLargeError("A table would hold more than 2^31 keys.");
    if (rows_.size() < (number + 1) * stride_) rows_.resize(2 * (number + 1) * stride_);
    std::copy_n(key, std::size_t{width_}, rows_.data() + number * stride_);
    slots_.fill(free, Slot(hash, number));
    return static_cast<std::uint32_t>(number);
  }

  Width width_;
  std::size_t stride_;
  FlatSlots<Slot, 2> slots_;
  std::vector<std::uint64_t> rows_;
};

}  // namespace sdclattice
