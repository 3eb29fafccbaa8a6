// A tableau right after it is made: every equation holds, and contradictions are found.
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/tableau.hpp"

using namespace sdclattice;

namespace {

const std::function<void()> kNoCheck = [] {};

LinearSystem equations(std::mt19937_64& dice, const std::vector<std::int64_t>& solution,
                       std::size_t n_rows) {
  LinearSystem out;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    out.lower.push_back(static_cast<std::int64_t>(dice() % 3));
    out.upper.push_back(20);
  }
  for (std::size_t r = 0; r < n_rows; ++r) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < solution.size(); ++i) {
      const std::int64_t a = static_cast<std::int64_t>(dice() % 5) - 2;
      if (a == 0) continue;
      out.cell.push_back(static_cast<std::uint32_t>(i));
      out.coefficient.push_back(a);
      sum += a * solution[i];
    }
    out.start.push_back(out.cell.size());
    out.row_lower.push_back(sum);
    out.row_upper.push_back(sum);
  }
  return out;
}

}  // namespace

TEST(equations_hold_from_the_start) {
  std::mt19937_64 dice(5);
  int n_fractions = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::int64_t> solution(1 + dice() % 5);
    for (std::int64_t& x : solution) x = static_cast<std::int64_t>(dice() % 9);
    const LinearSystem system = equations(dice, solution, 1 + dice() % 5);
    const Tableau tableau(system, 1000, kNoCheck);
    const WideInt den = tableau.denominator();
    CHECK(den > 0);
    for (std::size_t r = 0; r < system.n_rows(); ++r) {
      WideInt sum = 0;
      for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e)
        sum += system.coefficient[e] * tableau.numerator(system.cell[e]);
      CHECK(sum == system.row_lower[r] * den);
    }
    std::size_t first = 0;
    while (first < tableau.n_cells() && tableau.is_whole(first)) ++first;
    CHECK_EQ(tableau.first_fractional(), first);
    n_fractions += first < tableau.n_cells();
  }
  CHECK(n_fractions > 20);
}

TEST(contradictions_and_sizes_are_refused) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {9, 9};
  system.cell = {0, 1, 0, 1};
  system.coefficient = {1, 1, 2, 2};
  system.start = {0, 2, 4};
  system.row_lower = system.row_upper = {3, 7};
  CHECK_THROWS(InfeasibleError, Tableau(system, 100, kNoCheck));
  system.row_lower = system.row_upper = {3, 6};
  CHECK(Tableau(system, 100, kNoCheck).n_cells() == 2);
  CHECK_THROWS(TooLargeError, Tableau(system, 1, kNoCheck));
}
