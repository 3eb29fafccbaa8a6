// Small random systems of all kinds that a release can lead to, and the range of each cell by going
// through all solutions. Shares no code with the core's searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/generated_release.hpp"
#include "small_tables.hpp"

namespace small_releases {

using sdclattice::kNoLimit;
using sdclattice::LinearSystem;
using small_tables::Dice;
using small_tables::Whole;

// ---- all solutions -----------------------------------------------------------------------------

// Least and largest value of each cell over all solutions; `complete` is false where there was too
// much to go through. All cells have limits.
struct Range {
  bool feasible = false, complete = true;
  Whole lower, upper;
};

// Depth first, from the last cell to the first: totals stand before their parts. A row is left as
// soon as the cells that have no value yet cannot fill it.
class Enumeration {
 public:
  Enumeration(const LinearSystem& system, std::size_t budget)
      : system_(system), rows_of_(system.n_cells()), x_(system.n_cells()), budget_(budget) {
    for (std::size_t r = 0; r < system.n_rows(); ++r) {
      least_.push_back(0);
      most_.push_back(0);
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
        const std::size_t i = system.cell[e];
        rows_of_[i].push_back({r, system.coefficient[e]});
        add(r, system.coefficient[e], system.lower[i], system.upper[i], 1);
      }
    }
  }
  Range run() {
    bool possible = true;
    for (std::size_t i = 0; i < x_.size(); ++i)
      possible = possible && system_.lower[i] <= system_.upper[i];
    for (std::size_t r = 0; r < least_.size(); ++r) possible = possible && fits(r);
    if (possible) descend(x_.size());
    range_.complete = budget_ > 0;
    return range_;
  }

 private:
  struct Use {
    std::size_t row;
    std::int64_t coefficient;
  };
  void add(std::size_t r, std::int64_t a, std::int64_t low, std::int64_t high, int times) {
    least_[r] += times * (a > 0 ? a * low : a * high);
    most_[r] += times * (a > 0 ? a * high : a * low);
  }
  bool fits(std::size_t r) const {
    return least_[r] <= system_.row_upper[r] && most_[r] >= system_.row_lower[r];
  }
  void descend(std::size_t left) {
    if (budget_ == 0 || --budget_ == 0) return;
    if (left == 0) return record();
    const std::size_t i = left - 1;
    for (x_[i] = system_.lower[i]; x_[i] <= system_.upper[i]; ++x_[i]) {
      bool good = true;
      for (const Use& u : rows_of_[i]) {
        add(u.row, u.coefficient, system_.lower[i], system_.upper[i], -1);
        add(u.row, u.coefficient, x_[i], x_[i], 1);
        good = good && fits(u.row);
      }
      if (good) descend(i);
      for (const Use& u : rows_of_[i]) {
        add(u.row, u.coefficient, x_[i], x_[i], -1);
        add(u.row, u.coefficient, system_.lower[i], system_.upper[i], 1);
      }
    }
  }
  void record() {
    if (!range_.feasible) range_.lower = range_.upper = x_;
    range_.feasible = true;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      range_.lower[i] = std::min(range_.lower[i], x_[i]);
      range_.upper[i] = std::max(range_.upper[i], x_[i]);
    }
  }

  const LinearSystem& system_;
  std::vector<std::vector<Use>> rows_of_;
  Whole least_, most_, x_;
  std::size_t budget_;
  Range range_;
};

inline Range enumerate(const LinearSystem& system, std::size_t budget = 4000) {
  return Enumeration(system, budget).run();
}

// Cells without an upper limit stop at 60 and then at 80: what grows with the stop has no limit.
// The coefficients are so small that all vertices are below.
inline Range enumerate_unlimited(const LinearSystem& system) {
  Range out[2];
  for (int k = 0; k < 2; ++k) {
    LinearSystem stopped = system;
    for (std::int64_t& x : stopped.upper)
      if (x >= kNoLimit) x = 60 + 20 * k;
    out[k] = enumerate(stopped, 300000);
  }
  for (std::size_t i = 0; i < out[1].upper.size(); ++i)
    if (out[0].upper.empty() || out[1].upper[i] > out[0].upper[i]) out[1].upper[i] = kNoLimit;
  return out[1];
}

// ---- systems -----------------------------------------------------------------------------------

// A solution of the system is known: the truth.
struct Sample {
  LinearSystem system;
  Whole truth;
};

enum class Shape { two_way, three_way, tree, linked, triangle };

