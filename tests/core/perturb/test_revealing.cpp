// What one known cell tells about the others.
#include <random>

#include "base/error.hpp"
#include "check.hpp"
#include "perturb/revealing.hpp"

using namespace sdclattice;

// Law 1 has its truth exactly where law 0 has; law 2 is independent; law 3 is in another component.
TEST(the_most_revealing_law_is_found) {
  std::mt19937_64 dice(3);
  const std::size_t n = 2000;
  std::vector<std::int8_t> shifts(4 * n);
  for (std::size_t draw = 0; draw < n; ++draw) {
    const bool hit = dice() % 2;
    shifts[4 * draw] = hit ? 1 : 0;
    shifts[4 * draw + 1] = hit ? -1 : 2;
    shifts[4 * draw + 2] = dice() % 4 == 0;
    shifts[4 * draw + 3] = hit ? 1 : 0;
  }
  const auto best = most_revealing(shifts, {1, -1, 1, 1}, {1, 1, 1, 2}, {1, 1, 1, 1}, 10);
  CHECK_EQ(best[0], 1.0);
  CHECK_EQ(best[1], 1.0);
  CHECK_NEAR(best[2], .25, .06);
  CHECK_EQ(best[3], -1.0);
  const auto few = most_revealing(shifts, {1, -1, 1, 1}, {1, 1, 1, 2}, {0, 1, 1, 1}, n);
  CHECK_EQ(few[0], -1.0);
  CHECK_EQ(few[1], -1.0);
  CHECK(most_revealing({}, {}, {}, {}, 1).empty());
  CHECK_THROWS(InputError, most_revealing(shifts, {1, -1, 1, 1}, {1}, {1, 1, 1, 1}, 10));
}

// The law is chosen by the first half of the draws and judged by the second, draw by draw.
TEST(shares_are_those_of_a_plain_count) {
  std::mt19937_64 dice(4);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_laws = 1 + dice() % 5, n = 2 * (1 + dice() % 90), half = n / 2;
    std::vector<std::int8_t> shifts(n * n_laws);
    for (std::int8_t& s : shifts) s = static_cast<std::int8_t>(dice() % 3);
    std::vector<std::int32_t> truth(n_laws), component(n_laws);
    std::vector<std::uint8_t> target(n_laws);
    for (std::size_t l = 0; l < n_laws; ++l) {
      truth[l] = static_cast<std::int32_t>(dice() % 3);
      component[l] = static_cast<std::int32_t>(dice() % 2);
      target[l] = dice() % 4 > 0;
    }
    const std::size_t least = dice() % 8;
    const auto count = [&](std::size_t a, std::size_t b, std::size_t from, std::size_t to) {
      double sum = 0;
      for (std::size_t d = from; d < to; ++d)
        sum += shifts[d * n_laws + a] == truth[a] && shifts[d * n_laws + b] == truth[b];
      return sum;
    };
    const std::vector<double> found = most_revealing(shifts, truth, component, target, least);
    for (std::size_t l = 0; l < n_laws; ++l) {
      double best = -1, wanted = -1;
      for (std::size_t k = 0; k < n_laws; ++k) {
        if (!target[l] || k == l || component[k] != component[l]) continue;
        const double all = count(k, k, 0, half), later = count(k, k, half, n);
        if (all < 1 || all < static_cast<double>(least) || later < 1) continue;
        if (count(l, k, 0, half) / all <= best) continue;
        best = count(l, k, 0, half) / all;
        wanted = count(l, k, half, n) / later;
      }
      CHECK_EQ(found[l], wanted);
    }
  }
}
