// Self-consistent announcements: which envelope a server announces for each table of a class, so
// that who knows this rule learns no more than the server promises.
//
// The class is all tables with the same tables of one variable, which are public; it is listed. A
// reader who sees an envelope and its margins, and knows the rule, knows that the original is one
// of a block: the tables of the class for which just this would have been seen. The promise: in
// each block every cell at risk of each of its tables takes values at least `width` apart within
// the block. It cannot be kept for tables that have a cell at risk which is narrower already in the
// class; these, the hopeless ones, are in the block of "nothing more", which holds for the others.
//
// Step 1. Envelope after envelope, in the order given: among the tables without an envelope, not
//   hopeless, and with equal margins of it, the greatest set that keeps the promise inside itself
//   (tables with a narrow cell at risk are left out until there is none) gets this envelope.
// Step 2. The rest is the block of nothing more. While a cell at risk of it is narrow, a table with
//   an envelope moves into it: one with the fewest sub-tables in its envelope among those that mend
//   anything, of these one that mends most (pairs of a table of the rest and a cell at risk, less
//   such pairs that the table itself adds), of these the first. Where none mends: a table of the
//   smallest block, of these with the fewest sub-tables, of these the first. Tables of the block
//   that it left which have a narrow cell then move, too. It ends: the whole class keeps the
//   promise, by the definition of the hopeless.
// Step 3 gives back. Envelope after envelope, as long as anything changes: of the tables of the
//   rest with equal margins of it the greatest set that keeps the promise together with the block
//   that has this envelope and these margins; those that the rest needs are left out, one that
//   mends most after the other. What remains gets the envelope.
//
// All of it is a function of the class, the rule of risk and the envelopes, in their orders: no
// table counts for more than another, so nothing of the original can be read from it but its block.
//
// Cost: envelopes times tables times (cells + sub-tables of the envelope), a few times over; memory
// tables times (sub-tables + cells). Threads share the work over envelopes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "base/work_clock.hpp"
#include "fibre/listed_tables.hpp"
#include "server/envelopes.hpp"

namespace sdclattice {

struct AnnounceProblem {
  ListedTables tables;           // the class
  std::vector<std::size_t> dim;  // cells: the first variable varies fastest
  ListedRisk risk;
  std::vector<Envelope> envelopes;  // in the order in which they are tried
};

constexpr std::uint32_t kNothingMore = UINT32_MAX;

struct Announcement {
  std::vector<std::uint32_t> envelope;  // of each table, or kNothingMore
  std::vector<std::uint32_t> block;     // of each table; numbered by their first tables
  std::vector<std::uint8_t> hopeless;   // has a cell at risk that is narrow in the whole class
};

// The first `steps` of the three; fewer than 2 do not keep the promise. WorkTimeUp ends it without
// a result.
Announcement announce(const AnnounceProblem& problem, std::size_t steps, WorkerPool& pool,
                      WorkClock& clock);

}  // namespace sdclattice
