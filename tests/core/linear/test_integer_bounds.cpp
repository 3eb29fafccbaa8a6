// Bounds over whole numbers against enumeration, and both engines against each other.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"
#include "linear/exact_simplex.hpp"
#include "linear/integer_bounds.hpp"
#include "linear/network_flow.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

using small_tables::add_row;
using small_tables::Whole;

struct Range {
  bool feasible = false;
  Whole lower, upper;
};

Range enumerate_range(const LinearSystem& system) {
  Range out;
  for (const Whole& x : small_tables::solutions(system)) {
    if (!out.feasible) out.lower = out.upper = x;
    out.feasible = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      out.lower[i] = std::min(out.lower[i], x[i]);
      out.upper[i] = std::max(out.upper[i], x[i]);
    }
  }
  return out;
}

std::vector<std::uint32_t> all_cells(const LinearSystem& system) {
  std::vector<std::uint32_t> out(system.n_cells());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  return out;
}

// Rows through a random solution, so that most systems have one; some are moved off it.
LinearSystem random_system(PublicRandom& random, std::size_t n, int most_coefficient) {
  LinearSystem out;
  Whole x;
  for (std::size_t i = 0; i < n; ++i) {
    out.lower.push_back(static_cast<std::int64_t>(random.below(2)));
    out.upper.push_back(out.lower.back() + static_cast<std::int64_t>(random.below(4)));
    x.push_back(out.lower[i] + static_cast<std::int64_t>(random.below(
                                   static_cast<std::size_t>(out.upper[i] - out.lower[i] + 1))));
  }
  const std::size_t m = 1 + random.below(4);
  for (std::size_t r = 0; r < m; ++r) {
    Whole a(n);
    std::int64_t sum = random.below(12) == 0 ? 1 : 0;
    for (std::size_t i = 0; i < n; ++i) {
      a[i] = static_cast<std::int64_t>(
                 random.below(2 * static_cast<std::size_t>(most_coefficient) + 1)) -
             most_coefficient;
      sum += a[i] * x[i];
    }
    const std::int64_t below = static_cast<std::int64_t>(random.below(3) / 2);
    const std::int64_t above = static_cast<std::int64_t>(random.below(3) / 2);
    add_row(out, a, random.below(10) == 0 ? -kNoLimit : sum - below, sum + above);
  }
  return out;
}

// A two-way table with some cells shown, its margins released, some as intervals.
LinearSystem two_way_system(PublicRandom& random, std::size_t rows, std::size_t columns) {
  LinearSystem out;
  Whole x;
  for (std::size_t i = 0; i < rows * columns; ++i) {
    x.push_back(static_cast<std::int64_t>(random.below(4)));
    const bool shown = random.below(3) == 0;
    out.lower.push_back(shown ? x.back() : 0);
    out.upper.push_back(shown ? x.back() : 3);
  }
  for (std::size_t k = 0; k < rows + columns; ++k) {
    Whole a(rows * columns, 0);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < rows * columns; ++i)
      if (k < rows ? i % rows == k : i / rows == k - rows) {
        a[i] = 1;
        sum += x[i];
      }
    const std::int64_t about = random.below(4) == 0 ? 1 : 0;
    add_row(out, a, sum - about, sum + about);
  }
  return out;
}

bool agrees(const LinearSystem& system, BoundsEngine engine) {
  const Range truth = enumerate_range(system);
  BoundsLimits limits;
  limits.engine = engine;
  try {
    const IntegerBounds got = integer_bounds(system, all_cells(system), limits, {});
    return truth.feasible && got.lower == truth.lower && got.upper == truth.upper && !got.stopped &&
           std::all_of(got.sharp.begin(), got.sharp.end(), [](char s) { return s; });
  } catch (const InfeasibleError&) {
    return !truth.feasible;
  }
}

