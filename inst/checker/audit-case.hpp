// One case of the auditor: what is published of a table, the table itself, and the promise. The
// form of the file is described in README.md beside this file.
#ifndef SDCLATTICE_AUDIT_CASE_HPP
#define SDCLATTICE_AUDIT_CASE_HPP

#include <algorithm>
#include <istream>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace audit {

using Whole = long long;
using Leaves = std::vector<int>;

constexpr Whole kNone = std::numeric_limits<Whole>::max();
constexpr Whole kGreatest = 1000000000000000;

// What everybody knows of a sum of leaves. `shown`: an exact number was published; `primary`: its
// count must not be known.
struct Sum {
  Leaves leaves;
  Whole low = 0;
  Whole high = kNone;
  bool shown = false;
  bool primary = false;
  bool hidden = false;
};

// Somebody who knows more: the counts of some leaves and of some sums, as they are in the table.
struct Reader {
  std::string kind;
  Leaves cells;
  std::vector<int> sums;
};

// A suppressed sum is 0 only where the people of its row (`total`) are at most `few`, or all of
// them but `others` are in one of the `categories`.
struct ZeroRule {
  int sum = 0;
  Whole few = 0;
  int total = 0;
  std::vector<int> categories;
  Whole others = 0;
};

// The people of a row by category: nobody may learn that all of them, or all others, are in one.
struct Row {
  int total = 0;
  std::vector<int> categories;
};

struct Case {
  std::string name;
  std::string kind = "counts";
  std::string damage;
  std::vector<Whole> truth;
  std::vector<Sum> sums;
  std::vector<Reader> people;
  std::vector<ZeroRule> zero_rules;
  std::vector<Row> rows;
  std::set<std::string> readers = {"outsider"};
  std::vector<std::size_t> kept;
  Whole width = 1;
  Whole small = 0;
  std::size_t limit = 100000;
  bool zeros_shown = true;
  bool list = false;
  bool derived = false;
  bool has_kept = false;
  bool names_people = false;
  bool insiders = false;
};

namespace reading {

inline std::vector<Whole> numbers(std::istream& in) {
  std::vector<Whole> out;
  std::string word;
  while (in >> word) {
    std::size_t end = 0;
    const Whole value = std::stoll(word, &end);
    if (end != word.size() || value < -kGreatest || value > kGreatest)
      throw std::invalid_argument(word);
    out.push_back(value);
  }
  return out;
}

inline std::vector<int> indices(std::istream& in, std::size_t n) {
  std::vector<int> out;
  for (Whole value : numbers(in)) {
    if (value < 1 || value > static_cast<Whole>(n)) throw std::invalid_argument("index");
    out.push_back(static_cast<int>(value - 1));
  }
  std::sort(out.begin(), out.end());
  if (std::adjacent_find(out.begin(), out.end()) != out.end())
    throw std::invalid_argument("repeated");
  return out;
}

// The parts of a line between colons.
inline std::vector<std::istringstream> parts(const std::string& text) {
  std::vector<std::istringstream> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ':');) out.emplace_back(part);
  return out;
}

inline Whole one(const std::vector<Whole>& values) {
  if (values.size() != 1) throw std::invalid_argument("one number");
  return values[0];
}

inline Sum read_sum(const std::string& text, std::size_t n_leaves) {
  auto part = parts(text);
  if (part.size() != 2) throw std::invalid_argument("sum");
  std::string state;
  part[0] >> state;
  const std::vector<Whole> limits = numbers(part[0]);
  Sum sum;
  sum.leaves = indices(part[1], n_leaves);
  sum.shown = state == "is";
  sum.primary = state == "primary";
  sum.hidden = sum.primary || state == "hidden";
  if (!sum.shown && !sum.hidden && state != "within") throw std::invalid_argument(state);
  if (limits.size() != (state == "within" ? 2u : 1u)) throw std::invalid_argument("limits");
  sum.low = limits[0];
  if (!sum.hidden) sum.high = limits.back();
  if (sum.low < 0 || sum.high < sum.low) throw std::invalid_argument("limits");
  return sum;
}

inline ZeroRule read_zero_rule(const std::string& text, std::size_t n_sums) {
  auto part = parts(text);
  if (part.size() != 4 && part.size() != 5) throw std::invalid_argument("zero");
  ZeroRule rule;
  rule.sum = indices(part[0], n_sums).at(0);
  rule.few = one(numbers(part[1]));
  rule.total = indices(part[2], n_sums).at(0);
  rule.categories = indices(part[3], n_sums);
  if (part.size() == 5) rule.others = one(numbers(part[4]));
  return rule;
}

