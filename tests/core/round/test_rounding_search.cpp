// The search for controlled roundings against all roundings of tiny tables.
#include <algorithm>
#include <cstdlib>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "check.hpp"
#include "round/random_rows.hpp"
#include "round/rounding_search.hpp"

using namespace random_rows;

namespace {

using Whole = std::vector<std::int64_t>;

constexpr std::uint64_t kMoves = 20000;

// The least violation of all choices, and the least cost of those that have it.
Judged best_of_all(const RoundingRows& rows) {
  const std::size_t n = rows.n_cells();
  Judged best{INT64_MAX, INT64_MAX};
  for (std::size_t bits = 0; bits < std::size_t{1} << n; ++bits) {
    Choice up(n);
    for (std::size_t c = 0; c < n; ++c) up[c] = bits >> c & 1;
    const Judged one = judge(rows, up);
    if (one.violation < best.violation || (one.violation == best.violation && one.cost < best.cost))
      best = one;
  }
  return best;
}

RoundingChoice search(const RoundingRows& rows, std::uint64_t moves = kMoves) {
  return search_rounding(rows, moves, 60, {});
}

// What is said is what was chosen; nothing is better than the best.
void check_sound(const RoundingRows& rows, const RoundingChoice& found, const Judged& best) {
  CHECK_EQ(found.up.size(), rows.n_cells());
  CHECK(std::all_of(found.up.begin(), found.up.end(), [](std::uint8_t u) { return u <= 1; }));
  const Judged own = judge(rows, found.up);
  CHECK_EQ(found.violation, own.violation);
  CHECK_EQ(found.cost, own.cost);
  CHECK(found.violation >= best.violation);
  CHECK(found.violation > best.violation || found.cost >= best.cost);
}

// A table of 2 x 2 x k counts, its one-way and two-way sums, and its total, to a base.
struct Table {
  Whole counts;
  std::int64_t base;
  std::vector<std::vector<std::uint32_t>> sums;
  std::vector<std::uint32_t> open;  // cells that are no multiples

  Table(PublicRandom& random, std::uint32_t k, std::int64_t base_) : base(base_) {
    for (std::uint32_t i = 0; i < 4 * k; ++i) {
      const bool zero = random.below(5) == 0;
      counts.push_back(zero ? 0 : static_cast<std::int64_t>(random.below(12)));
      if (counts.back() % base != 0) open.push_back(i);
    }
    for (unsigned kept = 0; kept < 7; ++kept) {
      sums.resize(sums.size() + 4 * k);
      for (std::uint32_t i = 0; i < 4 * k; ++i) {
        const std::uint32_t a = kept & 1 ? i % 2 : 0, b = kept & 2 ? i / 2 % 2 : 0,
                            c = kept & 4 ? i / 4 : 0;
        sums[sums.size() - 4 * k + a + 2 * b + 4 * c].push_back(i);
      }
    }
    sums.erase(std::remove_if(sums.begin(), sums.end(), [](const auto& s) { return s.empty(); }),
               sums.end());
  }

  std::int64_t sum(const std::vector<std::uint32_t>& cells, const Whole& x) const {
    std::int64_t out = 0;
    for (std::uint32_t i : cells) out += x[i];
    return out;
  }
  // Going up costs the base less twice the residue.
  std::int64_t cost_of(std::int64_t value) const { return base - 2 * (value % base); }

  RoundingRows rows() const {
    RoundingRows out;
    out.start = {0};
    for (std::uint32_t i : open) out.cost.push_back(cost_of(counts[i]));
    for (const auto& cells : sums) {
      std::vector<std::uint32_t> own;
      std::int64_t floors = 0;
      for (std::uint32_t i : cells) {
        floors += counts[i] / base;
        const auto at = std::find(open.begin(), open.end(), i);
        if (at != open.end()) own.push_back(static_cast<std::uint32_t>(at - open.begin()));
      }
      const std::int64_t total = sum(cells, counts);
      add_row(out, own, total / base - floors, total % base != 0, cost_of(total));
    }
    return out;
  }
  Whole rounded(const Choice& up) const {
    Whole out = counts;
    for (std::int64_t& x : out) x = x / base * base;
    for (std::size_t c = 0; c < open.size(); ++c) out[open[c]] += up[c] * base;
    return out;
  }
  // The distance between the table and its rounding, over cells and sums.
  std::int64_t distance(const Whole& x) const {
    std::int64_t out = 0;
    for (std::size_t i = 0; i < x.size(); ++i) out += std::abs(x[i] - counts[i]);
    for (const auto& cells : sums) out += std::abs(sum(cells, x) - sum(cells, counts));
    return out;
  }
  bool is_adjacent(const Whole& x) const {
    return std::all_of(sums.begin(), sums.end(), [&](const auto& cells) {
      const std::int64_t from = sum(cells, counts), to = sum(cells, x);
      return to % base == 0 && std::abs(to - from) < base;
    });
  }
};

}  // namespace

