#include "posterior/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sdclattice {
namespace {

constexpr double max_kernel = 1 << 16;  // entries of a fused step
constexpr std::size_t max_fused = 4;    // laws; with more, fewer steps would have the same values
constexpr double max_bits = 64;         // of the states of a front
constexpr std::size_t max_shapes = 64;  // looked through for one that is alike

using Cycles = std::vector<std::int32_t>;

bool contains(const Cycles& all, std::int32_t cycle) {
  return std::find(all.begin(), all.end(), cycle) != all.end();
}

// Where the states of a front stand in a message: the first cycle's change fastest.
std::shared_ptr<const std::vector<std::uint32_t>> permute(const std::vector<std::int32_t>& from,
                                                          const std::vector<std::int32_t>& to,
                                                          const std::vector<std::uint32_t>& size) {
  if (from == to) return nullptr;
  std::vector<std::uint32_t> stride(to.size());
  std::uint32_t total = 1;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto at = std::find(to.begin(), to.end(), from[i]) - to.begin();
    stride[at] = total;
    total *= size[at];
  }
  auto out = std::make_shared<std::vector<std::uint32_t>>(total);
  std::vector<std::uint32_t> digit(to.size(), 0);
  std::uint32_t old = 0;
  for (std::uint32_t i = 0; i < total; ++i) {
    (*out)[i] = old;
    for (std::size_t k = 0; k < to.size(); ++k) {
      old += stride[k];
      if (++digit[k] < size[k]) break;
      old -= stride[k] * size[k];
      digit[k] = 0;
    }
  }
  return out;
}

// The step of the first application that a component has; 0 where none of its cycles is applied.
std::uint32_t first_step(const Problem& problem, const Component& part) {
  for (const std::int32_t c : part.cycles)
    if (problem.applications(c) > 0) return problem.step(c, 0);
  return 0;
}

}  // namespace

Elimination::Elimination(const Problem& problem)
    : problem_(problem), local_(problem.linkage().n_cycles) {}
Elimination::~Elimination() = default;

const CoinStates& Elimination::states(std::int32_t cycle) {
  const int applications = problem_.applications(cycle);
  const ZeroRule rule = problem_.rule(problem_.source_of(cycle));
  const std::size_t at =
      static_cast<std::size_t>(applications) * 4 + static_cast<std::size_t>(rule);
  if (at >= states_.size()) states_.resize(at + 1);
  if (!states_[at]) states_[at] = std::make_unique<CoinStates>(rule, applications);
  return *states_[at];
}

// ---- order --------------------------------------------------------------------------------------

