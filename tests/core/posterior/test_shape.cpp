// Kernels of one step of an elimination against a forward run of every outcome of the coins: where
// a step joins all cycles of a problem, its entries are the originals with their likelihoods.
#include <cmath>
#include <deque>

#include "check.hpp"
#include "posterior/shape.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

using Changes = std::vector<int>;  // of each law
using ChangeLaw = std::map<Changes, double>;

struct Case {
  std::vector<Publication> sources;
  std::vector<Whole> tables;
  std::vector<std::vector<double>> published;
  Whole original;
};

Case random_case(Dice& dice, int n_sources) {
  constexpr ZeroRule rules[] = {ZeroRule::blocked, ZeroRule::nonnegative};
  Case out;
  const int n_cells = 2 + dice.below(3);
  for (int i = 0; i < n_cells; ++i) out.original.push_back(dice.below(4));
  for (int k = 0; k < n_sources; ++k) {
    Publication source;
    source.cycles = random_cycles(dice, n_cells, 1 + dice.below(2), 1 + dice.below(2));
    if (k > 0 && dice.below(4)) source.cycles = out.sources[0].cycles;
    source.mechanism = random_mechanism(dice, source.cycles, dice.below(n_sources > 1 ? 4 : 5),
                                        rules[dice.below(2)]);
    out.tables.push_back(draw(publish(source.cycles, source.mechanism, out.original), dice));
    out.sources.push_back(source);
  }
  for (const Whole& table : out.tables) out.published.push_back(as_doubles(table));
  return out;
}

// The likelihood of all publications together, by the changes of the laws in the first one. Cells
// on no cycle must be as they were published.
ChangeLaw truth_of(const Case& c, const Problem& problem) {
  const TableLaw all = joint_originals(c.sources, c.tables);
  ChangeLaw out;
  for (const auto& [table, p] : all) {
    Changes changes(problem.linkage().n_laws(), 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::int32_t law = problem.linkage().law_of_cell[i];
      if (law == 0) continue;
      const auto change = static_cast<int>(c.tables[0][i] - table[i]);
      changes[static_cast<std::size_t>(std::abs(law) - 1)] = law > 0 ? change : -change;
    }
    out[changes] += p;
  }
  return out;
}

// The cycles as variables and the laws as they see the steps.
struct Pieces {
  std::deque<CoinStates> states;
  std::vector<Shape::Variable> variables;
  std::vector<Shape::Law> laws;
  std::vector<Problem::Values> values;

  explicit Pieces(const Problem& problem) {
    const auto n = static_cast<std::int32_t>(problem.linkage().n_cycles);
    for (std::int32_t c = 0; c < n; ++c) {
      states.emplace_back(problem.rule(problem.source_of(c)), problem.applications(c));
      variables.push_back({&states.back(), problem.alpha(c), problem.beta(c), true});
    }
    const Linkage& linkage = problem.linkage();
    for (std::size_t l = 0; l < linkage.n_laws(); ++l) {
      std::map<std::pair<int, std::uint32_t>, Shape::Application> by_step;
      for (std::size_t e = linkage.law_start[l]; e < linkage.law_start[l + 1]; ++e) {
        const std::int32_t c = linkage.law_cycle[e];
        for (int t = 0; t < problem.applications(c); ++t)
          by_step[{problem.source_of(c), problem.step(c, t)}] = {
              problem.source_of(c), static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(t),
              linkage.law_coef[e]};
      }
      laws.emplace_back();
      for (const auto& [when, application] : by_step) laws.back().push_back(application);
      for (int k = 0; k < problem.n_sources(); ++k)
        values.push_back(problem.values(static_cast<std::int32_t>(l), k));
    }
  }
  void stay(bool all) {
    for (Shape::Variable& v : variables) v.leaves = !all;
  }
  // Laws from .. to - 1, and their values.
  std::vector<Shape::Law> some(std::size_t from, std::size_t to) const {
    return {laws.begin() + static_cast<std::ptrdiff_t>(from),
            laws.begin() + static_cast<std::ptrdiff_t>(to)};
  }
  std::vector<Problem::Values> values_of(std::size_t from, std::size_t to, int n_sources) const {
    const auto n = static_cast<std::size_t>(n_sources);
    return {values.begin() + static_cast<std::ptrdiff_t>(from * n),
            values.begin() + static_cast<std::ptrdiff_t>(to * n)};
  }
};

