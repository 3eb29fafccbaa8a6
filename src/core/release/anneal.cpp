#include "release/anneal.hpp"

#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "base/work_clock.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

double unit_interval(PublicRandom& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

// A state is a chordal graph whose cliques are the frontier of a safe release. A proposal takes a
// pair of variables at random and adds or deletes the edge between them, where that gives a chordal
// graph: any chordal graph is reached from any other by such steps, and the neighbourhoods are
// uniform. Adding is always worth at least nothing and is done when the release stays safe;
// deleting loses what the sub-tables with both variables are worth, and is done with probability
// exp(-loss / temperature). All that takes time is the judge's work for edges that are added or
// deleted.
class Chain {
 public:
  Chain(ReleaseJudge& judge, const AdditiveUtility& utility, const DecomposableGraph& start,
        const std::vector<SubTable>& forced, const AnnealPlan& plan, AnnealFound& found,
        const Tick& tick)
      : judge_(judge),
        utility_(utility),
        graph_(start),
        plan_(plan),
        found_(found),
        tick_(tick),
        steps_(plan.levels.empty() ? LevelSteps(start.size()) : LevelSteps(plan.levels)),
        random_(plan.seed),
        judged_before_(judge.n_judged()) {
    std::vector<SubTable> joined = forced;
    for (std::size_t v = 0; v < steps_.n_variables(); ++v) joined.push_back(steps_.steps_of(v));
    const DecomposableGraph kept(start.size(), joined);
    for (std::size_t u = 0; u < start.size(); ++u)
      for (std::size_t v = 0; v < u; ++v)
        if (!kept.edge(u, v)) pairs_.emplace_back(u, v);
    judge_.begin(graph_);
    const CliqueTree tree = graph_.clique_tree();
    value_ = utility_.release(tree.cliques, tree.separators);
    note_best(0);
  }

  void run() {
    const double n = static_cast<double>(plan_.proposals);
    const double factor = n > 1 ? std::pow(plan_.cold / plan_.hot, 1 / (n - 1)) : 1;
    double temperature = plan_.hot;
    for (std::size_t i = 1; i <= plan_.proposals && !found_.enough && !pairs_.empty(); ++i) {
      if (i % 256 == 0 && pause(i)) return;
      found_.n_proposals = i;
      const auto [u, v] = pairs_[random_.below(pairs_.size())];
      const bool moved = graph_.edge(u, v) ? try_delete(u, v, temperature) : try_add(u, v);
      if (moved) ++found_.n_accepted;
      if (value_ > found_.value) note_best(i);
      temperature *= factor;
    }
    take_stock();
  }

 private:
  void take_stock() {
    found_.n_judged = judge_.n_judged() - judged_before_;
    found_.seconds = work_seconds() - begin_;
  }

  // May throw, when somebody wants the chain to end; true when its time is over.
  bool pause(std::size_t proposal) {
    take_stock();
    report(tick_, static_cast<double>(proposal) / static_cast<double>(plan_.proposals));
    found_.out_of_time = found_.seconds >= plan_.seconds;
    return found_.out_of_time;
  }

  bool try_add(std::size_t u, std::size_t v) {
    if (!is_next(u, v) || !is_next(v, u)) return false;
    if (!graph_.may_add(u, v) || !judge_.add(graph_, u, v)) return false;
    value_ += worth(u, v);
    graph_.flip(u, v);
    return true;
  }

  bool try_delete(std::size_t u, std::size_t v, double temperature) {
    if (!is_last(u, v) || !is_last(v, u)) return false;
    if (!graph_.may_delete(u, v)) return false;
    const double loss = worth(u, v);
    if (unit_interval(random_) >= std::exp(-loss / temperature)) return false;
    graph_.flip(u, v);
    judge_.remove(graph_, u, v);
    value_ -= loss;
    return true;
  }

  // Cliques stay closed while coarser steps have all neighbours that finer ones have: is the step
  // just before u joined to v, if there is one? And is the one just after u not?
  bool is_next(std::size_t u, std::size_t v) const {
    return (steps_.first_steps() >> u & 1) != 0 || graph_.edge(u - 1, v);
  }
  bool is_last(std::size_t u, std::size_t v) const {
    return set_size(steps_.from_step(u)) == 1 || !graph_.edge(u + 1, v);
  }

  // All sub-tables with both variables that the edge brings or takes.
  double worth(std::size_t u, std::size_t v) const {
    return utility_.with_edge(graph_.common(u, v) | SubTable{1} << u | SubTable{1} << v, u, v);
  }

  void note_best(std::size_t proposal) {
    found_.best = graph_.clique_tree();
    value_ = utility_.release(found_.best.cliques, found_.best.separators);
    found_.value = value_;
    found_.log.push_back({proposal, value_, work_seconds() - begin_});
    found_.enough = value_ >= plan_.enough;
  }

  ReleaseJudge& judge_;
  const AdditiveUtility& utility_;
  DecomposableGraph graph_;
  const AnnealPlan& plan_;
  AnnealFound& found_;
  const Tick& tick_;
  LevelSteps steps_;
  PublicRandom random_;
  std::size_t judged_before_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  double value_ = 0;
  double begin_ = work_seconds();
};

}  // namespace

void anneal(ReleaseJudge& judge, const AdditiveUtility& utility, const DecomposableGraph& start,
            const std::vector<SubTable>& forced, const AnnealPlan& plan, AnnealFound& found,
            const Tick& tick) {
  found = AnnealFound();
  Chain(judge, utility, start, forced, plan, found, tick).run();
}

std::uint64_t chain_seed(std::uint64_t seed, std::uint64_t chain) {
  PublicRandom first(seed);
  return PublicRandom(first() + chain)();
}

}  // namespace sdclattice
