// Records from text with separators (CSV), block by block.
//
// What is computed. The columns that are wanted, each as codes: 1, 2, ... in the order in which its
// distinct texts first come. The text follows RFC 4180: records end with LF or CR LF, fields are
// parted by one byte, and a field in quotes holds anything, with each of its quotes doubled. Blocks
// may be cut anywhere, in the middle of a field or of a character.
// What is allowed beyond it. A quote in a field that does not begin with one is a character like
// any other. Lines without a character are left out. The last line need not end.
// What it guarantees. Every byte counts: nothing is trimmed, guessed or repaired. InputError, with
// the number of the record and its line, for a record with more or fewer fields, text after a
// closing quote, a quote that is never closed, and a byte of zero.
// What it costs. O(bytes), one pass; memory for the distinct texts, and four bytes for each field
// of a block that is wanted.
// Agrees with a reader of single characters in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "table/text_numbers.hpp"

namespace sdclattice {

// Parts text into fields and records, and says when one ends.
class TextFields {
 public:
  explicit TextFields(char separator) : separator_(separator) {}
  virtual ~TextFields() = default;

  // Reads until the bytes are used up or ended_record() stops it.
  void read(const char* bytes, std::size_t n);
  // The file ends.
  void end();

 protected:
  virtual void ended_field(std::string_view text) = 0;
  // Whether to go on.
  virtual bool ended_record() = 0;
  void begin(bool has_header);
  std::size_t n_fields() const { return n_fields_; }
  bool is_header() const { return has_header_ && n_records_ == 0; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  enum class State { at_start, in_field, in_quotes, after_quote, after_return };

  const char* read_plain(const char* at, const char* end);
  const char* read_quoted(const char* at, const char* end);
  void after_quote(char c);
  void end_field(std::string_view text, bool ends_line);
  void end_line();

  char separator_;
  bool has_header_ = false, goes_on_ = true;
  std::size_t n_records_ = 0, line_ = 1, record_line_ = 1;
  // Of the record.
  State state_ = State::at_start;
  std::size_t n_fields_ = 0;
  std::string kept_;  // of a field, when it is not all in one piece
};

class TextReader : public TextFields {
 public:
  TextReader(char separator, std::size_t n_columns)
      : TextFields(separator), numbers_(n_columns), codes_(n_columns) {}

  // A file begins: its records have so many fields, and fields[c] is that of column c. When
  // `has_header`, the first record is left out.
  void begin(std::size_t n_fields, const std::vector<std::size_t>& fields, bool has_header);

  // The records and their codes since these were cleared, and the text of each code.
  std::size_t n_records() const { return n_read_; }
  const std::vector<std::int32_t>& codes(std::size_t column) const { return codes_[column]; }
  void clear_codes();
  const TextNumbers& texts(std::size_t column) const { return numbers_[column]; }

 private:
  void ended_field(std::string_view text) override;
  bool ended_record() override;

  static constexpr std::size_t kNone = SIZE_MAX;
  std::vector<TextNumbers> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
  std::vector<std::size_t> column_of_;  // for each field of the file
  std::vector<std::int32_t> record_;
  std::size_t n_read_ = 0;
};

// The fields of the first record of a text. None when it does not end there, unless `is_all` says
// that no more comes.
std::vector<std::string> first_record(char separator, std::string_view text, bool is_all);

}  // namespace sdclattice
