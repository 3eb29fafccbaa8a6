// Elimination against enumeration on sets of every form: triads, open chains, overlaps, large
// coefficients, cycles that are applied differently often, several publications of one table.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/posterior.hpp"

using namespace sdclattice;

namespace {

struct Dice {
  std::mt19937_64 source{20261121};
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
  double uniform() { return static_cast<double>(source() >> 11) / 9007199254740992.0; }
};

void add_square(CycleSet& set, int rows, int a, int b, int i, int j) {
  set.add(a + rows * i, 1), set.add(b + rows * i, -1);
  set.add(a + rows * j, -1), set.add(b + rows * j, 1);
  set.close();
}

CycleSet triad(int n, bool open) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(3 * n);
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i + (open ? 1 : 0) < n; ++i) add_square(set, 3, a, (a + 1) % 3, i, (i + 1) % n);
  return set;
}

CycleSet open_pair(int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(2 * n);
  for (int i = 0; i + 1 < n; ++i) add_square(set, 2, 0, 1, i, i + 1);
  return set;
}

CycleSet random_squares(Dice& dice, int rows, int columns, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(rows * columns);
  for (int k = 0; k < n; ++k) {
    const int a = dice.below(rows), b = (a + 1 + dice.below(rows - 1)) % rows;
    const int i = dice.below(columns), j = (i + 1 + dice.below(columns - 1)) % columns;
    add_square(set, rows, a, b, i, j);
  }
  return set;
}

// Any moves at all, margins or not.
CycleSet random_moves(Dice& dice, int n_cells, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(n_cells);
  for (int k = 0; k < n; ++k) {
    std::vector<std::int32_t> cells(static_cast<std::size_t>(n_cells));
    std::iota(cells.begin(), cells.end(), 0);
    std::shuffle(cells.begin(), cells.end(), dice.source);
    const int size = 1 + dice.below(3);
    for (int i = 0; i < size; ++i)
      set.add(cells[static_cast<std::size_t>(i)],
              static_cast<std::int8_t>(dice.below(2) ? 1 + dice.below(2) : -1 - dice.below(2)));
    set.close();
  }
  return set;
}

CycleSet random_set(Dice& dice, int kind) {
  switch (kind) {
    case 0:
      return triad(2 + dice.below(2), dice.below(2) == 0);
    case 1:
      return triad(3 + dice.below(2), true);
    case 2:
      return open_pair(3 + dice.below(5));
    case 3:
      return random_squares(dice, 3, 4, 5 + dice.below(3));
    default:
      return random_moves(dice, 6, 3 + dice.below(5));
  }
}

Mechanism random_mechanism(Dice& dice, std::size_t n_cycles, std::size_t max_steps) {
  Mechanism out;
  for (std::size_t c = 0; c < n_cycles; ++c) out.sequence.push_back(static_cast<std::int32_t>(c));
  while (out.sequence.size() < max_steps && dice.below(3) > 0)  // some cycles again
    out.sequence.push_back(dice.below(static_cast<int>(n_cycles)));
  if (dice.below(2)) std::shuffle(out.sequence.begin(), out.sequence.end(), dice.source);
  const bool own = dice.below(2) == 0;
  for (std::size_t c = 0; c < (own ? n_cycles : 1); ++c) {
    out.alpha.push_back(.1 * (1 + dice.below(5)));
    out.beta.push_back(.1 * dice.below(6));
  }
  out.rule = static_cast<ZeroRule>(dice.below(4));
  return out;
}

std::vector<double> random_table(Dice& dice, std::size_t n) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(dice.below(5));
  return out;
}

double law(const PosteriorModel& model, const std::vector<double>& laws, std::size_t cell, int d) {
  const std::int32_t at = model.linkage().law_of_cell[cell];
  if (at == 0) return d == 0;
  const int change = at > 0 ? d : -d;
  if (std::abs(change) > model.reach()) return 0;
  return laws[static_cast<std::size_t>((std::abs(at) - 1) * model.width() + model.reach() +
                                       change)];
}

struct Result {
  bool possible = true;
  double log_evidence = 0;
  std::vector<double> laws;
};

Result infer(PosteriorModel& model, const Prior& prior) {
  Result out;
  out.laws.assign(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
  try {
    out.log_evidence = model.infer(prior, out.laws.data(), {});
  } catch (const InfeasibleError&) {
    out.possible = false;
  }
  return out;
}

}  // namespace

TEST(elimination_agrees_with_enumeration) {
  Dice dice;
  for (int round = 0; round < check::cases(80, 300); ++round) {
    const CycleSet set = random_set(dice, round % 5);
    const Mechanism mechanism = random_mechanism(dice, set.size(), 10);
    const std::vector<double> published = random_table(dice, set.n_cells);
    std::vector<double> rates;
    for (std::size_t i = 0; i < set.n_cells; ++i) rates.push_back(.5 * (1 + dice.below(8)));
    Prior prior;
    if (dice.below(2)) {
      PriorFactor factor{};
      factor.kind = PriorFactor::Kind::poisson;
      factor.value = {rates.data(), rates.size()};
      prior.factors.push_back(factor);
    }
    const std::vector<Publication> source{{set, mechanism, published.data()}};
    PosteriorModel fast(source, Inference::automatic, 1000000);
    PosteriorModel slow(source, Inference::enumeration, 1000000);
    const Result a = infer(fast, prior), b = infer(slow, prior);
    CHECK_EQ(a.possible, b.possible);
    if (!b.possible) continue;
    CHECK_NEAR(a.log_evidence, b.log_evidence, 1e-9);
    CHECK_NEAR(fast.log_evidence(prior, {}), b.log_evidence, 1e-9);
    double worst = 0;
    for (std::size_t cell = 0; cell < set.n_cells; ++cell)
      for (int d = -fast.reach(); d <= fast.reach(); ++d)
        worst = std::max(worst, std::fabs(law(fast, a.laws, cell, d) - law(slow, b.laws, cell, d)));
    CHECK(worst < 1e-9);
  }
}

