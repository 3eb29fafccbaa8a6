#include "conditional/narrow_rates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/sum_set.hpp"
#include "conditional/sharp_rates.hpp"
#include "linear/bounds_knowledge.hpp"

namespace sdclattice {

namespace {

[[noreturn]] void no_table() {
  throw InfeasibleError(kNoTable);
}

// What the rates of a row say of each cell and the total, in rows of two unknowns.
void add_cone(LinearSystem& system, const RateLine& line) {
  const RateRow& row = line.row;
  for (std::size_t j = 0; j < row.n_cells; ++j) {
    const auto add = [&](std::int64_t rate, std::int64_t lower, std::int64_t upper) {
      const std::int64_t common = std::gcd(row.scale, rate);
      std::vector<RowEntry> entries{{line.sum[j], row.scale / common}};
      if (rate > 0) entries.push_back({line.total, -rate / common});
      add_row(system, entries, lower, upper);
    };
    if (line.sum[j] == line.total) {
      if (row.low[j] > row.scale || row.high[j] < row.scale) no_table();
      continue;
    }
    const bool exact = row.low[j] == row.high[j];
    if (row.low[j] > 0 || exact) add(row.low[j], 0, exact ? 0 : kNoLimit);
    if (row.high[j] < row.scale && !exact) add(row.high[j], -kNoLimit, 0);
  }
}

}  // namespace

RateNarrowing::RateNarrowing(RateSystem& rates, const NarrowLimits& limits, WorkClock& watch)
    : rates_(rates), limits_(limits), watch_(watch) {
  for (const auto& set : rates.sets) domains_.emplace_back(set.size());
  is_news_.assign(rates.sets.size(), true);
  alone_.assign(rates.sets.size(), false);
}

void RateNarrowing::run() {
  LinearSystem& system = rates_.system;
  if (!tighten(system, watch_.tick())) no_table();
  list_totals();
  index_lines();
  try {
    bool shared = true;
    while (shared) {
      settle();
      shared = false;
      for (std::size_t s = 0; s < rates_.sets.size(); ++s) shared = share_out(s) || shared;
    }
  } catch (const WorkTimeUp&) {
  }
}

void RateNarrowing::list_totals() {
  LinearSystem& system = rates_.system;
  double listed = 0;
  bool coned = false;
  for (std::uint32_t s = 0; s < rates_.sets.size(); ++s)
    for (std::uint32_t r = 0; r < rates_.sets[s].size(); ++r) {
      const RateLine& line = rates_.sets[s][r];
      const double size = RowDomain::size(line, system);
      const double looks = size * static_cast<double>(line.sum.size());
      if (size <= limits_.max_totals && listed + looks <= limits_.max_listed) {
        listed += looks;
        domains_[s][r].emplace(line, system);
        lines_.push_back({s, r});
      } else {
        add_cone(system, line);
        coned = true;
      }
    }
  if (coned && !tighten(system, watch_.tick())) no_table();
}

void RateNarrowing::index_lines() {
  rows_.emplace(rates_.system);
  lines_of_.resize(rates_.system.n_cells());
  for (std::uint32_t k = 0; k < lines_.size(); ++k) {
    const RateLine& line = rates_.sets[lines_[k].set][lines_[k].row];
    for (const std::uint32_t i : line.sum) lines_of_[i].push_back(k);
    lines_of_[line.total].push_back(k);
  }
  queue_.resize(lines_.size());
  std::iota(queue_.begin(), queue_.end(), 0U);
  waits_.assign(lines_.size(), true);
}

void RateNarrowing::wait(std::uint32_t line) {
  if (waits_[line]) return;
  waits_[line] = true;
  queue_.push_back(line);
}

// Rows that wait, one wave after the other, and between them the sums.
void RateNarrowing::settle() {
  while (!queue_.empty() && looks_ < limits_.max_looks) {
    const std::vector<std::uint32_t> wave = std::exchange(queue_, {});
    for (const std::uint32_t k : wave) {
      if (looks_ >= limits_.max_looks) break;
      waits_[k] = false;
      visit(lines_[k]);
    }
    pass_on();
  }
}

void RateNarrowing::limit(std::uint32_t unknown, std::int64_t lower, std::int64_t upper) {
  std::int64_t &low = rates_.system.lower[unknown], &high = rates_.system.upper[unknown];
  if (lower <= low && upper >= high) return;
  low = std::max(low, lower);
  high = std::min(high, upper);
  if (low > high) no_table();
  changed_.push_back(unknown);
}

void RateNarrowing::visit(const Place& place) {
  watch_.check();
  const RateLine& line = rates_.sets[place.set][place.row];
  RowDomain& domain = *domains_[place.set][place.row];
  const std::size_t n = line.sum.size();
  looks_ += domain.length() * static_cast<double>(n);
  const LinearSystem& system = rates_.system;
  const std::int64_t from = system.lower[line.total], to = system.upper[line.total];
  RowCells cells(line, system);
  std::vector<std::int64_t> least(n, kNoLimit), largest(n, 0);
  const bool went = domain.filter([&](std::int64_t t) {
    if (t < from || t > to || !cells.look(t)) return false;
    for (std::size_t j = 0; j < n; ++j) {
      least[j] = std::min(least[j], cells.least(j));
      largest[j] = std::max(largest[j], cells.largest(j));
    }
    return true;
  });
  if (domain.empty()) no_table();
  if (went) is_news_[place.set] = true;
  limit(line.total, domain.first(), domain.last());
  for (std::size_t j = 0; j < n; ++j) limit(line.sum[j], least[j], largest[j]);
}

// Carries changed limits through the sums, to the rows that have a part in them.
void RateNarrowing::pass_on() {
  if (changed_.empty()) return;
  if (!tighten_from(rates_.system, *rows_, changed_, 20 * rates_.system.n_rows() + 1000))
    no_table();
  for (const std::uint32_t i : changed_)
    for (const std::uint32_t k : lines_of_[i]) wait(k);
  changed_.clear();
}

// What the grand total, where it is known, leaves of the totals of a set. Says whether some went.
bool RateNarrowing::share_out(std::size_t set) {
  const std::int64_t n = rates_.system.lower[rates_.all];
  const bool is_known = n == rates_.system.upper[rates_.all];
  if (!is_known || !std::exchange(is_news_[set], false)) return false;
  const std::optional<std::vector<Summand>> summands = this->summands(set, n);
  const bool out = summands ? filter_totals(set, *summands, n) : narrow_alone(set, n);
  pass_on();
  for (std::uint32_t k = 0; k < lines_.size(); ++k)
    if (out && lines_[k].set == set) wait(k);
  is_news_[set] = false;
  return out;
}

// What the rows of a set add to the sum of their least totals; nothing where it is too much work.
std::optional<std::vector<Summand>> RateNarrowing::summands(std::size_t set, std::int64_t n) const {
  std::int64_t least = 0;
  double n_steps = 0;
  for (const std::optional<RowDomain>& domain : domains_[set]) {
    if (!domain) return {};
    least += domain->first();
    n_steps += static_cast<double>(domain->n_totals());
    if (least > n) no_table();
  }
  const double words = static_cast<double>((n - least) / 64 + 1) * n_steps *
                       (std::log2(static_cast<double>(domains_[set].size())) + 1);
  if (words > limits_.max_words) return {};
  std::vector<Summand> out;
  for (const std::optional<RowDomain>& domain : domains_[set]) {
    std::vector<std::int64_t> steps;
    domain->each([&](std::int64_t t) {
      if (t - domain->first() <= n - least) steps.push_back(t - domain->first());
    });
    out.emplace_back(domain->first(), std::move(steps));
  }
  return out;
}

// Keeps the totals from which those of the other rows reach the grand total.
bool RateNarrowing::filter_totals(std::size_t set, const std::vector<Summand>& summands,
                                  std::int64_t n) {
  std::int64_t spare = n;
  for (const Summand& summand : summands) spare -= summand.least;
  bool out = false;
  auto keep = [&](std::size_t r, const SumSet& others) {
    watch_.check();
    RowDomain& domain = *domains_[set][r];
    const std::int64_t most = spare + summands[r].least;
    const bool went =
        domain.filter([&](std::int64_t t) { return t <= most && others.has(most - t); });
    if (domain.empty()) no_table();
    if (went) limit(rates_.sets[set][r].total, domain.first(), domain.last());
    out = out || went;
  };
  leave_one_out(summands, 0, summands.size(), SumSet(spare), keep);
  return out;
}

// What the set says together with the grand total and nothing else, by rows of the same rates.
bool RateNarrowing::narrow_alone(std::size_t set, std::int64_t n) {
  if (std::exchange(alone_[set], true)) return false;
  SharpRates found;
  try {
    found = sharp_rates(*rates_.rows[set], n, limits_.alone, [this](double) { watch_.check(); });
  } catch (const TooLargeError&) {
    return false;
  }
  if (!found.feasible) no_table();
  const std::size_t n_rates = rates_.rows[set]->n_cells;
  for (std::size_t r = 0; r < rates_.sets[set].size(); ++r) {
    const RateLine& line = rates_.sets[set][r];
    const std::size_t kind = found.kind_of_row[r];
    limit(line.total, found.first[kind], found.last[kind]);
    for (std::size_t j = 0; j < n_rates; ++j)
      limit(line.sum[j], found.lower[kind * n_rates + j], found.upper[kind * n_rates + j]);
  }
  return true;
}

}  // namespace sdclattice
