// A choice and its sums after random moves, from the definition.
#include "check.hpp"
#include "round/random_rows.hpp"

using namespace random_rows;

TEST(moves_keep_the_books) {
  PublicRandom random(1);
  for (int k = 0; k < 200; ++k) {
    const RoundingRows rows = random_system(random, 1 + random.below(9), random.below(7));
    RoundingState state(rows);
    for (std::size_t c = 0; c < rows.n_cells(); ++c)
      CHECK_EQ(state.up()[c], std::uint8_t(rows.cost[c] < 0));
    for (int move = 0; move < 30; ++move) {
      state.move(random.below(rows.n_cells()));
      const Judged now = judge(rows, state.up());
      CHECK_EQ(state.violation(), now.violation);
      CHECK_EQ(state.cost(), now.cost);
      std::size_t n_violated = 0;
      for (std::size_t r = 0; r < rows.n_rows(); ++r) {
        const std::int64_t over = held(rows, state.up(), r) - rows.target[r];
        CHECK_EQ(state.over(r), over);
        CHECK_EQ(state.is_violated(r), excess(over, rows.room[r]) > 0);
        n_violated += state.is_violated(r);
      }
      CHECK_EQ(state.violated().size(), n_violated);
      for (std::uint32_t r : state.violated()) CHECK(state.is_violated(r));
    }
  }
}
