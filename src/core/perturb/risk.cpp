#include "perturb/risk.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>

#include "base/error.hpp"
#include "base/random.hpp"
#include "cycle/by_cell.hpp"

namespace sdclattice {
namespace {

using Counts = std::vector<std::int64_t>;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

void check_shape(const Counts& counts, const CycleSet& cycles) {
  if (counts.size() != cycles.n_cells)
    throw InputError("The table and the cycles must have the same shape.");
}

}  // namespace

std::vector<std::int32_t> cell_components(const CycleSet& cycles) {
  std::vector<std::int32_t> number(cycles.n_cells, 0);
  Forest forest(cycles.n_cells);
  for (std::size_t c = 0; c < cycles.size(); ++c)
    for (std::size_t i = cycles.start[c] + 1; i < cycles.start[c + 1]; ++i)
      forest.join(cycles.cell[i], cycles.cell[cycles.start[c]]);
  std::vector<std::uint8_t> on_cycle(cycles.n_cells, 0);
  for (const std::int32_t cell : cycles.cell) on_cycle[cell] = 1;
  std::int32_t made = 0;
  for (std::size_t i = 0; i < cycles.n_cells; ++i) {
    if (!on_cycle[i]) continue;
    std::int32_t& of_root = number[forest.root(static_cast<std::int32_t>(i))];
    if (of_root == 0) of_root = ++made;
    number[i] = of_root;
  }
  return number;
}

// ---- exact laws ---------------------------------------------------------------------------------

// Convolution. What is computed: the law of a sum of independent steps. Why it is right: a cell
// that holds at least what all steps of the mechanism together can take from it never stops a step;
// a cycle of such cells is never stopped; and a cell all of whose cycles are never stopped changes
// by the sum of their coins. Steps that skip zeros reach beyond their cycle: there all cells of the
// component must be such. Agrees with enumeration, and with Lenz's theorem 4 as corrected.
//
// Enumeration. All tables of one component with their probabilities, step by step, equal tables
// added up. Each step is run by perturb() itself, so that whatever a step does there it does here;
// only steps that skip zeros are repeated here.
// Costs the number of distinct tables for each step. Agrees with the enumeration of all coins in R.
namespace {

// For each cell its cycles and coefficients; for each cycle how often it is applied.
struct Incidence {
  std::vector<std::size_t> start;
  std::vector<std::int32_t> cycle;
  std::vector<std::int8_t> coef;
  std::vector<std::int32_t> times;

  Incidence(const CycleSet& set, const Mechanism& mechanism)
      : start(set.n_cells + 1, 0),
        cycle(set.cell.size()),
        coef(set.cell.size()),
        times(set.size(), 0) {
    for (const std::int32_t c : mechanism.sequence) ++times[c];
    for (const std::int32_t cell : set.cell) ++start[cell + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::size_t> at(start.begin(), start.end() - 1);
    for (std::size_t c = 0; c < set.size(); ++c)
      for (std::size_t i = set.start[c]; i < set.start[c + 1]; ++i) {
        const std::size_t place = at[set.cell[i]]++;
        cycle[place] = static_cast<std::int32_t>(c);
        coef[place] = set.coef[i];
      }
  }

  // The largest change of a cell.
  std::int64_t reach(std::size_t cell) const {
    std::int64_t sum = 0;
    for (std::size_t i = start[cell]; i < start[cell + 1]; ++i)
      sum += std::int64_t{std::abs(coef[i])} * times[cycle[i]];
    return sum;
  }
};

constexpr std::int64_t max_law_reach = 1 << 14;

ChangeLaw convolve(std::size_t cell, const Incidence& at, const Mechanism& mechanism) {
  const auto reach = static_cast<int>(at.reach(cell));
  ChangeLaw law{ChangeLaw::Kind::convolution, -reach, std::vector<double>(2 * reach + 1, 0)};
  law.probability[reach] = 1;
  int filled = 0;
  std::vector<double> next(law.probability.size());
  for (std::size_t i = at.start[cell]; i < at.start[cell + 1]; ++i) {
    const double alpha = mechanism.alpha_of(at.cycle[i]), beta = mechanism.beta_of(at.cycle[i]);
    const double gamma = stay_probability(alpha, beta);
    const int by = at.coef[i], size = std::abs(by);
    for (std::int32_t t = 0; t < at.times[at.cycle[i]]; ++t) {
      std::fill(next.begin(), next.end(), 0);
      for (int d = -filled; d <= filled; ++d) {
        const double p = law.probability[reach + d];
        next[reach + d + by] += alpha * p;
        next[reach + d - by] += beta * p;
        next[reach + d] += gamma * p;
      }
      filled += size;
      std::swap(law.probability, next);
    }
  }
  return law;
}

using Shift = std::basic_string<char16_t>;  // a hashable vector: table - original, + 2^15
constexpr int zero_shift = 1 << 15;
using Tables = std::unordered_map<Shift, double>;

class Enumeration {
 public:
  Enumeration(const Counts& counts, const CycleSet& cycles, const Mechanism& mechanism,
              const ForwardLimits& limits, const Tick& tick)
      : counts_(counts),
        cycles_(cycles),
        mechanism_(mechanism),
        limits_(limits),
        tick_(tick),
        one_step_{{0}, {0.0}, {0.0}, mechanism.rule} {}

