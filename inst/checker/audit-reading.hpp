// Reads cases from a file, in the form that README.md beside this file describes.
#ifndef SDCLATTICE_AUDIT_READING_HPP
#define SDCLATTICE_AUDIT_READING_HPP

#include <algorithm>
#include <istream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "audit-case.hpp"

namespace audit {

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

// `least`: what no limit of a sum is below.
inline Sum read_sum(const std::string& text, std::size_t n_leaves, Whole least) {
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
  sum.unseen = state == "unseen";
  if (!sum.shown && !sum.hidden && !sum.unseen && state != "within")
    throw std::invalid_argument(state);
  if (limits.size() != (state == "within" ? 2u : 1u)) throw std::invalid_argument("limits");
  sum.low = limits[0];
  if (!sum.hidden && !sum.unseen) sum.high = limits.back();
  if (sum.low < least || sum.high < sum.low) throw std::invalid_argument("limits");
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

inline void read_readers(std::istream& in, Case& now) {
  static const std::set<std::string> known = {"outsider", "contributor", "coalition", "method"};
  for (std::string word; in >> word;) {
    if (known.count(word) == 0) throw std::invalid_argument(word);
    now.readers.insert(word);
  }
}

// A number with at most six decimals, in millionths.
inline Whole millionths(const std::string& word) {
  const std::size_t point = std::min(word.find('.'), word.size());
  std::string decimals = point < word.size() ? word.substr(point + 1) : "";
  if (point == 0 || decimals.size() > 6) throw std::invalid_argument(word);
  decimals.resize(6, '0');
  std::istringstream in(word.substr(0, point) + " " + decimals);
  const std::vector<Whole> both = numbers(in);
  if (both.size() != 2 || both[0] < 0 || both[0] > 1000000 || both[1] < 0)
    throw std::invalid_argument(word);
  return both[0] * kPercent + both[1];
}

// A leaf, and of it who has how much; in a sample with which weight.
inline Part read_part(const std::string& text, std::size_t n_leaves, const Holdings& to) {
  auto part = parts(text);
  if (part.size() != 2) throw std::invalid_argument("part");
  const int leaf = indices(part[0], n_leaves).at(0);
  const std::vector<Whole> of = numbers(part[1]);
  const bool sample = to.whole > 0;
  if (of.size() != (sample ? 3u : 2u)) throw std::invalid_argument("part");
  const Whole weight = sample ? of[2] : 1;
  if (weight < 1 || of[1] % weight != 0) throw std::invalid_argument("weight");
  return {leaf, of[0], of[1], weight};
}

inline Rule read_rule(std::istream& in) {
  std::string kind;
  std::string percent;
  Rule rule;
  in >> kind;
  if (kind == "nk") {
    rule.kind = Rule::Kind::nk;
  } else if (kind == "p_percent") {
    rule.kind = Rule::Kind::p_percent;
  } else if (kind != "threshold") {
    throw std::invalid_argument(kind);
  }
  if (rule.kind != Rule::Kind::p_percent && (!(in >> rule.n) || rule.n < 1))
    throw std::invalid_argument("n");
  if (rule.kind == Rule::Kind::threshold) return rule;
  in >> percent;
  rule.percent = millionths(percent);
  if (rule.percent < 1) throw std::invalid_argument(percent);
  return rule;
}

// Lines of magnitudes; false where the line is another.
inline bool read_holdings(const std::string& key, const std::string& rest, std::size_t n_leaves,
                          Holdings& to) {
  std::istringstream values(rest);
  if (key == "part") {
    to.parts.push_back(read_part(rest, n_leaves, to));
  } else if (key == "rule") {
    to.rules.push_back(read_rule(values));
  } else if (key == "percent") {
    to.percent = millionths(rest);
  } else if (key == "weights") {
    to.whole = one(numbers(values));
  } else if (key == "lowest") {
    to.may_be_negative = true;
    to.has_lowest = rest != "none";
    if (to.has_lowest) to.lowest = one(numbers(values));
  } else {
    return false;
  }
  return true;
}

// A claimed share, or the greatest that is promised.
inline void read_share(std::istream& in, std::map<std::string, Whole>& to) {
  static const std::set<std::string> known = {"certain_small", "given_small", "insider_cell"};
  std::string what;
  std::string share;
  in >> what >> share;
  if (known.count(what) == 0) throw std::invalid_argument(what);
  to[what] = millionths(share);
}

inline void read_chances(std::istream& in, Design& to) {
  const std::vector<Whole> all = numbers(in);
  if (all.size() != 3 || all[0] < 0 || all[1] < 0 || all[2] < 1 || all[0] + all[1] > all[2])
    throw std::invalid_argument("chances");
  to.add = all[0];
  to.take = all[1];
  to.of = all[2];
}

// Lines of a design; false where the line is another.
inline bool read_design(const std::string& key, const std::string& rest, std::size_t n_leaves,
                        Design& to) {
  std::istringstream values(rest);
  if (key == "published" || key == "move") {
    const std::vector<Whole> all = numbers(values);
    if (all.size() != n_leaves) throw std::invalid_argument(key);
    if (key == "move") to.moves.push_back(all);
    if (key == "published") to.published = all;
  } else if (key == "step") {
    to.steps.emplace_back();
    for (Whole k : numbers(values)) {
      if (k < 1 || k > static_cast<Whole>(to.moves.size())) throw std::invalid_argument(key);
      to.steps.back().push_back(static_cast<int>(k - 1));
    }
  } else if (key == "chances") {
    read_chances(values, to);
  } else if (key == "stops") {
    if (rest != "blocked" && rest != "nonnegative") throw std::invalid_argument(rest);
    to.blocked = rest == "blocked";
  } else if (key == "level") {
    to.level = millionths(rest);
  } else if (key == "told") {
    to.told = indices(values, n_leaves);
  } else if (key == "claim" || key == "most") {
    read_share(values, key == "claim" ? to.claims : to.limits);
  } else {
    return false;
  }
  return true;
}

// Lines of the table and of what is known of it; false where the line is another.
inline bool read_known(const std::string& key, const std::string& rest, Case& now) {
  std::istringstream values(rest);
  if (key == "truth") {
    now.truth = numbers(values);
    for (Whole x : now.truth)
      if (x < 0 && now.kind != "magnitude") throw std::invalid_argument("negative");
  } else if (key == "sum") {
    now.sums.push_back(read_sum(rest, now.truth.size(), now.kind == "magnitude" ? -kGreatest : 0));
  } else if (key == "zero") {
    now.zero_rules.push_back(read_zero_rule(rest, now.sums.size()));
  } else if (key == "row") {
    now.rows.push_back(read_row(rest, now.sums.size()));
  } else if (key == "kept") {
    now.has_kept = true;
    for (Whole k : numbers(values)) now.kept.push_back(static_cast<std::size_t>(k - 1));
  } else {
    return (now.kind == "magnitude" && read_holdings(key, rest, now.truth.size(), now.holdings)) ||
           (now.kind == "perturbation" && read_design(key, rest, now.truth.size(), now.design));
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
    if (!rest.empty() && rest != "unsure") throw std::invalid_argument(rest);
    now.insiders = true;
    now.unsure = rest == "unsure";
  } else if (key == "together") {
    now.together = one(numbers(values));
    if (now.together < 1) throw std::invalid_argument(rest);
  } else if (key == "coalitions") {
    now.coalitions = static_cast<std::size_t>(one(numbers(values)));
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
