#include "fibre/twoway.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.hpp"
#include "base/fixed_uint.hpp"
#include "base/wide_int.hpp"
#include "fibre/twoway_draws.hpp"
#include "fibre/twoway_filling.hpp"
#include "fibre/twoway_laws.hpp"

namespace sdclattice {

namespace {

using namespace twoway;

template <class T>
class TwoWayProgramme : public FibrePart {
 public:
  TwoWayProgramme(const OrderedLines& lines, const TwoWayPlan& plan, std::size_t n_cells,
                  const FibreLimits& limits)
      : n_cells_(n_cells),
        states_(plan.all_states),
        limit_(limits.states),
        front_(lines),
        back_(lines.reversed()) {
    check_memory(plan.states);
  }

  BigCount count(const Tick& tick) override {
    if (front_.empty()) return 0;
    const std::size_t m = front_.lines().n_lines(), half = m / 2;
    front_.reach(half, false, tick);
    back_.reach(m - half, false, tick);
    const std::vector<T>&a = front_.states(half), &b = back_.states(m - half);
    assert(a.size() == b.size());  // the states of one box, seen from either end
    T sum(0);
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[a.size() - 1 - k];
    return to_big(sum);
  }

  std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) override {
    const std::size_t m = front_.lines().n_lines();
    std::vector<std::size_t> asked(n_cells_, kNone);
    for (std::size_t q = 0; q < cells.size(); ++q) asked[cells[q]] = q;
    std::vector<CellWays> out(cells.size());
    if (front_.empty()) return out;
    check_memory(2 * states_);
    front_.reach(m - 1, true, tick);
    back_.reach(m - 1, true, tick);
    for (std::size_t i = 0; i < m; ++i) line_laws(i, asked, out, tick);
    return out;
  }

  void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) override {
    const OrderedLines& lines = front_.lines();
    const std::size_t m = lines.n_lines();
    if (draws_.empty()) prepare_draws(tick);
    std::vector<std::int64_t> v = lines.total, held(lines.n_axes() + 1);
    for (std::size_t i = m; i-- > 0;) {
      const T& n = front_.states(i + 1)[front_.box(i + 1).index(v.data())];
      draws_[i].draw(from_big<T>(draw_below(to_big(n), random)), v, held);
      for (std::size_t j = 0; j < held.size(); ++j)
        share_out(lines.group[i][j], held[j], n_cells_, random, x);
    }
  }

 private:
  // States count in words of 8 bytes.
  void check_memory(double n_states) const {
    if (n_states * static_cast<double>(sizeof(T)) / 8 > limit_)
      throw TooLargeError("The programme over two-way tables would hold about " +
                          power_of_ten(n_states * static_cast<double>(sizeof(T)) / 8) +
                          " numbers of 8 bytes, more than the limit.");
  }

  void prepare_draws(const Tick& tick) {
    check_memory(states_);
    const OrderedLines& lines = front_.lines();
    front_ = Filling<T>(lines);
    front_.reach(lines.n_lines(), true, tick);
    draws_.clear();
    for (std::size_t i = 0; i < lines.n_lines(); ++i)
      draws_.emplace_back(front_.lines(), i, front_.box(i), front_.states(i));
  }

  void line_laws(std::size_t i, const std::vector<std::size_t>& asked, std::vector<CellWays>& out,
                 const Tick& tick) {
    const OrderedLines& lines = front_.lines();
    const std::vector<CellGroup>& groups = lines.group[i];
    std::vector<bool> wanted;
    for (const CellGroup& group : groups)
      wanted.push_back(std::any_of(group.cell.begin(), group.cell.end(), [&](std::uint32_t c) {
        return c < n_cells_ && asked[c] != kNone;
      }));
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) return;
    std::vector<T> after = back_.states(lines.n_lines() - 1 - i);
    std::reverse(after.begin(), after.end());
    LineLaws<T> laws(lines, i, front_.box(i), front_.box(i + 1), front_.states(i).data(),
                     after.data(), wanted);
    const std::vector<std::vector<T>>& found = laws.run(tick);
    for (std::size_t j = 0; j < groups.size(); ++j)
      for (std::size_t c = 0; c < groups[j].cell.size(); ++c) {
        const std::uint32_t cell = groups[j].cell[c];
        if (cell < n_cells_ && asked[cell] != kNone)
          out[asked[cell]] = cell_ways(groups[j], c, found[j]);
      }
  }

  // From what a group holds to what one of its cells holds.
  static CellWays cell_ways(const CellGroup& group, std::size_t c, const std::vector<T>& law) {
    CellWays out(static_cast<std::size_t>(std::min(group.limit[c], group.most)) + 1);
    if (group.cell.size() == 1) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = to_big(law[k]);
      return out;
    }
    const std::vector<BigCount> others = shares(group, group.most, c);
    for (std::size_t k = 0; k < out.size(); ++k)
      for (std::size_t sum = k; sum < law.size(); ++sum)
        out[k] += to_big(law[sum]) * others[sum - k];
    return out;
  }

  std::size_t n_cells_;
  double states_, limit_;
  Filling<T> front_, back_;
  std::vector<LineDraw<T>> draws_;
};

template <class T>
std::unique_ptr<FibrePart> make_programme(const OrderedLines& lines, const TwoWayPlan& plan,
                                          std::size_t n_cells, const FibreLimits& limits) {
  return std::make_unique<TwoWayProgramme<T>>(lines, plan, n_cells, limits);
}

}  // namespace

std::unique_ptr<FibrePart> make_two_way(const TwoWayTable& table, const TwoWayPlan& plan,
                                        std::size_t n_cells, const FibreLimits& limits) {
  if (plan.states > limits.states || plan.steps > limits.steps)
    throw TooLargeError("The programme over two-way tables would take about " +
                        power_of_ten(plan.steps) + " steps and " + power_of_ten(plan.states) +
                        " states, more than the limit.");
  const OrderedLines lines = arrange(table, plan);
  const double bits = log2_bound(table) * (1 + 1e-9) + 2;
  if (bits <= 64) return make_programme<std::uint64_t>(lines, plan, n_cells, limits);
  if (bits <= 128) return make_programme<WideUint>(lines, plan, n_cells, limits);
  if (bits <= 256) return make_programme<FixedUint<4>>(lines, plan, n_cells, limits);
  if (bits <= 512) return make_programme<FixedUint<8>>(lines, plan, n_cells, limits);
  if (bits <= 1024) return make_programme<FixedUint<16>>(lines, plan, n_cells, limits);
  if (bits <= 4096) return make_programme<FixedUint<64>>(lines, plan, n_cells, limits);
  throw TooLargeError("The number of two-way tables has too many digits for the programme.");
}

}  // namespace sdclattice
