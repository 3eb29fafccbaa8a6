// The walk band by band against the walk along the sequence, step by step.
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/band_walk.hpp"

using namespace sdclattice;

namespace {

std::vector<std::int32_t> shuffled(std::size_t n, std::mt19937& dice) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  std::shuffle(out.begin(), out.end(), dice);
  return out;
}

// A set of bands: its entries, its groups, and the cycles of a cover.
struct Set {
  CycleSet cycles;
  BandGroups groups;

  explicit Set(const Bands& bands) : cycles(bands.expand()), groups(as_groups(bands)) { order(); }
  Set(const Lines& lines, const Groups& of)
      : cycles(cycles_banded(lines, of)), groups(*as_groups(lines, of)) {
    order();
  }
  void order() {
    if (!cycles.cover.empty()) return;
    cycles.cover.resize(cycles.size());
    std::iota(cycles.cover.begin(), cycles.cover.end(), 0);
  }
};

// Pairs of lines, and three of them where one is left, or triads, on rings of their own.
Set random_set(std::mt19937& dice) {
  const std::size_t rows = 2 + dice() % 6, columns = 2 + dice() % 6;
  if (dice() % 5 == 0)
    return Set(dice() % 2 ? bands_lenz(rows, columns) : bands_chain(rows, columns));
  const Lines lines{rows, columns, dice() % 2 == 0};
  Groups groups;
  groups.triads = dice() % 2 == 0;
  const std::vector<std::int32_t> order = shuffled(lines.count(), dice);
  for (std::size_t i = 0; i + 1 < order.size(); i += 2)
    groups.lines.push_back({order[i], order[i + 1]});
  if (order.size() % 2 == 1) groups.lines.back().push_back(order.back());
  for (std::size_t g = 0; g < groups.lines.size(); ++g)
    groups.rings.push_back(shuffled(lines.length(), dice));
  groups.open = dice() % 2 == 0;
  if (find_fault(lines, groups)) return random_set(dice);
  return Set(lines, groups);
}

Mechanism random_mechanism(const Set& set, std::size_t covers, std::mt19937& dice) {
  Mechanism out;
  out.rule = dice() % 2 ? ZeroRule::blocked : ZeroRule::nonnegative;
  const std::size_t n = dice() % 2 ? 1 : set.cycles.size();
  for (std::size_t c = 0; c < n; ++c) {
    out.alpha.push_back(.1 * double(dice() % 6));
    out.beta.push_back(.1 * double(dice() % 6));
  }
  for (std::size_t c = 0; c < covers; ++c)
    out.sequence.insert(out.sequence.end(), set.cycles.cover.begin(), set.cycles.cover.end());
  return out;
}

}  // namespace

TEST(bands_give_the_walk_along_the_sequence) {
  std::mt19937 dice(5);
  for (int round = 0; round < 400; ++round) {
    const Set set = random_set(dice);
    const std::size_t covers = 1 + dice() % 3;
    const Mechanism mechanism = random_mechanism(set, covers, dice);
    std::vector<std::int64_t> counts(set.groups.n_cells());
    for (auto& n : counts) n = dice() % 4;
    const std::vector<double> given(counts.begin(), counts.end());
    const BandWalk walk(set.groups, mechanism, covers);
    CHECK_EQ(walk.n_steps(), mechanism.sequence.size());

    std::vector<std::uint64_t> coins;
    std::vector<unsigned char> bytes;
    for (std::size_t i = 0; i < walk.n_steps(); ++i) {
      coins.push_back(std::uint64_t{dice()} << 32 | dice());
      for (unsigned b = 0; b < 8; ++b)
        bytes.push_back(static_cast<unsigned char>(coins.back() >> 8 * b));
    }
    const Perturbed twin = perturb(counts, set.cycles, mechanism, coins);
    std::vector<double> out(counts.size());
    std::vector<std::int32_t> applied(walk.n_steps(), 0);
    walk.perturb(given.data(), given.size(), bytes.data(), out.data(), applied.data(), {});
    CHECK(std::equal(out.begin(), out.end(), twin.counts.begin()));
    CHECK(std::equal(applied.begin(), applied.end(), twin.applied.begin()));

    const Rehearsal a = rehearse(counts, set.cycles, mechanism, 3, 17);
    const Rehearsal b = walk.rehearse(given.data(), given.size(), 3, 17, {});
    CHECK(a.changed_small == b.changed_small && a.changed_nonzero == b.changed_nonzero);
    CHECK(a.asked == b.asked && a.prevented == b.prevented);
    CHECK(a.small == b.small && a.nonzero == b.nonzero);
  }
}

TEST(tables_larger_than_a_tile) {
  std::mt19937 dice(6);
  for (bool transposed : {false, true}) {
    Groups groups;
    const Lines lines{70, 70, transposed};
    for (std::int32_t i = 0; i < 70; i += 2) groups.lines.push_back({i, (i + 35) % 70 / 2 * 2 + 1});
    for (std::size_t g = 0; g < groups.lines.size(); ++g)
      groups.rings.push_back(shuffled(70, dice));
    const Set set(lines, groups);
    const Mechanism mechanism = random_mechanism(set, 2, dice);
    const std::vector<std::int64_t> counts(set.groups.n_cells(), 2);
    const std::vector<double> given(counts.begin(), counts.end());
    const Rehearsal a = rehearse(counts, set.cycles, mechanism, 2, 4);
    const Rehearsal b =
        BandWalk(set.groups, mechanism, 2).rehearse(given.data(), given.size(), 2, 4, {});
    CHECK(a.changed_small == b.changed_small && a.prevented == b.prevented);
  }
}

TEST(what_cannot_be_walked) {
  const BandGroups set = as_groups(bands_lenz(3, 4));
  const Mechanism even{{}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> negative(12, -1), few(11, 1);
  const BandWalk walk(set, even, 1);
  CHECK_THROWS(InputError, walk.rehearse(negative.data(), 12, 1, 1, {}));
  CHECK_THROWS(InputError, walk.rehearse(few.data(), 11, 1, 1, {}));
  CHECK_THROWS(InputError, BandWalk(set, {{}, {.25}, {.25}, ZeroRule::none}, 1));
  CHECK_THROWS(InputError, BandWalk(set, {{}, {.7}, {.7}, ZeroRule::blocked}, 1));
}
