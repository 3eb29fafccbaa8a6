#include "release/release_oracle.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

// Tables that are remembered.
constexpr std::size_t kMostFound = 20000;
constexpr const char* kTooManySums =
    "The table and its totals have too many cells for an exhaustive search.";
// Cells up to which programmes are quicker than long walks.
constexpr std::size_t kMostForProgrammes = 400;

}  // namespace

Lattice lattice_below(SubTable set) {
  Lattice out;
  for (SubTable part = set;; part = (part - 1) & set) {
    out.set(part);
    if (part == 0) return out;
  }
}

Lattice lattice_above(SubTable set, std::size_t n_variables) {
  Lattice out;
  for (SubTable m = 0; m < SubTable{1} << n_variables; ++m)
    if (holds(m, set)) out.set(m);
  return out;
}

std::vector<SubTable> lattice_frontier(const Lattice& down, std::size_t n_variables) {
  std::vector<SubTable> out;
  for (SubTable m = 0; m < SubTable{1} << n_variables; ++m) {
    if (!down[m]) continue;
    bool maximal = true;
    for (std::size_t v = 0; v < n_variables && maximal; ++v)
      maximal = has_variable(m, v) || !down[m | SubTable{1} << v];
    if (maximal) out.push_back(m);
  }
  return out;
}

ReleaseOracle::ReleaseOracle(const RiskCells& risk, std::int64_t beta, std::size_t max_cells,
                             const ReachLimits& limits, WorkClock& clock)
    : table_(risk, risk.all_variables(), max_cells), beta_(beta), limits_(limits), clock_(clock) {
  // What is unsafe is asked as often as what is safe: walks must not take longer than programmes.
  limits_.debts = table_.counts().size() > kMostForProgrammes;
  if (risk.n_variables() > kLatticeVariables)
    throw TooLargeError("The exhaustive search over all releases supports at most 7 variables.");
}

// ---- what is known ------------------------------------------------------------------------------

void ReleaseOracle::widen(const Lattice& down, std::vector<std::int64_t>& least,
                          std::vector<std::int64_t>& most) const {
  for (std::size_t cell : table_.asked()) least.push_back(table_.counts()[cell]);
  most = least;
  for (const Found& found : found_) {
    if ((down & ~found.keeps).any()) continue;
    for (std::size_t k = 0; k < least.size(); ++k) {
      least[k] = std::min(least[k], found.values[k]);
      most[k] = std::max(most[k], found.values[k]);
    }
  }
}

bool ReleaseOracle::known_unsafe(const Lattice& down, std::size_t cell) const {
  return std::any_of(unsafe_.begin(), unsafe_.end(),
                     [&](const Unsafe& u) { return u.cell == cell && (u.down & ~down).none(); });
}

// The sub-tables in which the changes cancel: sums over all super-cells, each variable at a level
// or summed over.
Lattice ReleaseOracle::kept_by(const std::vector<CountChange>& changes) const {
  const std::size_t n = table_.n_variables();
  std::vector<std::size_t> stride(n);
  std::size_t size = 1;
  for (std::size_t v = 0; v < n; ++v) {
    stride[v] = size;
    size = checked_size(checked_product(static_cast<std::int64_t>(size),
                                        table_.levels()[v] + std::int64_t{1}, kTooManySums),
                        kTooManySums);
  }
  std::vector<std::int64_t> sum(size, 0);
  for (const CountChange& change : changes) {
    std::size_t place = 0;
    for (std::size_t v = 0; v < n; ++v) place += table_.level(change.cell, v) * stride[v];
    sum[place] += change.by;
  }
  for (std::size_t v = 0; v < n; ++v) {
    const std::size_t levels = table_.levels()[v];
    for (std::size_t p = 0; p < size; ++p) {
      const std::size_t at = p / stride[v] % (levels + 1);
      if (at < levels) sum[p + (levels - at) * stride[v]] += sum[p];
    }
  }
  Lattice out;
  for (SubTable m = 0; m < SubTable{1} << n; ++m) out.set(m);
  for (std::size_t p = 0; p < size; ++p) {
    if (sum[p] == 0) continue;
    SubTable m = 0;
    for (std::size_t v = 0; v < n; ++v)
      if (p / stride[v] % (table_.levels()[v] + std::size_t{1}) < table_.levels()[v])
        m |= SubTable{1} << v;
    out.reset(m);
  }
  return out;
}

