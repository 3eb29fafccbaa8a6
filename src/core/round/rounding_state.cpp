#include "round/rounding_state.hpp"

namespace sdclattice {

RoundingState::RoundingState(const RoundingRows& rows)
    : rows_(rows),
      rows_of_(transposed(rows.start, rows.cells, rows.n_cells())),
      up_(rows.n_cells(), 0),
      place_(rows.n_rows(), kNowhere) {
  for (std::size_t r = 0; r < rows.n_rows(); ++r) {
    over_.push_back(-rows.target[r]);
    violation_ += excess(over_[r], rows.room[r]);
    cost_ += row_cost(r, over_[r]);
    note(static_cast<std::uint32_t>(r));
  }
  for (std::size_t c = 0; c < up_.size(); ++c)
    if (rows.cost[c] < 0) move(c);
}

void RoundingState::note(std::uint32_t r) {
  const bool bad = excess(over_[r], rows_.room[r]) > 0;
  if (bad == is_violated(r)) return;
  if (bad) {
    place_[r] = static_cast<std::uint32_t>(violated_.size());
    violated_.push_back(r);
    return;
  }
  const std::uint32_t last = violated_.back();
  violated_[place_[r]] = last;
  place_[last] = place_[r];
  violated_.pop_back();
  place_[r] = kNowhere;
}

void RoundingState::move(std::size_t c) {
  const int step = up_[c] != 0 ? -1 : 1;
  up_[c] ^= 1;
  cost_ += step * rows_.cost[c];
  for (const std::uint32_t* r = begin(c); r != end(c); ++r) {
    std::int64_t& over = over_[*r];
    violation_ -= excess(over, rows_.room[*r]);
    cost_ -= row_cost(*r, over);
    over += step;
    violation_ += excess(over, rows_.room[*r]);
    cost_ += row_cost(*r, over);
    note(*r);
  }
}

}  // namespace sdclattice
