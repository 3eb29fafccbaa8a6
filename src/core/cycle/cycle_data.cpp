#include "cycle/cycle_data.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"

namespace sdclattice {
namespace {

constexpr std::int32_t kNone = -1;

// Puts the steps of all nodes one after the other, in the order of the edges, without the edges
// that `out` marks.
void index_steps(CellGraph& graph, const std::vector<std::uint8_t>& out) {
  graph.start.assign(graph.n_nodes + 1, 0);
  const auto kept = [&](std::size_t e) { return out.empty() || !out[e]; };
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!kept(e)) continue;
    ++graph.start[static_cast<std::size_t>(graph.edges[e].row) + 1];
    ++graph.start[static_cast<std::size_t>(graph.edges[e].column) + 1];
  }
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.steps.resize(graph.start.back());
  std::vector<std::size_t> at(graph.start.begin(), graph.start.end() - 1);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (!kept(e)) continue;
    const CellGraph::Edge& edge = graph.edges[e];
    graph.steps[at[static_cast<std::size_t>(edge.row)]++] = {edge.column,
                                                             static_cast<std::int32_t>(e)};
    graph.steps[at[static_cast<std::size_t>(edge.column)]++] = {edge.row,
                                                                static_cast<std::int32_t>(e)};
  }
}

}  // namespace

CellGraph cell_graph(const std::vector<std::uint8_t>& nonzero, std::size_t n_rows,
                     std::size_t n_columns) {
  if (n_rows == 0 || n_columns == 0) throw InputError("A table of cycles must have cells.");
  if (n_rows > std::size_t(std::numeric_limits<std::int32_t>::max()) / n_columns) {
    throw TooLargeError("A table of cycles may have at most 2^31 - 1 cells.");
  }
  if (nonzero.size() != n_rows * n_columns)
    throw InputError("There must be one flag for each cell.");
  CellGraph out;
  out.n_nodes = n_rows + n_columns;
  for (std::size_t i = 0; i < nonzero.size(); ++i) {
    if (!nonzero[i]) continue;
    out.edges.push_back({static_cast<std::int32_t>(i % n_rows),
                         static_cast<std::int32_t>(n_rows + i / n_rows),
                         static_cast<std::int32_t>(i)});
  }
  index_steps(out, {});
  return out;
}

// Bridges by low-link (Tarjan 1974). A depth-first search numbers the nodes as it meets them;
// low[v] is the least number that v and what was found from it reach by one edge outside the tree.
// The tree edge into v is a bridge when low[v] is the number of v: nothing below has another way
// out. The path of the search is a vector, as recursion would be as deep as the graph has nodes.
// The tests take each edge out in turn.
std::vector<std::uint8_t> find_bridges(const CellGraph& graph) {
  std::vector<std::uint8_t> bridge(graph.edges.size(), 0);
  std::vector<std::int32_t> number(graph.n_nodes, kNone), low(graph.n_nodes, kNone),
      into(graph.n_nodes, kNone);
  std::vector<std::size_t> next(graph.start.begin(), graph.start.end() - 1);
  std::vector<std::int32_t> path;
  std::int32_t met = 0;
  const auto enter = [&](std::int32_t v, std::int32_t edge) {
    number[v] = low[v] = met++;
    into[v] = edge;
    path.push_back(v);
  };
  const auto leave = [&](std::int32_t v) {
    path.pop_back();
    if (path.empty()) return;
    if (low[v] == number[v]) bridge[into[v]] = 1;
    low[path.back()] = std::min(low[path.back()], low[v]);
  };
  for (std::size_t root = 0; root < graph.n_nodes; ++root) {
    if (number[root] != kNone) continue;
    enter(static_cast<std::int32_t>(root), kNone);
    while (!path.empty()) {
      const std::int32_t v = path.back();
      if (next[v] == graph.start[static_cast<std::size_t>(v) + 1]) {
        leave(v);
        continue;
      }
      const CellGraph::Step step = graph.steps[next[v]++];
      if (number[step.to] == kNone) {
        enter(step.to, step.edge);
      } else if (step.edge != into[v]) {
        low[v] = std::min(low[v], number[step.to]);
      }
    }
  }
  return bridge;
}

