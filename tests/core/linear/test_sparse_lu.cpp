// Solves with sparse bases against dense elimination with full pivoting, after many exchanges of
// columns, and with columns that depend on each other.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "linear/sparse_lu.hpp"
#include "small_tables.hpp"

using namespace sdclattice;
using namespace small_tables;

namespace {

using Dense = std::vector<std::vector<long double>>;  // by rows
using Vector = std::vector<long double>;

// Columns with 1 to `most` entries, mostly 1 and -1.
SparseColumns random_columns(Dice& dice, int n_rows, int n_columns, int most) {
  SparseColumns out;
  out.n_rows = static_cast<std::size_t>(n_rows);
  for (int j = 0; j < n_columns; ++j) {
    std::vector<std::uint32_t> rows;
    for (int e = 1 + dice.below(most); e > 0; --e)
      rows.push_back(static_cast<std::uint32_t>(dice.below(n_rows)));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const std::uint32_t r : rows) {
      out.row.push_back(r);
      out.value.push_back((dice.below(2) == 0 ? -1.0 : 1.0) * (dice.below(5) == 0 ? 2.0 : 1.0));
    }
    out.start.push_back(out.row.size());
  }
  return out;
}

Dense dense(const SparseColumns& columns, const std::vector<std::uint32_t>& basic) {
  const std::size_t m = columns.n_rows;
  Dense out(m, Vector(basic.size(), 0.0L));
  for (std::size_t k = 0; k < basic.size(); ++k)
    columns.each(basic[k], [&](std::uint32_t r, double x) { out[r][k] = x; });
  return out;
}

Dense transposed(const Dense& a) {
  Dense out(a.size(), Vector(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) out[j][i] = a[i][j];
  return out;
}

// The solution of a x = b; empty where a is singular.
Vector solved(Dense a, Vector b) {
  const std::size_t n = a.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t r = k, c = k;
    for (std::size_t i = k; i < n; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (std::fabs(a[i][j]) > std::fabs(a[r][c])) r = i, c = j;
    if (std::fabs(a[r][c]) < 1e-9L) return {};
    std::swap(a[k], a[r]);
    std::swap(b[k], b[r]);
    std::swap(order[k], order[c]);
    for (Vector& row : a) std::swap(row[k], row[c]);
    for (std::size_t i = 0; i < n; ++i) {
      const long double by = i == k ? 0.0L : a[i][k] / a[k][k];
      if (by == 0.0L) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= by * a[k][j];
      b[i] -= by * b[k];
    }
  }
  Vector out(n);
  for (std::size_t k = 0; k < n; ++k) out[order[k]] = b[k] / a[k][k];
  return out;
}

std::size_t rank(Dense a) {
  std::size_t out = 0;
  for (std::size_t c = 0; !a.empty() && c < a[0].size() && out < a.size(); ++c) {
    std::size_t r = out;
    for (std::size_t i = out; i < a.size(); ++i)
      if (std::fabs(a[i][c]) > std::fabs(a[r][c])) r = i;
    if (std::fabs(a[r][c]) < 1e-9L) continue;
    std::swap(a[out], a[r]);
    for (std::size_t i = out + 1; i < a.size(); ++i) {
      const long double by = a[i][c] / a[out][c];
      for (std::size_t j = c; j < a[0].size(); ++j) a[i][j] -= by * a[out][j];
    }
    ++out;
  }
  return out;
}

// A factor, and which column stands at which place that was not abandoned.
struct Trial {
  const SparseColumns& columns;
  SparseLU lu;
  std::vector<std::uint32_t> basic;
  std::vector<std::size_t> place;

  explicit Trial(const SparseColumns& of) : columns(of), lu(of) {}
  std::vector<std::uint32_t> factor(const std::vector<std::uint32_t>& wanted) {
    basic = wanted;
    place.resize(wanted.size());
    std::iota(place.begin(), place.end(), std::size_t{0});
    return lu.factor(basic);
  }
  // Column j for the k-th; false where its pivot would be small.
  bool exchange(std::size_t k, std::uint32_t j) {
    MarkedVector image(lu.n_places());
    columns.each(j, [&](std::uint32_t r, double x) { image.add(lu.start_of(r), x); });
    lu.ftran_entering(image);
    if (std::fabs(image[place[k]]) < 0.1) return false;
    MarkedVector row(lu.n_places());
    lu.btran_leaving(place[k], row);
    place[k] = lu.update(image[place[k]]);
    basic[k] = j;
    return true;
  }
};

// The largest error of both solves with right-hand sides of a few entries.
double worst_error(Dice& dice, const Trial& trial) {
  const std::size_t m = trial.columns.n_rows;
  const Dense a = dense(trial.columns, trial.basic);
  MarkedVector x(trial.lu.n_places()), y(trial.lu.n_places());
  Vector b(m, 0.0L), c(m, 0.0L);
  for (int e = 1 + dice.below(3); e > 0; --e) {
    const auto r = static_cast<std::size_t>(dice.below(static_cast<int>(m)));
    const double value = dice.between(-4, 4);
    x.add(trial.lu.start_of(r), value);
    b[r] += value;
    y.add(trial.place[r], value);
    c[r] += value;
  }
  trial.lu.ftran(x);
  trial.lu.btran(y);
  const Vector u = solved(a, b), v = solved(transposed(a), c);
  if (u.size() != m || v.size() != m) return 1e9;
  long double out = 0.0L;
  for (std::size_t i = 0; i < m; ++i) {
    out = std::max(out, std::fabs(x[trial.place[i]] - u[i]) / (1.0L + std::fabs(u[i])));
    out = std::max(out, std::fabs(y[trial.lu.start_of(i)] - v[i]) / (1.0L + std::fabs(v[i])));
  }
  return static_cast<double>(out);
}

std::vector<std::uint32_t> random_basis(Dice& dice, const SparseColumns& columns, int units) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t j = 0; j < columns.n_columns(); ++j) all.push_back(j);
  for (std::size_t k = 0; k + 1 < all.size(); ++k)
    std::swap(all[k],
              all[k + static_cast<std::size_t>(dice.below(static_cast<int>(all.size() - k)))]);
  all.resize(columns.n_rows);
  for (std::uint32_t r = 0; r < columns.n_rows; ++r)
    if (dice.below(100) < units) all[r] = static_cast<std::uint32_t>(columns.n_columns()) + r;
  return all;
}

}  // namespace

