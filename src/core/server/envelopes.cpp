#include "server/envelopes.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace sdclattice {

namespace {

// Bit m stands for the sub-table with the variables of m.
using Held = std::uint32_t;

// Is it a sub-table that is not public?
bool counts(const LevelSteps& steps, SubTable set) {
  return steps.is_closed(set) && steps.n_variables_in(set) > 1;
}

Held held_below(const LevelSteps& steps, SubTable set) {
  Held out = 0;
  for (SubTable part = 0; part <= steps.all(); ++part)
    if (holds(set, part) && counts(steps, part)) out |= Held{1} << part;
  return out;
}

std::size_t n_held(Held held) {
  std::size_t out = 0;
  for (; held != 0; held &= held - 1) ++out;
  return out;
}

Envelope as_envelope(const LevelSteps& steps, Held held) {
  Envelope out;
  out.n_sub_tables = n_held(held);
  for (SubTable set = 0; set <= steps.all(); ++set)
    if ((held >> set & 1) != 0) out.sets.push_back(set);
  out.sets = maximal_masks(out.sets);
  std::sort(out.sets.begin(), out.sets.end());
  return out;
}

// Adds to `found` all that hold `held` and, of the sub-tables from `at` on, what they like.
void add_all(const LevelSteps& steps, const std::vector<SubTable>& sets, std::size_t at, Held held,
             std::vector<Held>& found) {
  if (at == sets.size()) {
    if (held != 0) found.push_back(held);
    return;
  }
  add_all(steps, sets, at + 1, held, found);
  const Held needed = held_below(steps, sets[at]) & ~(Held{1} << sets[at]);
  if ((needed & ~held) == 0) add_all(steps, sets, at + 1, held | Held{1} << sets[at], found);
}

}  // namespace

std::vector<Envelope> all_envelopes(const LevelSteps& steps, std::size_t max_dimension) {
  if (steps.n_steps() > kEnvelopeVariables)
    throw TooLargeError("Envelopes are compared for tables of at most " +
                        std::to_string(kEnvelopeVariables) + " variables.");
  std::vector<SubTable> sets;
  for (SubTable set = 0; set <= steps.all(); ++set)
    if (counts(steps, set) && steps.n_variables_in(set) <= max_dimension) sets.push_back(set);
  // parts before what holds them
  std::stable_sort(sets.begin(), sets.end(),
                   [](SubTable a, SubTable b) { return set_size(a) < set_size(b); });
  std::vector<Held> found;
  add_all(steps, sets, 0, 0, found);
  std::sort(found.begin(), found.end(), [](Held a, Held b) {
    const std::size_t in_a = n_held(a), in_b = n_held(b);
    return in_a != in_b ? in_a > in_b : a < b;
  });
  std::vector<Envelope> out;
  for (const Held held : found) out.push_back(as_envelope(steps, held));
  return out;
}

}  // namespace sdclattice
