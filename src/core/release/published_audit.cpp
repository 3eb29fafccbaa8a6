// The second half of certificate_audit.hpp: published tables against the table in the file.
#include <algorithm>
#include <charconv>
#include <map>
#include <string>

#include "base/error.hpp"
#include "release/certificate_audit.hpp"
#include "table/cell_order.hpp"
#include "table/project.hpp"

namespace sdclattice {

namespace {

struct Field {
  std::string text;
  bool quoted = false;
  bool empty() const { return text.empty() && !quoted; }
};

struct Row {
  std::size_t line = 0;
  std::vector<Field> fields;
};

[[noreturn]] void refuse(std::size_t line, const std::string& why) {
  throw InputError("Line " + std::to_string(line) + " " + why + ".");
}

// Fields between commas, some in double quotes; a line break inside quotes belongs to the field.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  bool read(Row& row) {
    row = {line_, {}};
    if (at_ == text_.size()) return false;
    do row.fields.push_back(field());
    while (take(','));
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && !take('\n')) refuse(line_, "has something after a quoted field");
    ++line_;
    return true;
  }

 private:
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  Field field() {
    Field out;
    if (!take('"')) {
      while (at_ < text_.size() &&
             std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos)
        out.text += text_[at_++];
      return out;
    }
    out.quoted = true;
    for (;;) {
      if (at_ == text_.size()) refuse(line_, "ends inside quotes");
      const char c = text_[at_++];
      if (c == '"' && !take('"')) return out;
      if (c == '\n') ++line_;
      out.text += c;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 1;
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Where the columns are that a table has.
struct Header {
  std::vector<std::size_t> variable;  // of the file, for each column; kNone for the two others
  std::size_t count = kNone, sub_table = kNone;

  Header(const CertificateFile& file, const Row& row) {
    std::map<std::string, std::size_t> number;
    for (std::size_t v = 0; v < file.variables.size(); ++v) number[file.variables[v].name] = v;
    for (std::size_t c = 0; c < row.fields.size(); ++c) {
      const auto found = number.find(row.fields[c].text);
      variable.push_back(found == number.end() ? kNone : found->second);
      if (found != number.end())
        number.erase(found);
      else if (std::size_t* own = own_column(row.fields[c].text); own != nullptr && *own == kNone)
        *own = c;
      else
        refuse(row.line, "names a column that is no variable of the table, or twice");
    }
    if (count == kNone) refuse(row.line, "must name a column \"count\", or \"freq\"");
  }

 private:
  std::size_t* own_column(const std::string& name) {
    return name == "count" || name == "freq" ? &count : name == "sub_table" ? &sub_table : nullptr;
  }
};

double count_of(const Row& row, const Header& header) {
  const std::string& text = row.fields[header.count].text;
  std::uint64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end || out > kMaxCount)
    refuse(row.line, "must have a whole number as its count");
  return static_cast<double>(out);
}

// The columns of the variables that a table has, in the order of the file's.
std::vector<std::size_t> columns_of(const std::vector<Row>& rows, const Header& header) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < header.variable.size(); ++c) {
    if (header.variable[c] == kNone) continue;
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& r) { return !r.fields[c].empty(); }))
      out.push_back(c);
  }
  std::sort(out.begin(), out.end(),
            [&](auto a, auto b) { return header.variable[a] < header.variable[b]; });
  return out;
}

// The number of a level; kNone where the variable has no such level.
class LevelNumbers {
 public:
  explicit LevelNumbers(const CertificateFile::Variable& variable) {
    for (std::size_t l = 0; l < variable.levels.size(); ++l) number_[variable.levels[l]] = l;
  }
  std::size_t find(const Field& field) const {
    const auto found = number_.find(field.empty() ? std::nullopt : std::optional(field.text));
    return found == number_.end() ? kNone : found->second;
  }

 private:
  std::map<std::optional<std::string>, std::size_t> number_;
};

