// Passes with doubles and with wide numbers against all paths of small chains.
#include "check.hpp"
#include "posterior/chain_passes.hpp"
#include "small_chains.hpp"

using namespace small_chains;

namespace {

template <class Number>
void check_passes(const Chain& chain, const std::map<Changes, double>& paths, Dice& dice) {
  const Tick silent;
  const LawWeights even;
  Passes<Number> passes(chain, even, true, silent);
  CHECK_NEAR(passes.log_evidence(), std::log(total(paths)), 1e-9);
  CHECK_NEAR(Passes<Number>(chain, even, false, silent).log_evidence(), passes.log_evidence(),
             1e-12);
  const std::size_t n_laws = chain.laws.size();
  std::vector<double> laws(n_laws * 5, 0);
  CHECK(passes.add_laws(2, laws.data()));
  CHECK(worst_difference(laws, shares(paths, n_laws, 2)) < 1e-9);
  std::vector<std::int8_t> shifts(20 * n_laws);
  passes.sample(
      20, n_laws, [&] { return dice.uniform(); }, shifts.data());
  for (std::size_t draw = 0; draw < 20; ++draw)
    CHECK(paths.count(Changes(shifts.begin() + static_cast<std::ptrdiff_t>(draw * n_laws),
                              shifts.begin() + static_cast<std::ptrdiff_t>((draw + 1) * n_laws))));
}

}  // namespace

TEST(both_kinds_of_numbers_find_all_paths) {
  Dice dice(36);
  int n_chains = 0;
  for (int round = 0; round < 300; ++round) {
    const Chain chain = random_chain(dice, 1 + dice.below(4), nullptr, 2);
    const std::map<Changes, double> paths = all_paths(chain);
    if (total(paths) == 0) {
      const Tick silent;
      const LawWeights even;
      CHECK_EQ(Passes<double>(chain, even, false, silent).log_evidence(), kNever);
      CHECK_EQ(Passes<Wide>(chain, even, false, silent).log_evidence(), kNever);
      continue;
    }
    check_passes<double>(chain, paths, dice);
    check_passes<Wide>(chain, paths, dice);
    ++n_chains;
  }
  CHECK(n_chains > 50);
}
