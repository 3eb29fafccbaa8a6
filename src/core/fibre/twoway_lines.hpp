// A two-way table as its programme sees it: lines in order, and the boxes of states between them.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/big_count.hpp"
#include "fibre/twoway.hpp"

namespace sdclattice::twoway {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// The cells that lie in one row and one column, and the ways to share out what they hold.
struct CellGroup {
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> limit;
  std::int64_t most = 0;  // of their sum
};

// The ways to share k among the cells of a group, k = 0, ..., most, without cell `but`.
std::vector<BigCount> shares(const CellGroup& group, std::int64_t most, std::size_t but = kNone);

// A table with its lines in order, seen from one end.
struct OrderedLines {
  std::vector<std::int64_t> sum;              // a line each
  std::vector<std::vector<CellGroup>> group;  // a line and a column each; the last is the rest
  std::vector<std::int64_t> total;            // of each carried column
  std::int64_t rest_total = 0;

  std::size_t n_lines() const { return sum.size(); }
  std::size_t n_axes() const { return total.size(); }

  OrderedLines reversed() const;
};

// The table's lines and columns in the order of the plan; one column at least is carried.
OrderedLines arrange(const TwoWayTable& table, const TwoWayPlan& plan);

// The states after some lines: low_j <= v_j < low_j + size_j for each axis, and the range of |v|.
struct Box {
  std::vector<std::int64_t> low;
  std::vector<std::size_t> size;
  std::int64_t least = 0, most = 0;
  bool empty = false;

  double n_states() const;
  std::size_t index(const std::int64_t* v) const {
    std::size_t out = 0;
    for (std::size_t j = size.size(); j-- > 0;) {
      assert(holds(j, v[j]));
      out = out * size[j] + static_cast<std::size_t>(v[j] - low[j]);
    }
    return out;
  }
  bool holds(std::size_t j, std::int64_t v) const {
    return v >= low[j] && v < low[j] + static_cast<std::int64_t>(size[j]);
  }
};

Box box_after(const OrderedLines& of, std::size_t i);

// Both boxes of a step together.
Box hull(const Box& from, const Box& to);

// What a line may give: sum to share, of which shift[j] more than what is counted go to the carried
// column j. The terms of an inclusion and exclusion over the limits of the cells.
struct ExclusionTerm {
  std::int64_t shift[2] = {0, 0};
  std::int64_t sum = 0;
  bool negative = false;
};

// At most two columns are carried, and no cells share a place.
bool is_triangular(const OrderedLines& of, std::size_t line);
// Of such a line; terms that no state of the step can hold are left out.
std::vector<ExclusionTerm> exclusion_terms(const Box& from, const Box& to, const OrderedLines& of,
                                           std::size_t line);

// Additions of the step of a line: by layers, and by triangles (infinite where these cannot).
double layer_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line);
double triangle_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line);
// By the cheaper of both.
double step_cost(const Box& from, const Box& to, const OrderedLines& of, std::size_t line);

}  // namespace sdclattice::twoway
