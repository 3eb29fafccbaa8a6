#include "suppress_question.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "bridge.h"
#include "suppress/joint_knowers.hpp"
#include "suppress/known_parts.hpp"
#include "suppress/table_problem.hpp"

using namespace sdclattice;

std::vector<std::uint32_t> nodes_from_one(const Rcpp::IntegerVector& x) {
  std::vector<std::uint32_t> out;
  for (const int node : x) out.push_back(static_cast<std::uint32_t>(node - 1));
  return out;
}

namespace {

// `leaves`: of each inner cell, variable by variable.
StoredCells as_stored_cells(const Rcpp::List& table) {
  const Rcpp::List families(table["families"]), leaves(table["leaves"]);
  const Rcpp::NumericVector counts(table["counts"]);
  std::vector<NodeFamilies> variables;
  std::vector<std::uint32_t> nodes(static_cast<std::size_t>(counts.size() * leaves.size()));
  for (R_xlen_t v = 0; v < families.size(); ++v) {
    variables.push_back(as_families(families[v]));
    const Rcpp::IntegerVector leaf(leaves[v]);
    for (R_xlen_t i = 0; i < leaf.size(); ++i)
      nodes[static_cast<std::size_t>(i * leaves.size() + v)] =
          static_cast<std::uint32_t>(leaf[i] - 1);
  }
  std::vector<TableCrossing> crossings;
  for (const Rcpp::List crossing : Rcpp::List(table["crossings"])) {
    crossings.emplace_back();
    for (const Rcpp::IntegerVector nodes_of : crossing)
      crossings.back().push_back(nodes_from_one(nodes_of));
  }
  StoredLimits limits;
  limits.zeros_rise = Rcpp::as<bool>(table["zeros"]);
  if (table.containsElementNamed("rises"))
    limits.rises = nodes_from_one(Rcpp::as<Rcpp::IntegerVector>(table["rises"]));
  return StoredCells(std::move(variables), nodes,
                     std::vector<std::int64_t>(counts.begin(), counts.end()), crossings, limits);
}

// The stored cell of each row of R's cells.
std::vector<std::uint32_t> cells_of_rows(const StoredCells& cells, const Rcpp::List& codes,
                                         R_xlen_t n) {
  std::vector<Rcpp::IntegerVector> columns;
  for (R_xlen_t v = 0; v < codes.size(); ++v) columns.emplace_back(codes[v]);
  std::vector<std::uint32_t> out, nodes(columns.size());
  for (R_xlen_t i = 0; i < n; ++i) {
    for (std::size_t v = 0; v < columns.size(); ++v)
      nodes[v] = static_cast<std::uint32_t>(columns[v][i] - 1);
    out.push_back(cells.find(cells.key_of(nodes.data())));
    if (out.back() == StoredCells::kNone) throw InputError("A row must be a cell that is not 0.");
  }
  return out;
}

// Several rows of R are one cell where labels have the same leaves: it costs what they cost, and is
// kept open, or primary, where one of them is.
void set_rows(SuppressionProblem& problem, const std::vector<std::uint32_t>& cell,
              const Rcpp::IntegerVector& role, const std::vector<std::int64_t>& cost) {
  std::vector<char> met(problem.n_cells(), 0);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const std::uint32_t c = cell[i];
    if (!met[c]) problem.cost[c] = 0;
    met[c] = 1;
    problem.cost[c] += cost[i];
    const int asked = role[static_cast<R_xlen_t>(i)];
    if (asked == 2 || asked == 4) problem.role[c] = CellRole::primary;
    if (asked == 1 && problem.role[c] != CellRole::primary) problem.role[c] = CellRole::open;
  }
  // zeros that are stored because others below them are hidden
  for (std::uint32_t c = 0; c < problem.n_cells(); ++c)
    if (!met[c] && problem.role[c] == CellRole::candidate) problem.role[c] = CellRole::open;
}

