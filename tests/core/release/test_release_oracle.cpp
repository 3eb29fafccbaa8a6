// The oracle of safe releases: against all tables, for all releases of three variables.
#include <cmath>

#include "base/error.hpp"
#include "cases.hpp"
#include "check.hpp"
#include "release/release_oracle.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

const Tick kQuiet = [](double) {};

Lattice below(const std::vector<Mask>& sets, std::size_t n) {
  Lattice out;
  for (Mask part = 0; part < Mask{1} << n; ++part)
    for (Mask set : sets)
      if (inside(part, set)) out.set(part);
  return out;
}

// All releases of three variables, which hold the total at least.
std::vector<Lattice> all_releases() {
  std::vector<Lattice> out;
  for (unsigned long code = 1; code < 256; code += 2) {
    std::vector<Mask> sets;
    for (Mask m = 0; m < 8; ++m)
      if ((code >> m & 1) != 0) sets.push_back(m);
    if (below(sets, 3) == Lattice(code)) out.emplace_back(code);
  }
  return out;
}

// The widths of the cells at risk, from all tables; empty where there are too many.
std::vector<std::int64_t> widths(const Dense& x, const Stored& stored, const Lattice& down) {
  std::vector<Mask> sets;
  for (Mask m = 0; m <= x.all(); ++m)
    if (down[m]) sets.push_back(m);
  const auto exact = sharp_bounds(x, maximal(sets), 300000);
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < stored.at_risk.size() && !exact.empty(); ++k)
    out.push_back(exact[stored.risk_cell(k)].width());
  return out;
}

bool all_wide(const std::vector<std::int64_t>& widths, std::int64_t beta) {
  return std::all_of(widths.begin(), widths.end(), [&](std::int64_t w) { return w >= beta; });
}

Dense small_table(PublicRandom& random) {
  for (;;) {
    Dense x = random_dense(random, {2, 2, 2}, 2, 1);
    std::int64_t total = 0;
    for (std::int64_t count : x.counts) total += count;
    if (total > 2 && total < 9 && !Stored(x, 2).at_risk.empty()) return x;
  }
}

}  // namespace

TEST(lattices_are_intervals_of_sub_tables) {
  int wrong = 0;
  for (Mask set = 0; set < 32; ++set) {
    const Lattice down = lattice_below(set), up = lattice_above(set, 5);
    for (Mask m = 0; m < 128; ++m) {
      wrong += down[m] != inside(m, set);
      wrong += up[m] != (m < 32 && inside(set, m));
    }
    wrong += lattice_frontier(down, 5) != std::vector<Mask>{set};
  }
  PublicRandom random(1);
  for (int round = 0; round < 200; ++round) {
    const auto sets = random_frontier(random, 6, 5);
    wrong += lattice_frontier(below(sets, 6), 6) != sets;
  }
  CHECK_EQ(wrong, 0);
  CHECK(lattice_frontier(Lattice(), 4).empty());
  CHECK_EQ(all_releases().size(), 19u);
}

TEST(safety_of_all_releases_of_small_tables) {
  PublicRandom random(2);
  auto releases = all_releases();
  int wrong = 0, safe = 0, unsafe = 0;
  std::size_t asked = 0, searched = 0;
  for (int round = 0; round < 25; ++round) {
    const Dense x = small_table(random);
    const Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    WorkClock clock(1000, kQuiet);
    const auto beta = static_cast<std::int64_t>(1 + random.below(3));
    ReleaseOracle oracle(risk, beta, 8, {}, clock);
    random.shuffle(releases.begin(), releases.end());
    for (const Lattice& down : releases) {
      const bool expected = all_wide(widths(x, stored, down), beta);
      wrong += oracle.is_safe(down) != expected;
      wrong += oracle.is_safe(down) != expected;  // and what it has learned says the same
      ++(expected ? safe : unsafe);
    }
    wrong += oracle.n_undecided != 0;
    asked += oracle.n_asked;
    searched += oracle.n_searched;
  }
  CHECK_EQ(wrong, 0);
  CHECK(safe > 50 && unsafe > 50);
  CHECK(2 * searched < asked);
}

// A minimal unsafe set is unsafe at some cell that any of its maximal sub-tables is needed for.
TEST(minimal_unsafe_sets_are_minimal_for_a_cell) {
  PublicRandom random(3);
  const auto releases = all_releases();
  int wrong = 0, n = 0, smaller = 0;
  for (int round = 0; round < 20; ++round) {
    const Dense x = small_table(random);
    const Stored stored(x, 2);
    const RiskCells risk = stored.risk();
    WorkClock clock(1000, kQuiet);
    const std::int64_t beta = 2;
    ReleaseOracle oracle(risk, beta, 8, {}, clock);
    for (const Lattice& down : releases) {
      if (oracle.is_safe(down)) continue;
      const Lattice found = oracle.minimal_unsafe(down, random);
      wrong += (found & ~down).any();
      smaller += found != down;
      const auto here = widths(x, stored, found);
      std::vector<std::vector<std::int64_t>> without;
      for (Mask set : lattice_frontier(found, 3)) {
        Lattice less = found;
        less.reset(set);
        if (set != 0) without.push_back(widths(x, stored, less));
      }
      bool minimal = false;
      for (std::size_t k = 0; k < here.size(); ++k) {
        bool needed = here[k] < beta;
        for (const auto& w : without) needed = needed && w[k] >= beta;
        minimal = minimal || needed;
      }
      wrong += !minimal;
      ++n;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(n > 60 && smaller > 20);
}

TEST(least_counts_are_those_at_the_cells_at_risk) {
  PublicRandom random(4);
  for (int round = 0; round < 20; ++round) {
    const Dense x = random_dense(random, {2, 3, 2}, 5, 1);
    const Stored stored(x, 3);
    if (stored.at_risk.empty()) continue;
    const RiskCells risk = stored.risk();
    WorkClock clock(1000, kQuiet);
    const ReleaseOracle oracle(risk, 2, 12, {}, clock);
    CHECK_EQ(oracle.n_variables(), 3u);
    for (Mask set = 0; set < 8; ++set) {
      auto margin = x.margin(set);
      std::int64_t least = INT64_MAX;
      for (std::size_t k = 0; k < risk.size(); ++k)
        least = std::min(least, margin[x.at(stored.risk_cell(k), set)]);
      CHECK_EQ(oracle.least_count(set), least);
    }
  }
}

TEST(too_many_variables_or_cells_are_refused) {
  WorkClock clock(1000, kQuiet);
  const Dense x{{2, 3}, {1, 2, 3, 1, 2, 3}}, many{Levels(8, 1), {1}};
  const Stored stored(x, 3), wide(many, 3);
  const RiskCells risk = stored.risk(), eight = wide.risk();
  CHECK_EQ(ReleaseOracle(risk, 1, 6, {}, clock).n_asked, 0u);
  CHECK_THROWS(TooLargeError, ReleaseOracle(risk, 1, 5, {}, clock));
  CHECK_THROWS(TooLargeError, ReleaseOracle(eight, 1, 1000, {}, clock));
}
