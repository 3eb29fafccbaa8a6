#include "suppress/vertex_search.hpp"

#include <algorithm>
#include <numeric>

namespace sdclattice {

namespace {

constexpr double kHiddenPrice = .001;  // of hidden cells, for each unit of change
constexpr double kKnownPrice = .003;   // the same of cells that a knower knows
constexpr double kSpread = .5;         // of prices in neighbourhoods
constexpr std::size_t kLarge = 1000;   // cells of a problem
constexpr std::size_t kRegion = 500;   // cells around those that are published
constexpr std::size_t kMorePrices = 3;
constexpr std::size_t kMostNear = 12;

constexpr std::uint32_t kNobody = OpenDemand::kNobody;

}  // namespace

std::vector<char> usable_cells(const SuppressionProblem& problem, const std::vector<char>& hidden) {
  std::vector<char> out;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) {
    const CellRole role = problem.role[i];
    out.push_back(role == CellRole::unseen || role == CellRole::primary ||
                  (role == CellRole::candidate && hidden[i]));
  }
  return out;
}

VertexSearch::VertexSearch(const DemandIndex& index, std::uint64_t seed, WorkClock& clock)
    : index_(index),
      problem_(index.problem),
      clock_(clock),
      random_(seed),
      rows_(index.problem.system),
      price_(index.problem.n_cells(), 0.0) {
  double sum = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < problem_.n_cells(); ++i)
    if (problem_.role[i] == CellRole::candidate) sum += static_cast<double>(problem_.cost[i]), ++n;
  if (n > 0) mean_cost_ = sum / static_cast<double>(n);
}

VertexProgramme& VertexSearch::whole() {
  if (!whole_) {
    const std::vector<char> all(problem_.n_cells(), 1);
    whole_ = std::make_unique<VertexProgramme>(problem_, usable_cells(problem_, all), clock_);
  }
  return *whole_;
}

bool VertexSearch::is_proved(std::uint32_t demand, std::uint32_t reader) const {
  const auto at = given_up_.find({demand, reader});
  return at != given_up_.end() && at->second;
}

// What is given up for one reader is so for all who know as much.
bool VertexSearch::is_given_up(std::uint32_t demand, std::uint32_t reader) const {
  const Cells& others = included(problem_, reader);
  return given_up_.count({demand, reader}) > 0 ||
         std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
           return given_up_.count({demand, other}) > 0;
         });
}

// ---- one demand --------------------------------------------------------------------------------

void VertexSearch::set_prices(const VertexPool& pool, double spread) {
  for (std::uint32_t i = 0; i < price_.size(); ++i) {
    if (problem_.role[i] == CellRole::candidate && !pool.is_hidden(i))
      price_[i] =
          static_cast<double>(problem_.cost[i]) / mean_cost_ * (1 + spread * random_.uniform());
    else
      price_[i] =
          (index_.knowers[i].empty() ? kHiddenPrice : kKnownPrice) * (1 + random_.uniform());
  }
}

// What these readers lack of the demand, in the ways in which it can be had. `is_all`: where none
// of them exists the demand cannot be met.
std::vector<WantedChange> VertexSearch::choices(const VertexPool& pool, std::uint32_t demand,
                                                const Cells& readers, bool& is_all) {
  const Demand& wanted = problem_.demands[demand];
  VertexReach reach{kNoLimit, kNoLimit};
  for (const std::uint32_t who : readers) {
    const VertexReach own = pool.reach(demand, who);
    reach = {std::min(reach.up, own.up), std::min(reach.down, own.down)};
  }
  is_all = true;
  if (reach.up < wanted.up) return {{wanted.cell, 1, wanted.up, {}}};
  if (reach.down < wanted.down) return {{wanted.cell, -1, wanted.down, {}}};
  is_all = wanted.slide == 1;
  std::vector<WantedChange> out{{wanted.cell, 1, wanted.slide - reach.down, {}},
                                {wanted.cell, -1, wanted.slide - reach.up, {}}};
  if (random_.below(2) == 0) std::swap(out[0], out[1]);
  const std::int64_t half = (wanted.slide + 1) / 2;
  if (reach.up < half && half < wanted.slide - reach.down)
    out.push_back({wanted.cell, 1, half, {}});
  if (reach.down < half && half < wanted.slide - reach.up)
    out.push_back({wanted.cell, -1, half, {}});
  return out;
}

