#include "base/work_clock.hpp"
#include "bridge.h"
#include "store/ledger.hpp"
#include "store_file_identity.h"

using namespace sdclattice;

namespace {

std::string_view as_text(SEXP string) {
  return Rf_translateCharUTF8(string);
}

// A column as text; a name with its quotes and colon.
struct Member {
  std::string name;
  SEXP values;
  bool number;  // written without quotes
};

void append_member(std::string& out, const Member& member, R_xlen_t row) {
  out += member.name;
  SEXP value = STRING_ELT(member.values, row);
  if (value == NA_STRING) {
    out += "null";
  } else if (member.number) {
    out += as_text(value);
  } else {
    append_json_string(out, as_text(value));
  }
}

}  // namespace

// The hash of each row of a ledger: of `prev`, a line feed, and the columns as a JSON object.
// [[Rcpp::export]]
Rcpp::CharacterVector cpp_ledger_hashes(const Rcpp::List& columns,
                                        const std::vector<std::string>& names,
                                        const std::vector<bool>& numbers,
                                        const Rcpp::CharacterVector& prev,
                                        const Rcpp::RawVector& key) {
  const TextHash hash(
      {reinterpret_cast<const char*>(key.begin()), static_cast<std::size_t>(key.size())});
  std::vector<Member> members;
  for (std::size_t c = 0; c < names.size(); ++c) {
    members.push_back({c > 0 ? "," : "", columns[c], numbers[c]});
    append_json_string(members[c].name, names[c]);
    members[c].name += ':';
  }
  Rcpp::CharacterVector out(prev.size());
  std::string text;
  for (R_xlen_t i = 0; i < prev.size(); ++i) {
    text.assign(as_text(STRING_ELT(prev, i))).append("\n{");
    for (const Member& member : members) append_member(text, member, i);
    text += '}';
    out[i] = lower_hex(hash(text));
  }
  return out;
}

// SHA-256 of a text, or HMAC-SHA-256 with a key that is not empty, in lower-case hex.
// [[Rcpp::export]]
std::string cpp_text_hash(const Rcpp::String& text, const Rcpp::RawVector& key) {
  const TextHash hash(
      {reinterpret_cast<const char*>(key.begin()), static_cast<std::size_t>(key.size())});
  return lower_hex(hash(as_text(text.get_sexp())));
}

// Device and number of the file at each path; NA where there is none.
// [[Rcpp::export]]
Rcpp::CharacterVector cpp_file_identities(const std::vector<std::string>& paths) {
  Rcpp::CharacterVector out(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string found = file_identity(paths[i]);
    out[i] = found.empty() ? Rcpp::String(NA_STRING) : Rcpp::String(found);
  }
  return out;
}

// [[Rcpp::export]]
bool cpp_holds_open(const std::string& identity) {
  return holds_open(identity);
}

// Seconds of a clock that nobody can set.
// [[Rcpp::export]]
double cpp_steady_s() {
  return steady_seconds();
}
