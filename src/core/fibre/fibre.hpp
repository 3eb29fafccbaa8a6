// The fibre of a release: all tables that satisfy a linear system over whole numbers. Their number,
// the law of each cell when all are equally likely, uniform draws, and all of them one by one.
//
// The system is reduced to independent parts (reduce.hpp), so a release of two cliques becomes a
// product of two-way tables over the levels of their separator. Each part takes the cheapest exact
// method: the programme of twoway.hpp, the residues of residue.hpp or the diagram of diagram.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fibre/fibre_part.hpp"
#include "fibre/importance.hpp"
#include "fibre/reduce.hpp"
#include "linear/linear.hpp"

namespace sdclattice {

enum class FibreMethod { automatic, two_way, polynomial, diagram };

struct FibreOptions {
  FibreMethod method = FibreMethod::automatic;
  FibreLimits limits;
};

// Of a cell: ways[k] tables of the whole fibre have value low + k.
struct CellLaw {
  std::int64_t low = 0;
  CellWays ways;
};

class Fibre {
 public:
  // Throws InputError when a cell has no limit, or when a part is no table for the method.
  Fibre(const LinearSystem& system, const FibreOptions& options, const Tick& tick);
  ~Fibre();
  Fibre(Fibre&&) noexcept;
  Fibre& operator=(Fibre&&) noexcept;

  std::size_t n_cells() const { return reduced_.lower.size(); }
  std::size_t n_parts() const { return reduced_.parts.size(); }
  // What counted part p.
  FibreMethod method_of(std::size_t p) const;

  // A forecast for count(), made before the work starts: no more steps, as far as they are known;
  // max_steps for each part for which they are not.
  double most_steps() const;

  // Each throws TooLargeError when no exact method is within the limits. Threads count parts of
  // their own, each within the limits: number, methods and errors are those of one thread.
  BigCount count(const Tick& tick, std::size_t threads = 1);
  std::vector<CellLaw> laws(const std::vector<std::uint32_t>& cells, const Tick& tick);
  // Writes `n_draws` tables behind one another. Throws InfeasibleError when there is none.
  std::vector<std::int64_t> draws(std::size_t n_draws, PublicRandom& random, const Tick& tick);
  // All tables behind one another; the first cells vary slowest. Throws TooLargeError when there
  // are more than `limit`.
  std::vector<std::int64_t> enumerate(std::size_t limit, const Tick& tick);
  FibreEstimate estimate(std::size_t n_draws, PublicRandom& random, const Tick& tick) const;

 private:
  class Part;
  void count_on_threads(const Tick& tick, std::size_t threads);

  ReducedSystem reduced_;
  FibreOptions options_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t n_counted_ = 0;  // parts up to the first without a table
};

}  // namespace sdclattice
