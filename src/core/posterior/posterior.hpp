// What published tables and their mechanisms tell about every original cell.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/parallel.hpp"
#include "base/tick.hpp"
#include "cycle/linkage.hpp"
#include "posterior/chain.hpp"
#include "posterior/chain_maker.hpp"
#include "posterior/enumerate.hpp"
#include "posterior/prior.hpp"

namespace sdclattice {

// `automatic`: messages wherever the front has few enough states, enumeration of small sets
// otherwise. `enumeration`: of all.
enum class Inference { automatic, enumeration };

// Publications of one table, made ready for questions. Cells that always change together share one
// law; the cycles fall apart into components that do not interact, whose evidences multiply.
class PosteriorModel {
 public:
  // One source, or several publications of the same table; the published tables must outlive the
  // model. `law_of_cell` is room for one number for each cell, which must outlive it too; null: the
  // model makes its own. Laws are changes of the first source.
  PosteriorModel(std::vector<Publication> sources, Inference method, std::size_t max_tables,
                 std::int32_t* law_of_cell = nullptr);
  PosteriorModel(const PosteriorModel&) = delete;

  const Linkage& linkage() const { return maker_.linkage(); }
  std::size_t n_laws() const { return linkage().n_laws(); }
  int reach() const { return reach_; }  // no cell changes by more
  int width() const { return 2 * reach_ + 1; }

  // Law l has the probabilities laws[l * width() + reach() + D] of published - original = D (or
  // -D, see Linkage). `laws` comes in zero. Returns the log evidence: the sum over all originals of
  // likelihood times prior weight of all cells. InfeasibleError if no original is possible.
  // Threads share the components, with the same results for any number of them.
  double infer(const Prior& prior, double* laws, const Tick& tick, std::size_t n_threads = 1);

  double log_evidence(const Prior& prior, const Tick& tick, std::size_t n_threads = 1);

  // Throws TooLargeError where infer() would before it works on anything.
  void plan(const Tick& tick);

  // n independent exact draws: shifts[draw * n_laws() + law] = D.
  void sample(const Prior& prior, std::size_t n, const std::function<double()>& uniform,
              std::int8_t* shifts, const Tick& tick);

  // After a visit: the number of originals, as far as components were enumerated.
  double n_enumerated() const { return n_enumerated_; }

  // Calls on_chain(chain, weights) or on_originals(laws, originals) for each component: `laws` are
  // those of the originals' cells. Both return a log evidence; the sum is returned. With one thread
  // they are called in the order of the components, else by several threads at the same time.
  using OnChain = std::function<double(const Chain&, const LawWeights&, const Tick&)>;
  using OnOriginals = std::function<double(const std::vector<std::int32_t>&, const Originals&)>;
  double visit(const Prior& prior, const Tick& tick, const OnChain& on_chain,
               const OnOriginals& on_originals, std::size_t n_threads = 1);

 private:
  class Visit;
  [[noreturn]] static void no_original();
  double untouched(const Prior& prior) const;
  double law_weights(const Component& part, const Prior& prior, std::vector<double>& logs) const;
  void sort_cells();
  // `try_few`: by enumeration if the originals turn out to be few.
  enum class Way { chain, enumerate, try_few };
  void choose_ways(WorkerPool& pool, const Tick& tick);
  bool enumerates() const;
  Way choose_way(const Component& part, const ChainCost& cost, double products) const;
  double count_steps(const Component& part) const;
  Originals enumerate(const Component& part, const Prior& prior, std::size_t max_tables,
                      std::vector<std::int32_t>& laws, const Tick& tick);
  bool try_enumeration(std::size_t number, const Prior& prior, std::vector<std::int32_t>& laws,
                       Originals& out, const Tick& tick);

  std::vector<Publication> sources_;
  std::vector<std::int32_t> own_room_;
  ChainMaker maker_;
  Inference method_;
  std::size_t max_tables_;
  int reach_;
  bool may_enumerate_ = false;
  double n_enumerated_ = 1;
  std::vector<Way> ways_;                         // by component; made once
  double most_bytes_ = 0;                         // that the chain of a component takes
  std::vector<std::int32_t> cells_, first_cell_;  // by law; made when they are asked for
};

}  // namespace sdclattice
