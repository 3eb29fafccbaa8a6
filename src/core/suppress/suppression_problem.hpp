// Which cells of a table to hide: the problem, and what proves an answer.
//
// The system. Unknowns are the cells that are not zero, totals among them, and cells that nobody
// publishes; a row says that a total is the sum of its parts. The limits of a cell are what every
// reader knows beforehand: at least 1 where zeros are published, at least 0 otherwise.
// A certificate is a difference d between the table and another one that agrees with all that is
// published: rows keep their sums, d is 0 on every published cell that is not hidden, and y + d is
// within the limits. So no reader can tell the two apart, whatever she computes.
// Readers. The outsider has the publication alone. A knower has the publication and the values of
// some cells, her own: against her only certificates count that are 0 on these cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// unseen: nobody publishes it, it may change and costs nothing. candidate: may be hidden at its
// cost. open: stays published. primary: is hidden.
enum class CellRole : char { unseen, candidate, open, primary };

// Of a cell, against the outsider, and each knower of a circle who does not know the cell itself:
// some table has at least y + up, some table at most y - down, and two tables differ by at least
// `slide`. (0, 0, 1): its value is not known exactly.
struct Demand {
  static constexpr std::uint32_t kEverybody = UINT32_MAX;
  std::uint32_t cell;
  std::int64_t up = 0, down = 0, slide = 1;
  std::uint32_t circle = kEverybody;  // of knowers whom it concerns
  bool outside = false;               // all knowers but those of the circle
};

struct SuppressionProblem {
  LinearSystem system;              // equations; limits as said above; `value` satisfies all
  std::vector<std::int64_t> value;  // the table
  std::vector<CellRole> role;
  std::vector<std::int64_t> cost;  // of hiding a candidate, > 0; the sum of all below 2^61
  std::vector<Demand> demands;     // of primary cells
  // The cells that each knower knows, ascending. A demand whose cell she knows does not concern
  // her.
  std::vector<std::vector<std::uint32_t>> knowers;
  // Of each knower the others who know a part of that: what is open to one of them is open to her.
  // Empty, or a list for each.
  std::vector<std::vector<std::uint32_t>> within;
  // Knowers, ascending, whom a demand may be about. Product moves do not tell circles apart.
  std::vector<std::vector<std::uint32_t>> circles;

  std::size_t n_cells() const { return value.size(); }
};

// The cells of a table that change, ascending, and by how much.
struct Certificate {
  std::vector<std::uint32_t> cell;
  std::vector<std::int64_t> change;
};

// A demand that is not met: by the outsider (knower kNobody) or a knower.
struct OpenDemand {
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  std::uint32_t demand, knower;
  bool impossible;  // proved: not even when all candidates are hidden
};

struct SuppressionPattern {
  std::vector<char> hidden;  // of each cell; unseen cells are not
  std::vector<Certificate> certificates;
  std::vector<OpenDemand> lacking;  // empty: every demand is met by the certificates
  std::int64_t cost = 0;            // of the hidden candidates
  std::int64_t bound = 0;           // proved: no pattern that meets what can be met costs less
  bool optimal = false;             // cost == bound, and lacking holds impossible demands alone
  bool stopped = false;             // by the limit of time
};

// Is the demand asked for against this knower?
bool concerns(const SuppressionProblem& problem, const Demand& demand, std::uint32_t knower);

// Is this a certificate for these hidden cells? `rows`: of the system, for who asks often.
bool certifies(const SuppressionProblem& problem, const std::vector<char>& hidden,
               const Certificate& certificate);
bool certifies(const SuppressionProblem& problem, const RowsByCell& rows,
               const std::vector<char>& hidden, const Certificate& certificate);

// Those of `within`.
const std::vector<std::uint32_t>& included(const SuppressionProblem& problem, std::uint32_t knower);

// The demands that the certificates (each of which certifies) leave open. What is open to the
// outsider is open to every knower, and is said once.
std::vector<OpenDemand> open_demands(const SuppressionProblem& problem,
                                     const std::vector<Certificate>& certificates);

}  // namespace sdclattice
