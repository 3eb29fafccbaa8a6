#include "perturb/band_walk.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kCellsPerTick = std::size_t{1} << 18;

// Position `at` of the ring moved on by a cycle, where both are below n.
std::size_t moved_on(std::int32_t at, std::size_t by, std::size_t n) {
  const std::size_t sum = static_cast<std::size_t>(at) + by;
  return sum < n ? sum : sum - n;
}

std::uint64_t coin_at(const unsigned char* bytes) {
  std::uint64_t coin = 0;
  for (unsigned b = 0; b < 8; ++b) coin |= std::uint64_t{bytes[b]} << 8 * b;
  return coin;
}

// The public numbers after the first n: SplitMix64 adds a constant for each.
PublicRandom public_numbers(std::uint64_t seed, std::uint64_t n) {
  return PublicRandom(seed + n * 0x9e3779b97f4a7c15ULL);
}

// A matrix of n_rows rows, first row fastest, becomes one of n_columns: tile by tile, so that both
// stay in a cache.
void transpose(const double* from, std::size_t n_rows, std::size_t n_columns, double* to) {
  constexpr std::size_t tile = 32;
  for (std::size_t i = 0; i < n_rows; i += tile)
    for (std::size_t j = 0; j < n_columns; j += tile)
      for (std::size_t r = i; r < std::min(n_rows, i + tile); ++r)
        for (std::size_t c = j; c < std::min(n_columns, j + tile); ++c)
          to[c + n_columns * r] = from[r + n_rows * c];
}

}  // namespace

BandGroups as_groups(const Bands& bands) {
  BandGroups out{bands.lines, {}};
  std::size_t first = 0;
  for (const Band& band : bands.bands) {
    std::vector<std::int32_t> all(band.lines.size());
    std::iota(all.begin(), all.end(), 0);
    out.groups.push_back({band.lines, band.ring, band.open, {{all, band.walk, first}}});
    first += out.groups.back().cycles_of_sweep();
  }
  return out;
}

std::optional<BandGroups> as_groups(const Lines& lines, const Groups& groups) {
  if (const std::optional<Bands> bands = bands_of(lines, groups)) return as_groups(*bands);
  if (groups.skip_zeros) return std::nullopt;
  BandGroups out{lines, {}};
  std::size_t first = 0;
  const std::vector<std::int32_t> walk = walk_lenz(2, lines.length());
  for (std::size_t g = 0; g < groups.lines.size(); ++g) {
    BandGroup group{groups.lines[g], groups.rings[g], groups.open, {}};
    const std::size_t n = group.cycles_of_sweep();
    if (group.lines.size() == 2) {  // swept twice, beside triads
      group.sweeps = {{{0, 1}, walk, first}, {{0, 1}, walk, first}};
      first += n;
    } else {
      group.sweeps = {
          {{0, 1}, walk, first}, {{1, 2}, walk, first + n}, {{2, 0}, walk, first + 2 * n}};
      first += 3 * n;
    }
    out.groups.push_back(std::move(group));
  }
  return out;
}

BandWalk::BandWalk(const BandGroups& set, const Mechanism& mechanism, std::size_t covers)
    : set_(set), covers_(covers), blocked_(mechanism.rule == ZeroRule::blocked) {
  for (const BandGroup& group : set.groups)
    for (const BandGroup::Sweep& sweep : group.sweeps) {
      cover_length_ += group.cycles_of_sweep();
      n_cycles_ = std::max(n_cycles_, sweep.first_cycle + group.cycles_of_sweep());
    }
  check_probabilities(mechanism, n_cycles_);
  if (!blocked_ && mechanism.rule != ZeroRule::nonnegative)
    throw InputError("Only the zero rules blocked and nonnegative can perturb a table.");
  const bool one = mechanism.alpha.size() == 1 && mechanism.beta.size() == 1;
  const std::size_t n = one ? 1 : n_cycles_;
  for (std::size_t c = 0; c < n; ++c)
    limits_.emplace_back(mechanism.alpha_of(c), mechanism.beta_of(c));
}

// Adds `side` times the cycle at a position of the ring, unless the zero rule forbids that. The
// cells of a line of the group are those from its position times the length of the ring on, in the
// order of the ring.
bool BandWalk::apply(const BandGroup::Sweep& band, std::size_t length, std::size_t at, int side,
                     std::vector<double>& cells) const {
  const std::size_t height = band.lines.size();
  const auto cell = [&](std::size_t k, std::size_t step) -> double& {
    return cells[static_cast<std::size_t>(band.lines[k]) * length +
                 moved_on(band.walk[step < height ? step : 0], at, length)];
  };
  for (std::size_t k = 0; k < height; ++k) {
    if ((blocked_ || side < 0) && cell(k, k) < 1) return false;
    if ((blocked_ || side > 0) && cell(k, k + 1) < 1) return false;
  }
  for (std::size_t k = 0; k < height; ++k) {
    cell(k, k) += side;
    cell(k, k + 1) -= side;
  }
  return true;
}