// One table among those of a CSV.
class PublishedTable {
 public:
  PublishedTable(const CertificateFile& file, const std::vector<Row>& rows, const Header& header)
      : file_(file), rows_(rows), header_(header), columns_(columns_of(rows, header)) {
    for (std::size_t c : columns_)
      variables_.push_back(static_cast<std::uint32_t>(header.variable[c]));
  }

  const std::vector<std::uint32_t>& variables() const { return variables_; }

  // `line`: where a line fails.
  PublishedFault check(std::size_t& line) const {
    const auto is_inside = [&](const auto& released) {
      return std::includes(released.begin(), released.end(), variables_.begin(), variables_.end());
    };
    if (std::none_of(file_.tables.begin(), file_.tables.end(), is_inside))
      return PublishedFault::not_released;
    std::vector<std::uint32_t> n_levels;
    for (std::uint32_t v : variables_)
      n_levels.push_back(static_cast<std::uint32_t>(file_.variables[v].levels.size()));
    const Layout layout(n_levels);
    Cells published(layout.n_words());
    if (!read_cells(layout, published, line)) return PublishedFault::no_level;
    sort_cells(published);
    for (std::size_t i = 1; i < published.size(); ++i)
      if (std::equal(published.row(i - 1), published.row(i - 1) + layout.n_words(),
                     published.row(i)))
        return PublishedFault::repeated;
    return counted(published).rows == margin(layout).rows ? PublishedFault::none
                                                          : PublishedFault::differs;
  }

 private:
  bool read_cells(const Layout& layout, Cells& out, std::size_t& line) const {
    std::vector<LevelNumbers> numbers;
    for (std::uint32_t v : variables_) numbers.emplace_back(file_.variables[v]);
    std::vector<std::uint64_t> key(layout.n_words(), 0);
    for (const Row& row : rows_) {
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        const std::size_t level = numbers[k].find(row.fields[columns_[k]]);
        line = row.line;
        if (level == kNone) return false;
        layout.put(key.data(), k, static_cast<std::uint32_t>(level));
      }
      out.add(key.data(), static_cast<std::uint64_t>(count_of(row, header_)));
    }
    line = 0;
    return true;
  }

  // Those that are not zero.
  static Cells counted(const Cells& cells) {
    Cells out(cells.stride - 1);
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells.count(i) > 0) out.add(cells.row(i), cells.count(i));
    return out;
  }

  // The table of the file over the variables.
  Cells margin(const Layout& to) const {
    std::vector<VariableSource> sources;
    for (std::uint32_t v : variables_) sources.push_back({v, nullptr});
    Cells out = counted(project(file_.layout(), file_.cells(), to, sources, {}));
    sort_cells(out);
    return out;
  }

  const CertificateFile& file_;
  const std::vector<Row>& rows_;
  const Header& header_;
  std::vector<std::size_t> columns_;
  std::vector<std::uint32_t> variables_;
};

// The rows of each table.
std::map<std::string, std::vector<Row>> tables_of(CsvReader& reader, const Header& header) {
  std::map<std::string, std::vector<Row>> out;
  Row row;
  while (reader.read(row)) {
    if (row.fields.size() != header.variable.size())
      refuse(row.line, "has another number of fields");
    count_of(row, header);
    std::string table = header.sub_table == kNone ? "" : row.fields[header.sub_table].text;
    out[table].push_back(row);
  }
  return out;
}

}  // namespace

PublishedAudit audit_published(const CertificateFile& file, std::string_view csv) {
  CsvReader reader(csv);
  Row first;
  if (!reader.read(first)) throw InputError("The file is empty.");
  const Header header(file, first);
  PublishedAudit out;
  for (const auto& [name, rows] : tables_of(reader, header)) {
    const PublishedTable table(file, rows, header);
    out.tables.push_back(table.variables());
    out.fault = table.check(out.line);
    if (out.fault != PublishedFault::none) return out;
  }
  return out;
}

}  // namespace sdclattice
