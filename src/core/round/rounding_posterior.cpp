#include "round/rounding_posterior.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/random.hpp"
#include "round/rounding.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kTickTables = 1024;

// A table being filled in cell by cell, with what each sum can still become.
class GrowingTable {
 public:
  explicit GrowingTable(const LinearSystem& system)
      : system_(system), rows_(system), least_(system.n_rows(), 0), most_(system.n_rows(), 0) {
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k) {
        least_[rows_.row[k]] += system.lower[i];
        most_[rows_.row[k]] += system.upper[i];
      }
    }
  }

  const std::vector<std::int64_t>& counts() const { return counts_; }
  std::size_t size() const { return counts_.size(); }
  bool complete() const { return size() == system_.n_cells(); }
  bool possible() const {
    for (std::size_t r = 0; r < least_.size(); ++r)
      if (least_[r] > system_.row_upper[r] || most_[r] < system_.row_lower[r]) return false;
    return true;
  }

  // The counts that the sums allow the next cell, others' limits taken for granted.
  void range(std::int64_t& lower, std::int64_t& upper) const {
    const std::size_t i = size();
    lower = system_.lower[i];
    upper = system_.upper[i];
    const std::int64_t low = lower, high = upper;
    for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k) {
      const std::size_t r = rows_.row[k];
      lower = std::max(lower, system_.row_lower[r] - (most_[r] - high));
      upper = std::min(upper, system_.row_upper[r] - (least_[r] - low));
    }
  }
  void push(std::int64_t count) {
    shift(size(), count, 1);
    counts_.push_back(count);
  }
  void pop() {
    const std::int64_t count = counts_.back();
    counts_.pop_back();
    shift(size(), count, -1);
  }

 private:
  void shift(std::size_t i, std::int64_t count, std::int64_t sign) {
    for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k) {
      least_[rows_.row[k]] += sign * (count - system_.lower[i]);
      most_[rows_.row[k]] += sign * (count - system_.upper[i]);
    }
  }

  const LinearSystem& system_;
  RowsByCell rows_;
  std::vector<std::int64_t> least_, most_;
  std::vector<std::int64_t> counts_;
};

// The tables of a system are sums of whole cells.
void check_sums(const LinearSystem& system) {
  for (const std::int64_t c : system.coefficient)
    if (c != 1) throw InputError("Every constraint must be a sum of cells.");
}

double weight_of(const CellWeights& prior, const LinearSystem& system, std::size_t i,
                 std::int64_t count) {
  return prior.weight[prior.start[i] + static_cast<std::size_t>(count - system.lower[i])];
}

void add_table(RoundingLaw& law, const CellWeights& prior, const LinearSystem& system,
               const std::vector<std::int64_t>& counts, double weight) {
  law.total += weight;
  ++law.n_tables;
  for (std::size_t i = 0; i < counts.size(); ++i)
    law.sums[prior.start[i] + static_cast<std::size_t>(counts[i] - system.lower[i])] += weight;
}

RoundingLaw empty_law(const CellWeights& prior) {
  RoundingLaw out;
  out.sums.assign(prior.weight.size(), 0);
  return out;
}

// The depth-first walk over all tables.
class TableSum {
 public:
  TableSum(const LinearSystem& system, const CellWeights& prior, const TableLikelihood& likelihood,
           std::size_t max_tables, const Tick& tick)
      : system_(system),
        prior_(prior),
        likelihood_(likelihood),
        max_tables_(max_tables),
        tick_(tick),
        table_(system),
        law_(empty_law(prior)) {}

  RoundingLaw run() {
    if (table_.possible()) walk(1);
    return std::move(law_);
  }

 private:
  void walk(double weight) {
    if (table_.complete()) {
      finish(weight);
      return;
    }
    std::int64_t lower, upper;
    table_.range(lower, upper);
    for (std::int64_t count = lower; count <= upper; ++count) {
      const double w = weight_of(prior_, system_, table_.size(), count);
      if (w == 0) continue;
      table_.push(count);
      walk(weight * w);
      table_.pop();
    }
  }

