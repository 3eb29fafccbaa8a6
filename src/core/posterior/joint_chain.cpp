#include "posterior/joint_chain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kMaxEntries = 100'000'000;  // 1.6 GB
constexpr std::size_t kTickEntries = 2'000'000;
constexpr std::uint32_t kNone = UINT32_MAX;

using Tuple = std::uint64_t;  // the states of all chains as one number, that of the first fastest

// Numbers tuples in the order in which they are met.
class Numbering {
 public:
  std::uint32_t get(Tuple tuple) {
    if (2 * (tuples_.size() + 1) > slot_.size()) grow();
    std::uint32_t& at = slot_[find(tuple)];
    if (at == kNone) {
      at = static_cast<std::uint32_t>(tuples_.size());
      tuples_.push_back(tuple);
    }
    return at;
  }
  const std::vector<Tuple>& tuples() const { return tuples_; }

 private:
  std::size_t find(Tuple tuple) const {
    std::uint64_t h = tuple * 0x9e3779b97f4a7c15ULL;
    h ^= h >> 32;
    std::size_t at = h & (slot_.size() - 1);
    while (slot_[at] != kNone && tuples_[slot_[at]] != tuple) at = (at + 1) & (slot_.size() - 1);
    return at;
  }
  void grow() {
    slot_.assign(std::max<std::size_t>(64, 2 * slot_.size()), kNone);
    for (std::uint32_t i = 0; i < tuples_.size(); ++i) slot_[find(tuples_[i])] = i;
  }

  std::vector<std::uint32_t> slot_;
  std::vector<Tuple> tuples_;
};

// The entries of a kernel that leave one state, by code.
class ByCode {
 public:
  explicit ByCode(const Kernel& kernel) : kernel_(kernel), order_(kernel.entries.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::uint32_t f = 0; f < kernel.n_from; ++f)
      std::stable_sort(begin() + kernel.first[f], begin() + kernel.first[f + 1],
                       [&](std::uint32_t a, std::uint32_t b) { return code(a) < code(b); });
  }
  template <typename Act>
  void each(std::uint32_t from, std::uint32_t wanted, Act&& act) const {
    const auto end = order_.begin() + kernel_.first[from + 1];
    auto at = std::lower_bound(order_.begin() + kernel_.first[from], end, wanted,
                               [&](std::uint32_t e, std::uint32_t c) { return code(e) < c; });
    for (; at != end && code(*at) == wanted; ++at) act(kernel_.entries[*at]);
  }

 private:
  std::vector<std::uint32_t>::iterator begin() { return order_.begin(); }
  std::uint32_t code(std::uint32_t entry) const { return kernel_.entries[entry].code; }

  const Kernel& kernel_;
  std::vector<std::uint32_t> order_;
};

class Joiner {
 public:
  Joiner(const std::vector<Chain>& chains, const std::vector<std::vector<std::int32_t>>& offsets,
         const Tick& tick)
      : chains_(chains),
        offsets_(offsets),
        tick_(tick),
        full_(chains.size()),
        stride_(chains.size()),
        match_(chains.size()) {}

  Chain run() {
    Chain out;
    out.laws = chains_[0].laws;
    std::vector<Tuple> live{0};
    for (std::size_t j = 0; j < chains_[0].steps.size(); ++j) {
      ChainStep step;
      step.first_law = chains_[0].steps[j].first_law;
      step.kernel = join(j, live);
      out.steps.push_back(std::move(step));
    }
    return out;
  }

 private:
  const ChainStep& step(std::size_t k) const { return chains_[k].steps[step_]; }

  // `live`: the tuples before step j; then those after it.
  std::shared_ptr<const Kernel> join(std::size_t j, std::vector<Tuple>& live) {
    step_ = j;
    double tuples = 1;
    for (std::size_t k = 0; k < chains_.size(); ++k) {
      stride_[k] = k == 0 ? 1 : stride_[k - 1] * step(k - 1).n_after();
      tuples *= static_cast<double>(step(k).n_after());
      if (k > 0) match_codes(k);
    }
    if (tuples > std::ldexp(1.0, 63)) refuse();
    const Kernel& lead = *step(0).kernel;
    kernel_ = std::make_shared<Kernel>();
    kernel_->n_laws = lead.n_laws;
    kernel_->n_codes = lead.n_codes;
    kernel_->delta = lead.delta;
    numbering_ = Numbering();
    for (const Tuple tuple : live) {
      place(tuple);
      const std::uint32_t from = full_[0] / step(0).lanes, lane = full_[0] % step(0).lanes;
      for (std::uint32_t e = lead.first[from]; e < lead.first[from + 1]; ++e) {
        const Kernel::Entry& entry = lead.entries[e];
        extend(1, entry.code, Tuple(entry.to) * step(0).lanes + lane, entry.weight);
      }
      kernel_->first.push_back(static_cast<std::uint32_t>(kernel_->entries.size()));
    }
    if (kernel_->entries.empty())
      throw InfeasibleError("No original table agrees with all publications.");
    kernel_->n_from = static_cast<std::uint32_t>(live.size());
    live = numbering_.tuples();
    kernel_->n_to = static_cast<std::uint32_t>(live.size());
    n_entries_ += kernel_->entries.size();
    kernel_->entries.shrink_to_fit();
    return kernel_;
  }

