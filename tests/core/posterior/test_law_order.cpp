// Each law of a component comes once, and each is the one after which the front is smallest.
#include <cmath>
#include <set>

#include "check.hpp"
#include "posterior/law_order.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

std::set<std::int32_t> cycles_of(const Linkage& linkage, std::size_t law) {
  return {linkage.law_cycle.begin() + static_cast<std::ptrdiff_t>(linkage.law_start[law]),
          linkage.law_cycle.begin() + static_cast<std::ptrdiff_t>(linkage.law_start[law + 1])};
}

// The logarithm of the states of the cycles that are begun and not finished.
double front_bits(const Linkage& linkage, const Component& part, CycleStates& states,
                  const std::vector<std::int32_t>& taken) {
  std::set<std::int32_t> begun, open;
  std::set<std::int32_t> left;
  for (std::int32_t l = 0; l < part.n_laws; ++l) left.insert(l);
  for (const std::int32_t l : taken) {
    left.erase(l);
    const auto own = cycles_of(linkage, static_cast<std::size_t>(part.first_law + l));
    begun.insert(own.begin(), own.end());
  }
  for (const std::int32_t l : left)
    for (const std::int32_t c : cycles_of(linkage, static_cast<std::size_t>(part.first_law + l)))
      if (begun.count(c)) open.insert(c);
  double bits = 0;
  for (const std::int32_t c : open) bits += std::log2(states.of(c).size());
  return bits;
}

}  // namespace

TEST(every_law_comes_once_and_is_the_best_that_touches_the_front) {
  Dice dice(32);
  int n_laws = 0;
  for (int round = 0; round < 150; ++round) {
    const int n_cells = 3 + dice.below(6);
    std::vector<Publication> sources(1);
    sources[0].cycles = random_cycles(dice, n_cells, 1 + dice.below(5), 2);
    sources[0].mechanism = {{}, {.25}, {.25}, ZeroRule::blocked};
    for (int i = dice.below(8); i > 0; --i)
      sources[0].mechanism.sequence.push_back(
          dice.below(static_cast<int>(sources[0].cycles.size())));
    const std::vector<double> table(static_cast<std::size_t>(n_cells), 3);
    sources[0].published = table.data();
    std::vector<std::int32_t> room(static_cast<std::size_t>(n_cells));
    const Problem problem(sources, room.data());
    const Linkage& linkage = problem.linkage();
    CycleStates states(problem);
    std::vector<std::int32_t> local(linkage.n_cycles);
    for (const Component& part : linkage.components) {
      const LawOrder order = order_laws(linkage, part, states, local);
      CHECK(!order.too_wide);
      CHECK_EQ(order.laws.size(), static_cast<std::size_t>(part.n_laws));
      std::vector<std::int32_t> taken;
      std::set<std::int32_t> met, begun;
      for (std::size_t i = 0; i < order.laws.size(); ++i) {
        CHECK(met.insert(order.laws[i]).second);
        const auto own =
            cycles_of(linkage, static_cast<std::size_t>(part.first_law + order.laws[i]));
        std::vector<std::int32_t> chosen = taken;
        chosen.push_back(order.laws[i]);
        const double bits = front_bits(linkage, part, states, chosen);
        for (std::int32_t l = 0; i > 0 && l < part.n_laws; ++l) {
          if (met.count(l)) continue;
          bool touches = false;
          for (const std::int32_t c :
               cycles_of(linkage, static_cast<std::size_t>(part.first_law + l)))
            touches = touches || begun.count(c);
          if (!touches) continue;
          chosen.back() = l;
          CHECK(front_bits(linkage, part, states, chosen) >= bits - 1e-9);
        }
        taken.push_back(order.laws[i]);
        begun.insert(own.begin(), own.end());
        ++n_laws;
      }
    }
  }
  CHECK(n_laws > 300);
}
