// Doubles and wide numbers do the same, and sums in four parts are plain sums.
#include <vector>

#include "base/random.hpp"
#include "check.hpp"
#include "posterior/chain_numbers.hpp"

using namespace sdclattice;

namespace {

std::vector<double> random_numbers(PublicRandom& random, std::size_t n) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(random.below(4) == 0 ? 0 : static_cast<double>(random.below(1000)) / 16);
  return out;
}

template <class Number>
void check_vectors(std::size_t n, PublicRandom& random) {
  const std::vector<double> a = random_numbers(random, n), b = random_numbers(random, n);
  const double w = static_cast<double>(random.below(64)) / 8;
  std::vector<Number> x, y;
  for (std::size_t i = 0; i < n; ++i) x.push_back(Number(a[i])), y.push_back(Number(b[i]));
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i], all += a[i];
  const Number one(1);
  CHECK_NEAR(ratio(dot(x.data(), y.data(), n), one), sum, 1e-12);
  CHECK_EQ(all_zero(x.data(), n), all == 0);
  add_scaled(Number(w), x.data(), y.data(), n);
  for (std::size_t i = 0; i < n; ++i) CHECK_NEAR(ratio(y[i], one), b[i] + w * a[i], 1e-12);
}

}  // namespace

TEST(sums_of_every_length) {
  PublicRandom random(1);
  for (std::size_t n = 0; n < 20; ++n)
    for (int round = 0; round < 5; ++round) {
      check_vectors<double>(n, random);
      check_vectors<Wide>(n, random);
    }
}

TEST(logarithms_and_powers) {
  for (const double x : {-700.0, -1.5, 0.0, 2.0, 700.0}) {
    CHECK_NEAR(log_of(exp_as(x, double())), x, 1e-12);
    CHECK_NEAR(log_of(exp_as(x, Wide())), x, 1e-12);
  }
  CHECK_NEAR(log_of(exp_as(-1e5, Wide())), -1e5, 1e-12);
  CHECK_EQ(log_of(0.0), kNever);
  CHECK_EQ(log_of(Wide()), kNever);
  CHECK(is_zero(exp_as(kNever, double())) && is_zero(exp_as(kNever, Wide())));
}

TEST(messages_are_scaled_to_one) {
  PublicRandom random(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> message = random_numbers(random, 1 + random.below(9));
    const std::vector<double> before = message;
    const double top = rescale(message.data(), message.size());
    double most = 0;
    for (const double x : before) most = std::max(most, x);
    CHECK_EQ(top, most);
    for (std::size_t i = 0; i < message.size(); ++i)
      CHECK_NEAR(message[i] * (top == 0 ? 1 : top), before[i], 1e-12);
  }
  double tiny[] = {1e-310, 5e-310};  // 1 / tiny is infinite
  CHECK_EQ(rescale(tiny, 2), 5e-310);
  CHECK_NEAR(tiny[0], .2, 1e-3);
  CHECK_EQ(tiny[1], 1.0);
  Wide nothing[] = {Wide(), Wide()}, some[] = {Wide(), Wide(3)};
  CHECK_EQ(rescale(nothing, 2), 0.0);
  CHECK_EQ(rescale(some, 2), 1.0);
}