  // The tables after `steps` (cycles), as changes of `cells`; empty beyond the limits.
  Tables run(const std::vector<std::int32_t>& cells, const std::vector<std::int32_t>& steps) {
    Tables tables, after;
    if (work_ > limits_.max_work) return tables;
    tables.emplace(Shift(cells.size(), zero_shift), 1.0);
    for (const std::int32_t c : steps) {
      report(tick_, 0);
      after.clear();
      for (const auto& [table, p] : tables) step(table, p, c, cells, after);
      work_ += static_cast<double>(tables.size()) *
               static_cast<double>(2 * counts_.size() + 2 * cycles_.size());
      if (after.size() > limits_.max_tables || work_ > limits_.max_work) return {};
      std::swap(tables, after);
    }
    return tables;
  }

 private:
  void step(const Shift& table, double p, std::int32_t c, const std::vector<std::int32_t>& cells,
            Tables& after) {
    const double alpha = mechanism_.alpha_of(c), beta = mechanism_.beta_of(c);
    if (alpha > 0) after[moved(table, c, 1, cells)] += p * alpha;
    if (beta > 0) after[moved(table, c, -1, cells)] += p * beta;
    const double gamma = stay_probability(alpha, beta);
    if (gamma > 0) after[table] += p * gamma;
  }

  Shift moved(const Shift& table, std::int32_t c, int side,
              const std::vector<std::int32_t>& cells) {
    Counts now = counts_;
    for (std::size_t k = 0; k < cells.size(); ++k)
      now[cells[k]] += static_cast<int>(table[k]) - zero_shift;
    if (cycles_.skips_zeros())
      skip(now, c, side);
    else
      apply(now, c, side);
    Shift out(cells.size(), 0);
    for (std::size_t k = 0; k < cells.size(); ++k)
      out[k] = static_cast<char16_t>(now[cells[k]] - counts_[cells[k]] + zero_shift);
    return out;
  }

  void apply(Counts& now, std::int32_t c, int side) {
    one_step_.sequence[0] = c;
    one_step_.alpha[0] = side > 0 ? 1 : 0;
    one_step_.beta[0] = side > 0 ? 0 : 1;
    now = perturb(now, cycles_, one_step_, {0}).counts;
  }

  // A step of a sweep (see CycleSet::next), which perturb() takes in whole sweeps only.
  void skip(Counts& now, std::int32_t c, int side) const {
    const auto cell = [&](std::int32_t cycle, int entry) {
      return cycles_.cell[cycles_.start[cycle] + entry];
    };
    const std::int32_t x = cell(c, 0), y = cell(c, 3);
    if (now[x] < 1 || now[y] < 1) return;
    for (std::int32_t to = c; to >= 0; to = cycles_.next[to]) {
      const std::int32_t far_x = cell(to, 1), far_y = cell(to, 2);
      if (now[far_x] < 1 || now[far_y] < 1) continue;
      now[x] += side;
      now[y] -= side;
      now[far_x] -= side;
      now[far_y] += side;
      return;
    }
  }

