// Sets of cycles that are a rule: bands that share no line.
//
// What is computed. The cycles as entries, and how they hang together (linkage.hpp) without them.
// A band walks a_0, ..., a_{h-1} on a ring of n positions (cycle.cpp). Cell (line k, position p)
// has the +1 of cycle p - a_k and the -1 of cycle p - a_{k+1}, modulo n: so its law is known by
// these two numbers, and lines with the same step a_{k+1} - a_k share laws. Cycle n - 1, which an
// open band leaves out, stands for no cycle. Why it is right. Laws are numbered as find_linkage()
// of the entries meets them: cycle after cycle, line after line, each pair of cycles where the
// lower one comes. Each rule has a step of +1 or -1, so that the cycles of a band are one
// component. What it costs. A number for each cell, a few for each cycle. Agrees with
// find_linkage() of the entries, number by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cycle/cycle.hpp"
#include "cycle/linkage.hpp"

namespace sdclattice {

// Every line is in one band.
struct Bands {
  Lines lines;
  std::vector<Band> bands;

  std::size_t n_cells() const { return lines.n_rows * lines.n_columns; }
  std::size_t size() const;
  CycleSet expand() const;
};

Bands bands_lenz(std::size_t n_rows, std::size_t n_columns);
Bands bands_chain(std::size_t n_rows, std::size_t n_columns);
// None for triads, whose bands share lines, and where zeros are skipped. Throws InputError where
// find_fault() finds one.
std::optional<Bands> bands_of(const Lines& lines, const Groups& groups);

Linkage find_linkage(const Bands& set, std::int32_t* law_of_cell);

}  // namespace sdclattice