bool VertexSearch::find_best(const Task& task, const std::vector<WantedChange>& choices,
                             bool thorough, Certificate& best, bool& is_proof) {
  std::int64_t least = kNoLimit;
  is_proof = true;
  for (const WantedChange& wanted : choices) {
    Certificate found;
    const VertexEnd end = task.programme.find(wanted, price_, thorough, found);
    is_proof = is_proof && end == VertexEnd::none;
    if (end != VertexEnd::found) continue;
    const std::int64_t cost = task.pool.added_cost(found);
    if (cost >= least) continue;
    least = cost;
    best = std::move(found);
    if (cost == 0) break;
  }
  return least < kNoLimit;
}

// Where nothing was found and nothing is proved, other prices may lead to a vertex that is whole.
bool VertexSearch::find_change(const Task& task, std::uint32_t demand, const Cells& readers,
                               Certificate& best, bool& is_proof) {
  bool is_all = false;
  std::vector<WantedChange> wanted = choices(task.pool, demand, readers, is_all);
  for (WantedChange& one : wanted) {
    one.shut = task.shut;
    for (const std::uint32_t who : readers)
      if (who != kNobody)
        one.shut.insert(one.shut.end(), problem_.knowers[who].begin(), problem_.knowers[who].end());
  }
  task.programme.forget_vertices();
  set_prices(task.pool, spread_);
  bool found = find_best(task, wanted, false, best, is_proof);
  for (std::size_t k = 1; k <= kMorePrices && !found && !is_proof && task.gives_up; ++k) {
    set_prices(task.pool, kSpread);
    found = find_best(task, wanted, k == kMorePrices, best, is_proof);
  }
  is_proof = is_proof && is_all;
  return found;
}

// What leaves alone the cells of several knowers serves all of them; where nothing does they are
// halved.
bool VertexSearch::serve_readers(const Task& task, std::uint32_t demand, const Cells& readers) {
  Certificate best;
  bool is_proof = false;
  if (find_change(task, demand, readers, best, is_proof)) {
    task.pool.add(best);
    return true;
  }
  if (readers.size() == 1) {
    if (task.gives_up) given_up_[{demand, readers[0]}] = is_proof;
    return task.gives_up;
  }
  const auto middle = readers.begin() + static_cast<std::ptrdiff_t>(readers.size() / 2);
  return serve_readers(task, demand, {readers.begin(), middle}) &&
         serve_readers(task, demand, {middle, readers.end()});
}

// False when the demand is open against somebody for whom it was not given up before.
bool VertexSearch::serve(const Task& task, std::uint32_t demand, bool outsider_alone) {
  for (;;) {
    Cells readers;
    for (const std::uint32_t who : task.pool.open_readers(demand))
      if (!is_given_up(demand, who) && (who == kNobody || !outsider_alone)) readers.push_back(who);
    if (readers.empty()) return true;
    if (!serve_readers(task, demand, readers)) return false;
  }
}

// ---- all of them -------------------------------------------------------------------------------

void VertexSearch::construct(VertexPool& pool, VertexProgramme& programme, bool by_value) {
  Cells order(problem_.demands.size());
  std::iota(order.begin(), order.end(), 0u);
  random_.shuffle(order.begin(), order.end());
  if (by_value)
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return problem_.value[problem_.demands[a].cell] > problem_.value[problem_.demands[b].cell];
    });
  spread_ = by_value ? 0 : kSpread;
  const Cells none;
  const Task task{pool, programme, none, true};
  for (const bool outsider_alone : {true, false})
    for (const std::uint32_t d : order) serve(task, d, outsider_alone);
}

void VertexSearch::construct_among(VertexPool& pool, const std::vector<char>& hidden) {
  VertexProgramme inside(problem_, usable_cells(problem_, hidden), clock_);
  construct(pool, inside, true);
  given_up_.clear();
}

bool VertexSearch::serve_all(const Task& task, const Cells& demands) {
  return std::all_of(demands.begin(), demands.end(),
                     [&](std::uint32_t d) { return serve(task, d, false); });
}

// Demands that share a row with the cell are the likeliest to fail.
VertexSearch::Cells VertexSearch::doubtful_first(Cells demands, std::uint32_t cell) const {
  Cells own(rows_.row.begin() + static_cast<std::ptrdiff_t>(rows_.at[cell]),
            rows_.row.begin() + static_cast<std::ptrdiff_t>(rows_.at[cell + 1]));
  std::sort(own.begin(), own.end());
  std::stable_partition(demands.begin(), demands.end(), [&](std::uint32_t d) {
    const std::uint32_t i = problem_.demands[d].cell;
    for (std::size_t k = rows_.at[i]; k < rows_.at[i + 1]; ++k)
      if (std::binary_search(own.begin(), own.end(), rows_.row[k])) return true;
    return false;
  });
  return demands;
}

