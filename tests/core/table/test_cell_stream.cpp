// Cells that come in blocks against tabulating all of them.
#include "base/error.hpp"
#include "check.hpp"
#include "table/cell_stream.hpp"
#include "table/records.hpp"

using namespace records;

namespace {

using Maps = std::vector<std::vector<std::uint32_t>>;

// The codes of values in the order in which they first come, and what value each code is.
struct Coded {
  std::vector<std::vector<std::int32_t>> codes;
  Maps level_of;

  explicit Coded(const Records& records) {
    for (const auto& column : records.codes) {
      codes.emplace_back();
      level_of.emplace_back();
      std::vector<std::uint32_t>& seen = level_of.back();
      for (std::int32_t value : column) {
        const auto level = static_cast<std::uint32_t>(value - 1);
        auto at = std::find(seen.begin(), seen.end(), level);
        if (at == seen.end()) at = seen.insert(at, level);
        codes.back().push_back(static_cast<std::int32_t>(at - seen.begin()) + 1);
      }
    }
  }
};

void send(CellStream& stream, const Coded& coded, const std::vector<double>& counts,
          std::size_t from, std::size_t n) {
  std::vector<const std::int32_t*> codes;
  for (const auto& column : coded.codes) codes.push_back(column.data() + from);
  stream.add(codes, counts.data() + from, n);
}

}  // namespace

TEST(blocks_of_cells_make_the_table_of_all) {
  Dice dice;
  for (int round = 0; round < 120; ++round) {
    const Levels dim = random_dim(dice, dice.below(round % 5 == 0 ? 40 : 6), 1 + dice.below(70));
    const Records records(dice, dim, dice.below(round % 40 == 0 ? 90000 : 600));
    const Coded coded(records);
    CellStream stream(dim.size(), round % 2 == 0);
    for (std::size_t from = 0; from < records.n;) {
      const std::size_t n = std::min<std::size_t>(records.n - from, dice.below(40000));
      send(stream, coded, records.weights, from, n);
      from += n;
    }
    const Layout to(dim);
    CHECK(agrees(to, stream.take(to, coded.level_of, {}), records.twin(records.all(), true)));
    CHECK(stream.n_rows() == 0);
  }
}

// Far fewer rows than came, and never much more than there are cells.
TEST(repeated_cells_take_no_room) {
  Dice dice;
  const Records records(dice, {150, 150}, 250000);
  const Coded coded(records);
  CellStream stream(2, true);
  std::size_t most = 0;
  for (std::size_t from = 0; from < records.n; from += 5000) {
    send(stream, coded, records.weights, from, 5000);
    most = std::max(most, stream.n_rows());
  }
  CHECK(most < 72000);
  const Layout to(records.dim);
  CHECK(agrees(to, stream.take(to, coded.level_of, {}), records.twin(records.all(), true)));
}

TEST(values_that_are_one_level_are_added_up) {
  const std::int32_t codes[] = {1, 2, 3, 4};
  const double counts[] = {5, 6, 0, 8};
  CellStream stream(1, false);
  stream.add({codes}, counts, 4);
  const Layout to({2});
  CHECK(agrees(to, stream.take(to, {{1, 0, 1, 1}}, {}), {{{0}, 6}, {{1}, 13}}));
}

TEST(streams_refuse_what_does_not_fit) {
  const std::int32_t codes[] = {1, 2}, none[] = {0, 1};
  const double counts[] = {1, 9007199254740991.0}, one[] = {1, 1};
  CellStream stream(1, false);
  CHECK_THROWS(InputError, stream.add({none}, one, 2));
  stream.add({codes}, counts, 2);
  CHECK_THROWS(InputError, stream.take(Layout({2}), {{0}}, {}));
  CHECK_THROWS(InputError, stream.take(Layout({2}), {{0, 2}}, {}));
  CHECK_THROWS(TooLargeError, stream.add({codes}, one, 1));
}
