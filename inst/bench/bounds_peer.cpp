// Least and largest values of cells by COIN's Clp (real numbers) and CBC (whole numbers), for
// bounds-scale.R. A case is the .sys file that bounds_cases.cpp writes.
// Build (Debian: coinor-libcbc-dev): g++ -std=c++17 -O2 inst/bench/bounds_peer.cpp -o bounds_peer
//   -lCbcSolver -lCbc -lCgl -lOsiClp -lOsi -lClp -lCoinUtils
// Run: ./bounds_peer CASE.sys real|whole NUMBER SECONDS [OUT.csv]
//   NUMBER suppressed cells, chosen at random; 0: all. No cell begins after SECONDS of processor
//   time.
#include <coin/Cbc_C_Interface.h>

#include <algorithm>
#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Suppressed cells are columns; published ones move to the other side. By column.
struct Programme {
  std::vector<int> cell;  // of each column
  std::vector<double> lower, upper, side;
  std::vector<CoinBigIndex> start{0};
  std::vector<int> row;
  std::vector<double> value;

  int n_columns() const { return static_cast<int>(cell.size()); }
  int n_rows() const { return static_cast<int>(side.size()); }
};

struct Entry {
  int column, row;
  double value;
};

std::string rest_of_line(std::istream& in) {
  std::string out;
  std::getline(in, out);
  return out;
}

std::vector<Entry> read_rows(std::istream& in, std::size_t n_rows, const std::vector<int>& column,
                             const std::vector<double>& fixed, std::vector<double>& side) {
  std::vector<Entry> out;
  for (std::size_t r = 0; r < n_rows; ++r) {
    std::size_t n = 0, c = 0;
    in >> n;
    double sum = 0;
    const std::size_t before = out.size();
    for (std::size_t k = 0; k < n && in >> c; ++k) {
      const double sign = k == 0 ? 1 : -1;
      if (column[c] < 0)
        sum -= sign * fixed[c];
      else
        out.push_back({column[c], static_cast<int>(side.size()), sign});
    }
    if (out.size() > before) side.push_back(sum);
  }
  return out;
}

Programme read(const std::string& file) {
  std::ifstream in(file);
  std::size_t n_cells = 0, n_rows = 0;
  if (!(in >> n_cells >> n_rows)) throw std::runtime_error("cannot read " + file);
  Programme out;
  std::vector<int> column(n_cells, -1);
  std::vector<double> fixed(n_cells);
  for (std::size_t i = 0; i < n_cells; ++i) {
    double lower = 0, upper = 0;
    in >> lower >> upper;
    rest_of_line(in);
    fixed[i] = lower;
    if (lower == upper) continue;
    column[i] = out.n_columns();
    out.cell.push_back(static_cast<int>(i));
    out.lower.push_back(lower);
    out.upper.push_back(upper);
  }
  std::vector<Entry> entries = read_rows(in, n_rows, column, fixed, out.side);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.column < b.column; });
  std::size_t e = 0;
  for (int j = 0; j < out.n_columns(); ++j) {
    for (; e < entries.size() && entries[e].column == j; ++e) {
      out.row.push_back(entries[e].row);
      out.value.push_back(entries[e].value);
    }
    out.start.push_back(static_cast<CoinBigIndex>(out.row.size()));
  }
  return out;
}

struct Answer {
  int column;
  double lower, upper;
  bool proved;
};

// From end to end the simplex starts where the last end stopped.
class Real {
 public:
  explicit Real(const Programme& p) {
    clp_.setLogLevel(0);
    clp_.loadProblem(p.n_columns(), p.n_rows(), p.start.data(), p.row.data(), p.value.data(),
                     p.lower.data(), p.upper.data(), nullptr, p.side.data(), p.side.data());
    clp_.initialSolve();
  }
  Answer ask(int j) {
    const double upper = -least(j, -1), lower = least(j, 1);
    return {j, lower, upper, clp_.status() == 0};
  }

 private:
  double least(int j, double sign) {
    clp_.setObjectiveCoefficient(j, sign);
    clp_.primal();
    const double out = clp_.objectiveValue();
    clp_.setObjectiveCoefficient(j, 0);
    return out;
  }
  ClpSimplex clp_;
};

class Whole {
 public:
  explicit Whole(const Programme& p) : p_(p) {}
  Answer ask(int j) {
    bool proved = true;
    const double lower = least(j, 1, proved), upper = -least(j, -1, proved);
    return {j, lower, upper, proved};
  }

 private:
  double least(int j, double sign, bool& proved) {
    Cbc_Model* model = Cbc_newModel();
    Cbc_loadProblem(model, p_.n_columns(), p_.n_rows(), p_.start.data(), p_.row.data(),
                    p_.value.data(), p_.lower.data(), p_.upper.data(), nullptr, p_.side.data(),
                    p_.side.data());
    for (int k = 0; k < p_.n_columns(); ++k) Cbc_setInteger(model, k);
    Cbc_setObjCoeff(model, j, sign);
    Cbc_setParameter(model, "log", "0");
    Cbc_setParameter(model, "sec", "120");
    Cbc_solve(model);
    proved = proved && Cbc_isProvenOptimal(model);
    const double out = std::round(Cbc_getObjValue(model));
    Cbc_deleteModel(model);
    return out;
  }
  const Programme& p_;
};

std::vector<int> some_columns(const Programme& p, std::size_t n) {
  std::vector<int> out(p.cell.size());
  std::iota(out.begin(), out.end(), 0);
  std::mt19937 random(1);
  std::shuffle(out.begin(), out.end(), random);
  if (n > 0 && n < out.size()) out.resize(n);
  return out;
}

template <class Solver>
void run(const Programme& p, std::size_t n, double seconds, const char* file) {
  const double from = now();
  Solver solver(p);
  const double started = now();
  std::vector<Answer> answers;
  for (const int j : some_columns(p, n)) {
    if (now() - started > seconds) break;
    answers.push_back(solver.ask(j));
  }
  const double took = now() - started;
  const auto proved =
      std::count_if(answers.begin(), answers.end(), [](const Answer& a) { return a.proved; });
  std::cout << "suppressed " << p.n_columns() << " rows " << p.n_rows() << " asked "
            << answers.size() << " proved " << proved << " start_s " << started - from << " ends_s "
            << took << std::endl;
  if (file == nullptr) return;
  std::ofstream out(file);
  out.precision(12);
  out << "cell,lower,upper,proved\n";
  for (const Answer& a : answers)
    out << p.cell[static_cast<std::size_t>(a.column)] << ',' << a.lower << ',' << a.upper << ','
        << a.proved << '\n';
}

}  // namespace

int main(int n, char** arguments) {
  if (n < 5) return 1;
  const Programme p = read(arguments[1]);
  const auto cells = static_cast<std::size_t>(std::atol(arguments[3]));
  const double seconds = std::atof(arguments[4]);
  const char* file = n > 5 ? arguments[5] : nullptr;
  if (std::string(arguments[2]) == "whole")
    run<Whole>(p, cells, seconds, file);
  else
    run<Real>(p, cells, seconds, file);
}
