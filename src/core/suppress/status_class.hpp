// Tables of one status that agree with a publication, found from what is published alone.
//
// What is computed. A class is all tables that agree with what is published, and whose primary
// cells have counts from 1 to a limit and all other published cells more. Some of its tables are
// looked for, by exact programmes that know nothing else: no hidden count enters, no clock is
// asked. So the search comes to the same tables whichever table of the class is the true one.
// What it guarantees. Tables support each other when every person who is alone in a cell of one of
// them, and every reader who is not, must reckon with others of them in which each primary cell has
// another count. Whoever decides by such tables alone decides alike for each of them.
// What it costs. Two or three programmes for each primary cell, and the same again for each person
// whom the tables so far do not serve. Each has a limit of pivots, not of time.
// Agrees with a list of all tables of the class (tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "suppress/stored_cells.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// Limits of all cells that keep the status of a table.
struct StatusLimits {
  std::vector<std::int64_t> lower, upper;
};

using WholeTable = std::vector<std::int64_t>;  // a count for each cell of a problem

struct ClassLimits {
  std::size_t max_pivots = 2000;      // of each programme
  std::size_t max_tables = 400;       // then no more are looked for
  std::size_t max_entries = 2000000;  // of the exact tableau
  double max_work = 1e9;              // pivots times the entries of the system; then none is found
};

class StatusClass {
 public:
  // The class of `table`, of which published counts alone are read. `people`: must those who are
  // alone in a cell be kept from learning others? Keeps a reference to cells. Each demand asks for
  // `slide` alone. TooLargeError when the tableau exceeds its limit. What `check` throws passes.
  StatusClass(const StoredCells& cells, const SuppressionProblem& problem,
              const StatusLimits& status, const std::vector<char>& hidden, const WholeTable& table,
              bool people);

  // Empty where some primary cell has one count in all tables that were found. Adds the work.
  std::vector<WholeTable> find_tables(const ClassLimits& limits, const std::function<void()>& check,
                                      double& work) const;
  // The largest part of the tables that support each other.
  std::vector<WholeTable> supporting(std::vector<WholeTable> tables) const;
  // Is every demand met for a table by these and itself, for its own people too?
  bool serves(const std::vector<WholeTable>& tables, const WholeTable& table) const;

 private:
  class Search;
  using Cells = std::vector<std::uint32_t>;

  std::vector<Cells> people_in(const WholeTable& table) const;
  bool is_served(const std::vector<const WholeTable*>& tables, const Cells& known) const;

  const StoredCells& cells_;
  LinearSystem system_;
  std::vector<Demand> demands_;
  std::vector<std::uint32_t> homes_;  // inner cells that may have the count 1; none without people
};

}  // namespace sdclattice
