#include "server/query_space.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

bool one_more(SubTable set, SubTable part) {
  return set_size(set & ~part) == 1;
}

std::vector<VariableSet> as_sets(const std::vector<SubTable>& sets) {
  std::vector<VariableSet> out;
  out.reserve(sets.size());
  for (SubTable set : sets) out.push_back(as_set(set));
  return out;
}

template <class Keep>
std::vector<SubTable> kept(const std::vector<SubTable>& sets, Keep keep) {
  std::vector<SubTable> out;
  std::copy_if(sets.begin(), sets.end(), std::back_inserter(out), keep);
  return out;
}

// By size, then in the order of their variables.
bool comes_before(SubTable a, SubTable b) {
  if (set_size(a) != set_size(b)) return set_size(a) < set_size(b);
  const SubTable apart = a ^ b;
  return (a & apart & (~apart + 1)) != 0;
}

// All sets inside of some.
std::vector<SubTable> all_below(const LevelSteps& steps, const std::vector<SubTable>& sets) {
  const std::vector<char> below = lay_out_below(steps, sets);
  std::vector<SubTable> out;
  for_closed_sets(steps, [&](std::size_t place, SubTable set) {
    if (below[place] != 0) out.push_back(set);
  });
  std::sort(out.begin(), out.end(), comes_before);
  return out;
}

std::vector<double> count_marked(const LevelSteps& steps, const std::vector<char>& marks,
                                 SubTable held) {
  std::vector<double> out(steps.n_variables() + 1, 0);
  for_closed_sets(steps, [&](std::size_t place, SubTable set) {
    if (marks[place] != 0 && holds(set, held)) ++out[steps.n_variables_in(set)];
  });
  return out;
}

// Adds up, over intersections of `sets`, what lies between for each of them: between(set).
template <class Between>
std::vector<double> count_by_intersections(const LevelSteps& steps,
                                           const std::vector<SubTable>& sets, const Tick& tick,
                                           Between between) {
  std::vector<double> out(steps.n_variables() + 1, 0);
  const auto add = [&](const VariableSet& shared, double sign) {
    const std::vector<double> found = between(as_mask(shared));
    for (std::size_t d = 0; d < out.size(); ++d) out[d] += sign * found[d];
  };
  measure_below(as_sets(sets), add, tick);
  return out;
}

}  // namespace

bool is_inside_any(SubTable set, const std::vector<SubTable>& sets) {
  return std::any_of(sets.begin(), sets.end(), [set](SubTable whole) { return holds(whole, set); });
}

std::vector<SubTable> maximal_sub_tables(const std::vector<SubTable>& sets) {
  std::vector<SubTable> out;
  for (std::size_t at : frontier_of(as_sets(sets))) out.push_back(sets[at]);
  return out;
}

std::vector<SubTable> distinct_sub_tables(const std::vector<SubTable>& sets) {
  FlatSet seen;
  bool empty_seen = false;
  return kept(sets, [&](SubTable set) {
    return set == 0 ? !std::exchange(empty_seen, true) : seen.insert(set);
  });
}

std::vector<SubTable> one_step_up(const std::vector<SubTable>& sets, const LevelSteps& steps) {
  std::vector<SubTable> out = sets;
  for (SubTable set : sets)
    for (std::uint32_t step : as_set(steps.next_steps(set)))
      out.push_back(set | SubTable{1} << step);
  return distinct_sub_tables(out);
}

std::vector<double> count_inside(const LevelSteps& steps, const std::vector<SubTable>& bounds,
                                 SubTable held, const Tick& tick) {
  const std::vector<SubTable> around =
      kept(bounds, [held](SubTable bound) { return holds(bound, held); });
  if (steps.n_places() <= kMaxPlaces)
    return count_marked(steps, lay_out_below(steps, around), held);
  return count_by_intersections(
      steps, around, tick, [&](SubTable shared) { return count_between(steps, held, shared); });
}

// The complements of unions are intersections.
std::vector<double> count_above(const LevelSteps& steps, const std::vector<SubTable>& sets,
                                SubTable held, const Tick& tick) {
  if (steps.n_places() <= kMaxPlaces) return count_marked(steps, lay_out_above(steps, sets), held);
  std::vector<SubTable> outside;
  for (SubTable set : sets) outside.push_back(steps.all() & ~(set | held));
  return count_by_intersections(steps, outside, tick, [&](SubTable shared) {
    return count_between(steps, steps.all() & ~shared, steps.all());
  });
}

