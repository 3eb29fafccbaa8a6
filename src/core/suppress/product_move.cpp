#include "suppress/product_move.hpp"

#include <algorithm>
#include <numeric>

namespace sdclattice {

namespace {

constexpr std::uint32_t kNoLeaf = StoredCells::kNone;
constexpr std::size_t kMaxPairs = 1200, kFewOwn = 10;
// Leaves of a fibre that are looked at: half of them near, the others anywhere.
constexpr std::size_t kMaxLeaves = 256;

}  // namespace

std::int64_t MoveTable::zero(std::uint64_t key) const {
  const bool is_free = std::find(free_zeros.begin(), free_zeros.end(), key) != free_zeros.end();
  return is_free ? 0 : price_of_zero;
}

ProductMoveSearch::ProductMoveSearch(const StoredCells& cells, const MoveTable& table)
    : cells_(cells),
      table_(table),
      directions_(cells.n_variables()),
      order_(cells.n_variables()),
      rest_(cells.n_variables() + 1, 0),
      partials_(cells.n_variables()) {
  for (std::size_t v = 0; v < cells.n_variables(); ++v)
    axis_.emplace_back(cells.families(v).n_nodes);
}

std::int64_t ProductMoveSearch::price_of(std::uint64_t key, std::uint32_t& cell) {
  ++looks_;
  cell = cells_.find(key);
  if (cell == StoredCells::kNone) return table_.zero(key);
  const bool is_barred =
      barred_ != nullptr && std::binary_search(barred_->begin(), barred_->end(), cell);
  return is_barred ? MoveTable::kForbidden : table_.price[cell];
}

ProductMoveSearch::AxisNode& ProductMoveSearch::axis_node(std::size_t variable,
                                                          std::uint32_t node) {
  AxisNode& out = axis_[variable][node];
  if (out.seen == search_) return out;
  out.seen = search_;
  out.price = price_of(cells_.beside(key_, variable, node), out.cell);
  return out;
}

// ---- directions --------------------------------------------------------------------------------

void ProductMoveSearch::set_steps(std::size_t variable, std::uint32_t first, std::uint32_t second) {
  steps_.clear();
  const std::uint32_t own = cells_.node(key_, variable);
  const NodeRange up = cells_.above(variable, first);
  const NodeRange down = second == kNoLeaf ? NodeRange{} : cells_.above(variable, second);
  const std::uint32_t *a = up.begin(), *b = down.begin();
  while (a != up.end() || b != down.end()) {
    if (b == down.end() || (a != up.end() && *a < *b)) {
      if (*a != own) steps_.emplace_back(*a, std::int8_t{1});
      ++a;
    } else if (a == up.end() || *b < *a) {
      steps_.emplace_back(*b++, std::int8_t{-1});
    } else {
      ++a;
      ++b;
    }
  }
}

std::int64_t ProductMoveSearch::direction_price(std::size_t variable, std::uint32_t first,
                                                std::uint32_t second) {
  set_steps(variable, first, second);
  std::int64_t price = 0;
  for (const auto& step : steps_) {
    price += axis_node(variable, step.first).price;
    if (price >= bound_) break;
  }
  return price;
}

// Of very many leaves keeps some, without a look at their prices.
void ProductMoveSearch::thin_leaves(std::size_t variable, std::vector<std::uint32_t>& leaves,
                                    PublicRandom& random) {
  if (leaves.size() <= kMaxLeaves) return;
  const NodeRange own = cells_.above(variable, cells_.node(key_, variable));
  near_.clear();
  for (const std::uint32_t leaf : leaves) {
    const NodeRange above = cells_.above(variable, leaf);
    std::size_t n_shared = 0;
    for (const std::uint32_t *a = own.begin(), *b = above.begin();
         a != own.end() && b != above.end();)
      if (*a == *b)
        ++n_shared, ++a, ++b;
      else
        ++(*a < *b ? a : b);
    near_.push_back({(std::uint64_t{UINT32_MAX} - n_shared) << 32 | random() >> 32, leaf});
  }
  const auto half = near_.begin() + kMaxLeaves / 2;
  std::nth_element(near_.begin(), half, near_.end());
  for (auto at = half; at != near_.begin() + kMaxLeaves; ++at)
    std::swap(
        *at,
        at[static_cast<std::ptrdiff_t>(random.below(static_cast<std::size_t>(near_.end() - at)))]);
  leaves.resize(kMaxLeaves);
  for (std::size_t i = 0; i < kMaxLeaves; ++i) leaves[i] = near_[i].second;
}

// Keeps the leaves whose ways to the root cost least.
void ProductMoveSearch::rank_leaves(std::size_t variable, std::vector<std::uint32_t>& leaves,
                                    std::size_t keep) {
  if (leaves.size() <= keep) return;
  std::vector<std::pair<std::int64_t, std::uint32_t>> ranked;
  for (const std::uint32_t leaf : leaves) {
    std::int64_t price = 0;
    for (const std::uint32_t node : cells_.above(variable, leaf))
      price += std::min(axis_node(variable, node).price, MoveTable::kForbidden >> 8);
    ranked.emplace_back(price, leaf);
  }
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(keep);
  std::nth_element(ranked.begin(), end, ranked.end());
  for (std::size_t i = 0; i < keep; ++i) leaves[i] = ranked[i].second;
  leaves.resize(keep);
}

void ProductMoveSearch::list_directions(std::size_t variable, const MoveEffort& effort,
                                        PublicRandom& random) {
  const std::uint32_t own = cells_.node(key_, variable);
  own_leaves_.clear();
  other_leaves_.clear();
  if (cells_.is_leaf(variable, own)) own_leaves_.push_back(own);
  for (const std::uint32_t leaf : cells_.fibre(key_, variable)) {
    const NodeRange above = cells_.above(variable, leaf);
    const bool is_own = std::binary_search(above.begin(), above.end(), own);
    if (leaf != own) (is_own ? own_leaves_ : other_leaves_).push_back(leaf);
  }
  thin_leaves(variable, own_leaves_, random);
  thin_leaves(variable, other_leaves_, random);
  if (own_leaves_.size() * (other_leaves_.size() + 1) > kMaxPairs) {
    rank_leaves(variable, own_leaves_, std::max(kFewOwn, kMaxPairs / (other_leaves_.size() + 1)));
    rank_leaves(variable, other_leaves_, kMaxPairs / own_leaves_.size());
  }
  other_leaves_.push_back(kNoLeaf);
  std::vector<Direction>& out = directions_[variable];
  out.clear();
  for (const std::uint32_t first : own_leaves_)
    for (const std::uint32_t second : other_leaves_) {
      if (effort.skip > 0 && random.uniform() < effort.skip) continue;
      const std::int64_t price = direction_price(variable, first, second);
      if (price < bound_) out.push_back({first, second, price, random()});
    }
  const std::size_t keep = std::min(effort.directions, out.size());
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(keep), out.end(),
                    [](const Direction& a, const Direction& b) {
                      return a.price != b.price ? a.price < b.price : a.tie < b.tie;
                    });
  out.resize(keep);
}

