#include "release/chordal_search.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.hpp"
#include "release/chordal_parts.hpp"
#include "table/part_table.hpp"

namespace sdclattice {

namespace {

// Graphs that are built greedily before the search, and targets that are the upper bound itself.
constexpr std::size_t kDives = 10;
constexpr std::size_t kFullTargets = 4;

class DecomposableSearch {
 public:
  DecomposableSearch(const RiskCells& risk, std::int64_t beta, const AdditiveUtility& utility,
                     const DecomposableLimits& limits, WorkClock& clock)
      : risk_(risk),
        beta_(beta),
        utility_(utility),
        steps_(utility.steps()),
        reaches_(utility),
        limits_(limits),
        clock_(clock),
        n_(risk.n_variables()),
        seconds_(clock.seconds_left()) {}

  DecomposableResult run() {
    out_.upper = utility_.below(risk_.all_variables());
    try {
      find_admissible();
      sort_roots();
      lower_targets();
    } catch (const WorkTimeUp&) {
      out_.stopped = true;
    }
    if (out_.value >= 0) out_.upper = std::max(out_.upper, out_.value);
    out_.optimal = out_.value >= 0 && reaches_(out_.value, out_.upper);
    return std::move(out_);
  }

 private:
  struct Attachment {
    SubTable clique;
    double gain, worth;  // worth: of the clique that it makes
  };
  struct Root {
    SubTable clique;
    double worth, bound;
  };
  struct State {
    SubTable present = 0;
    std::vector<SubTable> graph, with, without;
    double value = 0, hope = 0;
    Counts upper, sum;
  };

  // ---- admissible sets --------------------------------------------------------------------------

  void find_admissible() {
    std::vector<SubTable> level{0};
    while (!level.empty()) {
      std::vector<SubTable> next;
      for (SubTable set : level)
        for (std::size_t v = 0; v < n_; ++v) {
          const SubTable more = set | bit(v);
          if ((set >> v) != 0 || !steps_.is_closed(more) || !facets_admissible(more)) continue;
          clock_.check();
          const Counts counts = risk_.margin(more);
          if (*std::min_element(counts.begin(), counts.end()) < beta_) continue;
          admissible_.insert(more);
          next.push_back(more);
          if (admissible_.size() > limits_.max_admissible)
            throw TooLargeError("There are too many sub-tables that are safe by themselves.");
        }
      level = std::move(next);
    }
    attachments_.resize(n_);
    for (SubTable set : admissible_)
      for (std::size_t v = 0; v < n_; ++v)
        if (has_variable(steps_.last_steps(set), v))
          attachments_[v].push_back(
              {set & ~bit(v), utility_.gain(v, set & ~bit(v)), utility_.below(set)});
    for (auto& list : attachments_)
      std::sort(list.begin(), list.end(), [](const Attachment& a, const Attachment& b) {
        return a.gain != b.gain ? a.gain > b.gain : a.clique < b.clique;
      });
  }

  bool facets_admissible(SubTable set) const {
    if (set_size(set) == 1) return true;
    const SubTable last = steps_.last_steps(set);
    for (std::size_t v = 0; v < n_; ++v)
      if (has_variable(last, v) && admissible_.count(set & ~bit(v)) == 0) return false;
    return true;
  }

  // What a vertex adds at most when no clique is worth more than `worth`.
  double most_gain(std::size_t v, double worth) const {
    for (const Attachment& a : attachments_[v])
      if (reaches_(worth, a.worth)) return a.gain;
    return 0;
  }

  void sort_roots() {
    for (SubTable set : admissible_) {
      Root root{set, utility_.below(set), 0};
      root.bound = root.worth;
      for (std::size_t v = 0; v < n_; ++v)
        if (!has_variable(set, v)) root.bound += most_gain(v, root.worth);
      roots_.push_back(root);
    }
    std::sort(roots_.begin(), roots_.end(), [](const Root& a, const Root& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.clique < b.clique;
    });
  }

  // ---- targets ----------------------------------------------------------------------------------

  // Each search finds a graph that meets the target, or proves that there is none; then `next_`,
  // the largest bound that fell below it, is the new upper bound. Targets are that bound at first,
  // and later halves of what is open.
  void lower_targets() {
    if (roots_.empty()) return;
    out_.upper = roots_.front().bound;
    for (std::size_t r = 0; r < roots_.size() && r < kDives; ++r) dive(roots_[r]);
    for (std::size_t failed = 0; !reaches_(out_.value, out_.upper);) {
      target_ = out_.upper;
      if (failed >= kFullTargets && out_.value >= 0) {
        const double half = out_.value + (out_.upper - out_.value) / 2;
        if (!reaches_(out_.value, half)) target_ = half;
      }
      if (meet_target()) continue;
      if (target_ <= 0) return;  // no graph is worth less than nothing: there is none
      ++failed;
      out_.upper = std::max(next_, out_.value);
    }
  }

  bool meet_target() {
    next_ = 0;
    visited_.clear();
    for (const Root& root : roots_) {
      if (!reaches_(root.bound, target_)) {
        next_ = std::max(next_, root.bound);
        return false;
      }
      State state = start(root);
      if (is_safe(state) && grow(state)) return true;
    }
    return false;
  }

  // The largest gain that is safe, again and again: a graph to compare others with.
  void dive(const Root& root) {
    target_ = 0;
    State state = start(root);
    if (!is_safe(state)) return;
    for (bool more = true; more && state.present != risk_.all_variables();) {
      more = false;
      for (const auto& [v, clique] : choices(state)) {
        State next = state;
        attach(next, v, clique);
        if (!is_safe(next)) continue;
        state = std::move(next);
        more = true;
        break;
      }
    }
    if (state.present == risk_.all_variables()) offer(state);
  }

