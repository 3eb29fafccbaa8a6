// Who asks for a table is asked for its memory once, when it is known how many cells there are.
#include "check.hpp"
#include "table/cell_sink.hpp"
#include "table/records.hpp"

using namespace records;

TEST(memory_is_asked_for_once) {
  Dice dice;
  for (const Levels& dim : {Levels{3, 4}, Levels{90, 90, 90}}) {
    const Records records(dice, dim, 20000);
    const Layout layout(dim);
    Stored stored;
    std::vector<std::size_t> asked;
    const CellSink sink = [&](std::size_t n) {
      asked.push_back(n);
      return sink_of(stored, layout.n_words())(n);
    };
    sdclattice::tabulate(layout, records.columns(), records.n, nullptr, 3, {}, sink);
    CHECK(asked == std::vector<std::size_t>{stored.counts.size()});
    CHECK(agrees(layout, rows_of(stored, layout.n_words()), records.twin(records.all(), false)));
    const CellSink none = [](std::size_t) -> CellRoom { throw 7; };
    CHECK_THROWS(int,
                 sdclattice::tabulate(layout, records.columns(), records.n, nullptr, 3, {}, none));
  }
}
