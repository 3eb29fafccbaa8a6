#include "linear/table_reach.hpp"

#include <utility>

namespace sdclattice {

struct TableReach::Part {
  Part(const PresolvedPart& part, WorkClock& clock)
      : known(part.system), search(part.system, part.implied, known, effort, clock) {}

  Knowledge known;
  Effort effort;
  SparseSearch search;
};

TableReach::TableReach(const LinearSystem& system, std::vector<std::int64_t> table,
                       WorkClock& clock)
    : small_(presolve(system, clock.tick())),
      table_(std::move(table)),
      clock_(clock),
      parts_(small_.parts.size()) {}

TableReach::~TableReach() = default;

TableReach::Part& TableReach::part_of(std::size_t p) {
  std::unique_ptr<Part>& part = parts_[p];
  if (part) return *part;
  part = std::make_unique<Part>(small_.parts[p], clock_);
  if (table_.empty()) return *part;
  std::vector<std::int64_t> own(small_.parts[p].system.n_cells());
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const CellHome& home = small_.home[i];
    if (home.sign != 0 && home.part == p) own[home.place] = home.sign * (table_[i] - home.shift);
  }
  part->search.start(own, SearchLevel::walks);
  return *part;
}

bool TableReach::find_table(SearchLevel level) {
  bool found = true;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    SparseSearch& search = part_of(p).search;
    if (!search.has_table() && !search.start({}, level)) found = false;
  }
  return found;
}

TableReach::Ends TableReach::ends(std::uint32_t cell) const {
  const CellHome& home = small_.home[cell];
  if (home.sign == 0) return {home.shift, home.shift, home.shift, home.shift};
  const auto value = [&](std::int64_t unknown) {
    return unknown >= kNoLimit ? kNoLimit : home.shift + home.sign * unknown;
  };
  const auto ordered = [&](std::int64_t low, std::int64_t high) {
    return home.sign > 0 ? std::pair{value(low), value(high)} : std::pair{value(high), value(low)};
  };
  const Part* part = parts_[home.part].get();
  const LinearSystem& system = small_.parts[home.part].system;
  const auto [lower, upper] =
      part ? ordered(part->known.lower[home.place], part->known.upper[home.place])
           : ordered(system.lower[home.place], system.upper[home.place]);
  if (!part || part->known.n_witnesses == 0) {
    if (table_.empty()) return {lower, upper, kNoLimit, -kNoLimit};
    return {lower, upper, table_[cell], table_[cell]};
  }
  const auto [least, most] = ordered(part->known.least[home.place], part->known.most[home.place]);
  return {lower, upper, least, most};
}

void TableReach::close(std::uint32_t cell, int sign, SearchLevel level) {
  const CellHome& home = small_.home[cell];
  if (home.sign != 0) part_of(home.part).search.close(home.place, sign * home.sign, level);
}

Reach TableReach::reaches(std::uint32_t cell, int sign, std::int64_t target, SearchLevel last) {
  const CellHome& home = small_.home[cell];
  if (home.sign == 0) return sign * home.shift >= sign * target ? Reach::yes : Reach::no;
  return part_of(home.part).search.reaches(home.place, sign * home.sign,
                                           home.sign * (target - home.shift), last);
}

std::vector<std::int64_t> TableReach::table(std::uint32_t cell, int sign) const {
  std::vector<const std::vector<std::int64_t>*> found(parts_.size(), nullptr);
  const CellHome& asked = small_.home[cell];
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p] || !parts_[p]->search.has_table()) continue;
    const TablePool& tables = parts_[p]->search.tables();
    const bool own = asked.sign != 0 && asked.part == p;
    found[p] = &tables[own ? tables.best(asked.place, sign * asked.sign) : 0];
  }
  std::vector<std::int64_t> out(small_.home.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const CellHome& home = small_.home[i];
    if (home.sign != 0 && found[home.part] == nullptr && table_.empty()) return {};
    out[i] = home.sign == 0 ? home.shift
             : found[home.part] == nullptr
                 ? table_[i]
                 : home.shift + home.sign * (*found[home.part])[home.place];
  }
  return out;
}

std::size_t TableReach::n_programmes() const {
  std::size_t out = 0;
  for (const std::unique_ptr<Part>& part : parts_)
    if (part) out += part->effort.programmes;
  return out;
}

}  // namespace sdclattice
