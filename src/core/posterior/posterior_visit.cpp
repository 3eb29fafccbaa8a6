// How a model goes through its components, on one thread or several.
#include <algorithm>
#include <atomic>
#include <exception>
#include <utility>

#include "posterior/posterior.hpp"

namespace sdclattice {
namespace {

constexpr double kMaxBytesEach = 2.5e8;  // of the messages of each thread
constexpr std::int32_t kLawsAtOnce = 500;
constexpr std::size_t kPiecesAtOnce = 64;

}  // namespace

// Components in pieces, on several threads. A piece ends with the component that brings it to
// kLawsAtOnce laws, and what its components share is made before, some pieces at a time: so what is
// computed does not depend on the threads. Evidences are added in the order of the components.
class PosteriorModel::Visit {
 public:
  Visit(PosteriorModel& model, const Prior& prior, const Tick& tick, const OnChain& on_chain,
        const OnOriginals& on_originals)
      : model_(model),
        parts_(model.linkage().components),
        prior_(prior),
        tick_(tick),
        on_chain_(on_chain),
        on_originals_(on_originals) {
    std::int32_t laws = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (laws == 0) first_.push_back(k);
      laws += parts_[k].n_laws;
      if (laws >= kLawsAtOnce) laws = 0;
    }
    first_.push_back(parts_.size());
  }

  // Adds to `sum`.
  void run(std::size_t n_threads, double& sum) {
    const std::size_t n_pieces = first_.size() - 1;
    WorkerPool pool(std::min(n_threads, n_pieces)), alone(1);
    if (model_.ways_.empty()) model_.choose_ways(pool, tick_);
    const bool enumerates = model_.enumerates();
    if (enumerates)
      for (Publication& source : model_.sources_) source.expand();
    if (enumerates || !prior_.uniform()) model_.sort_cells();
    // Limits of memory are those of one component at a time.
    const bool is_large = enumerates || model_.most_bytes_ > kMaxBytesEach;
    for (std::size_t piece = 0; piece < n_pieces; piece += kPiecesAtOnce)
      run_pieces(piece, std::min(n_pieces, piece + kPiecesAtOnce), is_large ? alone : pool, sum);
  }

 private:
  struct Job {
    ChainMaker::Plan plan;
    Chain chain;  // where zeros are skipped
    double weight = 0, log_evidence = kNever, n_enumerated = 1;
  };

  void run_pieces(std::size_t from, std::size_t to, WorkerPool& pool, double& sum) {
    jobs_.clear();
    begin_ = first_[from];
    std::exception_ptr failure;
    try {
      for (std::size_t k = begin_; k < first_[to]; ++k) prepare(k);
    } catch (...) {
      failure = std::current_exception();  // unless one of the components before it fails
    }
    pool.run(
        to - from,
        [&](std::size_t piece, std::size_t worker) {
          const std::size_t end = std::min(first_[from + piece + 1], begin_ + jobs_.size());
          for (std::size_t k = first_[from + piece]; k < end; ++k) look_at(k, worker == 0);
        },
        [&] { show(0); });
    for (const Job& job : jobs_) {
      model_.n_enumerated_ *= job.n_enumerated;
      sum += job.weight;
      sum += job.log_evidence;
    }
    if (failure) std::rethrow_exception(failure);
  }

  void prepare(std::size_t number) {
    Job job;
    if (model_.ways_[number] != Way::enumerate) job.plan = model_.maker_.plan(number);
    if (model_.ways_[number] == Way::chain) model_.maker_.prepare(job.plan);
    if (model_.maker_.skips_zeros()) job.chain = model_.maker_.build(job.plan, tick_of(true));
    jobs_.push_back(std::move(job));
  }

  void look_at(std::size_t number, bool may_tick) {
    Job& job = jobs_[number - begin_];
    const Tick inside = tick_of(may_tick);
    std::vector<std::int32_t> laws;
    Originals all;
    if (model_.try_enumeration(number, prior_, laws, all, inside)) {
      job.n_enumerated = static_cast<double>(all.size());
      if (all.size() > 0) job.log_evidence = on_originals_(laws, all);
    } else {
      follow_chain(parts_[number], job, inside);
    }
    if (job.log_evidence == kNever) PosteriorModel::no_original();
    ++done_;
  }

  void follow_chain(const Component& part, Job& job, const Tick& inside) {
    std::vector<double> weights;
    LawWeights of_part{nullptr, part.first_law, model_.reach_};
    if (!prior_.uniform()) {
      job.weight = model_.law_weights(part, prior_, weights);
      of_part.data = weights.data();
    }
    if (!model_.maker_.skips_zeros()) job.chain = model_.maker_.build(job.plan, inside);
    job.log_evidence = on_chain_(job.chain, of_part, inside);
    job.chain = {};
  }

  void show(double share) const {
    report(tick_, (static_cast<double>(done_) + share) / static_cast<double>(parts_.size()));
  }
  // Helpers have none.
  Tick tick_of(bool may_tick) const {
    if (!may_tick) return {};
    return [this](double share) { show(share); };
  }

  PosteriorModel& model_;
  const std::vector<Component>& parts_;
  const Prior& prior_;
  const Tick& tick_;
  const OnChain& on_chain_;
  const OnOriginals& on_originals_;
  std::vector<std::size_t> first_;  // component of each piece, and the end
  std::vector<Job> jobs_;           // of the pieces at hand
  std::size_t begin_ = 0;           // their first component
  std::atomic<std::size_t> done_{0};
};

double PosteriorModel::visit(const Prior& prior, const Tick& tick, const OnChain& on_chain,
                             const OnOriginals& on_originals, std::size_t n_threads) {
  double sum = untouched(prior);
  n_enumerated_ = 1;
  Visit(*this, prior, tick, on_chain, on_originals).run(n_threads, sum);
  report(tick, 1);
  return sum;
}

}  // namespace sdclattice
