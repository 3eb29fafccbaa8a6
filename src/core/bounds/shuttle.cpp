#include "bounds/shuttle.hpp"

#include <algorithm>

#include "base/deadline.hpp"
#include "base/error.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

namespace {

double n_super_cells(const std::vector<std::uint32_t>& levels) {
  double out = 1;
  for (std::uint32_t k : levels) out *= k + 1.0;
  return out;
}

}  // namespace

bool GeneralizedShuttle::has_room(const std::vector<std::uint32_t>& levels,
                                  std::size_t max_super_cells) {
  return n_super_cells(levels) <= static_cast<double>(max_super_cells);
}

GeneralizedShuttle::GeneralizedShuttle(const std::vector<std::uint32_t>& levels,
                                       const std::vector<ReleasedMargin>& margins,
                                       std::size_t max_super_cells)
    : levels_(levels) {
  if (!has_room(levels, max_super_cells))
    throw TooLargeError("The generalized shuttle would need too many super-cells.");
  std::size_t n = 1;
  for (std::uint32_t k : levels_) {
    stride_.push_back(n);
    n *= k + std::size_t{1};
  }
  assign_polled(lower_, n, std::int64_t{0});
  assign_polled(upper_, n, std::int64_t{kNoLimit});
  settled_.assign(levels_.size(), {});
  for (std::size_t v = 0; v < levels_.size(); ++v) settled_[v].assign(n, false);
  for (const ReleasedMargin& margin : margins) release(margin);
}

std::size_t GeneralizedShuttle::place(const std::vector<std::uint32_t>& levels) const {
  std::size_t out = 0;
  for (std::size_t v = 0; v < levels.size(); ++v) out += levels[v] * stride_[v];
  return out;
}

// Cells that a margin does not store are zero: all of its cells are visited, stored ones last.
void GeneralizedShuttle::release(const ReleasedMargin& margin) {
  std::vector<std::uint32_t> at = levels_;
  for (std::uint32_t v : margin.variables) at[v] = 0;
  const auto last = [&](std::uint32_t v) { return at[v] + 1 == levels_[v]; };
  std::size_t visited = 0;
  for (bool more = std::all_of(margin.variables.begin(), margin.variables.end(),
                               [&](std::uint32_t v) { return levels_[v] > 0; });
       more;) {
    poll_at(++visited);
    upper_[place(at)] = 0;
    std::size_t k = 0;
    while (k < margin.variables.size() && last(margin.variables[k])) at[margin.variables[k++]] = 0;
    more = k < margin.variables.size();
    if (more) ++at[margin.variables[k]];
  }
  const std::size_t words = margin.layout.n_words();
  for (std::size_t i = 0; i < margin.cells.n; ++i) {
    for (std::size_t k = 0; k < margin.variables.size(); ++k)
      at[margin.variables[k]] = margin.layout.level(margin.cells.keys + i * words, k);
    const std::size_t p = place(at);
    lower_[p] = upper_[p] = static_cast<std::int64_t>(margin.cells.counts[i]);
  }
}

bool GeneralizedShuttle::cap(std::size_t place, std::int64_t limit) {
  if (limit >= upper_[place]) return false;
  upper_[place] = limit;
  return true;
}

bool GeneralizedShuttle::raise(std::size_t place, std::int64_t limit) {
  if (limit <= lower_[place]) return false;
  lower_[place] = limit;
  return true;
}

// The line of a super-cell along v, from its place at the first level; the sum stands at the end.
// False when limits cross.
bool GeneralizedShuttle::narrow_line(std::size_t first, std::size_t v, bool& changed) {
  const std::size_t step = stride_[v], sum = first + levels_[v] * step;
  std::int64_t least = 0, most = 0;
  for (std::size_t p = first; p < sum; p += step) {
    least += lower_[p];
    most = std::min(kNoLimit, most + upper_[p]);
  }
  bool moved = raise(sum, least);
  moved = cap(sum, most) || moved;
  bool open = lower_[sum] != upper_[sum];
  for (std::size_t p = first; p < sum; p += step) {
    if (upper_[sum] < kNoLimit) moved = cap(p, upper_[sum] - (least - lower_[p])) || moved;
    if (most < kNoLimit) moved = raise(p, lower_[sum] - (most - upper_[p])) || moved;
    if (lower_[p] > upper_[p]) return false;
    open = open || lower_[p] != upper_[p];
  }
  changed = changed || moved;
  // A line that is known throughout may settle once its own equation has been looked at unmoved.
  if (!open && !moved) settled_[v][first] = true;
  return lower_[sum] <= upper_[sum] && (open || moved || least == lower_[sum]);
}

bool GeneralizedShuttle::sweep_variable(std::size_t v, bool& changed) {
  const std::size_t block = stride_[v] * (levels_[v] + std::size_t{1});
  std::size_t lines = 0;
  for (std::size_t base = 0; base < lower_.size(); base += block)
    for (std::size_t first = base; first < base + stride_[v]; ++first) {
      poll_at(16 * ++lines);
      if (!settled_[v][first] && !narrow_line(first, v, changed)) return false;
    }
  return true;
}

bool GeneralizedShuttle::run(std::size_t max_sweeps, const Tick& tick) {
  for (bool changed = true; changed && n_sweeps_ < max_sweeps; ++n_sweeps_) {
    changed = false;
    for (std::size_t v = 0; v < levels_.size(); ++v) {
      report(tick, 0);
      if (!sweep_variable(v, changed)) return false;
    }
  }
  return true;
}

}  // namespace sdclattice
