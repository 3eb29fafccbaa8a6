// Exact optima against all vertices, as fractions, while limits change and objectives follow one
// another.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/small_programmes.hpp"

using namespace sdclattice;
using namespace small_programmes;

namespace {

constexpr std::size_t plenty = 1000000;
const auto no_check = [] {};

Fraction value_of(const ExactSimplex& simplex, std::size_t cell) {
  return {simplex.numerator(cell), simplex.denominator()};
}
bool equal(const Fraction& a, const Fraction& b) {
  return !less(a, b) && !less(b, a);
}

// The point where the programme stands keeps all limits, and says of itself what it is.
bool stands_well(const ExactSimplex& simplex, const LinearSystem& system) {
  std::vector<Wide> tops;
  std::size_t fractional = system.n_cells();
  bool fine = simplex.denominator() > 0;
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    const Fraction x = value_of(simplex, i);
    tops.push_back(x.top);
    Wide floor = x.top / x.bottom;
    if (x.top % x.bottom != 0 && x.top < 0) floor -= 1;
    fine = fine && Wide(simplex.floor_of(i)) == floor &&
           simplex.is_whole(i) == (x.top % x.bottom == 0);
    if (x.top % x.bottom != 0) fractional = std::min(fractional, i);
  }
  return fine && simplex.first_fractional() == fractional &&
         holds_at(system, tops, simplex.denominator());
}

bool agrees(ExactSimplex& simplex, const LinearSystem& system) {
  const Optima truth = optima(system);
  if (simplex.restore() != !truth.least.empty()) return false;
  if (truth.least.empty()) return true;
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    for (const int sign : {1, -1}) {
      if (!simplex.climb(i, sign) || !stands_well(simplex, system)) return false;
      if (!equal(value_of(simplex, i), sign > 0 ? truth.most[i] : truth.least[i])) return false;
    }
  return true;
}

// Equations that contradict each other are refused when they are taken in.
bool solves(const LinearSystem& system) {
  try {
    ExactSimplex simplex(system, plenty, no_check);
    return agrees(simplex, system);
  } catch (const InfeasibleError&) {
    return optima(system).least.empty();
  }
}

}  // namespace

TEST(random_programmes_against_all_vertices) {
  Dice dice(1);
  int feasible = 0;
  for (int round = 0; round < 500; ++round) {
    const LinearSystem system =
        random_system(dice, 1 + dice.below(round % 8 ? 3 : 4), dice.below(4), 1 + dice.below(4));
    feasible += !optima(system).least.empty();
    CHECK(solves(system));
  }
  CHECK(feasible > 300);
}

// Every system x + a y in [low, high] and b x + y = c over a small box.
TEST(all_small_programmes) {
  each_between({-2, -2, -1, 0}, {2, 2, 3, 2}, [&](const Whole& x) {
    LinearSystem system;
    system.lower = {0, -1};
    system.upper = {3, 2};
    add_row(system, {1, x[0]}, x[2], x[2] + x[3]);
    add_row(system, {x[1], 1}, 1, 1);
    CHECK(solves(system));
  });
}

// Limits of cells are changed, narrower and wider again, and one object answers all.
TEST(limits_change_in_between) {
  Dice dice(2);
  for (int round = 0; round < 60; ++round) {
    LinearSystem system = random_system(dice, 3, 1 + dice.below(3), 2);
    const LinearSystem first = system;
    if (optima(system).least.empty()) continue;
    ExactSimplex simplex(system, plenty, no_check);
    for (int change = 0; change < 5; ++change) {
      const auto i = static_cast<std::size_t>(dice.below(3));
      system.lower[i] = first.lower[i] + dice.below(2);
      system.upper[i] = system.lower[i] + dice.below(3);
      simplex.set_limits(i, system.lower[i], system.upper[i]);
      CHECK_EQ(simplex.lower(i), system.lower[i]);
      CHECK_EQ(simplex.upper(i), system.upper[i]);
      CHECK(agrees(simplex, system));
    }
    for (std::size_t i = 0; i < 3; ++i) simplex.set_limits(i, first.lower[i], first.upper[i]);
    CHECK(agrees(simplex, first));
  }
}

