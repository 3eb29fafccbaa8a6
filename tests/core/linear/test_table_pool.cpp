// Tables to start from: which ones stay, and which one is best for a cell.
#include "base/error.hpp"
#include "check.hpp"
#include "linear/table_pool.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using small_tables::Dice;
using small_tables::Whole;

namespace {

// The pool by its definition: the first table, and the newest of the others.
class Slow {
 public:
  explicit Slow(std::size_t capacity) : capacity_(capacity) {}
  void add(const Whole& x) {
    for (const Whole& other : tables)
      if (other == x) return;
    if (tables.size() == capacity_ && capacity_ > 1) tables.erase(tables.begin() + 1);
    if (tables.size() < capacity_) tables.push_back(x);
  }
  std::int64_t best(std::size_t cell, int sign) const {
    std::int64_t out = tables[0][cell];
    for (const Whole& x : tables)
      if (sign * x[cell] > sign * out) out = x[cell];
    return out;
  }
  std::vector<Whole> tables;

 private:
  std::size_t capacity_;
};

std::vector<Whole> sorted(std::vector<Whole> x) {
  std::sort(x.begin(), x.end());
  return x;
}

}  // namespace

TEST(random_tables_against_the_definition) {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(1 + dice.below(4)),
               capacity = static_cast<std::size_t>(1 + dice.below(5));
    TablePool pool(n, capacity);
    Slow slow(capacity);
    for (int k = 0; k < 20; ++k) {
      Whole x;
      for (std::size_t i = 0; i < n; ++i) x.push_back(dice.below(4));
      pool.add(x);
      slow.add(x);
      std::vector<Whole> kept;
      for (std::size_t t = 0; t < pool.size(); ++t) kept.push_back(pool[t]);
      CHECK_EQ(kept[0], slow.tables[0]);
      CHECK(sorted(kept) == sorted(slow.tables));
      for (std::size_t i = 0; i < n; ++i)
        for (const int sign : {1, -1}) CHECK_EQ(pool[pool.best(i, sign)][i], slow.best(i, sign));
    }
  }
}

TEST(of_equal_tables_the_first_is_best) {
  TablePool pool(2, 3);
  pool.add({1, 5});
  pool.add({1, 7});
  CHECK_EQ(pool.best(0, 1), 0u);
  CHECK_EQ(pool.best(0, -1), 0u);
  CHECK_EQ(pool.best(1, 1), 1u);
}

TEST(what_is_no_pool_or_no_table_is_refused) {
  CHECK_THROWS(InputError, TablePool(2, 0));
  TablePool pool(2, 1);
  CHECK_THROWS(InputError, pool.add({1}));
}
