// Sets that skip zeros: the chain against a forward run of all coins from every possible original.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "posterior/originals.hpp"
#include "posterior/posterior.hpp"

using namespace sdclattice;

namespace {

struct Dice {
  std::mt19937_64 source{17};
  int below(int n) { return static_cast<int>(source() % static_cast<unsigned>(n)); }
  double uniform() { return static_cast<double>(source() >> 11) / 9007199254740992.0; }
};

// Open bands on 2 or 3 lines; rows change fastest.
CycleSet sweeping(int rows, int n) {
  CycleSet set;
  set.n_cells = static_cast<std::size_t>(rows * n);
  for (int a = 0; a < (rows == 2 ? 1 : 3); ++a) {
    const int b = (a + 1) % rows;
    for (int i = 0; i + 1 < n; ++i) {
      set.add(a + rows * i, 1), set.add(a + rows * (i + 1), -1);
      set.add(b + rows * (i + 1), 1), set.add(b + rows * i, -1);
      set.close();
      set.next.push_back(i + 2 < n ? static_cast<std::int32_t>(set.size()) : -1);
    }
  }
  return set;
}

struct Case {
  int rows, n;
  CycleSet set;
  Mechanism mechanism;
};

Case random_case(Dice& dice) {
  Case out;
  const bool triad = dice.below(2) == 0;
  out.rows = triad ? 3 : 2;
  out.n = triad ? 2 + dice.below(2) : 2 + dice.below(3);
  out.set = sweeping(out.rows, out.n);
  for (int t = triad ? 1 : 1 + dice.below(out.n > 3 ? 2 : 3); t > 0; --t)
    for (std::size_t c = 0; c < out.set.size(); ++c)
      out.mechanism.sequence.push_back(static_cast<std::int32_t>(c));
  for (std::size_t c = 0; c < out.set.size(); ++c) {
    out.mechanism.alpha.push_back(.1 * (1 + dice.below(5)));
    out.mechanism.beta.push_back(.1 * dice.below(6));
  }
  return out;
}

using Table = std::vector<int>;

// The law of the published table given the original, by the definition of the steps.
std::map<Table, double> run_forward(const Case& c, const Table& original) {
  std::map<Table, double> now{{original, 1.0}}, next;
  for (const std::int32_t cycle : c.mechanism.sequence) {
    next.clear();
    for (const auto& [table, p] : now) {
      const std::int32_t* from = &c.set.cell[c.set.start[static_cast<std::size_t>(cycle)]];
      const std::int32_t* to = nullptr;
      if (table[static_cast<std::size_t>(from[0])] >= 1 &&
          table[static_cast<std::size_t>(from[3])] >= 1)
        for (std::int32_t k = cycle; k >= 0 && !to; k = c.set.next[static_cast<std::size_t>(k)]) {
          const std::int32_t* e = &c.set.cell[c.set.start[static_cast<std::size_t>(k)]];
          if (table[static_cast<std::size_t>(e[1])] >= 1 &&
              table[static_cast<std::size_t>(e[2])] >= 1)
            to = e;
        }
      if (!to) {
        next[table] += p;
        continue;
      }
      const double alpha = c.mechanism.alpha_of(static_cast<std::size_t>(cycle));
      const double beta = c.mechanism.beta_of(static_cast<std::size_t>(cycle));
      next[table] += p * stay_probability(alpha, beta);
      for (int side : {1, -1}) {
        Table moved = table;
        moved[static_cast<std::size_t>(from[0])] += side;
        moved[static_cast<std::size_t>(from[3])] -= side;
        moved[static_cast<std::size_t>(to[1])] -= side;
        moved[static_cast<std::size_t>(to[2])] += side;
        next[moved] += p * (side > 0 ? alpha : beta);
      }
    }
    std::swap(now, next);
  }
  return now;
}

// All tables of non-negative counts with the column sums and row sums of `published`.
void candidates(const Case& c, const Table& published, std::size_t cell, Table& now,
                std::vector<Table>& out) {
  const auto rows = static_cast<std::size_t>(c.rows), n = static_cast<std::size_t>(c.n);
  if (cell == published.size()) {
    for (std::size_t r = 0; r < rows; ++r) {
      int a = 0, b = 0;
      for (std::size_t j = 0; j < n; ++j) a += now[r + rows * j], b += published[r + rows * j];
      if (a != b) return;
    }
    out.push_back(now);
    return;
  }
  const std::size_t column = cell / rows;
  int left = 0;
  for (std::size_t r = 0; r < rows; ++r) left += published[r + rows * column];
  for (std::size_t r = 0; r < cell % rows; ++r) left -= now[r + rows * column];
  const bool last = cell % rows + 1 == rows;
  for (int v = last ? left : 0; v <= left; ++v) {
    now[cell] = v;
    candidates(c, published, cell + 1, now, out);
  }
}

}  // namespace

TEST(sweeps_agree_with_a_forward_run_of_all_originals) {
  Dice dice;
  for (int round = 0; round < 120; ++round) {
    const Case c = random_case(dice);
    Table original;
    for (std::size_t i = 0; i < c.set.n_cells; ++i) original.push_back(dice.below(3));
    const std::map<Table, double> forward = run_forward(c, original);
    auto at = forward.begin();
    std::advance(at, dice.below(static_cast<int>(forward.size())));
    const Table published = at->first;

    std::map<Table, double> likelihood;
    std::vector<Table> all;
    Table now(published.size());
    candidates(c, published, 0, now, all);
    double evidence = 0;
    for (const Table& table : all) {
      const auto law = run_forward(c, table);
      const auto p = law.find(published);
      if (p != law.end() && p->second > 0) evidence += likelihood[table] = p->second;
    }

    const std::vector<double> values(published.begin(), published.end());
    PosteriorModel model({{c.set, c.mechanism, values.data()}}, Inference::automatic, 1000);
    std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
    if (evidence == 0) continue;
    CHECK_NEAR(model.infer({}, laws.data(), {}), std::log(evidence), 1e-9);
    double worst = 0;
    for (std::size_t cell = 0; cell < c.set.n_cells; ++cell)
      for (int d = -model.reach(); d <= model.reach(); ++d) {
        double expected = 0;
        for (const auto& [table, p] : likelihood)
          if (published[cell] - table[cell] == d) expected += p / evidence;
        const std::int32_t law = model.linkage().law_of_cell[cell];
        CHECK(law > 0);
        worst = std::max(
            worst,
            std::fabs(
                expected -
                laws[static_cast<std::size_t>((law - 1) * model.width() + model.reach() + d)]));
      }
    CHECK(worst < 1e-9);
    CHECK(count_originals(model, {}, 100000, {}).count == likelihood.size());
  }
}

TEST(too_many_sweeps_are_named) {
  CycleSet set = sweeping(3, 4);
  Mechanism mechanism;
  mechanism.alpha = mechanism.beta = {.25};
  for (int t = 0; t < 3; ++t)
    for (int c = 0; c < 9; ++c) mechanism.sequence.push_back(c);
  const std::vector<double> published(set.n_cells, 3.0);
  PosteriorModel model({{set, mechanism, published.data()}}, Inference::automatic, 1000);
  CHECK_THROWS(TooLargeError, model.log_evidence({}, {}));
  CHECK_THROWS(InputError,
               PosteriorModel({{set, mechanism, published.data()}}, Inference::enumeration, 1000));
}
