// One wanted change, against the list of all small differences.
#include <cmath>

#include "base/work_clock.hpp"
#include "check.hpp"
#include "suppress/product_tables.hpp"
#include "suppress/vertex_programme.hpp"

using namespace product_tables;

namespace {

bool wants(const WantedChange& wanted, const std::vector<std::int64_t>& d) {
  if (wanted.sign * d[wanted.cell] < wanted.amount) return false;
  return std::all_of(wanted.shut.begin(), wanted.shut.end(),
                     [&](std::uint32_t i) { return d[i] == 0; });
}

std::vector<std::int64_t> dense(const SuppressionProblem& problem, const Certificate& c) {
  std::vector<std::int64_t> out(problem.n_cells(), 0);
  for (std::size_t k = 0; k < c.cell.size(); ++k) out[c.cell[k]] = c.change[k];
  return out;
}

double price_of(const std::vector<std::int64_t>& d, const std::vector<double>& price) {
  double out = 0;
  for (std::size_t i = 0; i < d.size(); ++i) out += price[i] * std::fabs(static_cast<double>(d[i]));
  return out;
}

struct Counts {
  int found = 0, none = 0;
};

// Every cell both ways, some cells shut, some not usable. In two-way tables the vertices are whole
// and the cheapest of all.
void compare(Dice& dice, const Product& p, const SuppressionProblem& problem, bool is_network,
             Counts& counts) {
  const auto differences = all_differences(p, problem, is_network ? 2 : 1);
  std::vector<char> usable(problem.n_cells(), 1), hidden;
  for (char& u : usable) u = dice.below(8) != 0;
  for (std::size_t i = 0; i < usable.size(); ++i)
    hidden.push_back(usable[i] && problem.role[i] != CellRole::unseen);
  const Tick none;
  WorkClock clock(100, none);
  VertexProgramme programme(problem, usable, clock);
  std::vector<double> price;
  for (std::size_t i = 0; i < problem.n_cells(); ++i) price.push_back(.01 + dice.uniform());
  for (std::uint32_t cell = 0; cell < problem.n_cells(); ++cell)
    for (const int sign : {1, -1}) {
      WantedChange wanted{cell, sign, is_network ? dice.between(1, 2) : 1, {}};
      if (dice.below(3) == 0)
        wanted.shut.push_back(
            static_cast<std::uint32_t>(dice.below(static_cast<int>(problem.n_cells()))));
      double least = -1;
      for (const auto& d : differences) {
        if (!wants(wanted, d)) continue;
        bool may = true;
        for (std::size_t i = 0; i < d.size(); ++i) may = may && (d[i] == 0 || usable[i]);
        if (may && (least < 0 || price_of(d, price) < least)) least = price_of(d, price);
      }
      Certificate out;
      const VertexEnd end = programme.find(wanted, price, true, out);
      CHECK(end != VertexEnd::unknown);
      CHECK(end == VertexEnd::found || least < 0);
      if (end == VertexEnd::none) ++counts.none;
      if (end != VertexEnd::found) continue;
      ++counts.found;
      const auto d = dense(problem, out);
      CHECK(certifies(problem, hidden, out) && wants(wanted, d));
      if (is_network && least >= 0) CHECK(price_of(d, price) <= least + 1e-6);
    }
}

}  // namespace

TEST(two_way_tables) {
  Dice dice(1);
  Counts counts;
  for (int round = 0; round < 40; ++round) {
    const Product p = random_product(dice, flat({2, 3}), 20, 4);
    if (p.inner.empty()) continue;
    Wish wish;
    wish.floor = round % 2;
    compare(dice, p, problem_of(p, wish), true, counts);
  }
  CHECK(counts.found > 100 && counts.none > 50);
}

TEST(three_way_tables) {
  Dice dice(2);
  Counts counts;
  for (int round = 0; round < 15; ++round) {
    Product shape = flat({2, 2, 2});
    if (round % 3 == 0) shape.tables = {{1, 1, 0}, {1, 0, 1}};
    const Product p = random_product(dice, shape, 15, 4);
    Wish wish;
    wish.floor = round % 2;
    compare(dice, p, problem_of(p, wish), false, counts);
  }
  CHECK(counts.found > 100 && counts.none > 50);
}

TEST(the_time_ends_the_work) {
  Dice dice(3);
  const Product p = random_product(dice, flat({6, 6, 6}), 0, 4);
  const SuppressionProblem problem = problem_of(p, {});
  const Tick none;
  WorkClock clock(0, none);
  VertexProgramme programme(problem, std::vector<char>(problem.n_cells(), 1), clock);
  const std::vector<double> price(problem.n_cells(), 1);
  Certificate out;
  const auto all = [&] {
    for (std::uint32_t i = 0; i < problem.n_cells(); ++i)
      programme.find({i, 1, 1, {}}, price, true, out);
    return 0;
  };
  CHECK_THROWS(WorkTimeUp, all());
}