// Cheapest paths between the ends of an edge, without the edge. The search goes from both ends at
// once (Dijkstra): each side settles its nodes in the order of their distance, and wherever a step
// leads to a node that the other side has met there is a path. It ends when no other path can be
// cheaper than the best one so far: that would have a node which neither side has settled, so it
// costs at least the sum of the least distances waiting on the two sides; and as every path between
// a row and a column has an odd number of edges of odd cost, at least the next odd number. In a
// dense table this ends after a few nodes: a path of three unused edges cannot be beaten. Equal
// distances are taken in random order. The tests compare the costs with Bellman and Ford's.
namespace {

class PathSearch {
 public:
  PathSearch(const CellGraph& graph, PublicRandom& random)
      : graph_(graph), random_(random), sides_{Side(graph.n_nodes), Side(graph.n_nodes)} {}

  // Calls take(edge) for the edges of the path, from the row of `edge` to its column.
  template <class Cost, class Take>
  void run(std::int32_t edge, const Cost& cost, const Take& take) {
    const std::int32_t ends[2] = {graph_.edges[edge].row, graph_.edges[edge].column};
    best_ = kNoMore;
    for (int k = 0; k < 2; ++k) {
      sides_[k].clear();
      sides_[k].reach(ends[k], 0, {kNone, kNone}, random_);
    }
    while (least_open() < best_) settle(sides_[0].least() <= sides_[1].least() ? 0 : 1, edge, cost);
    if (best_ == kNoMore) return;
    std::vector<std::int32_t> first;
    for (std::int32_t v = meeting_; v != ends[0]; v = sides_[0].back(v).to)
      first.push_back(sides_[0].back(v).edge);
    std::for_each(first.rbegin(), first.rend(), take);
    for (std::int32_t v = meeting_; v != ends[1]; v = sides_[1].back(v).to)
      take(sides_[1].back(v).edge);
  }

 private:
  class Side {
   public:
    explicit Side(std::size_t n_nodes) : nodes_(n_nodes) {}
    void clear() {
      ++search_;
      queue_.clear();
    }
    bool met(std::int32_t v) const { return nodes_[v].search == search_; }
    std::int64_t distance(std::int32_t v) const { return nodes_[v].distance; }
    CellGraph::Step back(std::int32_t v) const { return nodes_[v].back; }
    bool reach(std::int32_t v, std::int64_t far, CellGraph::Step back, PublicRandom& random) {
      if (met(v) && nodes_[v].distance <= far) return false;
      nodes_[v] = {search_, far, back};
      queue_.push_back({far, random(), v});
      std::push_heap(queue_.begin(), queue_.end());
      return true;
    }
    std::int64_t least() const { return queue_.empty() ? kNoMore : queue_.front().far; }
    std::int32_t pop() {
      std::pop_heap(queue_.begin(), queue_.end());
      const Waiting out = queue_.back();
      queue_.pop_back();
      return out.far == nodes_[out.node].distance ? out.node : kNone;
    }

   private:
    struct Node {
      std::int64_t search = 0, distance = 0;
      CellGraph::Step back{kNone, kNone};
    };
    struct Waiting {
      std::int64_t far;
      std::uint64_t tie;
      std::int32_t node;
      bool operator<(const Waiting& other) const {  // the nearest on top of the heap
        return far != other.far ? far > other.far : tie > other.tie;
      }
    };
    std::vector<Node> nodes_;
    std::vector<Waiting> queue_;
    std::int64_t search_ = 0;
  };

  // A side that has nothing waiting has met all it can.
  std::int64_t least_open() const {
    return std::min(kNoMore, (sides_[0].least() + sides_[1].least()) | 1);
  }

  template <class Cost>
  void settle(int k, std::int32_t without, const Cost& cost) {
    Side& mine = sides_[k];
    const Side& other = sides_[1 - k];
    const std::int32_t v = mine.pop();
    if (v == kNone) return;
    for (std::size_t i = graph_.start[v]; i < graph_.start[static_cast<std::size_t>(v) + 1]; ++i) {
      const CellGraph::Step step = graph_.steps[i];
      if (step.edge == without) continue;
      const std::int64_t far = mine.distance(v) + cost(step.edge);
      if (!mine.reach(step.to, far, {v, step.edge}, random_) || !other.met(step.to)) continue;
      if (far + other.distance(step.to) < best_) {
        best_ = far + other.distance(step.to);
        meeting_ = step.to;
      }
    }
  }

  static constexpr std::int64_t kNoMore = std::numeric_limits<std::int64_t>::max() / 4;
  const CellGraph& graph_;
  PublicRandom& random_;
  std::array<Side, 2> sides_;
  std::int64_t best_ = 0;
  std::int32_t meeting_ = kNone;
};

}  // namespace