// The relaxation holds the whole-number range, and rounding it inward cuts nothing off.
bool holds(const LinearSystem& system) {
  const Range truth = enumerate_range(system);
  try {
    const RelaxedBounds got = relaxed_bounds(system, all_cells(system), {}, {});
    if (!truth.feasible) return true;
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      if (got.real_lower[i] > static_cast<double>(truth.lower[i]) + 1e-12 ||
          got.real_upper[i] < static_cast<double>(truth.upper[i]) - 1e-12 ||
          got.whole.lower[i] > truth.lower[i] || got.whole.upper[i] < truth.upper[i])
        return false;
    return true;
  } catch (const InfeasibleError&) {
    return !truth.feasible;
  }
}

}  // namespace

TEST(random_systems_against_enumeration) {
  PublicRandom random(1);
  for (int k = 0; k < 3000; ++k) {
    const LinearSystem system = random_system(random, 2 + random.below(4), 1 + k % 3);
    CHECK(agrees(system, BoundsEngine::choose));
    CHECK(agrees(system, BoundsEngine::simplex));
    CHECK(holds(system));
  }
}

TEST(two_way_tables_are_networks) {
  PublicRandom random(2);
  for (int k = 0; k < 300; ++k) {
    const LinearSystem system = two_way_system(random, 1 + random.below(3), 1 + random.below(3));
    CHECK(FlowNetwork::from(system).has_value());
    CHECK(agrees(system, BoundsEngine::network));
    CHECK(agrees(system, BoundsEngine::simplex));
  }
}

TEST(a_grand_total_is_implied) {
  PublicRandom random(4);
  for (int k = 0; k < 100; ++k) {
    LinearSystem system = two_way_system(random, 3, 3);
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      system.row_lower[r] = system.row_upper[r] = (system.row_lower[r] + system.row_upper[r]) / 2;
      sum += system.row_lower[r];
    }
    add_row(system, Whole(9, 1), sum, sum);
    CHECK(FlowNetwork::from(system).has_value());
    CHECK(agrees(system, BoundsEngine::network));
    system.row_lower.back() = system.row_upper.back() = sum + 1;
    CHECK(!FlowNetwork::from(system).has_value());
    CHECK(agrees(system, BoundsEngine::choose));
  }
}

TEST(both_engines_agree_on_larger_networks) {
  PublicRandom random(3);
  for (int k = 0; k < 40; ++k) {
    const LinearSystem system = two_way_system(random, 4 + random.below(6), 4 + random.below(6));
    BoundsLimits flow, programme;
    flow.engine = BoundsEngine::network;
    programme.engine = BoundsEngine::simplex;
    const IntegerBounds a = integer_bounds(system, all_cells(system), flow, {});
    const IntegerBounds b = integer_bounds(system, all_cells(system), programme, {});
    CHECK_EQ(a.lower, b.lower);
    CHECK_EQ(a.upper, b.upper);
    CHECK(a.n_network >= 1 || a.n_programmes == 0);
  }
}

// x + y + z = 1 with x = y, y = z has one solution over the real numbers and none over the whole.
TEST(no_whole_solution) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {1, 1, 1};
  add_row(system, {1, 1, 1}, 1, 1);
  add_row(system, {1, -1, 0}, 0, 0);
  add_row(system, {0, 1, -1}, 0, 0);
  CHECK_THROWS(InfeasibleError, integer_bounds(system, {0, 1, 2}, {}, {}));
  CHECK_THROWS(InfeasibleError, relaxed_bounds(system, {0, 1, 2}, {}, {}));
}

// 2x + 2y + z = 3: z is odd, which the relaxation does not see.
TEST(parity) {
  LinearSystem system;
  system.lower = {0, 0, 0};
  system.upper = {5, 5, 5};
  add_row(system, {2, 2, 1}, 3, 3);
  const RelaxedBounds real = relaxed_bounds(system, {0, 1, 2}, {}, {});
  CHECK_NEAR(real.real_upper[0], 1.5, 1e-15);
  CHECK_NEAR(real.real_lower[2], 0, 1e-15);
  const IntegerBounds whole = integer_bounds(system, {0, 1, 2}, {}, {});
  CHECK_EQ(whole.lower, (Whole{0, 0, 1}));
  CHECK_EQ(whole.upper, (Whole{1, 1, 3}));
}

