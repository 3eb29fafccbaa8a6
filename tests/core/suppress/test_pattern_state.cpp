// The state of a pattern against a new count of its changes, and against open_demands().
#include "check.hpp"
#include "small_patterns.hpp"
#include "suppress/pattern_state.hpp"

using namespace sdclattice;
using namespace small_published;

namespace {

// A product move through a random cell that is not open, if any.
bool random_change(const PatternCase& c, const StoredCells& cells, PatternState& state, Dice& dice,
                   PublicRandom& random, ScaledChange& out) {
  ProductMoveSearch search(cells, state.table());
  const auto cell = static_cast<std::uint32_t>(dice.below(static_cast<int>(cells.n_cells())));
  if (c.problem.role[cell] == CellRole::open ||
      !search.find(cells.key(cell), {}, MoveTable::kForbidden, {4, 4, 1000, 0.5}, random))
    return false;
  std::map<std::uint32_t, std::int32_t> change;
  for (const MoveCell& at : search.best().cells) change[at.cell] = at.sign;
  out = {};
  for (const auto& at : change) {
    out.cell.push_back(at.first);
    out.by.push_back(at.second);
  }
  state.set_range(out);
  return out.plus + out.minus > 0;
}

void check_state(const PatternCase& c, const StoredCells& cells, const PatternState& state,
                 const std::map<std::uint32_t, ScaledChange>& alive) {
  const SuppressionProblem& problem = c.problem;
  std::vector<std::set<std::uint32_t>> users(problem.n_cells());
  for (const auto& change : alive)
    for (const std::uint32_t cell : change.second.cell) users[cell].insert(change.first);
  std::int64_t cost = 0;
  std::vector<char> hidden(problem.n_cells(), 0);
  std::vector<std::uint32_t> secondary;
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell) {
    const bool is_candidate = problem.role[cell] == CellRole::candidate;
    const bool is_secondary = is_candidate && !users[cell].empty();
    hidden[cell] = is_secondary || problem.role[cell] == CellRole::primary;
    cost += is_secondary ? problem.cost[cell] : 0;
    if (is_secondary) secondary.push_back(cell);
    if (problem.role[cell] != CellRole::unseen && problem.role[cell] != CellRole::open)
      CHECK_EQ(state.is_hidden(cell), hidden[cell] != 0);
    if (!is_candidate) continue;
    const auto found = state.users(cell);
    CHECK(std::set<std::uint32_t>(found.begin(), found.end()) == users[cell]);
  }
  CHECK_EQ(state.cost(), cost);
  CHECK_EQ(state.secondary(), secondary);
  CHECK_EQ(state.n_changes(), alive.size());
  const auto certificates = state.certificates();
  for (const Certificate& certificate : certificates) {
    CHECK(certifies(problem, hidden, certificate));
    CHECK(is_witness(c.table, cells, hidden, c.floor, certificate));
  }
  Open expected = open_set(open_demands(problem, certificates)), found;
  for (std::uint32_t demand = 0; demand < problem.demands.size(); ++demand) {
    const DemandGap gap = state.gap(demand);
    if (gap.is_open && gap.knowers.empty()) found.insert({demand, OpenDemand::kNobody});
    for (const std::uint32_t knower : gap.knowers) found.insert({demand, knower});
  }
  CHECK(found == expected);
}

}  // namespace

TEST(states_count_their_changes) {
  Dice dice(10);
  PublicRandom random(1);
  std::size_t n_added = 0;
  for (int i = 0; i < 150; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    if (cells.n_cells() == 0) continue;
    PatternState state(c.problem);
    std::map<std::uint32_t, ScaledChange> alive, gone;
    for (int k = 0; k < 12; ++k) {
      ScaledChange change;
      const int what = dice.below(6);
      if (what == 0 && !alive.empty()) {
        gone.insert(*alive.begin());
        state.remove(alive.begin()->first);
        alive.erase(alive.begin());
      } else if (what == 1 && !gone.empty()) {
        alive.insert(*gone.begin());
        state.put_back(gone.begin()->first);
        gone.erase(gone.begin());
      } else if (random_change(c, cells, state, dice, random, change)) {
        alive[state.add(change)] = change;
        ++n_added;
      }
    }
    check_state(c, cells, state, alive);
    state.compact();
    CHECK_EQ(state.n_numbers(), alive.size());
    std::map<std::uint32_t, ScaledChange> renumbered;
    for (const auto& change : alive)
      renumbered[static_cast<std::uint32_t>(renumbered.size())] = change.second;
    check_state(c, cells, state, renumbered);
  }
  CHECK(n_added > 400);
}

