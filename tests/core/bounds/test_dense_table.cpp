// A table as an array: each cell stands at the sum of its levels times the strides.
#include "bounds/dense_table.hpp"
#include "bounds/margin_cases.hpp"
#include "check.hpp"

using namespace margin_cases;

TEST(cells_stand_at_their_places) {
  PublicRandom random(1);
  for (int k = 0; k < 200; ++k) {
    const Table table = random_table(random, random.below(5), 4, 3);
    VariableSet all;
    for (std::uint32_t v = 0; v < table.levels.size(); ++v) all.push_back(v);
    const Owned owned = table.released(all);
    const DenseTable dense(owned.layout, owned.view().cells);
    bool same = dense.count.size() == table.count.size();
    for (std::size_t i = 0; i < table.count.size() && same; ++i) {
      const auto at = table.at(i);
      std::size_t place = 0;
      for (std::size_t v = 0; v < at.size(); ++v) place += at[v] * dense.stride[v];
      same = dense.count[place] == table.count[i];
    }
    CHECK(same);
  }
}
