// Questions of readers, part by part.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/reader_parts.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// a + b = 4, b + c = 4; d + e = 3; f alone.
LinearSystem three_parts() {
  LinearSystem out;
  out.lower = Whole(6, 0);
  out.upper = Whole(6, 9);
  add_row(out, {1, 1, 0, 0, 0, 0}, 4, 4);
  add_row(out, {0, 1, 1, 0, 0, 0}, 4, 4);
  add_row(out, {0, 0, 0, 1, 1, 0}, 3, 3);
  return out;
}

}  // namespace

TEST(components_keep_their_readers_targets_and_truth) {
  const std::vector<std::vector<ReaderLimit>> readers{{{0, 1, 1}, {3, 2, 2}}, {{5, 0, 9}}};
  const std::vector<ReaderTarget> targets{{1, {2, 4}, {}}, {4, {0, 2}, {}}};
  const auto parts = reader_parts(three_parts(), readers, targets, {1, 3, 1, 2, 1, 7}, 100, {});
  CHECK_EQ(parts.size(), 2);
  for (const ReaderPart& part : parts) {
    CHECK_EQ(part.readers.size(), 1);
    CHECK_EQ(part.targets.size(), 1);
    CHECK(satisfies(part.system, part.truth));
  }
  CHECK_EQ(parts[0].system.n_cells(), 3);
  CHECK_EQ(parts[1].targets[0].place, 1);
}

// b = 4 - a: who knows a knows it of b, in the numbers of the one unknown that is left.
TEST(presolved_parts_speak_of_the_same_cells) {
  const std::vector<std::vector<ReaderLimit>> readers{{{0, 1, 2}}};
  const std::vector<ReaderTarget> targets{{1, {2, 4}, {}}};
  const auto parts = reader_parts(three_parts(), readers, targets, {1, 3, 1, 2, 1, 7}, 0, {});
  CHECK_EQ(parts.size(), 1);
  CHECK_EQ(parts[0].system.n_cells(), 1);
  const PartTarget& target = parts[0].targets[0];
  const std::int64_t unknown = parts[0].truth[0];
  CHECK_EQ(target.shift + target.sign * unknown, 3);
  const ReaderLimit& limit = parts[0].readers[0].limits[0];
  const Learned learned = target.in_system(7, limit.lower, limit.upper);
  CHECK(learned.reader == 7 && learned.target == 0 && learned.lower == 2 && learned.upper == 3);
  // the need is met where it was met before
  for (std::int64_t b = 0; b <= 4; ++b) {
    const std::int64_t u = target.sign * (b - target.shift);
    CHECK_EQ(b <= 2 || b >= 4, u <= target.target.need.low || u >= target.target.need.high);
  }
}

TEST(a_truth_that_is_none_is_not_used) {
  const auto parts = reader_parts(three_parts(), {}, {{1, {2, 4}, {}}}, Whole(6, 9), 0, {});
  CHECK(parts.size() == 1 && parts[0].truth.empty());
}

TEST(contradictions_are_found) {
  LinearSystem none = three_parts();
  add_row(none, {1, 0, 0, 0, 0, 0}, 5, 9);
  CHECK_THROWS(InfeasibleError, reader_parts(none, {}, {{1, {2, 4}, {}}}, {}, 0, {}));
}
