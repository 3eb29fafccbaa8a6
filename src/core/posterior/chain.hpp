// Exact sums over long products, by messages along a chain of states.
//
// What is computed. A chain is a sequence of steps; each moves a state on by one of the entries of
// its kernel, and an entry has a weight and says by how much some laws (classes of cells,
// linkage.hpp) have changed. A path from the one state at the start to the one at the end is an
// assignment of all coins; its weight is the product over its entries, times the prior weight of
// each law's change. Computed are the sum over all paths, the share of each change of each law in
// it, and draws of paths with probabilities in proportion to their weights.
// Why it is right. The weight of the rest of a path depends on what came before through the state
// alone, so that sums of products become products of sums: forward and backward messages.
// Messages are doubles, scaled step by step. Where prior weights differ so much that states which
// still matter would underflow, they are wide numbers (wide.hpp), some ten times slower; and so
// they are where doubles find nothing possible.
// What it costs. Linear in the entries met: chain_work(). Agrees with enumerate.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/tick.hpp"
#include "base/wide_int.hpp"

namespace sdclattice {

// Entries are grouped by the state that they leave: those of state f are first[f] .. first[f + 1].
// An entry with code k changes the i-th law of the kernel by delta[k * n_laws + i].
struct Kernel {
  struct Entry {
    std::uint32_t to, code;
    double weight;
  };
  std::uint32_t n_from = 1, n_to = 1;
  std::vector<std::uint32_t> first{0};
  std::vector<Entry> entries;
  std::uint32_t n_laws = 0, n_codes = 0;
  std::vector<std::int8_t> delta;
};

// Numbers the changes that entries of a kernel make.
class Codes {
 public:
  using Change = std::vector<std::int8_t>;  // of each law
  std::uint32_t get(const Change& change) {
    return codes_.emplace(change, static_cast<std::uint32_t>(codes_.size())).first->second;
  }
  // Writes them into the kernel that they belong to.
  void write(Kernel& kernel) const {
    kernel.n_codes = static_cast<std::uint32_t>(codes_.size());
    kernel.delta.resize(codes_.size() * kernel.n_laws);
    for (const auto& [change, code] : codes_)
      std::copy(change.begin(), change.end(),
                kernel.delta.begin() + static_cast<std::ptrdiff_t>(code * kernel.n_laws));
  }

 private:
  std::map<Change, std::uint32_t> codes_;
};

// A step acts in the same way on `lanes` copies of its kernel: full state = state x lanes + lane,
// before and after. Before it, the message is put into the step's own order of states where
// `permutation` is not null: new place i takes what stood at permutation[i].
struct ChainStep {
  std::shared_ptr<const Kernel> kernel;
  std::uint32_t lanes = 1;
  std::size_t first_law = 0;  // of the kernel's laws, in Chain::laws
  std::shared_ptr<const std::vector<std::uint32_t>> permutation;

  std::size_t n_before() const { return n_full(kernel->n_from); }
  std::size_t n_after() const { return n_full(kernel->n_to); }

 private:
  std::size_t n_full(std::uint32_t states) const {
    constexpr const char* what = "A cycle has more states than this machine has addresses for.";
    return checked_size(checked_product(states, lanes, what), what);
  }
};

struct Chain {
  std::vector<ChainStep> steps;
  std::vector<std::int32_t> laws;
};

// Log prior weights: that of change d of law l is data[(l - first_law) * width + reach + d]. None
// is above 0: callers divide by the largest, so that doubles do not overflow.
struct LawWeights {
  const double* data = nullptr;  // null: all are 0
  std::int32_t first_law = 0;
  int reach = 0;
  std::size_t width() const { return 2 * std::size_t(reach) + 1; }
  double get(std::int32_t law, int d) const {
    return data[std::size_t(law - first_law) * width() + static_cast<std::size_t>(reach + d)];
  }
};

// Products that one pass takes.
double chain_work(const Chain& chain);

// Messages that would fill more than this many bytes are not all kept: those of every k-th step
// are, and the others are computed again, k steps at a time.
std::size_t chain_stride(std::size_t n_steps, double message_bytes);

// -Inf where no path is possible.
double chain_evidence(const Chain& chain, const LawWeights& weights, const Tick& tick);

// Log evidence; adds the laws to `laws`: that of change d of law l at
// laws[l * (2 reach + 1) + reach + d], which are zero before.
double chain_infer(const Chain& chain, const LawWeights& weights, int reach, double* laws,
                   const Tick& tick);

// n independent exact draws: shifts[draw * n_laws + law] = change. Returns the log evidence; draws
// nothing where it is -Inf.
double chain_sample(const Chain& chain, const LawWeights& weights, std::size_t n,
                    std::size_t n_laws, const std::function<double()>& uniform, std::int8_t* shifts,
                    const Tick& tick);

}  // namespace sdclattice
