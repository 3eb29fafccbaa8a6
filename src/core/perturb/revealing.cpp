#include "perturb/revealing.hpp"

#include <algorithm>
#include <cassert>

#include "base/bits.hpp"
#include "base/error.hpp"

namespace sdclattice {

// A row of bits for each law, one for each draw: does it have the true shift there? The share that
// is wanted of a pair of laws is the number of common bits over that of the known law's bits. Costs
// n / 64 words for each pair of a component.
namespace {

class Bits {
 public:
  // Draws first .. last - 1.
  Bits(const std::vector<std::int8_t>& shifts, const std::vector<std::int32_t>& truth,
       std::size_t first, std::size_t last)
      : words_((last - first + 63) / 64), bits_(truth.size() * words_, 0) {
    for (std::size_t draw = first; draw < last; ++draw)
      for (std::size_t l = 0; l < truth.size(); ++l)
        if (shifts[draw * truth.size() + l] == truth[l])
          bits_[l * words_ + (draw - first) / 64] |= std::uint64_t{1} << ((draw - first) % 64);
  }
  double common(std::size_t a, std::size_t b) const {
    int sum = 0;
    for (std::size_t w = 0; w < words_; ++w)
      sum += count_bits(bits_[a * words_ + w] & bits_[b * words_ + w]);
    return sum;
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// The law that reveals most of each target, and the share by which it was chosen.
struct Choice {
  std::vector<double> best;
  std::vector<std::int32_t> by;  // -1: none

  explicit Choice(std::size_t n_laws) : best(n_laws, -1), by(n_laws, -1) {}

  // `known` is held by `all` draws.
  void offer(std::int32_t known, double all, const std::vector<std::int32_t>& laws,
             const std::vector<std::uint8_t>& target, const Bits& draws) {
    for (const std::int32_t l : laws) {
      if (!target[l] || l == known) continue;
      const double found = draws.common(l, known) / all;
      if (found <= best[l]) continue;
      best[l] = found;
      by[l] = known;
    }
  }
};

std::vector<std::vector<std::int32_t>> members_of(const std::vector<std::int32_t>& component) {
  std::vector<std::vector<std::int32_t>> out(1 +
                                             *std::max_element(component.begin(), component.end()));
  for (std::size_t l = 0; l < component.size(); ++l)
    out[component[l]].push_back(static_cast<std::int32_t>(l));
  return out;
}

}  // namespace

std::vector<double> most_revealing(const std::vector<std::int8_t>& shifts,
                                   const std::vector<std::int32_t>& truth,
                                   const std::vector<std::int32_t>& component,
                                   const std::vector<std::uint8_t>& target, std::size_t least) {
  const std::size_t n_laws = truth.size();
  if (component.size() != n_laws || target.size() != n_laws)
    throw InputError("Each class of cells must have one truth and one component.");
  std::vector<double> out(n_laws, -1);
  if (n_laws == 0) return out;
  assert(shifts.size() % n_laws == 0);
  const std::size_t n = shifts.size() / n_laws;
  const Bits chosen(shifts, truth, 0, n / 2), judged(shifts, truth, n / 2, n);
  Choice choice(n_laws);
  for (const std::vector<std::int32_t>& laws : members_of(component))
    for (const std::int32_t known : laws) {
      const double all = chosen.common(known, known);
      if (all < 1 || all < static_cast<double>(least) || judged.common(known, known) < 1) continue;
      choice.offer(known, all, laws, target, chosen);
    }
  for (std::size_t l = 0; l < n_laws; ++l)
    if (const std::int32_t by = choice.by[l]; by >= 0)
      out[l] = judged.common(l, by) / judged.common(by, by);
  return out;
}

}  // namespace sdclattice
