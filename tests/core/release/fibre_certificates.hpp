// Certificates of small releases, from all tables with their margins.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "release/verify_release.hpp"

namespace fibre_certificates {

using namespace sdclattice;
using namespace cases;

// For each cell at risk the two tables at its ends, among all tables with the margins.
struct Certificates {
  Dense x;
  std::vector<Mask> sets;
  Stored stored;
  bool complete = true;
  std::vector<std::vector<std::int64_t>> ends;  // low, high for each cell at risk
  std::vector<std::uint64_t> keys;
  std::vector<std::int32_t> target, cell, by;
  std::vector<double> start{0};

  Certificates(Dense dense, std::vector<Mask> frontier)
      : x(std::move(dense)), sets(std::move(frontier)), stored(x, 2) {
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k)
      for (int side = 0; side < 2; ++side) ends.push_back(x.counts);
    SameMargins tables(x, sets);
    tables.budget = 100000;
    complete = tables.each([&](const std::vector<std::int64_t>& table) {
      for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
        const std::size_t c = stored.risk_cell(k);
        if (table[c] < ends[2 * k][c]) ends[2 * k] = table;
        if (table[c] > ends[2 * k + 1][c]) ends[2 * k + 1] = table;
      }
      return true;
    });
    std::vector<std::uint64_t> key(stored.layout.n_words(), 0);
    for (std::size_t c = 0; c < x.counts.size(); ++c) {
      for (std::size_t v = 0; v < x.n_variables(); ++v)
        stored.layout.put(key.data(), v, x.level(c, v));
      keys.insert(keys.end(), key.begin(), key.end());
    }
    for (std::size_t k = 0; k < stored.at_risk.size(); ++k) {
      target.push_back(static_cast<std::int32_t>(stored.risk_cell(k)));
      for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t c = 0; c < x.counts.size(); ++c)
          if (const auto d = ends[2 * k + side][c] - x.counts[c]; d != 0) add(c, d);
        start.push_back(static_cast<double>(cell.size()));
      }
    }
  }
  void add(std::size_t c, std::int64_t d) {
    cell.push_back(static_cast<std::int32_t>(c));
    by.push_back(static_cast<std::int32_t>(d));
  }
  std::int64_t width(std::size_t k) const {
    const std::size_t c = stored.risk_cell(k);
    return ends[2 * k + 1][c] - ends[2 * k][c];
  }
  std::int64_t width() const {
    std::int64_t out = INT64_MAX;
    for (std::size_t k = 0; k < target.size(); ++k) out = std::min(out, width(k));
    return out;
  }
  CertificateList list() const {
    CertificateList out;
    out.keys = keys.data();
    out.n_keys = keys.size() / stored.layout.n_words();
    out.target = target.data();
    out.n = target.size();
    out.start = start.data();
    out.n_start = start.size();
    out.cell = cell.data();
    out.by = by.data();
    out.n_entries = cell.size();
    return out;
  }
  ReleaseCheck check(std::int64_t beta, std::size_t threads = 1) const {
    return check_certificates(stored.layout, stored.view(), stored.at_risk, margins(), beta, list(),
                              {}, threads);
  }
  std::vector<std::vector<std::uint32_t>> margins() const {
    std::vector<std::vector<std::uint32_t>> out;
    for (Mask set : sets) {
      out.emplace_back();
      for (std::uint32_t v = 0; v < x.n_variables(); ++v)
        if (in(set, v)) out.back().push_back(v);
    }
    return out;
  }
};

// One with cells at risk, and with tables besides the true one.
inline Certificates random_certificates(PublicRandom& random) {
  for (;;) {
    Dense x = random_dense(random, random_levels(random, 3, 1, 3), 3, 1);
    if (x.counts.size() > 12 || Stored(x, 2).at_risk.empty()) continue;
    Certificates out(std::move(x), random_frontier(random, 3, 3));
    if (out.complete && !out.cell.empty()) return out;
  }
}

}  // namespace fibre_certificates
