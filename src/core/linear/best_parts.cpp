#include "linear/best_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "linear/bounds_knowledge.hpp"

namespace sdclattice {

BestParts::BestParts(const LinearSystem& system, const std::vector<std::int64_t>& weight,
                     const std::vector<char>& first, WorkClock& watch, bool helped)
    : small_(presolve(system, watch.tick())) {
  std::vector<std::vector<std::int64_t>> weights(small_.parts.size());
  std::vector<std::vector<char>> firsts(small_.parts.size());
  for (std::size_t p = 0; p < weights.size(); ++p) {
    weights[p].assign(small_.parts[p].system.n_cells(), 0);
    firsts[p].assign(weights[p].size(), 0);
  }
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const CellHome& home = small_.home[i];
    shift_ += wide_product(weight[i], home.shift);
    if (home.sign == 0) continue;
    weights[home.part][home.place] += home.sign * weight[i];
    firsts[home.part][home.place] |= first[i];
  }
  for (std::size_t p = 0; p < weights.size(); ++p) {
    std::int64_t unit = 0;
    for (const std::int64_t w : weights[p]) unit = std::gcd(unit, w);
    unit = std::max<std::int64_t>(unit, 1);
    for (std::int64_t& w : weights[p]) w /= unit;
    parts_.push_back({unit, std::make_unique<BestSearch>(small_.parts[p], std::move(weights[p]),
                                                         std::move(firsts[p]), watch, helped)});
  }
}

void BestParts::advance(std::size_t nodes) {
  for (const Part& part : parts_) {
    part.search->advance(nodes);
    if (part.search->done() && part.search->table().empty()) throw InfeasibleError(kNoTable);
  }
}

bool BestParts::done() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.search->done(); });
}

void BestParts::offer(const std::vector<std::int64_t>& table) {
  std::vector<std::vector<std::int64_t>> own(parts_.size());
  for (std::size_t p = 0; p < own.size(); ++p) own[p].resize(small_.parts[p].system.n_cells());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CellHome& home = small_.home[i];
    if (home.sign != 0) own[home.part][home.place] = home.sign * (table[i] - home.shift);
  }
  for (std::size_t p = 0; p < own.size(); ++p) parts_[p].search->record(own[p]);
}

std::vector<std::int64_t> BestParts::table() const {
  for (const Part& part : parts_)
    if (part.search->table().empty()) return {};
  std::vector<std::int64_t> out;
  for (const CellHome& home : small_.home)
    out.push_back(home.sign == 0
                      ? home.shift
                      : home.shift + home.sign * parts_[home.part].search->table()[home.place]);
  return out;
}

std::int64_t BestParts::bound() const {
  WideInt out = shift_;
  for (const Part& part : parts_) out += wide_product(part.unit, part.search->bound());
  return static_cast<std::int64_t>(out);
}

}  // namespace sdclattice
