#include "perturb/simulate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "perturb/analyses.hpp"
#include "perturb/walker.hpp"

namespace sdclattice {
namespace {

using Counts = std::vector<std::int64_t>;
constexpr double kFewSteps = 1e5;  // which take less time than to start threads
constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

// Steele, Lea and Flood (2014). Good enough for a mean; it protects nothing, and nothing is
// published from it.
// Each replicate starts at a place of its own.
std::vector<std::uint64_t> draw_coins(std::uint64_t seed, std::size_t replicate, std::size_t n) {
  const std::uint64_t start = PublicRandom(seed)() ^ PublicRandom(~std::uint64_t(replicate))();
  PublicRandom next(start);
  std::vector<std::uint64_t> coins(n);
  for (std::uint64_t& coin : coins) coin = next();
  return coins;
}

// The figures of one replicate, where they are returned.
class Figures {
 public:
  explicit Figures(double* first) : first_(first) {}
  double& operator[](Figure figure) const { return first_[static_cast<std::size_t>(figure)]; }

 private:
  double* first_;
};

double share(double part, double whole) {
  return whole > 0 ? part / whole : kNoFigure;
}

// Whole numbers far below 2^53, so that their order does not matter.
struct ReplicateSums {
  std::vector<double> same, change, size, square;

  explicit ReplicateSums(std::size_t n) : same(n, 0), change(n, 0), size(n, 0), square(n, 0) {}
  void add(const ReplicateSums& more) {
    const auto add_all = [](std::vector<double>& sum, const std::vector<double>& by) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += by[i];
    };
    add_all(same, more.same);
    add_all(change, more.change);
    add_all(size, more.size);
    add_all(square, more.square);
  }
};

// The figures that are means over cells, and the sums of each cell.
void note_cells(const Counts& before, const Counts& after, const std::vector<std::uint8_t>& small,
                ReplicateSums& out, Figures figure) {
  double same = 0, size = 0, relative = 0, n_positive = 0;
  double small_same = 0, small_size = 0, small_change = 0, n_small = 0;
  double zero_change = 0, n_zero = 0, zeros_out = 0, zeros_both = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto x = static_cast<double>(before[i]), d = static_cast<double>(after[i] - before[i]);
    out.same[i] += d == 0;
    out.change[i] += d;
    out.size[i] += std::fabs(d);
    out.square[i] += d * d;
    same += d == 0;
    size += std::fabs(d);
    if (before[i] == 0) {
      ++n_zero;
      zero_change += d;
    } else {
      ++n_positive;
      relative += std::fabs(d) / x;
    }
    if (after[i] == 0) {
      ++zeros_out;
      zeros_both += before[i] == 0;
    }
    if (small[i]) {
      ++n_small;
      small_same += d == 0;
      small_size += std::fabs(d);
      small_change += d;
    }
  }
  const auto n = static_cast<double>(before.size());
  figure[Figure::unchanged] = share(same, n);
  figure[Figure::unchanged_small] = share(small_same, n_small);
  figure[Figure::zero_true] = share(zeros_both, zeros_out);
  figure[Figure::positive_false] = share(n_zero - zeros_both, n - zeros_out);
  figure[Figure::bias_zero] = share(zero_change, n_zero);
  figure[Figure::bias_small] = share(small_change, n_small);
  figure[Figure::abs_change] = share(size, n);
  figure[Figure::abs_change_small] = share(small_size, n_small);
  figure[Figure::relative_change] = share(relative, n_positive);
}

double prevented_share(const Mechanism& mechanism, const Walker& walker,
                       const std::vector<std::uint64_t>& coins, const Perturbed& drawn) {
  double asked = 0, stopped = 0;
  for (std::size_t i = 0; i < coins.size(); ++i) {
    if (walker.asks(static_cast<std::size_t>(mechanism.sequence[i]), coins[i]) == 0) continue;
    ++asked;
    stopped += drawn.applied[i] == 0;
  }
  return share(stopped, asked);
}

// Runs replicates one after the other, and sums up their cells.
class Replicates {
 public:
  Replicates(const Counts& counts, const std::vector<std::size_t>& dim,
             const std::vector<std::uint8_t>& small, const CycleSet& cycles,
             const Mechanism& mechanism)
      : counts_(counts),
        small_(small),
        cycles_(cycles),
        mechanism_(mechanism),
        analyses_(counts, dim),
        walker_(cycles, mechanism),
        sums_(counts.size()) {}

  void run(std::uint64_t seed, std::size_t number, Figures figure) {
    const std::vector<std::uint64_t> coins = draw_coins(seed, number, mechanism_.sequence.size());
    const Perturbed drawn = perturb(counts_, cycles_, mechanism_, coins);
    note_cells(counts_, drawn.counts, small_, sums_, figure);
    figure[Figure::prevented] = prevented_share(mechanism_, walker_, coins, drawn);
    figure[Figure::chi_square] = analyses_.chi_square_change(drawn.counts);
    figure[Figure::log_odds] = analyses_.log_odds_change(drawn.counts);
    figure[Figure::hellinger] = analyses_.hellinger_distance(drawn.counts);
  }
  ReplicateSums& sums() { return sums_; }

 private:
  const Counts& counts_;
  const std::vector<std::uint8_t>& small_;
  const CycleSet& cycles_;
  const Mechanism& mechanism_;
  Analyses analyses_;
  Walker walker_;
  ReplicateSums sums_;
};

}  // namespace

Perturbed simulate_publication(const Counts& counts, const CycleSet& cycles,
                               const Mechanism& mechanism, std::uint64_t seed,
                               std::size_t replicate) {
  return perturb(counts, cycles, mechanism, draw_coins(seed, replicate, mechanism.sequence.size()));
}

Simulation simulate_publications(const Counts& counts, const std::vector<std::size_t>& dim,
                                 const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                                 const Mechanism& mechanism, std::size_t first, std::size_t n,
                                 std::uint64_t seed, const Tick& tick, std::size_t n_threads) {
  validate(mechanism, cycles);
  check_counts(counts, cycles);
  if (small.size() != counts.size())
    throw InputError("Each cell must be marked as small or not small.");
  std::vector<double> figures(n * kFigures, kNoFigure);
  const double steps = static_cast<double>(n) * static_cast<double>(mechanism.sequence.size());
  WorkerPool pool(steps < kFewSteps ? 1 : std::min(n_threads, n));
  std::vector<Replicates> workers;
  for (std::size_t w = 0; w < pool.n_workers(); ++w)
    workers.emplace_back(counts, dim, small, cycles, mechanism);
  std::atomic<std::size_t> done{0};
  pool.run(
      n,
      [&](std::size_t r, std::size_t worker) {
        workers[worker].run(seed, first + r, Figures(figures.data() + r * kFigures));
        ++done;
      },
      [&] { report(tick, static_cast<double>(done) / static_cast<double>(n)); });
  ReplicateSums sums = std::move(workers[0].sums());
  for (std::size_t w = 1; w < workers.size(); ++w) sums.add(workers[w].sums());
  return {std::move(sums.same), std::move(sums.change), std::move(sums.size),
          std::move(sums.square), std::move(figures)};
}

}  // namespace sdclattice