// Takes next the law that leaves the front with the fewest states; ties go to the one met last.
class Elimination::Orderer {
 public:
  Orderer(Elimination& owner, const Component& part)
      : linkage_(owner.problem_.linkage()),
        part_(part),
        local_(owner.local_),
        n_(part.cycles.size()),
        start_(n_ + 1, 0),
        size_(n_),
        active_(n_, 0),
        queued_(part.n_laws, 0) {
    for (std::size_t v = 0; v < n_; ++v) {
      local_[part.cycles[v]] = static_cast<std::int32_t>(v);
      size_[v] = std::log2(owner.states(part.cycles[v]).size());
    }
    for_each_entry([this](std::int32_t, std::int32_t v) { ++start_[v + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<std::int32_t> at(start_.begin(), start_.end() - 1);
    law_.resize(start_[n_]);
    for_each_entry([&](std::int32_t l, std::int32_t v) { law_[at[v]++] = l; });
    for (std::size_t v = 0; v < n_; ++v) left_.push_back(start_[v + 1] - start_[v]);
  }

  std::vector<std::int32_t> run() {
    std::vector<std::int32_t> order;
    if (n_ == 0) return order;
    order.reserve(part_.n_laws);
    queue_laws_of(farthest(farthest(0)));
    while (!candidates_.empty() && bits_ <= max_bits) order.push_back(take_best());
    return order;
  }

  // Whether the front has grown beyond anything that can be held; then the order is not complete.
  bool too_wide() const { return bits_ > max_bits; }
  int width() const { return static_cast<int>(std::count(active_.begin(), active_.end(), 1)); }

 private:
  template <typename Do>
  void for_each_entry(Do&& act) const {
    for (std::int32_t l = 0; l < part_.n_laws; ++l)
      for_each_variable(l, [&](std::int32_t v) { act(l, v); });
  }
  template <typename Do>
  void for_each_variable(std::int32_t law, Do&& act) const {
    const std::size_t at = static_cast<std::size_t>(part_.first_law) + law;
    for (std::size_t e = linkage_.law_start[at]; e < linkage_.law_start[at + 1]; ++e)
      act(local_[linkage_.law_cycle[e]]);
  }

  // The last variable met in a search by breadth.
  std::int32_t farthest(std::int32_t from) const {
    std::vector<char> seen(n_, 0);
    std::vector<std::int32_t> met{from};
    seen[from] = 1;
    for (std::size_t i = 0; i < met.size(); ++i)
      for (std::int32_t k = start_[met[i]]; k < start_[met[i] + 1]; ++k)
        for_each_variable(law_[k], [&](std::int32_t v) {
          if (!seen[v]) met.push_back(v);
          seen[v] = 1;
        });
    return met.back();
  }

  void queue_laws_of(std::int32_t v) {
    for (std::int32_t k = start_[v]; k < start_[v + 1]; ++k) {
      if (!queued_[law_[k]]) candidates_.push_back(law_[k]);
      queued_[law_[k]] = 1;
    }
  }

  // By how much the logarithm of the front's states grows.
  double growth(std::int32_t law) const {
    double sum = 0;
    for_each_variable(law, [&](std::int32_t v) {
      if (!active_[v]) sum += size_[v];
      if (left_[v] == 1) sum -= size_[v];
    });
    return sum;
  }

  std::int32_t take_best() {
    std::size_t best = candidates_.size() - 1;
    double least = growth(candidates_[best]);
    for (std::size_t i = best; i-- > 0;) {
      const double here = growth(candidates_[i]);
      if (here < least) least = here, best = i;
    }
    const std::int32_t law = candidates_[best];
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(best));
    for_each_variable(law, [&](std::int32_t v) {
      if (!active_[v]) queue_laws_of(v);
      active_[v] = --left_[v] > 0;
    });
    bits_ += least;
    return law;
  }

  const Linkage& linkage_;
  const Component& part_;
  std::vector<std::int32_t>& local_;
  std::size_t n_;
  std::vector<std::int32_t> start_, law_, left_;
  std::vector<double> size_;
  std::vector<char> active_, queued_;
  std::vector<std::int32_t> candidates_;
  double bits_ = 0;  // logarithm of the states of the front
};

// ---- steps --------------------------------------------------------------------------------------

// Follows the front along the laws and cuts them into steps. Fusing the next law into a step
// multiplies the step's products by the states that enter; alone they multiply the states that the
// step leaves.
class Elimination::Stepper {
 public:
  Stepper(Elimination& owner, const Component& part, Layout& layout)
      : owner_(owner),
        linkage_(owner.problem_.linkage()),
        part_(part),
        layout_(layout),
        last_use_(part.cycles.size()) {
    for (std::size_t v = 0; v < part.cycles.size(); ++v)
      owner.local_[part.cycles[v]] = static_cast<std::int32_t>(v);
    for (std::size_t i = 0; i < layout.laws.size(); ++i)
      for_each(i, [&](std::int32_t c) { last_use_[owner_.local_[c]] = i; });
  }

  // Only the places where steps end, and what they cost.
  void cut() {
    for (std::size_t i = 0; i < layout_.laws.size(); ++i) {
      const double fresh = count_fresh(i);
      if (i > first_ && !fuses(i, fresh)) end_step(i);
      products_ *= fresh;
      kernel_ *= count_touched(i) * fresh;
      enter(i);
      leave(i);
    }
    if (!layout_.laws.empty()) end_step(layout_.laws.size());
    const std::size_t n = layout_.steps.size(), stride = chain_stride(n, layout_.cost.bytes);
    const double kept = 8 * layout_.cost.states * static_cast<double>(stride + n / stride + 1);
    layout_.cost.bytes = std::min(layout_.cost.bytes, kept);
  }

  // What the steps do.
  void fill() {
    Cycles active;
    for (Layout::Step& step : layout_.steps) fill(step, active);
  }

 private:
  template <typename Do>
  void for_each(std::size_t place, Do&& act) const {
    const std::size_t law = static_cast<std::size_t>(part_.first_law) + layout_.laws[place];
    for (std::size_t e = linkage_.law_start[law]; e < linkage_.law_start[law + 1]; ++e)
      act(linkage_.law_cycle[e]);
  }
  double size(std::int32_t cycle) const { return owner_.states(cycle).size(); }
  bool leaves_before(std::int32_t cycle, std::size_t place) const {
    return last_use_[owner_.local_[cycle]] < place;
  }

  double count_fresh(std::size_t place) const {
    double count = 1;
    for_each(place, [&](std::int32_t c) {
      if (!contains(active_, c)) count *= static_cast<double>(owner_.states(c).fresh().size());
    });
    return count;
  }
  double count_touched(std::size_t place) const {
    double count = 1;
    for_each(place, [&](std::int32_t c) {
      if (contains(active_, c) && !contains(touched_, c)) count *= size(c);
    });
    return count;
  }
  bool fuses(std::size_t place, double fresh) const {
    return place - first_ < max_fused && products_ * fresh <= products_ + states_now_ * fresh &&
           kernel_ * count_touched(place) * fresh <= max_kernel;
  }
  void enter(std::size_t place) {
    for_each(place, [&](std::int32_t c) {
      if (!contains(touched_, c)) touched_.push_back(c);
      if (contains(active_, c)) return;
      active_.push_back(c);
      states_now_ *= size(c);
    });
    layout_.cost.width = std::max(layout_.cost.width, static_cast<int>(active_.size()));
  }
  void leave(std::size_t place) {
    for_each(place, [&](std::int32_t c) {
      if (!leaves_before(c, place + 1)) return;
      states_now_ /= size(c);
      active_.erase(std::find(active_.begin(), active_.end(), c));
    });
  }
  void end_step(std::size_t end) {
    layout_.steps.push_back({nullptr, first_, end - first_, 1, nullptr});
    layout_.cost.products += products_;
    layout_.cost.bytes += 8 * states_before_;
    layout_.cost.states = std::max(layout_.cost.states, std::max(states_before_, states_now_));
    products_ = states_before_ = states_now_;
    kernel_ = 1;
    touched_.clear();
    first_ = end;
  }

  void fill(Layout::Step& step, Cycles& active) const {
    const std::size_t end = step.first_law + step.n_laws;
    Cycles met, touched, entering, order;
    std::vector<std::uint32_t> sizes;
    for (std::size_t i = step.first_law; i < end; ++i)
      for_each(i, [&](std::int32_t c) {
        if (!contains(met, c)) met.push_back(c);
      });
    for (std::int32_t c : active) {
      if (contains(met, c))
        touched.push_back(c);
      else
        order.push_back(c);
    }
    const auto n_lanes = static_cast<std::ptrdiff_t>(order.size());
    for (std::int32_t c : order) step.lanes *= static_cast<std::uint32_t>(owner_.states(c).size());
    order.insert(order.end(), touched.begin(), touched.end());
    for (std::int32_t c : order)
      sizes.push_back(static_cast<std::uint32_t>(owner_.states(c).size()));
    step.permutation = permute(active, order, sizes);
    Cycles variables = touched;
    for (std::int32_t c : met)
      if (!contains(touched, c)) variables.push_back(c);
    step.shape = owner_.intern(shape(step, variables, touched.size()));
    active.assign(order.begin(), order.begin() + n_lanes);
    for (std::int32_t c : variables)
      if (!leaves_before(c, end)) active.push_back(c);
  }

  Shape shape(const Layout::Step& step, const Cycles& cycles, std::size_t n_touched) const {
    const Problem& problem = owner_.problem_;
    std::vector<Shape::Variable> variables;
    for (std::int32_t c : cycles) {
      const bool leaves = leaves_before(c, step.first_law + step.n_laws);
      variables.push_back({&owner_.states(c), problem.alpha(c), problem.beta(c), leaves});
    }
    std::vector<Shape::Law> laws;
    for (std::size_t k = 0; k < step.n_laws; ++k) laws.push_back(law(step.first_law + k, cycles));
    return Shape(std::move(variables), n_touched, std::move(laws), problem.n_sources());
  }

  // The applications of a law's cycles in the order in which they come.
  Shape::Law law(std::size_t place, const Cycles& cycles) const {
    const Problem& problem = owner_.problem_;
    const std::size_t number = static_cast<std::size_t>(part_.first_law) + layout_.laws[place];
    std::vector<std::pair<std::uint32_t, Shape::Application>> all;
    for (std::size_t e = linkage_.law_start[number]; e < linkage_.law_start[number + 1]; ++e) {
      const std::int32_t c = linkage_.law_cycle[e];
      const auto v =
          static_cast<std::uint32_t>(std::find(cycles.begin(), cycles.end(), c) - cycles.begin());
      for (int t = 0; t < problem.applications(c); ++t)
        all.push_back(
            {problem.step(c, t),
             {problem.source_of(c), v, static_cast<std::uint32_t>(t), linkage_.law_coef[e]}});
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second.source, a.first) < std::tie(b.second.source, b.first);
    });
    Shape::Law out;
    for (const auto& one : all) out.push_back(one.second);
    return out;
  }