void ReleaseOracle::keep(const std::vector<CountChange>& changes) {
  if (changes.empty() || found_.size() >= kMostFound) return;
  Found found{kept_by(changes), {}};
  for (std::size_t cell : table_.asked()) found.values.push_back(table_.counts()[cell]);
  for (const CountChange& change : changes) {
    const auto at = std::lower_bound(table_.asked().begin(), table_.asked().end(), change.cell);
    if (at != table_.asked().end() && *at == change.cell)
      found.values[static_cast<std::size_t>(at - table_.asked().begin())] += change.by;
  }
  const bool old = std::any_of(found_.begin(), found_.end(), [&](const Found& f) {
    return f.values == found.values && (found.keeps & ~f.keeps).none();
  });
  if (!old) found_.push_back(std::move(found));
}

// ---- asking -------------------------------------------------------------------------------------

std::unique_ptr<FibreReach> ReleaseOracle::start(const Lattice& down) {
  auto out =
      std::make_unique<FibreReach>(table_, lattice_frontier(down, n_variables()), limits_, clock_);
  out->on_table = [this](const std::vector<CountChange>& changes) { keep(changes); };
  std::vector<std::int64_t> least, most;
  widen(down, least, most);
  for (std::size_t k = 0; k < least.size(); ++k) out->add_attained(k, least[k], most[k]);
  return out;
}

bool ReleaseOracle::search(FibreReach& fibre, const Lattice& down, std::size_t cell) {
  if (fibre.reach(cell).attained() >= beta_) return true;
  ++n_searched;
  clock_.check();
  if (!fibre.settle(cell, beta_)) ++n_undecided;
  if (fibre.reach(cell).attained() >= beta_) return true;
  unsafe_.push_back({down, cell});
  return false;
}

// The first unsafe cell; their number when there is none.
std::size_t ReleaseOracle::unsafe_cell(const Lattice& down) {
  ++n_asked;
  const std::size_t n = table_.asked().size();
  for (std::size_t k = 0; k < n; ++k)
    if (known_unsafe(down, k)) return k;
  std::vector<std::int64_t> least, most;
  widen(down, least, most);
  std::unique_ptr<FibreReach> fibre;
  for (std::size_t k = 0; k < n; ++k) {
    if (most[k] - least[k] >= beta_) continue;
    if (fibre == nullptr) fibre = start(down);
    if (!search(*fibre, down, k)) return k;
  }
  return n;
}

std::int64_t ReleaseOracle::least_count(SubTable set) const {
  const std::vector<std::int64_t> counts = table_.margin_at_asked(set);
  return *std::min_element(counts.begin(), counts.end());
}

bool ReleaseOracle::is_safe(const Lattice& down) {
  return unsafe_cell(down) == table_.asked().size();
}

bool ReleaseOracle::cell_is_safe(const Lattice& down, std::size_t cell) {
  ++n_asked;
  if (known_unsafe(down, cell)) return false;
  std::vector<std::int64_t> least, most;
  widen(down, least, most);
  if (most[cell] - least[cell] >= beta_) return true;
  return search(*start(down), down, cell);
}

Lattice ReleaseOracle::minimal_unsafe(const Lattice& down, PublicRandom& random) {
  const std::size_t cell = unsafe_cell(down);
  Lattice rest = down, needed;
  for (;;) {
    std::vector<SubTable> open;
    for (SubTable m : lattice_frontier(rest, n_variables()))
      if (!needed[m]) open.push_back(m);
    if (open.empty()) break;
    random.shuffle(open.begin(), open.end());
    const SubTable next = *std::max_element(open.begin(), open.end(), [](SubTable a, SubTable b) {
      return Lattice(a).count() < Lattice(b).count();
    });
    Lattice without = rest;
    without.reset(next);
    if (next == 0 || cell_is_safe(without, cell))
      needed |= lattice_below(next);
    else
      rest = without;
  }
  unsafe_.push_back({rest, cell});
  return rest;
}

}  // namespace sdclattice
