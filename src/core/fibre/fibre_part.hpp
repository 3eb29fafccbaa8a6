// A part of a fibre: the tables of one component of a system, by one of several exact methods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/big_count.hpp"
#include "base/random.hpp"
#include "base/tick.hpp"

namespace sdclattice {

// What an exact method may use. `states`: numbers held at a time; `steps`: elementary additions.
struct FibreLimits {
  double states = 5e7, steps = 5e10;
};

// The least power of ten that is not smaller, for messages.
std::string power_of_ten(double x);

// The number of tables by the value of a cell: ways[k] of them have k above the cell's lower limit.
using CellWays = std::vector<BigCount>;

class FibrePart {
 public:
  virtual ~FibrePart() = default;
  virtual BigCount count(const Tick& tick) = 0;
  // What the last count took, in the units of the limit, where no plan tells it before.
  virtual double steps_taken() const { return 0; }
  // Of each of the chosen cells, in their order.
  virtual std::vector<CellWays> laws(const std::vector<std::uint32_t>& cells, const Tick& tick) = 0;
  // One of all tables, each as likely as the others: amounts above the lower limits. The part is
  // not empty.
  virtual void draw(PublicRandom& random, std::vector<std::int64_t>& x, const Tick& tick) = 0;
};

}  // namespace sdclattice
