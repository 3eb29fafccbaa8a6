// Writes a case of bounds-scale.R into a folder: a file of labels, counts and limits for each
// table, the trees, and all of it as a system of cells and rows for other programs. Build: g++
// -std=c++17 -O2 -Isrc/core -Itests/core inst/bench/bounds_cases.cpp -o bounds_cases Run:
// ./bounds_cases CASE FOLDER; without arguments it names the cases.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "linear/generated_release.hpp"

using namespace generated;

namespace {

void write_tables(const Release& release, const std::string& base) {
  for (std::size_t t = 0; t < release.tables.size(); ++t) {
    std::ofstream out(base + "_" + std::to_string(t + 1) + ".csv");
    for (const std::size_t v : release.tables[t]) out << release.trees[v].name << ',';
    out << "freq,lower,upper,suppressed\n";
    for (const std::uint32_t cell : release.cells_of[t]) {
      for (const std::size_t v : release.tables[t])
        out << release.trees[v].label[release.nodes[cell][v]] << ',';
      const bool hidden = release.suppressed[cell];
      if (hidden)
        out << "NA,";
      else
        out << release.value[cell] << ',';
      out << release.lower[cell] << ',';
      if (hidden && release.upper[cell] == release.value[0])
        out << "NA,TRUE\n";
      else
        out << release.upper[cell] << (hidden ? ",TRUE\n" : ",FALSE\n");
    }
  }
}

void write_trees(const Release& release, const std::string& base) {
  for (const Tree& tree : release.trees) {
    std::ofstream out(base + "_" + tree.name + "_tree.csv");
    out << "parent,child\n";
    for (std::size_t i = 1; i < tree.size(); ++i)
      out << tree.label[tree.parent[i]] << ',' << tree.label[i] << '\n';
  }
}

// The number of cells and of rows; of each cell its limits, its count, its nodes; of each row the
// number of its cells, the sum, its children.
void write_system(const Release& release, const std::string& base) {
  std::ofstream out(base + ".sys");
  out << release.size() << ' ' << release.rows.size() << '\n';
  for (std::size_t i = 0; i < release.size(); ++i) {
    out << release.lower[i] << ' ' << release.upper[i] << ' ' << release.value[i];
    for (const std::size_t node : release.nodes[i]) out << ' ' << node;
    out << '\n';
  }
  for (const auto& row : release.rows) {
    out << row.size();
    for (const std::uint32_t cell : row) out << ' ' << cell;
    out << '\n';
  }
}

void write(const Release& release, const std::string& base) {
  write_tables(release, base);
  write_trees(release, base);
  write_system(release, base);
}

}  // namespace

int main(int n, char** arguments) {
  const std::string name = n > 2 ? arguments[1] : "", folder = n > 2 ? arguments[2] : "";
  for (const Plan& plan : plans()) {
    if (n < 3) std::cout << plan.name << '\n';
    if (plan.name == name) return write(make(plan), folder + "/" + name), 0;
  }
  for (const DensePlan& plan : dense_plans()) {
    if (n < 3) std::cout << plan.name << '\n';
    if (plan.name == name) return write(make(plan), folder + "/" + name), 0;
  }
  return n < 3 ? 0 : 1;
}
