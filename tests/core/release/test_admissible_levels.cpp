// How many sub-tables may be released, by dimension: against a list of them.
#include <limits>

#include "cases.hpp"
#include "check.hpp"
#include "release/admissible.hpp"
#include "release/admissible_cover.hpp"
#include "release/admissible_levels.hpp"
#include "release/graph_cases.hpp"
#include "table/part_table.hpp"

using namespace sdclattice;
using namespace cases;

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

std::vector<std::uint64_t> by_size(const std::vector<SubTable>& sets, std::size_t n) {
  std::vector<std::uint64_t> out(n, 0);
  for (SubTable set : sets) ++out[set_size(set) - 1];
  return out;
}

}  // namespace

// All graphs with five nodes: triangles by edges.
TEST(as_many_triangles_as_a_graph_can_have) {
  std::vector<SubTable> edges;
  for (SubTable set = 1; set < 32; ++set)
    if (set_size(set) == 2) edges.push_back(set);
  std::vector<std::uint64_t> most(11, 0);
  for (std::uint32_t graph = 0; graph < 1024; ++graph) {
    std::uint64_t n = 0;
    for (SubTable set = 1; set < 32; ++set) {
      std::size_t inside = 0;
      for (std::size_t e = 0; e < edges.size(); ++e)
        inside += (graph >> e & 1) != 0 && holds(set, edges[e]);
      n += set_size(set) == 3 && inside == 3;
    }
    std::uint64_t& known = most[set_size(graph)];
    known = std::max(known, n);
  }
  for (std::uint64_t n = 0; n <= 10; ++n) CHECK_EQ(most_of_next_size(n, 2), most[n]);
  CHECK_EQ(most_of_next_size(7, 1), 21u);
  CHECK_EQ(most_of_next_size(1832624140942590534u, 32), 1777090076065542336u);  // of 64
}

TEST(without_a_limit_of_work_the_counts_are_those_of_the_list) {
  PublicRandom random(1);
  int some = 0;
  for (int round = 0; round < 100; ++round) {
    const std::size_t n = 1 + random.below(6);
    const Dense x = random_dense(random, random_levels(random, n, 1, 3), 9, random.below(4));
    const Stored stored(x, 3);
    const auto beta = static_cast<std::int64_t>(random.below(25));
    std::vector<SubTable> forbidden;
    while (random.below(3) == 0) forbidden.push_back(1 + random.below((std::size_t{1} << n) - 1));
    const auto listed = by_size(admissible_sets(stored.risk(), beta, 100, {}, forbidden), n);
    const auto found = count_admissible(stored.risk(), beta, forbidden, {}, kNoLimit);
    CHECK(found.least == listed);
    CHECK(found.most == listed);
    some += listed[0] > 0 && listed.back() == 0;
  }
  CHECK(some > 20);
}

TEST(with_little_work_the_truth_lies_between) {
  PublicRandom random(2);
  std::uint64_t open = 0, covered = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 8 + random.below(2);
    const Dense x = random_dense(random, Levels(n, 2), 30, 1);
    const Stored stored(x, 4);
    const RiskCells risk = stored.risk();
    const auto beta = static_cast<std::int64_t>(20 + random.below(300));
    const auto listed = by_size(admissible_sets(risk, beta, 10000), n);
    const AdmissibleCover cover = cover_admissible(risk, beta, {}, 1e6);
    for (double looks : {0.0, 2e3, 2e4, 1e5, 3e5}) {
      const auto found = count_admissible(risk, beta, {}, {}, looks);
      const auto narrow = count_admissible(risk, beta, {}, cover.sets, looks);
      for (std::size_t d = 0; d < n; ++d) {
        CHECK(found.least[d] <= listed[d] && listed[d] <= found.most[d]);
        CHECK(listed[d] <= narrow.most[d] && narrow.most[d] <= found.most[d]);
        open += found.least[d] < found.most[d];
        covered += narrow.most[d] < found.most[d];
      }
    }
  }
  CHECK(open > 300);
  CHECK(covered > 10);
}

TEST(counts_of_64_variables_do_not_overflow) {
  std::uint64_t bound = 64;
  std::uint64_t sum = bound;
  for (std::size_t size = 1; size < 64; ++size) {
    bound = most_of_next_size(bound, size);
    sum += bound;
  }
  CHECK_EQ(bound, 1u);
  CHECK_EQ(sum, UINT64_MAX);
}

TEST(counting_can_be_stopped) {
  const Dense x{Levels(7, 2), std::vector<std::int64_t>(128, 9)};
  const Stored stored(x, 9);
  CHECK_THROWS(int, count_admissible(stored.risk(), 1, {}, {}, kNoLimit, [](double) { throw 1; }));
}
