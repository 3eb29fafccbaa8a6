// Small systems with questions of readers, and the answers from all tables that agree with what
// each reader knows: whole ones, or the vertices over the real numbers.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/random.hpp"
#include "check.hpp"
#include "linear/reader_search.hpp"
#include "small_tables.hpp"

namespace sdclattice {

using small_tables::add_row;
using small_tables::Whole;
using Readers = std::vector<std::vector<ReaderLimit>>;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // reader and target

inline LinearSystem system_of(std::size_t n, std::int64_t upper) {
  LinearSystem out;
  out.lower.assign(n, 0);
  out.upper.assign(n, upper);
  return out;
}

// A system, its true table, and questions about it.
struct Case {
  LinearSystem system;
  Whole truth;
  Readers readers;
  std::vector<ReaderTarget> targets;
};

inline std::int64_t below(PublicRandom& random, std::size_t n) {
  return static_cast<std::int64_t>(random.below(n));
}

// Rows through a random table; cells of 0 and 1 are frequent, and some have one value only.
inline Case random_case(PublicRandom& random, std::size_t n, int most_coefficient) {
  Case out;
  for (std::size_t i = 0; i < n; ++i) {
    out.system.lower.push_back(below(random, 2));
    out.system.upper.push_back(out.system.lower[i] + below(random, 6));
    const auto width = static_cast<std::size_t>(out.system.upper[i] - out.system.lower[i]);
    out.truth.push_back(out.system.lower[i] + below(random, width + 1));
  }
  const std::size_t m = 1 + random.below(2);
  for (std::size_t r = 0; r < m; ++r) {
    Whole a(n);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = random.below(4) == 0
                 ? 0
                 : below(random, 2 * static_cast<std::size_t>(most_coefficient) + 1) -
                       most_coefficient;
      sum += a[i] * out.truth[i];
    }
    const std::int64_t least = random.below(8) == 0 ? -kNoLimit : sum - below(random, 3) / 2;
    add_row(out.system, a, least, sum + below(random, 3) / 2);
  }
  return out;
}

// A table with its one-way sums; some of its cells are published.
inline Case random_two_way(PublicRandom& random, std::size_t rows, std::size_t columns) {
  Case out;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    out.truth.push_back(below(random, 4));
    const bool shown = random.below(4) == 0;
    out.system.lower.push_back(shown ? out.truth[i] : 0);
    out.system.upper.push_back(shown ? out.truth[i] : 4);
  }
  for (std::size_t k = 0; k < rows + columns; ++k) {
    Whole a(rows * columns, 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (k < rows ? i % rows == k : i / rows == k - rows) {
        a[i] = 1;
        sum += out.truth[i];
      }
    add_row(out.system, a, sum, sum);
  }
  return out;
}

inline ReaderNeed random_need(PublicRandom& random, std::int64_t value) {
  ReaderNeed out{value - 1 - below(random, 2), value + 1 + below(random, 2)};
  if (random.below(5) == 0) out.low = -1;
  if (random.below(5) == 0) out.high = kNoLimit;
  if (random.below(8) == 0) out.high = below(random, 6);
  if (random.below(8) == 0) out.low = below(random, 6);
  return out;
}

// What every reader knows is true.
inline void add_questions(PublicRandom& random, Case& x, std::size_t n_readers) {
  const std::size_t n = x.truth.size();
  for (std::size_t r = 0; r < n_readers; ++r) {
    x.readers.emplace_back();
    for (std::size_t k = random.below(4); k > 0; --k) {
      const std::size_t i = random.below(n);
      const std::int64_t high = random.below(3) == 0 ? kNoLimit : x.truth[i] + below(random, 2);
      x.readers.back().push_back(
          {static_cast<std::uint32_t>(i), x.truth[i] - below(random, 2), high});
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (random.below(4) == 0) continue;
    ReaderTarget target{i, random_need(random, x.truth[i]), {}};
    for (std::uint32_t r = 0; r < n_readers; ++r)
      if (random.below(4) == 0)
        target.own.push_back({r, random_need(random, x.truth[i]), random.below(3) > 0});
    x.targets.push_back(target);
  }
}

inline LinearSystem as_known_to(const LinearSystem& system,
                                const std::vector<ReaderLimit>& limits) {
  LinearSystem out = system;
  for (const ReaderLimit& limit : limits) {
    out.lower[limit.cell] = std::max(out.lower[limit.cell], limit.lower);
    out.upper[limit.cell] = std::min(out.upper[limit.cell], limit.upper);
  }
  return out;
}

// The least and the largest value of a cell, as fractions: whole numbers have the denominator 1.
struct Ends {
  std::int64_t least = 0, least_of = 1, most = 0, most_of = 1;

  bool meets(const ReaderNeed& need) const {
    return (need.high < kNoLimit && most >= need.high * most_of) || least <= need.low * least_of;
  }
  // Cells are never negative.
  std::int64_t lower() const { return (least + least_of - 1) / least_of; }
  std::int64_t upper() const { return most / most_of; }
};

inline std::vector<Ends> ends_of(const std::vector<Whole>& points, const Whole& denominators) {
  std::vector<Ends> out(points[0].size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    Ends& ends = out[i];
    ends = {points[0][i], denominators[0], points[0][i], denominators[0]};
    for (std::size_t k = 1; k < points.size(); ++k) {
      const std::int64_t x = points[k][i], of = denominators[k];
      if (x * ends.least_of < ends.least * of) ends.least = x, ends.least_of = of;
      if (x * ends.most_of > ends.most * of) ends.most = x, ends.most_of = of;
    }
  }
  return out;
}

inline std::vector<Ends> whole_ends(const LinearSystem& known) {
  const std::vector<Whole> points = small_tables::solutions(known);
  return ends_of(points, Whole(points.size(), 1));
}

struct Plane {
  Whole a;
  std::int64_t b;
};

inline std::int64_t determinant(const Whole& x, const Whole& y, const Whole& z) {
  return x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) +
         x[2] * (y[0] * z[1] - y[1] * z[0]);
}

