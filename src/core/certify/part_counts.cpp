#include "certify/part_counts.hpp"

#include <utility>

#include "table/part_table.hpp"

namespace sdclattice {

PartCounts::PartCounts(std::size_t n_variables, const std::vector<SubTable>& admissible,
                       LevelSteps steps)
    : sets_(admissible), steps_(std::move(steps)), dense_(n_variables <= 20) {
  if (!dense_) return;
  std::vector<std::int32_t> sums(std::size_t{1} << n_variables, 0);
  for (SubTable s : sets_) sums[s] = is_counted(s);
  for (std::size_t v = 0; v < n_variables; ++v)
    for (std::size_t m = 0; m < sums.size(); ++m)
      if (m >> v & 1) sums[m] += sums[m ^ (std::size_t{1} << v)];
  sums_ = std::make_shared<const std::vector<std::int32_t>>(std::move(sums));
}

std::int64_t PartCounts::operator()(SubTable set) {
  if (dense_) return (*sums_)[set];
  const auto known = memo_.find(set);
  if (known != memo_.end()) return known->second;
  std::int64_t n = 0;
  for (SubTable s : sets_) n += holds(set, s) && is_counted(s);
  return memo_[set] = n;
}

}  // namespace sdclattice