// Of cells of which a row is primary; what is hidden besides asks for nothing.
void ask_width(SuppressionProblem& problem, const std::vector<std::uint32_t>& cell,
               const Rcpp::IntegerVector& role, std::int64_t width) {
  std::vector<char> asks(problem.n_cells(), 0);
  for (std::size_t i = 0; i < cell.size(); ++i)
    if (role[static_cast<R_xlen_t>(i)] == 2) asks[cell[i]] = 1;
  for (std::uint32_t c = 0; c < problem.n_cells(); ++c)
    if (asks[c]) problem.demands.push_back({c, 0, 0, width});
}

// What certificates keep in each row, where that is more than readers know.
void keep_at_least(SuppressionProblem& problem, const std::vector<std::uint32_t>& cell,
                   const Rcpp::NumericVector& least) {
  for (R_xlen_t i = 0; i < least.size(); ++i) {
    std::int64_t& lower = problem.system.lower[cell[static_cast<std::size_t>(i)]];
    lower = std::max(lower, static_cast<std::int64_t>(least[i]));
  }
}

// Zeros of rows of people that are hidden: `most`, how many people a cell may have; `unsure`, of
// which totals somebody cannot tell that she is alone; `owner`, the row of whoever knows that the
// cell is zero, as she is alone beside it, or 0; `own`, rows that the people of the cells `of` know
// together; `ties`, zeros (`row`) that `others` exceed by `room` at most. Nothing of these without
// such zeros.
class GroupRows {
 public:
  explicit GroupRows(const Rcpp::List& rows) : is_asked_(rows.containsElementNamed("owner")) {
    if (!is_asked_) return;
    most_ = Rcpp::as<Rcpp::NumericVector>(rows["most"]);
    unsure_ = Rcpp::as<Rcpp::LogicalVector>(rows["unsure"]);
    owner_ = Rcpp::as<Rcpp::IntegerVector>(rows["owner"]);
    ties_ = Rcpp::as<Rcpp::List>(rows["ties"]);
    own_ = Rcpp::as<Rcpp::List>(rows["own"]);
  }

  void limit(SuppressionProblem& problem, const std::vector<std::uint32_t>& cell) const {
    for (R_xlen_t i = 0; i < most_.size(); ++i)
      if (R_finite(most_[i]))
        problem.system.upper[cell[static_cast<std::size_t>(i)]] =
            static_cast<std::int64_t>(most_[i]);
  }

  // After all that reads the system of the table alone.
  void tie(SuppressionProblem& problem, const std::vector<std::uint32_t>& cell) const {
    for (const Rcpp::List tie : ties_) {
      std::vector<std::uint32_t> others;
      for (const int row : Rcpp::IntegerVector(tie["others"]))
        others.push_back(cell[static_cast<std::size_t>(row - 1)]);
      const auto row = static_cast<std::size_t>(Rcpp::as<int>(tie["row"]) - 1);
      add_excess(problem, cell[row], others, Rcpp::as<int>(tie["room"]));
    }
  }

  std::vector<OwnCell> own(const std::vector<std::uint32_t>& cell) const {
    std::vector<OwnCell> out;
    for (const Rcpp::List one : own_) {
      out.push_back({cell[static_cast<std::size_t>(Rcpp::as<int>(one["row"]) - 1)], {}});
      for (const int row : Rcpp::IntegerVector(one["of"]))
        out.back().of.push_back(cell[static_cast<std::size_t>(row - 1)]);
      std::sort(out.back().of.begin(), out.back().of.end());
    }
    return out;
  }

