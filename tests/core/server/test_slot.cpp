// The end of a slot.
#include "check.hpp"
#include "server/slot.hpp"

using namespace sdclattice;

TEST(an_answer_leaves_at_the_first_multiple_that_is_not_over) {
  CHECK_EQ(slot_end(10, 10, .25), 10.25);
  CHECK_EQ(slot_end(10, 10.01, .25), 10.25);
  CHECK_EQ(slot_end(10, 10.25, .25), 10.25);
  CHECK_EQ(slot_end(10, 10.26, .25), 10.5);
  CHECK_EQ(slot_end(10, 9, .25), 10.25);
  for (int late = 0; late < 100; ++late) {
    const double now = 5 + .017 * late, end = slot_end(5, now, .3);
    CHECK(end >= now && end >= 5.3 && (end < now + .3 || end == 5.3));
  }
}
