#include "linear/rake.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace sdclattice {

namespace {

double within(double value, double lower, double upper) {
  return std::min(std::max(value, lower), upper);
}

class Raking {
 public:
  Raking(const LinearSystem& system, std::vector<double>& value) : system_(system), value_(value) {}

  // How far the row's sum was off; its free cells are scaled so that it is not.
  double visit(std::size_t row) {
    double held = 0, free = 0;
    for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
      const std::size_t i = system_.cell[e];
      const double part = static_cast<double>(system_.coefficient[e]) * value_[i];
      (system_.is_fixed(i) ? held : free) += part;
    }
    const double wanted =
        within(held + free, limit(system_.row_lower[row]), limit(system_.row_upper[row]));
    const double off = std::fabs(held + free - wanted);
    if (off > 0 && free > 0) scale(row, std::max(0.0, wanted - held) / free);
    return off;
  }

 private:
  static double limit(std::int64_t x) { return static_cast<double>(x); }

  void scale(std::size_t row, double by) {
    for (std::size_t e = system_.start[row]; e < system_.start[row + 1]; ++e) {
      const std::size_t i = system_.cell[e];
      if (!system_.is_fixed(i))
        value_[i] = within(value_[i] * by, limit(system_.lower[i]), limit(system_.upper[i]));
    }
  }

  const LinearSystem& system_;
  std::vector<double>& value_;
};

}  // namespace

RakedTable rake(const LinearSystem& system, std::vector<double> start, double tolerance,
                std::size_t max_rounds, const Tick& tick) {
  if (start.size() != system.n_cells())
    throw InputError("A start must have a value for each cell.");
  for (const std::int64_t c : system.coefficient)
    if (c <= 0) throw InputError("Fitting needs rows with positive coefficients.");
  RakedTable out;
  out.value = std::move(start);
  for (std::size_t i = 0; i < out.value.size(); ++i)
    out.value[i] = within(out.value[i], static_cast<double>(system.lower[i]),
                          static_cast<double>(system.upper[i]));
  Raking raking(system, out.value);
  do {
    out.gap = 0;
    for (std::size_t r = 0; r < system.n_rows(); ++r) out.gap = std::max(out.gap, raking.visit(r));
    ++out.rounds;
    report(tick, static_cast<double>(out.rounds) / static_cast<double>(max_rounds));
  } while (out.gap > tolerance && out.rounds < max_rounds);
  return out;
}

}  // namespace sdclattice