std::vector<std::int32_t> cheapest_path(const CellGraph& graph, std::int32_t edge,
                                        const std::vector<std::int64_t>& cost, std::uint64_t seed) {
  PublicRandom random(seed);
  PathSearch search(graph, random);
  std::vector<std::int32_t> out;
  search.run(
      edge, [&](std::int32_t e) { return cost[e]; }, [&](std::int32_t e) { out.push_back(e); });
  return out;
}

// The greedy cover. What is wanted is a set of cycles with every edge that is no bridge on exactly
// `chances` of them; whether two chances each are always possible is an open problem (the cycle
// double cover), so "as evenly as can be" is greedy: while such an edge has too few chances, a
// least covered one (random among equals) gets a cycle, with the cheapest path between its ends. An
// edge costs 1, and 8 more for each chance it has beyond the least covered ones, so that short
// cycles through edges that need them win. Without its bridges a graph has a path for every edge.
// Levels of use are worked off one after the other, since use never falls: each edge is looked at
// once in each.
namespace {

constexpr std::int64_t kCostOfUse = 8;

class Cover {
 public:
  Cover(CellGraph graph, const std::vector<std::uint8_t>& bridge, PublicRandom& random)
      : graph_(without_edges(std::move(graph), bridge, random)),
        random_(random),
        search_(graph_, random),
        use_(graph_.edges.size(), 0) {
    for (std::size_t e = 0; e < bridge.size(); ++e) {
      if (!bridge[e]) turns_.push_back(static_cast<std::int32_t>(e));
    }
  }

  void run(int chances, CycleSet& cycles, const Tick& tick) {
    for (level_ = 0; level_ < chances; ++level_) {
      random_.shuffle(turns_.begin(), turns_.end());
      for (std::size_t i = 0; i < turns_.size(); ++i) {
        if (i % 256 == 0) report(tick, (level_ + double(i) / double(turns_.size())) / chances);
        if (use_[turns_[i]] == level_) add_cycle(turns_[i], cycles);
      }
    }
  }

 private:
  std::int64_t cost(std::int32_t edge) const {
    return 1 + kCostOfUse * std::max(0, use_[edge] - level_);
  }

  // Signs alternate round the cycle; the random one is that of `edge`.
  void add_cycle(std::int32_t edge, CycleSet& cycles) {
    std::int8_t sign = random_() >> 63 ? 1 : -1;
    const auto enter = [&](std::int32_t e) {
      ++use_[e];
      cycles.add(graph_.edges[e].cell, sign);
      sign = static_cast<std::int8_t>(-sign);
    };
    enter(edge);
    search_.run(
        edge, [this](std::int32_t e) { return cost(e); }, enter);
    cycles.close();
  }

  // Steps in random order, so that equal paths have equal chances.
  static CellGraph without_edges(CellGraph graph, const std::vector<std::uint8_t>& out,
                                 PublicRandom& random) {
    index_steps(graph, out);
    for (std::size_t v = 0; v < graph.n_nodes; ++v) {
      random.shuffle(graph.steps.begin() + std::ptrdiff_t(graph.start[v]),
                     graph.steps.begin() + std::ptrdiff_t(graph.start[v + 1]));
    }
    return graph;
  }

  CellGraph graph_;
  PublicRandom& random_;
  PathSearch search_;
  std::vector<std::int32_t> turns_;  // the edges that are no bridges
  std::vector<int> use_;
  int level_ = 0;
};

void shuffle_cycles(PublicRandom& random, CycleSet& cycles) {
  std::vector<std::size_t> order(cycles.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order.begin(), order.end());
  CycleSet out;
  out.n_cells = cycles.n_cells;
  for (const std::size_t c : order) {
    for (std::size_t i = cycles.start[c]; i < cycles.start[c + 1]; ++i)
      out.add(cycles.cell[i], cycles.coef[i]);
    out.close();
  }
  cycles = std::move(out);
}

}  // namespace

DataCycles cycles_data(const std::vector<std::uint8_t>& nonzero, std::size_t n_rows,
                       std::size_t n_columns, int chances, std::uint64_t seed, const Tick& tick) {
  if (chances < 1) throw InputError("Each cell must have at least one application of a cycle.");
  CellGraph graph = cell_graph(nonzero, n_rows, n_columns);
  const std::vector<std::uint8_t> bridge = find_bridges(graph);
  DataCycles out;
  out.cycles.n_cells = nonzero.size();
  for (std::size_t e = 0; e < bridge.size(); ++e) {
    if (bridge[e]) out.still.push_back(graph.edges[e].cell);
  }
  PublicRandom random(seed);
  Cover(std::move(graph), bridge, random).run(chances, out.cycles, tick);
  shuffle_cycles(random, out.cycles);
  return out;
}

}  // namespace sdclattice
