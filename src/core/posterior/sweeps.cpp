#include "posterior/sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/error.hpp"
#include "cycle/mechanism.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kMaxSweeps = 6;  // 15,625 states
constexpr double kSweepEntries = 1e8;  // 1.6 GB

// What is pending in a sweep.
enum Pending : std::uint32_t { nothing, plus, minus, still, closed, n_pending };

int move_of(std::uint32_t pending) {
  return pending == plus ? 1 : pending == minus ? -1 : 0;
}

std::uint32_t power(std::uint32_t base, std::size_t exponent) {
  std::uint32_t out = 1;
  while (exponent-- > 0) out *= base;
  return out;
}

}  // namespace

// Undoes a column's sweeps from the last to the first, from every pending state.
class Sweeps::Maker {
 public:
  Maker(const Group& group, const Column& column)
      : group_(group),
        published_(column.published),
        alpha_(column.alpha),
        beta_(column.beta),
        last_(column.last),
        before_(group.sweeps.size()),
        after_(before_) {
    const std::uint32_t states = power(n_pending, group.sweeps.size());
    out_.n_from = column.first ? 1 : states;
    out_.n_to = last_ ? 1 : states;
    out_.n_laws = static_cast<std::uint32_t>(published_.size());
  }

  Kernel run() {
    for (std::uint32_t from = 0; from < out_.n_from; ++from) {
      std::uint32_t rest = from;
      for (std::uint32_t& b : before_) {
        b = rest % n_pending;
        rest /= n_pending;
      }
      now_ = published_;
      undo(group_.sweeps.size(), 1);
      out_.first.push_back(static_cast<std::uint32_t>(out_.entries.size()));
    }
    codes_.write(out_);
    return std::move(out_);
  }

 private:
  // now_ holds the values after sweep s - 1.
  void undo(std::size_t s, double weight) {
    if (weight == 0) return;
    if (s == 0) return add_entry(weight);
    const Sweep& sweep = group_.sweeps[--s];
    const int x = now_[sweep.x], y = now_[sweep.y];
    if (x < 1 || y < 1) pass(s, weight);
    const int in = move_of(before_[s]);
    if (before_[s] == closed) return;
    // The column took part: first it got what was waiting for it, then it took its own step.
    for (std::uint32_t out = nothing; out < n_pending; ++out) {
      const int own = move_of(out);
      const int x_between = x - own, y_between = y + own;
      const bool free = x_between >= 1 && y_between >= 1;
      if (x_between + in < 1 || y_between - in < 1) continue;  // it had a zero when the sweep began
      if (last_ ? out != nothing : free != (out != nothing)) continue;
      now_[sweep.x] = x_between + in;
      now_[sweep.y] = y_between - in;
      after_[s] = out;
      undo(s, weight * coin(out, s));
    }
    now_[sweep.x] = x;
    now_[sweep.y] = y;
  }

  // The column had a zero when the sweep came by.
  void pass(std::size_t s, double weight) {
    if (last_ && before_[s] != nothing && before_[s] != closed) return;
    after_[s] = before_[s];
    undo(s, weight);
  }

  double coin(std::uint32_t out, std::size_t s) const {
    if (out == plus) return alpha_[s];
    if (out == minus) return beta_[s];
    return out == still ? stay_probability(alpha_[s], beta_[s]) : 1;
  }

  void add_entry(double weight) {
    std::vector<std::int8_t> change;
    for (std::size_t k = 0; k < published_.size(); ++k) {
      if (now_[k] < 0) return;
      change.push_back(static_cast<std::int8_t>(published_[k] - now_[k]));
    }
    std::uint32_t to = 0;
    if (!last_)
      for (std::size_t s = after_.size(); s-- > 0;) to = to * n_pending + after_[s];
    out_.entries.push_back({to, codes_.get(change), weight});
  }

  const Group& group_;
  std::vector<int> published_;
  std::vector<double> alpha_, beta_;
  bool last_;
  std::vector<std::uint32_t> before_, after_;
  std::vector<int> now_;
  Codes codes_;
  Kernel out_;
};