// What is tried on a fork is what comes of it, and leaves no trace in its base or, after a reset,
// in the fork.
TEST(forks_try_what_a_state_would_do) {
  Dice dice(13);
  PublicRandom random(1);
  std::size_t n_gone = 0;
  for (int i = 0; i < 100; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    if (cells.n_cells() == 0) continue;
    PatternState state(c.problem);
    std::map<std::uint32_t, ScaledChange> alive;
    ScaledChange change;
    for (int k = 0; k < 6; ++k)
      if (random_change(c, cells, state, dice, random, change)) alive[state.add(change)] = change;
    const auto fork = state.fork();
    for (int round = 0; round < 3; ++round) {
      auto tried = alive;
      std::vector<ScaledChange> added;
      for (int k = 0; k < 4; ++k) {
        if (dice.below(2) == 0 && !tried.empty() && tried.begin()->first < state.n_numbers()) {
          fork->remove(tried.begin()->first);
          tried.erase(tried.begin());
          ++n_gone;
        } else if (random_change(c, cells, *fork, dice, random, change)) {
          tried[fork->add(change)] = change;
          added.push_back(change);
        }
      }
      check_state(c, cells, *fork, tried);
      check_state(c, cells, state, alive);
      CHECK_EQ(fork->added().size(), added.size());
      CHECK_EQ(fork->gone().size() + tried.size(), alive.size() + added.size());
      const std::vector<std::uint32_t> gone = fork->gone();
      fork->reset();
      check_state(c, cells, *fork, alive);
      CHECK_EQ(fork->table().price, state.table().price);
      std::vector<std::uint32_t> touched;
      for (const std::uint32_t number : gone) {
        state.remove(number);
        touched.insert(touched.end(), alive[number].cell.begin(), alive[number].cell.end());
        alive.erase(number);
      }
      for (const ScaledChange& one : added) {
        alive[state.add(one)] = one;
        touched.insert(touched.end(), one.cell.begin(), one.cell.end());
      }
      fork->follow(touched);
      check_state(c, cells, *fork, alive);
      CHECK_EQ(fork->table().price, state.table().price);
    }
    const auto certificates = state.certificates(), taken = state.take_certificates();
    CHECK_EQ(taken.size(), certificates.size());
    for (std::size_t k = 0; k < std::min(taken.size(), certificates.size()); ++k)
      CHECK(taken[k].cell == certificates[k].cell && taken[k].change == certificates[k].change);
    check_state(c, cells, state, {});
  }
  CHECK(n_gone > 50);
}

TEST(ranges_end_where_a_limit_is_passed) {
  Dice dice(11);
  PublicRandom random(1);
  for (int i = 0; i < 100; ++i) {
    PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    if (cells.n_cells() == 0) continue;
    for (std::size_t cell = 0; cell < cells.n_cells(); ++cell)
      if (dice.below(4) == 0) c.problem.system.upper[cell] = c.problem.value[cell] + dice.below(3);
    PatternState state(c.problem);
    ScaledChange change;
    if (!random_change(c, cells, state, dice, random, change)) continue;
    const auto is_within = [&](std::int64_t times) {
      for (std::size_t k = 0; k < change.cell.size(); ++k) {
        const std::int64_t now = c.problem.value[change.cell[k]] + times * change.by[k];
        if (now < c.problem.system.lower[change.cell[k]] ||
            now > c.problem.system.upper[change.cell[k]])
          return false;
      }
      return true;
    };
    CHECK(is_within(change.plus) && is_within(-change.minus));
    CHECK(change.plus == PatternState::kMaxRange || !is_within(change.plus + 1));
    CHECK(change.minus == PatternState::kMaxRange || !is_within(-change.minus - 1));
  }
}

TEST(prices_follow_what_is_hidden) {
  Dice dice(12);
  PublicRandom random(1);
  for (int i = 0; i < 60; ++i) {
    const PatternCase c = random_pattern_case(dice, 36, false);
    const StoredCells cells = c.table.stored();
    if (cells.n_cells() == 0) continue;
    PatternState state(c.problem);
    ScaledChange change;
    if (random_change(c, cells, state, dice, random, change)) state.add(change);
    state.set_prices(i % 2 == 1, 5);
    for (std::uint32_t cell = 0; cell < cells.n_cells(); ++cell) {
      const std::int64_t price = state.table().price[cell];
      const std::int64_t cost = c.problem.cost[cell] * state.scale();
      if (c.problem.role[cell] == CellRole::open) {
        CHECK_EQ(price, MoveTable::kForbidden);
      } else if (c.problem.role[cell] == CellRole::unseen || state.is_hidden(cell)) {
        CHECK(price > 0 && price < state.scale() / 100);
      } else {
        CHECK(price > cost && price < cost + (i % 2 == 1 ? cost / 2 : 0) + state.scale() / 100);
      }
      state.forbid(cell);
      CHECK_EQ(state.table().price[cell], MoveTable::kForbidden);
      state.allow(cell);
      CHECK_EQ(state.table().price[cell], price);
    }
  }
}