  void finish(double weight) {
    const auto n = static_cast<std::size_t>(++law_.n_compatible);
    if (n > max_tables_) throw TooLargeError("The tables that agree are too many to enumerate.");
    if (n % kTickTables == 0)
      report(tick_, static_cast<double>(n) / static_cast<double>(max_tables_));
    const double likely = likelihood_(table_.counts());
    if (likely > 0) add_table(law_, prior_, system_, table_.counts(), weight * likely);
  }

  const LinearSystem& system_;
  const CellWeights& prior_;
  const TableLikelihood& likelihood_;
  std::size_t max_tables_;
  const Tick& tick_;
  GrowingTable table_;
  RoundingLaw law_;
};

// A number in [0, 1).
double uniform(PublicRandom& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

// Draws the next cell; returns the mass that was allowed, 0 when there is none.
double draw_cell(GrowingTable& table, const LinearSystem& system, const CellWeights& proposal,
                 PublicRandom& random) {
  std::int64_t lower, upper;
  table.range(lower, upper);
  const std::size_t i = table.size();
  double mass = 0;
  for (std::int64_t v = lower; v <= upper; ++v) mass += weight_of(proposal, system, i, v);
  if (mass <= 0) return 0;
  double left = uniform(random) * mass;
  std::int64_t drawn = lower;
  for (std::int64_t v = lower; v <= upper; ++v) {
    const double w = weight_of(proposal, system, i, v);
    if (w == 0) continue;
    drawn = v;
    if (left < w) break;
    left -= w;
  }
  table.push(drawn);
  return mass;
}

}  // namespace

RoundingLaw sum_over_tables(const LinearSystem& system, const CellWeights& prior,
                            const TableLikelihood& likelihood, std::size_t max_tables,
                            const Tick& tick) {
  check_sums(system);
  return TableSum(system, prior, likelihood, max_tables, tick).run();
}

SampledLaws sample_rounding_laws(const LinearSystem& system, const CellWeights& prior,
                                 const CellWeights& proposal, const TableLikelihood& likelihood,
                                 std::size_t batches, std::size_t each, std::uint64_t seed,
                                 const Tick& tick) {
  check_sums(system);
  PublicRandom random(seed);
  const GrowingTable none(system);
  SampledLaws out;
  for (std::size_t b = 0; b < batches; ++b) {
    out.batch.push_back(empty_law(prior));
    for (std::size_t k = 0; k < each; ++k) {
      if (k % kTickTables == 0)
        report(tick, static_cast<double>(b * each + k) / static_cast<double>(batches * each));
      GrowingTable table = none;
      double weight = table.possible() ? 1 : 0;
      while (weight > 0 && !table.complete()) weight *= draw_cell(table, system, proposal, random);
      for (std::size_t i = 0; weight > 0 && i < table.size(); ++i)
        weight *= weight_of(prior, system, i, table.counts()[i]) /
                  weight_of(proposal, system, i, table.counts()[i]);
      if (weight == 0) continue;
      ++out.batch.back().n_compatible;
      weight *= likelihood(table.counts());
      if (weight > 0) add_table(out.batch.back(), prior, system, table.counts(), weight);
      out.squares += weight * weight;
    }
  }
  return out;
}

TableLikelihood procedure_likelihood(const Circulation& shape, std::int64_t base,
                                     const std::vector<std::int64_t>& rounded,
                                     std::size_t max_nodes) {
  Circulation target = shape;
  target.load(rounded);
  return [original = shape, values = target.value, base,
          max_nodes](const std::vector<std::int64_t>& counts) mutable {
    original.load(counts);
    return rounding_probability(original, base, values, max_nodes);
  };
}

TableLikelihood nearest_likelihood(const Circulation& shape, std::int64_t base,
                                   const std::vector<std::int64_t>& rounded, RoundingAim aim) {
  return [original = shape, rounded, base, aim](const std::vector<std::int64_t>& counts) mutable {
    original.load(counts);
    const std::vector<std::int64_t> found = round_nearest(original, base, aim, {});
    return std::equal(rounded.begin(), rounded.end(), found.begin()) ? 1.0 : 0.0;
  };
}

}  // namespace sdclattice
