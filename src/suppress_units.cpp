// Bridge of the suppression of magnitudes with certificates.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "bridge.h"
#include "suppress/certified_pattern.hpp"
#include "suppress/certify_pattern.hpp"
#include "suppress/known_parts.hpp"
#include "suppress/programme_pattern.hpp"
#include "suppress_question.h"

using namespace sdclattice;

namespace {

// What is asked of a table of magnitudes, see cpp_certified_units(). Cells of the problem beyond
// those of the table are parts of cells, and sums.
struct UnitQuestion : PatternQuestion {
  std::int64_t lower;  // of cells that are not 0

  UnitQuestion(const Rcpp::List& table, const Rcpp::List& rows, const Rcpp::List& ask)
      : PatternQuestion(table, rows, 0) {
    if (cells.n_cells() > kCellsWithRows)
      throw TooLargeError("A table of magnitudes may have some 500,000 cells.");
    lower = static_cast<std::int64_t>(Rcpp::as<double>(ask["lower"]));
    for (std::size_t i = 0; i < problem.n_cells(); ++i)
      problem.system.lower[i] = std::min(lower, problem.value[i]);
    add_knowers(ask["parts"], ask["knowers"]);
    for (const Rcpp::IntegerVector circle : Rcpp::List(ask["circles"]))
      problem.circles.push_back(nodes_from_one(circle));
    add_demands(ask["demands"]);
    for (const Rcpp::IntegerVector sum : Rcpp::List(ask["sums"]))
      problem.demands.push_back({add_sum(problem, cells_of(sum)), 0, 0, 1, 0});
  }

  std::vector<std::uint32_t> cells_of(const Rcpp::IntegerVector& at) const {
    std::vector<std::uint32_t> out;
    for (const int i : at) out.push_back(cell[static_cast<std::size_t>(i - 1)]);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  void add_knowers(const Rcpp::List& parts, const Rcpp::List& knowers) {
    const Rcpp::IntegerVector row(parts["row"]);
    const Rcpp::NumericVector first(parts["first"]), second(parts["second"]);
    std::vector<CellParts> known;
    for (R_xlen_t i = 0; i < row.size(); ++i)
      known.push_back({cell[static_cast<std::size_t>(row[i] - 1)],
                       static_cast<std::int64_t>(first[i]), static_cast<std::int64_t>(second[i]),
                       lower});
    const std::vector<SplitCell> split = split_cells(problem, known);
    for (const Rcpp::List knower : knowers) {
      std::vector<std::uint32_t> knows = cells_of(knower["alone"]);
      const auto add = [&](std::uint32_t part) {
        if (part != SplitCell::kNone) knows.push_back(part);
      };
      for (const int i : Rcpp::IntegerVector(knower["first"])) {
        add(split[static_cast<std::size_t>(i - 1)].second);
        add(split[static_cast<std::size_t>(i - 1)].more);
      }
      for (const int i : Rcpp::IntegerVector(knower["other"]))
        add(split[static_cast<std::size_t>(i - 1)].second);
      std::sort(knows.begin(), knows.end());
      problem.knowers.push_back(std::move(knows));
    }
  }

  void add_demands(const Rcpp::List& demands) {
    const Rcpp::IntegerVector row(demands["row"]), circle(demands["circle"]);
    const Rcpp::NumericVector up(demands["up"]), down(demands["down"]);
    const Rcpp::LogicalVector outside(demands["outside"]);
    for (R_xlen_t i = 0; i < row.size(); ++i)
      problem.demands.push_back({cell[static_cast<std::size_t>(row[i] - 1)],
                                 static_cast<std::int64_t>(up[i]),
                                 static_cast<std::int64_t>(down[i]), 1,
                                 static_cast<std::uint32_t>(circle[i] - 1), outside[i] == TRUE});
  }

  // Certificates of the table's own cells, each once.
  std::vector<Certificate> of_table(const std::vector<Certificate>& made) const {
    std::vector<Certificate> own;
    for (const Certificate& one : made) {
      const auto n = static_cast<std::size_t>(
          std::lower_bound(one.cell.begin(), one.cell.end(), cells.n_cells()) - one.cell.begin());
      if (n == 0) continue;
      const auto size = static_cast<std::ptrdiff_t>(n);
      own.push_back({{one.cell.begin(), one.cell.begin() + size},
                     {one.change.begin(), one.change.begin() + size}});
    }
    std::vector<Certificate> out;
    add_certificates(out, own);
    return out;
  }

  // `demand` and `knower` are numbers from 1, those of `sums` the last ones; NA is the outsider.
  Rcpp::List answer_units(SuppressionPattern found, const std::vector<char>& exposed) const {
    std::vector<int> demand, knower;
    std::vector<bool> impossible;
    for (const OpenDemand& open : found.lacking) {
      demand.push_back(static_cast<int>(open.demand) + 1);
      knower.push_back(open.knower == OpenDemand::kNobody ? NA_INTEGER
                                                          : static_cast<int>(open.knower) + 1);
      impossible.push_back(open.impossible);
    }
    const Rcpp::List lacking = Rcpp::List::create(
        Rcpp::_["demand"] = demand, Rcpp::_["knower"] = knower, Rcpp::_["impossible"] = impossible,
        Rcpp::_["exposed"] = std::vector<bool>(exposed.begin(), exposed.end()));
    found.lacking.clear();
    found.certificates = of_table(found.certificates);
    Rcpp::List out = answer(found, {});
    out["lacking"] = lacking;
    return out;
  }
};

}  // namespace

// Which cells of a table of magnitudes to hide. `table` and `rows` as above; `role` may be 5 of a
// cell that nobody publishes. `ask`: `lower`, what each cell is at least, unless it is 0; `parts`
// of inner cells (`row`, and the largest two contributions, `first` and `second`); `knowers`, with
// numbers of rows where each is `alone`, and of parts of which the `first` or some `other` is hers;
// `circles` of knowers; `demands` (`row`, `up`, `down`, the number of a `circle`, and `outside`:
// does it concern those who are not of the circle); `sums`, rows
// of each sum that must not be known by the first circle, which is empty; `task`: "search",
// "certify" or "repair"; seconds, seed, exact.
// [[Rcpp::export]]
Rcpp::List cpp_certified_units(const Rcpp::List& table, const Rcpp::List& rows,
                               const Rcpp::List& ask, SEXP progress) {
  const UnitQuestion question(table, rows, ask);
  const auto task = Rcpp::as<std::string>(ask["task"]);
  const Tick tick = make_keeping_tick(progress);
  if (task == "search") {
    PatternLimits limits;
    limits.seconds = Rcpp::as<double>(ask["seconds"]);
    limits.seed = as_seed(ask);
    limits.exact_only = Rcpp::as<bool>(ask["exact"]);
    const SuppressionPattern found = certified_pattern(question.problem, limits, tick);
    return question.answer_units(found, std::vector<char>(found.lacking.size(), 0));
  }
  ProgrammeLimits limits;
  limits.seconds = Rcpp::as<double>(ask["seconds"]);
  limits.seed = as_seed(ask);
  const std::vector<char> hidden = question.given();
  if (task == "repair") {
    const SuppressionPattern found = repair_pattern(question.problem, hidden, limits, tick);
    return question.answer_units(found, std::vector<char>(found.lacking.size(), 0));
  }
  const CertifiedPattern found = certify_pattern(question.problem, hidden, limits, tick);
  return question.answer_units(found.pattern, found.exposed);
}