// All steps of a group, the first of which is step `first` of a cover. coin(step) gives the coins
// from a step on, one after the other; note(step, side, moved) hears of those that ask for a move.
template <class Coin, class Note>
void BandWalk::walk(const BandGroup& group, std::size_t first, std::vector<double>& cells,
                    Coin coin, Note note) const {
  const std::size_t n = group.cycles_of_sweep(), length = group.ring.size();
  for (std::size_t cover = 0; cover < covers_; ++cover) {
    std::size_t step = cover * cover_length_ + first;
    auto next = coin(step);
    for (const BandGroup::Sweep& sweep : group.sweeps)
      for (std::size_t s = 0; s < n; ++s, ++step) {
        const int side = limits_[limits_.size() == 1 ? 0 : sweep.first_cycle + s].side(next());
        if (side != 0) note(step, side, apply(sweep, length, s, side, cells));
      }
  }
}

std::vector<double> BandWalk::by_line(const double* counts, std::size_t n) const {
  if (n != set_.n_cells()) throw InputError("The table and the cycles must have the same shape.");
  if (std::any_of(counts, counts + n, [](double count) { return count < 0; }))
    throw InputError("No count may be negative.");
  if (set_.lines.transposed) return {};
  std::vector<double> out(n);
  transpose(counts, set_.lines.n_rows, set_.lines.n_columns, out.data());
  return out;
}

// Calls work(group, its first step in a cover, its cells).
template <class Work>
void BandWalk::for_groups(const double* lines, const Tick& tick, Work work) const {
  const std::size_t length = set_.lines.length();
  std::vector<double> cells;
  std::size_t first = 0, done = 0;
  for (const BandGroup& group : set_.groups) {
    const std::size_t before = done;
    done += length * group.lines.size();
    if (before == 0 || before / kCellsPerTick != done / kCellsPerTick)
      report(tick, static_cast<double>(before) / static_cast<double>(set_.n_cells()));
    cells.clear();
    for (const std::int32_t line : group.lines)
      for (const std::int32_t at : group.ring)
        cells.push_back(
            lines[static_cast<std::size_t>(line) * length + static_cast<std::size_t>(at)]);
    work(group, first, cells);
    first += group.sweeps.size() * group.cycles_of_sweep();
  }
}

void BandWalk::perturb(const double* counts, std::size_t n, const unsigned char* coins, double* out,
                       std::int32_t* applied, const Tick& tick) const {
  const Lines& lines = set_.lines;
  std::vector<double> moved = by_line(counts, n);
  if (lines.transposed) std::copy_n(counts, n, out);
  double* drawn = lines.transposed ? out : moved.data();
  for_groups(
      drawn, tick, [&](const BandGroup& group, std::size_t first, std::vector<double>& cells) {
        const auto coin = [&](std::size_t step) {
          return [at = coins + 8 * step]() mutable {
            const std::uint64_t now = coin_at(at);
            at += 8;
            return now;
          };
        };
        walk(group, first, cells, coin, [&](std::size_t step, int side, bool moves) {
          if (moves) applied[step] = side;
        });
        auto cell = cells.begin();
        for (const std::int32_t line : group.lines)
          for (const std::int32_t at : group.ring)
            drawn[static_cast<std::size_t>(line) * lines.length() + static_cast<std::size_t>(at)] =
                *cell++;
      });
  if (!lines.transposed) transpose(moved.data(), lines.n_columns, lines.n_rows, out);
}

Rehearsal BandWalk::rehearse(const double* counts, std::size_t n, std::size_t replicates,
                             std::uint64_t seed, const Tick& tick) const {
  const std::vector<double> held = by_line(counts, n);
  Rehearsal out;
  for (std::vector<double>* of :
       {&out.changed_small, &out.changed_nonzero, &out.asked, &out.prevented})
    of->assign(replicates, 0);
  std::vector<double> now;
  for_groups(set_.lines.transposed ? counts : held.data(), tick,
             [&](const BandGroup& group, std::size_t first, const std::vector<double>& cells) {
               for (std::size_t r = 0; r < replicates; ++r) {
                 now = cells;
                 const auto coin = [&](std::size_t step) {
                   return public_numbers(seed, r * n_steps() + step);
                 };
                 walk(group, first, now, coin, [&](std::size_t, int, bool moved) {
                   ++out.asked[r];
                   out.prevented[r] += moved ? 0 : 1;
                 });
                 for (std::size_t i = 0; i < now.size(); ++i) {
                   const bool changed = cells[i] != 0 && cells[i] != now[i];
                   out.changed_nonzero[r] += changed;
                   out.changed_small[r] += changed && cells[i] <= 2;
                 }
               }
               for (const double count : cells) {
                 out.nonzero += count != 0;
                 out.small += count != 0 && count <= 2;
               }
             });
  return out;
}

}  // namespace sdclattice
