#include "release/certificate_text.hpp"

#include <charconv>

#include "base/error.hpp"

namespace sdclattice {

void TextLines::refuse(const std::string& why) const {
  throw InputError("Line " + std::to_string(number_) + " " + why + ".");
}

void TextLines::look_ahead() {
  while (!looked_) {
    ++number_;
    const std::size_t end = rest_.find('\n');
    ended_ = end == std::string_view::npos;
    if (ended_ && !rest_.empty()) refuse("does not end in a line feed");
    next_ = rest_.substr(0, end);
    if (!ended_) rest_.remove_prefix(end + 1);
    looked_ = ended_ || next_.empty() || next_[0] != '#';
  }
}

bool TextLines::has_more() {
  look_ahead();
  return !ended_;
}

bool TextLines::is_next(std::string_view word) {
  look_ahead();
  if (ended_ || next_.substr(0, word.size()) != word) return false;
  return next_.size() == word.size() || next_[word.size()] == ' ';
}

void TextLines::open(std::string_view word) {
  if (!is_next(word)) refuse("must begin with: " + std::string(word));
  line_ = next_.substr(word.size());
  looked_ = false;
}

void TextLines::space() {
  if (line_.empty()) refuse("has too few words");
  if (line_[0] != ' ') refuse("must have one space between words");
  line_.remove_prefix(1);
}

std::string_view TextLines::word() {
  space();
  const std::string_view out = line_.substr(0, line_.find(' '));
  if (out.empty()) refuse("must have one space between words");
  line_.remove_prefix(out.size());
  return out;
}

std::int64_t TextLines::number(std::int64_t least, std::int64_t most) {
  const std::string_view text = word();
  std::int64_t out = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  if (error != std::errc() || stop != end) refuse("must have whole numbers");
  if (out < least || out > most) refuse("has a number out of range");
  return out;
}

std::string TextLines::label() {
  space();
  std::string out;
  for (std::size_t i = 0; i < line_.size(); ++i) {
    if (line_[i] != '\\') {
      out += line_[i];
      continue;
    }
    const char code = ++i < line_.size() ? line_[i] : ' ';
    if (code != '\\' && code != 'n' && code != 'r') refuse("has a backslash that means nothing");
    out += code == 'n' ? '\n' : code == 'r' ? '\r' : code;
  }
  line_ = {};
  return out;
}

void TextLines::close() {
  if (!line_.empty()) refuse("has too many words");
}

std::string escaped_label(std::string_view label) {
  std::string out;
  for (char c : label) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else
      out += c;
  }
  return out;
}

}  // namespace sdclattice
