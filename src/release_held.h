// Certificates as R holds them, for the bridge files that read and write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base_vectors.h"
#include "release/verify_release.hpp"

// R's vectors are held, for the list is a view of them.
struct HeldCertificates {
  Rcpp::RawVector keys;
  Rcpp::NumericVector start;
  Rcpp::IntegerVector target, cell, by;
  sdclattice::CertificateList list;

  HeldCertificates(const Rcpp::List& x, std::size_t n_words)
      : keys(x["keys"]), start(x["start"]), target(x["target"]), cell(x["cell"]), by(x["by"]) {
    const std::size_t key_size = 8 * n_words;
    if (keys.size() % static_cast<R_xlen_t>(key_size) != 0 || cell.size() != by.size() ||
        start.size() == 0)
      throw sdclattice::InputError(
          "The certificates are damaged: their parts do not fit each other.");
    list.keys = reinterpret_cast<const std::uint64_t*>(RAW(keys));
    list.n_keys = static_cast<std::size_t>(keys.size()) / key_size;
    list.target = target.begin();
    list.n = static_cast<std::size_t>(target.size());
    list.start = start.begin();
    list.n_start = static_cast<std::size_t>(start.size());
    list.cell = cell.begin();
    list.by = by.begin();
    list.n_entries = static_cast<std::size_t>(cell.size());
  }
};

inline Rcpp::RawVector from_keys(const std::vector<std::uint64_t>& keys) {
  Rcpp::RawVector out(static_cast<R_xlen_t>(8 * keys.size()));
  if (!keys.empty()) std::memcpy(RAW(out), keys.data(), 8 * keys.size());
  return out;
}

// Positions of stored cells, 1-based in R.
inline std::vector<std::uint32_t> as_positions(const Rcpp::IntegerVector& positions) {
  std::vector<std::uint32_t> out;
  for (int position : positions) out.push_back(static_cast<std::uint32_t>(position - 1));
  return out;
}
