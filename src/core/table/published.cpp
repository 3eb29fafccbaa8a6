#include "table/published.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/number_text.hpp"
#include "table/cell_order.hpp"
#include "table/project.hpp"

namespace sdclattice {

namespace {

constexpr std::size_t kTickEvery = std::size_t{1} << 18;

void check_size(std::size_t n, std::size_t max_cells) {
  if (n > max_cells)
    throw TooLargeError("The table with its totals needs more than " + in_groups(max_cells) +
                        " rows.");
}

// Reports the share that is done of one piece of the work.
struct Progress {
  const Tick& tick;
  double from = 0, share = 1;

  Progress part(std::size_t i, std::size_t n) const {
    const double step = share / static_cast<double>(n);
    return {tick, from + static_cast<double>(i) * step, step};
  }
  void at(std::size_t i, std::size_t n) const {
    report(tick, from + share * static_cast<double>(i) / static_cast<double>(n));
  }
};

// Aggregates cells over one variable. They are sorted by the other variables and then by this one,
// so that the cells of a group, which differ in this variable alone, are neighbours. The result is
// sorted by this variable and then by the others.
template <class Width>
class Aggregation {
 public:
  Aggregation(const Cells& cells, Width width, const KeyField& field, const NodesOfLeaves& nodes,
              std::size_t n_nodes)
      : cells_(cells), width_(width), field_(field), nodes_(nodes), place_(n_nodes) {}

  // Counts first, so that each cell goes to its place in memory of just the right size.
  Cells run(std::size_t max_cells, const Progress& progress) {
    for_nodes(
        progress.part(0, 2),
        [](const std::uint64_t*, Place& place, std::uint32_t) { ++place.next; },
        [](const std::uint64_t*, Place&) {});
    std::size_t n = 0;
    for (Place& place : place_) {
      n += std::exchange(place.next, n);
      place.group = 0;
    }
    check_size(n, max_cells);
    Cells out(width_);
    out.rows.resize(n * out.stride);
    for_nodes(
        progress.part(1, 2),
        [&](const std::uint64_t* row, Place& place, std::uint32_t node) {
          std::uint64_t* to = out.rows.data() + place.next++ * out.stride;
          for (std::size_t w = 0; w <= width_; ++w) to[w] = row[w];
          to[field_.word] &= ~(field_.mask << field_.shift);
          to[field_.word] |= std::uint64_t{node} << field_.shift;
        },
        [&](const std::uint64_t* row, Place& place) {
          out.rows[place.next * out.stride - 1] += row[width_];
        });
    return out;
  }

 private:
  // The group in which a node was met last, from 1 on, and the row for its next cell.
  struct Place {
    std::size_t group = 0;
    std::size_t next = 0;
  };

  bool same_group(const std::uint64_t* a, const std::uint64_t* b) const {
    for (std::size_t w = 0; w < width_; ++w) {
      const std::uint64_t ignored = w == field_.word ? field_.mask << field_.shift : 0;
      if (((a[w] ^ b[w]) & ~ignored) != 0) return false;
    }
    return true;
  }
  // Each row with its nodes: first(row, place, node) or, in the same group, again(row, place).
  template <class First, class Again>
  void for_nodes(const Progress& progress, First first, Again again) {
    const std::size_t n = cells_.size(), stride = width_ + 1;
    std::size_t group = 0;
    const std::uint64_t* row = cells_.rows.data();
    for (std::size_t i = 0; i < n; ++i, row += stride) {
      if (i % kTickEvery == 0) progress.at(i, n);
      if (i == 0 || !same_group(row, row - stride)) ++group;
      const std::size_t leaf = (row[field_.word] >> field_.shift) & field_.mask;
      for (std::size_t t = nodes_.start[leaf]; t < nodes_.start[leaf + 1]; ++t) {
        const std::uint32_t node = nodes_.node[t];
        Place& place = place_[node];
        if (place.group == group) {
          again(row, place);
        } else {
          place.group = group;
          first(row, place, node);
        }
      }
    }
  }

  const Cells& cells_;
  Width width_;
  KeyField field_;
  const NodesOfLeaves& nodes_;
  std::vector<Place> place_;
};

// The variables in the order in which they are aggregated: first those that get fewer nodes than
// they have leaves.
std::vector<std::size_t> aggregation_order(const Crossing& crossing, const Layout& to) {
  std::vector<std::size_t> out(crossing.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_partition(out.begin(), out.end(), [&](std::size_t v) {
    std::vector<bool> used(to.n_levels(v), false);
    for (std::uint32_t node : crossing[v].node) used[node] = true;
    return static_cast<std::size_t>(std::count(used.begin(), used.end(), true)) + 1 <
           crossing[v].start.size();
  });
  return out;
}

Cells reordered(const Cells& cells, const Layout& from, const Layout& to,
                const std::vector<std::size_t>& order) {
  Cells out(to.n_words());
  out.rows.reserve(cells.size() * out.stride);
  std::vector<std::uint64_t> key(to.n_words(), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t v = 0; v < order.size(); ++v)
      to.put(key.data(), order[v], from.level(cells.row(i), v));
    out.add(key.data(), cells.count(i));
  }
  sort_cells(out);
  return out;
}

Cells cells_of_crossing(const Layout& from, const CellsView& cells, const Layout& to,
                        const Crossing& crossing, std::size_t max_cells, const Progress& progress) {
  const std::vector<std::size_t> order = aggregation_order(crossing, to);
  std::vector<std::uint32_t> levels;
  std::vector<VariableSource> sources;
  for (std::size_t v : order) {
    levels.push_back(to.n_levels(v));
    sources.push_back({v, nullptr});
  }
  const Layout turned(levels);
  Cells out = project(from, cells, turned, sources, {});
  for (std::size_t v = 0; v < order.size(); ++v) {
    with_width(turned.n_words(), [&](auto width) {
      Aggregation step(out, width, turned.field(v), crossing[order[v]], levels[v]);
      out = step.run(max_cells, progress.part(v, order.size()));
    });
  }
  return std::is_sorted(order.begin(), order.end()) ? std::move(out)
                                                    : reordered(out, turned, to, order);
}

}  // namespace

// One variable after the other: the cells so far are aggregated over its nodes by two passes over
// neighbours and one move to their places, by which the variable becomes the slowest; after all
// variables the cells are in the order of the keys again, and nothing was sorted. Only where some
// variables come first because they shrink is the result sorted, once. O(cells so far times the
// nodes of a leaf) for each variable. Each cell of the result is the sum of its leaves exactly
// once, because no leaf has a node twice. Agrees with sums over all leaves in the tests.
Cells published_cells(const Layout& from, const CellsView& cells, const Layout& to,
                      const std::vector<Crossing>& crossings, std::size_t max_cells,
                      const Tick& tick) {
  const Progress progress{tick};
  Cells out(to.n_words());
  for (std::size_t c = 0; c < crossings.size(); ++c) {
    Cells more = cells_of_crossing(from, cells, to, crossings[c], max_cells,
                                   progress.part(c, crossings.size()));
    out = c == 0 ? std::move(more) : united(out, more);
    check_size(out.size(), max_cells);
  }
  return out;
}

}  // namespace sdclattice
