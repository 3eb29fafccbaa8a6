// Certificates and demands of suppression against their definitions, over random small tables.
#include <algorithm>

#include "base/random.hpp"
#include "check.hpp"
#include "suppress/suppression_problem.hpp"

using namespace sdclattice;

namespace {

std::int64_t below(PublicRandom& random, std::int64_t n) {
  return static_cast<std::int64_t>(random.below(static_cast<std::size_t>(n)));
}

// Adds the row "cells.back() is the sum of the others".
void add_total(LinearSystem& system, const std::vector<std::uint32_t>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    system.cell.push_back(cells[i]);
    system.coefficient.push_back(i + 1 < cells.size() ? 1 : -1);
  }
  system.start.push_back(system.cell.size());
  system.row_lower.push_back(0);
  system.row_upper.push_back(0);
}

// A table of `rows` x `columns` counts with its totals, each of which has a role at random; all
// cells are at least `floor`.
SuppressionProblem random_problem(PublicRandom& random, std::uint32_t rows, std::uint32_t columns,
                                  std::int64_t floor) {
  SuppressionProblem out;
  const std::uint32_t wide = columns + 1, n = (rows + 1) * wide;
  out.value.assign(n, 0);
  const auto at = [wide](std::uint32_t r, std::uint32_t c) { return r * wide + c; };
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      const std::int64_t count = floor + below(random, 4);
      for (std::uint32_t cell : {at(r, c), at(r, columns), at(rows, c), at(rows, columns)})
        out.value[cell] += count;
    }
  }
  for (std::uint32_t r = 0; r <= rows; ++r) {
    std::vector<std::uint32_t> row;
    for (std::uint32_t c = 0; c <= columns; ++c) row.push_back(at(r, c));
    add_total(out.system, row);
  }
  for (std::uint32_t c = 0; c <= columns; ++c) {
    std::vector<std::uint32_t> column;
    for (std::uint32_t r = 0; r <= rows; ++r) column.push_back(at(r, c));
    add_total(out.system, column);
  }
  out.system.lower.assign(n, floor);
  out.system.upper.assign(n, kNoLimit);
  for (std::uint32_t i = 0; i < n; ++i) {
    constexpr CellRole kRoles[] = {CellRole::unseen, CellRole::candidate, CellRole::open,
                                   CellRole::primary};
    out.role.push_back(kRoles[below(random, 4)]);
    out.cost.push_back(1);
    if (out.role.back() == CellRole::primary)
      out.demands.push_back({i, below(random, 2), below(random, 2), 1 + below(random, 2)});
  }
  for (std::uint32_t k = 0; k < 3; ++k) {
    const auto first = static_cast<std::uint32_t>(below(random, n / 2));
    out.knowers.push_back({first, first + 1 + static_cast<std::uint32_t>(below(random, n / 2))});
  }
  return out;
}

// Hides primary cells and some candidates.
std::vector<char> random_pattern(PublicRandom& random, const SuppressionProblem& problem) {
  std::vector<char> hidden;
  for (CellRole role : problem.role)
    hidden.push_back(role == CellRole::primary ||
                     (role == CellRole::candidate && below(random, 3) > 0));
  return hidden;
}

// A sum of two exchanges between rows and columns, totals among them, now and then spoilt.
Certificate random_certificate(PublicRandom& random, std::uint32_t rows, std::uint32_t columns) {
  std::vector<std::int64_t> change((rows + 1) * (columns + 1));
  for (int k = 0; k < 1 + below(random, 2); ++k) {
    const std::uint32_t r = static_cast<std::uint32_t>(below(random, rows + 1)),
                        c = static_cast<std::uint32_t>(below(random, columns + 1));
    const std::uint32_t s = (r + 1 + static_cast<std::uint32_t>(below(random, rows))) % (rows + 1);
    const std::uint32_t d =
        (c + 1 + static_cast<std::uint32_t>(below(random, columns))) % (columns + 1);
    for (std::uint32_t x : {r, s}) {
      for (std::uint32_t y : {c, d}) {
        // a total goes the same way as its part, two parts go opposite ways
        const bool turn_row = x == s && r != rows && s != rows;
        const bool turn_column = y == d && c != columns && d != columns;
        change[x * (columns + 1) + y] += turn_row == turn_column ? 1 : -1;
      }
    }
  }
  if (below(random, 8) == 0) change[static_cast<std::size_t>(below(random, rows))] += 1;
  Certificate out;
  for (std::uint32_t i = 0; i < change.size(); ++i) {
    if (change[i] == 0) continue;
    out.cell.push_back(i);
    out.change.push_back(change[i]);
  }
  return out;
}

std::vector<std::int64_t> other_table(const SuppressionProblem& problem, const Certificate& by) {
  std::vector<std::int64_t> x = problem.value;
  for (std::size_t i = 0; i < by.cell.size(); ++i) x[by.cell[i]] += by.change[i];
  return x;
}

