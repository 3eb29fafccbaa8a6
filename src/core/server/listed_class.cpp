#include "server/listed_class.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace sdclattice {

namespace {

// To which count of the margin each cell adds.
std::vector<std::uint32_t> sums_of(const std::vector<std::size_t>& dim, SubTable set,
                                   std::size_t n_cells) {
  std::vector<std::uint32_t> out(n_cells, 0);
  std::size_t stride = 1, sum_stride = 1;
  for (std::size_t v = 0; v < dim.size(); ++v) {
    if (has_variable(set, v)) {
      for (std::size_t c = 0; c < n_cells; ++c)
        out[c] += static_cast<std::uint32_t>(c / stride % dim[v] * sum_stride);
      sum_stride *= dim[v];
    }
    stride *= dim[v];
  }
  return out;
}

// A table and the class of tables that it is still in.
struct Grouped {
  std::uint64_t key;
  std::uint32_t table;
  bool operator<(const Grouped& other) const {
    return key != other.key ? key < other.key : table < other.table;
  }
};

// Calls visit(first, last) for each run of equal keys.
template <class Visit>
void each_run(const std::vector<Grouped>& sorted, Visit visit) {
  for (std::size_t first = 0, last; first < sorted.size(); first = last) {
    for (last = first + 1; last < sorted.size() && sorted[last].key == sorted[first].key;) ++last;
    visit(first, last);
  }
}

}  // namespace

void CellSpread::add(const double* counts) {
  for (std::size_t c = 0; c < low_.size(); ++c) {
    const bool first = low_[c] > high_[c];
    low_[c] = first ? counts[c] : std::min(low_[c], counts[c]);
    high_[c] = first ? counts[c] : std::max(high_[c], counts[c]);
  }
}

ListedClass::ListedClass(const ListedTables& tables, const std::vector<std::size_t>& dim,
                         const ListedRisk& risk, const std::vector<Envelope>& envelopes,
                         WorkerPool& pool, WorkClock& clock)
    : tables_(tables), least_(risk.width) {
  if (tables.n_tables >= UINT32_MAX) throw TooLargeError("There are too many tables.");
  mark_risk(risk);
  CellSpread all(n_cells());
  for (std::uint32_t t = 0; t < n_tables(); ++t) all.add(counts(t));
  for (std::uint32_t t = 0; t < n_tables(); ++t)
    hopeless_.push_back(static_cast<std::uint8_t>(breaks(t, all)));
  number_margins(dim, envelopes, pool, clock);
}

void ListedClass::mark_risk(const ListedRisk& risk) {
  at_risk_.assign(n_tables() * n_cells(), 0);
  any_risk_.assign(n_tables(), 0);
  for (std::uint32_t t = 0; t < n_tables(); ++t) {
    std::uint8_t* own = at_risk_.data() + t * n_cells();
    for (const std::size_t c : risk.cells) own[c] = 1;
    for (std::size_t c = 0; c < n_cells(); ++c)
      if (std::find(risk.counts.begin(), risk.counts.end(), counts(t)[c]) != risk.counts.end())
        own[c] = 1;
    any_risk_[t] = *std::max_element(own, own + n_cells());
  }
}

void ListedClass::number_margins(const std::vector<std::size_t>& dim,
                                 const std::vector<Envelope>& envelopes, WorkerPool& pool,
                                 WorkClock& clock) {
  for (const Envelope& envelope : envelopes)
    for (const SubTable set : envelope.sets) margin_[set];
  std::vector<SubTable> sets;
  for (const auto& entry : margin_) sets.push_back(entry.first);
  std::vector<std::size_t> all(n_tables());
  for (std::size_t t = 0; t < all.size(); ++t) all[t] = t;
  SharedEnd end;
  end.run(pool, sets.size(), [&](std::size_t i) {
    SharedClock shared(clock, end);
    margin_.at(sets[i]) = group_tables(tables_, all, sums_of(dim, sets[i], n_cells()),
                                       [&](double) { look_at(shared.watch()); });
  });
}

bool ListedClass::breaks(std::uint32_t t, const CellSpread& spread) const {
  const std::uint8_t* own = at_risk_.data() + t * n_cells();
  for (std::size_t c = 0; c < n_cells(); ++c)
    if (own[c] != 0 && !wide(spread.width(c))) return true;
  return false;
}

std::vector<ListedClass::Tables> ListedClass::groups(const Envelope& envelope, const Tables& tables,
                                                     WorkClock& clock) const {
  std::vector<Grouped> now;
  for (const std::uint32_t t : tables) now.push_back({0, t});
  for (const SubTable set : envelope.sets) {
    look_at(clock);
    const std::vector<std::uint32_t>& margin = margin_.at(set);
    for (Grouped& one : now) one.key = one.key << 32 | margin[one.table];
    std::sort(now.begin(), now.end());
    std::vector<Grouped> next;
    std::uint64_t number = 0;
    each_run(now, [&](std::size_t first, std::size_t last) {
      if (last - first == 1 && any_risk_[now[first].table] != 0) return;
      for (std::size_t i = first; i < last; ++i) next.push_back({number, now[i].table});
      ++number;
    });
    now = std::move(next);
  }
  std::vector<Tables> out;
  each_run(now, [&](std::size_t first, std::size_t last) {
    out.emplace_back();
    for (std::size_t i = first; i < last; ++i) out.back().push_back(now[i].table);
  });
  return out;
}

ListedClass::Tables ListedClass::greatest(const CellSpread& base, Tables tables,
                                          WorkClock& clock) const {
  for (;;) {
    CellSpread spread = base;
    for (const std::uint32_t t : tables) {
      clock.check();
      spread.add(counts(t));
    }
    Tables kept;
    for (const std::uint32_t t : tables)
      if (!breaks(t, spread)) kept.push_back(t);
    if (kept.size() == tables.size()) return tables;
    tables = std::move(kept);
  }
}

CellSpread ListedClass::spread(const Tables& tables) const {
  CellSpread out(n_cells());
  for (const std::uint32_t t : tables) out.add(counts(t));
  return out;
}

}  // namespace sdclattice