bool well_formed(const Kernel& kernel) {
  bool fine = kernel.first.size() == kernel.n_from + 1 &&
              kernel.first.back() == kernel.entries.size() &&
              kernel.delta.size() == std::size_t(kernel.n_codes) * kernel.n_laws;
  for (std::size_t f = 0; fine && f < kernel.n_from; ++f)
    for (std::uint32_t e = kernel.first[f]; e < kernel.first[f + 1]; ++e) {
      const Kernel::Entry& entry = kernel.entries[e];
      fine = fine && entry.to < kernel.n_to && entry.code < kernel.n_codes && entry.weight > 0;
      // Entries that differ in nothing but the weight are one.
      if (e > kernel.first[f])
        fine = fine && std::pair{kernel.entries[e - 1].to, kernel.entries[e - 1].code} <
                           std::pair{entry.to, entry.code};
    }
  return fine;
}

bool same(const ChangeLaw& a, const ChangeLaw& b) {
  for (const auto& [changes, p] : a)
    if (std::fabs(p - (b.count(changes) ? b.at(changes) : 0)) > 1e-13) return false;
  for (const auto& [changes, p] : b)
    if (p > 1e-13 && a.count(changes) == 0) return false;
  return true;
}

Changes changes_of(const Kernel& kernel, std::uint32_t code) {
  const auto at = kernel.delta.begin() + static_cast<std::ptrdiff_t>(code * kernel.n_laws);
  return Changes(at, at + kernel.n_laws);
}

ChangeLaw in_one_step(const Problem& problem) {
  Pieces pieces(problem);
  Shape shape(pieces.variables, 0, pieces.laws, problem.n_sources());
  const auto kernel = shape.kernel(pieces.values);
  CHECK(well_formed(*kernel));
  CHECK_EQ(kernel->n_from, 1u);
  CHECK_EQ(kernel->n_to, 1u);
  ChangeLaw out;
  for (const Kernel::Entry& entry : kernel->entries)
    out[changes_of(*kernel, entry.code)] += entry.weight;
  return out;
}

// All cycles enter in the first step and leave in the second one, which sees the laws from `cut`
// on.
ChangeLaw in_two_steps(const Problem& problem, std::size_t cut) {
  Pieces pieces(problem);
  const std::size_t n = pieces.laws.size();
  const int n_sources = problem.n_sources();
  pieces.stay(true);
  Shape enter(pieces.variables, 0, pieces.some(0, cut), n_sources);
  pieces.stay(false);
  Shape leave(pieces.variables, pieces.variables.size(), pieces.some(cut, n), n_sources);
  const auto a = enter.kernel(pieces.values_of(0, cut, n_sources)),
             b = leave.kernel(pieces.values_of(cut, n, n_sources));
  CHECK(well_formed(*a));
  CHECK(well_formed(*b));
  CHECK_EQ(a->n_to, b->n_from);
  ChangeLaw out;
  for (const Kernel::Entry& first : a->entries)
    for (std::uint32_t e = b->first[first.to]; e < b->first[first.to + 1]; ++e) {
      Changes changes = changes_of(*a, first.code);
      for (const int d : changes_of(*b, b->entries[e].code)) changes.push_back(d);
      out[changes] += first.weight * b->entries[e].weight;
    }
  return out;
}

void point(Case& c) {
  for (std::size_t k = 0; k < c.sources.size(); ++k) c.sources[k].published = c.published[k].data();
}

}  // namespace

