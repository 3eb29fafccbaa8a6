#include "hex/hex_transport.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/ranked_cost.hpp"

namespace sdclattice {
namespace {

constexpr std::uint32_t kUnreached = UINT32_MAX;

class HexTransport {
 public:
  HexTransport(const HexMap& map, const std::vector<HexDonor>& donors,
               const std::vector<HexReceiver>& receivers);
  void serve(std::uint32_t receiver, const Tick& tick);
  std::vector<HexMove> moves() const;

 private:
  // What a donor gives to whom.
  using Gift = std::pair<std::uint32_t, std::int64_t>;

  RankedCost cost(std::uint32_t donor, std::uint32_t receiver) const {
    const HexDonor& d = donors_[donor];
    return {map_.distance(d.cell, receivers_[receiver].cell) - d.offset, d.rank};
  }
  void relax(std::uint32_t receiver, const RankedCost& distance);
  std::uint32_t nearest_open() const;
  std::uint32_t search(std::uint32_t receiver);
  std::int64_t push(std::uint32_t donor, std::uint32_t receiver, std::int64_t most);
  std::int64_t& gift(std::uint32_t donor, std::uint32_t receiver);

  const HexMap& map_;
  const std::vector<HexDonor>& donors_;
  const std::vector<HexReceiver>& receivers_;
  std::vector<std::int64_t> left_;
  std::vector<std::vector<Gift>> gifts_;
  std::vector<RankedCost> donor_potential_, receiver_potential_;
  // Of the search under way.
  std::vector<RankedCost> distance_;                           // of a donor
  std::vector<std::uint32_t> came_from_;                       // of a donor: the receiver before it
  std::vector<std::uint32_t> reached_by_;                      // of a receiver: the donor before it
  std::vector<std::uint32_t> open_, settled_;                  // donors
  std::vector<std::pair<std::uint32_t, RankedCost>> reached_;  // receivers
};

HexTransport::HexTransport(const HexMap& map, const std::vector<HexDonor>& donors,
                           const std::vector<HexReceiver>& receivers)
    : map_(map),
      donors_(donors),
      receivers_(receivers),
      left_(donors.size()),
      gifts_(donors.size()),
      donor_potential_(donors.size()),
      receiver_potential_(receivers.size()),
      distance_(donors.size()),
      came_from_(donors.size(), kUnreached),
      reached_by_(receivers.size(), kUnreached) {
  for (std::size_t i = 0; i < donors.size(); ++i) left_[i] = donors[i].capacity;
}

std::int64_t& HexTransport::gift(std::uint32_t donor, std::uint32_t receiver) {
  std::vector<Gift>& all = gifts_[donor];
  for (Gift& g : all)
    if (g.first == receiver) return g.second;
  all.emplace_back(receiver, 0);
  return all.back().second;
}

void HexTransport::relax(std::uint32_t receiver, const RankedCost& distance) {
  const RankedCost base = distance + receiver_potential_[receiver];
  for (std::uint32_t i : open_) {
    const RankedCost through = base + cost(i, receiver) - donor_potential_[i];
    if (came_from_[i] != kUnreached && !(through < distance_[i])) continue;
    distance_[i] = through;
    came_from_[i] = receiver;
  }
}

// Its place among the open donors. Every donor is reached from every receiver.
std::uint32_t HexTransport::nearest_open() const {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < open_.size(); ++k)
    if (distance_[open_[k]] < distance_[open_[best]]) best = k;
  return best;
}

// Returns the nearest donor that has something left, and moves the potentials so that the path to
// it costs nothing.
std::uint32_t HexTransport::search(std::uint32_t receiver) {
  open_.clear();
  settled_.clear();
  reached_.clear();
  for (std::uint32_t i = 0; i < donors_.size(); ++i) open_.push_back(i);
  std::fill(came_from_.begin(), came_from_.end(), kUnreached);
  std::fill(reached_by_.begin(), reached_by_.end(), kUnreached);
  RankedCost now;
  reached_.emplace_back(receiver, now);
  relax(receiver, now);
  std::uint32_t found = kUnreached;
  while (!open_.empty()) {
    const std::uint32_t place = nearest_open(), donor = open_[place];
    now = distance_[donor];
    if (left_[donor] > 0) {
      found = donor;
      break;
    }
    open_[place] = open_.back();
    open_.pop_back();
    settled_.push_back(donor);
    for (const Gift& g : gifts_[donor]) {
      if (g.second == 0 || g.first == receiver || reached_by_[g.first] != kUnreached) continue;
      reached_by_[g.first] = donor;
      reached_.emplace_back(g.first, now);
      relax(g.first, now);
    }
  }
  if (found == kUnreached) throw InfeasibleError("The counts that may be given are too few.");
  for (std::uint32_t i : settled_) donor_potential_[i] = donor_potential_[i] + distance_[i] - now;
  for (const auto& j : reached_)
    receiver_potential_[j.first] = receiver_potential_[j.first] + j.second - now;
  return found;
}

// Along the path that the search found, as much as it allows.
std::int64_t HexTransport::push(std::uint32_t donor, std::uint32_t receiver, std::int64_t most) {
  std::int64_t by = std::min(most, left_[donor]);
  for (std::uint32_t j = came_from_[donor]; j != receiver; j = came_from_[reached_by_[j]])
    by = std::min(by, gift(reached_by_[j], j));
  left_[donor] -= by;
  for (std::uint32_t i = donor;;) {
    const std::uint32_t j = came_from_[i];
    gift(i, j) += by;
    if (j == receiver) return by;
    i = reached_by_[j];
    gift(i, j) -= by;
  }
}

void HexTransport::serve(std::uint32_t receiver, const Tick& tick) {
  if (donors_.empty()) throw InfeasibleError("The counts that may be given are too few.");
  // the least potential at which no arc to a donor costs less than nothing
  RankedCost potential = donor_potential_[0] - cost(0, receiver);
  for (std::uint32_t i = 1; i < donors_.size(); ++i) {
    const RankedCost other = donor_potential_[i] - cost(i, receiver);
    if (potential < other) potential = other;
  }
  receiver_potential_[receiver] = potential;
  for (std::int64_t need = receivers_[receiver].need; need > 0;) {
    report(tick, 0);
    need -= push(search(receiver), receiver, need);
  }
}

std::vector<HexMove> HexTransport::moves() const {
  std::vector<HexMove> out;
  for (std::size_t i = 0; i < donors_.size(); ++i)
    for (const Gift& g : gifts_[i])
      if (g.second > 0) out.push_back({donors_[i].cell, receivers_[g.first].cell, g.second});
  return out;
}

}  // namespace

void tidy_moves(std::vector<HexMove>& moves) {
  const auto key = [](const HexMove& m) { return std::make_pair(m.from, m.to); };
  std::sort(moves.begin(), moves.end(),
            [&](const HexMove& a, const HexMove& b) { return key(a) < key(b); });
  std::size_t n = 0;
  for (const HexMove& m : moves) {
    if (n > 0 && key(moves[n - 1]) == key(m)) {
      moves[n - 1].amount += m.amount;
    } else {
      moves[n++] = m;
    }
  }
  moves.resize(n);
}

std::vector<HexMove> transport(const HexMap& map, const std::vector<HexDonor>& donors,
                               const std::vector<HexReceiver>& receivers, const Tick& tick) {
  HexTransport problem(map, donors, receivers);
  for (std::uint32_t j = 0; j < receivers.size(); ++j) problem.serve(j, tick);
  std::vector<HexMove> out = problem.moves();
  tidy_moves(out);
  return out;
}

}  // namespace sdclattice
