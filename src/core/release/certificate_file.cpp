#include "release/certificate_file.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "release/certificate_text.hpp"
#include "release/certificate_words.hpp"
#include "store/ledger.hpp"

namespace sdclattice {

namespace {

// The second version has lines "coarser".
constexpr std::string_view kFirstWord = "sdclattice-certificates ";
constexpr std::string_view kVersions = "12";

constexpr std::int64_t kMost = static_cast<std::int64_t>(kMaxCount);
constexpr std::int64_t kMostChange = std::numeric_limits<std::int32_t>::max();

// Is key a before key b? The last word is the most significant.
bool is_before(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words) {
  for (std::size_t w = n_words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w];
  return false;
}

// ---- writing

void write_variables(const CertificateFile& file, std::string& out) {
  out += "variables " + std::to_string(file.variables.size()) + "\n";
  for (const auto& variable : file.variables) {
    out += "variable " + std::to_string(variable.levels.size()) + " " +
           escaped_label(variable.name) + "\n";
    for (const auto& level : variable.levels)
      out += level ? "level " + escaped_label(*level) + "\n" : "missing\n";
  }
}

void write_coarser(const CertificateFile& file, std::string& out) {
  if (file.coarser.empty()) return;
  out += "levels " + std::to_string(file.coarser.size()) + "\n";
  for (const auto& coarser : file.coarser) {
    out += "coarser " + std::to_string(coarser.variable + 1);
    for (std::uint32_t level : coarser.level_of) out += " " + std::to_string(level + 1);
    out += "\n";
  }
}

void write_cells(const CertificateFile& file, std::string& out) {
  const Layout layout = file.layout();
  out += "cells " + std::to_string(file.counts.size()) + "\n";
  for (std::size_t i = 0; i < file.counts.size(); ++i) {
    out += "cell";
    for (std::size_t v = 0; v < layout.n_variables(); ++v)
      out += " " + std::to_string(layout.level(&file.keys[i * layout.n_words()], v) + 1);
    out += " " + std::to_string(static_cast<std::uint64_t>(file.counts[i])) + "\n";
  }
}

void write_entries(const CertificateFile& file, std::size_t table, std::string& out) {
  out += table % 2 == 0 ? "one" : "other";
  const auto last = static_cast<std::size_t>(file.start[table + 1]);
  for (auto e = static_cast<std::size_t>(file.start[table]); e < last; ++e)
    out += " " + std::to_string(file.cell[e] + 1) + " " + std::to_string(file.by[e]);
  out += "\n";
}

void write_certificates(const CertificateFile& file, std::string& out) {
  out += "certificates " + std::to_string(file.target.size()) + "\n";
  for (std::size_t c = 0; c < file.target.size(); ++c) {
    out += "certificate " + std::to_string(file.target[c] + 1) + "\n";
    write_entries(file, 2 * c, out);
    write_entries(file, 2 * c + 1, out);
  }
}

// ---- reading

// So many lines are announced, each read by `read`; memory grows with what is there alone.
template <class Read>
void read_lines(TextLines& lines, std::string_view word, std::int64_t least, Read read) {
  lines.open(word);
  const std::int64_t n = lines.number(least, kMostChange);
  lines.close();
  for (std::int64_t i = 0; i < n; ++i) read();
}

// Numbers to the end of the line, which ascend.
template <class Number>
std::vector<Number> ascending(TextLines& lines, std::int64_t least, std::int64_t most) {
  std::vector<Number> out;
  while (!lines.at_end()) {
    const std::int64_t x = lines.number(least, most);
    if (!out.empty() && static_cast<std::uint64_t>(x) <= static_cast<std::uint64_t>(out.back()))
      lines.refuse("must have numbers that ascend");
    out.push_back(static_cast<Number>(x));
  }
  return out;
}

void read_risk(TextLines& lines, CertificateFile& file) {
  lines.open("beta");
  file.beta = lines.number(1, kMost);
  lines.close();
  lines.open("risk");
  const std::string_view kind = lines.word();
  file.names_cells = kind == "cells";
  if (!file.names_cells && kind != "counts") lines.refuse("must name counts or cells");
  file.risk = ascending<std::uint64_t>(lines, 1, kMost);
  if (file.risk.empty()) lines.refuse("must name what is at risk");
}

template <class Value>
bool all_differ(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

void read_variable(TextLines& lines, CertificateFile& file) {
  lines.open("variable");
  const std::int64_t n = lines.number(1, kMostChange);
  CertificateFile::Variable variable;
  variable.name = lines.label();
  for (std::int64_t l = 0; l < n; ++l) {
    const bool missing = lines.is_next("missing");
    lines.open(missing ? "missing" : "level");
    variable.levels.push_back(missing ? std::nullopt : std::optional(lines.label()));
    lines.close();
  }
  if (!all_differ(variable.levels)) lines.refuse("ends a variable with a level twice");
  file.variables.push_back(std::move(variable));
}

void read_variables(TextLines& lines, CertificateFile& file) {
  read_lines(lines, "variables", 1, [&] { read_variable(lines, file); });
  std::vector<std::string> names;
  for (const auto& variable : file.variables) names.push_back(variable.name);
  if (!all_differ(names)) lines.refuse("ends variables of which two have one name");
}

void read_coarser(TextLines& lines, CertificateFile& file) {
  lines.open("coarser");
  const auto n = static_cast<std::int64_t>(file.variables.size());
  const std::int64_t after = file.coarser.empty() ? 1 : file.coarser.back().variable + 2;
  CertificateFile::Coarser coarser;
  coarser.variable = static_cast<std::uint32_t>(lines.number(after, n - 1) - 1);
  const std::size_t n_levels = file.variables[coarser.variable].levels.size();
  std::vector<char> given(n_levels, 0);
  for (std::size_t l = 0; l < file.variables[coarser.variable + 1].levels.size(); ++l) {
    coarser.level_of.push_back(
        static_cast<std::uint32_t>(lines.number(1, static_cast<std::int64_t>(n_levels)) - 1));
    given[coarser.level_of.back()] = 1;
  }
  lines.close();
  if (std::count(given.begin(), given.end(), 1) != static_cast<std::ptrdiff_t>(n_levels))
    lines.refuse("does not give each level of the variable");
  file.coarser.push_back(std::move(coarser));
}

// Does the cell lie, in coarser variables, where the finer ones say?
bool agrees_by_level(const CertificateFile& file, const Layout& layout, const std::uint64_t* key) {
  return std::all_of(file.coarser.begin(), file.coarser.end(), [&](const auto& c) {
    return c.level_of[layout.level(key, c.variable + 1)] == layout.level(key, c.variable);
  });
}

void read_table(TextLines& lines, CertificateFile& file) {
  lines.open("table");
  file.tables.push_back(
      ascending<std::uint32_t>(lines, 1, static_cast<std::int64_t>(file.variables.size())));
  for (std::uint32_t& v : file.tables.back()) --v;
}

void read_cells(TextLines& lines, CertificateFile& file) {
  const Layout layout = file.layout();
  const std::size_t n_words = layout.n_words();
  std::vector<std::uint64_t> key(n_words);
  std::int64_t left = kMost;
  read_lines(lines, "cells", 0, [&] {
    lines.open("cell");
    std::fill(key.begin(), key.end(), 0);
    for (std::size_t v = 0; v < layout.n_variables(); ++v)
      layout.put(key.data(), v,
                 static_cast<std::uint32_t>(lines.number(1, layout.n_levels(v)) - 1));
    const std::int64_t count = lines.number(0, left);
    lines.close();
    left -= count;
    if (!file.counts.empty() &&
        !is_before(&file.keys[file.keys.size() - n_words], key.data(), n_words))
      lines.refuse("must have a cell after that of the line before");
    if (!agrees_by_level(file, layout, key.data()))
      lines.refuse("must have a cell that agrees with the lines \"coarser\"");
    file.keys.insert(file.keys.end(), key.begin(), key.end());
    file.counts.push_back(static_cast<double>(count));
  });
}

void read_entries(TextLines& lines, std::string_view word, CertificateFile& file) {
  lines.open(word);
  std::int64_t before = 0;
  while (!lines.at_end()) {
    const std::int64_t cell =
        lines.number(before + 1, static_cast<std::int64_t>(file.counts.size()));
    const std::int64_t by = lines.number(-kMostChange, kMostChange);
    if (by == 0) lines.refuse("has a difference of 0");
    file.cell.push_back(static_cast<std::int32_t>(cell - 1));
    file.by.push_back(static_cast<std::int32_t>(by));
    before = cell;
  }
  file.start.push_back(static_cast<double>(file.cell.size()));
}

void read_certificate(TextLines& lines, CertificateFile& file) {
  lines.open("certificate");
  file.target.push_back(static_cast<std::int32_t>(
      lines.number(1, static_cast<std::int64_t>(file.counts.size())) - 1));
  lines.close();
  read_entries(lines, "one", file);
  read_entries(lines, "other", file);
}

// The cells that the line "risk" names stand after it.
void number_risk_cells(TextLines& lines, CertificateFile& file) {
  if (!file.names_cells) return;
  for (std::uint64_t& cell : file.risk)
    if (cell-- > file.counts.size() || file.counts[cell] == 0)
      lines.refuse("ends cells without some that \"risk\" names, or with a count of 0 there");
}

std::string checksum_line(std::string_view text) {
  Sha256 sum;
  sum.update(text);
  return "sha256 " + lower_hex(sum.finish()) + "\n";
}

// The text between the first line and the one with the checksum, which must be right.
std::string_view checked_text(std::string_view text) {
  const std::size_t first_line = kFirstWord.size() + 2;
  if (text.substr(0, kFirstWord.size()) != kFirstWord)
    throw InputError("The file must begin with \"sdclattice-certificates\" and a version.");
  if (text.size() < first_line || text[first_line - 1] != '\n' ||
      kVersions.find(text[first_line - 2]) == std::string_view::npos)
    throw InputError("This version of the format is not known.");
  const std::size_t length = checksum_line("").size();
  const std::string_view before = text.substr(0, text.size() - std::min(text.size(), length));
  if (text.substr(before.size()) != checksum_line(before))
    throw InputError("The file was cut short or changed: its SHA-256 does not fit.");
  return before.substr(std::min(before.size(), first_line));
}

// ---- cells of a table and of its certificates

// Keys in order, each once.
std::vector<std::uint64_t> sorted_keys(const std::vector<const std::uint64_t*>& keys,
                                       std::size_t n_words) {
  std::vector<const std::uint64_t*> in_order = keys;
  std::sort(in_order.begin(), in_order.end(),
            [&](auto a, auto b) { return is_before(a, b, n_words); });
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < in_order.size(); ++i)
    if (i == 0 || is_before(in_order[i - 1], in_order[i], n_words))
      out.insert(out.end(), in_order[i], in_order[i] + n_words);
  return out;
}

std::int32_t number_of(const std::vector<std::uint64_t>& keys, const std::uint64_t* key,
                       std::size_t n_words) {
  std::size_t from = 0, to = keys.size() / n_words;
  while (to - from > 1) {
    const std::size_t middle = (from + to) / 2;
    (is_before(key, &keys[middle * n_words], n_words) ? to : from) = middle;
  }
  return static_cast<std::int32_t>(from);
}

// Table `t` of the list, its cells in order and differences added up, at the end of the file's.
void put_table(CertificateFile& file, const CertificateList& list, std::size_t t,
               const std::vector<std::int32_t>& number) {
  std::vector<std::pair<std::int32_t, std::int64_t>> entries;
  const auto last = static_cast<std::size_t>(list.start[t + 1]);
  for (auto e = static_cast<std::size_t>(list.start[t]); e < last; ++e)
    entries.emplace_back(number[static_cast<std::size_t>(list.cell[e])], list.by[e]);
  std::sort(entries.begin(), entries.end());
  for (std::size_t e = 0; e < entries.size();) {
    std::int64_t by = 0;
    const std::int32_t cell = entries[e].first;
    for (; e < entries.size() && entries[e].first == cell; ++e) by += entries[e].second;
    if (by == 0) continue;
    if (std::max(by, -by) > kMostChange) throw TooLargeError("A difference is above 2^31 - 1.");
    file.cell.push_back(cell);
    file.by.push_back(static_cast<std::int32_t>(by));
  }
  file.start.push_back(static_cast<double>(file.cell.size()));
}

}  // namespace

Layout CertificateFile::layout() const {
  std::vector<std::uint32_t> levels;
  for (const Variable& v : variables) levels.push_back(static_cast<std::uint32_t>(v.levels.size()));
  return Layout(std::move(levels));
}

CertificateList CertificateFile::list(const Layout& layout) const {
  CertificateList out;
  out.keys = keys.data();
  out.n_keys = keys.size() / layout.n_words();
  out.target = target.data();
  out.n = target.size();
  out.start = start.data();
  out.n_start = start.size();
  out.cell = cell.data();
  out.by = by.data();
  out.n_entries = cell.size();
  return out;
}

void put_certificates(CertificateFile& file, const CellsView& cells,
                      const std::vector<std::uint32_t>& at_risk, const CertificateList& list) {
  const std::size_t n_words = file.layout().n_words();
  std::vector<const std::uint64_t*> all;
  for (std::size_t i = 0; i < cells.n; ++i) all.push_back(cells.keys + i * n_words);
  for (std::size_t i = 0; i < list.n_keys; ++i) all.push_back(list.keys + i * n_words);
  file.keys = sorted_keys(all, n_words);
  file.counts.assign(file.keys.size() / n_words, 0);
  for (std::size_t i = 0; i < cells.n; ++i)
    file.counts[static_cast<std::size_t>(number_of(file.keys, all[i], n_words))] = cells.counts[i];
  std::vector<std::int32_t> number;  // of each key of the list
  for (std::size_t i = 0; i < list.n_keys; ++i)
    number.push_back(number_of(file.keys, all[cells.n + i], n_words));
  std::vector<std::size_t> certificate(file.counts.size(), list.n);
  for (std::size_t c = 0; c < list.n; ++c)
    certificate[static_cast<std::size_t>(number[static_cast<std::size_t>(list.target[c])])] = c;
  for (std::uint32_t position : at_risk) {
    const std::int32_t cell = number_of(file.keys, all[position], n_words);
    const std::size_t c = certificate[static_cast<std::size_t>(cell)];
    if (c == list.n) throw InputError("Each cell at risk must have a certificate.");
    file.target.push_back(cell);
    if (file.names_cells) file.risk.push_back(static_cast<std::uint64_t>(cell));
    put_table(file, list, 2 * c, number);
    put_table(file, list, 2 * c + 1, number);
  }
}

std::string write_certificate_file(const CertificateFile& file) {
  const bool by_level = !file.coarser.empty();
  std::string out(kFirstWord);
  out += kVersions[by_level];
  out += "\n" + certificate_description(by_level);
  out += "beta " + std::to_string(file.beta) + "\n";
  out += file.names_cells ? "risk cells" : "risk counts";
  for (std::uint64_t x : file.risk) out += " " + std::to_string(x + file.names_cells);
  out += "\n";
  write_variables(file, out);
  write_coarser(file, out);
  out += "tables " + std::to_string(file.tables.size()) + "\n";
  for (const auto& table : file.tables) {
    out += "table";
    for (std::uint32_t v : table) out += " " + std::to_string(v + 1);
    out += "\n";
  }
  write_cells(file, out);
  write_certificates(file, out);
  return out + checksum_line(out);
}

CertificateFile read_certificate_file(std::string_view text) {
  TextLines lines(checked_text(text), 1);
  CertificateFile file;
  read_risk(lines, file);
  read_variables(lines, file);
  if (text[kFirstWord.size()] == '2')
    read_lines(lines, "levels", 1, [&] { read_coarser(lines, file); });
  read_lines(lines, "tables", 1, [&] { read_table(lines, file); });
  read_cells(lines, file);
  number_risk_cells(lines, file);
  read_lines(lines, "certificates", 0, [&] { read_certificate(lines, file); });
  if (lines.has_more()) lines.refuse("stands where the file should end");
  return file;
}

}  // namespace sdclattice
