// A block of cells against all choices for it.
#include "check.hpp"
#include "round/random_rows.hpp"
#include "round/rounding_block.hpp"

using namespace random_rows;

namespace {

constexpr std::size_t kMany = 1000000;

RoundingBlock random_block(PublicRandom& random, const RoundingRows& rows) {
  RoundingBlock out(rows);
  for (std::uint32_t c = 0; c < rows.n_cells(); ++c)
    if (random.below(2) == 0) out.cells.push_back(c);
  return out;
}

// The least of what `price` says of all choices for the block.
template <class Price>
std::int64_t least_price(const RoundingBlock& block, Choice up, Price price) {
  std::int64_t least = INT64_MAX;
  for (std::size_t bits = 0; bits < std::size_t{1} << block.cells.size(); ++bits) {
    for (std::size_t i = 0; i < block.cells.size(); ++i) up[block.cells[i]] = bits >> i & 1;
    least = std::min(least, price(up));
  }
  return least;
}

}  // namespace

TEST(mended_blocks_have_the_least_weighted_violation) {
  PublicRandom random(1);
  int n_better = 0, n_equal = 0;
  for (int k = 0; k < 500; ++k) {
    const RoundingRows rows = random_system(random, 1 + random.below(10), random.below(7));
    RoundingState state(rows);
    RoundingBlock block = random_block(random, rows);
    std::vector<std::int64_t> weight;
    for (std::size_t r = 0; r < rows.n_rows(); ++r)
      weight.push_back(1 + static_cast<std::int64_t>(random.below(9)));
    const auto price = [&](const Choice& up) { return weighted_violation(rows, weight, up); };
    const std::int64_t before = price(state.up());
    const std::int64_t least = least_price(block, state.up(), price);
    const BlockResult result = block.mend(state, weight, random, kMany);
    CHECK_EQ(price(state.up()), least);
    CHECK((result == BlockResult::better) == (least < before));
    n_better += result == BlockResult::better;
    n_equal += result == BlockResult::equal;
  }
  CHECK(n_better > 100 && n_equal > 50);
}

TEST(saved_blocks_have_the_least_cost_of_those_with_the_least_violation) {
  PublicRandom random(2);
  int n_better = 0;
  for (int k = 0; k < 500; ++k) {
    const RoundingRows rows = random_system(random, 1 + random.below(10), random.below(7));
    RoundingState state(rows);
    RoundingBlock block = random_block(random, rows);
    const auto price = [&](const Choice& up) {
      const Judged x = judge(rows, up);
      return x.violation * 1000000 + x.cost;
    };
    const std::int64_t before = price(state.up());
    const std::int64_t least = least_price(block, state.up(), price);
    const BlockResult result = block.save(state, kMany);
    CHECK_EQ(price(state.up()), least);
    CHECK(result == (least < before ? BlockResult::better : BlockResult::same));
    n_better += result == BlockResult::better;
  }
  CHECK(n_better > 100);
}

// What few nodes find is never worse than before.
TEST(few_nodes) {
  PublicRandom random(3);
  for (int k = 0; k < 200; ++k) {
    const RoundingRows rows = random_system(random, 8, 6);
    RoundingState state(rows);
    RoundingBlock block = random_block(random, rows);
    const Judged before = judge(rows, state.up());
    const std::size_t nodes = random.below(20);
    block.save(state, nodes);
    CHECK(block.nodes() <= nodes);
    const Judged after = judge(rows, state.up());
    CHECK(after.violation <= before.violation);
    CHECK(after.violation < before.violation || after.cost <= before.cost);
  }
}
