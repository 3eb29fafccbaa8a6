#include "round/rounding_block.hpp"

#include <algorithm>

namespace sdclattice {
namespace {

// A multiple outside outweighs all costs of a block: cells and sums cost less than 1e9 each.
constexpr std::int64_t kViolation = std::int64_t{1} << 46;

}  // namespace

// The rows as they are when no cell of the block has been decided.
void RoundingBlock::load(const RoundingState& state) {
  rows_.clear();
  global_.clear();
  row_of_.clear();
  first_.assign(1, 0);
  for (const std::uint32_t c : cells) {
    for (const std::uint32_t* r = state.begin(c); r != state.end(c); ++r) {
      if (local_[*r] == kNowhere) {
        local_[*r] = static_cast<std::uint32_t>(rows_.size());
        global_.push_back(*r);
        const auto over = static_cast<std::int32_t>(state.over(*r));
        rows_.push_back({over, over, state.rows().room[*r], 0, 0, 0});
      }
      Row& row = rows_[local_[*r]];
      row.low -= state.up()[c];
      row.high += 1 - state.up()[c];
      row_of_.push_back(local_[*r]);
    }
    first_.push_back(row_of_.size());
  }
  for (const std::uint32_t r : global_) local_[r] = kNowhere;
}

void RoundingBlock::weigh(const RoundingState& state, const std::vector<std::int64_t>* weight) {
  cost_.assign(cells.size(), 0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::uint32_t r = global_[k];
    rows_[k].weight = weight != nullptr ? (*weight)[r] : kViolation;
    if (weight != nullptr || rows_[k].room == 0) continue;
    const std::int64_t cost = state.rows().row_cost[r];
    rows_[k].cost_down = -std::min<std::int64_t>(0, cost);
    rows_[k].cost_up = cost + rows_[k].cost_down;
  }
  if (weight != nullptr) return;
  for (std::size_t i = 0; i < cells.size(); ++i) cost_[i] = state.rows().cost[cells[i]];
}

// The least cost of a sum that ends within [low, high] beyond its target.
std::int64_t RoundingBlock::least_cost(const Row& row) {
  const std::int64_t least = -row.cost_down;
  return row.low > 0 ? row.cost_up + least : row.high <= 0 ? 0 : least;
}

std::int64_t RoundingBlock::price_of_rows() const {
  std::int64_t out = 0;
  for (const Row& row : rows_) {
    const std::int64_t outside = std::max({0, -row.high, row.low - row.room});
    out += row.weight * outside + least_cost(row);
  }
  return out;
}

// By how much the bound grows. Without branches: what a row holds is nearly random.
std::int64_t RoundingBlock::decide(std::size_t i, bool up) {
  std::int64_t more = (up ? cost_[i] : 0) - least(i);
  const std::uint32_t* const end = row_of_.data() + first_[i + 1];
  for (const std::uint32_t* e = row_of_.data() + first_[i]; e != end; ++e) {
    Row& row = rows_[*e];
    if (up) {
      more += row.weight * (row.low >= row.room) + row.cost_up * (row.low == 0);
      ++row.low;
    } else {
      more += row.weight * (row.high <= 0) + row.cost_down * (row.high == 1);
      --row.high;
    }
  }
  return more;
}

void RoundingBlock::undo(std::size_t i, bool up) {
  for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
    if (up)
      --rows_[row_of_[e]].low;
    else
      ++rows_[row_of_[e]].high;
  }
}

bool RoundingBlock::search(std::int64_t limit, std::size_t max_nodes) {
  const std::size_t n = cells.size();
  bound_.assign(n + 1, price_of_rows());
  for (std::size_t i = 0; i < n; ++i) bound_[0] += least(i);
  now_.assign(n, 0);
  tried_.assign(n + 1, 0);
  found_ = limit;
  nodes_ = 0;
  std::size_t depth = 0;
  for (;;) {
    if (depth == n) {
      found_ = bound_[n];
      best_ = now_;
    } else {
      if (tried_[depth] > 0) undo(depth, now_[depth] != 0);
      if (tried_[depth] < 2 && nodes_ < max_nodes) {
        now_[depth] = first_try_[depth] ^ tried_[depth];
        ++tried_[depth];
        ++nodes_;
        bound_[depth + 1] = bound_[depth] + decide(depth, now_[depth] != 0);
        if (bound_[depth + 1] < found_) tried_[++depth] = 0;
        continue;
      }
    }
    if (depth == 0) return found_ < limit;
    --depth;
  }
}

BlockResult RoundingBlock::take(RoundingState& state, std::int64_t present, std::int64_t limit,
                                std::size_t max_nodes) {
  if (!search(limit, max_nodes)) return BlockResult::same;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (best_[i] != state.up()[cells[i]]) state.move(cells[i]);
  return found_ < present ? BlockResult::better : BlockResult::equal;
}

BlockResult RoundingBlock::mend(RoundingState& state, const std::vector<std::int64_t>& weight,
                                PublicRandom& random, std::size_t max_nodes) {
  load(state);
  weigh(state, &weight);
  std::int64_t present = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    present += rows_[k].weight * excess(state.over(global_[k]), state.rows().room[global_[k]]);
  first_try_.resize(cells.size());
  for (std::uint8_t& f : first_try_) f = static_cast<std::uint8_t>(random() >> 63);
  return take(state, present, present + 1, max_nodes);
}

BlockResult RoundingBlock::save(RoundingState& state, std::size_t max_nodes) {
  load(state);
  weigh(state, nullptr);
  std::int64_t present = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const std::int64_t over = state.over(global_[k]);
    present += rows_[k].weight * excess(over, state.rows().room[global_[k]]) +
               state.row_cost(global_[k], over);
  }
  first_try_.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    first_try_[i] = static_cast<std::uint8_t>(cost_[i] < 0);
    present += state.up()[cells[i]] * cost_[i];
  }
  return take(state, present, present, max_nodes);
}

}  // namespace sdclattice
