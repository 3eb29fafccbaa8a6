#include "linear/end_table.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/random.hpp"
#include "linear/dive.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/network_flow.hpp"
#include "linear/repair_walk.hpp"
#include "linear/sparse_simplex.hpp"
#include "linear/table_pool.hpp"
#include "linear/whole_search.hpp"

namespace sdclattice {

// Solutions of one part.
class PartTables {
 public:
  using Values = std::vector<std::int64_t>;
  virtual ~PartTables() = default;
  // Empty when none was found.
  virtual Values first() = 0;
  virtual Values reach(std::size_t cell, int sign, std::int64_t value) = 0;
};

namespace {

class FlowTables : public PartTables {
 public:
  FlowTables(FlowNetwork network, std::size_t n_cells, std::function<void()> check)
      : network_(std::move(network)), n_cells_(n_cells), check_(std::move(check)) {}

  Values first() override {
    if (!network_.solve(check_)) throw InfeasibleError("No table satisfies all constraints.");
    return values();
  }
  Values reach(std::size_t cell, int sign, std::int64_t value) override {
    if (!network_.push(cell, sign, check_) || network_.flow(cell) != value) return {};
    return values();
  }

 private:
  Values values() const {
    Values out;
    for (std::size_t i = 0; i < n_cells_; ++i) out.push_back(network_.flow(i));
    return out;
  }
  FlowNetwork network_;
  std::size_t n_cells_;
  std::function<void()> check_;
};

class ProgrammeTables : public PartTables {
 public:
  ProgrammeTables(const LinearSystem& part, std::size_t max_entries, std::function<void()> check)
      : simplex_(part, max_entries, std::move(check)) {}

  Values first() override {
    return search_.find() ? values() : throw InfeasibleError("No table satisfies all constraints.");
  }
  Values reach(std::size_t cell, int, std::int64_t value) override {
    const std::int64_t low = simplex_.lower(cell), high = simplex_.upper(cell);
    if (value < low || value > high) return {};
    simplex_.set_limits(cell, value, value);
    Values out = search_.find() ? values() : Values{};
    simplex_.set_limits(cell, low, high);
    return out;
  }

 private:
  Values values() const {
    Values out;
    for (std::size_t i = 0; i < simplex_.n_cells(); ++i) out.push_back(simplex_.floor_of(i));
    return out;
  }
  ExactSimplex simplex_;
  WholeSearch search_{simplex_};
};

// Larger parts: walks from the tables that are known, then dives by the linear programme. What
// these leave open the exact programme finds, where the part is not large.
class WalkedTables : public PartTables {
 public:
  WalkedTables(const LinearSystem& part, std::size_t max_entries, std::function<void()> check)
      : part_(part),
        max_entries_(max_entries),
        check_(std::move(check)),
        walk_(part),
        simplex_(part, 1, check_),
        pool_(part.n_cells(), kPool) {}

  Values first() override {
    Values x;
    const DiveEnd end = sdclattice::dive(part_, simplex_, walk_, part_.lower, part_.upper, random_,
                                         {kFirstNodes, 2, 2000}, x);
    if (end == DiveEnd::empty) throw InfeasibleError("No table satisfies all constraints.");
    if (end == DiveEnd::unknown) x = exact([](PartTables& tables) { return tables.first(); });
    if (!x.empty()) pool_.add(x);
    return x;
  }
  Values reach(std::size_t cell, int sign, std::int64_t value) override {
    Values x = walked(cell, sign, value);
    if (x.empty() && !dives(cell, value, x))
      x = exact([&](PartTables& tables) { return tables.reach(cell, sign, value); });
    if (!x.empty()) pool_.add(x);
    return x;
  }

 private:
  Values walked(std::size_t cell, int sign, std::int64_t value) {
    Values x = pool_[pool_.best(cell, sign)];
    for (std::size_t k = 0; k < kWalks; ++k) {
      check_();
      if (walk_.move(x, cell, value, part_.lower, part_.upper, random_)) return x;
      x = pool_[random_.below(pool_.size())];
    }
    return {};
  }
  // False: a dive did not say whether there is a table.
  bool dives(std::size_t cell, std::int64_t value, Values& x) {
    Values lower = part_.lower, upper = part_.upper;
    lower[cell] = upper[cell] = value;
    const DiveEnd end =
        sdclattice::dive(part_, simplex_, walk_, lower, upper, random_, {kNodes, 2, 300}, x);
    if (end != DiveEnd::found) x.clear();
    simplex_.set_limits(cell, part_.lower[cell], part_.upper[cell]);
    return end != DiveEnd::unknown;
  }
  template <class Ask>
  Values exact(const Ask& ask) {
    if (part_.n_cells() > kExactPart) return {};
    if (!exact_) exact_ = std::make_unique<ProgrammeTables>(part_, max_entries_, check_);
    return ask(*exact_);
  }