  // ---- one root ---------------------------------------------------------------------------------

  State start(const Root& root) {
    worth_ = root.worth;
    State state;
    state.graph.assign(n_, 0);
    state.upper.assign(risk_.size(), risk_.total());
    state.sum.assign(risk_.size(), risk_.may_be_empty() ? 0 : risk_.total());
    for (std::size_t v = 0; v < n_; ++v) join(state, bit(v), 0);
    SubTable clique = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      if (!has_variable(root.clique, v)) continue;
      attach(state, v, clique);
      clique |= bit(v);
    }
    most_.assign(n_, 0);
    state.hope = 0;
    for (std::size_t v = 0; v < n_; ++v)
      if (!has_variable(root.clique, v)) state.hope += most_[v] = most_gain(v, worth_);
    return state;
  }

  // The closed form with one clique more.
  void join(State& state, SubTable with, SubTable without) {
    const Counts more = margin(with), less = margin(without);
    for (std::size_t i = 0; i < more.size(); ++i) {
      state.upper[i] = std::min(state.upper[i], more[i]);
      state.sum[i] += more[i] - less[i];
    }
  }

  void attach(State& state, std::size_t v, SubTable clique) {
    assert(!has_variable(state.present, v) && holds(state.present, clique));
    assert(is_clique(state.graph.data(), clique));
    const Counts& alone = margin(bit(v));
    for (std::size_t i = 0; i < alone.size(); ++i) state.sum[i] -= alone[i] - risk_.total();
    join(state, clique | bit(v), clique);
    for (std::size_t u = 0; u < n_; ++u)
      if (has_variable(clique, u)) state.graph[u] |= bit(v);
    state.graph[v] = clique;
    state.present |= bit(v);
    state.with.push_back(clique | bit(v));
    state.value += utility_.gain(v, clique);
  }

  bool is_safe(const State& state) const {
    for (std::size_t i = 0; i < state.sum.size(); ++i)
      if (state.upper[i] - std::max<std::int64_t>(state.sum[i], 0) < beta_) return false;
    return true;
  }

  // True when a graph meets the target.
  bool grow(const State& state) {
    clock_.check();
    if (!visit(state)) return false;
    ++out_.n_graphs;
    if (state.present == risk_.all_variables()) {
      offer(state);
      return out_.value >= 0 && reaches_(out_.value, target_);
    }
    for (const auto& [v, clique] : choices(state)) {
      State more = state;
      attach(more, v, clique);
      more.hope -= most_[v];
      if (is_safe(more) && grow(more)) return true;
    }
    return false;
  }

  // What may be attached without falling below the target, the largest gain first. Attachments of
  // no neighbour come last of all: they leave the graph as it is.
  std::vector<std::pair<std::size_t, SubTable>> choices(const State& state) {
    std::vector<std::pair<double, std::pair<std::size_t, SubTable>>> found;
    for (std::size_t v = 0; v < n_; ++v) {
      if (has_variable(state.present, v)) continue;
      for (const Attachment& a : attachments_[v]) {
        const double bound = state.value + state.hope - most_[v] + a.gain;
        if (!reaches_(bound, target_)) {
          next_ = std::max(next_, bound);
          break;
        }
        if (!reaches_(worth_, a.worth) || !holds(state.present, a.clique)) continue;
        if (!is_clique(state.graph.data(), a.clique)) continue;
        found.push_back({a.gain, {v, a.clique}});
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::pair<std::size_t, SubTable>> out;
    for (const auto& f : found) out.push_back(f.second);
    return out;
  }

  // False when the same graph was met before.
  bool visit(const State& state) {
    if (visited_.size() >= limits_.max_visited) return true;
    std::vector<SubTable> key = state.graph;
    key.push_back(state.present);
    return visited_.insert(std::move(key)).second;
  }

  void offer(const State& state) {
    if (out_.value >= 0 && reaches_(out_.value, state.value)) return;
    out_.value = state.value;
    out_.cliques = cliques_of(state.with);
    out_.steps.push_back({state.value, seconds_ - clock_.seconds_left(), out_.n_graphs});
  }

  const Counts& margin(SubTable set) {
    const auto found = margins_.find(set);
    if (found != margins_.end()) return found->second;
    if ((margins_.size() + 1) * risk_.size() * sizeof(std::int64_t) > limits_.max_margin_bytes)
      margins_.clear();
    return margins_.emplace(set, risk_.margin(set)).first->second;
  }

  const RiskCells& risk_;
  std::int64_t beta_;
  const AdditiveUtility& utility_;
  const LevelSteps& steps_;
  Comparison reaches_;
  DecomposableLimits limits_;
  WorkClock& clock_;
  std::size_t n_;
  double seconds_;
  std::unordered_set<SubTable> admissible_;
  std::vector<std::vector<Attachment>> attachments_;
  std::vector<Root> roots_;
  std::unordered_map<SubTable, Counts> margins_;
  std::set<std::vector<SubTable>> visited_;
  std::vector<double> most_;
  double target_ = 0, next_ = 0, worth_ = 0;
  DecomposableResult out_;
};

}  // namespace

DecomposableResult search_decomposable(const RiskCells& risk, std::int64_t beta,
                                       const AdditiveUtility& utility,
                                       const DecomposableLimits& limits, WorkClock& clock) {
  return DecomposableSearch(risk, beta, utility, limits, clock).run();
}

}  // namespace sdclattice
