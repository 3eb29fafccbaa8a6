#include "suppress/status_class.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

namespace {

bool has_ones(const WholeTable& table, const std::vector<std::uint32_t>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [&](std::uint32_t cell) { return table[cell] == 1; });
}

struct CountRange {
  std::int64_t least = kNoLimit, most = -kNoLimit;
  void add(std::int64_t count) {
    least = std::min(least, count);
    most = std::max(most, count);
  }
  bool is_empty() const { return least > most; }
  bool meets(const Demand& demand) const { return !is_empty() && most - least >= demand.slide; }
};

}  // namespace

StatusClass::StatusClass(const StoredCells& cells, const SuppressionProblem& problem,
                         const StatusLimits& status, const std::vector<char>& hidden,
                         const WholeTable& table, bool people)
    : cells_(cells), system_(problem.system), demands_(problem.demands) {
  system_.lower = status.lower;
  system_.upper = status.upper;
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell) {
    const bool seen = !hidden[cell] && problem.role[cell] != CellRole::unseen;
    if (seen) system_.lower[cell] = system_.upper[cell] = table[cell];
    if (people && !seen && cells.is_inner(cell) && system_.lower[cell] <= 1 &&
        system_.upper[cell] >= 1)
      homes_.push_back(cell);
  }
}

// ---- people ------------------------------------------------------------------------------------

// What each of those who are alone in an inner cell knows: this cell, and all totals of hers that
// count nobody else and are not published in the open.
std::vector<StatusClass::Cells> StatusClass::people_in(const WholeTable& table) const {
  std::vector<Cells> out;
  for (const std::uint32_t home : homes_) {
    if (table[home] != 1) continue;
    out.emplace_back();
    cells_.each_above(cells_.key(home), [&](std::uint64_t key) {
      const std::uint32_t above = cells_.find(key);
      const bool told = above == home || cells_.is_published(above);
      if (told && table[above] == 1) out.back().push_back(above);
    });
    std::sort(out.back().begin(), out.back().end());
  }
  return out;
}

bool StatusClass::is_served(const std::vector<const WholeTable*>& tables,
                            const Cells& known) const {
  std::vector<CountRange> range(demands_.size());
  for (const WholeTable* table : tables) {
    if (!has_ones(*table, known)) continue;
    for (std::size_t d = 0; d < demands_.size(); ++d) range[d].add((*table)[demands_[d].cell]);
  }
  for (std::size_t d = 0; d < demands_.size(); ++d) {
    const bool own = std::binary_search(known.begin(), known.end(), demands_[d].cell);
    if (!own && !range[d].meets(demands_[d])) return false;
  }
  return true;
}

bool StatusClass::serves(const std::vector<WholeTable>& tables, const WholeTable& table) const {
  std::vector<const WholeTable*> all{&table};
  for (const WholeTable& other : tables) all.push_back(&other);
  if (!is_served(all, {})) return false;
  const std::vector<Cells> people = people_in(table);
  return std::all_of(people.begin(), people.end(),
                     [&](const Cells& known) { return is_served(all, known); });
}

std::vector<WholeTable> StatusClass::supporting(std::vector<WholeTable> tables) const {
  for (;;) {
    std::vector<const WholeTable*> all;
    for (const WholeTable& table : tables) all.push_back(&table);
    if (!is_served(all, {})) return {};
    std::map<Cells, bool> met;
    const auto is_safe = [&](const WholeTable& table) {
      const std::vector<Cells> people = people_in(table);
      return std::all_of(people.begin(), people.end(), [&](const Cells& known) {
        const auto at = met.find(known);
        if (at != met.end()) return at->second;
        return met[known] = is_served(all, known);
      });
    };
    std::vector<char> keep;
    for (const WholeTable& table : tables) keep.push_back(is_safe(table) ? 1 : 0);
    std::vector<WholeTable> left;
    for (std::size_t t = 0; t < tables.size(); ++t)
      if (keep[t] != 0) left.push_back(tables[t]);
    if (left.size() == tables.size()) return tables;
    tables = std::move(left);
  }
}

// ---- the search --------------------------------------------------------------------------------

class StatusClass::Search {
 public:
  Search(const StatusClass& of, const ClassLimits& limits, const std::function<void()>& check)
      : of_(of),
        limits_(limits),
        check_(check),
        entries_(static_cast<double>(of.system_.n_rows()) *
                 static_cast<double>(of.system_.n_cells())) {
    start();
  }

  std::vector<WholeTable> run(double& work) {
    std::vector<WholeTable> out = look();
    work += work_;
    return work_ > limits_.max_work ? std::vector<WholeTable>() : out;
  }

