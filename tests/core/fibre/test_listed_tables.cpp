// Listed tables: groups by margin, judgements and ranges, on tables that can be looked through.
#include "base/error.hpp"
#include "check.hpp"
#include "fibre/listed_tables.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

// The 2 x 2 tables with rows and columns of 3: their first cell says it all.
const std::vector<double> kSquare = {0, 3, 3, 0, 1, 2, 2, 1, 2, 1, 1, 2, 3, 0, 0, 3};
const ListedTables kTables{kSquare.data(), 4, 4};
const std::vector<std::size_t> kAll = {0, 1, 2, 3};

struct Case {
  std::vector<double> counts;
  ListedTables tables;
  std::vector<std::size_t> among;
  std::vector<std::uint32_t> sum_of;
  ListedRisk risk;
  double count(std::size_t t, std::size_t c) const { return counts[t * tables.n_cells + c]; }
};

void random_case(Dice& dice, Case& out) {
  out = Case();
  const std::size_t n = 1 + static_cast<std::size_t>(dice.below(5)),
                    m = 1 + static_cast<std::size_t>(dice.below(12));
  for (std::size_t k = 0; k < n * m; ++k) out.counts.push_back(dice.below(4));
  out.tables = {out.counts.data(), n, m};
  for (std::size_t t = 0; t < m; ++t)
    if (dice.below(4)) out.among.push_back(t);
  for (std::size_t c = 0; c < n; ++c)
    out.sum_of.push_back(static_cast<std::uint32_t>(dice.below(3)));
  out.risk.width = dice.below(4);
  if (dice.below(2))
    out.risk.counts = {1, static_cast<double>(dice.below(4))};
  else
    out.risk.cells = {static_cast<std::size_t>(dice.below(static_cast<int>(n)))};
}

bool same_margin(const Case& c, std::size_t a, std::size_t b) {
  for (std::uint32_t sum = 0; sum < 3; ++sum) {
    double difference = 0;
    for (std::size_t i = 0; i < c.sum_of.size(); ++i)
      if (c.sum_of[i] == sum) difference += c.count(a, i) - c.count(b, i);
    if (difference != 0) return false;
  }
  return true;
}

// Whether every cell at risk in table t has, over the tables with the same margin, two counts that
// lie wide enough apart.
bool is_safe(const Case& c, std::size_t t) {
  for (std::size_t i = 0; i < c.tables.n_cells; ++i) {
    const auto holds = [](const auto& all, auto x) {
      return std::find(all.begin(), all.end(), x) != all.end();
    };
    if (!(c.risk.counts.empty() ? holds(c.risk.cells, i) : holds(c.risk.counts, c.count(t, i))))
      continue;
    bool wide = false;
    for (const std::size_t a : c.among)
      for (const std::size_t b : c.among)
        if (same_margin(c, a, t) && same_margin(c, b, t))
          wide = wide || c.count(a, i) - c.count(b, i) >= c.risk.width;
    if (!wide) return false;
  }
  return true;
}

}  // namespace

TEST(random_lists_against_all_pairs_of_tables) {
  Dice dice(1);
  Case c;
  for (int round = 0; round < 800; ++round) {
    random_case(dice, c);
    const JudgedTables found = judge_tables(c.tables, c.among, c.sum_of, c.risk, {});
    CHECK_EQ(found.group.size(), c.among.size());
    CHECK_EQ(found.safe.size(), c.among.size());
    bool groups = true, safe = true;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < c.among.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        groups =
            groups && (found.group[i] == found.group[j]) == same_margin(c, c.among[i], c.among[j]);
      groups = groups && found.group[i] <= next;  // numbered as they come
      next = std::max(next, found.group[i] + 1);
      safe = safe && (found.safe[i] != 0) == is_safe(c, c.among[i]);
    }
    CHECK(groups);
    CHECK(safe);
  }
}

// Fewer tables that agree never make an answer safe that was not: what is known can only grow.
TEST(fewer_tables_are_no_safer) {
  Dice dice(2);
  Case c;
  for (int round = 0; round < 300; ++round) {
    random_case(dice, c);
    if (c.among.size() < 2) continue;
    const JudgedTables all = judge_tables(c.tables, c.among, c.sum_of, c.risk, {});
    const auto without = static_cast<std::size_t>(dice.below(static_cast<int>(c.among.size())));
    c.among.erase(c.among.begin() + static_cast<std::ptrdiff_t>(without));
    const JudgedTables fewer = judge_tables(c.tables, c.among, c.sum_of, c.risk, {});
    for (std::size_t i = 0; i < c.among.size(); ++i)
      CHECK(fewer.safe[i] <= all.safe[i + (i >= without)]);
  }
}

TEST(random_ranges) {
  Dice dice(3);
  Case c;
  for (int round = 0; round < 300; ++round) {
    random_case(dice, c);
    if (c.among.empty()) continue;
    const ListedRange found = range_of_tables(c.tables, c.among);
    for (std::size_t i = 0; i < c.tables.n_cells; ++i) {
      double low = 1e9, high = -1e9;
      for (const std::size_t t : c.among)
        low = std::min(low, c.count(t, i)), high = std::max(high, c.count(t, i));
      CHECK_EQ(found.lower[i], low);
      CHECK_EQ(found.upper[i], high);
    }
  }
}

TEST(one_sum_is_one_group) {
  const JudgedTables found = judge_tables(kTables, kAll, {0, 0, 0, 0}, {{1, 2}, {}, 3}, {});
  CHECK(found.group == (std::vector<std::uint32_t>{0, 0, 0, 0}));
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 1, 1, 1}));
  const JudgedTables wide = judge_tables(kTables, kAll, {0, 0, 0, 0}, {{1, 2}, {}, 4}, {});
  // nothing is at risk in tables of 0 and 3
  CHECK(wide.safe == (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

TEST(all_cells_are_a_group_each) {
  const JudgedTables found = judge_tables(kTables, kAll, {0, 1, 2, 3}, {{1}, {}, 1}, {});
  CHECK(found.group == (std::vector<std::uint32_t>{0, 1, 2, 3}));
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 0, 0, 1}));
}

TEST(some_tables_and_named_cells) {
  const JudgedTables found = judge_tables(kTables, {1, 2}, {0, 0, 1, 1}, {{}, {3}, 1}, {});
  CHECK(found.safe == (std::vector<std::uint8_t>{1, 1}));
  CHECK(judge_tables(kTables, {1, 2}, {0, 0, 1, 1}, {{}, {3}, 2}, {}).safe ==
        (std::vector<std::uint8_t>{0, 0}));
  CHECK(judge_tables(kTables, {}, {0, 0, 1, 1}, {{}, {3}, 2}, {}).safe.empty());
  CHECK_THROWS(InputError, judge_tables(kTables, kAll, {0, 0}, {{}, {3}, 2}, {}));
}

TEST(ranges) {
  const ListedRange found = range_of_tables(kTables, {1, 3});
  CHECK(found.lower == (std::vector<double>{1, 0, 0, 1}));
  CHECK(found.upper == (std::vector<double>{3, 2, 2, 3}));
  CHECK_THROWS(InputError, range_of_tables(kTables, {}));
}
