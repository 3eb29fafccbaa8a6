#include "fibre/listed_tables.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"

namespace sdclattice {

namespace {

// Numbers the distinct margins in the order of their first table.
class MarginGroups {
 public:
  explicit MarginGroups(const std::vector<std::uint32_t>& sum_of)
      : sum_of_(sum_of),
        sums_(sum_of.empty() ? 0 : *std::max_element(sum_of.begin(), sum_of.end()) + 1) {}

  std::uint32_t group_of(const double* counts) {
    std::fill(sums_.begin(), sums_.end(), 0);
    for (std::size_t c = 0; c < sum_of_.size(); ++c) sums_[sum_of_[c]] += counts[c];
    return groups_.emplace(sums_, static_cast<std::uint32_t>(groups_.size())).first->second;
  }

 private:
  const std::vector<std::uint32_t>& sum_of_;
  std::vector<double> sums_;
  std::map<std::vector<double>, std::uint32_t> groups_;
};

void widen(ListedRange& range, const double* counts) {
  for (std::size_t c = 0; c < range.lower.size(); ++c) {
    range.lower[c] = std::min(range.lower[c], counts[c]);
    range.upper[c] = std::max(range.upper[c], counts[c]);
  }
}

bool is_safe(const double* counts, const ListedRange& range, const ListedRisk& risk) {
  const auto narrow = [&](std::size_t c) { return range.upper[c] - range.lower[c] < risk.width; };
  if (risk.counts.empty()) return std::none_of(risk.cells.begin(), risk.cells.end(), narrow);
  for (std::size_t c = 0; c < range.lower.size(); ++c)
    if (narrow(c) &&
        std::find(risk.counts.begin(), risk.counts.end(), counts[c]) != risk.counts.end())
      return false;
  return true;
}

}  // namespace

std::vector<std::uint32_t> group_tables(const ListedTables& tables,
                                        const std::vector<std::size_t>& among,
                                        const std::vector<std::uint32_t>& sum_of,
                                        const Tick& tick) {
  if (sum_of.size() != tables.n_cells) throw InputError("Each cell must add to a sum.");
  std::vector<std::uint32_t> out;
  MarginGroups groups(sum_of);
  for (const std::size_t t : among) {
    if (out.size() % 4096 == 0)
      report(tick, static_cast<double>(out.size()) / static_cast<double>(among.size()));
    out.push_back(groups.group_of(tables.table(t)));
  }
  return out;
}

JudgedTables judge_tables(const ListedTables& tables, const std::vector<std::size_t>& among,
                          const std::vector<std::uint32_t>& sum_of, const ListedRisk& risk,
                          const Tick& tick) {
  JudgedTables out;
  out.group = group_tables(tables, among, sum_of, tick);
  std::vector<ListedRange> ranges(
      among.empty() ? 0 : *std::max_element(out.group.begin(), out.group.end()) + 1);
  for (std::size_t i = 0; i < among.size(); ++i) {
    const double* counts = tables.table(among[i]);
    ListedRange& range = ranges[out.group[i]];
    if (range.lower.empty())
      range.lower = range.upper = std::vector<double>(counts, counts + tables.n_cells);
    widen(range, counts);
  }
  for (std::size_t i = 0; i < among.size(); ++i)
    out.safe.push_back(is_safe(tables.table(among[i]), ranges[out.group[i]], risk));
  return out;
}

ListedRange range_of_tables(const ListedTables& tables, const std::vector<std::size_t>& among) {
  if (among.empty()) throw InputError("There must be a table.");
  const double* first = tables.table(among[0]);
  ListedRange out;
  out.lower = out.upper = std::vector<double>(first, first + tables.n_cells);
  for (const std::size_t t : among) widen(out, tables.table(t));
  return out;
}

}  // namespace sdclattice