  // Where the states of a tuple stand in the steps' own orders.
  void place(Tuple tuple) {
    for (std::size_t k = 0; k < chains_.size(); ++k) {
      const auto state = static_cast<std::uint32_t>(tuple % step(k).n_before());
      tuple /= step(k).n_before();
      full_[k] = step(k).permutation ? inverse(*step(k).permutation)[state] : state;
    }
  }

  // Goes through the ways of chains k and on that agree with the code of the first one's.
  void extend(std::size_t k, std::uint32_t code, Tuple to, double weight) {
    if (k == chains_.size()) return add(code, to, weight);
    const std::uint32_t wanted = match_[k][code];
    if (wanted == kNone) return;
    const std::uint32_t from = full_[k] / step(k).lanes, lane = full_[k] % step(k).lanes;
    by_code(*step(k).kernel).each(from, wanted, [&](const Kernel::Entry& e) {
      extend(k + 1, code, to + stride_[k] * (Tuple(e.to) * step(k).lanes + lane),
             weight * e.weight);
    });
  }

  void add(std::uint32_t code, Tuple to, double weight) {
    kernel_->entries.push_back({numbering_.get(to), code, weight});
    if (n_entries_ + kernel_->entries.size() > kMaxEntries) refuse();
    if (++since_tick_ < kTickEntries) return;
    since_tick_ = 0;
    report(tick_, 0);
  }

  [[noreturn]] static void refuse() {
    throw TooLargeError(
        "Together the publications have more than 10^8 ways on between states of "
        "their cycles.");
  }

  // The codes of chain k that change the laws as those of the first do.
  void match_codes(std::size_t k) {
    const Kernel &lead = *step(0).kernel, &other = *step(k).kernel;
    const std::size_t n = lead.n_laws;
    std::map<std::vector<int>, std::uint32_t> codes;
    const auto change = [n](const Kernel& kernel, std::uint32_t code) {
      const auto at = kernel.delta.begin() + static_cast<std::ptrdiff_t>(code * n);
      return std::vector<int>(at, at + static_cast<std::ptrdiff_t>(n));
    };
    for (std::uint32_t c = 0; c < other.n_codes; ++c) codes.emplace(change(other, c), c);
    match_[k].clear();
    for (std::uint32_t c = 0; c < lead.n_codes; ++c) {
      std::vector<int> wanted = change(lead, c);
      for (std::size_t l = 0; l < n; ++l)
        wanted[l] +=
            offsets_[k - 1][static_cast<std::size_t>(chains_[0].laws[step(0).first_law + l])];
      const auto at = codes.find(wanted);
      match_[k].push_back(at == codes.end() ? kNone : at->second);
    }
  }

  const std::vector<std::uint32_t>& inverse(const std::vector<std::uint32_t>& permutation) {
    std::vector<std::uint32_t>& out = inverses_[&permutation];
    if (!out.empty()) return out;
    out.resize(permutation.size());
    for (std::uint32_t i = 0; i < permutation.size(); ++i) out[permutation[i]] = i;
    return out;
  }
  const ByCode& by_code(const Kernel& kernel) {
    const auto at = by_code_.find(&kernel);
    return at != by_code_.end() ? at->second : by_code_.emplace(&kernel, kernel).first->second;
  }

  const std::vector<Chain>& chains_;
  const std::vector<std::vector<std::int32_t>>& offsets_;
  const Tick& tick_;
  std::size_t step_ = 0, n_entries_ = 0, since_tick_ = 0;
  std::vector<std::uint32_t> full_;
  std::vector<Tuple> stride_;
  std::vector<std::vector<std::uint32_t>> match_;
  std::shared_ptr<Kernel> kernel_;
  Numbering numbering_;
  std::unordered_map<const std::vector<std::uint32_t>*, std::vector<std::uint32_t>> inverses_;
  std::unordered_map<const Kernel*, ByCode> by_code_;
};

}  // namespace

Chain join_chains(const std::vector<Chain>& chains,
                  const std::vector<std::vector<std::int32_t>>& offsets, const Tick& tick) {
  return Joiner(chains, offsets, tick).run();
}

}  // namespace sdclattice
