// Rounding of small counts: its rules in random tables, and its distance against all choices.
#include <algorithm>

#include "check.hpp"
#include "round/published_problems.hpp"
#include "round/small_rounding.hpp"

using namespace published_problems;

namespace {

constexpr SmallEffort kEffort{2000, 60};

Stored rounded_table(const Problem& x, const std::vector<std::uint32_t>& cells,
                     const std::vector<std::uint8_t>& up, std::int64_t base) {
  Stored out;
  for (std::size_t c = 0; c < x.cells.n; ++c) {
    const auto at = std::find(cells.begin(), cells.end(), c);
    double count = x.cells.counts[c];
    if (at != cells.end())
      count = up[static_cast<std::size_t>(at - cells.begin())] != 0 ? static_cast<double>(base) : 0;
    if (count == 0) continue;
    out.keys.insert(out.keys.end(), x.cells.keys + c * x.from.n_words(),
                    x.cells.keys + (c + 1) * x.from.n_words());
    out.counts.push_back(count);
  }
  return out;
}

PublishedDistance distance(const Problem& x, const std::vector<std::uint32_t>& cells,
                           const std::vector<std::uint8_t>& up, std::int64_t base) {
  return published_distance(x.published(x.stored), x.published(rounded_table(x, cells, up, base)),
                            base);
}

// Leaf cells below a published cell in 1, ..., base - 1.
std::vector<std::uint32_t> candidates(const Problem& x, std::int64_t base) {
  CellSums sums = x.sums();
  std::vector<std::uint32_t> out;
  for (std::uint32_t c = 0; c < x.cells.n; ++c)
    for (std::uint32_t s : sums.above(c))
      if (sums.value(s) < base) {
        out.push_back(c);
        break;
      }
  return out;
}

SmallRounding run(const Problem& x, std::int64_t base, std::uint64_t seed,
                  const SmallEffort& effort = kEffort, const Tick& tick = {}) {
  CellSums sums = x.sums();
  return round_small(x.cells, sums, base, seed, effort, tick);
}

// The draws stand in an order of their own: that of arguments differs between compilers.
Problem random_problem(Dice& dice, std::size_t most_records) {
  const Levels shape = random_shape(dice);
  const std::size_t n_records = dice.below(static_cast<std::uint32_t>(most_records));
  const std::size_t n_crossings = 1 + dice.below(3);
  const bool whole = dice.below(2) == 0;
  return Problem(dice, shape, n_records, n_crossings, whole);
}

}  // namespace

TEST(no_published_count_is_small) {
  Dice dice;
  int linked = 0;
  for (int round = 0; round < 1500; ++round) {
    const Problem x = random_problem(dice, 60);
    const std::int64_t base = 1 + dice.below(7);
    const SmallRounding found = run(x, base, dice.below(100));
    CHECK(!found.stopped);
    CHECK_EQ(found.up.size(), found.cells.size());
    CHECK(std::is_sorted(found.cells.begin(), found.cells.end()));
    for (std::uint32_t c : found.cells) CHECK(x.cells.counts[c] < static_cast<double>(base));
    const PublishedDistance away = distance(x, found.cells, found.up, base);
    CHECK_EQ(away.small_left, std::size_t{0});
    CHECK_EQ(away.far, std::size_t{0});
    const auto first = candidates(x, base);
    CHECK(std::includes(found.cells.begin(), found.cells.end(), first.begin(), first.end()));
    if (base == 1) CHECK(found.cells.empty());
    linked += x.crossings.size() > 1 && !found.cells.empty();
  }
  CHECK(linked > 100);
}

// Leaves a1, a2, b1, b2 with counts 1, 1, 2, 2; published are a1 + a2 = 2, a1 + b1 = 3 and
// a2 + b2 = 3. To base 3 at most one of a1, a2 goes up, and the other leaves its b a small sum.
TEST(what_becomes_small_is_rounded_too) {
  const Stored table{{0, 1, 2, 3}, {1, 1, 2, 2}};
  const Layout from({4}), to({7});
  const CellsView cells = table.view();
  const std::vector<Crossing> crossings{{NodesOfLeaves{{0, 2, 4, 5, 6}, {4, 5, 4, 6, 5, 6}}}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CellSums sums(from, cells, to, crossings, 10, {});
    const SmallRounding found = round_small(cells, sums, 3, seed, kEffort, {});
    CHECK(found.cells.size() > 2);
    std::vector<int> now{1, 1, 2, 2};
    for (std::size_t i = 0; i < found.cells.size(); ++i) now[found.cells[i]] = 3 * found.up[i];
    for (const int sum : {now[0] + now[1], now[0] + now[2], now[1] + now[3]})
      CHECK(sum == 0 || sum >= 3);
    CHECK(now[0] + now[1] <= 3);
  }
}

// The sum of squares against all choices that keep the rules.
TEST(distance_against_all_choices) {
  Dice dice;
  int n = 0, n_least = 0;
  double worst = 0;
  for (int round = 0; round < 400; ++round) {
    const Problem x = random_problem(dice, 25);
    const std::int64_t base = 2 + dice.below(5);
    const auto cells = candidates(x, base);
    if (cells.empty() || cells.size() > 9) continue;
    const SmallRounding found = run(x, base, 1);
    if (found.cells != cells) continue;
    double least = 1e300;
    for (std::uint32_t bits = 0; bits < 1U << cells.size(); ++bits) {
      std::vector<std::uint8_t> up(cells.size());
      for (std::size_t i = 0; i < up.size(); ++i) up[i] = bits >> i & 1;
      const PublishedDistance away = distance(x, cells, up, base);
      if (away.small_left == 0 && away.far == 0) least = std::min(least, away.squares);
    }
    const double reached = distance(x, found.cells, found.up, base).squares;
    CHECK(reached >= least);
    n_least += reached == least;
    worst = std::max(worst, reached / std::max(least, 1.0));
    ++n;
  }
  CHECK(n > 100);
  CHECK(n_least > n * 9 / 10);
  CHECK(worst < 2);
}

TEST(a_seed_gives_one_rounding) {
  Dice dice;
  int differ = 0;
  for (int round = 0; round < 50; ++round) {
    const Problem x(dice, {4, 4, 3}, 70, 1, true);
    const SmallRounding a = run(x, 5, 7), b = run(x, 5, 7), c = run(x, 5, 8, {0, 60});
    CHECK(a.cells == b.cells && a.up == b.up);
    differ += a.up != c.up;
  }
  CHECK(differ > 10);
}

// Without time all rules hold.
TEST(time_ends_the_saving_of_distance_only) {
  Dice dice;
  int n_stopped = 0;
  for (int round = 0; round < 50; ++round) {
    const Problem x = random_problem(dice, 60);
    const SmallRounding found = run(x, 4, 1, {100000, 0});
    const PublishedDistance away = distance(x, found.cells, found.up, 4);
    CHECK_EQ(away.small_left, std::size_t{0});
    CHECK_EQ(away.far, std::size_t{0});
    n_stopped += found.stopped;
  }
  CHECK(n_stopped > 10);
}

TEST(work_can_be_interrupted) {
  struct Stop {};
  Dice dice;
  const Problem x(dice, {4, 4, 4}, 90, 1, true);
  int calls = 0;
  const Tick stop = [&](double done) {
    CHECK(done >= 0 && done <= 1);
    if (++calls > 20) throw Stop();
  };
  CHECK_THROWS(Stop, run(x, 5, 1, {1000000, 60}, stop));
  CHECK_EQ(calls, 21);
}
