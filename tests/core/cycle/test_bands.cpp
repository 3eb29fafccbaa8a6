// The linkage of bands by their rule against that of their entries, number by number; their entries
// against those of the sets that they are.
#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/bands.hpp"
#include "cycle/linkage.hpp"

using namespace sdclattice;

namespace {

bool same_entries(const CycleSet& a, const CycleSet& b) {
  return a.n_cells == b.n_cells && a.start == b.start && a.cell == b.cell && a.coef == b.coef;
}

void compare(const Bands& bands, const CycleSet& set) {
  CHECK(bands.size() == set.size());
  CHECK(bands.n_cells() == set.n_cells);
  CHECK(same_entries(bands.expand(), set));
  std::vector<std::int32_t> room(set.n_cells, 99), own(set.n_cells, 99);
  const Linkage found = find_linkage(bands, room.data());
  const Linkage slow = find_linkage(set, false, own.data());
  CHECK(room == own);
  CHECK(found.n_cells == slow.n_cells);
  CHECK(found.n_cycles == slow.n_cycles);
  CHECK(found.law_start == slow.law_start);
  CHECK(found.law_cycle == slow.law_cycle);
  CHECK(found.law_coef == slow.law_coef);
  CHECK(found.components.size() == slow.components.size());
  for (std::size_t k = 0; k < slow.components.size(); ++k) {
    CHECK(found.components[k].cycles == slow.components[k].cycles);
    CHECK(found.components[k].first_law == slow.components[k].first_law);
    CHECK(found.components[k].n_laws == slow.components[k].n_laws);
  }
}

std::vector<std::int32_t> shuffled(std::size_t n, std::mt19937& source) {
  std::vector<std::int32_t> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int32_t>(i);
  std::shuffle(out.begin(), out.end(), source);
  return out;
}

// Pairs, and bands of three where rings are closed and long enough, on shuffled lines.
Groups random_groups(const Lines& lines, bool open, std::mt19937& source) {
  Groups out;
  out.open = open;
  const std::vector<std::int32_t> line = shuffled(lines.count(), source);
  for (std::size_t k = 0; k < line.size();) {
    const std::size_t left = line.size() - k;
    const bool three = left == 3 || (left > 4 && !open && lines.length() > 2 && source() % 2 == 0);
    const auto from = line.begin() + static_cast<std::ptrdiff_t>(k);
    k += three ? 3 : 2;
    out.lines.emplace_back(from, line.begin() + static_cast<std::ptrdiff_t>(k));
    out.rings.push_back(shuffled(lines.length(), source));
  }
  return out;
}

}  // namespace

TEST(every_shape) {
  for (std::size_t m = 2; m <= 9; ++m)
    for (std::size_t n = 2; n <= 9; ++n) {
      compare(bands_lenz(m, n), cycles_lenz(m, n));
      compare(bands_chain(m, n), cycles_chain(m, n));
    }
}

TEST(random_bands) {
  std::mt19937 source(7);
  std::size_t n_compared = 0;
  for (int round = 0; round < 400; ++round) {
    const Lines lines{2 + source() % 7, 2 + source() % 7, source() % 2 == 0};
    const bool open = source() % 2 == 0;
    if (lines.count() % 2 == 1 && (open || lines.length() < 3)) continue;
    const Groups groups = random_groups(lines, open, source);
    const auto bands = bands_of(lines, groups);
    CHECK(bands.has_value());
    compare(*bands, cycles_banded(lines, groups));
    ++n_compared;
  }
  CHECK(n_compared > 200);
}

TEST(other_sets) {
  Groups triads{{{0, 1, 2}}, {{0, 1, 2, 3}}, true};
  CHECK(!bands_of({3, 4, false}, triads));
  Groups skipping{{{0, 1}}, {{0, 1, 2}}, false, true, true};
  CHECK(!bands_of({2, 3, false}, skipping));
  CHECK_THROWS(InputError, bands_of({4, 3, false}, {{{0, 1}}, {{0, 1, 2}}}));
  CHECK_THROWS(InputError, bands_lenz(1, 5));
}
