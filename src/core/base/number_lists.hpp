// Many short lists of numbers in one piece of memory.
//
// What is computed. Numbers are put at the end of one of n lists and read in this order. Each list
// is a ring: its last entry leads to its first one.
// What it costs. 4 bytes for each list and 8 for each number, of which there may be 2^32 - 2;
// O(1) for each step.
// Agrees with a vector of vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.hpp"

namespace sdclattice {

class NumberLists {
 public:
  NumberLists() = default;
  explicit NumberLists(std::size_t n_lists) : last_(n_lists, kNone) {}

  void push_back(std::size_t list, std::uint32_t number) {
    if (entries_.size() >= kNone) throw TooLargeError("Lists would hold more than 2^32 numbers.");
    const auto at = static_cast<std::uint32_t>(entries_.size());
    std::uint32_t& last = last_[list];
    entries_.push_back({number, last == kNone ? at : entries_[last].next});
    if (last != kNone) entries_[last].next = at;
    last = at;
  }

  // Calls visit(number) for each number of a list, until it returns false. False then.
  template <class Visit>
  bool each(std::size_t list, Visit visit) const {
    const std::uint32_t last = last_[list];
    if (last == kNone) return true;
    std::uint32_t at = last;
    do {
      at = entries_[at].next;
      if (!visit(entries_[at].number)) return false;
    } while (at != last);
    return true;
  }

  // All lists are empty then.
  void clear() {
    entries_.clear();
    last_.assign(last_.size(), kNone);
  }
  // Lists that are named here are empty then. They must be all that are not empty.
  template <class Lists>
  void clear(const Lists& lists) {
    entries_.clear();
    for (const std::size_t list : lists) last_[list] = kNone;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Entry {
    std::uint32_t number, next;
  };
  std::vector<std::uint32_t> last_;
  std::vector<Entry> entries_;
};

}  // namespace sdclattice
