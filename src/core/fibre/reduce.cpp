#include "fibre/reduce.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

namespace {

struct Row {
  std::vector<std::pair<std::uint32_t, std::int64_t>> entry;  // cell and coefficient, ascending
  std::int64_t lower, upper;

  bool is_sum() const {
    return std::all_of(entry.begin(), entry.end(), [](const auto& e) { return e.second == 1; });
  }
};

// Merges entries of one cell, divides by the common factor and makes the first coefficient
// positive.
Row normal_row(const LinearSystem& system, std::size_t r) {
  std::map<std::uint32_t, std::int64_t> sum;
  for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
    sum[system.cell[e]] += system.coefficient[e];
  Row out{{}, system.row_lower[r], system.row_upper[r]};
  std::int64_t common = 0;
  for (const auto& [cell, coefficient] : sum) {
    if (coefficient == 0) continue;
    out.entry.emplace_back(cell, coefficient);
    common = std::gcd(common, coefficient);
  }
  if (out.entry.empty()) return out;
  if (out.entry[0].second < 0) {
    for (auto& e : out.entry) e.second = -e.second;
    std::swap(out.lower, out.upper);
    out.lower = -out.lower;
    out.upper = -out.upper;
  }
  for (auto& e : out.entry) e.second /= common;
  if (out.lower > -kNoLimit) out.lower = ceil_ratio(out.lower, common);
  if (out.upper < kNoLimit) out.upper = floor_ratio(out.upper, common);
  return out;
}

// The limits of a row, narrowed by those of its cells, which start at 0. Returns whether the cells'
// limits alone imply them.
bool narrow_by_cells(Row& row, const std::vector<std::int64_t>& upper) {
  std::int64_t least = 0, most = 0;
  for (const auto& [cell, coefficient] : row.entry)
    (coefficient < 0 ? least : most) += coefficient * upper[cell];
  const bool implied = row.lower <= least && row.upper >= most;
  row.lower = std::max(row.lower, least);
  row.upper = std::min(row.upper, most);
  return implied;
}

// Drops rows that are disjoint unions of shorter ones.
class UnionFinder {
 public:
  UnionFinder(std::size_t n_cells) : of_cell_(n_cells), in_row_(n_cells, 0), covered_(n_cells, 0) {}

  // Whether the row is implied; otherwise it is kept as a part of later ones. `feasible` becomes
  // false when it contradicts them.
  bool implied(const Row& row, bool& feasible) {
    ++stamp_;
    for (const auto& e : row.entry) in_row_[e.first] = stamp_;
    std::int64_t low = 0, high = 0;
    if (cover(row, low, high)) {
      if (high < row.lower || low > row.upper) feasible = false;
      if (low >= row.lower && high <= row.upper) return true;
    }
    for (const auto& e : row.entry) of_cell_[e.first].push_back(kept_.size());
    kept_.push_back(row);
    return false;
  }
  const std::vector<Row>& kept() const { return kept_; }

 private:
  bool cover(const Row& row, std::int64_t& low, std::int64_t& high) {
    for (const auto& e : row.entry) {
      if (covered_[e.first] == stamp_) continue;
      const Row* best = nullptr;
      for (std::size_t k : of_cell_[e.first]) {
        const Row& part = kept_[k];
        if (best && part.entry.size() <= best->entry.size()) continue;
        if (fits(part)) best = &part;
      }
      if (!best) return false;
      for (const auto& p : best->entry) covered_[p.first] = stamp_;
      low += best->lower;
      high += best->upper;
    }
    return true;
  }
  bool fits(const Row& part) const {
    return std::all_of(part.entry.begin(), part.entry.end(), [&](const auto& p) {
      return in_row_[p.first] == stamp_ && covered_[p.first] != stamp_;
    });
  }