  Elimination& owner_;
  const Linkage& linkage_;
  const Component& part_;
  Layout& layout_;
  std::vector<std::size_t> last_use_;
  Cycles active_, touched_;
  std::size_t first_ = 0;
  double states_now_ = 1, states_before_ = 1, products_ = 1, kernel_ = 1;
};

// ---- components ---------------------------------------------------------------------------------

// Whether the component differs from the one that the layout was made for in its place alone.
bool Elimination::like_last(const Component& part) const {
  if (!model_ || model_->cycles.size() != part.cycles.size() || model_->n_laws != part.n_laws)
    return false;
  const Linkage& all = problem_.linkage();
  const std::int32_t a = model_->cycles[0], b = part.cycles[0];
  const std::uint32_t from_a = first_step(problem_, *model_), from_b = first_step(problem_, part);
  for (std::size_t v = 0; v < part.cycles.size(); ++v) {
    const std::int32_t c = model_->cycles[v], d = part.cycles[v];
    if (c - a != d - b || problem_.source_of(c) != problem_.source_of(d) ||
        problem_.applications(c) != problem_.applications(d) ||
        problem_.alpha(c) != problem_.alpha(d) || problem_.beta(c) != problem_.beta(d))
      return false;
    for (int t = 0; t < problem_.applications(c); ++t)
      if (problem_.step(c, t) - from_a != problem_.step(d, t) - from_b) return false;
  }
  for (std::int32_t l = 0; l < part.n_laws; ++l) {
    const std::size_t i = all.law_start[model_->first_law + l],
                      j = all.law_start[part.first_law + l];
    const std::size_t n = all.law_start[model_->first_law + l + 1] - i;
    if (all.law_start[part.first_law + l + 1] - j != n) return false;
    for (std::size_t k = 0; k < n; ++k)
      if (all.law_cycle[i + k] - a != all.law_cycle[j + k] - b ||
          all.law_coef[i + k] != all.law_coef[j + k])
        return false;
  }
  return true;
}

