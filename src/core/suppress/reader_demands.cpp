#include "suppress/reader_demands.hpp"

#include <algorithm>
#include <utility>

namespace sdclattice {

std::vector<ReaderDemand> reader_demands(const SuppressionProblem& problem) {
  std::vector<ReaderDemand> readers;
  for (std::size_t k = 0; k < problem.knowers.size(); ++k) {
    ReaderDemand reader{0, static_cast<std::uint32_t>(k), {}};
    for (const std::uint32_t i : problem.knowers[k])
      if (problem.role[i] != CellRole::open) reader.known.push_back(i);
    if (!reader.known.empty()) readers.push_back(std::move(reader));
  }
  std::stable_sort(
      readers.begin(), readers.end(),
      [](const ReaderDemand& a, const ReaderDemand& b) { return a.known.size() > b.known.size(); });
  readers.push_back({0, OpenDemand::kNobody, {}});
  std::vector<ReaderDemand> out;
  for (std::size_t d = 0; d < problem.demands.size(); ++d)
    for (const ReaderDemand& reader : readers) {
      if (reader.knower != OpenDemand::kNobody &&
          !concerns(problem, problem.demands[d], reader.knower))
        continue;
      out.push_back(reader);
      out.back().demand = static_cast<std::uint32_t>(d);
    }
  return out;
}

std::vector<char> implied_demands(const std::vector<ReaderDemand>& all,
                                  const std::vector<char>& is_left_out) {
  std::vector<char> out(all.size(), 0);
  for (std::size_t q = 0; q < all.size(); ++q) {
    const std::vector<std::uint32_t>& known = all[q].known;
    for (std::size_t o = q; o-- > 0 && all[o].demand == all[q].demand && out[q] == 0;) {
      if (is_left_out[o] != 0 || out[o] != 0) continue;
      const std::vector<std::uint32_t>& more = all[o].known;
      out[q] = std::includes(more.begin(), more.end(), known.begin(), known.end()) ? 1 : 0;
    }
  }
  return out;
}

}  // namespace sdclattice