  std::vector<Row> kept_;
  std::vector<std::vector<std::size_t>> of_cell_;
  std::vector<std::size_t> in_row_, covered_;
  std::size_t stamp_ = 0;
};

// The rows of a system whose cells start at 0, without those that say nothing new.
std::vector<Row> telling_rows(const LinearSystem& system, bool& feasible) {
  std::map<std::vector<std::pair<std::uint32_t, std::int64_t>>,
           std::pair<std::int64_t, std::int64_t>>
      merged;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    Row row = normal_row(system, r);
    if (row.entry.empty()) {
      feasible = feasible && row.lower <= 0 && row.upper >= 0;
      continue;
    }
    if (narrow_by_cells(row, system.upper)) continue;
    const auto [at, is_new] = merged.try_emplace(row.entry, row.lower, row.upper);
    if (is_new) continue;
    at->second.first = std::max(at->second.first, row.lower);
    at->second.second = std::min(at->second.second, row.upper);
  }
  std::vector<Row> sums, out;
  for (const auto& [entry, limits] : merged) {
    Row row{entry, limits.first, limits.second};
    if (row.lower > row.upper) feasible = false;
    (row.is_sum() ? sums : out).push_back(std::move(row));
  }
  std::stable_sort(sums.begin(), sums.end(),
                   [](const Row& a, const Row& b) { return a.entry.size() < b.entry.size(); });
  UnionFinder unions(system.n_cells());
  for (const Row& row : sums) unions.implied(row, feasible);
  out.insert(out.end(), unions.kept().begin(), unions.kept().end());
  return out;
}

// All sums that can arise must fit into 64 bits.
void check_sums(const LinearSystem& part) {
  for (std::size_t r = 0; r < part.n_rows(); ++r) {
    WideInt sum = 0;
    for (std::size_t e = part.start[r]; e < part.start[r + 1]; ++e)
      sum += wide_product(magnitude(part.coefficient[e]), part.upper[part.cell[e]]);
    if (sum > kNoLimit) throw TooLargeError("The sums of the constraints exceed 64 bits.");
  }
}

// The cells that are not fixed, counted from their lower limits.
SystemPart free_part(const LinearSystem& system) {
  SystemPart out;
  for (std::uint32_t i = 0; i < system.n_cells(); ++i)
    if (!system.is_fixed(i)) out.cell.push_back(i);
  if (out.cell.empty()) return out;
  out.system = split(system, {out.cell})[0];
  LinearSystem& part = out.system;
  for (std::size_t r = 0; r < part.n_rows(); ++r) {
    std::int64_t held = 0;
    for (std::size_t e = part.start[r]; e < part.start[r + 1]; ++e)
      held += part.coefficient[e] * part.lower[part.cell[e]];
    if (part.row_lower[r] > -kNoLimit) part.row_lower[r] -= held;
    if (part.row_upper[r] < kNoLimit) part.row_upper[r] -= held;
  }
  for (std::size_t i = 0; i < part.n_cells(); ++i) {
    if (part.upper[i] >= kNoLimit)
      throw InputError(
          "One of the cells has no upper limit: infinitely many tables satisfy the constraints.");
    part.upper[i] -= part.lower[i];
    part.lower[i] = 0;
  }
  check_sums(part);
  return out;
}

void set_rows(LinearSystem& system, const std::vector<Row>& rows) {
  system.start.assign(1, 0);
  system.cell.clear();
  system.coefficient.clear();
  system.row_lower.clear();
  system.row_upper.clear();
  for (const Row& row : rows) {
    for (const auto& [cell, coefficient] : row.entry) {
      system.cell.push_back(cell);
      system.coefficient.push_back(coefficient);
    }
    system.start.push_back(system.cell.size());
    system.row_lower.push_back(row.lower);
    system.row_upper.push_back(row.upper);
  }
}

// Whether the rows hold whose cells are all fixed.
bool fixed_rows_hold(const LinearSystem& system) {
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    WideInt sum = 0;
    bool fixed = true;
    for (std::size_t e = system.start[r]; e < system.start[r + 1] && fixed; ++e) {
      fixed = system.is_fixed(system.cell[e]);
      sum += wide_product(system.coefficient[e], system.lower[system.cell[e]]);
    }
    if (fixed && (sum < system.row_lower[r] || sum > system.row_upper[r])) return false;
  }
  return true;
}

}  // namespace

ReducedSystem reduce(LinearSystem system, const Tick& tick) {
  ReducedSystem out;
  out.feasible = tighten(system, tick);
  out.lower = system.lower;
  out.upper = system.upper;
  if (!out.feasible) return out;
  out.feasible = fixed_rows_hold(system);
  SystemPart whole = free_part(system);
  if (whole.cell.empty()) return out;
  set_rows(whole.system, telling_rows(whole.system, out.feasible));
  if (!out.feasible) return out;
  const auto groups = components(whole.system);
  std::vector<LinearSystem> systems = split(whole.system, groups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    out.parts.emplace_back();
    out.parts.back().system = std::move(systems[g]);
    for (std::uint32_t i : groups[g]) out.parts.back().cell.push_back(whole.cell[i]);
  }
  return out;
}

}  // namespace sdclattice
