#include "table/table.hpp"

#include <algorithm>
#include <cstring>
#include <list>

#include "base/error.hpp"
#include "bridge.h"
#include "table/cell_counts.hpp"
#include "table/dense_cells.hpp"
#include "table/project.hpp"
#include "table/published.hpp"
#include "table/tabulate.hpp"
#include "table_published.h"
#include "table_runs.h"

using namespace sdclattice;

Layout as_layout(const Rcpp::IntegerVector& dim) {
  return Layout(std::vector<std::uint32_t>(dim.begin(), dim.end()));
}

namespace {

// Words that are `width` apart; strips have a length that compilers know. A level is above `most`
// when the difference has the highest bit.
template <class Width>
bool levels_fit(const KeyField& field, std::uint64_t most, const std::uint64_t* words,
                std::size_t n, Width width) {
  constexpr std::size_t strip = 64;
  std::uint64_t wrong = 0;
  std::size_t i = 0;
  for (; i + strip <= n; i += strip)
    for (std::size_t j = i; j < i + strip; ++j)
      wrong |= most - ((words[j * width] >> field.shift) & field.mask);
  for (; i < n; ++i) wrong |= most - ((words[i * width] >> field.shift) & field.mask);
  return wrong >> 63 == 0;
}

// Keys are kept in a raw vector, 8 bytes a word; R aligns its vectors to 8 bytes.
bool levels_exist(const Layout& layout, const std::uint64_t* key, std::size_t n_cells) {
  constexpr std::size_t block = 2048;  // keys that stay in a cache
  bool fit = true;
  for (std::size_t from = 0; from < n_cells && fit; from += block)
    for (std::size_t v = 0; v < layout.n_variables() && fit; ++v) {
      const KeyField& field = layout.field(v);
      if (layout.n_levels(v) > field.mask) continue;  // all that the field can hold are levels
      if (layout.n_levels(v) == 0) return false;
      with_width(layout.n_words(), [&](auto width) {
        fit = levels_fit(field, layout.n_levels(v) - 1, key + from * width + field.word,
                         std::min(block, n_cells - from), width);
      });
    }
  return fit;
}

}  // namespace

CellsView as_view(const Layout& layout, const Rcpp::RawVector& keys,
                  const Rcpp::NumericVector& counts) {
  const std::size_t n = static_cast<std::size_t>(counts.size());
  if (static_cast<std::size_t>(keys.size()) != 8 * layout.n_words() * n)
    throw InputError("The table is damaged: its keys do not fit its cells and variables.");
  const auto* key = reinterpret_cast<const std::uint64_t*>(RAW(keys));
  if (!levels_exist(layout, key, n))
    throw InputError("The table is damaged: its keys name levels that it does not have.");
  return {key, counts.begin(), n};
}

namespace {

Rcpp::List listed_cells(const Cells& cells) {
  const std::size_t n = cells.size(), words = cells.stride - 1;
  Rcpp::RawVector keys(Rf_allocVector(RAWSXP, static_cast<R_xlen_t>(8 * words * n)));
  Rcpp::NumericVector counts(Rf_allocVector(REALSXP, static_cast<R_xlen_t>(n)));
  auto* key = reinterpret_cast<std::uint64_t*>(RAW(keys));
  for (std::size_t i = 0; i < n; ++i, key += words) {
    std::copy_n(cells.row(i), words, key);
    counts[static_cast<R_xlen_t>(i)] = static_cast<double>(cells.count(i));
  }
  return Rcpp::List::create(Rcpp::_["keys"] = keys, Rcpp::_["counts"] = counts);
}

// Read-only access: the other kind may copy a column that R holds in a wrapper.
const int* codes_of(SEXP x) {
  return TYPEOF(x) == LGLSXP ? LOGICAL_RO(x) : INTEGER_RO(x);
}

// R keeps each string once (in each encoding): its address stands for it.
ValueBits value_bits(SEXP x) {
  ValueBits out;
  out.real = TYPEOF(x) == REALSXP;
  out.width = out.real ? sizeof(double) : sizeof(SEXP);
  const void* data = out.real ? static_cast<const void*>(REAL_RO(x)) : STRING_PTR_RO(x);
  out.bytes = static_cast<const unsigned char*>(data);
  const SEXP missing = NA_STRING;
  std::memcpy(&out.missing, &missing, sizeof missing);
  return out;
}

ValueNumbers value_numbers(const ValueBits& values, const Rcpp::NumericVector& first) {
  std::vector<std::size_t> at;
  for (double position : first) at.push_back(static_cast<std::size_t>(position) - 1);
  return number_values(values, at);
}

// The columns of microdata, with the numbers that some point to.
struct Frame {
  std::list<ValueNumbers> numbers;
  std::vector<Column> columns;

