// Numbers of two-way tables modulo a prime by plain dynamic programmes, as peers of count_tables():
// nothing of the package is used. For Rcpp::sourceCpp(); see count.R.
#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using Word = std::uint64_t;

static Word sum(Word a, Word b, Word p) {
  return a + b >= p ? a + b - p : a + b;
}

static Word remainder_of(const std::string& digits, Word p) {
  Word out = 0;
  for (char d : digits)
    out = static_cast<Word>((static_cast<unsigned __int128>(out) * 10 + (d - '0')) % p);
  return out;
}

// Three columns: the states are what the first two hold. A row of sum r adds the sum over a
// triangle, which moves by one to the right when a column of r + 1 comes and a diagonal goes.
static Word three_columns(const std::vector<int>& row, int m, int n, Word p) {
  std::vector<Word> now((m + 1) * (n + 1), 0), next(now.size());
  now[0] = 1;
  for (int r : row) {
    std::vector<Word> triangle(n + 1, 0), diagonal(n + r + 2, 0);
    for (int u = 0; u <= m; ++u) {
      const Word* f = &now[u * (n + 1)];
      // Of each (u, v): the diagonal of u - 1 that ends there, then that of u.
      for (int v = 0; v <= n; ++v) triangle[v] = sum(triangle[v], p - diagonal[v], p);
      Word column = 0;
      for (int v = 0; v <= n; ++v) {
        column = sum(column, f[v], p);
        if (v > r) column = sum(column, p - f[v - r - 1], p);
        triangle[v] = sum(triangle[v], column, p);
        next[u * (n + 1) + v] = triangle[v];
      }
      for (int v = 0; v <= n + r; ++v) {
        diagonal[v] = diagonal[v + 1];
        if (v >= r) diagonal[v] = sum(diagonal[v], f[v - r], p);
        if (u > r && v < n)
          diagonal[v] = sum(diagonal[v], p - now[(u - r - 1) * (n + 1) + v + 1], p);
      }
    }
    now.swap(next);
  }
  return now.back();
}

// Any columns: the states are what all but the last hold and what is left of the row; a column
// takes one more from what is left, any number of times.
static Word any_columns(const std::vector<int>& row, const std::vector<int>& column, Word p) {
  std::size_t size = 1;
  for (int c : column) size *= c + 1;
  std::vector<Word> now(size, 0);
  now[0] = 1;
  for (int r : row) {
    std::vector<std::vector<Word>> left(r + 1, std::vector<Word>(size, 0));
    left[r] = now;
    std::size_t stride = 1;
    for (int c : column) {
      for (int l = r; l-- > 0;)
        for (std::size_t v = stride; v < size; ++v)
          if (v / stride % (c + 1) > 0) left[l][v] = sum(left[l][v], left[l + 1][v - stride], p);
      stride *= c + 1;
    }
    std::fill(now.begin(), now.end(), 0);
    for (const auto& part : left)
      for (std::size_t v = 0; v < size; ++v) now[v] = sum(now[v], part[v], p);
  }
  return now.back();
}

// Counts modulo as many primes below 2^61 as the digits need, and whether `count` has the same
// remainders. The columns are those that are carried: all but the last.
// [[Rcpp::export]]
bool peer_agrees(const std::vector<int>& row, const std::vector<int>& column,
                 const std::string& count) {
  const Word primes[] = {2305843009213693951u, 2305843009213693921u, 2305843009213693907u,
                         2305843009213693723u, 2305843009213693693u};
  bool out = true;
  const std::size_t n = std::min<std::size_t>(5, count.size() * 3322 / 60000 + 1);
  for (std::size_t k = 0; k < n; ++k) {
    const Word found = column.size() == 2 ? three_columns(row, column[0], column[1], primes[k])
                                          : any_columns(row, column, primes[k]);
    out = out && found == remainder_of(count, primes[k]);
  }
  return out;
}