QuerySpace::QuerySpace(SpaceRules rules, SpaceState state)
    : rules_(std::move(rules)), state_(std::move(state)) {
  [[maybe_unused]] const auto is_closed = [this](SubTable set) {
    return rules_.steps.is_closed(set);
  };
  assert(std::all_of(state_.released.begin(), state_.released.end(), is_closed));
  assert(std::all_of(state_.refused.begin(), state_.refused.end(), is_closed));
  assert(std::all_of(rules_.envelope.begin(), rules_.envelope.end(), is_closed));
  refused_still_ = kept(state_.refused, [this](SubTable set) { return !is_released(set); });
}

bool QuerySpace::is_released(SubTable set) const {
  return set == 0 || is_inside_any(set, state_.released);
}

bool QuerySpace::holds_refused(SubTable set) const {
  return std::any_of(state_.refused.begin(), state_.refused.end(),
                     [set](SubTable part) { return holds(set, part); });
}

Closed QuerySpace::closed(SubTable set) const {
  if (steps().n_variables_in(set) > rules_.max_dimension) return Closed::dimension;
  if (rules_.enclosed && !is_inside_any(set, rules_.envelope)) return Closed::envelope;
  if (rules_.stepwise && !is_one_step(set)) return Closed::step;
  return Closed::no;
}

// One step beyond a maximal released set is one more than some released one.
bool QuerySpace::is_one_step(SubTable set) const {
  const bool whole = rules_.step == Step::frontier;
  return std::any_of(state_.released.begin(), state_.released.end(), [&](SubTable out) {
    return one_more(set, out) && (!whole || holds(set, out));
  });
}

Standing QuerySpace::standing(SubTable set, bool to_operator) const {
  if (is_released(set)) return Standing::released;
  const auto held = [set](SubTable part) { return holds(set, part); };
  if (to_operator && std::any_of(refused_still_.begin(), refused_still_.end(), held))
    return Standing::refused;
  return closed(set) == Closed::no ? Standing::open : Standing::closed;
}

std::vector<SubTable> QuerySpace::bounds() const {
  std::vector<SubTable> out = {all_steps()};
  if (rules_.enclosed) out = rules_.envelope;
  if (!rules_.stepwise) return maximal_sub_tables(out);
  std::vector<SubTable> shared;
  const std::vector<SubTable> next = one_step_up(state_.released, steps());
  for (SubTable bound : out)
    for (SubTable step : next) shared.push_back(bound & step);
  return maximal_sub_tables(distinct_sub_tables(shared));
}

std::vector<SubTable> QuerySpace::candidates() const {
  const bool listed = rules_.step == Step::any && steps().n_places() <= kMaxPlaces;
  const std::vector<SubTable> from = listed ? all_below(steps(), state_.released) : state_.released;
  return kept(one_step_up(from, steps()), [this](SubTable set) { return is_eligible(set); });
}

std::vector<SubTable> QuerySpace::released_parts(SubTable set) const {
  std::vector<SubTable> parts;
  for (SubTable out : state_.released)
    if ((out & set) != 0) parts.push_back(out & set);
  parts = maximal_sub_tables(distinct_sub_tables(parts));
  std::sort(parts.begin(), parts.end(), [](SubTable a, SubTable b) {
    return set_size(a) != set_size(b) ? set_size(a) > set_size(b) : comes_before(a, b);
  });
  return parts;
}

std::vector<SubTable> QuerySpace::steps_towards(SubTable set) const {
  std::vector<SubTable> larger;
  for (SubTable part : released_parts(set))
    for (std::uint32_t step : as_set(set & steps().next_steps(part)))
      larger.push_back(part | SubTable{1} << step);
  larger = kept(distinct_sub_tables(larger),
                [&](SubTable step) { return step != set && is_eligible(step); });
  std::size_t most = 0;
  for (SubTable step : larger) most = std::max(most, set_size(step));
  return kept(larger, [most](SubTable step) { return set_size(step) == most; });
}