TEST(cells_without_limit) {
  for (const BoundsEngine engine : {BoundsEngine::choose, BoundsEngine::simplex}) {
    LinearSystem system;
    system.lower = {0, 0, 2, 0};
    system.upper = {kNoLimit, kNoLimit, kNoLimit, kNoLimit};
    add_row(system, {1, -1, 0, 0}, 3, 3);
    add_row(system, {0, 0, 0, 1}, -kNoLimit, 7);
    BoundsLimits limits;
    limits.engine = engine;
    const IntegerBounds got = integer_bounds(system, all_cells(system), limits, {});
    CHECK_EQ(got.lower, (Whole{3, 0, 2, 0}));
    CHECK_EQ(got.upper, (Whole{kNoLimit, kNoLimit, kNoLimit, 7}));
    CHECK(got.sharp[0] && got.sharp[1] && got.sharp[2] && got.sharp[3]);
  }
}

TEST(time_is_up_leaves_outer_bounds) {
  PublicRandom random(5);
  for (int k = 0; k < 50; ++k) {
    const LinearSystem system = two_way_system(random, 3, 3);
    const Range truth = enumerate_range(system);
    BoundsLimits limits;
    limits.seconds = 0;
    const IntegerBounds got = integer_bounds(system, all_cells(system), limits, {});
    for (std::size_t i = 0; i < system.n_cells(); ++i) {
      CHECK(got.lower[i] <= truth.lower[i] && truth.upper[i] <= got.upper[i]);
      CHECK(!got.sharp[i] || (got.lower[i] == truth.lower[i] && got.upper[i] == truth.upper[i]));
    }
  }
}

// Without room for a programme values are searched, with the same result.
TEST(too_many_entries_are_searched_by_values) {
  PublicRandom random(6);
  for (int k = 0; k < 40; ++k) {
    const LinearSystem system = two_way_system(random, 3, 4);
    BoundsLimits limits;
    limits.engine = BoundsEngine::simplex;
    limits.max_entries = 2;
    const IntegerBounds got = integer_bounds(system, all_cells(system), limits, {});
    const IntegerBounds flows = integer_bounds(system, all_cells(system), {}, {});
    CHECK(!got.stopped);
    CHECK_EQ(got.lower, flows.lower);
    CHECK_EQ(got.upper, flows.upper);
    CHECK(std::all_of(got.sharp.begin(), got.sharp.end(), [](char sharp) { return sharp; }));
  }
}

// Outer limits, and "sharp" only of ends that some solution attains.
void check_outer(const IntegerBounds& got, const Range& truth) {
  bool outer = true, attained = true;
  for (std::size_t i = 0; i < got.lower.size(); ++i) {
    outer = outer && got.lower[i] <= truth.lower[i] && truth.upper[i] <= got.upper[i];
    attained = attained && (!got.sharp[i] ||
                            (got.lower[i] == truth.lower[i] && got.upper[i] == truth.upper[i]));
  }
  CHECK(outer);
  CHECK(attained);
  CHECK(!got.late || got.stopped);
}

TEST(bounds_are_outer_wherever_the_time_ends) {
  PublicRandom random(8);
  for (int k = 0; k < 100; ++k) {
    const LinearSystem system = random_system(random, 5, 3);
    const Range truth = enumerate_range(system);
    if (!truth.feasible) continue;
    BoundsLimits limits;
    limits.max_entries = k % 2 == 0 ? 1000 : 2;
    for (limits.seconds = 1e-6; limits.seconds < 3e-3; limits.seconds *= 3) {
      check_outer(integer_bounds(system, all_cells(system), limits, {}), truth);
      check_outer(relaxed_bounds(system, all_cells(system), limits, {}).whole, truth);
    }
  }
}

