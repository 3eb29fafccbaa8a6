#include "round/rounding.hpp"

#include <algorithm>
#include <cassert>

#include "base/error.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kTickSteps = 4096;

std::vector<bool> between(const std::vector<std::int64_t>& residues) {
  std::vector<bool> out(residues.size());
  for (std::size_t e = 0; e < out.size(); ++e) out[e] = residues[e] != 0;
  return out;
}

std::vector<std::int64_t> residues_of(const std::vector<std::int64_t>& values, std::int64_t base) {
  std::vector<std::int64_t> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [base](std::int64_t v) { return v % base; });
  return out;
}

}  // namespace

ResidueWalk::ResidueWalk(const Circulation& circulation, std::int64_t base)
    : circulation_(&circulation),
      base_(base),
      residue_(residues_of(circulation.value, base)),
      lists_(circulation, between(residue_)),
      seen_(circulation.n_nodes, 0),
      place_(circulation.n_nodes, 0) {}

bool ResidueWalk::find_cycle() {
  while (lowest_ < residue_.size() && !lists_.holds(lowest_)) ++lowest_;
  if (lowest_ == residue_.size()) return false;
  walk_from(circulation_->from[lowest_]);
  measure();
  return true;
}

// A node with an edge in play has another one: its residues sum to a multiple of the base.
void ResidueWalk::walk_from(std::uint32_t node) {
  ++walk_;
  cycle_.clear();
  std::uint32_t came_by = UINT32_MAX;
  while (seen_[node] != walk_) {
    seen_[node] = walk_;
    place_[node] = static_cast<std::uint32_t>(cycle_.size());
    std::uint32_t half = lists_.first(node);
    if (!lists_.at_end(half) && half / 2 == came_by) half = lists_.next(half);
    assert(!lists_.at_end(half));
    cycle_.push_back(half);
    came_by = half / 2;
    node = lists_.across(half);
  }
  cycle_.erase(cycle_.begin(), cycle_.begin() + place_[node]);
}

void ResidueWalk::measure() {
  up_ = down_ = base_;
  for (const std::uint32_t half : cycle_) {
    const std::int64_t below = residue_[half / 2], above = base_ - below;
    const bool forward = half % 2 == 0;
    up_ = std::min(up_, forward ? above : below);
    down_ = std::min(down_, forward ? below : above);
  }
}

void ResidueWalk::push(std::int64_t by) {
  for (const std::uint32_t half : cycle_) {
    std::int64_t& residue = residue_[half / 2];
    residue += half % 2 == 0 ? by : -by;
    if (residue == 0 || residue == base_) lists_.remove(half / 2);
  }
}

// Words below 2^64 mod total are drawn again: the others hold every remainder equally often.
bool draw_coin(std::uint64_t weight, std::uint64_t total, const RandomWord& random) {
  const std::uint64_t again = (0 - total) % total;
  std::uint64_t word = random();
  while (word < again) word = random();
  return word % total < weight;
}

std::vector<std::int64_t> round_randomly(const Circulation& circulation, std::int64_t base,
                                         const RandomWord& random, const Tick& tick) {
  ResidueWalk walk(circulation, base);
  for (std::size_t step = 1; walk.find_cycle(); ++step) {
    const auto up = static_cast<std::uint64_t>(walk.up());
    const auto down = static_cast<std::uint64_t>(walk.down());
    walk.push(draw_coin(down, up + down, random) ? walk.up() : -walk.down());
    if (step % kTickSteps == 0)
      report(tick, static_cast<double>(step) / static_cast<double>(circulation.n_edges()));
  }
  std::vector<std::int64_t> out = circulation.value;
  for (std::size_t e = 0; e < out.size(); ++e) out[e] += walk.residues()[e] - out[e] % base;
  return out;
}

namespace {

// Adds up the coins that lead to one outcome; branches that have missed it are cut.
class OutcomeSum {
 public:
  OutcomeSum(const std::vector<std::int64_t>& target, std::size_t max_nodes)
      : target_(target), left_(max_nodes) {}

  double from(ResidueWalk walk, double probability) {
    while (walk.find_cycle()) {
      if (left_ == 0) throw TooLargeError("The outcomes of the coins are too many to enumerate.");
      --left_;
      const std::int64_t up = walk.up(), down = walk.down();
      const bool can_up = leads_on(walk, up), can_down = leads_on(walk, -down);
      if (!can_up && !can_down) return 0;
      const double share = static_cast<double>(down) / static_cast<double>(up + down);
      if (can_up && can_down) {
        ResidueWalk other = walk;
        other.push(-down);
        const double rest = from(std::move(other), probability * (1 - share));
        walk.push(up);
        return rest + from(std::move(walk), probability * share);
      }
      probability *= can_up ? share : 1 - share;
      walk.push(can_up ? up : -down);
    }
    return probability;
  }

 private:
  // Whether the edges that the push would finish are finished as in the outcome.
  bool leads_on(const ResidueWalk& walk, std::int64_t by) const {
    return std::all_of(walk.cycle().begin(), walk.cycle().end(), [&](std::uint32_t half) {
      const std::int64_t residue = walk.residues()[half / 2] + (half % 2 == 0 ? by : -by);
      return (residue != 0 && residue != walk.base()) || residue == target_[half / 2];
    });
  }

  const std::vector<std::int64_t>& target_;
  std::size_t left_;
};

}  // namespace

double rounding_probability(const Circulation& circulation, std::int64_t base,
                            const std::vector<std::int64_t>& rounded, std::size_t max_nodes) {
  std::vector<std::int64_t> target(rounded.size());
  for (std::size_t e = 0; e < target.size(); ++e) {
    const std::int64_t residue = circulation.value[e] % base;
    target[e] = rounded[e] - circulation.value[e] + residue;
    if (target[e] != 0 && (target[e] != base || residue == 0)) return 0;
  }
  return OutcomeSum(target, max_nodes).from(ResidueWalk(circulation, base), 1);
}

}  // namespace sdclattice
