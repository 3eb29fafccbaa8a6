// Checks the file of a certified release, without R and without what made it.
//   sdclattice-check FILE [PUBLISHED.csv ...]
// FILE is what write_certificates() wrote; PUBLISHED are published tables, which must be those of
// the table in FILE. Exit codes: 0 safe as claimed, 1 refuted, 2 a file cannot be read. What it
// prints names cells at risk, and is confidential; it never prints a count.
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "release/certificate_audit.hpp"

using namespace sdclattice;

namespace {

enum Exit { kSafe = 0, kRefuted = 1, kUnreadable = 2 };

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("It cannot be opened.");
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) throw std::runtime_error("It cannot be read.");
  return text;
}

// Labels on one line.
std::string shown(const std::string& label) {
  std::string out;
  for (char c : label) out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  return out;
}

// Of variables at several levels the finest.
std::string table_name(const CertificateFile& file, const std::vector<std::uint32_t>& variables) {
  std::set<std::uint32_t> coarser;
  for (const auto& c : file.coarser)
    if (std::binary_search(variables.begin(), variables.end(), c.variable + 1))
      coarser.insert(c.variable);
  std::string out;
  for (std::uint32_t v : variables)
    if (coarser.count(v) == 0) out += (out.empty() ? "" : ":") + shown(file.variables[v].name);
  return variables.empty() ? "(total)" : out;
}

std::string cell_name(const CertificateFile& file, std::size_t cell) {
  const Layout layout = file.layout();
  std::string out = std::to_string(cell + 1) + ":";
  for (std::size_t v = 0; v < layout.n_variables(); ++v) {
    const auto& variable = file.variables[v];
    const auto& level = variable.levels[layout.level(&file.keys[cell * layout.n_words()], v)];
    out +=
        (v == 0 ? " " : ", ") + shown(variable.name) + "=" + (level ? shown(*level) : "(missing)");
  }
  return out;
}

// Whole numbers that ascend, runs of them as 1-3.
std::string ranges(const std::vector<std::uint64_t>& x) {
  std::string out;
  for (std::size_t i = 0, j = 0; i < x.size(); i = j) {
    for (j = i + 1; j < x.size() && x[j] == x[j - 1] + 1;) ++j;
    out += (i == 0 ? "" : ", ") + std::to_string(x[i]);
    if (j > i + 1) out += "-" + std::to_string(x[j - 1]);
  }
  return out;
}

void print_claim(const CertificateFile& file) {
  std::cout << "CONFIDENTIAL: do not publish what this program prints.\n"
            << "claim: the interval of each cell at risk is at least " << file.beta << " wide\n"
            << "at risk: "
            << (file.names_cells ? "the cells that the file names"
                                 : "counts of " + ranges(file.risk))
            << "\nreleased, with all sub-tables inside:\n";
  for (const auto& table : file.tables) std::cout << "  " << table_name(file, table) << "\n";
}

int refuted(const std::string& why) {
  std::cout << "REFUTED: " << why << "\n";
  return kRefuted;
}

const char* words(AuditFault fault) {
  switch (fault) {
    case AuditFault::not_at_risk:
      return "a certificate is for a cell that is not at risk";
    case AuditFault::repeated:
      return "a cell has two certificates";
    case AuditFault::missing:
      return "a cell at risk has no certificate";
    case AuditFault::negative:
      return "a table of a certificate has a negative count";
    case AuditFault::margin:
      return "a table of a certificate differs in a released table";
    case AuditFault::narrow:
      return "the two tables of a certificate differ by too little";
    case AuditFault::none:
      break;
  }
  return "";
}

int check_certified(const CertificateFile& file) {
  const CertificateAudit found = audit_certificates(file, {});
  std::cout << "cells at risk: " << found.n_at_risk << "\n";
  if (found.fault == AuditFault::none) return kSafe;
  std::string why = std::string(words(found.fault)) + "\ncell " + cell_name(file, found.cell);
  if (found.fault == AuditFault::margin)
    why += "\nreleased table " + (found.table == file.tables.size()
                                      ? std::string("(total)")
                                      : table_name(file, file.tables[found.table]));
  return refuted(why);
}

const char* words(PublishedFault fault) {
  switch (fault) {
    case PublishedFault::not_released:
      return "a published table is not released";
    case PublishedFault::no_level:
      return "a line has a label that the variable does not have";
    case PublishedFault::repeated:
      return "a cell stands in two lines";
    case PublishedFault::differs:
      return "a published table is not that of the table in the file";
    case PublishedFault::none:
      break;
  }
  return "";
}

int check_published(const CertificateFile& file, const std::string& path) {
  const PublishedAudit found = audit_published(file, read_file(path));
  if (found.fault == PublishedFault::none) {
    std::cout << path << ": " << found.tables.size()
              << (found.tables.size() == 1 ? " published table" : " published tables")
              << ", as in the file\n";
    return kSafe;
  }
  std::string why = std::string(words(found.fault)) + "\n" + path + ": table " +
                    table_name(file, found.tables.back());
  if (found.line > 0) why += ", line " + std::to_string(found.line);
  return refuted(why);
}

int check_all(const std::vector<std::string>& paths, std::size_t& reading) {
  const CertificateFile file = read_certificate_file(read_file(paths[0]));
  print_claim(file);
  int out = check_certified(file);
  for (reading = 1; reading < paths.size() && out == kSafe; ++reading)
    out = check_published(file, paths[reading]);
  if (out == kSafe) std::cout << "SAFE AS CLAIMED\n";
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty() || paths[0].substr(0, 1) == "-") {
    std::cerr << "usage: sdclattice-check FILE [PUBLISHED.csv ...]\n";
    return kUnreadable;
  }
  std::size_t reading = 0;
  try {
    return check_all(paths, reading);
  } catch (const std::exception& e) {
    std::cerr << "NOT READABLE: " << paths[reading] << "\n" << e.what() << "\n";
    return kUnreadable;
  }
}
