// Systems too large to go through all solutions: each engine against the exact programme, runs that
// are cut short, releases that contradict themselves, and stored answers.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/bounds_answers.hpp"
#include "linear/generated_release.hpp"
#include "linear/integer_bounds.hpp"
#include "small_tables.hpp"

using namespace sdclattice;

namespace {

std::vector<std::uint32_t> suppressed_cells(const generated::Release& release) {
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < release.size(); ++i)
    if (release.suppressed[i]) out.push_back(static_cast<std::uint32_t>(i));
  return out;
}

std::vector<std::uint32_t> all_cells(const generated::Release& release) {
  std::vector<std::uint32_t> out(release.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  return out;
}

// Hierarchical tables in two and three variables, alone and linked, and dense three-way ones: from
// 100 to 400 cells.
generated::Release larger_release(int k) {
  const std::vector<std::vector<std::vector<int>>> branches{{{4, 2}, {3, 2}, {3}},
                                                            {{5}, {5}, {5}},
                                                            {{3, 3}, {2, 3}, {4}},
                                                            {{4, 4}, {4, 4}},
                                                            {{4, 2}, {5}, {5}}};
  const std::vector<generated::Numbers> alone{{0, 1, 2}}, flat{{0, 1}}, linked{{0, 1}, {0, 2}};
  const int shape = k % 6;
  if (shape == 5)
    return make(generated::DensePlan{"", 1000 + k, 4 + k / 6 % 2, k / 6 % 2 ? .5 : 1});
  const auto& tables = shape == 3 ? flat : shape == 4 ? linked : alone;
  return make(generated::Plan{"", 1000 + k, branches[static_cast<std::size_t>(shape)], tables,
                              3. + k % 4, 1, 3, k % 7 == 0});
}

bool same(const IntegerBounds& a, const IntegerBounds& b, const std::vector<std::uint32_t>& cells) {
  return !a.stopped && !b.stopped && std::all_of(cells.begin(), cells.end(), [&](std::uint32_t i) {
    return a.sharp[i] && b.sharp[i] && a.lower[i] == b.lower[i] && a.upper[i] == b.upper[i];
  });
}

IntegerBounds bounds_by(const LinearSystem& system, const std::vector<std::uint32_t>& cells,
                        BoundsEngine engine) {
  BoundsLimits limits;
  limits.engine = engine;
  return integer_bounds(system, cells, limits, {});
}

// Whatever the time was, an end holds the true interval; what is called sharp is it; a cell whose
// limits are equal is known.
void check_valid(const IntegerBounds& cut, const IntegerBounds& all,
                 const std::vector<std::uint32_t>& cells) {
  bool outer = true, attained = true;
  for (const std::uint32_t i : cells) {
    outer = outer && cut.lower[i] <= all.lower[i] && all.upper[i] <= cut.upper[i];
    const bool equal = cut.lower[i] == all.lower[i] && cut.upper[i] == all.upper[i];
    attained = attained && (!cut.sharp[i] || equal);
  }
  CHECK(outer);
  CHECK(attained);
  CHECK(!cut.late || cut.stopped);
}

bool has_answers(const char* name, const std::vector<bounds_answers::Answer>& answers) {
  for (const generated::Plan& plan : generated::plans()) {
    if (plan.name != name) continue;
    const generated::Release release = make(plan);
    const IntegerBounds got = integer_bounds(system_of(release), suppressed_cells(release), {}, {});
    return std::all_of(answers.begin(), answers.end(), [&](const bounds_answers::Answer& a) {
      return got.sharp[a.cell] && got.lower[a.cell] == a.lower && got.upper[a.cell] == a.upper;
    });
  }
  return false;
}

}  // namespace

TEST(larger_releases_against_the_exact_programme) {
  const int n = check::cases(50, 200);
  int widths = 0;
  for (int k = 0; k < n; ++k) {
    const generated::Release release = larger_release(k);
    const LinearSystem system = system_of(release);
    const auto cells = suppressed_cells(release);
    const IntegerBounds exact = bounds_by(system, cells, BoundsEngine::simplex);
    for (const BoundsEngine engine : {BoundsEngine::choose, BoundsEngine::sparse})
      check::record(same(bounds_by(system, cells, engine), exact, cells), __FILE__, __LINE__,
                    ("release " + std::to_string(k)).c_str());
    for (const std::uint32_t i : cells) widths += exact.lower[i] < exact.upper[i];
  }
  CHECK(widths > 20 * n);
}

// The time ends at random places.
TEST(bounds_hold_wherever_the_time_ends) {
  std::size_t n_late = 0, n_open = 0;
  for (int k = 0; k < 60; ++k) {
    const generated::Release release = larger_release(k);
    const LinearSystem system = system_of(release);
    const auto cells = all_cells(release);
    const IntegerBounds all = bounds_by(system, cells, BoundsEngine::simplex);
    BoundsLimits limits;
    for (limits.seconds = 0; limits.seconds < 5e-3; limits.seconds = 4 * limits.seconds + 1e-5) {
      const IntegerBounds cut = integer_bounds(system, cells, limits, {});
      check_valid(cut, all, cells);
      n_late += cut.late;
      n_open += std::count(cut.sharp.begin(), cut.sharp.end(), false) > 0;
    }
  }
  CHECK(n_late > 20 && n_open > 20);
}

// A cell is one beyond the largest or the least value that the rows leave it.
TEST(a_release_that_contradicts_itself_is_infeasible) {
  small_tables::Dice dice(31);
  for (int k = 0; k < 60; ++k) {
    const generated::Release release = larger_release(k);
    LinearSystem system = system_of(release);
    const auto cells = suppressed_cells(release);
    if (k % 7 == 0 || cells.empty()) continue;
    const IntegerBounds all = bounds_by(system, cells, BoundsEngine::simplex);
    const std::uint32_t i =
        cells[static_cast<std::size_t>(dice.below(static_cast<int>(cells.size())))];
    const bool above = all.lower[i] == 0 || dice.below(2) == 0;
    system.lower[i] = system.upper[i] = above ? all.upper[i] + 1 : all.lower[i] - 1;
    CHECK_THROWS(InfeasibleError, integer_bounds(system, cells, {}, {}));
  }
}

TEST(stored_answers) {
  CHECK(has_answers("h2a", bounds_answers::h2a));
  CHECK(has_answers("h3a", bounds_answers::h3a));
}
