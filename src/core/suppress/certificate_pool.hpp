// Certificates that were found, to be looked through before any search: does one of them show that
// a demand is met?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// A set of cells, a bit each.
class CellBits {
 public:
  explicit CellBits(std::size_t n_cells) : words_((n_cells + 63) / 64, 0) {}

  bool has(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  // Is each cell of this set one of the other?
  bool is_inside(const CellBits& other) const;

 private:
  std::vector<std::uint64_t> words_;
};

class CertificatePool {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;
  // How far certificates move a cell up and down, and which of them; 0 is what the table itself
  // shows.
  struct Reach {
    std::int64_t up = 0, down = 0;
    std::size_t up_at = kNone, down_at = kNone;

    bool meets(const Demand& demand) const {
      return up >= demand.up && down >= demand.down && up + down >= demand.slide;
    }
  };

  explicit CertificatePool(std::size_t n_cells) : by_cell_(n_cells) {}

  void add(Certificate certificate);
  // The difference between a table and another one; nothing where they are equal.
  void add_difference(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to);
  // By the certificates that change no cell outside of `free`.
  Reach reach(std::uint32_t cell, const CellBits& free) const;

  // Whether a certificate changes a cell; kNone changes none.
  bool changes(std::size_t k, std::size_t cell) const {
    return k != kNone && support_[k].has(cell);
  }
  std::size_t size() const { return certificates_.size(); }
  const Certificate& operator[](std::size_t k) const { return certificates_[k]; }

 private:
  struct Entry {
    std::size_t certificate;
    std::int64_t change;
  };
  std::vector<Certificate> certificates_;
  std::vector<CellBits> support_;
  std::vector<std::vector<Entry>> by_cell_;
};

}  // namespace sdclattice
