// Originals found by going backward, against a forward run of every outcome of the coins from every
// table that the cycles connect with the published one.
#include <set>

#include "base/error.hpp"
#include "check.hpp"
#include "cycle/linkage.hpp"
#include "posterior/enumerate.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

constexpr std::size_t plenty = 1000000;

std::vector<std::int32_t> touched(const CycleSet& set, const Component& part) {
  std::set<std::int32_t> out;
  for (const std::int32_t c : part.cycles)
    for (std::size_t e = set.start[static_cast<std::size_t>(c)];
         e < set.start[static_cast<std::size_t>(c) + 1]; ++e)
      out.insert(set.cell[e]);
  return {out.begin(), out.end()};
}

// All cycles and all cells as if they were one component.
Component everything(const CycleSet& set) {
  Component out;
  for (std::size_t c = 0; c < set.size(); ++c) out.cycles.push_back(static_cast<std::int32_t>(c));
  return out;
}
std::vector<std::int32_t> every_cell(const CycleSet& set) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < set.n_cells; ++i) out.push_back(static_cast<std::int32_t>(i));
  return out;
}

// The originals of the core as a law over the values of `cells`.
TableLaw law_of(const Originals& found, const std::vector<std::int32_t>& cells,
                const Whole& published) {
  TableLaw out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    Whole x;
    for (std::size_t k = 0; k < cells.size(); ++k)
      x.push_back(published[static_cast<std::size_t>(cells[k])] -
                  found.shift[i * cells.size() + k]);
    out[x] += found.weight[i];
  }
  return out;
}

// A law of whole tables, seen in some cells and divided by its sum.
TableLaw seen_in(const TableLaw& law, const std::vector<std::int32_t>& cells) {
  TableLaw out;
  const double all = total(law);
  for (const auto& [table, p] : law) {
    Whole x;
    for (const std::int32_t c : cells) x.push_back(table[static_cast<std::size_t>(c)]);
    out[x] += p / all;
  }
  return out;
}

bool same(const TableLaw& a, const TableLaw& b) {
  for (const auto& [table, p] : a)
    if (p > 1e-14 && (b.count(table) == 0 || std::fabs(b.at(table) - p) > 1e-12)) return false;
  for (const auto& [table, p] : b)
    if (p > 1e-12 && a.count(table) == 0) return false;
  return true;
}

struct Case {
  CycleSet set;
  Mechanism mechanism;
  Whole original, published;
};

Case random_case(Dice& dice, int round) {
  constexpr ZeroRule rules[] = {ZeroRule::blocked, ZeroRule::nonnegative, ZeroRule::none};
  Case out;
  out.set = random_cycles(dice, 2 + dice.below(4), 1 + dice.below(3), 1 + dice.below(2));
  out.mechanism = random_mechanism(dice, out.set, dice.below(5), rules[round % 3]);
  for (std::size_t i = 0; i < out.set.n_cells; ++i) out.original.push_back(dice.below(4));
  // What is published has no negative count, though a step without a rule may lead there.
  TableLaw law = publish(out.set, out.mechanism, out.original);
  for (auto at = law.begin(); at != law.end();)
    at = *std::min_element(at->first.begin(), at->first.end()) < 0 ? law.erase(at) : std::next(at);
  if (law.empty()) return random_case(dice, round);
  out.published = draw(law, dice);
  return out;
}

TableLaw weigh(TableLaw law, const std::vector<double>& rate) {
  for (auto& [table, p] : law)
    for (std::size_t i = 0; i < table.size(); ++i)
      for (std::int64_t v = 1; v <= table[i]; ++v) p *= rate[i] / static_cast<double>(v);
  return law;
}

}  // namespace

TEST(components_against_a_forward_run) {
  Dice dice(1);
  for (int round = 0; round < 240; ++round) {
    const Case c = random_case(dice, round);
    const TableLaw truth = originals(c.set, c.mechanism, c.published);
    CHECK(truth.count(c.original) == 1);
    std::vector<std::int32_t> room(c.set.n_cells);
    const Linkage linkage = find_linkage(c.set, false, room.data());
    const std::vector<double> published = as_doubles(c.published);
    double log_evidence = 0;
    for (const Component& part : linkage.components) {
      const auto cells = touched(c.set, part);
      const Originals found =
          enumerate_originals(c.set, c.mechanism, part, cells, published.data(), {}, plenty, {});
      log_evidence += found.log_evidence;
      CHECK(same(seen_in(truth, cells), law_of(found, cells, c.published)));
      double sum = 0;
      for (const double w : found.weight) sum += w;
      CHECK_NEAR(sum, 1, 1e-12);
    }
    CHECK_NEAR(std::exp(log_evidence), total(truth), 1e-12);
  }
}

