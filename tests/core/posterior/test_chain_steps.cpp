// One step of a chain against the matrix of its kernel.
#include <vector>

#include "base/random.hpp"
#include "check.hpp"
#include "posterior/chain_steps.hpp"

using namespace sdclattice;

namespace {

Kernel random_kernel(PublicRandom& random) {
  Kernel out;
  out.n_from = 1 + static_cast<std::uint32_t>(random.below(5));
  out.n_to = 1 + static_cast<std::uint32_t>(random.below(5));
  out.n_codes = 3;
  for (std::uint32_t f = 0; f < out.n_from; ++f) {
    for (std::size_t e = random.below(6); e > 0; --e)
      out.entries.push_back({static_cast<std::uint32_t>(random.below(out.n_to)),
                             static_cast<std::uint32_t>(random.below(3)),
                             static_cast<double>(1 + random.below(9)) / 8});
    out.first.push_back(static_cast<std::uint32_t>(out.entries.size()));
  }
  return out;
}

std::vector<double> random_message(PublicRandom& random, std::size_t n) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<double>(random.below(4)));
  return out;
}

// What the kernel does to `lanes` copies, with an entry after the other.
template <class Act>
void each_entry(const Kernel& kernel, const double* code, std::size_t lanes, Act&& act) {
  for (std::uint32_t f = 0; f < kernel.n_from; ++f)
    for (std::uint32_t i = kernel.first[f]; i < kernel.first[f + 1]; ++i)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Kernel::Entry& e = kernel.entries[i];
        act(f * lanes + lane, e.to * lanes + lane, e.code, e.weight * (code ? code[e.code] : 1));
      }
}

void check_step(const Kernel& kernel, const double* code, std::size_t lanes, PublicRandom& random) {
  const std::vector<double> from = random_message(random, kernel.n_from * lanes);
  const std::vector<double> after = random_message(random, kernel.n_to * lanes);
  std::vector<double> to(after.size(), 0), before(from.size(), 0), mass(kernel.n_codes, 0);
  std::vector<double> wanted_to = to, wanted_before = before, wanted_mass = mass;
  each_entry(kernel, code, lanes, [&](std::size_t f, std::size_t t, std::uint32_t c, double w) {
    wanted_to[t] += w * from[f];
    wanted_before[f] += w * after[t];
    wanted_mass[c] += from[f] * w * after[t];
  });
  if (lanes == 1) {
    step_on(kernel, code, from.data(), to.data(), One{});
    step_back(kernel, code, from.data(), after.data(), before.data(), mass.data(), One{});
  } else {
    step_on(kernel, code, from.data(), to.data(), lanes);
    step_back(kernel, code, from.data(), after.data(), before.data(), mass.data(), lanes);
  }
  for (std::size_t t = 0; t < to.size(); ++t) CHECK_NEAR(to[t], wanted_to[t], 1e-12);
  for (std::size_t c = 0; c < mass.size(); ++c) CHECK_NEAR(mass[c], wanted_mass[c], 1e-12);
  for (std::uint32_t f = 0; f < kernel.n_from; ++f) {
    bool reached = false;
    for (std::size_t l = 0; l < lanes; ++l) reached = reached || from[f * lanes + l] > 0;
    for (std::size_t l = f * lanes; l < (f + 1) * lanes; ++l)
      CHECK_NEAR(before[l], reached ? wanted_before[l] : 0, 1e-12);
  }
}

}  // namespace

TEST(messages_go_on_and_back) {
  PublicRandom random(3);
  const double code[] = {.5, 0, 2};
  for (int round = 0; round < 300; ++round) {
    const Kernel kernel = random_kernel(random);
    for (const std::size_t lanes : {std::size_t{1}, std::size_t{2}, 1 + random.below(7)}) {
      check_step(kernel, nullptr, lanes, random);
      check_step(kernel, code, lanes, random);
    }
  }
}

TEST(arrivals_hold_each_entry_once) {
  PublicRandom random(4);
  for (int round = 0; round < 200; ++round) {
    const Kernel kernel = random_kernel(random);
    const Arrivals arrivals(kernel);
    std::vector<int> met(kernel.entries.size(), 0);
    for (std::uint32_t t = 0; t < kernel.n_to; ++t)
      for (std::uint32_t k = arrivals.first[t]; k < arrivals.first[t + 1]; ++k) {
        const std::uint32_t i = arrivals.entry[k], f = arrivals.from[k];
        ++met[i];
        CHECK_EQ(kernel.entries[i].to, t);
        CHECK(kernel.first[f] <= i && i < kernel.first[f + 1]);
      }
    for (const int n : met) CHECK_EQ(n, 1);
  }
}
