// Lines of a text, and the words and numbers of a line, for files that somebody else wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sdclattice {

// Lines that end in a line feed, one after the other; remarks, which begin with #, are passed over.
class TextLines {
 public:
  // So many lines of the file stand before the text.
  explicit TextLines(std::string_view text, std::size_t before = 0)
      : rest_(text), number_(before) {}

  // The next line, which must be there and begin with `word`. The reader then stands after the
  // word.
  void open(std::string_view word);
  // Does the next line begin with the word?
  bool is_next(std::string_view word);
  // The next number of the line, from `least` to `most`.
  std::int64_t number(std::int64_t least, std::int64_t most);
  std::string_view word();
  // All that is left of the line after a space; \\, \n and \r in it are what they stand for.
  std::string label();
  bool at_end() const { return line_.empty(); }
  // Nothing may be left of the line.
  void close();
  bool has_more();

  // InputError: "Line 7 ..."
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void look_ahead();
  void space();

  std::string_view rest_, next_, line_;
  bool looked_ = false, ended_ = false;
  std::size_t number_;  // of the line that was read or looked at
};

// What label() reads.
std::string escaped_label(std::string_view label);

}  // namespace sdclattice