TEST(a_prior_weighs_the_originals) {
  Dice dice(2);
  for (int round = 0; round < 150; ++round) {
    const Case c = random_case(dice, round);
    std::vector<double> rate;
    for (std::size_t i = 0; i < c.set.n_cells; ++i) rate.push_back(.5 + dice.below(4));
    PriorFactor factor{};
    factor.kind = PriorFactor::Kind::poisson;
    factor.value = {rate.data(), rate.size()};
    Prior prior;
    prior.factors.push_back(factor);
    const std::vector<double> published = as_doubles(c.published);
    const auto cells = every_cell(c.set);
    const Originals found = enumerate_originals(c.set, c.mechanism, everything(c.set), cells,
                                                published.data(), prior, plenty, {});
    const TableLaw truth = weigh(originals(c.set, c.mechanism, c.published), rate);
    CHECK(same(seen_in(truth, cells), law_of(found, cells, c.published)));
    CHECK_NEAR(std::exp(found.log_evidence), total(truth), 1e-12);
  }
}

TEST(two_publications_of_one_table) {
  Dice dice(3);
  int both = 0;
  for (int round = 0; round < 150; ++round) {
    Case a = random_case(dice, round), b = a;
    b.set = random_cycles(dice, static_cast<int>(a.set.n_cells), 1 + dice.below(3), 1);
    b.mechanism = random_mechanism(dice, b.set, dice.below(4), ZeroRule::nonnegative);
    b.published = draw(publish(b.set, b.mechanism, b.original), dice);
    if (round % 5 == 0) b.published[0] += 1;  // now and then what cannot be
    const std::vector<double> of_a = as_doubles(a.published), of_b = as_doubles(b.published);
    const auto cells = every_cell(a.set);
    Originals found = enumerate_originals(a.set, a.mechanism, everything(a.set), cells, of_a.data(),
                                          {}, plenty, {});
    const Originals other = enumerate_originals(b.set, b.mechanism, everything(b.set), cells,
                                                of_b.data(), {}, plenty, {});
    keep_common(found, of_a.data(), other, of_b.data(), cells);
    TableLaw truth;
    const TableLaw from_b = originals(b.set, b.mechanism, b.published);
    for (const auto& [table, p] : originals(a.set, a.mechanism, a.published))
      if (from_b.count(table)) truth[table] = p * from_b.at(table);
    CHECK_EQ(found.size() > 0, !truth.empty());
    CHECK_NEAR(std::exp(found.log_evidence), total(truth), 1e-12);
    if (truth.empty()) continue;
    ++both;
    CHECK(same(seen_in(truth, cells), law_of(found, cells, a.published)));
  }
  CHECK(both > 50);
}

TEST(publications_far_apart_have_nothing_in_common) {
  CycleSet set;
  set.n_cells = 2;
  set.add(0, 1), set.add(1, -1), set.close();
  const Mechanism mechanism{{0}, {.25}, {.25}, ZeroRule::blocked};
  const std::vector<double> near{5, 5}, far{1e15, 5};
  Originals a =
      enumerate_originals(set, mechanism, everything(set), {0, 1}, near.data(), {}, 9, {});
  const Originals b =
      enumerate_originals(set, mechanism, everything(set), {0, 1}, far.data(), {}, 9, {});
  CHECK_EQ(a.size(), 3u);
  keep_common(a, near.data(), b, far.data(), {0, 1});
  CHECK_EQ(a.size(), 0u);
  CHECK(a.log_evidence == -std::numeric_limits<double>::infinity());
}

TEST(no_original_and_too_many) {
  CycleSet set;
  set.n_cells = 2;
  set.add(0, 1), set.add(1, -1), set.close();
  const Mechanism always{{0}, {1}, {0}, ZeroRule::none};
  const std::vector<double> low{0, 1}, fine{2, 2};
  const auto ask = [&](const Mechanism& mechanism, const std::vector<double>& published,
                       std::size_t limit) {
    return enumerate_originals(set, mechanism, everything(set), {0, 1}, published.data(), {}, limit,
                               {});
  };
  CHECK_EQ(ask(always, low, 9).size(), 0u);  // it would have had -1
  CHECK_EQ(ask(always, fine, 1).size(), 1u);
  const Mechanism twice{{0, 0}, {.25}, {.25}, ZeroRule::none};
  CHECK_THROWS(TooLargeError, ask(twice, fine, 4));
  CHECK_EQ(ask(twice, fine, 5).size(), 5u);
  const Mechanism idle{{}, {.25}, {.25}, ZeroRule::blocked};
  const Originals itself = ask(idle, fine, 1);
  CHECK_EQ(itself.shift, std::vector<std::int16_t>({0, 0}));
  CHECK_EQ(itself.log_evidence, 0);
}

// The order of the originals is a function of the problem: draws by number rest on it.
TEST(originals_are_sorted) {
  Dice dice(4);
  for (int round = 0; round < 60; ++round) {
    const Case c = random_case(dice, round);
    const std::vector<double> published = as_doubles(c.published);
    const auto cells = every_cell(c.set);
    const Originals found = enumerate_originals(c.set, c.mechanism, everything(c.set), cells,
                                                published.data(), {}, plenty, {});
    bool ascends = true;
    for (std::size_t i = 1; i < found.size(); ++i) {
      const auto row = [&](std::size_t r) {
        const auto at = found.shift.begin() + static_cast<std::ptrdiff_t>(r * cells.size());
        return std::vector<std::int16_t>(at, at + static_cast<std::ptrdiff_t>(cells.size()));
      };
      ascends = ascends && row(i - 1) < row(i);
    }
    CHECK(ascends);
  }
}