TEST(starts_with_units) {
  Dice dice(1);
  const SparseColumns columns = random_columns(dice, 7, 9, 3);
  Trial trial(columns);
  for (std::uint32_t k = 0; k < 7; ++k) {
    trial.basic.push_back(9 + trial.lu.row_at(k));
    trial.place.push_back(k);
    CHECK_EQ(trial.lu.start_of(trial.lu.row_at(k)), k);
  }
  CHECK(worst_error(dice, trial) == 0.0);
  CHECK_EQ(trial.lu.n_updates(), 0u);
  CHECK_EQ(trial.lu.n_entries(), 7u);
  CHECK(trial.lu.n_places() > 7u);
}

// Any set of columns: what is left after the dependent ones have gone is a basis, as large as the
// rank says, and solves well.
TEST(random_bases_against_dense_elimination) {
  Dice dice(2);
  int whole = 0, dependent = 0;
  for (int round = 0; round < 400; ++round) {
    const int m = 1 + dice.below(30);
    const SparseColumns columns = random_columns(dice, m, m + dice.below(20), 2 + dice.below(5));
    const std::vector<std::uint32_t> wanted = random_basis(dice, columns, 10 * dice.below(8));
    Trial trial(columns);
    const std::vector<std::uint32_t> dropped = trial.factor(wanted);
    CHECK_EQ(trial.basic.size(), wanted.size());
    CHECK_EQ(wanted.size() - dropped.size(), rank(dense(columns, wanted)));
    for (const std::uint32_t j : dropped) CHECK(std::count(wanted.begin(), wanted.end(), j) > 0);
    for (const std::uint32_t j : trial.basic)
      CHECK(j >= columns.n_columns() || std::count(wanted.begin(), wanted.end(), j) == 1);
    CHECK(worst_error(dice, trial) < 1e-9);
    dropped.empty() ? ++whole : ++dependent;
  }
  CHECK(whole > 50);
  CHECK(dependent > 50);
}

// Columns come and go one at a time; each basis along the way solves as a new factor would.
TEST(many_updates) {
  Dice dice(3);
  int updates = 0;
  for (int round = 0; round < 40; ++round) {
    const int m = 4 + dice.below(22);
    const SparseColumns columns = random_columns(dice, m, 3 * m, 2 + dice.below(4));
    Trial trial(columns);
    trial.factor(random_basis(dice, columns, 30));
    for (int change = 0; change < 80 && !trial.lu.is_worn(); ++change) {
      const auto j = static_cast<std::uint32_t>(dice.below(3 * m));
      if (std::count(trial.basic.begin(), trial.basic.end(), j) > 0) continue;
      const std::size_t before = trial.lu.n_updates();
      const bool done = trial.exchange(static_cast<std::size_t>(dice.below(m)), j);
      CHECK_EQ(trial.lu.n_updates(), before + done);
      updates += done;
      CHECK(worst_error(dice, trial) < 1e-6);
    }
  }
  CHECK(updates > 500);
}

TEST(worn_after_so_many_updates) {
  SparseColumns columns;
  columns.n_rows = 1;
  for (int j = 0; j < 2; ++j) {
    columns.row.push_back(0);
    columns.value.push_back(1.0 + j);
    columns.start.push_back(columns.row.size());
  }
  Trial trial(columns);
  CHECK(trial.factor({0}).empty());
  std::size_t n = 0;
  for (; !trial.lu.is_worn() && n < 1000; ++n) {
    CHECK(trial.exchange(0, n % 2 == 0 ? 1 : 0));
    CHECK_EQ(trial.lu.n_updates(), n + 1);
    CHECK(trial.place[0] < trial.lu.n_places());
  }
  CHECK(trial.lu.is_worn());
  CHECK(trial.factor({1}).empty());
  CHECK(!trial.lu.is_worn());
  CHECK_EQ(trial.lu.n_updates(), 0u);
}

TEST(no_rows) {
  const SparseColumns columns;
  SparseLU lu(columns);
  std::vector<std::uint32_t> basic;
  CHECK(lu.factor(basic).empty());
  MarkedVector x(lu.n_places());
  lu.ftran(x);
  lu.btran(x);
  CHECK(basic.empty());
}

// Sides of triangles turned over and back.
TEST(transposed_twice) {
  Dice dice(4);
  for (int round = 0; round < 50; ++round) {
    TriangleSide side, turned, back;
    const int n = 1 + dice.below(12);
    for (int k = 0; k < n; ++k) {
      for (int i = 0; i < k; ++i)
        if (dice.below(3) == 0) side.push(static_cast<std::uint32_t>(i), dice.uniform());
      side.close();
    }
    turned.transpose(side);
    back.transpose(turned);
    CHECK(back.start == side.start);
    CHECK(back.place == side.place);
    CHECK(back.value == side.value);
    for (std::size_t k = 0; k + 1 < turned.start.size(); ++k)
      for (std::size_t e = turned.start[k]; e < turned.start[k + 1]; ++e)
        CHECK(turned.place[e] > k);
  }
}
