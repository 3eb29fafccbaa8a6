// Proofs of ends, checked row by row, for the ends that all solutions have.
#include "check.hpp"
#include "linear/end_proof.hpp"
#include "linear/proof_check.hpp"

using namespace sdclattice;
using namespace proof_check;

namespace {

const auto no_check = [] {};

struct Ends {
  Whole least, most;
  std::vector<Whole> at_least, at_most;  // a solution at each end
};

Ends ends_of(const LinearSystem& system, const std::vector<Whole>& all) {
  Ends out;
  for (std::size_t i = 0; i < system.n_cells(); ++i) {
    const Whole *low = &all[0], *high = &all[0];
    for (const Whole& x : all) {
      if (x[i] < (*low)[i]) low = &x;
      if (x[i] > (*high)[i]) high = &x;
    }
    out.least.push_back((*low)[i]);
    out.most.push_back((*high)[i]);
    out.at_least.push_back(*low);
    out.at_most.push_back(*high);
  }
  return out;
}

// Every end has a proof that holds, and one step inside of it has none.
void check_all_ends(const LinearSystem& system, const std::vector<Whole>& all) {
  const Ends ends = ends_of(system, all);
  EndProver prover(system, no_check);
  for (std::size_t i = 0; i < system.n_cells(); ++i)
    for (const int sign : {1, -1}) {
      const std::int64_t end = sign > 0 ? ends.most[i] : ends.least[i];
      const Whole& table = sign > 0 ? ends.at_most[i] : ends.at_least[i];
      const auto proof = prover.prove(i, sign, end, table);
      CHECK(proof.has_value());
      if (proof) CHECK(proves(system, *proof, i, sign, end));
      CHECK(!prover.prove(i, sign, end - sign, table).has_value());
    }
}

}  // namespace

TEST(every_end_of_random_systems_has_a_proof_that_holds) {
  Dice dice(1);
  int n = 0;
  for (int round = 0; round < 1500; ++round) {
    const LinearSystem system =
        random_system(dice, 1 + dice.below(6), 1 + dice.below(4), 1 + dice.below(4));
    const std::vector<Whole> all = solutions(system);
    if (all.empty()) continue;
    check_all_ends(system, all);
    ++n;
  }
  CHECK(n > 600);
}

TEST(cells_without_an_upper_limit) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = Whole(4, kNoLimit);
  add_row(system, {1, 1, 0, 0}, 5, 5);
  add_row(system, {0, 0, 1, 1}, 7, 7);
  add_row(system, {1, 0, 1, 0}, 9, 9);
  EndProver prover(system, no_check);
  for (const auto& [cell, sign, end] : {std::tuple{0, 1, 5}, {0, -1, 2}, {3, 1, 3}, {3, -1, 0}}) {
    const auto proof = prover.prove(static_cast<std::size_t>(cell), sign, end, {});
    CHECK(proof.has_value());
    if (!proof) continue;
    CHECK(proves(system, *proof, static_cast<std::size_t>(cell), sign, end));
    CHECK_EQ(proof->nodes.size(), 1u);
  }
}

// A cell that rows do not touch has its own limits for a proof, and no other.
TEST(limits_of_the_cell_alone) {
  LinearSystem system;
  system.lower = {2, 0};
  system.upper = {6, kNoLimit};
  EndProver prover(system, no_check);
  const auto proof = prover.prove(0, 1, 6, {});
  CHECK(proof.has_value());
  if (proof) CHECK(proof->leaves[0].row.empty());
  CHECK(!prover.prove(1, 1, 1000, {}).has_value());
}

// What rounds on the way needs a split: 2 x + 2 y = z with z <= 5 and w = z + 2 u ...
TEST(divisors_need_splits) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = {9, 9, 5, 9};
  add_row(system, {2, 0, -1, 0}, -1, 0);  // 2 x <= z <= 2 x + 1
  add_row(system, {-3, 1, 0, 0}, 0, 0);   // y = 3 x
  add_row(system, {0, -1, 0, 1}, -1, 1);  // w within 1 of y
  const std::vector<Whole> all = solutions(system);
  check_all_ends(system, all);
  EndProver prover(system, no_check);
  const auto proof = prover.prove(3, 1, 7, {});
  CHECK(proof.has_value());
  if (proof) CHECK(proves(system, *proof, 3, 1, 7));
}

TEST(a_proof_that_is_changed_is_refused) {
  Dice dice(5);
  for (int round = 0; round < 300; ++round) {
    const LinearSystem system = random_system(dice, 4, 3, 2);
    const std::vector<Whole> all = solutions(system);
    if (all.empty()) continue;
    const Ends ends = ends_of(system, all);
    EndProver prover(system, no_check);
    const auto proof = prover.prove(0, 1, ends.most[0], ends.at_most[0]);
    CHECK(proof.has_value());
    if (proof) CHECK(!proves(system, *proof, 0, 1, ends.most[0] - 1));
  }
}
