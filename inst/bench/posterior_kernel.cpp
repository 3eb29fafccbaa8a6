// The bare kernel of the bidiagonal posterior of a square table: one cover, rule "blocked", alpha =
// beta = a. Used by threads-posterior.R.
//
// The cells of a diagonal p - k = s (mod n) change by E_s - E_{s-1}, E_s = -1, 0, 1 what the coin
// of cycle s did. Its least count is all that matters. Forward and backward messages go round the
// ring for each state of cycle 0: plus, minus, still, still though link 0 objects.
#include <Rcpp.h>

#include <array>
#include <cmath>
#include <vector>

namespace {

constexpr int kMoves[4] = {1, -1, 0, 0};  // state 3: a link seen before has objected
using Message = std::array<double, 16>;   // state x state of cycle 0

// Whether a step of `move` may be where the cell holds `value`, and whether the cell objects.
bool passes(int move, double value) {
  return move == 0 || value >= 1;
}

struct Link {
  double weight[4][4] = {};  // from state of A to state of B, of the finished cycle A
};

// A comes before B, and lowers the cells of the link that B raises.
Link make_link(double least, double a) {
  Link out;
  for (int A = 0; A < 4; ++A)
    for (int B = 0; B < 4; ++B) {
      const double original = least - kMoves[B] + kMoves[A], between = original - kMoves[A];
      if (original < 0 || !passes(kMoves[A], original) || !passes(kMoves[B], between)) continue;
      if (kMoves[B] == 0 && (B == 3) != (between < 1)) continue;
      const bool objected = A == 3 || original < 1;
      out.weight[A][B] = A < 2 ? a : objected ? 1 : 1 - 2 * a;
    }
  return out;
}

// The last link: cycle 0 raises its cells first, then the last cycle lowers them.
double close(double least, double a, int last, int first) {
  const double original = least - kMoves[first] + kMoves[last], between = original + kMoves[first];
  if (original < 0 || !passes(kMoves[first], original) || !passes(kMoves[last], between)) return 0;
  if (kMoves[first] == 0 && (first == 3) != (original < 1)) return 0;
  return last < 2 ? a : last == 3 || between < 1 ? 1 : 1 - 2 * a;
}

double scale(Message& m) {
  double top = 0;
  for (const double x : m) top = std::max(top, x);
  for (double& x : m) x /= top;
  return std::log(top);
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List bare_posterior(const Rcpp::NumericVector& counts, int n, double a) {
  Rcpp::IntegerVector law(Rcpp::no_init(counts.size()));
  std::vector<double> least(n, 9);
  for (int p = 0; p < n; ++p)
    for (int k = 0; k < n; ++k) {
      const R_xlen_t cell = k + static_cast<R_xlen_t>(n) * p;
      const int s = p >= k ? p - k : p - k + n;
      law[cell] = s + 1;
      least[s] = std::min(least[s], counts[cell]);
    }
  std::vector<Message> before(n);  // of cycle s after its link s
  double log_evidence = 0;
  for (int x = 0; x < 4; ++x) before[0][5 * x] = 1;
  for (int s = 1; s < n; ++s) {
    const Link link = make_link(least[s], a);
    before[s].fill(0);
    for (int A = 0; A < 4; ++A)
      for (int B = 0; B < 4; ++B)
        for (int x = 0; x < 4; ++x)
          before[s][4 * B + x] += link.weight[A][B] * before[s - 1][4 * A + x];
    log_evidence += scale(before[s]);
  }
  Rcpp::NumericMatrix laws(5, n);
  Message after;
  double sum = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      after[4 * y + x] = close(least[0], a, y, x);
      const double share = before[n - 1][4 * y + x] * after[4 * y + x];
      laws(2 + kMoves[x] - kMoves[y], 0) += share;
      sum += share;
    }
  for (int d = 0; d < 5; ++d) laws(d, 0) /= sum;
  log_evidence += std::log(sum);
  for (int s = n - 1; s > 0; --s) {
    const Link link = make_link(least[s], a);
    Message back{};
    double total = 0;
    for (int A = 0; A < 4; ++A)
      for (int B = 0; B < 4; ++B)
        for (int x = 0; x < 4; ++x) {
          const double w = link.weight[A][B] * after[4 * B + x];
          back[4 * A + x] += w;
          laws(2 + kMoves[B] - kMoves[A], s) += w * before[s - 1][4 * A + x];
          total += w * before[s - 1][4 * A + x];
        }
    for (int d = 0; d < 5; ++d) laws(d, s) /= total;
    scale(back);
    after = back;
  }
  return Rcpp::List::create(Rcpp::_["law"] = law, Rcpp::_["laws"] = laws,
                            Rcpp::_["log_evidence"] = log_evidence);
}
