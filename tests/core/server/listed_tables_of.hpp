// All tables of two levels a variable with a number of records, by their classes: those of one
// class have the same tables of one variable.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace listed_tables_of {

// Tables of a class behind one another, `cells` counts each.
using Classes = std::map<std::vector<double>, std::vector<double>>;

inline void fill(std::vector<double>& table, std::size_t cell, double left, std::size_t n,
                 Classes& classes) {
  if (cell + 1 == table.size()) {
    table[cell] = left;
    std::vector<double> key(n, 0);
    for (std::size_t c = 0; c < table.size(); ++c)
      for (std::size_t v = 0; v < n; ++v)
        if ((c >> v & 1) != 0) key[v] += table[c];
    std::vector<double>& all = classes[key];
    all.insert(all.end(), table.begin(), table.end());
    return;
  }
  for (double count = 0; count <= left; ++count) {
    table[cell] = count;
    fill(table, cell + 1, left - count, n, classes);
  }
}

inline Classes classes(std::size_t n_variables, double records) {
  std::vector<double> table(std::size_t{1} << n_variables, 0);
  Classes out;
  fill(table, 0, records, n_variables, out);
  return out;
}

}  // namespace listed_tables_of
