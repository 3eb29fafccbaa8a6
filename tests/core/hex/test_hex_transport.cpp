// Transports between hexagons: against sending units along cheapest ways one by one.
#include "base/error.hpp"
#include "check.hpp"
#include "hex/hex_cases.hpp"
#include "hex/hex_transport.hpp"

using namespace sdclattice;
using namespace hex_cases;

namespace {

const Tick kQuiet = [](double) {};
// Ranks decide ties: they weigh less than a step.
constexpr std::int64_t kStep = 1000000;

struct Problem {
  HexMap map;
  std::vector<HexDonor> donors;
  std::vector<HexReceiver> receivers;

  Problem(PublicRandom& random, bool ranks) : map(random_map(random, 2 + random.below(9), 8, 5)) {
    for (std::uint32_t i = 0; i < map.size(); ++i) {
      if (random.below(2) == 0)
        donors.push_back({i, static_cast<std::int64_t>(1 + random.below(5)), 0,
                          ranks ? static_cast<std::int64_t>(random.below(7)) : 0});
      else
        receivers.push_back({i, static_cast<std::int64_t>(1 + random.below(3))});
    }
    // No larger than the distance to any receiver.
    for (HexDonor& d : donors) {
      std::int64_t nearest = 0;
      for (const HexReceiver& r : receivers)
        nearest = nearest == 0 ? map.distance(d.cell, r.cell)
                               : std::min(nearest, map.distance(d.cell, r.cell));
      if (ranks)
        d.offset = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(nearest) + 1));
    }
  }
  std::int64_t cost(const HexDonor& d, std::uint32_t to) const {
    return (map.distance(d.cell, to) - d.offset) * kStep + d.rank;
  }
  std::int64_t least() const {
    Values have, need;
    std::vector<Values> costs;
    for (const HexReceiver& r : receivers) need.push_back(r.need);
    for (const HexDonor& d : donors) {
      have.push_back(d.capacity);
      costs.emplace_back();
      for (const HexReceiver& r : receivers) costs.back().push_back(cost(d, r.cell));
    }
    return cheapest(have, need, costs);
  }
  // What the moves cost; adds to `wrong` what breaks a promise.
  std::int64_t judged(const std::vector<HexMove>& moves, int& wrong) const {
    std::map<std::uint32_t, std::int64_t> gave, got;
    std::int64_t out = 0;
    for (std::size_t k = 0; k < moves.size(); ++k) {
      const HexMove& m = moves[k];
      wrong += m.amount <= 0;
      wrong += k > 0 &&
               std::make_pair(moves[k - 1].from, moves[k - 1].to) >= std::make_pair(m.from, m.to);
      gave[m.from] += m.amount;
      got[m.to] += m.amount;
      const auto donor = std::find_if(donors.begin(), donors.end(),
                                      [&](const HexDonor& d) { return d.cell == m.from; });
      wrong += donor == donors.end();
      if (donor != donors.end()) out += m.amount * cost(*donor, m.to);
    }
    for (const HexDonor& d : donors) wrong += gave[d.cell] > d.capacity;
    for (const HexReceiver& r : receivers) wrong += got[r.cell] != r.need;
    return out;
  }
};

}  // namespace

TEST(transports_are_cheapest_with_ranks_deciding_ties) {
  PublicRandom random(1);
  int wrong = 0, feasible = 0, infeasible = 0;
  for (int round = 0; round < 600; ++round) {
    const Problem p(random, round % 2 == 0);
    const std::int64_t least = p.least();
    if (least < 0) {
      CHECK_THROWS(InfeasibleError, transport(p.map, p.donors, p.receivers, kQuiet));
      ++infeasible;
      continue;
    }
    wrong += p.judged(transport(p.map, p.donors, p.receivers, kQuiet), wrong) != least;
    ++feasible;
  }
  CHECK_EQ(wrong, 0);
  CHECK(feasible > 200 && infeasible > 100);
}

TEST(the_order_of_receivers_does_not_change_the_cost) {
  PublicRandom random(2);
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    Problem p(random, true);
    if (p.least() < 0) continue;
    const std::int64_t first = p.judged(transport(p.map, p.donors, p.receivers, kQuiet), wrong);
    random.shuffle(p.receivers.begin(), p.receivers.end());
    random.shuffle(p.donors.begin(), p.donors.end());
    wrong += p.judged(transport(p.map, p.donors, p.receivers, kQuiet), wrong) != first;
  }
  CHECK_EQ(wrong, 0);
}

TEST(moves_are_sorted_and_added_up) {
  PublicRandom random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<HexMove> moves;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> twin;
    for (std::size_t i = random.below(20); i > 0; --i) {
      moves.push_back({static_cast<std::uint32_t>(random.below(4)),
                       static_cast<std::uint32_t>(random.below(4)),
                       static_cast<std::int64_t>(1 + random.below(5))});
      twin[{moves.back().from, moves.back().to}] += moves.back().amount;
    }
    tidy_moves(moves);
    CHECK_EQ(moves.size(), twin.size());
    std::size_t k = 0;
    for (const auto& [pair, amount] : twin) {
      CHECK(k < moves.size() && moves[k].from == pair.first && moves[k].to == pair.second &&
            moves[k].amount == amount);
      ++k;
    }
  }
}

TEST(large_amounts_and_far_cells) {
  const std::int64_t far = std::int64_t{1} << 39, many = std::int64_t{1} << 50;
  const HexMap map{{0, 1, far}, {0, 0, 0}, {1, 1, 1}};
  const auto moves = transport(map, {{0, many, 0, 0}, {2, many, 0, 0}}, {{1, many + 5}}, kQuiet);
  CHECK_EQ(moves.size(), 2u);
  CHECK_EQ(moves[0].amount, many);  // the near one gives all
  CHECK_EQ(moves[1].amount, 5);
}

TEST(nothing_needed_moves_nothing_and_nothing_to_give_is_infeasible) {
  const HexMap map{{0, 1}, {0, 0}, {1, 1}};
  CHECK(transport(map, {{0, 5, 0, 0}}, {}, kQuiet).empty());
  CHECK_THROWS(InfeasibleError, transport(map, {}, {{1, 1}}, kQuiet));
  CHECK_THROWS(InfeasibleError, transport(map, {{0, 5, 0, 0}}, {{1, 6}}, kQuiet));
}
