// Connections of a port that are held and say nothing, or only half of what they have to say.
//
// A web server that reads whole requests keeps whoever sends none. So what each connection has sent
// and was sent is looked at every now and then, and those that take too long are shut: the server
// sees them end like any other. Only where the system tells how much a connection has carried
// (Linux); elsewhere nothing is shut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sdclattice {

struct ConnectionRules {
  // How long a request may take to be complete, and an answer to be fetched further.
  double request_s = 0;
  // Where there are too many, those go that have said nothing, or half, for longer than this.
  double patience_s = 0;
  std::size_t most_of_address = 0;
  std::size_t most = 0;
};

class ConnectionWatch {
 public:
  explicit ConnectionWatch(int port) : port_(port) {}

  // Looks at all connections at the time `now`, in seconds of any clock, and shuts those that the
  // rules do not allow. `complete`: ports of the clients whose requests are complete and wait for
  // an answer. How many it has shut.
  std::size_t look(double now, const ConnectionRules& rules, const std::set<int>& complete);

 private:
  struct Carried {
    std::string address;
    int port = 0;
    std::uint64_t sent = 0;  // bytes that the client has confirmed
    bool asks = true;        // has anything come since the last answer, or not even one?
    double since = 0;        // since when that is so, and nothing more was sent
  };
  struct Client {
    std::size_t connections = 0;
    std::vector<std::pair<double, int>> waiting;  // since when, and the descriptor
  };

  void note(int descriptor, double now, std::map<int, Carried>& present) const;
  static std::size_t shut_most(std::map<std::string, Client>& clients,
                               const ConnectionRules& rules);

  int port_;
  std::map<int, Carried> known_;  // by descriptor
};

}  // namespace sdclattice