  std::vector<std::vector<std::uint32_t>> knowers(const StoredCells& cells,
                                                  const std::vector<std::uint32_t>& cell) const {
    std::vector<char> unsure(is_asked_ ? cells.n_cells() : 0, 0);
    std::map<std::uint32_t, std::vector<std::uint32_t>> zeros;  // by their owner
    for (R_xlen_t i = 0; i < owner_.size(); ++i) {
      const std::uint32_t c = cell[static_cast<std::size_t>(i)];
      if (unsure_[i]) unsure[c] = 1;
      if (owner_[i] > 0) zeros[cell[static_cast<std::size_t>(owner_[i] - 1)]].push_back(c);
    }
    std::vector<std::vector<std::uint32_t>> out = knowers_of_ones(cells, unsure);
    for (std::vector<std::uint32_t>& known : out) {
      const auto own = std::find_if(known.begin(), known.end(),
                                    [&](std::uint32_t c) { return cells.is_inner(c); });
      const auto found = zeros.find(*own);
      if (found == zeros.end()) continue;
      known.insert(known.end(), found->second.begin(), found->second.end());
      std::sort(known.begin(), known.end());
      known.erase(std::unique(known.begin(), known.end()), known.end());
    }
    return out;
  }

 private:
  bool is_asked_;
  Rcpp::NumericVector most_;
  Rcpp::LogicalVector unsure_;
  Rcpp::IntegerVector owner_;
  Rcpp::List ties_, own_;
};

// How many people act together, of tables with rows of people; 0 of others.
std::int64_t together(const Rcpp::List& ask) {
  return static_cast<std::int64_t>(Rcpp::as<double>(ask["together"]));
}

// The row of an inner cell: the first variable is the fastest.
double inner_row(const StoredCells& cells, std::uint32_t cell, const Rcpp::IntegerVector& size) {
  double row = 1, stride = 1;
  for (std::size_t v = 0; v < cells.n_variables(); ++v) {
    row += stride * cells.node(cells.key(cell), v);
    stride *= size[static_cast<R_xlen_t>(v)];
  }
  return row;
}

// The changes of inner cells, from which all others follow.
Rcpp::List from_stored(const StoredCells& cells, const std::vector<Certificate>& made,
                       const Rcpp::IntegerVector& size) {
  std::vector<double> number, row, change;
  for (std::size_t k = 0; k < made.size(); ++k) {
    for (std::size_t i = 0; i < made[k].cell.size(); ++i) {
      // cells that are none of the table come last
      if (made[k].cell[i] >= cells.n_cells() || !cells.is_inner(made[k].cell[i])) continue;
      number.push_back(static_cast<double>(k + 1));
      row.push_back(inner_row(cells, made[k].cell[i], size));
      change.push_back(static_cast<double>(made[k].change[i]));
    }
  }
  return Rcpp::List::create(Rcpp::_["certificate"] = number, Rcpp::_["row"] = row,
                            Rcpp::_["change"] = change);
}

// Some of the pairs of a cell and a reader that lack certificates: the row of the cell that the
// reader is alone in, NA for everybody; and of several readers the first and the last of theirs.
Rcpp::List from_lacking(const StoredCells& cells, const SuppressionProblem& problem,
                        const std::vector<OpenDemand>& lacking, const std::vector<char>& some,
                        const Rcpp::IntegerVector& size) {
  std::vector<double> cell, who, with;
  for (std::size_t i = 0; i < lacking.size(); ++i) {
    if (!some[i]) continue;
    cell.push_back(problem.demands[lacking[i].demand].cell);
    who.push_back(NA_REAL);
    with.push_back(NA_REAL);
    if (lacking[i].knower == OpenDemand::kNobody) continue;
    std::vector<double> own;
    std::int64_t n_people = 0;
    for (const std::uint32_t known : problem.knowers[lacking[i].knower]) {
      if (!cells.is_inner(known) || cells.value(known) == 0) continue;
      own.push_back(inner_row(cells, known, size));
      n_people += cells.value(known);
    }
    if (own.empty()) continue;
    who.back() = *std::min_element(own.begin(), own.end());
    if (n_people > 1) with.back() = *std::max_element(own.begin(), own.end());
  }
  return Rcpp::List::create(Rcpp::_["cell"] = cell, Rcpp::_["who"] = who, Rcpp::_["with"] = with);
}

}  // namespace

