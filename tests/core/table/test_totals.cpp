// Tables with totals against a slow twin.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check.hpp"
#include "table/records.hpp"
#include "table/totals.hpp"

using namespace records;

TEST(totals_agree_with_a_map) {
  Dice dice;
  for (int round = 0; round < 100; ++round) {
    const Levels dim = random_dim(dice, 1 + dice.below(4), 5);
    const Records records(dice, dim, dice.below(100));
    const Layout from(dim);
    const Stored x = store(tabulate(from, records.columns(), records.n, nullptr, {}).cells);
    Levels extended = dim;
    std::vector<Totals> totals;
    for (std::uint32_t& levels : extended) {  // one total over all levels, one over the even ones
      Totals t;
      t.start.push_back(0);
      for (std::uint32_t l = 0; l < levels; ++l) {
        t.total.push_back(levels);
        if (l % 2 == 0) t.total.push_back(levels + 1);
        t.start.push_back(t.total.size());
      }
      totals.push_back(t);
      levels += 2;
    }
    Twin twin;
    for (const auto& [key, count] : records.twin(records.all(), false)) {
      std::vector<Levels> spread{{}};
      for (std::size_t v = 0; v < key.size(); ++v) {
        const std::size_t variable = key.size() - 1 - v;
        std::vector<Levels> next;
        for (const Levels& head : spread)
          for (std::uint32_t l : {key[v], dim[variable], dim[variable] + 1}) {
            if (l == dim[variable] + 1 && key[v] % 2) continue;
            next.push_back(head);
            next.back().push_back(l);
          }
        spread = next;
      }
      for (const Levels& l : spread) twin[l] += count;
    }
    const Layout to(extended);
    CHECK(agrees(to, add_totals(from, x.view(), to, totals, 1000000, {}), twin));
    if (twin.size() > 2) CHECK_THROWS(TooLargeError, add_totals(from, x.view(), to, totals, 1, {}));
  }
}
