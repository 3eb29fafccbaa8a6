// Bridge of the door for requests: a thread that sends answers at their moment. It calls nothing of
// R.
#include <map>
#include <memory>
#include <string>

#include "base_vectors.h"
#include "server/door.hpp"
#include "server/slot.hpp"

using namespace sdclattice;

namespace {

// list(path =, host =, port =); `path` is "" for a port.
DoorAddress as_door_address(const Rcpp::List& address) {
  DoorAddress out;
  out.path = Rcpp::as<std::string>(address["path"]);
  out.host = Rcpp::as<std::string>(address["host"]);
  out.port = Rcpp::as<int>(address["port"]);
  return out;
}

// Whole answers, named by their status.
std::map<int, std::string> as_fixed_answers(const Rcpp::CharacterVector& fixed) {
  const auto names = Rcpp::as<std::vector<std::string>>(fixed.names());
  std::map<int, std::string> out;
  for (R_xlen_t i = 0; i < fixed.size(); ++i) {
    out[std::stoi(names[i])] = Rcpp::as<std::string>(fixed[i]);
  }
  return out;
}

}  // namespace

// NULL where nobody can listen.
// [[Rcpp::export]]
SEXP cpp_open_door(const Rcpp::List& at, const Rcpp::List& to, const std::string& secret,
                   double tick_s, double answer_within_s, const Rcpp::CharacterVector& fixed) {
  DoorRules rules;
  rules.to = as_door_address(to);
  rules.secret = secret;
  rules.tick = tick_s;
  rules.answer_within = answer_within_s;
  rules.fixed = as_fixed_answers(fixed);
  std::unique_ptr<Door> door = Door::open(as_door_address(at), rules);
  if (door == nullptr) return R_NilValue;
  return Rcpp::XPtr<Door>(door.release());
}

// [[Rcpp::export]]
void cpp_leave_door(SEXP door) {
  const Rcpp::XPtr<Door> given(door);
  given->leave();
}

// How many requests have come by it whose answers have not left.
// [[Rcpp::export]]
double cpp_busy_door(SEXP door) {
  const Rcpp::XPtr<Door> given(door);
  return static_cast<double>(given->busy());
}

// [[Rcpp::export]]
void cpp_close_door(SEXP door) {
  Rcpp::XPtr<Door> given(door);
  given.release();
}

// [[Rcpp::export]]
double cpp_slot_end(double arrival, double now, double tick_s) {
  return slot_end(arrival, now, tick_s);
}