inline Row read_row(const std::string& text, std::size_t n_sums) {
  auto part = parts(text);
  if (part.size() != 2) throw std::invalid_argument("row");
  return {indices(part[0], n_sums).at(0), indices(part[1], n_sums)};
}

inline Reader read_person(const std::string& text, const Case& now) {
  auto part = parts(text);
  if (part.empty() || part.size() > 2) throw std::invalid_argument("person");
  Reader out;
  out.kind = "contributor";
  out.cells = indices(part[0], now.truth.size());
  if (part.size() == 2) out.sums = indices(part[1], now.sums.size());
  return out;
}

inline void read_readers(std::istream& in, Case& now) {
  static const std::set<std::string> known = {"outsider", "contributor", "coalition", "method"};
  for (std::string word; in >> word;) {
    if (known.count(word) == 0) throw std::invalid_argument(word);
    now.readers.insert(word);
  }
}

// Lines of the table and of what is known of it; false where the line is another.
inline bool read_known(const std::string& key, const std::string& rest, Case& now) {
  std::istringstream values(rest);
  if (key == "truth") {
    now.truth = numbers(values);
    for (Whole x : now.truth)
      if (x < 0) throw std::invalid_argument("negative");
  } else if (key == "sum") {
    now.sums.push_back(read_sum(rest, now.truth.size()));
  } else if (key == "zero") {
    now.zero_rules.push_back(read_zero_rule(rest, now.sums.size()));
  } else if (key == "row") {
    now.rows.push_back(read_row(rest, now.sums.size()));
  } else if (key == "person") {
    now.names_people = true;
    if (!rest.empty()) now.people.push_back(read_person(rest, now));
  } else if (key == "kept") {
    now.has_kept = true;
    for (Whole k : numbers(values)) now.kept.push_back(static_cast<std::size_t>(k - 1));
  } else {
    return false;
  }
  return true;
}

// Lines of the promise, and of what is asked.
inline void read_question(const std::string& key, const std::string& rest, Case& now) {
  std::istringstream values(rest);
  if (key == "kind") {
    now.kind = rest;
  } else if (key == "readers") {
    read_readers(values, now);
  } else if (key == "zeros") {
    if (rest != "shown" && rest != "hidden") throw std::invalid_argument(rest);
    now.zeros_shown = rest == "shown";
  } else if (key == "width") {
    now.width = one(numbers(values));
  } else if (key == "small") {
    now.small = one(numbers(values));
  } else if (key == "limit") {
    now.limit = static_cast<std::size_t>(one(numbers(values)));
  } else if (key == "derived") {
    now.derived = true;
  } else if (key == "insiders") {
    now.insiders = true;
  } else if (key == "list") {
    now.list = true;
  } else {
    throw std::invalid_argument(key);
  }
}

inline void read_line(const std::string& line, Case& now) {
  std::istringstream in(line);
  std::string key;
  std::string rest;
  in >> key;
  std::getline(in >> std::ws, rest);
  if (!read_known(key, rest, now)) read_question(key, rest, now);
}

// Of rounded tables every sum that is small must not be known.
inline void find_small_sums(Case& now) {
  for (Sum& sum : now.sums) {
    Whole count = 0;
    for (int leaf : sum.leaves) count += now.truth[static_cast<std::size_t>(leaf)];
    if (!sum.shown && count >= 1 && count <= now.small) sum.primary = sum.hidden = true;
  }
}

}  // namespace reading

// The next case, or false at the end of the file. What cannot be read is named in `damage`; the
// lines after it, up to the end of the case, are left out.
inline bool next_case(std::istream& in, std::size_t& line_number, Case& now) {
  now = Case();
  bool open = false;
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    if (!open) {
      if (line.compare(0, 5, "case ") != 0)
        throw std::runtime_error("Line " + std::to_string(line_number) + " begins no case.");
      now.name = line.substr(5);
      open = true;
    } else if (line == "end") {
      if (now.damage.empty() && now.kind == "rounding") reading::find_small_sums(now);
      return true;
    } else if (now.damage.empty()) {
      try {
        reading::read_line(line, now);
      } catch (const std::exception&) {
        now.damage =
            "line " + std::to_string(line_number) + " cannot be read: " + line.substr(0, 60);
      }
    }
  }
  if (open) throw std::runtime_error("The last case has no end.");
  return false;
}

}  // namespace audit

#endif
