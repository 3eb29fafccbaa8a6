// What an auditor asks of the file of a certified release: does every certificate hold, and are the
// published tables those of the file?
//
// Method. The cells at risk are found from the counts, and must be those with a certificate;
// check_certificates() then sums up margins from the differences. A published table is compared
// with the margin of the table in the file, cell by cell, and must be released.
// What it costs. O(differences x released tables), and a projection for each published table.
// Agrees with all tables of small fibres, one by one, and with a checker in R.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/tick.hpp"
#include "release/certificate_file.hpp"

namespace sdclattice {

enum class AuditFault {
  none,
  not_at_risk,  // a certificate is for a cell that is not at risk
  repeated,     // a cell has two certificates
  missing,      // a cell at risk has none
  negative,     // a table has a negative count
  margin,       // a table differs from the original in a released margin
  narrow        // the two tables differ by too little at the cell
};

struct CertificateAudit {
  AuditFault fault = AuditFault::none;  // what failed first
  std::size_t cell = 0;                 // the number of the cell for which it did
  std::size_t table =
      0;  // where a margin failed: the released table; as many as there are: the total
  std::size_t n_at_risk = 0;
};

CertificateAudit audit_certificates(const CertificateFile& file, const Tick& tick,
                                    std::size_t threads = 1);

enum class PublishedFault {
  none,
  not_released,  // a table is not inside a released one
  no_level,      // a line has a label that is no level of its variable
  repeated,      // two lines are for the same cell
  differs        // a count is not that of the table in the file, or a cell is missing
};

struct PublishedAudit {
  PublishedFault fault = PublishedFault::none;
  std::vector<std::vector<std::uint32_t>>
      tables;            // the variables of each; of the last one it failed
  std::size_t line = 0;  // where a line fails
};

// Tables as write_publication() writes them: CSV with a header of names of variables, `count` or
// `freq`, and, where several tables follow each other, `sub_table`. A variable with nothing but
// empty fields is not one of the table. Cells that are not listed have a count of 0. InputError
// where the text is no such CSV.
PublishedAudit audit_published(const CertificateFile& file, std::string_view csv);

}  // namespace sdclattice