// a x <= b for every limit of a cell and of a row; three cells.
inline std::vector<Plane> half_spaces(const LinearSystem& system) {
  std::vector<Plane> out;
  for (std::size_t i = 0; i < 3; ++i) {
    Whole a(3, 0);
    a[i] = 1;
    out.push_back({a, system.upper[i]});
    a[i] = -1;
    out.push_back({a, -system.lower[i]});
  }
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    Whole a(3, 0);
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
      a[system.cell[e]] = system.coefficient[e];
    out.push_back({a, system.row_upper[r]});
    if (system.row_lower[r] > -kNoLimit)
      out.push_back({{-a[0], -a[1], -a[2]}, -system.row_lower[r]});
  }
  return out;
}

// Over the real numbers: all vertices of three cells, by Cramer's rule.
inline std::vector<Ends> real_ends(const LinearSystem& known) {
  const std::vector<Plane> planes = half_spaces(known);
  std::vector<Whole> points;
  Whole denominators;
  for (std::size_t i = 0; i < planes.size(); ++i)
    for (std::size_t j = i + 1; j < planes.size(); ++j)
      for (std::size_t k = j + 1; k < planes.size(); ++k) {
        const Plane *p = &planes[i], *q = &planes[j], *s = &planes[k];
        std::int64_t det = determinant(p->a, q->a, s->a);
        if (det == 0) continue;
        Whole x(3);
        for (std::size_t c = 0; c < 3; ++c) {
          Whole u = p->a, v = q->a, w = s->a;
          u[c] = p->b, v[c] = q->b, w[c] = s->b;
          x[c] = determinant(u, v, w) * (det < 0 ? -1 : 1);
        }
        det = std::abs(det);
        if (std::all_of(planes.begin(), planes.end(), [&](const Plane& plane) {
              return plane.a[0] * x[0] + plane.a[1] * x[1] + plane.a[2] * x[2] <= plane.b * det;
            })) {
          points.push_back(x);
          denominators.push_back(det);
        }
      }
  return ends_of(points, denominators);
}

// What is to be found: the pairs that are asked about, and of these the ones that are learned.
struct Expected {
  std::size_t n_asked = 0;
  Pairs learned;
  std::vector<std::vector<Ends>> ends;  // of each reader
  std::vector<std::uint32_t> open;      // targets that the limits do not fix
};

// Asked is a reader whom a limit of her own tells something of the target's component.
template <class EndsOf>
Expected expect(const Case& x, const EndsOf& find_ends) {
  Expected out;
  LinearSystem narrowed = x.system;
  CHECK(tighten(narrowed, {}));
  std::vector<std::size_t> group(x.truth.size(), SIZE_MAX);
  const auto groups = components(narrowed);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::uint32_t i : groups[g]) group[i] = g;
  for (const auto& limits : x.readers) out.ends.push_back(find_ends(as_known_to(narrowed, limits)));
  for (std::uint32_t t = 0; t < x.targets.size(); ++t) {
    const ReaderTarget& target = x.targets[t];
    if (group[target.cell] == SIZE_MAX) continue;
    out.open.push_back(t);
    for (std::uint32_t r = 0; r < x.readers.size(); ++r) {
      ReaderNeed need = target.need;
      bool asked =
          std::any_of(x.readers[r].begin(), x.readers[r].end(), [&](const ReaderLimit& limit) {
            return group[limit.cell] == group[target.cell] &&
                   (limit.lower > narrowed.lower[limit.cell] ||
                    limit.upper < narrowed.upper[limit.cell]);
          });
      for (const OwnNeed& own : target.own)
        if (own.reader == r) {
          need = own.need;
          asked = asked && own.asked;
        }
      if (!asked) continue;
      ++out.n_asked;
      if (!out.ends[r][target.cell].meets(need)) out.learned.insert({r, t});
    }
  }
  return out;
}

}  // namespace sdclattice