bool VertexSearch::drop(VertexPool& pool) {
  pool.thin_out();
  VertexProgramme programme(problem_, usable_cells(problem_, pool.hidden()), clock_);
  Cells order = pool.secondary(), shut;
  random_.shuffle(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return problem_.cost[a] > problem_.cost[b];
  });
  spread_ = 0;
  const std::int64_t before = pool.cost();
  for (const std::uint32_t cell : order) {
    if (!pool.is_hidden(cell)) continue;
    VertexPool trial = pool;
    shut.push_back(cell);
    const Task task{trial, programme, shut, false};
    if (serve_all(task, doubtful_first(trial.close(cell), cell)) && trial.cost() < pool.cost())
      pool = std::move(trial);
    else
      shut.pop_back();
  }
  return pool.cost() < before;
}

// Some secondary cells that share a row with this one, and itself.
VertexSearch::Cells VertexSearch::cells_near(const VertexPool& pool, std::uint32_t cell) {
  const LinearSystem& system = problem_.system;
  Cells out;
  for (std::size_t k = rows_.at[cell]; k < rows_.at[cell + 1]; ++k)
    for (std::size_t e = system.start[rows_.row[k]]; e < system.start[rows_.row[k] + 1]; ++e) {
      const std::uint32_t i = system.cell[e];
      if (i != cell && problem_.role[i] == CellRole::candidate && pool.is_hidden(i))
        out.push_back(i);
    }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  random_.shuffle(out.begin(), out.end());
  out.resize(std::min(out.size(), random_.below(kMostNear + 1)));
  out.push_back(cell);
  return out;
}

// The cells that a pool hides, and those that rows connect with the given ones, near ones first: a
// programme over them is smaller than one over a large table.
std::vector<char> VertexSearch::usable_near(const VertexPool& pool, Cells cells) const {
  const LinearSystem& system = problem_.system;
  std::vector<char> near = pool.hidden(), is_row(system.n_rows(), 0), is_listed(near.size(), 0);
  for (const std::uint32_t i : cells) near[i] = is_listed[i] = 1;
  for (std::size_t n = 0; n < cells.size() && cells.size() < kRegion; ++n)
    for (std::size_t k = rows_.at[cells[n]]; k < rows_.at[cells[n] + 1]; ++k) {
      const std::uint32_t r = rows_.row[k];
      if (is_row[r]) continue;
      is_row[r] = 1;
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
        const std::uint32_t i = system.cell[e];
        near[i] = 1;
        if (!is_listed[i]) cells.push_back(i);
        is_listed[i] = 1;
      }
    }
  return usable_cells(problem_, near);
}

// Keeps what comes out where it is not dearer; true when it is cheaper.
bool VertexSearch::try_without(VertexPool& pool, const Cells& cells, bool shuts) {
  VertexPool trial = pool;
  Cells missed;
  for (const std::uint32_t i : cells) {
    const Cells more = trial.close(i);
    missed.insert(missed.end(), more.begin(), more.end());
  }
  std::sort(missed.begin(), missed.end());
  missed.erase(std::unique(missed.begin(), missed.end()), missed.end());
  random_.shuffle(missed.begin(), missed.end());
  const Cells shut = shuts ? cells : Cells{};
  std::unique_ptr<VertexProgramme> region;
  if (problem_.n_cells() > kLarge) {
    Cells around = cells;
    for (const std::uint32_t d : missed) around.push_back(problem_.demands[d].cell);
    region = std::make_unique<VertexProgramme>(problem_, usable_near(pool, around), clock_);
  }
  const Task task{trial, region ? *region : whole(), shut, false};
  for (const std::uint32_t d : missed)
    if (!serve(task, d, false) || trial.cost() > pool.cost()) return false;
  const bool is_cheaper = trial.cost() < pool.cost();
  pool = std::move(trial);
  return is_cheaper;
}

bool VertexSearch::improve(VertexPool& pool) {
  Cells order = pool.secondary();
  random_.shuffle(order.begin(), order.end());
  const std::int64_t before = pool.cost();
  for (const std::uint32_t cell : order) {
    if (!pool.is_hidden(cell)) continue;
    spread_ = random_.below(2) == 0 ? kSpread : 0;
    try_without(pool, cells_near(pool, cell), random_.below(4) != 0);
  }
  pool.thin_out();
  return pool.cost() < before;
}

}  // namespace sdclattice
