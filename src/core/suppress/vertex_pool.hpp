// The certificates that a search has so far, and which demands they leave open, reader by reader.
//
// A certificate counts against a reader when it leaves alone all cells that she knows. Most touch
// the cells of few knowers, so that of each demand only those knowers are looked at who know a cell
// of the certificates that meet it for the outsider.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// The demands and the knowers of each cell.
struct DemandIndex {
  const SuppressionProblem& problem;
  std::vector<std::vector<std::uint32_t>> demands, knowers;

  explicit DemandIndex(const SuppressionProblem& problem);
  bool concerns(std::uint32_t demand, std::uint32_t knower) const;
};

// How far the value of a cell can be above and below, by certificates.
struct VertexReach {
  std::int64_t up = 0, down = 0;
  bool meets(const Demand& demand) const {
    return up >= demand.up && down >= demand.down && up + down >= demand.slide;
  }
};

class VertexPool {
 public:
  // `kept`: whether a cell is hidden anyhow, as primary ones are; or empty. Keeps a reference to
  // the index. Copies share their certificates.
  VertexPool(const DemandIndex& index, const std::vector<char>& kept);

  // A certificate, and those multiples of it that meet demands it leaves open.
  void add(const Certificate& certificate);
  // Publishes a cell: the certificates that change it leave. The demands that they met, each once.
  std::vector<std::uint32_t> close(std::uint32_t cell);
  // Certificates that meet nothing by themselves leave, large ones first.
  void thin_out();

  VertexReach reach(std::uint32_t demand, std::uint32_t knower) const;
  // The readers against whom a demand is open; the outsider alone where it is open against her, for
  // then it is open against all.
  std::vector<std::uint32_t> open_readers(std::uint32_t demand) const;

  // How many pairs of a demand and a reader are open.
  std::size_t n_open() const;

  bool is_hidden(std::uint32_t cell) const;
  std::vector<char> hidden() const;
  // Candidates that are hidden because of certificates, ascending.
  std::vector<std::uint32_t> secondary() const;
  std::int64_t cost() const { return cost_; }  // of all hidden candidates
  // What hiding the cells of a certificate would add to the cost.
  std::int64_t added_cost(const Certificate& certificate) const;
  // Bound and impossible demands are left to the caller.
  SuppressionPattern pattern() const;
  const SuppressionProblem& problem() const { return index_->problem; }

 private:
  struct Entry {
    Certificate change;
    std::vector<std::uint64_t> blocked;  // bits: knowers of one of the cells
    bool blocks(std::uint32_t knower) const {
      return (blocked[knower / 64] >> (knower % 64) & 1) != 0;
    }
  };
  struct Service {
    std::shared_ptr<const Entry> by;
    std::int64_t change;  // of the demand's cell
  };

  void insert(const Certificate& certificate, std::int64_t times);
  void take_out(std::size_t k);
  void count(std::uint32_t cell, int by);
  std::int64_t most_times(const Certificate& certificate, int sign) const;
  std::int64_t wanted_times(const Certificate& certificate) const;
  bool is_needed(std::size_t k);
  std::vector<std::uint32_t> core_knowers(std::uint32_t demand) const;

  const DemandIndex* index_;
  std::vector<char> kept_;
  std::vector<std::shared_ptr<const Entry>> entries_;
  std::vector<std::vector<Service>> service_;  // of each demand
  std::vector<std::uint32_t> uses_;            // of each cell
  std::int64_t cost_ = 0;
};

}  // namespace sdclattice