// The sweeps in the order in which they come, and the lines that they go along.
Sweeps::Group Sweeps::find_group(const Component& part) const {
  const CycleSet& set = source_.cycles;
  Group out;
  out.n_columns = 1;
  for (std::int32_t c = part.cycles[0]; c >= 0; c = set.next[c]) ++out.n_columns;
  std::map<std::int32_t, std::size_t> line_of;  // by the cell in the first column
  const auto line = [&](std::int32_t first_cycle, int near, int far) {
    const std::int32_t start = set.cell[set.start[first_cycle] + static_cast<std::size_t>(near)];
    const auto [at, is_new] = line_of.emplace(start, out.cell.size());
    if (!is_new) return at->second;
    std::vector<std::int32_t> cells;
    std::int32_t last = first_cycle;
    for (std::int32_t c = first_cycle; c >= 0; c = set.next[c]) {
      cells.push_back(set.cell[set.start[c] + static_cast<std::size_t>(near)]);
      last = c;
    }
    cells.push_back(set.cell[set.start[last] + static_cast<std::size_t>(far)]);
    out.cell.push_back(std::move(cells));
    return at->second;
  };
  for (const std::int32_t c : source_.mechanism.sequence) {
    const bool starts = c == 0 || set.next[c - 1] < 0;
    if (starts && std::binary_search(part.cycles.begin(), part.cycles.end(), c))
      out.sweeps.push_back({line(c, 0, 1), line(c, 3, 2), c});
  }
  if (out.sweeps.size() > kMaxSweeps)
    throw TooLargeError("A group of lines is swept " + std::to_string(out.sweeps.size()) +
                        " times; where zeros are skipped, exact inference follows up to " +
                        std::to_string(kMaxSweeps) + " sweeps.");
  return out;
}

// Everything that the kernel of a column depends on.
Sweeps::Column Sweeps::column(const Group& group, std::size_t at) const {
  const std::size_t n = group.sweeps.size();
  const int cap = 2 * static_cast<int>(n) + 1;  // a larger cell never becomes 0
  Column out;
  out.first = at == 0;
  out.last = at + 1 == group.n_columns;
  for (const auto& line : group.cell)
    out.published.push_back(static_cast<int>(std::fmin(source_.published[line[at]], cap)));
  for (const Sweep& sweep : group.sweeps) {
    const std::size_t cycle = static_cast<std::size_t>(sweep.first_cycle) + (out.last ? 0 : at);
    out.alpha.push_back(source_.mechanism.alpha_of(cycle));
    out.beta.push_back(source_.mechanism.beta_of(cycle));
  }
  out.key = {double(out.first), double(out.last)};
  for (std::size_t s = 0; s < n; ++s)
    out.key.insert(out.key.end(), {double(group.sweeps[s].x), double(group.sweeps[s].y),
                                   out.alpha[s], out.beta[s]});
  out.key.insert(out.key.end(), out.published.begin(), out.published.end());
  return out;
}

std::shared_ptr<const Kernel> Sweeps::kernel(const Group& group, const Column& column) {
  std::shared_ptr<const Kernel>& slot = kernels_[column.key];
  if (slot) return slot;
  slot = std::make_shared<const Kernel>(Maker(group, column).run());
  n_entries_ += slot->entries.size();
  return slot;
}

// What is coming is judged by the kernels made so far: too much is refused after a few of them.
void Sweeps::check_entries(const Group& group, std::size_t n_kernels) const {
  const double each = static_cast<double>(n_entries_) / static_cast<double>(kernels_.size());
  const double coming = each * static_cast<double>(n_kernels - kernels_.size());
  if (static_cast<double>(n_entries_) + .8 * coming <= kSweepEntries) return;
  throw TooLargeError("The columns of a group of " + std::to_string(group.cell.size()) +
                      " lines that is swept " + std::to_string(group.sweeps.size()) +
                      " times have more than 10^8 ways on between their states.");
}

Chain Sweeps::build(const Component& part, const Tick& tick) {
  const Group group = find_group(part);
  std::vector<Column> columns;
  std::set<std::vector<double>> keys;
  for (std::size_t at = 0; at < group.n_columns; ++at) {
    columns.push_back(column(group, at));
    if (kernels_.find(columns.back().key) == kernels_.end()) keys.insert(columns.back().key);
  }
  const std::size_t n_kernels = kernels_.size() + keys.size();
  Chain out;
  for (std::size_t at = 0; at < group.n_columns; ++at) {
    report(tick, 0);
    ChainStep step;
    step.kernel = kernel(group, columns[at]);
    step.first_law = out.laws.size();
    out.steps.push_back(std::move(step));
    check_entries(group, n_kernels);
    for (const auto& line : group.cell) out.laws.push_back(linkage_.law_of_cell[line[at]] - 1);
  }
  return out;
}

}  // namespace sdclattice