// Where the tableau has no room, exact sums of rows give the same optima.
TEST(relaxed_ends_by_multipliers_equal_those_of_the_tableau) {
  PublicRandom random(9);
  std::size_t n_fractional = 0, n_infeasible = 0;
  for (int k = 0; k < 400; ++k) {
    const LinearSystem system =
        k % 2 == 0 ? two_way_system(random, 3, 3) : random_system(random, 6, 3);
    BoundsLimits limits;
    limits.max_entries = 1;
    try {
      const RelaxedBounds exact = relaxed_bounds(system, all_cells(system), {}, {});
      const RelaxedBounds got = relaxed_bounds(system, all_cells(system), limits, {});
      CHECK(!got.whole.stopped);
      CHECK_EQ(got.whole.lower, exact.whole.lower);
      CHECK_EQ(got.whole.upper, exact.whole.upper);
      for (std::size_t i = 0; i < system.n_cells(); ++i) {
        // outer, and off only where no denominator up to 720720 fits
        CHECK(got.real_upper[i] > exact.real_upper[i] - 1e-12);
        CHECK(got.real_upper[i] < exact.real_upper[i] + 1e-4);
        CHECK(got.real_lower[i] < exact.real_lower[i] + 1e-12);
        CHECK(got.real_lower[i] > exact.real_lower[i] - 1e-4);
        n_fractional += exact.real_upper[i] != std::floor(exact.real_upper[i]);
      }
    } catch (const InfeasibleError&) {
      ++n_infeasible;
      CHECK_THROWS(InfeasibleError, relaxed_bounds(system, all_cells(system), limits, {}));
    }
  }
  CHECK(n_fractional > 50 && n_infeasible > 5);
}

// A tick that ends the work, and lets it keep what it has.
TEST(an_interrupt_keeps_valid_bounds) {
  PublicRandom random(10);
  for (int k = 0; k < 60; ++k) {
    const LinearSystem system = random_system(random, 5, 3);
    const Range truth = enumerate_range(system);
    if (!truth.feasible) continue;
    const IntegerBounds got =
        integer_bounds(system, all_cells(system), {}, [](double) { throw WorkInterrupted(); });
    check_outer(got, truth);
    for (std::size_t i = 0; i < system.n_cells(); ++i)
      if (got.sharp[i]) CHECK(got.lower[i] == truth.lower[i] && got.upper[i] == truth.upper[i]);
  }
}

// y <= x and 2 x - y <= 5 limit both to 5, which no row does by itself.
TEST(limits_that_no_row_gives_by_itself_are_found_without_a_tableau_too) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {kNoLimit, kNoLimit};
  add_row(system, {1, -1}, 0, kNoLimit);
  add_row(system, {2, -1}, -kNoLimit, 5);
  const IntegerBounds whole = integer_bounds(system, {0, 1}, {}, {});
  CHECK_EQ(whole.upper, (Whole{5, 5}));
  BoundsLimits limits;
  limits.max_entries = 1;
  const IntegerBounds got = integer_bounds(system, {0, 1}, limits, {});
  CHECK_EQ(got.upper, (Whole{5, 5}));
  CHECK(!got.stopped && got.sharp[0] && got.sharp[1]);
}

TEST(the_network_engine_refuses_others) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {5, 5};
  add_row(system, {2, 1}, 3, 5);
  BoundsLimits limits;
  limits.engine = BoundsEngine::network;
  CHECK_THROWS(InputError, integer_bounds(system, {0, 1}, limits, {}));
}

TEST(work_can_be_interrupted) {
  struct Stop {};
  PublicRandom random(7);
  const LinearSystem system = two_way_system(random, 30, 30);
  int calls = 0;
  const Tick stop = [&](double) {
    if (++calls > 1) throw Stop();
  };
  CHECK_THROWS(Stop, integer_bounds(system, all_cells(system), {}, stop));
}
