// What the web server leaves to the system: defaults of its sockets, and connections that are held.
#include <algorithm>
#include <set>
#include <vector>

#include "base_vectors.h"
#include "server/connection_watch.hpp"

#ifndef _WIN32
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace {

#ifndef _WIN32

// Does this descriptor listen on a port of TCP?
bool listens_on(int descriptor, int port) {
  int listening = 0;
  socklen_t size = sizeof listening;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0) return false;
  sockaddr_storage address = {};
  size = sizeof address;
  auto* general = reinterpret_cast<sockaddr*>(&address);
  if (!listening || getsockname(descriptor, general, &size) != 0) return false;
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<sockaddr_in*>(&address)->sin_port) == port;
  }
  return address.ss_family == AF_INET6 &&
         ntohs(reinterpret_cast<sockaddr_in6*>(&address)->sin6_port) == port;
}

#endif

}  // namespace

// The web server writes the head and the body of an answer one after the other, and the system
// keeps back the second until the client has confirmed the first, which clients put off for 40 ms:
// what listens on the port is told not to, and so is, after it, each connection that it accepts.
// True where that was done.
// [[Rcpp::export]]
bool cpp_send_at_once(int port) {
  bool done = false;
#ifndef _WIN32
  const auto most = std::min(sysconf(_SC_OPEN_MAX), 65536L);
  const int on = 1;
  for (int descriptor = 0; descriptor < most; descriptor++) {
    if (listens_on(descriptor, port)) {
      done |= setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0;
    }
  }
#else
  (void)port;
#endif
  return done;
}

// [[Rcpp::export]]
SEXP cpp_watch_connections(int port) {
  return Rcpp::XPtr<sdclattice::ConnectionWatch>(new sdclattice::ConnectionWatch(port));
}

// How many connections were shut that `rules` do not allow at the time `now`; `complete`: the ports
// of clients whose requests wait for an answer.
// [[Rcpp::export]]
double cpp_shut_connections(SEXP watch, double now, const Rcpp::List& rules,
                            const std::vector<int>& complete) {
  sdclattice::ConnectionRules asked;
  asked.request_s = Rcpp::as<double>(rules["request_s"]);
  asked.patience_s = Rcpp::as<double>(rules["patience_s"]);
  asked.most_of_address = static_cast<std::size_t>(Rcpp::as<double>(rules["most_of_address"]));
  asked.most = static_cast<std::size_t>(Rcpp::as<double>(rules["most"]));
  const Rcpp::XPtr<sdclattice::ConnectionWatch> given(watch);
  const std::set<int> waiting(complete.begin(), complete.end());
  return static_cast<double>(given->look(now, asked, waiting));
}
