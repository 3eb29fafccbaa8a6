// The file of a certified release: the table, the rule, the released sub-tables, and for each cell
// at risk two tables that agree with all that is released. For an auditor; it is confidential.
//
// What it is. A text that describes itself: its first lines say what all others are and what has to
// be checked. Everything in it is a whole number or a label, and its last line is the SHA-256 of
// all before it. A release by level has a variable for each level of a variable; `coarser` says
// which level of the one lies in which of the other, and all cells agree with that.
// What reading guarantees. A file that is read is well-formed: numbers lead to variables, levels
// and cells that exist, cells and entries ascend, counts and their total are at most 2^53. Whether
// the certificates hold is another question, see certificate_audit.hpp. What is not well-formed is
// an InputError that names the line, never what stands there.
// What it costs. One pass over the text. A number of lines that the file announces is not believed.
// Agrees with a reader in R that was written from the description alone
// (test-release-certificates.R).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "release/verify_release.hpp"
#include "table/table.hpp"

namespace sdclattice {

// All numbers are 0-based; in the text they begin at 1.
struct CertificateFile {
  // A level without a label is that of missing values.
  struct Variable {
    std::string name;
    std::vector<std::optional<std::string>> levels;
  };

  // A variable that is the next one at a coarser level: for each level of the next one its own.
  struct Coarser {
    std::uint32_t variable = 0;
    std::vector<std::uint32_t> level_of;
  };

  std::int64_t beta = 1;
  // What is at risk: cells with one of these counts, or these cells. Both ascend.
  bool names_cells = false;
  std::vector<std::uint64_t> risk;
  std::vector<Variable> variables;
  std::vector<Coarser> coarser;                    // by variable, which ascend
  std::vector<std::vector<std::uint32_t>> tables;  // the released ones
  // The cells with a count, and those of count 0 that a certificate changes; they ascend.
  std::vector<std::uint64_t> keys;
  std::vector<double> counts;
  // As in CertificateList; its keys are those of the cells.
  std::vector<std::int32_t> target, cell, by;
  std::vector<double> start{0};

  Layout layout() const;
  CellsView cells() const { return {keys.data(), counts.data(), counts.size()}; }
  CertificateList list(const Layout& layout) const;
};

// Fills in cells and certificates: of each cell at risk, a position among `cells`, its certificate.
// Differences at a cell are added up, so that the same tables give the same file. InputError where
// a cell at risk has no certificate.
void put_certificates(CertificateFile& file, const CellsView& cells,
                      const std::vector<std::uint32_t>& at_risk, const CertificateList& list);

std::string write_certificate_file(const CertificateFile& file);
CertificateFile read_certificate_file(std::string_view text);

}  // namespace sdclattice