  const Counts& counts_;
  const CycleSet& cycles_;
  const Mechanism& mechanism_;
  const ForwardLimits& limits_;
  const Tick& tick_;
  Mechanism one_step_;
  double work_ = 0;
};

ChangeLaw law_in(const Tables& tables, std::size_t k, std::int64_t reach) {
  const auto r = static_cast<int>(reach);
  ChangeLaw law{ChangeLaw::Kind::enumeration, -r, std::vector<double>(2 * r + 1, 0)};
  for (const auto& [table, p] : tables)
    law.probability[static_cast<int>(table[k]) - zero_shift + r] += p;
  return law;
}

// Cells on no cycle come first, as part 0.
struct Part {
  std::vector<std::int32_t> cells, steps;
};

std::vector<Part> parts_of(const CycleSet& cycles, const Mechanism& mechanism) {
  const std::vector<std::int32_t> number = cell_components(cycles);
  std::vector<Part> parts(1 + *std::max_element(number.begin(), number.end()));
  for (std::size_t i = 0; i < number.size(); ++i)
    parts[number[i]].cells.push_back(static_cast<std::int32_t>(i));
  for (const std::int32_t c : mechanism.sequence)
    parts[number[cycles.cell[cycles.start[c]]]].steps.push_back(c);
  return parts;
}

}  // namespace

void forward_laws(const Counts& counts, const CycleSet& cycles, const Mechanism& mechanism,
                  const ForwardLimits& limits, const OnLaw& on_law, const Tick& tick) {
  validate(mechanism, cycles);
  check_shape(counts, cycles);
  if (counts.empty()) return;
  const Incidence at(cycles, mechanism);
  std::vector<std::uint8_t> free_cycle(cycles.size(), 1);
  for (std::size_t c = 0; c < cycles.size(); ++c)
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i) {
      const std::int64_t reach = at.reach(cycles.cell[i]);
      if (counts[cycles.cell[i]] < reach || reach > max_law_reach) free_cycle[c] = 0;
    }
  const auto free_cell = [&](std::int32_t cell) {
    for (std::size_t i = at.start[cell]; i < at.start[cell + 1]; ++i)
      if (!free_cycle[at.cycle[i]]) return false;
    return true;
  };
  const auto narrow = [&](std::int32_t cell) { return at.reach(cell) <= max_law_reach; };
  Enumeration enumeration(counts, cycles, mechanism, limits, tick);
  for (const Part& part : parts_of(cycles, mechanism)) {
    const bool all_free = std::all_of(part.cells.begin(), part.cells.end(), free_cell);
    Tables tables;
    if (!all_free && std::all_of(part.cells.begin(), part.cells.end(), narrow))
      tables = enumeration.run(part.cells, part.steps);
    for (std::size_t k = 0; k < part.cells.size(); ++k) {
      const std::int32_t cell = part.cells[k];
      if (k % 65536 == 0) report(tick, 0);
      if (!tables.empty())
        on_law(cell, law_in(tables, k, at.reach(cell)));
      else if (all_free || (!cycles.skips_zeros() && free_cell(cell)))
        on_law(cell, convolve(cell, at, mechanism));
    }
  }
}

ComponentTables component_tables(const Counts& counts, const CycleSet& cycles,
                                 const Mechanism& mechanism, const ForwardLimits& limits,
                                 const Tick& tick) {
  validate(mechanism, cycles);
  check_shape(counts, cycles);
  ComponentTables out;
  if (counts.empty()) return out;
  Enumeration enumeration(counts, cycles, mechanism, limits, tick);
  const std::vector<Part> parts = parts_of(cycles, mechanism);
  std::vector<std::vector<std::pair<Shift, double>>> all;
  for (std::size_t c = 1; c < parts.size(); ++c) {
    const Tables tables = enumeration.run(parts[c].cells, parts[c].steps);
    if (tables.empty()) return {};  // also where components before this one have few tables
    all.emplace_back(tables.begin(), tables.end());
    std::sort(all.back().begin(), all.back().end());  // sums must not depend on hashing
    out.n_tables = std::max(out.n_tables, tables.size());
  }
  out.n_components = all.size();
  out.change.assign(out.n_tables * counts.size(), 0);
  out.weight.assign(out.n_tables * all.size(), 0);
  for (std::size_t c = 0; c < all.size(); ++c)
    for (std::size_t t = 0; t < out.n_tables; ++t) {
      const auto& [table, p] = all[c][std::min(t, all[c].size() - 1)];
      if (t < all[c].size()) out.weight[t * all.size() + c] = p;
      for (std::size_t k = 0; k < table.size(); ++k)
        out.change[t * counts.size() + parts[c + 1].cells[k]] =
            static_cast<int>(table[k]) - zero_shift;
    }
  return out;
}

// ---- simulated publications ---------------------------------------------------------------------

namespace {

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

// What a table is used for: chi-square, odds ratios and the distribution over the cells, each
// against the original's.
class Analyses {
 public:
  Analyses(const Counts& original, const std::vector<std::size_t>& dim)
      : original_(original), dim_(dim), log_change_(original.size(), 0) {
    std::size_t stride = 1;
    for (const std::size_t n : dim_) {
      stride_.push_back(stride);
      stride *= n;
    }
    if (stride != original.size()) throw InputError("The table and its shape must fit.");
    total_ =
        static_cast<double>(std::accumulate(original.begin(), original.end(), std::int64_t{0}));
    chi_square_ = chi_square_of(original);
  }