  static constexpr std::size_t kPool = 40, kWalks = 30, kNodes = 300, kFirstNodes = 2000;
  static constexpr std::size_t kExactPart = 600;
  const LinearSystem& part_;
  std::size_t max_entries_;
  std::function<void()> check_;
  RepairWalk walk_;
  SparseSimplex simplex_;
  TablePool pool_;
  PublicRandom random_{1};
  std::unique_ptr<ProgrammeTables> exact_;
};

// Parts up to this many cells are searched by the exact programme alone.
constexpr std::size_t kSmallPart = 150;

// Rows of one cell have become limits of the cell; networks have none.
LinearSystem without_single_rows(const LinearSystem& system) {
  LinearSystem out;
  out.lower = system.lower;
  out.upper = system.upper;
  for (std::size_t r = 0; r < system.n_rows(); ++r) {
    if (system.start[r + 1] - system.start[r] == 1) continue;
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      out.cell.push_back(system.cell[e]);
      out.coefficient.push_back(system.coefficient[e]);
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(system.row_lower[r]);
    out.row_upper.push_back(system.row_upper[r]);
  }
  return out;
}

std::unique_ptr<PartTables> choose(const LinearSystem& part, std::size_t max_entries,
                                   const std::function<void()>& check) {
  if (std::optional<FlowNetwork> network = FlowNetwork::from(part))
    return std::make_unique<FlowTables>(std::move(*network), part.n_cells(), check);
  if (part.n_cells() > kSmallPart) return std::make_unique<WalkedTables>(part, max_entries, check);
  return std::make_unique<ProgrammeTables>(part, max_entries, check);
}

}  // namespace

EndTables::EndTables(const LinearSystem& system, std::size_t max_entries,
                     std::function<void()> check)
    : max_entries_(max_entries),
      check_(std::move(check)),
      narrowed_(system),
      group_(system.n_cells(), SIZE_MAX),
      place_(system.n_cells(), 0) {
  if (!tighten(narrowed_, [this](double) { check_(); }))
    throw InfeasibleError("No table of whole numbers satisfies all constraints.");
  narrowed_ = without_single_rows(narrowed_);
  groups_ = components(narrowed_);
  parts_ = split(narrowed_, groups_);
  engines_.resize(parts_.size());
  base_ = narrowed_.lower;
  for (std::size_t g = 0; g < groups_.size() && !base_.empty(); ++g) find_base(g);
  least_ = most_ = base_;
  at_least_.assign(base_.size(), 0);
  at_most_.assign(base_.size(), 0);
  if (!base_.empty()) tables_.emplace_back();
}

EndTables::~EndTables() = default;

void EndTables::find_base(std::size_t g) {
  engines_[g] = choose(parts_[g], max_entries_, check_);
  const PartTables::Values x = engines_[g]->first();
  if (x.empty()) {
    base_.clear();
    return;
  }
  for (std::size_t k = 0; k < x.size(); ++k) {
    base_[groups_[g][k]] = x[k];
    group_[groups_[g][k]] = g;
    place_[groups_[g][k]] = k;
  }
}

std::size_t EndTables::reach(std::size_t cell, int sign, std::int64_t value) {
  if (base_.empty()) return SIZE_MAX;
  if (most_[cell] == value) return at_most_[cell];
  if (least_[cell] == value) return at_least_[cell];
  const std::size_t g = group_[cell];
  if (g == SIZE_MAX) return SIZE_MAX;
  const PartTables::Values x = engines_[g]->reach(place_[cell], sign, value);
  return x.empty() ? SIZE_MAX : keep(g, x);
}

std::size_t EndTables::keep(std::size_t g, const std::vector<std::int64_t>& x) {
  TableChange change;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::uint32_t i = groups_[g][k];
    if (x[k] != base_[i]) {
      change.cell.push_back(i);
      change.value.push_back(x[k]);
    }
    if (x[k] > most_[i]) {
      most_[i] = x[k];
      at_most_[i] = tables_.size();
    }
    if (x[k] < least_[i]) {
      least_[i] = x[k];
      at_least_[i] = tables_.size();
    }
  }
  tables_.push_back(std::move(change));
  return tables_.size() - 1;
}

}  // namespace sdclattice
