#include "server/query_space.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/flat_map.hpp"

namespace sdclattice {

namespace {

bool one_more(SubTable set, SubTable part) {
  return set_size(set & ~part) == 1;
}

// The variables of `set` as places among those of `among`.
VariableSet places(SubTable set, SubTable among) {
  VariableSet out;
  std::uint32_t place = 0;
  for (std::uint32_t v : as_set(among)) {
    if ((set >> v & 1) != 0) out.push_back(place);
    ++place;
  }
  return out;
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
std::vector<SubTable> all_below(std::size_t n, const std::vector<SubTable>& sets) {
  const std::vector<char> below = lay_out_below(n, as_sets(sets));
  std::vector<SubTable> out;
  for (SubTable set = 0; set < below.size(); ++set)
    if (below[set] != 0) out.push_back(set);
  std::sort(out.begin(), out.end(), comes_before);
  return out;
}

// How many sets of each size lie inside of one of `bounds` and hold `held`.
std::vector<double> count_around(const QuerySpace& space, const std::vector<SubTable>& bounds,
                                 SubTable held, const Tick& tick) {
  std::vector<double> out(space.n_variables() + 1, 0);
  const SubTable rest = space.all_variables() & ~held;
  std::vector<VariableSet> links;
  for (SubTable bound : bounds)
    if (holds(bound, held)) links.push_back(places(bound & ~held, rest));
  if (links.empty()) return out;
  const std::vector<double> found = count_below(set_size(rest), links, tick);
  std::copy(found.begin(), found.end(), out.begin() + static_cast<std::ptrdiff_t>(set_size(held)));
  return out;
}

// How many sets of each size hold `held` and one of `sets`: by complements.
std::vector<double> count_above(const QuerySpace& space, const std::vector<SubTable>& sets,
                                SubTable held, const Tick& tick) {
  std::vector<SubTable> outside;
  for (SubTable set : sets) outside.push_back(space.all_variables() & ~(set | held));
  std::vector<double> out(space.n_variables() + 1, 0);
  if (!sets.empty()) out = count_below(space.n_variables(), as_sets(outside), tick);
  std::reverse(out.begin(), out.end());
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

std::vector<SubTable> one_step_up(const std::vector<SubTable>& sets, std::size_t n_variables) {
  std::vector<SubTable> out = sets;
  for (SubTable set : sets)
    for (std::size_t v = 0; v < n_variables; ++v)
      if ((set >> v & 1) == 0) out.push_back(set | SubTable{1} << v);
  return distinct_sub_tables(out);
}

QuerySpace::QuerySpace(SpaceRules rules, SpaceState state)
    : rules_(std::move(rules)), state_(std::move(state)) {
  assert(rules_.n_variables <= kMaxSubTableVariables);
  refused_still_ = kept(state_.refused, [this](SubTable set) { return !is_released(set); });
}

SubTable QuerySpace::all_variables() const {
  return rules_.n_variables == 64 ? ~SubTable{0} : (SubTable{1} << rules_.n_variables) - 1;
}

bool QuerySpace::is_released(SubTable set) const {
  return set == 0 || is_inside_any(set, state_.released);
}

bool QuerySpace::holds_refused(SubTable set) const {
  return std::any_of(state_.refused.begin(), state_.refused.end(),
                     [set](SubTable part) { return holds(set, part); });
}

Closed QuerySpace::closed(SubTable set) const {
  if (set_size(set) > rules_.max_dimension) return Closed::dimension;
  if (rules_.enclosed && !is_inside_any(set, rules_.envelope)) return Closed::envelope;
  if (rules_.stepwise && !is_one_step(set)) return Closed::step;
  return Closed::no;
}

// One variable beyond a maximal released set is one more than some released one.
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
  std::vector<SubTable> out = {all_variables()};
  if (rules_.enclosed) out = rules_.envelope;
  if (!rules_.stepwise) return maximal_sub_tables(out);
  std::vector<SubTable> shared;
  const std::vector<SubTable> steps = one_step_up(state_.released, rules_.n_variables);
  for (SubTable bound : out)
    for (SubTable step : steps) shared.push_back(bound & step);
  return maximal_sub_tables(distinct_sub_tables(shared));
}

std::vector<SubTable> QuerySpace::candidates() const {
  const std::size_t n = rules_.n_variables;
  const bool listed = rules_.step == Step::any && n <= kEnumerated;
  const std::vector<SubTable> from = listed ? all_below(n, state_.released) : state_.released;
  return kept(one_step_up(from, n), [this](SubTable set) { return is_eligible(set); });
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
  std::vector<SubTable> steps;
  for (SubTable part : released_parts(set))
    for (std::uint32_t v : as_set(set & ~part)) steps.push_back(part | SubTable{1} << v);
  steps = kept(distinct_sub_tables(steps),
               [&](SubTable step) { return step != set && is_eligible(step); });
  std::size_t most = 0;
  for (SubTable step : steps) most = std::max(most, set_size(step));
  return kept(steps, [most](SubTable step) { return set_size(step) == most; });
}

std::vector<double> QuerySpace::count_open(SubTable held, const std::vector<double>& released,
                                           const Tick& tick) const {
  std::vector<double> out(rules_.n_variables + 1, 0);
  const auto holds_it = [held](SubTable set) { return holds(set, held); };
  if (rules_.stepwise && rules_.step == Step::frontier) {
    for (SubTable set : kept(one_step_up(state_.released, rules_.n_variables), holds_it))
      if (is_eligible(set)) ++out[set_size(set)];
    return out;
  }
  std::vector<SubTable> around = kept(bounds(), holds_it);
  if (around.size() > kMaxCountedBounds) return {};
  // what was released by other means may lie outside of the bounds
  around.insert(around.end(), state_.released.begin(), state_.released.end());
  around.push_back(0);
  const std::vector<double> all = count_around(*this, around, held, tick);
  for (std::size_t d = 0; d <= std::min(rules_.n_variables, rules_.max_dimension); ++d)
    out[d] = all[d] - released[d];
  return out;
}

std::vector<char> QuerySpace::lay_out(bool to_operator) const {
  const std::size_t n = rules_.n_variables;
  std::vector<char> out(std::size_t{1} << n, static_cast<char>(Standing::closed));
  const auto set_where = [&out](const std::vector<char>& where, Standing standing) {
    for (std::size_t m = 0; m < out.size(); ++m)
      if (where[m] != 0) out[m] = static_cast<char>(standing);
  };
  if (rules_.stepwise && rules_.step == Step::frontier) {
    // few, and not all parts of one are so too
    for (SubTable set : one_step_up(state_.released, n))
      if (is_eligible(set)) out[set] = static_cast<char>(Standing::open);
  } else {
    const std::vector<char> open = lay_out_below(n, as_sets(bounds()));
    for (SubTable m = 0; m < out.size(); ++m)
      if (open[m] != 0 && set_size(m) <= rules_.max_dimension)
        out[m] = static_cast<char>(Standing::open);
  }
  if (to_operator) set_where(lay_out_above(n, as_sets(refused_still_)), Standing::refused);
  set_where(lay_out_below(n, as_sets(state_.released)), Standing::released);
  out[0] = static_cast<char>(Standing::released);
  return out;
}

LevelCounts count_laid_out(const std::vector<char>& layout, std::size_t n_variables,
                           SubTable held) {
  std::vector<double> none(n_variables + 1, 0);
  LevelCounts out{none, none, none};
  for (SubTable m = 0; m < layout.size(); ++m) {
    if (!holds(m, held)) continue;
    const auto standing = static_cast<Standing>(layout[m]);
    if (standing == Standing::released) ++out.released[set_size(m)];
    if (standing == Standing::open) ++out.open[set_size(m)];
    if (standing == Standing::refused) ++out.refused[set_size(m)];
  }
  return out;
}

LevelCounts count_levels(const QuerySpace& space, SubTable held, const Tick& tick) {
  LevelCounts out;
  std::vector<SubTable> released = space.state().released;
  released.push_back(0);
  out.released = count_around(space, released, held, tick);
  out.refused = count_above(space, space.refused_still(), held, tick);
  out.open = space.count_open(held, out.released, tick);
  return out;
}

}  // namespace sdclattice
