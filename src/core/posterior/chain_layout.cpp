#include "posterior/chain_layout.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

#include "posterior/chain.hpp"
#include "posterior/law_order.hpp"

namespace sdclattice {
namespace {

constexpr double kMaxKernel = 1 << 16;  // entries of a fused step
constexpr std::size_t kMaxFused = 4;    // laws; with more, fewer steps would have the same values
constexpr std::size_t kMaxShapes = 64;  // looked through for one that is alike

using Cycles = std::vector<std::int32_t>;

bool contains(const Cycles& all, std::int32_t cycle) {
  return std::find(all.begin(), all.end(), cycle) != all.end();
}

// Where the states of a front stand in a message: the first cycle's change fastest.
std::shared_ptr<const std::vector<std::uint32_t>> permute(const std::vector<std::int32_t>& from,
                                                          const std::vector<std::int32_t>& to,
                                                          const std::vector<std::uint32_t>& size) {
  if (from == to) return nullptr;
  assert(std::is_permutation(from.begin(), from.end(), to.begin(), to.end()));
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

}  // namespace

// Follows the front along the laws and cuts them into steps. Fusing the next law into a step
// multiplies the step's products by the states that enter; alone they multiply the states that the
// step leaves.
class LayoutMaker::Stepper {
 public:
  Stepper(LayoutMaker& owner, const Component& part, ChainLayout& layout)
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
    for (ChainLayout::Step& step : layout_.steps) fill(step, active);
  }

 private:
  template <typename Do>
  void for_each(std::size_t place, Do&& act) const {
    const std::size_t law = static_cast<std::size_t>(part_.first_law) + layout_.laws[place];
    for (std::size_t e = linkage_.law_start[law]; e < linkage_.law_start[law + 1]; ++e)
      act(linkage_.law_cycle[e]);
  }
  double size(std::int32_t cycle) const { return owner_.states_.of(cycle).size(); }
  bool leaves_before(std::int32_t cycle, std::size_t place) const {
    return last_use_[owner_.local_[cycle]] < place;
  }

  double count_fresh(std::size_t place) const {
    double count = 1;
    for_each(place, [&](std::int32_t c) {
      if (!contains(active_, c)) count *= static_cast<double>(owner_.states_.of(c).fresh().size());
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
    return place - first_ < kMaxFused && products_ * fresh <= products_ + states_now_ * fresh &&
           kernel_ * count_touched(place) * fresh <= kMaxKernel;
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

  // The cycles of a step's laws, in the order in which they are met.
  Cycles met_in(const ChainLayout::Step& step) const {
    Cycles out;
    for (std::size_t i = step.first_law; i < step.first_law + step.n_laws; ++i)
      for_each(i, [&](std::int32_t c) {
        if (!contains(out, c)) out.push_back(c);
      });
    return out;
  }

  // `active`: the front before the step, then the one after it.
  void fill(ChainLayout::Step& step, Cycles& active) const {
    const Cycles met = met_in(step);
    Cycles kept, variables;
    for (std::int32_t c : active) (contains(met, c) ? variables : kept).push_back(c);
    const std::size_t n_touched = variables.size();
    Cycles order = kept;
    order.insert(order.end(), variables.begin(), variables.end());
    std::vector<std::uint32_t> sizes;
    for (std::int32_t c : order)
      sizes.push_back(static_cast<std::uint32_t>(owner_.states_.of(c).size()));
    for (std::size_t i = 0; i < kept.size(); ++i) step.lanes *= sizes[i];
    step.permutation = permute(active, order, sizes);
    for (std::int32_t c : met)
      if (!contains(active, c)) variables.push_back(c);
    step.shape = owner_.intern(shape(step, variables, n_touched));
    active = std::move(kept);
    for (std::int32_t c : variables)
      if (!leaves_before(c, step.first_law + step.n_laws)) active.push_back(c);
  }

  Shape shape(const ChainLayout::Step& step, const Cycles& cycles, std::size_t n_touched) const {
    const Problem& problem = owner_.problem_;
    std::vector<Shape::Variable> variables;
    for (std::int32_t c : cycles) {
      const bool leaves = leaves_before(c, step.first_law + step.n_laws);
      variables.push_back({&owner_.states_.of(c), problem.alpha(c), problem.beta(c), leaves});
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

  LayoutMaker& owner_;
  const Linkage& linkage_;
  const Component& part_;
  ChainLayout& layout_;
  std::vector<std::size_t> last_use_;
  Cycles active_, touched_;
  std::size_t first_ = 0;
  double states_now_ = 1, states_before_ = 1, products_ = 1, kernel_ = 1;
};

ChainLayout ChainLayout::unfilled() const {
  ChainLayout out = *this;
  for (Step& step : out.steps) step = {nullptr, step.first_law, step.n_laws, 1, nullptr};
  return out;
}

LayoutMaker::LayoutMaker(const Problem& problem)
    : problem_(problem), states_(problem), local_(problem.linkage().n_cycles) {}
LayoutMaker::~LayoutMaker() = default;

Shape* LayoutMaker::intern(Shape shape) {
  const std::size_t first = shapes_.size() > kMaxShapes ? shapes_.size() - kMaxShapes : 0;
  for (std::size_t i = shapes_.size(); i-- > first;)
    if (*shapes_[i] == shape) return shapes_[i].get();
  shapes_.push_back(std::make_unique<Shape>(std::move(shape)));
  return shapes_.back().get();
}

ChainLayout LayoutMaker::plan(const Component& part) {
  ChainLayout out;
  LawOrder order = order_laws(problem_.linkage(), part, states_, local_);
  out.laws = std::move(order.laws);
  if (order.too_wide) {
    constexpr double kBeyond = std::numeric_limits<double>::infinity();
    out.cost = {kBeyond, kBeyond, kBeyond, order.width};
  } else {
    Stepper(*this, part, out).cut();
  }
  return out;
}

void LayoutMaker::fill(const Component& part, ChainLayout& layout) {
  assert(!layout.is_filled() && layout.laws.size() == static_cast<std::size_t>(part.n_laws));
  Stepper(*this, part, layout).fill();
}

}  // namespace sdclattice
