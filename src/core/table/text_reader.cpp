#include "table/text_reader.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace sdclattice {

// ---- fields -------------------------------------------------------------------------------------

void TextFields::begin(bool has_header) {
  has_header_ = has_header;
  n_records_ = n_fields_ = 0;
  line_ = record_line_ = 1;
  state_ = State::at_start;
  kept_.clear();
}

void TextFields::read(const char* bytes, std::size_t n) {
  if (n > 0 && std::memchr(bytes, 0, n)) fail("or a record after it has a byte of zero");
  const char* end = bytes + n;
  for (const char* at = bytes; at < end && goes_on_;) switch (state_) {
      case State::at_start:
        state_ = *at == '"' ? State::in_quotes : State::in_field;
        at += *at == '"';
        break;
      case State::in_field:
        at = read_plain(at, end);
        break;
      case State::in_quotes:
        at = read_quoted(at, end);
        break;
      default:
        after_quote(*at++);
    }
}

// To the end of a field without quotes, or of the block.
const char* TextFields::read_plain(const char* at, const char* end) {
  const char* stop = at;
  while (stop < end && *stop != separator_ && *stop != '\n') ++stop;
  std::string_view piece(at, static_cast<std::size_t>(stop - at));
  if (stop == end || !kept_.empty()) kept_.append(piece);
  if (stop == end) return end;
  if (!kept_.empty()) piece = kept_;
  const bool ends_line = *stop == '\n';
  if (ends_line && !piece.empty() && piece.back() == '\r') piece.remove_suffix(1);
  if (ends_line && n_fields_ == 0 && piece.empty()) {
    kept_.clear();
    state_ = State::at_start;
    record_line_ = ++line_;
  } else {
    end_field(piece, ends_line);
  }
  return stop + 1;
}

// To the next quote, or to the end of the block.
const char* TextFields::read_quoted(const char* at, const char* end) {
  const auto* quote =
      static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
  const char* stop = quote ? quote : end;
  kept_.append(at, stop);
  line_ += static_cast<std::size_t>(std::count(at, stop, '\n'));
  if (!quote) return end;
  state_ = State::after_quote;
  return quote + 1;
}

void TextFields::after_quote(char c) {
  const bool returned = state_ == State::after_return;
  if (c == '"' && !returned) {
    kept_.push_back('"');
    state_ = State::in_quotes;
  } else if (c == '\r' && !returned) {
    state_ = State::after_return;
  } else if (c == '\n' || (c == separator_ && !returned)) {
    end_field(kept_, c == '\n');
  } else {
    fail("has text after a closing quote");
  }
}

void TextFields::end_field(std::string_view text, bool ends_line) {
  ended_field(text);
  ++n_fields_;
  kept_.clear();
  state_ = State::at_start;
  if (ends_line) end_line();
}

void TextFields::end_line() {
  goes_on_ = ended_record();
  ++n_records_;
  n_fields_ = 0;
  record_line_ = ++line_;
}

// A last line without an end, and a field of which all but its end is there.
void TextFields::end() {
  if (!goes_on_) return;
  if (state_ == State::in_quotes) fail("has a quote that is never closed");
  const bool any = n_fields_ > 0 || !kept_.empty() || state_ == State::after_quote ||
                   state_ == State::after_return;
  if (any) read("\n", 1);
}

void TextFields::fail(const std::string& what) const {
  const std::string number = std::to_string(n_records_ + (has_header_ ? 0 : 1));
  throw InputError((is_header() ? "The header" : "Record " + number) + " (line " +
                   std::to_string(record_line_) + ") " + what + ".");
}

// ---- columns ------------------------------------------------------------------------------------

void TextReader::begin(std::size_t n_fields, const std::vector<std::size_t>& fields,
                       bool has_header) {
  TextFields::begin(has_header);
  column_of_.assign(n_fields, kNone);
  for (std::size_t c = 0; c < fields.size(); ++c) column_of_.at(fields[c]) = c;
  record_.assign(fields.size(), 0);
}

void TextReader::clear_codes() {
  for (std::vector<std::int32_t>& codes : codes_) codes.clear();
  n_read_ = 0;
}

void TextReader::ended_field(std::string_view text) {
  if (n_fields() >= column_of_.size() || is_header()) return;
  const std::size_t column = column_of_[n_fields()];
  if (column != kNone)
    record_[column] = static_cast<std::int32_t>(numbers_[column].number(text)) + 1;
}

bool TextReader::ended_record() {
  const std::size_t wanted = column_of_.size();
  if (n_fields() != wanted)
    fail("has " + std::to_string(n_fields()) + (n_fields() == 1 ? " field" : " fields") +
         " where there are " + std::to_string(wanted) + (wanted == 1 ? " column" : " columns"));
  if (is_header()) return true;
  for (std::size_t c = 0; c < codes_.size(); ++c) codes_[c].push_back(record_[c]);
  ++n_read_;
  return true;
}

// ---- the header ---------------------------------------------------------------------------------

namespace {

class FirstRecord : public TextFields {
 public:
  explicit FirstRecord(char separator) : TextFields(separator) { begin(true); }

  std::vector<std::string> fields;
  bool is_there = false;

 private:
  void ended_field(std::string_view text) override { fields.emplace_back(text); }
  bool ended_record() override {
    is_there = true;
    return false;
  }
};

}  // namespace

std::vector<std::string> first_record(char separator, std::string_view text, bool is_all) {
  FirstRecord first(separator);
  first.read(text.data(), text.size());
  if (is_all) first.end();
  return first.is_there ? first.fields : std::vector<std::string>();
}

}  // namespace sdclattice