TEST(cells_without_an_upper_limit) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {kNoLimit, kNoLimit, kNoLimit};
  add_row(system, {1, -1, 0}, 0, 0);
  add_row(system, {0, 2, 3}, 7, kNoLimit);
  ExactSimplex simplex(system, plenty, no_check);
  CHECK(simplex.restore());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(!simplex.climb(i, 1));
    CHECK(simplex.climb(i, -1));
    CHECK(value_of(simplex, i).top == 0);
  }
  add_row(system, {1, 0, 1}, -kNoLimit, 5);
  ExactSimplex bounded(system, plenty, no_check);
  CHECK(agrees(bounded, system));
}

// Counts up to the largest that are allowed: products of them do not overflow.
TEST(the_largest_limits) {
  const std::int64_t top = (std::int64_t{1} << 53) - 1;
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {top, top};
  add_row(system, {3, 2}, top, top);
  ExactSimplex simplex(system, plenty, no_check);
  CHECK(simplex.restore());
  CHECK(simplex.climb(0, 1));
  CHECK(simplex.numerator(0) * 3 == static_cast<WideInt>(top) * simplex.denominator());
  CHECK(simplex.climb(1, 1));
  CHECK(simplex.numerator(1) * 2 == static_cast<WideInt>(top) * simplex.denominator());
  CHECK_EQ(simplex.floor_of(1), top / 2);
  CHECK_EQ(simplex.first_fractional(), 1u);
}

// Coefficients of nearly 36 bits, whose products cancel: none of them may be cut to 64 bits.
TEST(entries_near_the_largest) {
  const std::int64_t a = std::int64_t{1} << 35;
  Dice dice(5);
  for (int round = 0; round < 200; ++round) {
    LinearSystem system;
    system.lower = {0, 0};
    system.upper = {9, 9};
    const std::int64_t x = dice.below(10), y = dice.below(10), b = a - dice.below(1000);
    add_row(system, {b, b + 1}, b * x + (b + 1) * y - dice.below(3), kNoLimit);
    add_row(system, {b - 1, b}, -kNoLimit, (b - 1) * x + b * y + dice.below(3));
    ExactSimplex simplex(system, plenty, no_check);
    CHECK(agrees(simplex, system));
  }
}

TEST(no_cells_or_rows) {
  ExactSimplex nothing(LinearSystem{}, plenty, no_check);
  CHECK(nothing.restore());
  CHECK_EQ(nothing.first_fractional(), 0u);
  LinearSystem system;
  system.lower = {-3};
  system.upper = {8};
  ExactSimplex free(system, plenty, no_check);
  CHECK(agrees(free, system));
  LinearSystem contradiction = system;
  add_row(contradiction, {0}, 1, 2);  // a row without entries that wants a sum
  CHECK_THROWS(InfeasibleError, ExactSimplex(contradiction, plenty, no_check));
}

TEST(too_large_for_its_limits) {
  Dice dice(3);
  const LinearSystem system = random_system(dice, 4, 3, 2);
  CHECK_THROWS(TooLargeError, ExactSimplex(system, 3, no_check));
  LinearSystem huge;
  huge.lower = {0, 0};
  huge.upper = {5, 5};
  add_row(huge, {std::int64_t{1} << 36, 1}, 1, 7);
  CHECK_THROWS(TooLargeError, ExactSimplex(huge, plenty, no_check));
  // Entries that grow beyond 36 bits while rows are taken in.
  LinearSystem growing;
  growing.lower = Whole(3, 0);
  growing.upper = Whole(3, 1000000);
  const std::int64_t a = 3000017, b = 2999999;
  add_row(growing, {a, b, 1}, 5000, 5000);
  add_row(growing, {b, 1, a}, 7000, 7000);
  CHECK_THROWS(TooLargeError, [&] {
    ExactSimplex simplex(growing, plenty, no_check);
    simplex.restore();
  }());
}

// The caller looks in at every pivot, and may stop the work.
TEST(pivots_can_be_stopped) {
  Dice dice(4);
  struct Stop {};
  int looked = 0;
  for (int round = 0; round < 50; ++round) {
    const LinearSystem system = random_system(dice, 4, 3, 2);
    if (solutions(system).empty()) continue;
    int left = 2;
    try {
      ExactSimplex simplex(system, plenty, [&] {
        ++looked;
        if (--left == 0) throw Stop{};
      });
      if (simplex.restore())
        for (std::size_t i = 0; i < 4; ++i) simplex.climb(i, 1);
    } catch (const Stop&) {
      CHECK_EQ(left, 0);
    }
  }
  CHECK(looked > 50);
}
