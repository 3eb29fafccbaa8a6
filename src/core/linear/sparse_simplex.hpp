// Linear programmes over the rows of a system, in floating point, on a sparse factor of the basis.
// It proposes and proves nothing: see safe_bound.hpp for what may be believed.
//
// The primal simplex with bounded unknowns. One object serves many objectives over the same rows:
// each starts where the last one ended, or from a table that is loaded. The unknown that moves is
// the one along whose edge the objective changes most a unit of length (steepest edge: Goldfarb and
// Reid 1977). The lengths depend on the basis alone and are carried from one objective to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "linear/linear.hpp"
#include "linear/sparse_basis.hpp"

namespace sdclattice {

// cut: max_steps, or numerical trouble; duals() still give a valid bound. empty: climb_again()
// found no point within the limits; duals() are then for proves_empty().
enum class ClimbEnd { optimal, endless, cut, empty };

class SparseSimplex : private SparseBasis {
 public:
  // Rows with row_lower < row_upper have a logical unknown with these limits. Copies what it needs
  // of the system but keeps a reference to its rows. `check` is called every few steps and may
  // throw; the object stays usable.
  SparseSimplex(const LinearSystem& system, std::uint64_t seed, std::function<void()> check);

  // Puts all unknowns at x (all rows met), keeps the basis. Non-basic values may lie between their
  // limits: such an unknown may move either way. Where x is outside of limits, restore() must
  // follow.
  using SparseBasis::load;
  // Limits of a cell; a non-basic one that lies outside is moved to the nearer limit, the basics
  // follow at the next restore() or climb().
  using SparseBasis::set_limits;
  // From wherever it stands to a point within all limits, by the least sum of violations. False
  // when that sum stays positive; duals() are then those of the sum, for proves_empty().
  bool restore(std::size_t max_steps = SIZE_MAX);
  // sign * x[cell] as large as it can be, from a point within the limits.
  ClimbEnd climb(std::size_t cell, int sign, std::size_t max_steps = SIZE_MAX);
  // The sum of weight * x as large as it can be.
  struct Term {
    std::uint32_t cell;
    double weight;
  };
  ClimbEnd climb(const std::vector<Term>& objective, std::size_t max_steps = SIZE_MAX);
  // The same from any point, by the dual simplex: few steps after few limits have changed. Where it
  // is cut, no point within the limits has a larger sum than the one where it stands.
  ClimbEnd climb_again(const std::vector<Term>& objective, std::size_t max_steps = SIZE_MAX);

  using SparseBasis::value;
  // No cell is further than 1e-6 from a whole number.
  using SparseBasis::is_whole;
  // The nearest whole numbers, to be checked by satisfies().
  using SparseBasis::rounded;
  // A multiplier for each row, of the last climb or restore.
  const std::vector<double>& duals() const { return duals_; }
  // Steps so far.
  std::size_t n_steps() const { return n_steps_; }

 private:
  // The unknown that moves, which way, and by how much the objective then changes.
  struct Entry {
    std::size_t unknown = SIZE_MAX;
    int way = 0;
    double price = 0.0;
  };
  // How far it may move: to its own other limit where place is kNotBasic, else until the basic
  // unknown there is at `target`.
  struct Stop {
    double distance = 0.0;
    std::uint32_t place = kNotBasic;
    double target = 0.0;
  };
  struct Break {
    double distance, pivot;
    std::uint32_t place;
    double target;
  };

  void clear_prices();
  void add_cost(std::size_t j, double weight);
  void find_prices();
  void update_prices(const Entry& entry, std::size_t place);
  void update_lengths(const Entry& entry, std::size_t place);
  Entry find_entry();
  void judge(std::size_t j, Entry& best, double& score, std::size_t& ties);
  void keep_duals();
  bool is_reliable(const Entry& entry) const;
  double own_room(const Entry& entry) const;
  void add_break(double rate, std::uint32_t place, double target);
  Stop find_stop(const Entry& entry);
  Stop find_far_stop(const Entry& entry);
  Stop own_stop(const Entry& entry) const;
  bool step(const Entry& entry, const Stop& stop, bool keeps_objective);
  void price(const std::vector<Term>& objective);
  bool is_doubtful(const Entry& entry, const Stop& stop) const;
  void find_violated();
  void note_violated(std::size_t j);
  void price_violations();
  std::size_t last_step(std::size_t asked) const;
  enum class DualStep { carried, renewed, none, trouble };
  DualStep dual_step(std::uint32_t k);
  bool go_by_prices();
  std::uint32_t find_leaving() const;
  void find_dual_breaks(int way);
  std::uint32_t find_dual_entry(double outside);
  void update_weights(std::size_t entering, std::size_t place);
  void keep_row(int way);
  ClimbEnd climb_from_outside(const std::vector<Term>& objective, std::size_t max_steps);

  PublicRandom random_;
  std::function<void()> check_;
  std::size_t n_steps_ = 0;
  std::vector<double> length_;  // of the edge of each unknown that is not basic, squared
  std::vector<double> weight_;  // of the row of B^-1 of each basic unknown, its length squared
  MarkedVector multiplier_;     // of the rows, by places
  MarkedVector price_;          // of all unknowns
  MarkedVector tilt_;           // B^-T times the image of the unknown that enters
  std::vector<double> duals_;
  std::vector<std::uint32_t> dual_rows_;  // where they are not 0
  std::vector<Term> costs_;               // the objective in work, of all unknowns
  std::vector<Break> breaks_;
  std::vector<std::uint32_t> violated_;
  std::vector<char> is_violated_;
};

}  // namespace sdclattice