  explicit Frame(const Rcpp::List& frame) {
    for (R_xlen_t i = 0; i < frame.size(); ++i) add(frame[i]);
  }
  void add(const Rcpp::List& column) {
    const SEXP codes = column["codes"], lookup = column["lookup"];
    Column out;
    if (TYPEOF(codes) == STRSXP || TYPEOF(codes) == REALSXP) {
      out.values = value_bits(codes);
      numbers.push_back(value_numbers(out.values, column["first"]));
      out.numbers = &numbers.back();
    } else {
      out.codes = codes_of(codes);
    }
    out.base = Rcpp::as<int>(column["base"]);
    out.level_of_missing = Rcpp::as<int>(column["level_of_missing"]);
    if (!Rf_isNull(lookup)) {
      out.lookup = INTEGER_RO(lookup);
      out.lookup_size = static_cast<std::uint32_t>(Rf_xlength(lookup));
    }
    columns.push_back(out);
  }
};

bool is_node_list(const NodesOfLeaves& nodes, int n_leaves, int n_nodes) {
  return nodes.start.size() == static_cast<std::size_t>(n_leaves) + 1 && nodes.start[0] == 0 &&
         std::is_sorted(nodes.start.begin(), nodes.start.end()) &&
         nodes.start.back() == nodes.node.size() &&
         std::all_of(nodes.node.begin(), nodes.node.end(), [&](std::uint32_t node) {
           return node < static_cast<std::uint32_t>(n_nodes);
         });
}

std::vector<std::vector<std::uint32_t>> as_groups(const Rcpp::List& group_of, const Layout& layout,
                                                  const Layout& groups) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    out.push_back(Rcpp::as<std::vector<std::uint32_t>>(group_of[static_cast<R_xlen_t>(v)]));
    bool fits = out[v].size() == layout.n_levels(v);
    for (std::uint32_t& group : out[v]) fits = --group < groups.n_levels(v) && fits;
    if (!fits) throw InputError("The table is damaged: its groups do not fit its levels.");
  }
  return out;
}

Crossing as_crossing(const Rcpp::List& crossing, const Rcpp::IntegerVector& dim,
                     const Rcpp::IntegerVector& n_nodes) {
  Crossing out;
  for (R_xlen_t v = 0; v < dim.size(); ++v) {
    const Rcpp::List nodes = crossing[v];
    const Rcpp::IntegerVector start = nodes["start"], node = nodes["node"];
    out.push_back({{start.begin(), start.end()}, {node.begin(), node.end()}});
    if (!is_node_list(out.back(), dim[v], n_nodes[v]))
      throw InputError("The table is damaged: its trees do not fit its levels.");
  }
  return out;
}

// Which variable and levels of a table those of another one come from.
struct Projection {
  std::vector<std::vector<std::int32_t>> maps;
  std::vector<VariableSource> sources;

  Projection(const Rcpp::IntegerVector& variables, const Rcpp::List& levels, R_xlen_t n_variables)
      : maps(static_cast<std::size_t>(levels.size())) {
    for (R_xlen_t v = 0; v < levels.size(); ++v) {
      if (variables[v] < 1 || variables[v] > n_variables)
        throw InputError(
            "The table is damaged: it does not have the variables that are asked for.");
      std::vector<std::int32_t>& map = maps[static_cast<std::size_t>(v)];
      if (!Rf_isNull(levels[v])) map = Rcpp::as<std::vector<std::int32_t>>(levels[v]);
      for (std::int32_t& level : map) --level;
      sources.push_back(
          {static_cast<std::size_t>(variables[v] - 1), map.empty() ? nullptr : map.data()});
    }
  }
};

}  // namespace