// By the definition: another table of the system that agrees with what is published.
bool is_another(const SuppressionProblem& problem, const std::vector<char>& hidden,
                const std::vector<std::int64_t>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!hidden[i] && problem.role[i] != CellRole::unseen && x[i] != problem.value[i]) return false;
  return satisfies(problem.system, x) && x != problem.value;
}

// Whether the tables that agree with what a reader knows meet a demand.
bool meets(const SuppressionProblem& problem, const std::vector<Certificate>& certificates,
           const Demand& demand, const std::vector<std::uint32_t>& known) {
  std::int64_t most = problem.value[demand.cell], least = most;
  for (const Certificate& certificate : certificates) {
    const std::vector<std::int64_t> x = other_table(problem, certificate);
    const bool agrees = std::all_of(known.begin(), known.end(), [&](std::uint32_t cell) {
      return x[cell] == problem.value[cell];
    });
    if (!agrees) continue;
    most = std::max(most, x[demand.cell]);
    least = std::min(least, x[demand.cell]);
  }
  const std::int64_t y = problem.value[demand.cell];
  return most >= y + demand.up && least <= y - demand.down && most - least >= demand.slide;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> open_by_definition(
    const SuppressionProblem& problem, const std::vector<Certificate>& certificates) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (std::uint32_t p = 0; p < problem.demands.size(); ++p) {
    const Demand& demand = problem.demands[p];
    if (!meets(problem, certificates, demand, {})) {
      out.push_back({p, OpenDemand::kNobody});
      continue;
    }
    for (std::uint32_t k = 0; k < problem.knowers.size(); ++k) {
      const std::vector<std::uint32_t>& own = problem.knowers[k];
      if (std::find(own.begin(), own.end(), demand.cell) == own.end() &&
          !meets(problem, certificates, demand, own))
        out.push_back({p, k});
    }
  }
  return out;
}

}  // namespace

TEST(certificates_are_other_tables_that_agree) {
  PublicRandom random(7);
  int good = 0, bad = 0;
  for (int k = 0; k < 400; ++k) {
    const std::uint32_t rows = 1 + static_cast<std::uint32_t>(below(random, 3));
    const std::uint32_t columns = 1 + static_cast<std::uint32_t>(below(random, 3));
    const SuppressionProblem problem = random_problem(random, rows, columns, below(random, 2));
    const std::vector<char> hidden = random_pattern(random, problem);
    for (int c = 0; c < 20; ++c) {
      const Certificate certificate = random_certificate(random, rows, columns);
      const bool is_good = certifies(problem, hidden, certificate);
      CHECK(is_good == is_another(problem, hidden, other_table(problem, certificate)));
      ++(is_good ? good : bad);
    }
  }
  CHECK(good > 100);
  CHECK(bad > 100);
}

TEST(a_certificate_has_cells_in_order_each_with_a_change) {
  PublicRandom random(3);
  SuppressionProblem problem = random_problem(random, 2, 2, 2);
  problem.role.assign(problem.n_cells(), CellRole::primary);
  const std::vector<char> hidden(problem.n_cells(), 1);
  const Certificate good{{0, 1, 3, 4}, {1, -1, -1, 1}};
  CHECK(certifies(problem, hidden, good));
  CHECK(!certifies(problem, hidden, {}));
  CHECK(!certifies(problem, hidden, {{1, 0, 3, 4}, {-1, 1, -1, 1}}));
  CHECK(!certifies(problem, hidden, {{0, 1, 3, 4, 8}, {1, -1, -1, 1, 0}}));
  CHECK(!certifies(problem, hidden, {{0, 1, 3, 9}, {1, -1, -1, 1}}));
  CHECK(!certifies(problem, hidden, {{0, 1, 3, 4}, {1, -1, -1}}));
}

TEST(open_demands_are_those_of_the_definition) {
  PublicRandom random(11);
  std::size_t n_open = 0, n_knower = 0, n_met = 0;
  for (int k = 0; k < 600; ++k) {
    SuppressionProblem problem = random_problem(random, 2, 3, 0);
    for (CellRole& role : problem.role)
      if (below(random, 3) > 0) role = CellRole::primary;
    const std::vector<char> hidden(problem.n_cells(), 1);
    std::vector<Certificate> certificates;
    for (int c = 0; c < 12; ++c) {
      const Certificate certificate = random_certificate(random, 2, 3);
      if (certifies(problem, hidden, certificate)) certificates.push_back(certificate);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
    for (const OpenDemand& open : open_demands(problem, certificates)) {
      found.push_back({open.demand, open.knower});
      CHECK(!open.impossible);
    }
    CHECK(found == open_by_definition(problem, certificates));
    for (const auto& open : found) ++(open.second == OpenDemand::kNobody ? n_open : n_knower);
    n_met += problem.demands.size() - std::min(problem.demands.size(), found.size());
  }
  CHECK(n_open > 100);
  CHECK(n_knower > 100);
  CHECK(n_met > 100);
}
