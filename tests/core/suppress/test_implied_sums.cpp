// Sums that follow from published ones, against the ranks of all subsets of leaves.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "suppress/implied_sums.hpp"

using namespace sdclattice;

namespace {

using Matrix = std::vector<std::vector<std::int64_t>>;
using Set = std::vector<std::uint32_t>;

// By elimination without fractions (Bareiss).
std::size_t rank_of(Matrix m) {
  std::size_t rank = 0;
  std::int64_t before = 1;
  const std::size_t n = m.empty() ? 0 : m[0].size();
  for (std::size_t c = 0; c < n && rank < m.size(); ++c) {
    std::size_t at = rank;
    while (at < m.size() && m[at][c] == 0) ++at;
    if (at == m.size()) continue;
    std::swap(m[at], m[rank]);
    for (std::size_t r = rank + 1; r < m.size(); ++r)
      for (std::size_t k = n; k-- > c;)
        m[r][k] = (m[rank][c] * m[r][k] - m[r][c] * m[rank][k]) / before;
    before = m[rank][c];
    ++rank;
  }
  return rank;
}

struct Table {
  std::vector<std::vector<char>> holds;  // of each published cell: does it hold the leaf
  std::vector<std::int64_t> count;

  ShownSums shown() const {
    ShownSums out;
    out.count = count;
    out.n_shown = static_cast<std::uint32_t>(holds.size());
    out.start.push_back(0);
    for (std::size_t leaf = 0; leaf < count.size(); ++leaf) {
      for (std::uint32_t s = 0; s < holds.size(); ++s)
        if (holds[s][leaf]) out.shown.push_back(s);
      out.start.push_back(out.shown.size());
    }
    return out;
  }

  std::int64_t sum(std::size_t set) const {
    std::int64_t out = 0;
    for (std::size_t leaf = 0; leaf < count.size(); ++leaf)
      if ((set >> leaf & 1) != 0) out += count[leaf];
    return out;
  }
};

// All subsets of leaves, by ranks. Those that are known to be 0 leave the equations.
std::vector<std::size_t> all_sums(const Table& table, std::int64_t least, std::int64_t most) {
  const std::size_t n = table.count.size();
  std::size_t zero = 0;
  for (;;) {
    Matrix rows;
    for (const auto& holds : table.holds) {
      rows.emplace_back(n, 0);
      for (std::size_t leaf = 0; leaf < n; ++leaf)
        rows.back()[leaf] = holds[leaf] && (zero >> leaf & 1) == 0;
    }
    const std::size_t rank = rank_of(rows);
    std::vector<std::size_t> found;
    std::size_t more = 0;
    for (std::size_t set = 1; set < (std::size_t{1} << n); ++set) {
      if ((set & zero) != 0 || table.sum(set) > most) continue;
      Matrix with = rows;
      with.emplace_back(n, 0);
      for (std::size_t leaf = 0; leaf < n; ++leaf) with.back()[leaf] = set >> leaf & 1;
      if (rank_of(with) != rank) continue;
      if (table.sum(set) < least) more |= set;
      found.push_back(set);
    }
    if (more != 0) {
      zero |= more;
      continue;
    }
    std::vector<std::size_t> kept;
    for (const std::size_t set : found)
      if (std::none_of(found.begin(), found.end(),
                       [&](std::size_t less) { return less != set && (less & set) == less; }))
        kept.push_back(set);
    return kept;
  }
}

std::size_t as_bits(const Set& leaves) {
  std::size_t out = 0;
  for (const std::uint32_t leaf : leaves) out |= std::size_t{1} << leaf;
  return out;
}

// What the terms add up to, in each leaf.
bool adds_up(const Table& table, const ImpliedSum& sum) {
  for (std::size_t leaf = 0; leaf < table.count.size(); ++leaf) {
    std::int64_t n = 0;
    for (std::size_t t = 0; t < sum.term.size(); ++t)
      n += sum.times[t] * table.holds[sum.term[t]][leaf];
    if (n != static_cast<std::int64_t>(as_bits(sum.leaves) >> leaf & 1)) return false;
  }
  return true;
}

// Groupings of the leaves, each of which makes two or three classes, of which some are published.
Table random_table(std::mt19937& random) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Table out;
  const int n = 2 + pick(7);
  for (int i = 0; i < n; ++i) out.count.push_back(pick(3) == 0 ? 20 + pick(9) : pick(5));
  const int groupings = 1 + pick(3);
  for (int g = 0; g < groupings; ++g) {
    const int classes = 2 + pick(2);
    std::vector<int> of(static_cast<std::size_t>(n));
    for (int& c : of) c = pick(classes);
    for (int c = 0; c < classes; ++c) {
      if (pick(5) == 0) continue;
      out.holds.emplace_back();
      for (const int own : of) out.holds.back().push_back(own == c);
    }
  }
  if (pick(2) == 0) out.holds.emplace_back(static_cast<std::size_t>(n), 1);
  return out;
}

}  // namespace

TEST(random_tables_agree_with_all_subsets) {
  std::mt19937 random(4711);
  std::size_t with_sums = 0, with_several = 0, n_sums = 0, n_named = 0;
  for (int i = 0; i < 3000; ++i) {
    const Table table = random_table(random);
    const std::int64_t least = i % 2, most = 1 + i % 4;
    const ImpliedSums found = implied_sums(table.shown(), least, most, 1000000);
    std::vector<std::size_t> sets;
    for (const ImpliedSum& sum : found.sums) {
      sets.push_back(as_bits(sum.leaves));
      // leaves that are known zeros may be left over: only where none is, terms make the sum
      if (std::count(table.count.begin(), table.count.end(), 0) > 0) continue;
      CHECK(sum.term.empty() || adds_up(table, sum));
      ++n_sums;
      n_named += !sum.term.empty();
    }
    std::vector<std::size_t> expected = all_sums(table, least, most);
    std::sort(sets.begin(), sets.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found.complete);
    CHECK(sets == expected);
    with_sums += !sets.empty();
    with_several += sets.size() > 1;
  }
  CHECK(with_sums > 500);
  CHECK(with_several > 100);
  // few are halves of combinations
  CHECK(n_named > 100 && n_named * 20 > n_sums * 19);
}

// g1 = a1 + a2 + a3, h1 = a1 + a3: a2 = g1 - h1.
TEST(a_difference_of_two_groupings) {
  Table table;
  table.count = {40, 1, 30, 25, 33, 18};
  table.holds = {{1, 1, 1, 0, 0, 0}, {0, 0, 0, 1, 1, 1}, {1, 0, 1, 0, 0, 0}, {0, 1, 0, 1, 1, 1}};
  const ImpliedSums found = implied_sums(table.shown(), 1, 3, 1000);
  CHECK(found.complete);
  CHECK(found.sums.size() == 1 && found.sums[0].leaves == Set{1});
  CHECK(found.sums.size() == 1 && adds_up(table, found.sums[0]));
}

TEST(the_steps_are_limited) {
  Table table;
  table.count = {1, 2, 3};
  table.holds = {{1, 1, 0}, {1, 1, 1}, {1, 0, 1}};
  CHECK(!implied_sums(table.shown(), 1, 3, 2).complete);
  CHECK(implied_sums(table.shown(), 1, 3, 1000).complete);
  CHECK(implied_sums(ShownSums{{0}, {}, {}, 0}, 1, 3, 1000).complete);
}
