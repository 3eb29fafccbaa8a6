// A class of listed tables as an announcement looks at it: which of their cells are at risk, which
// of them agree in the margins of an envelope, and which sets of them keep the promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/shared_end.hpp"
#include "base/work_clock.hpp"
#include "fibre/listed_tables.hpp"
#include "server/envelopes.hpp"

namespace sdclattice {

// Between what the counts of each cell lie in a set of tables.
class CellSpread {
 public:
  explicit CellSpread(std::size_t n_cells) : low_(n_cells, 1), high_(n_cells, 0) {}
  void add(const double* counts);
  double width(std::size_t c) const { return high_[c] - low_[c]; }  // below 0 without a table

 private:
  std::vector<double> low_, high_;
};

class ListedClass {
 public:
  using Tables = std::vector<std::uint32_t>;  // their numbers, ascending

  // `tables` must outlive it. `envelopes`: all that groups() is asked for. TooLargeError above
  // 2^32 - 2 tables.
  ListedClass(const ListedTables& tables, const std::vector<std::size_t>& dim,
              const ListedRisk& risk, const std::vector<Envelope>& envelopes, WorkerPool& pool,
              WorkClock& clock);

  std::size_t n_tables() const { return tables_.n_tables; }
  std::size_t n_cells() const { return tables_.n_cells; }
  const double* counts(std::uint32_t t) const { return tables_.table(t); }
  bool at_risk(std::uint32_t t, std::size_t c) const { return at_risk_[t * n_cells() + c] != 0; }
  bool wide(double width) const { return width >= least_; }
  // Has it a cell at risk that is narrow?
  bool breaks(std::uint32_t t, const CellSpread& spread) const;
  bool hopeless(std::uint32_t t) const { return hopeless_[t] != 0; }

  // The tables, by equal margins of the envelope. Those that are alone and have a cell at risk are
  // left out: they break any promise.
  std::vector<Tables> groups(const Envelope& envelope, const Tables& tables,
                             WorkClock& clock) const;
  // The greatest subset none of whose tables breaks the promise, in the spread of the subset
  // together with `base`.
  Tables greatest(const CellSpread& base, Tables tables, WorkClock& clock) const;
  CellSpread spread(const Tables& tables) const;

 private:
  void mark_risk(const ListedRisk& risk);
  void number_margins(const std::vector<std::size_t>& dim, const std::vector<Envelope>& envelopes,
                      WorkerPool& pool, WorkClock& clock);

  ListedTables tables_;
  double least_;
  std::vector<std::uint8_t> at_risk_, any_risk_, hopeless_;
  std::map<SubTable, std::vector<std::uint32_t>> margin_;  // of each table, by number
};

// Time for a step of work that takes a tenth of a millisecond or more.
inline void look_at(WorkClock& clock) {
  if (clock.is_up()) throw WorkTimeUp();
  report(clock.tick(), clock.done);
}

}  // namespace sdclattice
