// The pool of certificates against a look through all of them.
#include "check.hpp"
#include "small_tables.hpp"
#include "suppress/certificate_pool.hpp"

using namespace sdclattice;
using small_tables::Dice;

namespace {

Certificate random_certificate(Dice& dice, int n) {
  Certificate out;
  for (int i = 0; i < n; ++i) {
    if (dice.below(4) != 0) continue;
    out.cell.push_back(static_cast<std::uint32_t>(i));
    out.change.push_back(dice.below(2) == 0 ? dice.between(1, 3) : -dice.between(1, 3));
  }
  return out;
}

}  // namespace

TEST(sets_of_cells) {
  CellBits few(130), more(130);
  few.add(3);
  few.add(129);
  more.add(129);
  CHECK(!few.is_inside(more) && more.is_inside(few));
  CHECK(few.has(3) && !few.has(4) && few.has(129));
  few.remove(3);
  CHECK(few.is_inside(more) && !few.has(3));
}

TEST(how_far_certificates_reach) {
  Dice dice(1);
  const int n = 70;
  int n_both = 0;
  for (int round = 0; round < 200; ++round) {
    CertificatePool pool(n);
    std::vector<Certificate> all;
    for (int k = dice.below(12); k > 0; --k) {
      all.push_back(random_certificate(dice, n));
      pool.add(all.back());
    }
    CHECK_EQ(pool.size(), all.size());
    CellBits free(n);
    for (int i = 0; i < n; ++i)
      if (dice.below(12) != 0) free.add(static_cast<std::size_t>(i));
    const auto cell = static_cast<std::uint32_t>(dice.below(n));
    std::int64_t up = 0, down = 0;
    for (const Certificate& c : all) {
      bool inside = true;
      std::int64_t change = 0;
      for (std::size_t e = 0; e < c.cell.size(); ++e) {
        inside = inside && free.has(c.cell[e]);
        if (c.cell[e] == cell) change = c.change[e];
      }
      if (!inside) continue;
      up = std::max(up, change);
      down = std::max(down, -change);
    }
    const CertificatePool::Reach reach = pool.reach(cell, free);
    CHECK(reach.up == up && reach.down == down);
    CHECK((reach.up_at == CertificatePool::kNone) == (up == 0));
    CHECK(pool.changes(reach.up_at, cell) == (up > 0) &&
          pool.changes(reach.down_at, cell) == (down > 0));
    n_both += up > 0 && down > 0 ? 1 : 0;
  }
  CHECK(n_both > 0);
}

TEST(what_a_reach_meets) {
  CertificatePool pool(2);
  pool.add_difference({4, 4}, {6, 2});
  pool.add_difference({4, 4}, {4, 4});
  CHECK_EQ(pool.size(), 1u);
  CellBits free(2);
  free.add(0);
  free.add(1);
  const CertificatePool::Reach reach = pool.reach(0, free);
  CHECK(reach.meets({0, 2, 0, 2}) && reach.meets({0, 0, 0, 1}));
  CHECK(!reach.meets({0, 3, 0, 0}) && !reach.meets({0, 0, 1, 0}) && !reach.meets({0, 0, 0, 3}));
  CHECK(pool.reach(1, free).meets({1, 0, 2, 2}));
}