PatternQuestion::PatternQuestion(const Rcpp::List& table, const Rcpp::List& rows,
                                 std::int64_t floor)
    : cells(as_stored_cells(table)),
      size(table["size"]),
      role(rows["role"]),
      cell(cells_of_rows(cells, rows["codes"], role.size())),
      cost(whole_values(Rcpp::as<std::vector<double>>(rows["cost"]))),
      problem(table_problem(cells, floor, cells.n_cells() <= kCellsWithRows)) {
  set_rows(problem, cell, role, cost.values);
}

PatternQuestion::PatternQuestion(const Rcpp::List& table, const Rcpp::List& rows,
                                 const Rcpp::List& ask)
    : PatternQuestion(table, rows, Rcpp::as<bool>(table["zeros"]) ? 0 : 1) {
  if (rows.containsElementNamed("least")) keep_at_least(problem, cell, rows["least"]);
  ask_width(problem, cell, role, static_cast<std::int64_t>(Rcpp::as<double>(ask["width"])));
  const GroupRows groups(rows);
  groups.limit(problem, cell);
  if (Rcpp::as<bool>(ask["contributors"]))
    problem.knowers =
        Rcpp::as<bool>(table["zeros"]) ? knowers_of_own_ones(cells) : groups.knowers(cells, cell);
  if (together(ask) > 1)
    add_coalitions(problem, cells, together(ask), groups.own(cell));
  else if (Rcpp::as<bool>(ask["pairs"])) {
    const bool zeros_hidden = Rcpp::as<bool>(table["zeros"]);
    add_coalitions(problem, cells, 2,
                   zeros_hidden ? std::vector<OwnCell>() : totals_of_few(cells, 2));
  }
  // product moves of tables without rows know no ties
  if (problem.system.n_rows() > 0) groups.tie(problem, cell);
}

std::vector<char> PatternQuestion::given() const {
  std::vector<char> hidden(problem.n_cells(), 0);
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const int asked = role[static_cast<R_xlen_t>(i)];
    if (asked >= 2 && asked <= 4) hidden[cell[i]] = 1;
  }
  return hidden;
}

Rcpp::List PatternQuestion::answer(const SuppressionPattern& found,
                                   const std::vector<char>& exposed) const {
  Rcpp::LogicalVector hidden(role.size());
  for (R_xlen_t i = 0; i < role.size(); ++i)
    hidden[i] = found.hidden[cell[static_cast<std::size_t>(i)]] != 0;
  std::vector<char> impossible;
  for (const OpenDemand& open : found.lacking) impossible.push_back(open.impossible);
  return Rcpp::List::create(
      Rcpp::_["hidden"] = hidden, Rcpp::_["cell"] = Rcpp::NumericVector(cell.begin(), cell.end()),
      Rcpp::_["certificates"] = from_stored(cells, found.certificates, size),
      Rcpp::_["impossible"] = from_lacking(cells, problem, found.lacking, impossible, size),
      Rcpp::_["exposed"] = from_lacking(cells, problem, found.lacking, exposed, size),
      Rcpp::_["bound"] = static_cast<double>(found.bound) * cost.unit,
      Rcpp::_["optimal"] = found.optimal, Rcpp::_["stopped"] = found.stopped);
}

void add_certificates(std::vector<Certificate>& all, const std::vector<Certificate>& more) {
  std::set<std::pair<std::vector<std::uint32_t>, std::vector<std::int64_t>>> met;
  for (const Certificate& one : all) met.emplace(one.cell, one.change);
  for (const Certificate& one : more)
    if (met.emplace(one.cell, one.change).second) all.push_back(one);
}

std::uint64_t as_seed(const Rcpp::List& ask) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(Rcpp::as<double>(ask["seed"])));
}
