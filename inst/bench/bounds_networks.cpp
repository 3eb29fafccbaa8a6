// Cost per suppressed cell of sharp bounds in two-way tables, where the rows form networks: two
// trees with 10^4 to 10^6 suppressed cells, and square tables without trees a share of whose cells
// is suppressed. Processor time of the core, from the system to all bounds. From the top of the
// source tree: g++ -std=c++17 -O2 -Isrc/core -Itests/core inst/bench/bounds_networks.cpp
//   src/core/linear/*.cpp src/core/base/*.cpp -o bounds_networks
// Run: ./bounds_networks [CASE ...]
#include <cstdio>
#include <ctime>
#include <functional>
#include <iterator>
#include <string>

#include "linear/generated_release.hpp"
#include "linear/integer_bounds.hpp"

using namespace sdclattice;

namespace {

struct Case {
  std::string name;
  std::function<LinearSystem()> make;
};

Case two_trees(const char* name, const std::vector<std::vector<int>>& branches) {
  return {name, [=] {
            return system_of(
                generated::make(generated::Plan{name, 52, branches, {{0, 1}}, 10, 1.3, 2, false}));
          }};
}

// n x n Poisson counts with a mean of 3; row and column sums are published.
LinearSystem square(std::size_t n, double hidden) {
  generated::Source source(n);
  LinearSystem out;
  std::vector<std::vector<std::uint32_t>> line(2 * n);
  std::vector<std::int64_t> sum(2 * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t x = source.poisson(3);
      if (source.uniform() > hidden) continue;
      for (const std::size_t l : {i, n + j}) {
        line[l].push_back(static_cast<std::uint32_t>(out.lower.size()));
        sum[l] += x;
      }
      out.lower.push_back(0);
      out.upper.push_back(static_cast<std::int64_t>(4 * n * n));
    }
  for (std::size_t l = 0; l < line.size(); ++l) {
    if (line[l].empty()) continue;
    out.cell.insert(out.cell.end(), line[l].begin(), line[l].end());
    out.coefficient.resize(out.cell.size(), 1);
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(sum[l]);
    out.row_upper.push_back(sum[l]);
  }
  return out;
}

Case square_case(std::size_t n, double hidden) {
  const std::string percent = std::to_string(static_cast<int>(100 * hidden + .5));
  return {"sq" + std::to_string(n) + "-" + percent, [=] { return square(n, hidden); }};
}

std::vector<Case> all_cases() {
  std::vector<Case> out{two_trees("trees1e4", {{6, 4, 6}, {5, 9, 3}}),
                        two_trees("trees1e5", {{8, 6, 9}, {10, 9, 5}}),
                        two_trees("trees3e5", {{8, 6, 6, 3}, {8, 7, 4, 3}}),
                        two_trees("trees1e6", {{8, 6, 6, 5}, {9, 6, 5, 5}})};
  for (const double hidden : {.02, .35, 1.})
    for (const std::size_t n : {120u, 240u, 480u, 960u}) out.push_back(square_case(n, hidden));
  return out;
}

void run(const Case& what) {
  const LinearSystem system = what.make();
  std::vector<std::uint32_t> asked;
  for (std::uint32_t i = 0; i < system.n_cells(); ++i)
    if (system.lower[i] < system.upper[i]) asked.push_back(i);
  BoundsLimits limits;
  limits.seconds = 600;
  const std::clock_t from = std::clock();
  const IntegerBounds bounds = integer_bounds(system, asked, limits, {});
  const double seconds = static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
  std::size_t sharp = 0;
  for (const std::uint32_t i : asked) sharp += bounds.sharp[i];
  std::printf("%-10s cells %zu suppressed %zu sharp %zu seconds %.3f microseconds a cell %.2f\n",
              what.name.c_str(), system.n_cells(), asked.size(), sharp, seconds,
              1e6 * seconds / static_cast<double>(asked.size()));
  std::fflush(stdout);
}

}  // namespace

int main(int n, char** arguments) {
  for (const Case& what : all_cases()) {
    const auto named = [&](const char* name) { return what.name == name; };
    if (n < 2 || std::any_of(arguments + 1, arguments + n, named)) run(what);
  }
}
