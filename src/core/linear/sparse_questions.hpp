// Questions of readers to a part that is too large for the exact programme.
//
// "There is such a table" is mostly answered by a walk: from the true table, or from another one
// that agrees with the reader, the cell is moved to where it must reach, and what no longer adds up
// is repaired within the reader's limits. A walk changes few cells, and so its table says the same
// to nearly all other readers. "There is none" is proved by narrowing, by a network, or by the
// search of sparse_search.hpp over the part with the reader's limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/linear.hpp"
#include "linear/reader_questions.hpp"
#include "linear/repair_walk.hpp"

namespace sdclattice {

class SparseQuestions : public ReaderQuestions {
 public:
  // Every table is checked against the rows of `implied` too. `truth`: a table of the part, or
  // empty. Both systems must live as long.
  SparseQuestions(const LinearSystem& part, const LinearSystem& implied,
                  std::vector<std::int64_t> truth, WorkClock& clock);

  ReaderVerdict ask(std::size_t cell, const ReaderNeed& need, const NarrowedLimits& limits,
                    Trial trial, WitnessStore& found) override;
  bool is_local() const override { return true; }

 private:
  struct Question {
    std::size_t cell;
    const ReaderNeed& need;
    const NarrowedLimits& limits;
    bool possible(int sign) const {
      return sign > 0 ? limits.can_rise(cell, need) : limits.can_fall(cell, need);
    }
    std::int64_t target(int sign) const { return sign > 0 ? need.high : need.low; }
  };

  bool walk(const Question& question, int sign, WitnessStore& found);
  ReaderVerdict prove(const Question& question, Trial trial, WitnessStore& found);
  ReaderVerdict ask_flow(const LinearSystem& known, const Question& question, Trial trial,
                         WitnessStore& found);
  ReaderVerdict search(const LinearSystem& known, const Question& question, Trial trial,
                       WitnessStore& found);
  std::vector<std::int64_t> start(const Question& question, int sign,
                                  const WitnessStore& found) const;
  bool keep(const std::vector<std::int64_t>& x, const Question& question, WitnessStore& found);

  const LinearSystem &part_, &implied_;
  std::vector<std::int64_t> truth_;
  WorkClock& clock_;
  RepairWalk walk_;
  bool is_network_;
};

}  // namespace sdclattice
