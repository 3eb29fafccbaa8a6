#include "posterior/chain_maker.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "posterior/joint_chain.hpp"

namespace sdclattice {
namespace {

constexpr std::size_t kComparedAtOnce = 64;
constexpr double kFarOffset = 1 << 20;  // farther apart than any set can move a cell

bool same_set(const CycleSet& a, const CycleSet& b) {
  return a.n_cells == b.n_cells && a.start == b.start && a.cell == b.cell && a.coef == b.coef &&
         a.next == b.next;
}

}  // namespace

ChainMaker::ChainMaker(std::vector<Publication>& sources, std::int32_t* law_of_cell)
    : sources_(sources) {
  if (sources.size() > 1)
    for (Publication& source : sources) source.expand();  // sets are compared, or joined
  for (const Publication& source : sources) skips_ = skips_ || source.cycles.skips_zeros();
  shared_ = sources.size() > 1 &&
            std::all_of(sources.begin() + 1, sources.end(), [&](const Publication& source) {
              return same_set(source.cycles, sources[0].cycles);
            });
  if (skips_ && sources.size() > 1 && !shared_)
    throw TooLargeError(
        "Several publications have exact messages together with a set that skips zeros only where "
        "all share this set.");
  readers_.emplace_back(sources.data(), shared_ ? 1 : sources.size(), law_of_cell);
  for (std::size_t k = 1; shared_ && k < sources.size(); ++k) {
    rooms_.emplace_back(sources[0].n_cells());
    readers_.emplace_back(&sources[k], 1, rooms_.back().data());
  }
  if (shared_) find_offsets();
  if (!skips_) return;
  for (std::size_t k = 0; k < readers_.size(); ++k)
    readers_[k].sweeps = std::make_unique<Sweeps>(sources[k], readers_[k].problem.linkage());
}

// By how much more each source changed each law than the first one.
void ChainMaker::find_offsets() {
  offsets_.assign(sources_.size() - 1, std::vector<std::int32_t>(linkage().n_laws(), 0));
  std::vector<char> met(linkage().n_laws());
  for (std::size_t k = 1; k < sources_.size(); ++k) {
    std::fill(met.begin(), met.end(), 0);
    for (std::size_t i = 0; i < linkage().n_cells; ++i) {
      const std::int32_t law = linkage().law_of_cell[i];
      const double more = sources_[k].published[i] - sources_[0].published[i];
      if (law == 0) {
        if (more == 0) continue;
        throw InfeasibleError("Cell " + std::to_string(i + 1) +
                              " never moves, and differs between the publications.");
      }
      const auto at = static_cast<std::size_t>(std::abs(law) - 1);
      const double apart = std::fmax(-kFarOffset, std::fmin(more, kFarOffset));
      const auto offset = static_cast<std::int32_t>(law > 0 ? apart : -apart);
      if (met[at] && offsets_[k - 1][at] != offset)
        throw InfeasibleError("No original table agrees with all publications.");
      met[at] = 1;
      offsets_[k - 1][at] = offset;
    }
  }
}

Component ChainMaker::cycles_of(const Component& part, int source) const {
  Component out = part;
  if (shared_) return out;
  out.cycles.clear();
  for (const std::int32_t c : part.cycles)
    if (problem().source_of(c) == source) out.cycles.push_back(problem().number_in_source(c));
  return out;
}

double ChainMaker::steps_of(const Component& part, int source) const {
  const Problem& problem =
      shared_ ? readers_[static_cast<std::size_t>(source)].problem : readers_[0].problem;
  double sum = 0;
  for (const std::int32_t c : part.cycles)
    if (shared_ || problem.source_of(c) == source) sum += problem.applications(c);
  return sum;
}

ChainMaker::Plan ChainMaker::plan(const Component& part) {
  Plan out{&part, {}, {}};
  for (Reader& reader : readers_)
    if (skips_)
      reader.sweeps->check(part);
    else
      out.layouts.push_back(reader.elimination.plan(part));
  if (skips_) return out;
  const auto most = std::max_element(
      out.layouts.begin(), out.layouts.end(),
      [](const auto& a, const auto& b) { return a->cost.products < b->cost.products; });
  const std::shared_ptr<ChainLayout> model = *most;
  out.cost = model->cost;
  for (std::shared_ptr<ChainLayout>& layout : out.layouts)
    if (layout != model) layout = std::make_shared<ChainLayout>(model->unfilled());
  return out;
}

ChainMaker::Plan ChainMaker::plan(std::size_t number) {
  const Component& part = linkage().components[number];
  if (alike_.empty() || !alike_[number]) return plan(part);
  return {&part, {first_}, first_->cost};
}

// Publications that share their set may differ in their mechanisms: there each has its plan.
void ChainMaker::compare(WorkerPool& pool, const Tick& tick) {
  const std::vector<Component>& parts = linkage().components;
  if (skips_ || readers_.size() > 1 || parts.size() < 2) return;
  first_ = readers_[0].elimination.plan(parts[0]);
  alike_.assign(parts.size(), 0);
  const std::size_t n_pieces = (parts.size() + kComparedAtOnce - 1) / kComparedAtOnce;
  pool.run(
      n_pieces,
      [&](std::size_t piece, std::size_t) {
        const std::size_t end = std::min(parts.size(), (piece + 1) * kComparedAtOnce);
        for (std::size_t k = piece * kComparedAtOnce; k < end; ++k)
          alike_[k] = problem().same_form(parts[0], parts[k]);
      },
      [&] { report(tick, 0); });
}

void ChainMaker::prepare(const Plan& plan) {
  for (std::size_t k = 0; k < plan.layouts.size(); ++k)
    readers_[k].elimination.fill(*plan.part, *plan.layouts[k]);
}

Chain ChainMaker::build(const Plan& plan, const Tick& tick) {
  std::vector<Chain> chains;
  for (std::size_t k = 0; k < readers_.size(); ++k)
    chains.push_back(skips_ ? readers_[k].sweeps->build(*plan.part, tick)
                            : readers_[k].elimination.build(*plan.part, *plan.layouts[k]));
  return chains.size() == 1 ? std::move(chains[0]) : join_chains(chains, offsets_, tick);
}

}  // namespace sdclattice
