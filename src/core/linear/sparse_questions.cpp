#include "linear/sparse_questions.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "linear/network_flow.hpp"
#include "linear/sparse_search.hpp"

namespace sdclattice {

namespace {

constexpr int kTries = 4;  // walks for a side of a question

SearchLevel level_of(Trial trial) {
  if (trial == Trial::complete) return SearchLevel::complete;
  return trial == Trial::lengthy ? SearchLevel::dives : SearchLevel::whole;
}

}  // namespace

SparseQuestions::SparseQuestions(const LinearSystem& part, const LinearSystem& implied,
                                 std::vector<std::int64_t> truth, WorkClock& clock)
    : part_(part),
      implied_(implied),
      truth_(std::move(truth)),
      clock_(clock),
      walk_(part),
      is_network_(FlowNetwork::from(part).has_value()) {}

ReaderVerdict SparseQuestions::ask(std::size_t cell, const ReaderNeed& need,
                                   const NarrowedLimits& limits, Trial trial, WitnessStore& found) {
  clock_.check();
  const Question question{cell, need, limits};
  if (!question.possible(1) && !question.possible(-1)) return ReaderVerdict::closed;
  if (trial != Trial::quick) return prove(question, trial, found);
  for (const int sign : {1, -1})
    if (question.possible(sign) && walk(question, sign, found)) return ReaderVerdict::open;
  return ReaderVerdict::unsure;
}

// A table within the limits, of those where the cell is furthest on its way.
std::vector<std::int64_t> SparseQuestions::start(const Question& question, int sign,
                                                 const WitnessStore& found) const {
  const auto fits = [&](const std::vector<std::int64_t>& x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] < question.limits.lower[i] || x[i] > question.limits.upper[i]) return false;
    return true;
  };
  const std::vector<std::int64_t>* best = nullptr;
  if (!truth_.empty() && fits(truth_)) best = &truth_;
  for (const Witness& witness : found.held()) {
    const auto ahead = [&](const std::vector<std::int64_t>& x) {
      return sign * x[question.cell] > sign * (*best)[question.cell];
    };
    if ((best == nullptr || ahead(witness.value)) && fits(witness.value)) best = &witness.value;
  }
  return best == nullptr ? std::vector<std::int64_t>{} : *best;
}

// The seed is that of the question, so that the order of questions changes nothing.
bool SparseQuestions::walk(const Question& question, int sign, WitnessStore& found) {
  std::vector<std::int64_t> x = start(question, sign, found);
  if (x.empty()) return false;
  const std::int64_t target = question.target(sign);
  if (sign * x[question.cell] >= sign * target) return keep(x, question, found);
  PublicRandom random(2 * question.cell + (sign > 0));
  for (int k = 0; k < kTries; ++k) {
    clock_.check();
    if (walk_.move(x, question.cell, target, question.limits.lower, question.limits.upper, random))
      return keep(x, question, found);
  }
  return false;
}

// Every table is checked once more, against all rows.
bool SparseQuestions::keep(const std::vector<std::int64_t>& x, const Question& question,
                           WitnessStore& found) {
  if (!satisfies(part_, x) || !satisfies(implied_, x)) return false;
  const Witness& witness = found.keep({x, 1});
  return witness.meets(question.cell, question.need) &&
         witness.within(question.limits.lower, question.limits.upper);
}

ReaderVerdict SparseQuestions::prove(const Question& question, Trial trial, WitnessStore& found) {
  LinearSystem known = question.limits.applied(part_);
  if (!tighten(known, clock_.tick())) throw_contradiction();
  NarrowedLimits narrowed(known);
  const Question left{question.cell, question.need, narrowed};
  if (!left.possible(1) && !left.possible(-1)) return ReaderVerdict::closed;
  return is_network_ ? ask_flow(known, left, trial, found) : search(known, left, trial, found);
}

ReaderVerdict SparseQuestions::ask_flow(const LinearSystem& known, const Question& question,
                                        Trial trial, WitnessStore& found) {
  const std::function<void()> check = [this] { clock_.check(); };
  std::optional<FlowNetwork> network = FlowNetwork::from(known);
  if (!network) return search(known, question, trial, found);
  if (!network->solve(check)) throw_contradiction();
  for (const int sign : {1, -1}) {
    if (!question.possible(sign)) continue;
    if (!network->push(question.cell, sign, check)) return ReaderVerdict::open;
    std::vector<std::int64_t> x(part_.n_cells());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = network->flow(i);
    const std::int64_t end = x[question.cell];
    if (sign > 0 ? end < question.need.high : end > question.need.low) continue;
    return keep(x, question, found) ? ReaderVerdict::open : ReaderVerdict::unsure;
  }
  return ReaderVerdict::closed;
}

ReaderVerdict SparseQuestions::search(const LinearSystem& known, const Question& question,
                                      Trial trial, WitnessStore& found) {
  const SearchLevel level = level_of(trial);
  Knowledge knowledge(known);
  Effort effort;
  SparseSearch search(known, implied_, knowledge, effort, clock_);
  if (!search.start(start(question, 1, found), level)) return ReaderVerdict::unsure;
  bool sure = true;
  for (const int sign : {1, -1}) {
    if (!question.possible(sign)) continue;
    const Reach reach = search.reaches(static_cast<std::uint32_t>(question.cell), sign,
                                       question.target(sign), level);
    if (reach == Reach::yes) {
      keep(search.tables()[search.tables().best(question.cell, sign)], question, found);
      return ReaderVerdict::open;
    }
    sure = sure && reach == Reach::no;
  }
  return sure ? ReaderVerdict::closed : ReaderVerdict::unsure;
}

}  // namespace sdclattice
