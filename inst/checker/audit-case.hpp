// One case of the auditor: what is published of a table, the table itself, and the promise.
#ifndef SDCLATTICE_AUDIT_CASE_HPP
#define SDCLATTICE_AUDIT_CASE_HPP

#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace audit {

using Whole = long long;
using Leaves = std::vector<int>;

constexpr Whole kNone = std::numeric_limits<Whole>::max();
constexpr Whole kGreatest = 1000000000000000;

// What everybody knows of a sum of leaves. `shown`: an exact number was published; `primary`: its
// count must not be known; `unseen`: it is no part of the table, but whoever is alone in it knows
// it.
struct Sum {
  Leaves leaves;
  Whole low = 0;
  Whole high = kNone;
  bool shown = false;
  bool primary = false;
  bool hidden = false;
  bool unseen = false;
};

// How many people of some leaves.
using Members = std::map<int, Whole>;

// Somebody who knows more, or some who act together: the counts of some leaves and of some sums, as
// they are in the table, and that other leaves have at least so many.
struct Reader {
  std::string kind;
  Members members;
  Leaves cells;
  std::vector<int> sums;
  std::vector<std::pair<int, Whole>> least;
};

// A suppressed sum is 0 only where the people of its row (`total`) are at most `few`, or all of
// them but `others` are in one of the `categories`; or where another rule of the sum says so.
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

// What somebody has in a leaf of a table of magnitudes. In a sample the part stands for as many
// equal ones as its weight says.
struct Part {
  int leaf = 0;
  Whole who = 0;
  Whole value = 0;
  Whole weight = 1;
};

// Percents are millionths of a percent.
constexpr Whole kPercent = 1000000;

struct Rule {
  enum class Kind { threshold, nk, p_percent };
  Kind kind = Kind::threshold;
  Whole n = 0;
  Whole percent = 0;
};

// Magnitudes: whose they are, which sums are sensitive, and what readers know of a leaf's least
// total. `whole`: how much weight makes one contributor, 0 where parts have no weights.
struct Holdings {
  std::vector<Part> parts;
  std::vector<Rule> rules;
  Whole percent = 10 * kPercent;
  Whole lowest = 0;
  bool has_lowest = true;
  bool may_be_negative = false;
  Whole whole = 0;
};

// A mechanism that perturbs counts. In each step the first of its moves that is permitted is added
// with the chance `add` / `of`, taken away with `take` / `of`, or left. Shares are in millionths.
struct Design {
  std::vector<Whole> published;
  std::vector<std::vector<Whole>> moves;
  std::vector<std::vector<int>> steps;
  Whole add = 0;
  Whole take = 0;
  Whole of = 0;
  Whole level = 950000;
  bool blocked = true;
  std::vector<int> told;
  std::map<std::string, Whole> claims;
  std::map<std::string, Whole> limits;
};

enum class Verdict { safe, open, undecided, wrong, refused, unreadable };

inline const char* word(Verdict verdict) {
  static const char* const words[] = {"safe",  "open",    "undecided",
                                      "wrong", "refused", "unreadable"};
  return words[static_cast<int>(verdict)];
}

struct Case {
  std::string name;
  std::string kind = "counts";
  std::string damage;
  std::vector<Whole> truth;
  std::vector<Sum> sums;
  std::vector<ZeroRule> zero_rules;
  std::vector<Row> rows;
  Holdings holdings;
  Design design;
  std::set<std::string> readers = {"outsider"};
  std::vector<std::size_t> kept;
  Whole width = 1;
  Whole small = 0;
  std::size_t limit = 100000;
  std::size_t coalitions = 20000;
  Whole together = 0;
  bool zeros_shown = true;
  bool list = false;
  bool derived = false;
  bool has_kept = false;
  bool insiders = false;
  bool unsure = false;
};

}  // namespace audit

#endif
