#include "fibre/twoway_lines.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "base/wide_int.hpp"

namespace sdclattice::twoway {

std::vector<BigCount> shares(const CellGroup& group, std::int64_t most, std::size_t but) {
  assert(most >= 0);
  std::vector<BigCount> ways(
      checked_size(most, "The counts are too large for numbers of ways to share them.") + 1);
  ways[0] = 1;
  for (std::size_t c = 0; c < group.cell.size(); ++c) {
    if (c == but) continue;
    for (std::size_t k = 1; k < ways.size(); ++k) ways[k] += ways[k - 1];
    const auto wide = static_cast<std::size_t>(group.limit[c]) + 1;
    for (std::size_t k = ways.size(); k-- > wide;) ways[k] -= ways[k - wide];
  }
  return ways;
}

OrderedLines OrderedLines::reversed() const {
  OrderedLines out = *this;
  std::reverse(out.sum.begin(), out.sum.end());
  std::reverse(out.group.begin(), out.group.end());
  return out;
}

double Box::n_states() const {
  double n = 1;
  for (std::size_t s : size) n *= static_cast<double>(s);
  return n;
}

namespace {

// What a column can hold after i lines: no more than these lines give, no less than the others
// leave.
std::pair<std::int64_t, std::int64_t> column_range(const OrderedLines& of, std::size_t column,
                                                   std::int64_t total, std::size_t i) {
  std::int64_t before = 0, after = 0;
  for (std::size_t l = 0; l < of.n_lines(); ++l)
    (l < i ? before : after) += of.group[l][column].most;
  return {std::max<std::int64_t>(0, total - after), std::min(total, before)};
}

}  // namespace

Box box_after(const OrderedLines& of, std::size_t i) {
  Box out;
  const std::int64_t done = std::accumulate(
      of.sum.begin(), of.sum.begin() + static_cast<std::ptrdiff_t>(i), std::int64_t{0});
  std::int64_t low_sum = 0, high_sum = 0;
  for (std::size_t j = 0; j < of.n_axes(); ++j) {
    const auto [low, high] = column_range(of, j, of.total[j], i);
    out.empty = out.empty || low > high;
    out.low.push_back(low);
    // More than addresses reach is too much for any plan.
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, high - low + 1));
    out.size.push_back(static_cast<std::size_t>(std::min<std::uint64_t>(size, SIZE_MAX / 2)));
    low_sum += low;
    high_sum += high;
  }
  const auto [low, high] = column_range(of, of.n_axes(), of.rest_total, i);
  out.least = std::max(low_sum, done - high);
  out.most = std::min(high_sum, done - low);
  out.empty = out.empty || low > high || out.least > out.most;
  return out;
}

Box hull(const Box& from, const Box& to) {
  Box out = from;
  assert(to.size.size() == from.size.size());
  for (std::size_t j = 0; j < out.size.size(); ++j)
    out.size[j] = static_cast<std::size_t>(to.low[j] - from.low[j]) + to.size[j];
  return out;
}

bool is_triangular(const OrderedLines& of, std::size_t line) {
  const std::vector<CellGroup>& groups = of.group[line];
  return of.n_axes() <= 2 && std::all_of(groups.begin(), groups.end(), [](const CellGroup& group) {
           return group.cell.size() <= 1;
         });
}

std::vector<ExclusionTerm> exclusion_terms(const Box& from, const Box& to, const OrderedLines& of,
                                           std::size_t line) {
  const Box both = hull(from, to);
  const auto vanishes = [&](const ExclusionTerm& term) {
    for (std::size_t j = 0; j < of.n_axes(); ++j)
      if (term.shift[j] >= static_cast<std::int64_t>(both.size[j])) return true;
    return term.sum < 0;
  };
  std::vector<ExclusionTerm> out(1);
  out[0].sum = of.sum[line];
  for (std::size_t j = 0; j <= of.n_axes(); ++j)
    for (std::size_t k = out.size(); k-- > 0;) {
      ExclusionTerm more = out[k];
      more.sum -= of.group[line][j].most + 1;
      if (j < of.n_axes()) more.shift[j] += of.group[line][j].most + 1;
      more.negative = !more.negative;
      if (!vanishes(more)) out.push_back(more);
    }
  return out;
}

double triangle_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line) {
  if (!is_triangular(of, line)) return std::numeric_limits<double>::infinity();
  if (from.empty || to.empty) return 0;
  const auto terms = static_cast<double>(exclusion_terms(from, to, of, line).size());
  return 7 * terms * hull(from, to).n_states();
}

double step_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line) {
  return std::min(layer_cost(from, to, of, line), triangle_cost(from, to, of, line));
}

double layer_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line) {
  if (from.empty || to.empty) return 0;
  double passes = 2;
  for (std::size_t j = 0; j < of.n_axes(); ++j)
    for (std::int64_t limit : of.group[line][j].limit) passes += limit < of.sum[line] ? 2 : 1;
  const double layers = static_cast<double>(from.most - from.least + 1);
  const Box both = hull(from, to);
  const double outer = both.n_states() / static_cast<double>(both.size[0]);
  const double wide =
      std::min(static_cast<double>(of.sum[line] + 1) * both.n_states(), layers * both.n_states());
  return passes * (wide + 2 * outer * layers);  // bookkeeping for each row of the innermost axis
}

OrderedLines arrange(const TwoWayTable& given, const TwoWayPlan& plan) {
  const TwoWayTable table = plan.transposed ? given.transposed() : given;
  assert(plan.line.size() == table.row.size() && plan.axis.size() + 1 == table.column.size());
  std::vector<std::size_t> line_at(table.row.size()), column_at(table.column.size());
  for (std::size_t i = 0; i < plan.line.size(); ++i) line_at[plan.line[i]] = i;
  for (std::size_t j = 0; j < plan.axis.size(); ++j) column_at[plan.axis[j]] = j;
  column_at[plan.rest] = plan.axis.size();
  OrderedLines out;
  for (std::uint32_t i : plan.line) out.sum.push_back(table.row[i]);
  for (std::uint32_t j : plan.axis) out.total.push_back(table.column[j]);
  out.rest_total = table.column[plan.rest];
  out.group.assign(plan.line.size(), std::vector<CellGroup>(plan.axis.size() + 1));
  for (std::uint32_t c = 0; c < table.cell.size(); ++c) {
    const TwoWayCell& cell = table.cell[c];
    CellGroup& group = out.group[line_at[cell.row]][column_at[cell.column]];
    const std::int64_t most = std::min(table.row[cell.row], table.column[cell.column]);
    group.cell.push_back(c);
    group.limit.push_back(std::min(cell.limit, most));
    group.most = std::min(most, group.most + group.limit.back());
  }
  if (out.total.empty()) {  // one column: an axis of one state
    out.total.push_back(0);
    for (auto& groups : out.group) groups.insert(groups.begin(), CellGroup());
  }
  return out;
}

}  // namespace sdclattice::twoway