std::vector<Crossing> as_crossings(const Rcpp::List& crossings, const Rcpp::IntegerVector& dim,
                                   const Rcpp::IntegerVector& n_nodes) {
  std::vector<Crossing> out;
  for (R_xlen_t c = 0; c < crossings.size(); ++c)
    out.push_back(as_crossing(crossings[c], dim, n_nodes));
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_tabulate_records(const Rcpp::IntegerVector& dim, const Rcpp::List& columns, double n,
                                SEXP weights, int threads) {
  const Frame frame(columns);
  const Layout layout = as_layout(dim);
  HeldCells cells(layout.n_words());
  const std::vector<std::size_t> missing =
      tabulate(layout, frame.columns, static_cast<std::size_t>(n),
               Rf_isNull(weights) ? nullptr : REAL_RO(weights), static_cast<std::size_t>(threads),
               make_tick(R_NilValue), cells.sink());
  Rcpp::List out = cells.list();
  out["missing"] = Rcpp::NumericVector(missing.begin(), missing.end());
  return out;
}

// The same within a limit of memory: see class CellRuns.
// [[Rcpp::export]]
Rcpp::List cpp_tabulate_in_runs(const Rcpp::IntegerVector& dim, const Rcpp::List& columns, double n,
                                SEXP weights, const Rcpp::List& plan) {
  const Frame frame(columns);
  const Layout layout = as_layout(dim);
  const MemoryPlan memory(plan);
  CellRuns runs(layout.n_words(), memory.spill, make_tick(R_NilValue));
  const std::vector<std::size_t> missing =
      tabulate_in_runs(layout, frame.columns, static_cast<std::size_t>(n),
                       Rf_isNull(weights) ? nullptr : REAL_RO(weights), runs);
  if (!missing.empty())
    return Rcpp::List::create(Rcpp::_["missing"] =
                                  Rcpp::NumericVector(missing.begin(), missing.end()));
  return as_list(*runs.source(), layout.n_words(), memory);
}

// The number of each record's cell, from 1, of a table of at most 2^53 cells.
// [[Rcpp::export]]
Rcpp::List cpp_record_cells(const Rcpp::IntegerVector& dim, const Rcpp::List& columns, double n,
                            int threads) {
  const Frame frame(columns);
  Rcpp::NumericVector cells(Rcpp::no_init(static_cast<R_xlen_t>(n)));
  const std::vector<std::size_t> missing =
      place_records(as_layout(dim), frame.columns, static_cast<std::size_t>(n),
                    static_cast<std::size_t>(threads), make_tick(R_NilValue), cells.begin());
  for (double& cell : cells) cell += 1;
  return Rcpp::List::create(Rcpp::_["cells"] = cells, Rcpp::_["missing"] = Rcpp::NumericVector(
                                                          missing.begin(), missing.end()));
}

// The levels of integers or logicals; NULL when they span too much for a lookup.
// [[Rcpp::export]]
SEXP cpp_find_levels(SEXP x, double max_span) {
  std::vector<std::int32_t> levels;
  bool any_missing = false;
  const bool found = find_levels(codes_of(x), static_cast<std::size_t>(Rf_xlength(x)),
                                 as_size(max_span), levels, any_missing);
  if (!found) return R_NilValue;
  return Rcpp::List::create(Rcpp::_["levels"] = Rcpp::IntegerVector(levels.begin(), levels.end()),
                            Rcpp::_["any_missing"] = any_missing);
}

// The 1-based positions at which the distinct values of strings or numbers come first.
// [[Rcpp::export]]
Rcpp::List cpp_find_distinct(SEXP x) {
  bool any_missing = false;
  const std::vector<std::size_t> found =
      find_distinct(value_bits(x), static_cast<std::size_t>(Rf_xlength(x)), any_missing);
  Rcpp::NumericVector first(found.begin(), found.end());
  for (double& position : first) position += 1;
  return Rcpp::List::create(Rcpp::_["first"] = first, Rcpp::_["any_missing"] = any_missing);
}

// 64-bit integers that R holds in the bits of doubles (class integer64), as doubles; beyond 2^53
// the sign and the size class are what matters, for they are refused.
// [[Rcpp::export]]
Rcpp::NumericVector cpp_read_integer64(const Rcpp::NumericVector& x) {
  Rcpp::NumericVector out(Rcpp::no_init(x.size()));
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    const double held = x[i];
    std::int64_t value;
    std::memcpy(&value, &held, sizeof value);
    const auto limit = static_cast<std::int64_t>(kMaxCount);
    out[i] = value == INT64_MIN ? NA_REAL
             : value > limit    ? 2.0 * kMaxCount
             : value < -limit   ? -2.0 * kMaxCount
                                : static_cast<double>(value);
  }
  return out;
}

// [[Rcpp::export]]
Rcpp::List cpp_check_counts(const Rcpp::NumericVector& counts) {
  const CountCheck found = check_counts(counts.begin(), static_cast<std::size_t>(counts.size()));
  return Rcpp::List::create(Rcpp::_["fault"] = static_cast<int>(found.fault),
                            Rcpp::_["at"] = static_cast<double>(found.at) + 1,
                            Rcpp::_["total_too_large"] = found.total_too_large);
}

// [[Rcpp::export]]
Rcpp::List cpp_compress_dense(const Rcpp::IntegerVector& dim, const Rcpp::NumericVector& counts) {
  const Layout layout = as_layout(dim);
  const auto n = static_cast<std::size_t>(counts.size());
  if (layout.n_words() > 1) return listed_cells(cells_from_dense(layout, counts.begin(), n));
  WorkerPool alone(1);
  HeldCells cells(1);
  gather_cells(layout, counts.begin(), n, alone, cells.sink());
  return cells.list();
}

