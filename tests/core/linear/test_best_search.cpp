// Branch and bound in one part, against the list of all tables: at every moment the bound holds and
// the table is one, and the end does not depend on how often the work is taken up.
#include <algorithm>

#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/best_search.hpp"
#include "linear/sparse_cases.hpp"

using namespace sdclattice;
using namespace sparse_cases;

namespace {

PresolvedPart whole_part(const LinearSystem& system) {
  PresolvedPart out;
  out.system = system;
  out.implied.lower = system.lower;
  out.implied.upper = system.upper;
  return out;
}

std::int64_t sum_of(const Whole& x, const Whole& weight) {
  std::int64_t out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) out += x[i] * weight[i];
  return out;
}

std::int64_t least_of(const std::vector<Whole>& tables, const Whole& weight) {
  std::int64_t out = sum_of(tables[0], weight);
  for (const Whole& x : tables) out = std::min(out, sum_of(x, weight));
  return out;
}

Whole random_weight(Dice& dice, std::size_t n) {
  Whole out(n);
  for (std::int64_t& w : out) w = dice.between(-4, 4);
  return out;
}

}  // namespace

TEST(bounds_hold_at_every_node) {
  Dice dice(1);
  const Tick none;
  WorkClock clock(1000, none);
  int n_empty = 0, n_nodes = 0;
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system = random_system(dice, 3 + dice.below(5), 1 + dice.below(3), 1);
    const std::vector<Whole> tables = solutions(system);
    const Whole weight = random_weight(dice, system.n_cells());
    std::vector<char> first(system.n_cells());
    for (char& f : first) f = static_cast<char>(dice.below(2));
    const PresolvedPart part = whole_part(system);
    BestSearch search(part, weight, first, clock, round % 2 == 0);
    for (; !search.done(); ++n_nodes) {
      if (!tables.empty()) CHECK(search.bound() <= least_of(tables, weight));
      search.advance(1);
    }
    CHECK_EQ(search.table().empty(), tables.empty());
    n_empty += tables.empty();
    if (tables.empty()) continue;
    CHECK(satisfies(system, search.table()));
    CHECK_EQ(search.sum(), sum_of(search.table(), weight));
    CHECK_EQ(search.sum(), least_of(tables, weight));
    CHECK_EQ(search.bound(), search.sum());
  }
  CHECK(n_empty > 3);
  CHECK(n_nodes > 300);
}

TEST(a_table_to_start_from_is_taken_where_it_is_better) {
  Dice dice(2);
  Whole truth;
  const LinearSystem system = margins(dice, 3, 3, 3, 3, 0, truth);
  const Whole weight = random_weight(dice, system.n_cells());
  const Tick none;
  WorkClock clock(1000, none);
  const PresolvedPart part = whole_part(system);
  BestSearch one(part, weight, std::vector<char>(weight.size(), 0), clock, true);
  BestSearch other(part, weight, std::vector<char>(weight.size(), 0), clock, true);
  CHECK(one.record(truth) && !one.record(truth));
  Whole wrong = truth;
  ++wrong[0];
  CHECK(!one.record(wrong));
  one.advance(100000);
  for (int k = 0; k < 100000 && !other.done(); ++k) other.advance(1);
  CHECK(one.done() && other.done());
  CHECK_EQ(one.sum(), other.sum());
  CHECK(one.sum() <= sum_of(truth, weight));
}
