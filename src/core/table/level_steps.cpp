#include "table/level_steps.hpp"

#include <cassert>

namespace sdclattice {

namespace {

// Carries marks from place to place along each variable: down to coarser levels, or up.
template <bool kDown>
void spread(const LevelSteps& steps, std::vector<char>& marks) {
  for (std::size_t v = 0; v < steps.n_variables(); ++v) {
    const std::size_t stride = steps.stride(v), period = stride * (steps.n_levels(v) + 1);
    for (std::size_t begin = 0; begin < marks.size(); begin += period) {
      if (kDown) {
        for (std::size_t at = begin + period; at-- > begin + stride;)
          if (marks[at] != 0) marks[at - stride] = 1;
      } else {
        for (std::size_t at = begin; at < begin + period - stride; ++at)
          if (marks[at] != 0) marks[at + stride] = 1;
      }
    }
  }
}

std::vector<char> mark(const LevelSteps& steps, const std::vector<SubTable>& sets) {
  std::vector<char> out(static_cast<std::size_t>(steps.n_places()), 0);
  for (SubTable set : sets) out[steps.place(set)] = 1;
  return out;
}

}  // namespace

LevelSteps::LevelSteps(std::size_t n_variables)
    : LevelSteps(std::vector<std::size_t>(n_variables, 1)) {}

LevelSteps::LevelSteps(const std::vector<std::size_t>& n_levels) : n_levels_(n_levels) {
  std::size_t stride = 1;
  for (std::size_t n : n_levels) {
    assert(n > 0 && n_steps_ + n <= kMaxSubTableVariables);
    first_.push_back(n_steps_);
    firsts_ |= SubTable{1} << n_steps_;
    n_steps_ += n;
    strides_.push_back(stride);
    stride *= n + 1;
  }
}

SubTable LevelSteps::all() const {
  return n_steps_ == 64 ? ~SubTable{0} : (SubTable{1} << n_steps_) - 1;
}

SubTable LevelSteps::steps_of(std::size_t v) const {
  const SubTable upto = n_levels_[v] == 64 ? ~SubTable{0} : (SubTable{1} << n_levels_[v]) - 1;
  return upto << first_[v];
}

SubTable LevelSteps::from_step(std::size_t step) const {
  SubTable out = SubTable{1} << step;
  for (std::size_t s = step + 1; s < n_steps_ && (firsts_ >> s & 1) == 0; ++s)
    out |= SubTable{1} << s;
  return out;
}

SubTable LevelSteps::closure(SubTable set) const {
  for (SubTable more = set | coarser(set); more != set; more = set | coarser(set)) set = more;
  return set;
}

SubTable LevelSteps::interior(SubTable set) const {
  const auto with_coarser = [this](SubTable s) { return s & (firsts_ | s << 1); };
  for (SubTable less = with_coarser(set); less != set; less = with_coarser(set)) set = less;
  return set;
}

SubTable LevelSteps::next_steps(SubTable set) const {
  return (firsts_ | set << 1) & all() & ~set;
}

std::int64_t LevelSteps::n_inside(SubTable set) const {
  if (are_variables()) return (std::int64_t{1} << set_size(set)) - 1;
  const SubTable closed = interior(set);
  std::int64_t out = 1;
  for (std::size_t v = 0; v < n_variables(); ++v)
    out *= 1 + static_cast<std::int64_t>(level_of(closed, v));
  return out - 1;
}

double LevelSteps::n_places() const {
  double out = 1;
  for (std::size_t n : n_levels_) out *= static_cast<double>(n + 1);
  return out;
}

std::size_t LevelSteps::place(SubTable set) const {
  std::size_t out = 0;
  for (std::size_t v = 0; v < n_variables(); ++v) out += level_of(set, v) * strides_[v];
  return out;
}

std::vector<char> lay_out_below(const LevelSteps& steps, const std::vector<SubTable>& sets) {
  std::vector<char> out = mark(steps, sets);
  spread<true>(steps, out);
  return out;
}

std::vector<char> lay_out_above(const LevelSteps& steps, const std::vector<SubTable>& sets) {
  std::vector<char> out = mark(steps, sets);
  spread<false>(steps, out);
  return out;
}

// A product over the variables, of what each level of them adds: a variable or none.
std::vector<double> count_between(const LevelSteps& steps, SubTable low, SubTable high) {
  std::vector<double> out(steps.n_variables() + 1, 0);
  if (!holds(high, low)) return out;
  out[0] = 1;
  for (std::size_t v = 0; v < steps.n_variables(); ++v) {
    const std::size_t from = steps.level_of(low, v), to = steps.level_of(high, v);
    const double with = static_cast<double>(to - from + (from > 0 ? 1 : 0));
    const double without = from > 0 ? 0 : 1;
    for (std::size_t d = v + 1; d > 0; --d) out[d] = out[d] * without + out[d - 1] * with;
    out[0] *= without;
  }
  return out;
}

}  // namespace sdclattice
