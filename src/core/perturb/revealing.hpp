// What one known cell tells about the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sdclattice {

// From n posterior draws, shifts[draw * truth.size() + law]: for each law that is a target, the
// share of draws with its true shift among those in which one other law of its component has its
// true shift, for the law that reveals most. That law is chosen by the first half of the draws and
// judged by the second, so the choice does not make the share too large. Laws whose truth is in
// fewer than `least` of the first draws are not considered; -1 where none is left.
std::vector<double> most_revealing(const std::vector<std::int8_t>& shifts,
                                   const std::vector<std::int32_t>& truth,
                                   const std::vector<std::int32_t>& component,
                                   const std::vector<std::uint8_t>& target, std::size_t least);

}  // namespace sdclattice
