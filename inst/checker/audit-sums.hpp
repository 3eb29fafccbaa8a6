// Sums of leaves that follow from what is published: those that no change of the leaves moves. A
// leaf may be counted more than once.
#ifndef SDCLATTICE_AUDIT_SUMS_HPP
#define SDCLATTICE_AUDIT_SUMS_HPP

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "audit-case.hpp"
#include "audit-programme.hpp"
#include "audit-search.hpp"

namespace audit {

constexpr std::size_t kMostSums = 1 << 20;
constexpr std::size_t kMostSaid = 5;

class SumSearch {
 public:
  // `directions`: all changes that keep what is published, of all leaves; `open`: the leaves that
  // change in some of them.
  SumSearch(const std::vector<Table>& directions, const Leaves& open, std::size_t n_leaves)
      : directions_(directions), open_(open), n_leaves_(n_leaves) {
    for (Whole most : {Whole{3}, Whole{2}, Whole{1}})
      if (most_ == 0 && fits(most)) most_ = most;
  }

  // Could all sums in which each leaf is counted at most once be looked at?
  bool is_small() const { return most_ > 0; }

  // The least sums for which `fails` holds; a few of them.
  std::vector<std::vector<Whole>> run(
      const std::function<bool(const std::vector<Whole>&)>& fails) const {
    std::vector<std::vector<Whole>> found;
    std::vector<Whole> times(n_leaves_, 0);
    Row128 products(directions_.size(), 0);
    visit(0, times, products, fails, found);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return std::count(a.begin(), a.end(), 0) > std::count(b.begin(), b.end(), 0);
    });
    if (found.size() > kMostSaid) found.resize(kMostSaid);
    return found;
  }

 private:
  bool fits(Whole most) const {
    std::size_t n = 1;
    for (std::size_t k = 0; k < open_.size() && n <= kMostSums; ++k)
      n *= static_cast<std::size_t>(most + 1);
    return n <= kMostSums;
  }

  void visit(std::size_t k, std::vector<Whole>& times, const Row128& products,
             const std::function<bool(const std::vector<Whole>&)>& fails,
             std::vector<std::vector<Whole>>& found) const {
    if (k == open_.size()) {
      const auto is_zero = [](auto x) { return x == 0; };
      if (std::all_of(products.begin(), products.end(), is_zero) &&
          !std::all_of(times.begin(), times.end(), is_zero) && fails(times))
        found.push_back(times);
      return;
    }
    const auto leaf = static_cast<std::size_t>(open_[k]);
    Row128 next = products;
    for (Whole n = 0; n <= most_; ++n) {
      times[leaf] = n;
      visit(k + 1, times, next, fails, found);
      for (std::size_t d = 0; d < next.size(); ++d) next[d] += directions_[d][leaf];
    }
    times[leaf] = 0;
  }

  const std::vector<Table> directions_;
  const Leaves open_;
  std::size_t n_leaves_;
  Whole most_ = 0;
};

}  // namespace audit

#endif