// [[Rcpp::export]]
Rcpp::NumericVector cpp_expand_dense(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                     const Rcpp::NumericVector& counts) {
  const Layout layout = as_layout(dim);
  Rcpp::NumericVector out(static_cast<R_xlen_t>(layout.n_cells()));
  write_dense(layout, as_view(layout, keys, counts), out.begin());
  return out;
}

// `sources` are 1-based variables; `maps` hold 1-based levels with 0 for those left out. With a
// plan the memory has a limit.
// [[Rcpp::export]]
Rcpp::List cpp_project_table(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                             const Rcpp::NumericVector& counts, const Rcpp::IntegerVector& to,
                             const Rcpp::IntegerVector& sources, const Rcpp::List& maps,
                             SEXP plan) {
  const Layout from = as_layout(dim), onto = as_layout(to);
  const CellsView cells = as_view(from, keys, counts);
  const Projection projection(sources, maps, dim.size());
  if (Rf_isNull(plan))
    return listed_cells(project(from, cells, onto, projection.sources, make_tick(R_NilValue)));
  const MemoryPlan memory(plan);
  CellRuns runs(onto.n_words(), memory.spill, make_tick(R_NilValue));
  project_in_runs(from, cells, onto, projection.sources, runs);
  return as_list(*runs.source(), onto.n_words(), memory);
}

// `crossings` is a list, each a list over the variables of the 0-based starts and nodes of struct
// NodesOfLeaves.
// [[Rcpp::export]]
Rcpp::List cpp_published_cells(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                               const Rcpp::NumericVector& counts,
                               const Rcpp::IntegerVector& n_nodes, const Rcpp::List& crossings,
                               double max_cells) {
  const Layout from = as_layout(dim);
  return listed_cells(published_cells(from, as_view(from, keys, counts), as_layout(n_nodes),
                                      as_crossings(crossings, dim, n_nodes), as_size(max_cells),
                                      make_tick(R_NilValue)));
}

// [[Rcpp::export]]
Rcpp::List cpp_cells_up_to(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                           const Rcpp::NumericVector& counts, double most) {
  const Layout layout = as_layout(dim);
  return listed_cells(cells_up_to(layout, as_view(layout, keys, counts), most));
}

// For each variable the 1-based levels that have a cell.
// [[Rcpp::export]]
Rcpp::List cpp_levels_in_use(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                             const Rcpp::NumericVector& counts) {
  const Layout layout = as_layout(dim);
  Rcpp::List out;
  for (const std::vector<bool>& used : levels_in_use(layout, as_view(layout, keys, counts))) {
    std::vector<int> levels;
    for (std::size_t l = 0; l < used.size(); ++l)
      if (used[l]) levels.push_back(static_cast<int>(l) + 1);
    out.push_back(Rcpp::IntegerVector(levels.begin(), levels.end()));
  }
  return out;
}

// `group_of` has for each level of each variable its 1-based group. The groups that have a cell, a
// row each: their 1-based groups of the variables; and how many cells they have, how many of them
// with count 1, 2, ..., `most`.
// [[Rcpp::export]]
Rcpp::List cpp_count_in_groups(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                               const Rcpp::NumericVector& counts, const Rcpp::List& group_of,
                               const Rcpp::IntegerVector& n_groups, int most) {
  const Layout layout = as_layout(dim), groups = as_layout(n_groups);
  const GroupCounts found =
      count_in_groups(layout, as_view(layout, keys, counts), groups,
                      as_groups(group_of, layout, groups), as_size(most), make_tick(R_NilValue));
  Rcpp::IntegerMatrix group(static_cast<int>(found.size()), dim.size());
  Rcpp::NumericMatrix cells(static_cast<int>(found.size()), 1 + most);
  for (int i = 0; i < group.nrow(); ++i) {
    const std::uint64_t* row = found.row(static_cast<std::size_t>(i));
    for (int v = 0; v < group.ncol(); ++v)
      group(i, v) = 1 + static_cast<int>(groups.level(row, static_cast<std::size_t>(v)));
    std::copy_n(row + groups.n_words(), 1 + most, cells.row(i).begin());
  }
  return Rcpp::List::create(Rcpp::_["group"] = group, Rcpp::_["cells"] = cells);
}

// The 1-based levels of a variable (1-based), for every cell.
// [[Rcpp::export]]
Rcpp::IntegerVector cpp_unpack_levels(const Rcpp::IntegerVector& dim, const Rcpp::RawVector& keys,
                                      const Rcpp::NumericVector& counts, int variable) {
  const Layout layout = as_layout(dim);
  Rcpp::IntegerVector out(Rcpp::no_init(counts.size()));
  write_levels(layout, as_view(layout, keys, counts), static_cast<std::size_t>(variable - 1), 1,
               out.begin());
  return out;
}
