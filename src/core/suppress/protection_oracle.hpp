// Is a demand met when these cells may change, and if not, which cells stand in the way?
//
// The exact linear programme gives how far the cell can go over the real numbers. Where that is too
// little, its multipliers are a proof, and it rests only on those known cells that would raise the
// optimum if they could move: all others may be hidden too, and the demand stays unmet. Where it is
// enough, a whole table is looked for by branch and bound, and becomes a certificate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "suppress/certificate_pool.hpp"
#include "suppress/suppression_problem.hpp"

namespace sdclattice {

// Demands that no choice of cells meets do not block: all cells that could matter are free then.
struct ProtectionAnswer {
  bool met = false;
  // Neither a table was found nor a proof that there is none, within the effort.
  bool open = false;
  // Where it is proved not to be met: known candidates such that hiding all others as well does not
  // help, ascending. Candidates alone are named, those that the reader herself knows among them.
  std::vector<std::uint32_t> blockers;
};

// quick: so many pivots for a table. full: more of them, then a table near the one that there is by
// an integer programme, and a proof that there is none by the engine that bounds any system.
enum class OracleEffort { quick, full };

class ProtectionOracle {
 public:
  // Keeps references. `check` is called at every pivot and may throw; the object is of no use
  // then. TooLargeError as in tableau.hpp.
  ProtectionOracle(const SuppressionProblem& problem, CertificatePool& pool,
                   std::size_t max_entries, std::function<void()> check);
  ~ProtectionOracle();

  // `free`: the cells that the reader does not know. Certificates that turn up go to the pool.
  ProtectionAnswer ask(const Demand& demand, const CellBits& free, OracleEffort effort);
  // How often the pool did not answer.
  std::size_t n_searched() const { return n_searched_; }

 private:
  class Programme;
  // How far the cell goes one way, at most as far as was wanted: a table that was found, and the
  // limit of the real numbers. Blockers where this limit is less than wanted.
  struct Way {
    std::int64_t found = 0, limit = 0;
    std::vector<std::uint32_t> blockers;
    bool open = false;  // more than was found may be possible
  };

  void set_free(const CellBits& free);
  Way go(std::uint32_t cell, int sign, std::int64_t wanted, const CellBits& free);
  void find_farthest(std::uint32_t cell, int sign, Way& way);
  enum class Found { yes, no, open };
  Found attain(std::uint32_t cell, int sign, std::int64_t by);
  Found attain_far(std::uint32_t cell, int sign, std::int64_t by);
  bool find_near(LinearSystem system, std::int64_t far);
  bool is_proved_empty(const LinearSystem& system) const;
  void start();
  void count_pivot();
  void keep_table();
  std::vector<std::uint32_t> blockers(std::uint32_t cell, int sign) const;
  std::vector<std::uint32_t> all_known() const;

  const SuppressionProblem& problem_;
  CertificatePool& pool_;
  std::size_t max_entries_;
  std::function<void()> check_;
  CellBits free_;
  std::vector<std::int64_t> scratch_;
  OracleEffort effort_ = OracleEffort::quick;
  std::size_t n_searched_ = 0, pivots_left_ = SIZE_MAX;
  std::unique_ptr<Programme> programme_;
};

}  // namespace sdclattice
