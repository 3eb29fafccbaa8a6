#include "suppress/reader_demands.hpp"

#include <algorithm>
#include <map>
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
  // of this demand those that are not implied by others before, and who of them knows a cell
  std::vector<std::size_t> asked;
  std::map<std::uint32_t, std::vector<std::size_t>> knowing;
  for (std::size_t q = 0; q < all.size(); ++q) {
    if (q > 0 && all[q].demand != all[q - 1].demand) {
      asked.clear();
      knowing.clear();
    }
    const std::vector<std::uint32_t>& known = all[q].known;
    const std::vector<std::size_t>& others = known.empty() ? asked : knowing[known.front()];
    out[q] = std::any_of(others.begin(), others.end(), [&](std::size_t o) {
      const std::vector<std::uint32_t>& more = all[o].known;
      return std::includes(more.begin(), more.end(), known.begin(), known.end());
    });
    if (is_left_out[q] != 0 || out[q] != 0) continue;
    asked.push_back(q);
    for (const std::uint32_t cell : known) knowing[cell].push_back(q);
  }
  return out;
}

}  // namespace sdclattice