// Two publications: the product of the two likelihoods, over all originals of either.
TEST(several_publications_multiply_their_likelihoods) {
  Dice dice;
  int possible = 0;
  for (int round = 0; round < 120; ++round) {
    const int kind = dice.below(3);
    const CycleSet first = kind == 0   ? open_pair(3 + dice.below(3))
                           : kind == 1 ? triad(2, true)
                                       : random_squares(dice, 3, 4, 4);
    CycleSet second = first;
    if (dice.below(2) && first.n_cells == 12) second = random_squares(dice, 3, 4, 4);
    const Mechanism one = random_mechanism(dice, first.size(), 5);
    const Mechanism two = random_mechanism(dice, second.size(), 5);
    const std::vector<double> p = random_table(dice, first.n_cells);
    std::vector<double> q = p;  // near enough to have common originals
    for (int k = dice.below(3); k > 0; --k) {
      const std::size_t c = static_cast<std::size_t>(dice.below(static_cast<int>(second.size())));
      for (std::size_t i = second.start[c]; i < second.start[c + 1]; ++i)
        q[static_cast<std::size_t>(second.cell[i])] += second.coef[i];
    }
    if (std::any_of(q.begin(), q.end(), [](double x) { return x < 0; })) continue;

    std::map<std::vector<double>, double> likelihood, both;
    const auto enumerate = [&](const CycleSet& set, const Mechanism& mechanism,
                               const std::vector<double>& published) {
      Component all;
      for (std::size_t c = 0; c < set.size(); ++c)
        all.cycles.push_back(static_cast<std::int32_t>(c));
      std::vector<std::int32_t> cells(set.n_cells);
      std::iota(cells.begin(), cells.end(), 0);
      const Originals found =
          enumerate_originals(set, mechanism, all, cells, published.data(), {}, 1000000, {});
      std::map<std::vector<double>, double> out;
      for (std::size_t i = 0; i < found.size(); ++i) {
        std::vector<double> original = published;
        for (std::size_t k = 0; k < cells.size(); ++k)
          original[k] -= found.shift[i * cells.size() + k];
        out[original] = found.weight[i] * std::exp(found.log_evidence);
      }
      return out;
    };
    likelihood = enumerate(first, one, p);
    double evidence = 0;
    for (const auto& [table, weight] : enumerate(second, two, q))
      if (likelihood.count(table)) evidence += both[table] = weight * likelihood[table];

    bool found = true;
    double log_evidence = 0;
    std::vector<double> laws;
    try {
      PosteriorModel model({{first, one, p.data()}, {second, two, q.data()}}, Inference::automatic,
                           1000);
      const Result got = infer(model, {});
      found = got.possible;
      log_evidence = got.log_evidence;
      if (found && evidence > 0) {
        double worst = 0;
        for (std::size_t cell = 0; cell < p.size(); ++cell)
          for (int d = -model.reach(); d <= model.reach(); ++d) {
            double expected = 0;
            for (const auto& [table, weight] : both)
              if (p[cell] - table[cell] == d) expected += weight / evidence;
            worst = std::max(worst, std::fabs(expected - law(model, got.laws, cell, d)));
          }
        CHECK(worst < 1e-9);
      }
    } catch (const InfeasibleError&) {
      found = false;
    }
    CHECK_EQ(found, evidence > 0);
    if (evidence > 0 && found) CHECK_NEAR(log_evidence, std::log(evidence), 1e-9);
    possible += evidence > 0;
  }
  CHECK(possible > 30);
}

// A narrow component first, then one that is too wide.
TEST(too_much_is_refused_before_any_component_is_worked_on) {
  Dice dice;
  const CycleSet wide = random_squares(dice, 30, 30, 600);
  CycleSet set;
  set.n_cells = wide.n_cells + 4;
  const auto last = static_cast<std::int32_t>(wide.n_cells);
  set.add(last, 1), set.add(last + 1, -1), set.add(last + 2, -1), set.add(last + 3, 1);
  set.close();
  for (std::size_t c = 0; c < wide.size(); ++c) {
    for (std::size_t i = wide.start[c]; i < wide.start[c + 1]; ++i)
      set.add(wide.cell[i], wide.coef[i]);
    set.close();
  }
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  for (std::size_t c = 0; c < set.size(); ++c)
    mechanism.sequence.push_back(static_cast<std::int32_t>(c));
  const std::vector<double> published(set.n_cells, 5.0);
  PosteriorModel model({{set, mechanism, published.data()}}, Inference::automatic, 1000);
  int worked_on = 0;
  const auto on_chain = [&](const Chain&, const LawWeights&, const Tick&) {
    ++worked_on;
    return 0.0;
  };
  const auto on_originals = [&](const std::vector<std::int32_t>&, const Originals&) {
    ++worked_on;
    return 0.0;
  };
  CHECK_THROWS(TooLargeError, model.visit({}, {}, on_chain, on_originals));
  CHECK_EQ(worked_on, 0);
}

TEST(wide_fronts_are_named) {
  Dice dice;
  const CycleSet set = random_squares(dice, 30, 30, 600);
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  for (std::size_t c = 0; c < set.size(); ++c)
    mechanism.sequence.push_back(static_cast<std::int32_t>(c));
  const std::vector<double> published(set.n_cells, 5.0);
  PosteriorModel model({{set, mechanism, published.data()}}, Inference::automatic, 1000);
  CHECK_THROWS(TooLargeError, model.log_evidence({}, {}));
}
