// What the file of a certified release says of itself; see certificate_file.hpp.
#pragma once

#include <string>
#include <string_view>

namespace sdclattice {

namespace certificate_words {

constexpr std::string_view kLines =
    R"(# CONFIDENTIAL. This file holds an original table with all its counts. It is for an auditor
# who may see the table. It must not be published.
#
# It shows that a release of sub-tables leaves the interval of each cell at risk at least beta
# wide. For each of these cells there are two tables that agree with the original in all that is
# released, and whose counts at the cell differ by at least beta. Whoever knows only the released
# sub-tables can exclude neither.
#
# The lines, in this order. <x> is one word or number, <x ...> one or more, [x ...] any number:
#   beta <least difference>
#   risk counts <count ...>       cells with one of these counts are at risk; or
#   risk cells <cell ...>         these cells are at risk
#   variables <number of lines "variable">, then for each variable
#     variable <number of levels> <name>, then for each level
#       level <label>, or the word missing, for records without a value
)";
// Where some variables are others at a coarser level.
constexpr std::string_view kCoarserLines =
    R"(#   levels <number of lines "coarser">, then for each variable that is the next one
#   at a coarser level
#     coarser <variable> <its level, for each level of the next variable ...>
)";
constexpr std::string_view kOtherLines =
    R"(#   tables <number of lines "table">, then for each released sub-table that lies in no other
#     table [variable ...]        all sub-tables of this one are released as well
#   cells <number of lines "cell">, then
#     cell <level of each variable ...> <count>
#   certificates <number of lines "certificate">, then for each cell at risk
#     certificate <cell>
#     one [cell difference ...]
#     other [cell difference ...]
#   sha256 <SHA-256 of all bytes before this line, 64 hexadecimal digits>
# Lines end in a line feed. One space stands between words. Lines that begin with # are remarks.
# Numbers are decimal and whole. Variables, levels and cells are numbered from 1, in the order of
# their lines. Names and labels are the rest of the line in UTF-8; in them \\ is a backslash, \n a
# line feed, \r a carriage return. Counts and cells at risk ascend, and so do the variables of a
# table. Cells ascend, the first variable fastest; cells that are not listed have a count of 0.
# Counts are at least 0; they and their total are at most 2^53. In the lines "one" and "other"
# cells ascend, and no difference is 0 or beyond 2^31 - 1 in size.
)";
constexpr std::string_view kCoarserCells =
    R"(# A variable that a line "coarser" names has, in each cell, the level that the line
# gives for the level of the next variable; each of its levels is given for some. A table with the next variable
# has it too, whether named or not.
)";
constexpr std::string_view kChecks =
    R"(#
# What has to be checked:
# 1. The cells at risk, whose counts are above 0, are the cells with a certificate, once each.
# 2. "one" and "other" are tables: the original plus the differences, without negative counts.
# 3. In each released sub-table, and in the total, the differences of "one" add up to 0 in every
#    cell, and so do those of "other".
# 4. The counts of the two tables at the cell of the certificate differ by at least beta.
)";

}  // namespace certificate_words

// `by_level`: of a file with lines "coarser".
inline std::string certificate_description(bool by_level) {
  using namespace certificate_words;
  std::string out(kLines);
  if (by_level) out += kCoarserLines;
  out += kOtherLines;
  if (by_level) out += kCoarserCells;
  return out += kChecks;
}

}  // namespace sdclattice
