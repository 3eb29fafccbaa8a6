#include "server/door_head.hpp"

#include <algorithm>
#include <cstdlib>

namespace sdclattice {

namespace {

constexpr std::string_view kRequestLine = "POST /v1/requests HTTP/1.1";

struct HeaderLine {
  std::string name;  // in small letters
  std::string_view value;
};

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string small_letters(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), small_letter);
  return out;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What the name of a header may hold.
bool is_name_byte(char c) {
  return is_letter(c) || is_digit(c) ||
         (c != 0 && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

// Bytes beyond ASCII are judged by who reads the text.
bool is_value_byte(char c) {
  return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

// Takes the first line from `rest`, without its end.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  return line;
}

// A line that goes on with the one before has no name.
bool read_header_line(std::string_view line, HeaderLine& out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view name = line.substr(0, colon);
  if (!std::all_of(name.begin(), name.end(), is_name_byte)) return false;
  out.name = small_letters(name);
  out.value = trimmed(line.substr(colon + 1));
  return std::all_of(out.value.begin(), out.value.end(), is_value_byte);
}

// Gives each header to `take`, up to the empty line; false at a line that is none, or where `take`
// says so.
template <class Take>
bool read_headers(std::string_view head, Take take) {
  for (;;) {
    const std::string_view line = take_line(head);
    if (line.empty()) return true;
    HeaderLine header;
    if (!read_header_line(line, header) || !take(header, line)) return false;
  }
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Does a list like "close, te" hold the word?
bool lists_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (small_letters(trimmed(list.substr(0, comma))) == word) return true;
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return false;
}

int refusal_of_line(std::string_view line) {
  if (line == kRequestLine) return 0;
  const std::string_view method = line.substr(0, line.find(' '));
  const bool other = !method.empty() && method.size() < line.size() && method != "POST" &&
                     std::all_of(method.begin(), method.end(), is_letter);
  return other ? 405 : 400;
}

// 0, or the status that is said of a length.
int refusal_of_length(std::string_view value) {
  if (!all_digits(value)) return 400;
  const std::size_t from = std::min(value.find_first_not_of('0'), value.size() - 1);
  value.remove_prefix(from);
  return value.size() > 5 || std::stoul(std::string(value)) > kMostBody ? 413 : 0;
}

void pass_line(std::string& passed, std::string_view line) {
  passed.append(line);
  passed.append("\r\n");
}

// Of one header: what it says, and whether it is handed on. Answers are not compressed: they are
// short, and come with their length.
void take_request_header(const HeaderLine& header, std::string_view line, bool& has_length,
                         RequestHead& out) {
  if (header.name == "content-length") {
    const int wrong = has_length ? 400 : refusal_of_length(header.value);
    if (out.refusal == 0) out.refusal = wrong;
    if (wrong == 0) out.body = std::stoul(std::string(header.value));
    has_length = true;
  } else if (header.name == "transfer-encoding") {
    if (out.refusal == 0) out.refusal = 411;
  } else if (header.name == "connection") {
    out.close = out.close || lists_word(header.value, "close");
  } else if (header.name == "expect") {
    out.expects = small_letters(header.value) == "100-continue";
  } else if (is_one_of(header.name, {"x-door", "x-leave", "accept-encoding", "keep-alive",
                                     "proxy-connection", "te", "trailer", "upgrade"})) {
    return;
  }
  if (!is_one_of(header.name, {"transfer-encoding", "connection", "expect"})) {
    pass_line(out.passed, line);
  }
}

bool take_answer_header(const HeaderLine& header, std::string_view line, bool& has_length,
                        AnswerHead& out) {
  if (header.name == "content-length") {
    if (has_length || !all_digits(header.value) || header.value.size() > 9) return false;
    out.body = std::stoul(std::string(header.value));
    has_length = true;
  } else if (header.name == "transfer-encoding") {
    return false;
  } else if (header.name == "connection") {
    out.close = out.close || lists_word(header.value, "close");
    return true;
  } else if (header.name == "x-leave") {
    const std::string text(header.value);
    char* end = nullptr;
    out.leave = std::strtod(text.c_str(), &end);
    return is_digit(text[0]) && *end == 0 && out.leave > 0 && out.leave < 1e6;
  } else if (header.name == "keep-alive") {
    return true;
  }
  pass_line(out.passed, line);
  return true;
}

}  // namespace

std::size_t HeadScan::end_in(std::string_view text) {
  for (; at_ < text.size() && !broken_; ++at_) {
    const bool after_cr = at_ > 0 && text[at_ - 1] == '\r';
    if (text[at_] == 0 || (text[at_] == '\n') != after_cr) broken_ = true;
    if (!broken_ && at_ >= 3 && text[at_] == '\n' && text[at_ - 2] == '\n') return at_ + 1;
  }
  return 0;
}

RequestHead read_request_head(std::string_view head) {
  RequestHead out;
  const std::string_view first = take_line(head);
  out.refusal = refusal_of_line(first);
  if (out.refusal != 0) return out;
  pass_line(out.passed, first);
  bool has_length = false;
  const bool whole = read_headers(head, [&](const HeaderLine& header, std::string_view line) {
    take_request_header(header, line, has_length, out);
    return true;
  });
  if (!whole) {
    out.refusal = 400;
  } else if (out.refusal == 0 && !has_length) {
    out.refusal = 411;
  }
  return out;
}

AnswerHead read_answer_head(std::string_view head) {
  AnswerHead out;
  const std::string_view first = take_line(head);
  const bool known = first.size() >= 12 && first.substr(0, 9) == "HTTP/1.1 " && first[9] >= '2' &&
                     all_digits(first.substr(9, 3)) && (first.size() == 12 || first[12] == ' ');
  if (!known) return out;
  pass_line(out.passed, first);
  bool has_length = false;
  const bool whole = read_headers(head, [&](const HeaderLine& header, std::string_view line) {
    return take_answer_header(header, line, has_length, out);
  });
  out.ok = whole && has_length && out.body <= kMostAnswerBody;
  return out;
}

}  // namespace sdclattice