std::vector<SubTable> QuerySpace::coarser_than(SubTable set, std::size_t most) const {
  const auto first = [this](SubTable a, SubTable b) {
    const std::size_t n_a = steps().n_variables_in(a), n_b = steps().n_variables_in(b);
    if (n_a != n_b) return n_a > n_b;
    if (set_size(a) != set_size(b)) return set_size(a) > set_size(b);
    return comes_before(a, b);
  };
  std::set<SubTable, decltype(first)> ahead(first);
  std::vector<SubTable> out;
  const auto look_below = [&](SubTable whole) {
    for (std::uint32_t step : as_set(steps().last_steps(whole)))
      ahead.insert(whole & ~(SubTable{1} << step));
  };
  look_below(set);
  for (std::size_t n = 0; n < kMaxWalked && out.size() < most && !ahead.empty(); ++n) {
    const SubTable next = *ahead.begin();
    ahead.erase(ahead.begin());
    const bool released = is_released(next);
    if (released || is_eligible(next)) out.push_back(next);
    if (released) break;
    look_below(next);
  }
  return out;
}

std::vector<double> QuerySpace::count_open(SubTable held, const std::vector<double>& released,
                                           const Tick& tick) const {
  std::vector<double> out(n_variables() + 1, 0);
  const auto holds_it = [held](SubTable set) { return holds(set, held); };
  if (rules_.stepwise && rules_.step == Step::frontier) {
    for (SubTable set : kept(one_step_up(state_.released, steps()), holds_it))
      if (is_eligible(set)) ++out[steps().n_variables_in(set)];
    return out;
  }
  std::vector<SubTable> around = kept(bounds(), holds_it);
  if (around.size() > kMaxCountedBounds) return {};
  // what was released by other means may lie outside of the bounds
  around.insert(around.end(), state_.released.begin(), state_.released.end());
  around.push_back(0);
  const std::vector<double> all = count_inside(steps(), around, held, tick);
  for (std::size_t d = 0; d <= std::min(n_variables(), rules_.max_dimension); ++d)
    out[d] = all[d] - released[d];
  return out;
}

std::vector<char> QuerySpace::lay_out(bool to_operator) const {
  std::vector<char> out(static_cast<std::size_t>(steps().n_places()),
                        static_cast<char>(Standing::closed));
  const auto set_where = [&out](const std::vector<char>& where, Standing standing) {
    for (std::size_t place = 0; place < out.size(); ++place)
      if (where[place] != 0) out[place] = static_cast<char>(standing);
  };
  if (rules_.stepwise && rules_.step == Step::frontier) {
    // few, and not all parts of one are so too
    for (SubTable set : one_step_up(state_.released, steps()))
      if (is_eligible(set)) out[steps().place(set)] = static_cast<char>(Standing::open);
  } else {
    const std::vector<char> open = lay_out_below(steps(), bounds());
    for_closed_sets(steps(), [&](std::size_t place, SubTable set) {
      if (open[place] != 0 && steps().n_variables_in(set) <= rules_.max_dimension)
        out[place] = static_cast<char>(Standing::open);
    });
  }
  if (to_operator) set_where(lay_out_above(steps(), refused_still_), Standing::refused);
  set_where(lay_out_below(steps(), state_.released), Standing::released);
  out[0] = static_cast<char>(Standing::released);
  return out;
}

LevelCounts count_laid_out(const std::vector<char>& layout, const LevelSteps& steps,
                           SubTable held) {
  std::vector<double> none(steps.n_variables() + 1, 0);
  LevelCounts out{none, none, none};
  for_closed_sets(steps, [&](std::size_t place, SubTable set) {
    if (!holds(set, held)) return;
    const std::size_t n = steps.n_variables_in(set);
    const auto standing = static_cast<Standing>(layout[place]);
    if (standing == Standing::released) ++out.released[n];
    if (standing == Standing::open) ++out.open[n];
    if (standing == Standing::refused) ++out.refused[n];
  });
  return out;
}

LevelCounts count_levels(const QuerySpace& space, SubTable held, const Tick& tick) {
  LevelCounts out;
  std::vector<SubTable> released = space.state().released;
  released.push_back(0);
  out.released = count_inside(space.steps(), released, held, tick);
  out.refused = count_above(space.steps(), space.refused_still(), held, tick);
  out.open = space.count_open(held, out.released, tick);
  return out;
}

}  // namespace sdclattice
