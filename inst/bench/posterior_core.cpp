// The posterior's core, timed without R: message passing against enumeration written in the same
// C++, the sizes that the slides name as the limit, and growth with the number of cells.
// Build and run: see README.md
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cycle/cycle.hpp"
#include "perturb/perturb.hpp"
#include "posterior/posterior.hpp"

using namespace sdclattice;

namespace {

double seconds(const std::function<void()>& work) {
  const auto from = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

double median_of(int runs, const std::function<void()>& work) {
  std::vector<double> all;
  for (int i = 0; i < runs; ++i) all.push_back(seconds(work));
  std::nth_element(all.begin(), all.begin() + runs / 2, all.end());
  return all[runs / 2];
}

std::vector<std::int32_t> along(std::size_t n) {
  std::vector<std::int32_t> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::int32_t>(i);
  return out;
}

enum class Kind { bidiagonal, pairs, triads, open_triads, skipping };
const char* name_of(Kind kind) {
  const char* names[] = {"bidiagonal", "pairs", "triads, closed rings", "open triads",
                         "triads that skip zeros"};
  return names[static_cast<int>(kind)];
}

// Rows in their order, columns shuffled; of triads the rows that are left over form pairs.
CycleSet make_set(Kind kind, std::size_t n) {
  if (kind == Kind::bidiagonal) return cycles_lenz(n, n);
  std::mt19937 source(1);
  Groups groups;
  groups.triads = kind != Kind::pairs;
  groups.open = kind == Kind::open_triads || kind == Kind::skipping;
  groups.skip_zeros = kind == Kind::skipping;
  for (std::size_t row = 0; row < n;) {
    const std::size_t left = n - row, size = groups.triads && left != 2 && left != 4 ? 3 : 2;
    groups.lines.emplace_back();
    for (std::size_t k = 0; k < size; ++k)
      groups.lines.back().push_back(static_cast<std::int32_t>(row++));
    groups.rings.push_back(along(n));
    std::shuffle(groups.rings.back().begin(), groups.rings.back().end(), source);
  }
  return cycles_banded({n, n, false}, groups);
}

Mechanism make_mechanism(const CycleSet& set, int covers) {
  Mechanism out;
  const std::vector<std::int32_t> cover = set.cover.empty() ? along(set.size()) : set.cover;
  for (int t = 0; t < covers; ++t)
    out.sequence.insert(out.sequence.end(), cover.begin(), cover.end());
  out.alpha = out.beta = {.25};
  return out;
}

std::vector<double> poisson_table(std::size_t n_cells, double mean) {
  std::mt19937_64 source(7);
  std::poisson_distribution<int> draw(mean);
  std::vector<double> out(n_cells);
  for (double& x : out) x = draw(source);
  return out;
}

struct Run {
  Kind kind;
  std::size_t n;
  int covers;
  double mean;
  Inference method;
};

// From the rule of the set to the posterior of every cell.
double infer(const Run& run, const std::vector<double>& published) {
  CycleSet set = make_set(run.kind, run.n);
  Mechanism mechanism = make_mechanism(set, run.covers);
  std::vector<Publication> sources;
  sources.push_back({std::move(set), std::move(mechanism), published.data()});
  PosteriorModel model(std::move(sources), run.method, 100000000);
  std::vector<double> laws(model.n_laws() * static_cast<std::size_t>(model.width()), 0);
  return model.infer({}, laws.data(), {});
}

double timed(const Run& run, int runs) {
  const std::vector<double> published = poisson_table(run.n * run.n, run.mean);
  return median_of(runs, [&] { infer(run, published); });
}

void show(const std::string& what, double value, const char* unit) {
  std::printf("%-64s %10.4g %s\n", what.c_str(), value, unit);
}

void against_enumeration() {
  for (double mean : {10.0, 30.0}) {
    const double fast = timed({Kind::bidiagonal, 10, 1, mean, Inference::automatic}, 201);
    const double slow = timed({Kind::bidiagonal, 10, 1, mean, Inference::enumeration}, 3);
    const std::string of = "10x10 bidiagonal, r = 1, mean " + std::to_string(int(mean)) + ": ";
    show(of + "messages", 1e6 * fast, "us");
    show(of + "enumeration", 1e6 * slow, "us");
    show(of + "ratio", slow / fast, "");
  }
}

void size_1000(Kind kind, int covers, double mean) {
  show(std::string("1000x1000 ") + name_of(kind) + ", r = " + std::to_string(covers) + ", mean " +
           std::to_string(int(mean)),
       timed({kind, 1000, covers, mean, Inference::automatic}, 3), "s");
}

void sizes() {
  show("20x20 bidiagonal, r = 1",
       1e3 * timed({Kind::bidiagonal, 20, 1, 30, Inference::automatic}, 101), "ms");
  for (Kind kind : {Kind::bidiagonal, Kind::pairs})
    for (int covers : {1, 2})
      for (double mean : {3.0, 30.0}) size_1000(kind, covers, mean);
  for (Kind kind : {Kind::open_triads, Kind::skipping})
    for (double mean : {1.0, 3.0, 10.0, 30.0}) size_1000(kind, 1, mean);
  for (std::size_t n : {20, 50, 100})
    show(std::to_string(n) + "x" + std::to_string(n) + " triads on closed rings, one cover, mean 3",
         1e3 * timed({Kind::triads, n, 1, 3, Inference::automatic}, 3), "ms");
}

void growth() {
  for (Kind kind : {Kind::bidiagonal, Kind::pairs, Kind::open_triads})
    for (std::size_t n : {100, 200, 500, 1000, 2000}) {
      const double time = timed({kind, n, 1, 10, Inference::automatic}, 3);
      show(std::string(name_of(kind)) + ", r = 1, " + std::to_string(n) + "x" + std::to_string(n) +
               ": time a cell",
           1e9 * time / double(n * n), "ns");
    }
}

void perturbing() {
  const std::size_t n = 1000;
  const CycleSet set = make_set(Kind::pairs, n);
  const Mechanism mechanism = make_mechanism(set, 2);
  const std::vector<double> table = poisson_table(n * n, 10);
  const std::vector<std::int64_t> counts(table.begin(), table.end());
  std::mt19937_64 source(3);
  std::vector<std::uint64_t> coins(mechanism.sequence.size());
  for (std::uint64_t& coin : coins) coin = source();
  const double time = median_of(5, [&] { perturb(counts, set, mechanism, coins, {}); });
  show("1000x1000 perturbed by " + std::to_string(coins.size()) + " banded steps", time, "s");
}

}  // namespace

int main() {
  against_enumeration();
  sizes();
  perturbing();
  growth();
}
