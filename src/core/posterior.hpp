// What a published table and its mechanism tell about every original cell.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/cycle.hpp"
#include "core/linkage.hpp"
#include "core/mechanism.hpp"
#include "core/prior.hpp"
#include "core/tick.hpp"

namespace sdclattice {

// `automatic`: message passing on rings, enumeration of everything else. `enumeration`: of all.
enum class Inference { automatic, enumeration };

// A set of cycles with its mechanism, made ready for any number of published tables. Cells that
// always change together share one law; the set falls apart into components that do not interact,
// whose evidences multiply.
class PosteriorModel {
 public:
  // `law_of_cell` is room for one number for each cell, which must outlive the model; null: the
  // model makes its own.
  PosteriorModel(CycleSet cycles, Mechanism mechanism, Inference method, std::size_t max_tables,
                 std::int32_t* law_of_cell = nullptr);
  PosteriorModel(const PosteriorModel&) = delete;
  PosteriorModel(PosteriorModel&&) = default;

  const Linkage& linkage() const { return linkage_; }
  std::size_t n_laws() const { return linkage_.n_laws; }
  int reach() const { return reach_; }  // no cell changes by more
  int width() const { return 2 * reach_ + 1; }
  bool all_rings() const { return all_rings_; }

  // Law l has the probabilities laws[l * width() + reach() + D] of published - original = D (or
  // -D, see Linkage). `laws` comes in zero. Returns the log evidence: the sum over all originals of
  // likelihood times prior weight of all cells. InfeasibleError if no original is possible.
  double infer(const double* published, const Prior& prior, double* laws, const Tick& tick) const;

  double log_evidence(const double* published, const Prior& prior, const Tick& tick) const;

  // n independent exact draws: shifts[draw * n_laws() + law] = D.
  void sample(const double* published, const Prior& prior, std::size_t n,
              const std::function<double()>& uniform, std::int8_t* shifts,
              const Tick& tick) const;

  // Number of distinct originals with positive likelihood and prior weight, by enumeration.
  double count_originals(const double* published, const Prior& prior, const Tick& tick) const;

 private:
  struct Minima {
    std::vector<std::uint8_t> up, down;
  };
  Minima find_minima(const double* published) const;
  double untouched(const double* published, const Prior& prior) const;
  double link_weights(const double* published, const Prior& prior, double* logs) const;
  template <typename OnRing, typename OnOther>
  double visit(const double* published, const Prior& prior, double* logs, const Tick& tick,
               OnRing&& on_ring, OnOther&& on_other) const;

  CycleSet cycles_;  // this and the sequence are emptied when every component is a ring
  Mechanism mechanism_;
  Times times_;
  std::vector<std::int32_t> own_room_;
  Linkage linkage_;
  std::size_t max_tables_;
  int covers_ = 0, reach_ = 0;
  bool all_rings_ = true;
};

}  // namespace sdclattice
