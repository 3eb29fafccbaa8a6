// What tables settle for readers.
#include "check.hpp"
#include "linear/reader_witness.hpp"

using namespace sdclattice;

TEST(a_table_meets_needs_and_agrees_with_limits) {
  const Witness whole{{3, 0, 7}, 1};
  CHECK(whole.meets(0, {2, 3}) && whole.meets(1, {0, 5}) && !whole.meets(2, {6, 8}));
  CHECK(!whole.meets(2, {-1, kNoLimit}));
  CHECK(whole.agrees({{0, 3, 3}, {2, 0, kNoLimit}}) && !whole.agrees({{0, 4, 9}}));
  CHECK(whole.within({0, 0, 0}, {3, 0, 7}) && !whole.within({0, 0, 0}, {3, 0, 6}));
  const Witness halves{{3, 1}, 2};  // 1.5 and .5
  CHECK(!halves.meets(0, {1, 2}) && halves.meets(1, {1, 2}));
  CHECK(halves.agrees({{0, 1, 2}}) && !halves.agrees({{1, 1, 2}}));
}

TEST(the_first_table_stays) {
  WitnessStore store(400000);  // room for 12
  for (std::int64_t k = 0; k < 100; ++k) store.keep({{k}, 1});
  CHECK_EQ(store.n_found(), 100);
  CHECK_EQ(store.held().size(), 12);
  CHECK_EQ(store.held()[0].value[0], 0);
  for (std::size_t k = 1; k < 12; ++k) CHECK(store.held()[k].value[0] >= 89);
}
