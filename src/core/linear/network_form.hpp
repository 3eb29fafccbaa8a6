// Which systems are networks: each cell an arc between two rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "linear/linear.hpp"

namespace sdclattice {

// The rows in which a cell stands, and with which sign.
struct CellEntries {
  std::size_t n = 0;
  std::uint32_t row[2] = {0, 0};
  std::int32_t sign[2] = {0, 0};
};

struct NetworkForm {
  std::vector<CellEntries> cells;
  std::vector<std::int8_t> sign;  // of a row: with it the two entries of a cell are opposite
  std::vector<bool> aside;        // rows that follow from the others
};

// Nothing when the system is no network: a cell in more than two rows, a coefficient that is not 1
// or -1, or signs that no change of rows reconciles. In proportion to the entries of the system,
// but for rows that follow from others: each costs as much again.
std::optional<NetworkForm> find_network_form(const LinearSystem& system);

}  // namespace sdclattice
