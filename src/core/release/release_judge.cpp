#include "release/release_judge.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/flat_map.hpp"
#include "table/small_counts.hpp"

namespace sdclattice {

namespace {

// The margins of sub-tables at the cells at risk, as many as fit. When the room is used up all go
// at once: the few hundred that a search works with come back soon, and the order in which they
// were asked for need not be kept.
template <class Count>
class KeptMargins {
 public:
  KeptMargins(const RiskCells& cells, std::size_t max_bytes)
      : cells_(cells),
        most_(std::max<std::size_t>(max_bytes / (sizeof(Count) * (cells.size() + 1)), 64)) {}

  // To be called before the margins of one move are asked for: none of these goes meanwhile.
  void make_room(std::size_t n) {
    if (kept_.size() + n > most_) kept_.clear();
  }
  const Count* at(SubTable set) {
    std::vector<Count>& margin = kept_[set];
    if (margin.empty()) {
      const std::vector<std::int64_t> counts = cells_.margin(set);
      margin.assign(counts.begin(), counts.end());
    }
    return margin.data();
  }

 private:
  const RiskCells& cells_;
  std::size_t most_;
  std::unordered_map<SubTable, std::vector<Count>> kept_;
};

// Adds sign * (both - first - second + neither) to the sums, and says whether any is positive then:
// its negative has the highest bit. This is where annealing spends its time. Blocks of a fixed size
// of numbers that do not overlap are what compilers turn into vector instructions at the usual
// level of optimisation.
template <class Count>
bool shift_sums(std::vector<Count>& sums, const Count* __restrict__ both,
                const Count* __restrict__ first, const Count* __restrict__ second,
                const Count* __restrict__ neither, Count sign) {
  constexpr std::size_t kBlock = 16;
  Count* __restrict__ sum = sums.data();
  Count marks[kBlock] = {};
  std::size_t i = 0;
  for (; i + kBlock <= sums.size(); i += kBlock)
    for (std::size_t k = 0; k < kBlock; ++k) {
      sum[i + k] += sign * (both[i + k] - first[i + k] - second[i + k] + neither[i + k]);
      marks[k] |= -sum[i + k];
    }
  for (; i < sums.size(); ++i) {
    sum[i] += sign * (both[i] - first[i] - second[i] + neither[i]);
    marks[0] |= -sum[i];
  }
  return std::any_of(marks, marks + kBlock, [](Count mark) { return mark < 0; });
}

// The lower bound of a cell is 0 or the sum S of its clique counts less its separator counts. An
// edge u - v with common neighbours C makes the clique C + u + v out of C + u and C + v, so S grows
// by n(C + u + v) - n(C + u) - n(C + v) + n(C), which is never negative. Where S stays at or below
// 0, the width is the least clique count, and admissible cliques are enough. Elsewhere, which is
// rare because S cannot exceed the small count of the cell, the clique counts are looked up.
template <class Count>
class Judge : public ReleaseJudge {
 public:
  Judge(const RiskCells& cells, const JudgeRules& rules)
      : cells_(cells),
        rules_(rules),
        margins_(cells, rules.max_bytes),
        sums_(cells.size()),
        small_(cells, rules.beta) {}

  void know(const std::vector<SubTable>& admissible) override {
    admissible_ = FlatSet(admissible);
    all_known_ = true;
  }

  void begin(const DecomposableGraph& graph) override {
    const CliqueTree tree = graph.clique_tree();
    // a variable that is in no sub-table takes the whole total from each sum
    const std::int64_t taken = cells_.may_be_empty() ? cells_.total() : 0;
    std::fill(sums_.begin(), sums_.end(), static_cast<Count>(-taken));
    const auto include = [&](SubTable set, Count sign) {
      margins_.make_room(1);
      const Count* count = margins_.at(set);
      for (std::size_t i = 0; i < sums_.size(); ++i)
        sums_[i] = static_cast<Count>(sums_[i] + sign * count[i]);
    };
    for (SubTable clique : tree.cliques) include(clique, 1);
    for (SubTable separator : tree.separators) include(separator, -1);
  }

  bool add(const DecomposableGraph& graph, std::size_t u, std::size_t v) override {
    const SubTable clique = graph.common(u, v) | SubTable{1} << u | SubTable{1} << v;
    if (!admissible(clique)) return false;
    ++n_judged_;
    if (!shift(graph, u, v, 1) || safe_where_positive(graph, u, v)) return true;
    shift(graph, u, v, -1);
    return false;
  }

  void remove(const DecomposableGraph& graph, std::size_t u, std::size_t v) override {
    ++n_judged_;
    shift(graph, u, v, -1);
  }

  std::size_t n_judged() const override { return n_judged_; }

 private:
  bool admissible(SubTable set) {
    if (admissible_.contains(set)) return true;
    if (all_known_ || refused_.contains(set)) return false;
    const bool ok = !holds_forbidden(set) && !small_.found_in(set) && counts_suffice(set);
    (ok ? admissible_ : refused_).insert(set);
    return ok;
  }

  bool holds_forbidden(SubTable set) const {
    return std::any_of(rules_.forbidden.begin(), rules_.forbidden.end(),
                       [set](SubTable f) { return (f & ~set) == 0; });
  }

  bool counts_suffice(SubTable set) {
    margins_.make_room(1);
    const Count* count = margins_.at(set);
    const Count* end = count + cells_.size();
    const Count* small = std::find_if(count, end, [&](Count n) { return n < rules_.beta; });
    if (small == end) return true;
    small_.remember(static_cast<std::size_t>(small - count));
    return false;
  }

  // Adds the edge's change of the sums, or takes it away: is any sum positive then?
  bool shift(const DecomposableGraph& graph, std::size_t u, std::size_t v, Count sign) {
    const SubTable common = graph.common(u, v);
    const SubTable with_u = common | SubTable{1} << u, with_v = common | SubTable{1} << v;
    margins_.make_room(4);
    const Count *both = margins_.at(with_u | with_v), *first = margins_.at(with_u),
                *second = margins_.at(with_v), *neither = margins_.at(common);
    return shift_sums(sums_, both, first, second, neither, sign);
  }

  bool safe_where_positive(const DecomposableGraph& graph, std::size_t u, std::size_t v) {
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < sums_.size(); ++i)
      if (sums_[i] > 0) at.push_back(i);
    DecomposableGraph with_edge = graph;
    with_edge.flip(u, v);
    for (SubTable clique : with_edge.clique_tree().cliques) {
      margins_.make_room(1);
      const Count* count = margins_.at(clique);
      for (std::size_t i : at)
        if (count[i] - sums_[i] < rules_.beta) return false;
    }
    return true;
  }

  const RiskCells& cells_;
  JudgeRules rules_;
  KeptMargins<Count> margins_;
  std::vector<Count> sums_;
  SmallCounts small_;
  FlatSet admissible_, refused_;
  bool all_known_ = false;
  std::size_t n_judged_ = 0;
};

}  // namespace

// The sums lie between -N K and N.
std::unique_ptr<ReleaseJudge> make_release_judge(const RiskCells& cells, const JudgeRules& rules) {
  const std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (cells.total() <= most / static_cast<std::int64_t>(4 * kMaxSubTableVariables))
    return std::make_unique<Judge<std::int32_t>>(cells, rules);
  return std::make_unique<Judge<std::int64_t>>(cells, rules);
}

}  // namespace sdclattice
