// Demands against readers, and which of them follow from others.
#include "check.hpp"
#include "suppress/reader_demands.hpp"

using namespace sdclattice;

namespace {

// Five cells, the last of which stays published; two demands, four knowers.
SuppressionProblem example() {
  SuppressionProblem out;
  out.value = {1, 2, 3, 4, 5};
  out.role.assign(5, CellRole::primary);
  out.role[2] = CellRole::candidate;
  out.role[4] = CellRole::open;
  out.demands = {{0, 0, 0, 1}, {1, 0, 0, 1}};
  out.knowers = {{0}, {2, 3}, {4}, {2}};
  return out;
}

}  // namespace

TEST(each_demand_against_whom_it_concerns) {
  const std::vector<ReaderDemand> all = reader_demands(example());
  // Knower 0 does not know cell 1; knower 2 knows nothing that could change.
  CHECK_EQ(all.size(), 7u);
  const std::uint32_t none = OpenDemand::kNobody;
  const std::uint32_t demand[] = {0, 0, 0, 1, 1, 1, 1};
  const std::uint32_t knower[] = {1, 3, none, 1, 0, 3, none};
  for (std::size_t q = 0; q < all.size(); ++q)
    CHECK(all[q].demand == demand[q] && all[q].knower == knower[q]);
  CHECK_EQ(all[0].known, (std::vector<std::uint32_t>{2, 3}));
  CHECK(all[2].known.empty());
}

TEST(who_knows_less_is_implied) {
  const std::vector<ReaderDemand> all = reader_demands(example());
  CHECK_EQ(implied_demands(all, std::vector<char>(7, 0)), (std::vector<char>{0, 1, 1, 0, 0, 1, 1}));
  // Without those that cannot be met, the next ones stand for themselves.
  CHECK_EQ(implied_demands(all, {1, 0, 0, 1, 0, 0, 0}), (std::vector<char>{0, 0, 1, 0, 0, 0, 1}));
}
