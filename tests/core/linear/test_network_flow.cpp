// Flows against all solutions of small systems; what is a network, by trying the signs of all rows.
#include <algorithm>

#include "check.hpp"
#include "linear/network_flow.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

const auto no_check = [] {};

// Each cell in at most two rows, with coefficients 1 and -1, and some change of the signs of rows
// gives the two entries of a cell opposite signs.
bool is_plain_network(const LinearSystem& system) {
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> rows(system.n_cells());
  for (std::size_t r = 0; r < system.n_rows(); ++r)
    for (std::size_t e = system.start[r]; e < system.start[r + 1]; ++e) {
      if (std::abs(system.coefficient[e]) != 1) return false;
      rows[system.cell[e]].push_back({r, system.coefficient[e]});
    }
  for (const auto& of : rows)
    if (of.size() > 2) return false;
  for (std::size_t flips = 0; flips < (std::size_t{1} << system.n_rows()); ++flips) {
    const auto sign = [&](const std::pair<std::size_t, std::int64_t>& entry) {
      return (flips >> entry.first) & 1 ? -entry.second : entry.second;
    };
    bool fine = true;
    for (const auto& of : rows) fine = fine && (of.size() < 2 || sign(of[0]) != sign(of[1]));
    if (fine) return true;
  }
  return false;
}

// Rows through a random point with coefficients of size 1, few for each cell.
LinearSystem random_network(Dice& dice) {
  LinearSystem out;
  const int n = 1 + dice.below(6), m = 1 + dice.below(4);
  Whole x;
  std::vector<Whole> row(static_cast<std::size_t>(m), Whole(static_cast<std::size_t>(n), 0));
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    out.lower.push_back(dice.below(2));
    out.upper.push_back(out.lower.back() + dice.below(4));
    x.push_back(dice.between(static_cast<int>(out.lower[at]), static_cast<int>(out.upper[at])));
    const auto one = static_cast<std::size_t>(dice.below(m)),
               other = static_cast<std::size_t>(dice.below(m));
    row[one][at] = dice.below(2) ? 1 : -1;
    if (other != one && dice.below(4))
      row[other][at] = dice.below(5) ? -row[one][at] : row[one][at];
  }
  for (const Whole& a : row) {
    std::int64_t sum = dice.below(10) == 0 ? 1 : 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * x[i];
    const int side = dice.below(8);
    add_row(out, a, side == 0 ? -kNoLimit : sum - dice.below(3) / 2,
            side == 1 ? kNoLimit : sum + dice.below(3) / 2);
  }
  return out;
}

Whole flows(const FlowNetwork& network, std::size_t n) {
  Whole out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(network.flow(i));
  return out;
}

bool within(const LinearSystem& system, const Whole& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < system.lower[i] || x[i] > system.upper[i]) return false;
  return holds(system, x);
}

// Every end of every cell, one after the other in the same network. What a push does not name, it
// leaves as it was.
bool agrees(FlowNetwork network, const LinearSystem& system) {
  const std::vector<Whole> all = solutions(system);
  if (network.solve(no_check) != !all.empty()) return false;
  if (all.empty()) return true;
  const std::size_t n = system.n_cells();
  if (!within(system, flows(network, n))) return false;
  for (std::size_t i = 0; i < n; ++i)
    for (const int sign : {1, -1}) {
      std::int64_t best = all[0][i];
      for (const Whole& x : all) best = sign > 0 ? std::max(best, x[i]) : std::min(best, x[i]);
      const Whole before = flows(network, n);
      if (!network.push(i, sign, no_check)) return false;
      const std::vector<std::uint32_t>& changed = network.changed();
      for (std::uint32_t k = 0; k < n; ++k)
        if (network.flow(k) != before[k] &&
            std::find(changed.begin(), changed.end(), k) == changed.end())
          return false;
      if (network.flow(i) != best || !within(system, flows(network, n))) return false;
    }
  return true;
}

LinearSystem two_way(const Whole& lower, const Whole& upper, std::size_t m, const Whole& rows,
                     const Whole& columns) {
  LinearSystem out;
  out.lower = lower;
  out.upper = upper;
  for (std::size_t k = 0; k < rows.size() + columns.size(); ++k) {
    Whole a(lower.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (k < m ? i % m == k : i / m == k - m) a[i] = 1;
    const std::int64_t sum = k < m ? rows[k] : columns[k - m];
    add_row(out, a, sum, sum);
  }
  return out;
}

}  // namespace