inline generated::Release empty_release(Dice& dice, Shape shape) {
  using generated::details::without_counts;
  const std::vector<std::vector<int>> trees{{2, 2}, {1, 2}, {2, 1}, {3}, {2}, {2, 1, 2}};
  const auto tree = [&] { return trees[static_cast<std::size_t>(dice.below(6))]; };
  const auto flat = [&] { return std::vector<int>{dice.between(2, 3)}; };
  switch (shape) {
    case Shape::two_way:
      return without_counts({flat(), {dice.between(2, 4)}}, {{0, 1}});
    case Shape::three_way:
      return without_counts({{2}, flat(), flat()}, {{0, 1, 2}});
    case Shape::tree:
      return without_counts({tree(), flat()}, {{0, 1}});
    case Shape::linked:
      return without_counts({tree(), flat(), {2}}, {{0, 1}, {0, 2}});
    default:
      return without_counts({{2}, {2}, flat()}, {{0, 1}, {1, 2}, {0, 2}});
  }
}

inline void count_at_random(Dice& dice, generated::Release& release) {
  std::vector<std::pair<generated::Numbers, std::int64_t>> counts;
  generated::Numbers sizes, place(release.trees.size(), 0);
  for (const auto& tree : release.trees) sizes.push_back(tree.leaves.size());
  do {
    generated::Numbers leaves;
    for (std::size_t v = 0; v < place.size(); ++v)
      leaves.push_back(release.trees[v].leaves[place[v]]);
    counts.emplace_back(leaves, dice.below(2) * dice.below(4));
  } while (generated::details::next_place(place, sizes));
  generated::details::add_up(release, counts);
}

// Published, suppressed, or published as an interval.
inline void publish_at_random(Dice& dice, generated::Release& release) {
  release.lower = release.upper = release.value;
  const int shown = dice.between(1, 4);
  for (std::size_t i = 0; i < release.size(); ++i) {
    const std::int64_t x = release.value[i];
    const int fate = dice.below(7);
    if (fate < shown) continue;
    release.lower[i] = fate == 6 ? std::max<std::int64_t>(0, x - dice.below(3)) : 0;
    release.upper[i] = fate == 6 ? x + dice.below(3) : release.value[0];
  }
}

inline Sample table_sample(Dice& dice, Shape shape) {
  generated::Release release = empty_release(dice, shape);
  count_at_random(dice, release);
  publish_at_random(dice, release);
  return {generated::system_of(release), release.value};
}

// Rows that allow more than an equation does.
inline void loosen_rows(Dice& dice, LinearSystem& system) {
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    if (dice.below(3) == 0) system.row_lower[r] -= dice.below(3);
    if (dice.below(3) == 0) system.row_upper[r] += dice.below(3);
    if (dice.below(12) == 0) system.row_upper[r] = kNoLimit;
  }
}

// A row of any coefficients from -1 to 2 through the truth, or next to it.
inline void add_uneven_row(Dice& dice, Sample& sample) {
  Whole a;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < sample.truth.size(); ++i) {
    a.push_back(dice.below(3) == 0 ? dice.between(-1, 2) : 0);
    sum += a[i] * sample.truth[i];
  }
  small_tables::add_row(sample.system, a, sum - dice.below(2), sum + dice.below(2));
}

// Some fixed cell is one off, or some cell has limits away from the truth. Often nothing is left.
inline void spoil(Dice& dice, Sample& sample) {
  const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(sample.truth.size())));
  sample.system.lower[i] = sample.truth[i] + dice.between(1, 2);
  sample.system.upper[i] = sample.system.lower[i] + dice.below(2);
  sample.truth.clear();
}

// Few cells, some without an upper limit.
inline Sample unlimited_sample(Dice& dice) {
  Sample out{small_tables::random_system(dice, dice.between(2, 4), dice.between(1, 3), 2), {}};
  for (int k = dice.between(1, 2); k > 0; --k)
    out.system.upper[static_cast<std::size_t>(dice.below(static_cast<int>(out.system.n_cells())))] =
        kNoLimit;
  return out;
}

constexpr int kKinds = 10;

// Kinds 0 to 4 are the shapes; 5 ranges, 6 uneven rows, 7 spoiled, 8 any coefficients, 9 unlimited.
inline Sample sample_of(Dice& dice, int kind) {
  if (kind == 9) return unlimited_sample(dice);
  if (kind == 8)
    return {small_tables::random_system(dice, dice.between(2, 6), dice.between(1, 4), 3), {}};
  const int shape = kind < 5 ? kind : dice.below(5);
  Sample out = table_sample(dice, static_cast<Shape>(shape));
  if (kind == 5) loosen_rows(dice, out.system);
  if (kind == 6) add_uneven_row(dice, out);
  if (kind == 7) spoil(dice, out);
  return out;
}

}  // namespace small_releases
