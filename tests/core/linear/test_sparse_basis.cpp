// What a basis holds after tables are loaded and limits have moved unknowns: all rows still hold.
#include <cmath>

#include "check.hpp"
#include "linear/sparse_basis.hpp"
#include "linear/sparse_cases.hpp"

using namespace sdclattice;
using namespace sparse_cases;

namespace {

// Opens what the simplex uses.
class Open : public SparseBasis {
 public:
  using SparseBasis::SparseBasis;

  // The columns of all unknowns times their values.
  double imbalance() const {
    std::vector<double> sum(system_.n_rows(), 0.0);
    for (std::size_t j = 0; j < n_unknowns(); ++j)
      columns_.each(j, [&](std::uint32_t r, double a) { sum[r] += a * x_[j]; });
    double out = 0.0;
    for (const double s : sum) out = std::max(out, std::fabs(s));
    return out;
  }
  // Some cell becomes basic for some other unknown, if their columns allow.
  bool exchange_any(Dice& dice) {
    const auto j = static_cast<std::size_t>(dice.below(static_cast<int>(n_cells())));
    if (is_basic(j)) return false;
    find_image(j);
    const auto k = static_cast<std::size_t>(dice.below(static_cast<int>(basic_.size())));
    if (std::fabs(image_[k]) < 0.3) return false;
    const double target = x_[basic_[k]] + dice.between(-2, 2);
    slide(j, (x_[basic_[k]] - target) / image_[k]);
    find_row(k);
    CHECK_NEAR(row_[j], image_[k], 1e-7);
    exchange(k, j, target);
    return true;
  }
  void move_limits(Dice& dice) {
    const auto i = static_cast<std::size_t>(dice.below(static_cast<int>(n_cells())));
    const std::int64_t at = dice.between(-3, 6);
    const bool was_basic = is_basic(i);
    const double before = x_[i];
    set_limits(i, at, at + 1);
    CHECK(was_basic ? x_[i] == before : side(i) == 0);
    settle();
    CHECK(lower_[i] == static_cast<double>(at));
    CHECK(upper_[i] == static_cast<double>(at + 1));
  }
  void renew() { refactor(); }
  bool places_fit() const {
    std::size_t n = 0;
    for (std::size_t j = 0; j < n_unknowns(); ++j) {
      n += is_basic(j);
      if (is_basic(j) && basic_[place_[j]] != j) return false;
    }
    return n == system_.n_rows();
  }
  double logical(std::size_t r) const { return x_[n_cells() + r]; }
  int side_of(std::size_t j) const { return side(j); }
};

}  // namespace

TEST(rows_hold_whatever_moves) {
  Dice dice(1);
  int exchanges = 0;
  for (int round = 0; round < 40; ++round) {
    Whole truth;
    const LinearSystem system = round % 2 == 0 ? margins(dice, 3, 3, 2, 2, 20, truth)
                                               : sparse_system(dice, 20, 12, 0, truth);
    Open basis(system);
    CHECK(basis.imbalance() < 1e-9);
    for (int move = 0; move < 150; ++move) {
      exchanges += basis.exchange_any(dice);
      if (move % 10 == 0) basis.move_limits(dice);
      if (move % 40 == 39) basis.renew();
      CHECK(basis.imbalance() < 1e-6);
      CHECK(basis.places_fit());
      if (move % 50 != 49) continue;
      for (std::size_t i = 0; i < truth.size(); ++i) basis.set_limits(i, -kNoLimit, kNoLimit);
      basis.load(truth);
      CHECK(basis.imbalance() == 0.0);
      CHECK(basis.is_whole());
      CHECK(basis.rounded() == truth);
    }
  }
  CHECK(exchanges > 500);
}

// The logical unknown of a row is the negative of its sum.
TEST(logical_unknowns) {
  LinearSystem system;
  system.lower = {0, -kNoLimit, -kNoLimit, -5};
  system.upper = {4, kNoLimit, -2, -4};
  add_row(system, {1, 1, 0, 0}, -kNoLimit, 5);
  add_row(system, {0, 2, 1, 0}, 1, 1);
  Open basis(system);
  CHECK(basis.value(0) == 0.0);
  CHECK(basis.value(1) == 0.0);
  CHECK(basis.value(2) == -2.0);
  CHECK(basis.value(3) == -4.0);
  CHECK(basis.logical(0) == 0.0);
  CHECK(basis.logical(1) == 2.0);
  CHECK_EQ(basis.side_of(4), 0);
  CHECK_EQ(basis.side_of(5), 1);
  basis.load({3, 2, -3, -5});
  CHECK(basis.logical(0) == -5.0);
  CHECK(basis.logical(1) == -1.0);
  CHECK_EQ(basis.side_of(5), 0);
}

TEST(whole_up_to_rounding) {
  LinearSystem system;
  system.lower = {0, 0};
  system.upper = {3, 3};
  add_row(system, {2, 1}, 3, 3);
  Open basis(system);
  CHECK(basis.is_whole());
  Dice dice(2);
  while (!basis.exchange_any(dice)) basis.load({1, 1});
  const bool whole =
      basis.value(0) == std::round(basis.value(0)) && basis.value(1) == std::round(basis.value(1));
  CHECK_EQ(basis.is_whole(), whole);
  CHECK_EQ(basis.rounded()[0], std::llround(basis.value(0)));
}