 private:
  std::vector<WholeTable> look() {
    if (!find({}, 0, 0, 0)) return {};
    for (const Demand& demand : of_.demands_)
      if (!widen(demand, {})) return {};
    for (const std::uint32_t home : of_.homes_)
      if (range_of(home, {home}).is_empty()) find({home}, 0, 0, 0);
    // the tables that are found for some people have others in them
    for (std::size_t t = 0; t < tables_.size() && has_room(); ++t)
      for (const Cells& known : of_.people_in(WholeTable(tables_[t])))
        if (served_.insert(known).second) serve(known);
    return std::move(tables_);
  }

  void start() {
    pivots_left_ = SIZE_MAX;
    programme_ = std::make_unique<ExactSimplex>(of_.system_, limits_.max_entries, [this] {
      if (check_) check_();
      work_ += entries_;
      if (pivots_left_ != SIZE_MAX && (pivots_left_-- == 0 || work_ > limits_.max_work))
        throw TooLargeError("The search for a table takes too many steps.");
    });
  }

  bool has_room() const { return tables_.size() < limits_.max_tables && work_ <= limits_.max_work; }

  void serve(const Cells& known) {
    for (const Demand& demand : of_.demands_) {
      if (!has_room()) return;
      if (std::binary_search(known.begin(), known.end(), demand.cell)) continue;
      // she stays without another table here, so that no other is of use to her
      if (!widen(demand, known)) return;
    }
  }

  CountRange range_of(std::uint32_t cell, const Cells& known) const {
    CountRange out;
    for (const WholeTable& table : tables_)
      if (has_ones(table, known)) out.add(table[cell]);
    return out;
  }

  // Tables with ones in known cells until the demand is met.
  bool widen(const Demand& demand, const Cells& known) {
    const std::uint32_t cell = demand.cell;
    CountRange range = range_of(cell, known);
    while (!range.meets(demand) && has_room() &&
           find(known, cell, range.most + 1, of_.system_.upper[cell]))
      range = range_of(cell, known);
    while (!range.meets(demand) && has_room() &&
           find(known, cell, of_.system_.lower[cell], range.least - 1))
      range = range_of(cell, known);
    return range.meets(demand);
  }

  // A table with ones in known cells, and a cell within limits unless both are 0. First one in
  // which no other primary cell differs from the first table, so that it is not far.
  bool find(const Cells& known, std::uint32_t cell, std::int64_t lower, std::int64_t upper) {
    if (lower > upper) return false;
    const auto narrow = [&] {
      for (const std::uint32_t one : known) programme_->set_limits(one, 1, 1);
      if (upper > 0) programme_->set_limits(cell, lower, upper);
    };
    bool found = false;
    if (!tables_.empty()) {
      for (const Demand& demand : of_.demands_) {
        const std::int64_t count = tables_.front()[demand.cell];
        programme_->set_limits(demand.cell, count, count);
      }
      narrow();
      found = find_whole();
      for (const Demand& demand : of_.demands_) set_back(demand.cell);
    }
    if (!found) {
      narrow();
      found = find_whole();
    }
    for (const std::uint32_t one : known) set_back(one);
    if (upper > 0) set_back(cell);
    return found;
  }

  bool find_whole() {
    pivots_left_ = limits_.max_pivots;
    try {
      const bool found = WholeSearch(*programme_).find();
      pivots_left_ = SIZE_MAX;
      if (!found) return false;
    } catch (const TooLargeError&) {
      start();  // a programme whose work was broken off is of no more use
      return false;
    }
    tables_.emplace_back();
    for (std::size_t i = 0; i < of_.system_.n_cells(); ++i)
      tables_.back().push_back(programme_->floor_of(i));
    return true;
  }

  void set_back(std::uint32_t cell) {
    programme_->set_limits(cell, of_.system_.lower[cell], of_.system_.upper[cell]);
  }

  const StatusClass& of_;
  const ClassLimits& limits_;
  const std::function<void()>& check_;
  double entries_;  // of the system: what a pivot counts for
  double work_ = 0;
  std::size_t pivots_left_ = SIZE_MAX;
  std::unique_ptr<ExactSimplex> programme_;
  std::vector<WholeTable> tables_;
  std::set<Cells> served_;
};

std::vector<WholeTable> StatusClass::find_tables(const ClassLimits& limits,
                                                 const std::function<void()>& check,
                                                 double& work) const {
  return Search(*this, limits, check).run(work);
}

}  // namespace sdclattice