  double chi_square_change(const Counts& table) const {
    if (!(chi_square_ > 1e-9 * total_)) return none;
    return std::fabs(chi_square_of(table) / chi_square_ - 1);
  }

  double log_odds_change(const Counts& table) {
    for (std::size_t i = 0; i < table.size(); ++i)
      log_change_[i] = table[i] == original_[i]
                           ? 0
                           : std::log((static_cast<double>(table[i]) + .5) /
                                      (static_cast<double>(original_[i]) + .5));
    double sum = 0, n = 0;
    for (std::size_t a = 0; a < dim_.size(); ++a)
      for (std::size_t b = a + 1; b < dim_.size(); ++b) add_odds(a, b, sum, n);
    return n > 0 ? sum / n : none;
  }

  double hellinger_distance(const Counts& table) const {
    if (total_ == 0) return none;
    double sum = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const double by =
          std::sqrt(static_cast<double>(table[i])) - std::sqrt(static_cast<double>(original_[i]));
      sum += by * by;
    }
    return std::sqrt(sum / (2 * total_));
  }

 private:
  std::size_t level(std::size_t cell, std::size_t v) const { return cell / stride_[v] % dim_[v]; }

  // Pearson's chi-square against mutual independence, from the table's own one-way margins.
  double chi_square_of(const Counts& table) const {
    std::vector<std::vector<double>> margin;
    for (const std::size_t n : dim_) margin.emplace_back(n, 0.0);
    for (std::size_t i = 0; i < table.size(); ++i)
      if (table[i] > 0)
        for (std::size_t v = 0; v < dim_.size(); ++v)
          margin[v][level(i, v)] += static_cast<double>(table[i]) / total_;
    double sum = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table[i] == 0) continue;
      double expected = total_;
      for (std::size_t v = 0; v < dim_.size(); ++v) expected *= margin[v][level(i, v)];
      sum += static_cast<double>(table[i]) * static_cast<double>(table[i]) / expected;
    }
    return sum - total_;
  }

  // Adjacent levels of variables a and b, all others held fixed.
  void add_odds(std::size_t a, std::size_t b, double& sum, double& n) const {
    const std::size_t da = stride_[a], db = stride_[b];
    for (std::size_t i = 0; i < log_change_.size(); ++i) {
      if (level(i, a) + 1 == dim_[a] || level(i, b) + 1 == dim_[b]) continue;
      sum += std::fabs(log_change_[i] - log_change_[i + da] - log_change_[i + db] +
                       log_change_[i + da + db]);
      ++n;
    }
  }

  const Counts& original_;
  const std::vector<std::size_t>& dim_;
  std::vector<double> log_change_;
  std::vector<std::size_t> stride_;
  double total_ = 0, chi_square_ = 0;
};

double share(double part, double whole) {
  return whole > 0 ? part / whole : none;
}

// The figures that are means over cells, and the sums of each cell.
void note_cells(const Counts& before, const Counts& after, const std::vector<std::uint8_t>& small,
                Simulation& out, double* figure) {
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
  figure[unchanged] = share(same, n);
  figure[unchanged_small] = share(small_same, n_small);
  figure[zero_true] = share(zeros_both, zeros_out);
  figure[positive_false] = share(n_zero - zeros_both, n - zeros_out);
  figure[bias_zero] = share(zero_change, n_zero);
  figure[bias_small] = share(small_change, n_small);
  figure[abs_change] = share(size, n);
  figure[abs_change_small] = share(small_size, n_small);
  figure[relative_change] = share(relative, n_positive);
}

double prevented_share(const Mechanism& mechanism, const std::vector<CoinLimits>& limits,
                       const std::vector<std::uint64_t>& coins, const Perturbed& drawn) {
  double asked = 0, stopped = 0;
  for (std::size_t i = 0; i < coins.size(); ++i) {
    const std::size_t c = limits.size() == 1 ? 0 : mechanism.sequence[i];
    if (limits[c].side(coins[i]) == 0) continue;
    ++asked;
    stopped += drawn.applied[i] == 0;
  }
  return share(stopped, asked);
}

std::vector<CoinLimits> limits_of(const CycleSet& cycles, const Mechanism& mechanism) {
  const bool one = mechanism.alpha.size() == 1 && mechanism.beta.size() == 1;
  std::vector<CoinLimits> out;
  for (std::size_t c = 0; c < (one ? 1 : cycles.size()); ++c)
    out.emplace_back(mechanism.alpha_of(c), mechanism.beta_of(c));
  return out;
}

}  // namespace

