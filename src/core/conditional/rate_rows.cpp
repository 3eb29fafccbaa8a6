#include "conditional/rate_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "base/wide_int.hpp"
#include "linear/bounds_knowledge.hpp"

namespace sdclattice {

namespace {

void narrow(LinearSystem& system, std::uint32_t unknown, std::int64_t lower, std::int64_t upper) {
  system.lower[unknown] = std::max(system.lower[unknown], lower);
  system.upper[unknown] = std::min(system.upper[unknown], upper);
  if (system.lower[unknown] > system.upper[unknown]) throw InfeasibleError(kNoTable);
}

struct Point {
  std::int64_t t, x;
};

// The upper hull of points with ascending t; with sign -1 the lower one.
class Chain {
 public:
  explicit Chain(int sign) : sign_(sign) {}

  void add(const Point& p) {
    while (points_.size() > 1 && !turns(points_[points_.size() - 2], points_.back(), p))
      points_.pop_back();
    points_.push_back(p);
  }
  const std::vector<Point>& points() const { return points_; }

 private:
  // Does the way from a over b to c bend towards the inside?
  bool turns(const Point& a, const Point& b, const Point& c) const {
    const WideInt left = wide_product(b.x - a.x, c.t - a.t);
    const WideInt right = wide_product(c.x - a.x, b.t - a.t);
    return sign_ > 0 ? left > right : left < right;
  }

  int sign_;
  std::vector<Point> points_;
};

// Multiples of one unknown: the total is the least common denominator times it.
void add_line_multiples(LinearSystem& system, const RateLine& line, const RowDomain& domain) {
  const auto times = static_cast<std::uint32_t>(system.n_cells());
  system.lower.push_back(domain.first() / domain.by());
  system.upper.push_back(domain.last() / domain.by());
  const std::int64_t common = line.row.scale / domain.by();
  for (std::size_t j = 0; j < line.sum.size(); ++j)
    if (line.row.low[j] > 0)
      add_row(system, {{line.sum[j], 1}, {times, -line.row.low[j] / common}}, 0, 0);
}

// From a to b: x lies below the line, or, as a lower side, above it.
void add_side(LinearSystem& system, std::uint32_t total, std::uint32_t cell, const Point& a,
              const Point& b, int sign, bool is_both) {
  const std::int64_t common = std::gcd(b.t - a.t, b.x - a.x);
  const std::int64_t along = (b.t - a.t) / common, up = (b.x - a.x) / common;
  if (up == 0) return;  // a limit of the cell
  const std::int64_t at = along * a.x - up * a.t;
  add_row(system, {{cell, along}, {total, -up}}, sign < 0 || is_both ? at : -kNoLimit,
          sign > 0 || is_both ? at : kNoLimit);
}

bool is_same_line(const Chain& a, const Chain& b) {
  const auto is_same = [](const Point& p, const Point& q) { return p.t == q.t && p.x == q.x; };
  return a.points().size() == 2 && b.points().size() == 2 &&
         is_same(a.points()[0], b.points()[0]) && is_same(a.points()[1], b.points()[1]);
}

void add_sides(LinearSystem& system, std::uint32_t total, std::uint32_t cell, const Chain& chain,
               int sign, bool is_both) {
  for (std::size_t k = 1; k < chain.points().size(); ++k)
    add_side(system, total, cell, chain.points()[k - 1], chain.points()[k], sign, is_both);
}

struct Hull {
  Chain above{1}, below{-1};
};

// The pairs of the total and each cell that the row allows, and the limits that they set.
std::vector<Hull> find_hulls(LinearSystem& system, const RateLine& line, const RowDomain& domain) {
  const std::size_t n = line.sum.size();
  std::vector<Hull> hulls(n);
  std::vector<std::int64_t> least(n, kNoLimit), largest(n, -kNoLimit);
  std::int64_t first = kNoLimit, last = -kNoLimit;
  RowCells cells(line, system);
  domain.each([&](std::int64_t t) {
    if (!cells.look(t)) return;
    first = std::min(first, t), last = t;
    for (std::size_t j = 0; j < n; ++j) {
      least[j] = std::min(least[j], cells.least(j));
      largest[j] = std::max(largest[j], cells.largest(j));
      hulls[j].above.add({t, cells.largest(j)});
      hulls[j].below.add({t, cells.least(j)});
    }
  });
  narrow(system, line.total, first, last);
  for (std::size_t j = 0; j < n; ++j) narrow(system, line.sum[j], least[j], largest[j]);
  return hulls;
}

}  // namespace

void add_hull_rows(LinearSystem& system, const RateLine& line, const RowDomain& domain) {
  const std::vector<Hull> hulls = find_hulls(system, line, domain);
  if (line.row.exact()) return add_line_multiples(system, line, domain);
  for (std::size_t j = 0; j < line.sum.size(); ++j) {
    if (line.sum[j] == line.total) continue;
    const Chain &above = hulls[j].above, &below = hulls[j].below;
    const bool is_both = is_same_line(above, below);
    add_sides(system, line.total, line.sum[j], above, 1, is_both);
    if (!is_both) add_sides(system, line.total, line.sum[j], below, -1, false);
  }
}

}  // namespace sdclattice