TEST(random_networks_against_all_solutions) {
  Dice dice(1);
  int networks = 0, others = 0;
  for (int round = 0; round < 1500; ++round) {
    const LinearSystem system = random_network(dice);
    const auto network = FlowNetwork::from(system);
    const bool plain = is_plain_network(system);
    if (plain) CHECK(network.has_value());
    (network ? networks : others) += 1;
    if (network) CHECK(agrees(*network, system));
  }
  CHECK(networks > 500);
  CHECK(others > 20);
}

// Systems of any form: where one is taken for a network, its bounds are right.
TEST(nothing_is_taken_for_a_network_wrongly) {
  Dice dice(2);
  int networks = 0;
  for (int round = 0; round < 2000; ++round) {
    const LinearSystem system = random_system(dice, 1 + dice.below(4), dice.below(4), 1);
    const auto network = FlowNetwork::from(system);
    if (is_plain_network(system)) CHECK(network.has_value());
    if (!network) continue;
    ++networks;
    CHECK(agrees(*network, system));
  }
  CHECK(networks > 200);
}

// All 2 x 2 tables with row and column sums up to 3, with and without the total.
TEST(all_small_two_way_tables) {
  each_between({0, 0, 0, 0}, {3, 3, 3, 3}, [&](const Whole& s) {
    LinearSystem system = two_way(Whole(4, 0), Whole(4, 3), 2, {s[0], s[1]}, {s[2], s[3]});
    const auto network = FlowNetwork::from(system);
    CHECK(network.has_value() && agrees(*network, system));
    add_row(system, {1, 1, 1, 1}, s[0] + s[1], s[0] + s[1]);
    const auto with_total = FlowNetwork::from(system);  // the total follows from the others
    CHECK(with_total.has_value() ? agrees(*with_total, system) : s[0] + s[1] != s[2] + s[3]);
  });
}

TEST(what_is_no_network) {
  LinearSystem twice;
  twice.lower = {0, 0};
  twice.upper = {5, 5};
  add_row(twice, {2, 1}, 4, 4);
  CHECK(!FlowNetwork::from(twice));
  LinearSystem triangle;  // three cells, each in two of three rows, all with 1
  triangle.lower = Whole(3, 0);
  triangle.upper = Whole(3, 5);
  for (const auto& row : {Whole{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}) add_row(triangle, row, 3, 3);
  CHECK(!FlowNetwork::from(triangle));
  LinearSystem thrice;  // a cell in three rows that do not follow from one another
  thrice.lower = Whole(4, 0);
  thrice.upper = Whole(4, 5);
  for (const auto& row : {Whole{1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}})
    add_row(thrice, row, 3, 3);
  CHECK(!FlowNetwork::from(thrice));
}

TEST(cells_without_an_upper_limit) {
  LinearSystem system;  // what flows round a ring has no limit, what leaves it has
  system.lower = {0, 0, 0};
  system.upper = {kNoLimit, kNoLimit, 4};
  add_row(system, {1, -1, 1}, 3, 3);
  auto network = FlowNetwork::from(system);
  CHECK(network.has_value() && network->solve(no_check));
  CHECK(!network->push(0, 1, no_check));
  CHECK(!network->push(1, 1, no_check));
  CHECK(network->push(2, 1, no_check));
  CHECK_EQ(network->flow(2), 4);
  CHECK(network->push(0, -1, no_check));
  CHECK_EQ(network->flow(0), 0);
  CHECK(holds(system, flows(*network, 3)));
}

TEST(the_largest_counts) {
  const std::int64_t top = (std::int64_t{1} << 53) - 1;
  const LinearSystem system = two_way(Whole(4, 0), Whole(4, kNoLimit), 2, {top, top}, {top, top});
  auto network = FlowNetwork::from(system);
  CHECK(network.has_value() && network->solve(no_check));
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(network->push(i, 1, no_check));
    CHECK_EQ(network->flow(i), top);
    CHECK_EQ(network->flow(3 - i), top);
    CHECK(network->push(i, -1, no_check));
    CHECK_EQ(network->flow(i), 0);
  }
}

TEST(without_rows_or_cells) {
  LinearSystem system;
  auto nothing = FlowNetwork::from(system);
  CHECK(nothing.has_value() && nothing->solve(no_check));
  system.lower = {2};
  system.upper = {7};
  auto one = FlowNetwork::from(system);
  CHECK(one.has_value() && agrees(*one, system));
}

// The caller looks in at every path, and may stop the work.
TEST(paths_can_be_stopped) {
  const LinearSystem system = two_way(Whole(9, 0), Whole(9, 2), 3, {4, 4, 4}, {4, 4, 4});
  auto network = FlowNetwork::from(system);
  struct Stop {};
  int looked = 0;
  CHECK_THROWS(Stop, network->solve([&] {
    if (++looked == 1) throw Stop{};
  }));
  CHECK_EQ(looked, 1);
}
