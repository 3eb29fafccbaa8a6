// What is stopped in the middle, at every place where it may be, says nothing wrong.
#include <algorithm>

#include "base/deadline.hpp"
#include "base/random.hpp"
#include "bounds/part_shuttle.hpp"
#include "check.hpp"
#include "release/release_width.hpp"

using namespace sdclattice;

namespace {

const Tick kQuiet = [](double) {};

struct DenseTable {
  Layout layout;
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  std::vector<std::uint32_t> at_risk;

  DenseTable(std::vector<std::uint32_t> levels, std::int64_t most, std::uint64_t seed)
      : layout(levels) {
    std::size_t n = 1;
    for (std::uint32_t k : levels) n *= k;
    PublicRandom random(seed);
    std::vector<double> dense(n);
    for (double& x : dense) x = static_cast<double>(random.below(static_cast<std::size_t>(most)));
    const Cells stored = cells_from_dense(layout, dense.data(), n);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      keys.insert(keys.end(), stored.row(i), stored.row(i) + stored.stride - 1);
      counts.push_back(static_cast<double>(stored.count(i)));
      if (stored.count(i) <= 2) at_risk.push_back(static_cast<std::uint32_t>(i));
    }
  }
  RiskCells risk() const {
    return RiskCells(layout, {keys.data(), counts.data(), counts.size()}, at_risk);
  }
};

ReleaseWidth judge(const RiskCells& risk, const std::vector<SubTable>& sets) {
  WidthLimits limits;
  limits.target = 3;
  return release_width(risk, sets, limits, kQuiet);
}

TEST(polls_throw_only_while_a_deadline_is_over) {
  poll();
  bool over = false;
  const Deadline outer([&over] { return over; });
  poll();
  {
    const Deadline inner([] { return true; });
    CHECK_THROWS(WorkTimeUp, poll());
  }
  poll();
  over = true;
  CHECK_THROWS(WorkTimeUp, poll());
}

TEST(either_clock_ends_the_time) {
  CHECK(Deadline(0, [] { return false; }).is_over());
  CHECK(Deadline(1e6, [] { return true; }).is_over());
  CHECK(!Deadline(1e6, [] { return false; }).is_over());
}

// A judgement that is stopped at its first, second, ... poll is undecided or right, and the more it
// may poll the more it knows.
TEST(a_judgement_stopped_anywhere_is_undecided_or_right) {
  std::size_t n_stopped = 0, n_known = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const DenseTable x({3, 3, 3, 2}, 5, seed);
    const RiskCells risk = x.risk();
    const std::vector<SubTable> sets = {3, 6, 5, 8};
    const ReleaseWidth all = judge(risk, sets);
    std::size_t polls = 0;
    {
      const Deadline count([&polls] { return ++polls == SIZE_MAX; });
      judge(risk, sets);
    }
    CHECK(polls > 0);
    const std::size_t step = std::max<std::size_t>(1, polls / 200);
    for (std::size_t last = 1; last <= polls; last += step) {
      std::size_t left = last;
      const Deadline deadline([&left] { return --left == 0; });
      try {
        const ReleaseWidth found = judge(risk, sets);
        n_stopped += found.stopped;
        CHECK(found.inner <= all.outer);
        CHECK(found.outer >= all.inner);
        CHECK(!found.stopped || !(found.inner >= 3) || all.inner >= 3);
        n_known += found.inner >= 3 || found.outer < 3;
      } catch (const WorkTimeUp&) {
        ++n_stopped;
      }
    }
  }
  CHECK(n_stopped > 100);
  CHECK(n_known > 0);
}

// Work on many cells cannot go on for long unseen.
TEST(there_are_polls_for_all_cells) {
  const DenseTable x({40, 40, 40}, 9, 1);
  const RiskCells risk = x.risk();
  std::size_t polls = 0;
  const Deadline count([&polls] { return ++polls == SIZE_MAX; });
  risk.margin(3);
  CHECK(polls * kPollEvery >= x.counts.size());
  polls = 0;
  const PartTable table(risk, 7, 100000);
  CHECK(polls * kPollEvery >= 2 * table.counts().size());
  polls = 0;
  table.margin(5);
  CHECK(polls * kPollEvery >= table.counts().size());
  polls = 0;
  shuttle_part(table, {3, 5, 6}, 100000, kQuiet);
  CHECK(polls * kPollEvery >= 2 * table.counts().size());
}

TEST(the_inner_deadline_rules_while_it_lives) {
  const Deadline outer([] { return true; });
  {
    const Deadline inner([] { return false; });
    poll();
    CHECK(outer.is_over() && !inner.is_over());
  }
  CHECK_THROWS(WorkTimeUp, poll());
}

TEST(a_deadline_tells_which_clock_ended_it) {
  CHECK(Deadline(0, [] { return false; }).is_time_of_work());
  CHECK(!Deadline(1e6, [] { return true; }).is_time_of_work());
}

TEST(loops_poll_at_whole_stretches) {
  std::size_t polls = 0;
  const Deadline count([&polls] { return ++polls == SIZE_MAX; });
  for (std::size_t step = 0; step < 3 * kPollEvery + 1; ++step) poll_at(step);
  CHECK_EQ(polls, 4u);
}

TEST(assigning_a_piece_at_a_time_is_assigning) {
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, kPollEvery - 1, kPollEvery, kPollEvery + 1,
                        5 * kPollEvery + 3}) {
    std::vector<int> out = {1, 2, 3};
    std::size_t polls = 0;
    const Deadline count([&polls] { return ++polls == SIZE_MAX; });
    assign_polled(out, n, 7);
    CHECK(out == std::vector<int>(n, 7));
    CHECK_EQ(polls, (n + kPollEvery - 1) / kPollEvery);
  }
  std::size_t left = 2;
  const Deadline second([&left] { return --left == 0; });
  std::vector<char> out;
  CHECK_THROWS(WorkTimeUp, assign_polled(out, 3 * kPollEvery, 'x'));
  CHECK_EQ(out.size(), kPollEvery);
}

}  // namespace