Shape* Elimination::intern(Shape shape) {
  const std::size_t first = shapes_.size() > max_shapes ? shapes_.size() - max_shapes : 0;
  for (std::size_t i = shapes_.size(); i-- > first;)
    if (*shapes_[i] == shape) return shapes_[i].get();
  shapes_.push_back(std::make_unique<Shape>(std::move(shape)));
  return shapes_.back().get();
}

const Elimination::Cost& Elimination::plan(const Component& part) {
  const bool known = like_last(part);
  part_ = &part;
  if (known) return layout_->cost;
  model_ = &part;
  layout_ = std::make_unique<Layout>();
  has_steps_ = false;
  Orderer orderer(*this, part);
  layout_->laws = orderer.run();
  if (orderer.too_wide()) {
    constexpr double beyond = std::numeric_limits<double>::infinity();
    layout_->cost = {beyond, beyond, beyond, orderer.width()};
  } else {
    Stepper(*this, part, *layout_).cut();
  }
  return layout_->cost;
}

void Elimination::plan_like(const Elimination& other, const Component& part) {
  part_ = model_ = &part;
  layout_ = std::make_unique<Layout>();
  has_steps_ = false;
  layout_->laws = other.layout_->laws;
  layout_->cost = other.layout_->cost;
  for (const Layout::Step& step : other.layout_->steps)
    layout_->steps.push_back({nullptr, step.first_law, step.n_laws, 1, nullptr});
}

Chain Elimination::build() {
  if (!has_steps_) Stepper(*this, *model_, *layout_).fill();
  has_steps_ = true;
  Chain out;
  out.laws.reserve(layout_->laws.size());
  for (std::int32_t law : layout_->laws) out.laws.push_back(part_->first_law + law);
  std::vector<Problem::Values> values;
  out.steps.reserve(layout_->steps.size());
  for (const Layout::Step& step : layout_->steps) {
    values.clear();
    for (std::size_t k = 0; k < step.n_laws; ++k)
      for (int source = 0; source < problem_.n_sources(); ++source)
        values.push_back(problem_.values(out.laws[step.first_law + k], source));
    out.steps.push_back({step.shape->kernel(values), step.lanes, step.first_law, step.permutation});
  }
  return out;
}

}  // namespace sdclattice