TEST(one_step_holds_all_originals) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    Case c = random_case(dice, 1);
    point(c);
    std::vector<std::int32_t> room(c.original.size());
    const Problem problem(c.sources, room.data());
    CHECK(same(in_one_step(problem), truth_of(c, problem)));
  }
}

TEST(two_steps_hold_all_originals) {
  Dice dice(2);
  for (int round = 0; round < 80; ++round) {
    Case c = random_case(dice, 1);
    if (c.sources[0].mechanism.sequence.size() > 3) continue;
    point(c);
    std::vector<std::int32_t> room(c.original.size());
    const Problem problem(c.sources, room.data());
    const ChangeLaw truth = truth_of(c, problem);
    for (std::size_t cut = 0; cut <= problem.linkage().n_laws(); ++cut)
      CHECK(same(in_two_steps(problem, cut), truth));
  }
}

TEST(two_publications_of_one_table) {
  Dice dice(3);
  int several = 0;
  for (int round = 0; round < 150; ++round) {
    Case c = random_case(dice, 2);
    point(c);
    std::vector<std::int32_t> room(c.original.size());
    const Problem problem(c.sources, room.data());
    const ChangeLaw truth = truth_of(c, problem);
    several += truth.size() > 1;
    CHECK(same(in_one_step(problem), truth));
  }
  CHECK(several > 10);
}

// Counts beyond what the coins can reach are capped; the kernel does not know the difference.
TEST(large_counts_have_the_kernel_of_capped_ones) {
  Dice dice(4);
  for (int round = 0; round < 100; ++round) {
    Case c = random_case(dice, 1);
    for (double& x : c.published[0]) x += 20;
    for (std::int64_t& x : c.tables[0]) x += 20;
    point(c);
    std::vector<std::int32_t> room(c.original.size());
    const Problem problem(c.sources, room.data());
    const ChangeLaw here = in_one_step(problem);
    CHECK(same(here, truth_of(c, problem)));
    double sum = 0;
    for (const auto& [changes, p] : here) sum += p;
    CHECK_NEAR(sum, 1, 1e-12);  // far from zero nothing is prevented
  }
}

TEST(kernels_are_kept_by_their_values) {
  Dice dice(5);
  Case c = random_case(dice, 1);
  while (c.sources[0].mechanism.sequence.empty()) c = random_case(dice, 1);
  point(c);
  std::vector<std::int32_t> room(c.original.size());
  const Problem problem(c.sources, room.data());
  Pieces pieces(problem);
  Shape shape(pieces.variables, 0, pieces.laws, 1);
  const auto one = shape.kernel(pieces.values);
  CHECK(shape.kernel(pieces.values) == one);
  pieces.values[0].up += 1;
  const auto two = shape.kernel(pieces.values);
  CHECK(two != one);
  pieces.values[0].up -= 1;
  CHECK(shape.kernel(pieces.values) == one);
}

TEST(shapes_are_equal_by_what_they_say) {
  const CoinStates states(ZeroRule::blocked, 1), other(ZeroRule::blocked, 1);
  const Shape::Variable v{&states, .25, .25, true};
  const Shape::Law law{{0, 0, 0, 1}};
  const Shape one({v}, 0, {law}, 1);
  CHECK(one == Shape({v}, 0, {law}, 1));
  CHECK(!(one == Shape({v}, 1, {law}, 1)));
  CHECK(!(one == Shape({v}, 0, {law, law}, 1)));
  CHECK(!(one == Shape({v}, 0, {{{0, 0, 0, -1}}}, 1)));
  CHECK(!(one == Shape({{&other, .25, .25, true}}, 0, {law}, 1)));
  CHECK(!(one == Shape({{&states, .5, .25, true}}, 0, {law}, 1)));
  CHECK(!(one == Shape({{&states, .25, .5, true}}, 0, {law}, 1)));
  CHECK(!(one == Shape({{&states, .25, .25, false}}, 0, {law}, 1)));
}