TEST(tables_against_all_roundings) {
  PublicRandom random(1);
  int n_exist = 0, n_found = 0, n_nearest = 0;
  for (int k = 0; k < 150; ++k) {
    const Table x(random, 1 + k % 3, 2 + static_cast<std::int64_t>(random.below(4)));
    const RoundingRows rows = x.rows();
    const Judged best = best_of_all(rows);
    const RoundingChoice found = search(rows);
    check_sound(rows, found, best);
    CHECK(!found.stopped);
    if (best.violation > 0) continue;
    ++n_exist;
    n_found += found.violation == 0;
    n_nearest += found.violation == 0 && found.cost == best.cost;
    if (found.violation > 0) continue;
    const Whole rounded = x.rounded(found.up);
    CHECK(x.is_adjacent(rounded));
    // the costs are those of going up from all lower multiples; a sum that is one stays
    std::int64_t least = 0;
    for (std::int64_t count : x.counts) least += count % x.base;
    for (const auto& cells : x.sums) least += x.sum(cells, x.counts) % x.base;
    CHECK_EQ(x.distance(rounded), least + found.cost);
  }
  CHECK(n_exist > 100);
  CHECK_EQ(n_found, n_exist);
  CHECK(n_nearest > n_exist * 9 / 10);
}

// Rows of any kind: without cells, that ask for fewer than none or more than all, that contradict.
TEST(rows_of_any_kind_against_all_choices) {
  PublicRandom random(2);
  int n_exist = 0, n_found = 0, n_least = 0, n = 0;
  for (int k = 0; k < 300; ++k) {
    const RoundingRows rows = random_system(random, 1 + random.below(9), random.below(5));
    const Judged best = best_of_all(rows);
    const RoundingChoice found = search(rows, 2000);
    check_sound(rows, found, best);
    n_exist += best.violation == 0;
    n_found += found.violation == 0;
    n_least += found.violation == best.violation;
    ++n;
  }
  CHECK(n_exist > 50);
  CHECK(n_exist < 250);
  CHECK_EQ(n_found, n_exist);
  CHECK(n_least > n * 9 / 10);
}

TEST(no_cells) {
  for (const std::int64_t target : {-2, -1, 0, 1, 3})
    for (const bool room : {false, true}) {
      RoundingRows rows;
      add_row(rows, {}, target, room, 5);
      add_row(rows, {}, 0, room, 7);
      check_sound(rows, search(rows), judge(rows, {}));
    }
  RoundingRows none;
  none.start = {0};
  check_sound(none, search(none), {});
}

TEST(a_row_without_cells_is_left_as_it_is) {
  RoundingRows rows;
  rows.cost = {3};
  add_row(rows, {}, 1, false, 0);
  add_row(rows, {0}, 1, false, 0);
  const RoundingChoice found = search(rows, 100);
  CHECK_EQ(found.violation, 1);
  CHECK_EQ(found.up[0], 1);
}

TEST(without_rows_each_cell_goes_to_its_nearer_multiple) {
  RoundingRows rows;
  rows.start = {0};
  rows.cost = {3, -1, 0, -4};
  const RoundingChoice found = search(rows);
  CHECK_EQ(found.cost, -5);
  CHECK_EQ(found.violation, 0);
}

TEST(the_same_rows_have_the_same_rounding) {
  PublicRandom random(3);
  for (int k = 0; k < 20; ++k) {
    const RoundingRows rows = Table(random, 3, 5).rows();
    const RoundingChoice a = search(rows), b = search(rows);
    CHECK_EQ(a.up, b.up);
    CHECK_EQ(a.cost, b.cost);
  }
}

// What few moves or no time find is said as it is.
TEST(limits_leave_a_choice_that_is_judged_rightly) {
  PublicRandom random(4);
  int n_stopped = 0;
  for (int k = 0; k < 40; ++k) {
    const RoundingRows rows = Table(random, 3, 5).rows();
    const Judged best = best_of_all(rows);
    for (const std::uint64_t moves : {0, 1, 2, 5, 20}) {
      const RoundingChoice few = search(rows, moves);
      check_sound(rows, few, best);
      CHECK(!few.stopped);
    }
    for (const double seconds : {-1.0, 0.0, 1e-6, 1e-5, 1e-4}) {
      const RoundingChoice early = search_rounding(rows, kMoves, seconds, {});
      check_sound(rows, early, best);
      n_stopped += early.stopped;
    }
  }
  CHECK(n_stopped > 0);
}

// The tick throws what it likes, while violations are mended and while costs are saved.
TEST(work_can_be_interrupted) {
  struct Stop {};
  PublicRandom random(5);
  RoundingRows never;
  never.cost = {1, 1};
  add_row(never, {0, 1}, 1, false, 0);
  add_row(never, {0, 1}, 2, false, 0);
  RoundingRows large;
  for (std::uint32_t c = 0; c < 400; ++c)
    large.cost.push_back(static_cast<std::int64_t>(random.below(9)) - 4);
  for (std::uint32_t r = 0; r < 60; ++r) {
    std::vector<std::uint32_t> cells;
    for (std::uint32_t c = 0; c < 400; ++c)
      if (random.below(20) == 0) cells.push_back(c);
    add_row(large, cells, static_cast<std::int64_t>(cells.size() / 2), true, 0);
  }
  for (const RoundingRows& rows : {never, large}) {
    int calls = 0;
    const Tick stop = [&](double done) {
      CHECK(done >= 0 && done <= 1);
      if (++calls > 2) throw Stop();
    };
    CHECK_THROWS(Stop, search_rounding(rows, 1000000, 60, stop));
    CHECK_EQ(calls, 3);
  }
}
