#include "posterior/elimination.hpp"

#include <vector>

namespace sdclattice {

std::shared_ptr<ChainLayout> Elimination::plan(const Component& part) {
  if (layout_ && problem_.same_form(model_, part)) return layout_;
  model_ = part;
  layout_ = std::make_shared<ChainLayout>(maker_.plan(part));
  return layout_;
}

void Elimination::fill(const Component& part, ChainLayout& layout) {
  if (!layout.is_filled()) maker_.fill(part, layout);
}

Chain Elimination::build(const Component& part, ChainLayout& layout) {
  fill(part, layout);
  Chain out;
  out.laws.reserve(layout.laws.size());
  for (std::int32_t law : layout.laws) out.laws.push_back(part.first_law + law);
  std::vector<Problem::Values> values;
  out.steps.reserve(layout.steps.size());
  for (const ChainLayout::Step& step : layout.steps) {
    values.clear();
    for (std::size_t k = 0; k < step.n_laws; ++k)
      for (int source = 0; source < problem_.n_sources(); ++source)
        values.push_back(problem_.values(out.laws[step.first_law + k], source));
    out.steps.push_back({step.shape->kernel(values), step.lanes, step.first_law, step.permutation});
  }
  return out;
}

}  // namespace sdclattice
