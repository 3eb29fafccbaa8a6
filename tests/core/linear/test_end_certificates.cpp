// Certificates of both ends of all cells, against all solutions.
#include <algorithm>

#include "base/error.hpp"
#include "check.hpp"
#include "linear/end_certificates.hpp"
#include "linear/proof_check.hpp"

using namespace sdclattice;
using namespace proof_check;

namespace {

Whole table(const EndCertificates& found, std::size_t t) {
  Whole out = found.base;
  for (std::size_t k = 0; k < found.tables[t].cell.size(); ++k)
    out[found.tables[t].cell[k]] = found.tables[t].value[k];
  return out;
}

std::vector<AskedEnd> both_ends(const std::vector<Whole>& all) {
  std::vector<AskedEnd> out;
  for (std::uint32_t i = 0; i < all[0].size(); ++i) {
    const auto less = [i](const Whole& a, const Whole& b) { return a[i] < b[i]; };
    out.push_back({i, 1, (*std::max_element(all.begin(), all.end(), less))[i]});
    out.push_back({i, -1, (*std::min_element(all.begin(), all.end(), less))[i]});
  }
  return out;
}

}  // namespace

TEST(every_end_has_its_table_and_its_proof) {
  Dice dice(4);
  for (int round = 0; round < 500; ++round) {
    const LinearSystem system =
        random_system(dice, 1 + dice.below(6), 1 + dice.below(4), 1 + dice.below(3));
    const std::vector<Whole> all = solutions(system);
    if (all.empty()) {
      CHECK_THROWS(InfeasibleError, certify_ends(system, {}, {}, {}));
      continue;
    }
    const std::vector<AskedEnd> ends = both_ends(all);
    const EndCertificates found = certify_ends(system, ends, {}, {});
    CHECK(!found.late);
    for (std::size_t k = 0; k < ends.size(); ++k) {
      CHECK(found.table[k] < found.tables.size());
      CHECK(found.proof[k] < found.proofs.size());
      if (found.table[k] >= found.tables.size() || found.proof[k] >= found.proofs.size()) continue;
      const Whole x = table(found, found.table[k]);
      CHECK(std::find(all.begin(), all.end(), x) != all.end());
      CHECK_EQ(x[ends[k].cell], ends[k].value);
      CHECK(
          proves(system, found.proofs[found.proof[k]], ends[k].cell, ends[k].sign, ends[k].value));
    }
  }
}

TEST(a_cell_without_an_upper_end_has_a_direction) {
  LinearSystem system;
  system.lower = Whole(4, 0);
  system.upper = {kNoLimit, kNoLimit, kNoLimit, 5};
  add_row(system, {1, -1, 0, 0}, 2, 2);
  add_row(system, {0, 1, -2, 1}, -kNoLimit, 3);
  const std::vector<AskedEnd> ends{{0, 1, kNoLimit}, {3, 1, kNoLimit}, {3, 1, 5}, {0, -1, 2}};
  const EndCertificates found = certify_ends(system, ends, {}, {});
  CHECK_EQ(found.directions.size(), 1u);
  CHECK_EQ(found.direction[0], 0u);
  CHECK(found.direction[1] == SIZE_MAX);  // it has an end
  Whole way(4, 0);
  for (std::size_t k = 0; k < found.directions[0].cell.size(); ++k)
    way[found.directions[0].cell[k]] = found.directions[0].value[k];
  CHECK(way[0] > 0 && way[0] == way[1] && way[3] == 0 && way[1] <= 2 * way[2]);
  for (const std::size_t k : {2u, 3u}) CHECK(found.proof[k] < 2 && found.table[k] < 2);
}

TEST(without_time_nothing_is_certified) {
  LinearSystem system;
  system.lower = Whole(60, 0);
  system.upper = Whole(60, 9);
  for (std::size_t i = 0; i + 1 < 60; ++i) {
    Whole a(60, 0);
    a[i] = a[i + 1] = 1;
    add_row(system, a, 9, 9);
  }
  std::vector<AskedEnd> ends;
  for (std::uint32_t i = 0; i < 60; ++i) ends.push_back({i, 1, 9});
  CertificateLimits limits;
  limits.seconds = 0;
  const EndCertificates found = certify_ends(system, ends, limits, {});
  CHECK(found.late);
  CHECK(std::count(found.proof.begin(), found.proof.end(), SIZE_MAX) > 0);
}
