#include <algorithm>
#include <numeric>

#include "bridge.h"
#include "linear/cell_relations.hpp"
#include "linear/glued_tables.hpp"
#include "linear_tables.h"

using namespace sdclattice;

namespace {

// Vectors of R's numbers from 1, from 0.
std::vector<std::uint32_t> from_one(const Rcpp::IntegerVector& x) {
  std::vector<std::uint32_t> out;
  for (const int i : x) out.push_back(static_cast<std::uint32_t>(i - 1));
  return out;
}
Rcpp::IntegerVector to_one(const std::vector<std::uint32_t>& x) {
  Rcpp::IntegerVector out(Rcpp::no_init(static_cast<R_xlen_t>(x.size())));
  for (std::size_t i = 0; i < x.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = static_cast<int>(x[i] + 1);  // kNone becomes 0
  return out;
}
std::vector<std::vector<std::uint32_t>> each_from_one(const Rcpp::List& x) {
  std::vector<std::vector<std::uint32_t>> out;
  for (R_xlen_t i = 0; i < x.size(); ++i) out.push_back(from_one(x[i]));
  return out;
}

std::int64_t as_limit(double x) {
  return x == R_PosInf ? kNoLimit : static_cast<std::int64_t>(x);
}
Rcpp::NumericVector as_doubles(const std::vector<std::int64_t>& x) {
  Rcpp::NumericVector out(Rcpp::no_init(static_cast<R_xlen_t>(x.size())));
  for (std::size_t i = 0; i < x.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = x[i] >= kNoLimit ? R_PosInf : static_cast<double>(x[i]);
  return out;
}

}  // namespace

NodeFamilies as_families(const Rcpp::List& families) {
  NodeFamilies out;
  out.n_nodes = Rcpp::as<std::uint32_t>(families["n_nodes"]);
  out.parent = from_one(families["parent"]);
  out.child = from_one(families["child"]);
  for (const int level : Rcpp::IntegerVector(families["level"]))
    out.level.push_back(static_cast<std::uint32_t>(level));
  out.start.clear();
  for (const int at : Rcpp::IntegerVector(families["start"]))
    out.start.push_back(static_cast<std::size_t>(at));
  return out;
}

namespace {

// Adds the listed cells: their numbers.
std::vector<std::uint32_t> add_cells(CellRelations& cells, const Rcpp::List& codes,
                                     const Rcpp::NumericVector& lower,
                                     const Rcpp::NumericVector& upper) {
  std::vector<const int*> columns;
  for (R_xlen_t v = 0; v < codes.size(); ++v)
    columns.push_back(INTEGER_RO(static_cast<SEXP>(codes[v])));
  std::vector<std::uint32_t> nodes(columns.size()), out;
  out.reserve(static_cast<std::size_t>(lower.size()));
  for (R_xlen_t i = 0; i < lower.size(); ++i) {
    for (std::size_t v = 0; v < columns.size(); ++v)
      nodes[v] = static_cast<std::uint32_t>(columns[v][i] - 1);
    out.push_back(cells.add(nodes, as_limit(lower[i]), as_limit(upper[i])));
  }
  return out;
}

// The node of each variable, cell by cell.
Rcpp::List node_columns(const CellRelations& cells, const std::vector<std::uint32_t>& of) {
  Rcpp::List out;
  for (std::size_t v = 0; v < cells.n_variables(); ++v) {
    std::vector<std::uint32_t> column;
    for (const std::uint32_t cell : of) column.push_back(cells.node(cell, v));
    out.push_back(to_one(column));
  }
  return out;
}

Rcpp::List row_list(const CellRelations& cells, const CellSystem& found) {
  const LinearSystem& system = found.system;
  std::vector<std::uint32_t> variable, family, parent, total;
  for (const CellRow& row : found.rows) {
    variable.push_back(row.variable);
    family.push_back(row.family);
    parent.push_back(row.parent);
    total.push_back(found.unknown[row.parent]);
  }
  return Rcpp::List::create(
      Rcpp::_["start"] = Rcpp::NumericVector(system.start.begin(), system.start.end()),
      Rcpp::_["cell"] = to_one(system.cell),
      Rcpp::_["coefficient"] = as_doubles(system.coefficient),
      Rcpp::_["lower"] = as_doubles(system.row_lower),
      Rcpp::_["upper"] = as_doubles(system.row_upper), Rcpp::_["variable"] = to_one(variable),
      Rcpp::_["family"] = to_one(family), Rcpp::_["parent"] = node_columns(cells, parent),
      Rcpp::_["total"] = to_one(total));
}

// All cells: their nodes, what was said of each, and which unknown it is.
Rcpp::List cell_list(const CellRelations& cells, const CellSystem& found) {
  std::vector<std::uint32_t> all(cells.n_cells());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<std::int64_t> lower, upper;
  for (const std::uint32_t i : all) {
    lower.push_back(cells.lower(i));
    upper.push_back(cells.upper(i));
  }
  return Rcpp::List::create(
      Rcpp::_["nodes"] = node_columns(cells, all), Rcpp::_["lower"] = as_doubles(lower),
      Rcpp::_["upper"] = as_doubles(upper), Rcpp::_["unknown"] = to_one(found.unknown));
}

// Tables that differ from a base: see cpp_certify_ends().
TableChange table_at(const Rcpp::List& tables, R_xlen_t t) {
  const Rcpp::NumericVector start(tables["start"]), value(tables["value"]);
  const Rcpp::IntegerVector cell(tables["cell"]);
  TableChange out;
  for (auto e = static_cast<R_xlen_t>(start[t]); e < static_cast<R_xlen_t>(start[t + 1]); ++e) {
    out.cell.push_back(static_cast<std::uint32_t>(cell[e] - 1));
    out.value.push_back(static_cast<std::int64_t>(value[e]));
  }
  return out;
}

}  // namespace

// The nodes of a variable's labels and their families, see merge_labels().
// [[Rcpp::export]]
Rcpp::List cpp_merge_labels(double n_levels, const Rcpp::List& held, const Rcpp::List& trees) {
  const LabelNodes found =
      merge_labels(static_cast<std::size_t>(n_levels), each_from_one(held), each_from_one(trees));
  const NodeFamilies& all = found.families;
  return Rcpp::List::create(
      Rcpp::_["node"] = to_one(found.node),
      Rcpp::_["level"] = Rcpp::IntegerVector(found.level.begin(), found.level.end()),
      Rcpp::_["root"] = static_cast<int>(found.root + 1),
      Rcpp::_["families"] = Rcpp::List::create(
          Rcpp::_["n_nodes"] = static_cast<int>(all.n_nodes),
          Rcpp::_["parent"] = to_one(all.parent),
          Rcpp::_["level"] = Rcpp::IntegerVector(all.level.begin(), all.level.end()),
          Rcpp::_["start"] = Rcpp::IntegerVector(all.start.begin(), all.start.end()),
          Rcpp::_["child"] = to_one(all.child)));
}

// The system of listed cells: `codes` has their nodes, a vector for each variable. `box`: in which
// box each is to be split, or none; `boxes`: for each the deepest level of every variable.
// `listed`: the unknown of each listed cell, 0 where it is known; `value`: its lower limit;
// `nodes`: those of each unknown. `detail`: all cells are wanted too.
// [[Rcpp::export]]
Rcpp::List cpp_cell_system(const Rcpp::List& families, const Rcpp::List& codes,
                           const Rcpp::NumericVector& lower, const Rcpp::NumericVector& upper,
                           const Rcpp::IntegerVector& box, const Rcpp::List& boxes,
                           double max_cells, bool check, bool detail) {
  std::vector<NodeFamilies> variables;
  for (R_xlen_t v = 0; v < families.size(); ++v) variables.push_back(as_families(families[v]));
  // R's numbers of cells are no larger
  CellRelations cells(std::move(variables),
                      static_cast<std::size_t>(std::min(max_cells, 2147483647.0)));
  const std::vector<std::uint32_t> listed = add_cells(cells, codes, lower, upper);
  if (boxes.size() > 0) {
    std::vector<std::vector<std::uint32_t>> cuts;
    for (R_xlen_t b = 0; b < boxes.size(); ++b)
      cuts.push_back(Rcpp::as<std::vector<std::uint32_t>>(boxes[b]));
    std::vector<CellRelations::Wanted> wanted;
    for (std::size_t i = 0; i < listed.size(); ++i)
      wanted.emplace_back(listed[i], box[static_cast<R_xlen_t>(i)] - 1);
    cells.split(cuts, std::move(wanted));
  }
  const CellSystem found = cells.system(check);
  std::vector<std::uint32_t> unknown;
  std::vector<std::int64_t> value;
  for (const std::uint32_t cell : listed) {
    unknown.push_back(found.unknown[cell]);
    value.push_back(cells.lower(cell));
  }
  Rcpp::RObject all;
  if (detail) all = cell_list(cells, found);
  return Rcpp::List::create(
      Rcpp::_["lower"] = as_doubles(found.system.lower),
      Rcpp::_["upper"] = as_doubles(found.system.upper), Rcpp::_["rows"] = row_list(cells, found),
      Rcpp::_["listed"] = to_one(unknown), Rcpp::_["value"] = as_doubles(value),
      Rcpp::_["nodes"] = node_columns(cells, found.cell),
      Rcpp::_["cells"] = static_cast<double>(cells.n_cells()), Rcpp::_["all"] = all);
}

// Tables of the cells of boxes as tables of their finest cells. `nodes`: of all cells; `base`:
// their counts; `tables`: those that differ from it. `holds`: could the boxes be glued, of the base
// and of each table?
// [[Rcpp::export]]
Rcpp::List cpp_glue_tables(const Rcpp::List& families, const Rcpp::List& boxes,
                           const Rcpp::List& nodes, const Rcpp::NumericVector& base,
                           const Rcpp::List& tables) {
  std::vector<NodeFamilies> variables;
  for (R_xlen_t v = 0; v < families.size(); ++v) variables.push_back(as_families(families[v]));
  std::vector<std::vector<std::uint32_t>> cuts;
  for (R_xlen_t b = 0; b < boxes.size(); ++b)
    cuts.push_back(Rcpp::as<std::vector<std::uint32_t>>(boxes[b]));
  TableGlue glue(variables, std::move(cuts), each_from_one(nodes));
  const bool stands = glue.set_base(std::vector<std::int64_t>(base.begin(), base.end()));
  std::vector<TableChange> changes;
  std::vector<bool> holds{stands};
  for (R_xlen_t t = 0; t + 1 < Rcpp::NumericVector(tables["start"]).size(); ++t) {
    changes.emplace_back();
    holds.push_back(stands && glue.change(table_at(tables, t), changes.back()));
  }
  Rcpp::List columns;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    std::vector<std::uint32_t> column;
    for (std::size_t leaf = 0; leaf < glue.size(); ++leaf) column.push_back(glue.node(leaf, v));
    columns.push_back(to_one(column));
  }
  return Rcpp::List::create(Rcpp::_["nodes"] = columns, Rcpp::_["base"] = as_doubles(glue.base()),
                            Rcpp::_["tables"] = from_tables(changes), Rcpp::_["holds"] = holds);
}