// ---- products ----------------------------------------------------------------------------------

bool ProductMoveSearch::add_cell(const MoveCell& cell, std::int64_t price, Partial& to) const {
  to.price += price;
  if (price >= MoveTable::kForbidden) return false;
  if (!table_.allows_debts()) {
    std::int64_t& range = cell.sign > 0 ? to.minus : to.plus;
    range = std::min(range, table_.slack[cell.cell]);
    if (!wish_.is_met(to.plus, to.minus)) return false;
  }
  to.cells.push_back(cell);
  return true;
}

// The cells of `from`, each also with the steps of one more variable.
bool ProductMoveSearch::extend(const Partial& from, std::size_t variable, std::int64_t rest,
                               Partial& to) {
  to = from;
  for (const MoveCell& cell : from.cells)
    for (const auto& step : steps_) {
      MoveCell next{cells_.beside(cell.key, variable, step.first), 0,
                    static_cast<std::int8_t>(cell.sign * step.second)};
      std::int64_t price = 0;
      if (cell.key == key_) {
        price = axis_node(variable, step.first).price;
        next.cell = axis_node(variable, step.first).cell;
      } else {
        price = price_of(next.key, next.cell);
      }
      if (!add_cell(next, price, to) || to.price + rest >= bound_) return false;
    }
  return true;
}

std::size_t ProductMoveSearch::list_partials(const Partial& from, std::size_t depth) {
  const std::size_t variable = order_[depth];
  const std::int64_t rest = rest_[depth + 1];
  std::vector<Partial>& pool = partials_[depth];
  std::size_t n = 0;
  for (const Direction& direction : directions_[variable]) {
    if (looks_ > effort_.looks || from.price + direction.price + rest >= bound_) break;
    if (n == pool.size()) pool.emplace_back();
    set_steps(variable, direction.first, direction.second);
    if (!extend(from, variable, rest, pool[n])) continue;
    ++n;
    if (depth + 1 < order_.size()) continue;
    bound_ = pool[--n].price;
    best_.cells.swap(pool[n].cells);
    best_.price = bound_;
    best_.plus = pool[n].plus;
    best_.minus = pool[n].minus;
  }
  return n;
}

void ProductMoveSearch::descend(const Partial& from, std::size_t depth) {
  const std::size_t n = list_partials(from, depth);
  std::vector<std::uint32_t> by_price(n);
  std::iota(by_price.begin(), by_price.end(), 0u);
  const std::vector<Partial>& pool = partials_[depth];
  std::stable_sort(by_price.begin(), by_price.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return pool[a].price < pool[b].price; });
  if (by_price.size() > effort_.width) by_price.resize(effort_.width);
  for (const std::uint32_t i : by_price) {
    if (pool[i].price + rest_[depth + 1] >= bound_) return;
    descend(pool[i], depth + 1);
  }
}

bool ProductMoveSearch::find(std::uint64_t key, const MoveWish& wish, std::int64_t bound,
                             const MoveEffort& effort, PublicRandom& random) {
  ++search_;
  key_ = key;
  wish_ = wish;
  effort_ = effort;
  bound_ = std::min(bound, MoveTable::kForbidden);
  looks_ = 0;
  best_.cells.clear();
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (const std::size_t v : order_) {
    list_directions(v, effort, random);
    if (directions_[v].empty()) return false;
  }
  std::stable_sort(order_.begin(), order_.end(), [this](std::size_t a, std::size_t b) {
    return directions_[a].size() < directions_[b].size();
  });
  for (std::size_t d = order_.size(); d-- > 0;)
    rest_[d] = rest_[d + 1] + directions_[order_[d]].front().price;
  if (rest_[0] >= bound_) return false;
  const std::uint32_t cell = cells_.find(key);
  const bool is_bounded = cell != StoredCells::kNone && !table_.allows_debts();
  Partial start;
  start.cells.push_back({key, cell, std::int8_t{1}});
  start.plus = MoveTable::kForbidden;
  start.minus = is_bounded ? table_.slack[cell] : MoveTable::kForbidden;
  if (wish_.is_met(start.plus, start.minus)) descend(start, 0);
  return !best_.cells.empty();
}

}  // namespace sdclattice