Perturbed simulate_publication(const Counts& counts, const CycleSet& cycles,
                               const Mechanism& mechanism, std::uint64_t seed,
                               std::size_t replicate) {
  return perturb(counts, cycles, mechanism, draw_coins(seed, replicate, mechanism.sequence.size()));
}

Simulation simulate_publications(const Counts& counts, const std::vector<std::size_t>& dim,
                                 const std::vector<std::uint8_t>& small, const CycleSet& cycles,
                                 const Mechanism& mechanism, std::size_t first, std::size_t n,
                                 std::uint64_t seed, const Tick& tick) {
  validate(mechanism, cycles);
  check_shape(counts, cycles);
  if (small.size() != counts.size())
    throw InputError("Each cell must be marked as small or not small.");
  Simulation out;
  for (std::vector<double>* sum : {&out.same, &out.change, &out.size, &out.square})
    sum->assign(counts.size(), 0);
  out.figures.assign(n * n_figures, none);
  Analyses analyses(counts, dim);
  const std::vector<CoinLimits> limits = limits_of(cycles, mechanism);
  for (std::size_t r = 0; r < n; ++r) {
    report(tick, static_cast<double>(r) / static_cast<double>(n));
    const std::vector<std::uint64_t> coins = draw_coins(seed, first + r, mechanism.sequence.size());
    const Perturbed drawn = perturb(counts, cycles, mechanism, coins);
    double* figure = out.figures.data() + r * n_figures;
    note_cells(counts, drawn.counts, small, out, figure);
    figure[prevented] = prevented_share(mechanism, limits, coins, drawn);
    figure[chi_square] = analyses.chi_square_change(drawn.counts);
    figure[log_odds] = analyses.log_odds_change(drawn.counts);
    figure[hellinger] = analyses.hellinger_distance(drawn.counts);
  }
  return out;
}

// ---- one known cell -----------------------------------------------------------------------------

// A row of bits for each law, one for each draw: does it have the true shift there? The share that
// is wanted of a pair of laws is the number of common bits over that of the known law's bits. Costs
// n / 64 words for each pair of a component.
namespace {

class Bits {
 public:
  // Draws first .. last - 1.
  Bits(const std::vector<std::int8_t>& shifts, const std::vector<std::int32_t>& truth,
       std::size_t first, std::size_t last)
      : words_((last - first + 63) / 64), bits_(truth.size() * words_, 0) {
    for (std::size_t draw = first; draw < last; ++draw)
      for (std::size_t l = 0; l < truth.size(); ++l)
        if (shifts[draw * truth.size() + l] == truth[l])
          bits_[l * words_ + (draw - first) / 64] |= std::uint64_t{1} << ((draw - first) % 64);
  }
  double common(std::size_t a, std::size_t b) const {
    int sum = 0;
    for (std::size_t w = 0; w < words_; ++w)
      sum += __builtin_popcountll(bits_[a * words_ + w] & bits_[b * words_ + w]);
    return sum;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

std::vector<double> most_revealing(const std::vector<std::int8_t>& shifts,
                                   const std::vector<std::int32_t>& truth,
                                   const std::vector<std::int32_t>& component,
                                   const std::vector<std::uint8_t>& target, std::size_t least) {
  const std::size_t n_laws = truth.size();
  if (component.size() != n_laws || target.size() != n_laws)
    throw InputError("Each class of cells must have one truth and one component.");
  std::vector<double> out(n_laws, -1);
  if (n_laws == 0) return out;
  const std::size_t n = shifts.size() / n_laws;
  const Bits chosen(shifts, truth, 0, n / 2), judged(shifts, truth, n / 2, n);
  std::vector<std::vector<std::int32_t>> members(
      1 + *std::max_element(component.begin(), component.end()));
  for (std::size_t l = 0; l < n_laws; ++l)
    members[component[l]].push_back(static_cast<std::int32_t>(l));
  std::vector<double> best(n_laws, -1);
  std::vector<std::int32_t> by(n_laws, -1);
  for (const std::vector<std::int32_t>& laws : members)
    for (const std::int32_t known : laws) {
      const double all = chosen.common(known, known);
      if (all < 1 || all < static_cast<double>(least) || judged.common(known, known) < 1) continue;
      for (const std::int32_t l : laws) {
        if (!target[l] || l == known) continue;
        const double found = chosen.common(l, known) / all;
        if (found <= best[l]) continue;
        best[l] = found;
        by[l] = known;
      }
    }
  for (std::size_t l = 0; l < n_laws; ++l)
    if (by[l] >= 0) out[l] = judged.common(l, by[l]) / judged.common(by[l], by[l]);
  return out;
}

}  // namespace sdclattice
