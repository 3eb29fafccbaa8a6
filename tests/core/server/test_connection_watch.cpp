// Connections that are held.
#include "check.hpp"
#include "door_hall.hpp"
#include "server/connection_watch.hpp"
#include "server/door_sockets.hpp"

#ifdef __linux__
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace sdclattice;
using namespace door_hall;

namespace {

int port_of(int descriptor) {
  sockaddr_in at = {};
  socklen_t size = sizeof at;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&at), &size);
  return ntohs(at.sin_port);
}

// Clients of a port of this process.
struct Clients {
  int listener = kNoSocket;
  std::vector<int> client, server;
  explicit Clients(int n) : listener(listen_at({"", "127.0.0.1", 0})) {
    for (int i = 0; i < n; ++i) {
      client.push_back(connect_to({"", "127.0.0.1", port()}));
      int own = kSocketLater;
      while (own == kSocketLater) own = accept_at(listener);
      server.push_back(own);
    }
  }
  ~Clients() {
    for (int& one : client) close_socket(one);
    for (int& one : server) close_socket(one);
    close_socket(listener);
  }
  int port() const { return port_of(listener); }
  void ask(int i) { say(client[i], server[i]); }
  void answer(int i) { say(server[i], client[i]); }
  bool is_shut(int i) const { return is_stale(client[i]); }

 private:
  static void say(int from, int to) {
    std::size_t at = 0;
    send_some(from, "hello", at);
    std::string text;
    while (receive_some(to, text, 10) == Flow::later) pause_a_little();
    // the system counts time in thousandths
    for (int i = 0; i < 20; ++i) pause_a_little();
  }
};

ConnectionRules rules_of(double request_s, std::size_t most_of_address, std::size_t most) {
  ConnectionRules out;
  out.request_s = request_s;
  out.patience_s = 3;
  out.most_of_address = most_of_address;
  out.most = most;
  return out;
}

}  // namespace

TEST(a_request_that_takes_too_long_is_ended_and_no_other) {
  Clients all(4);
  ConnectionWatch watch(all.port());
  const ConnectionRules rules = rules_of(10, 100, 100);
  all.ask(1);
  for (const int i : {2, 3}) {
    all.ask(i);
    all.answer(i);
  }
  CHECK_EQ(watch.look(0, rules, {}), 0u);
  CHECK_EQ(watch.look(10, rules, {}), 0u);
  // who waits for an answer is left alone
  CHECK_EQ(watch.look(11, rules, {port_of(all.client[0]), port_of(all.client[1])}), 0u);
  CHECK_EQ(watch.look(11, rules, {port_of(all.client[1])}), 1u);
  CHECK(all.is_shut(0) && !all.is_shut(1));
  all.ask(3);
  CHECK_EQ(watch.look(12, rules, {}), 1u);
  CHECK(all.is_shut(1) && !all.is_shut(2) && !all.is_shut(3));
  // the request of 3 began at 12
  CHECK_EQ(watch.look(22, rules, {}), 0u);
  CHECK_EQ(watch.look(23, rules, {}), 1u);
  CHECK(all.is_shut(3) && !all.is_shut(2));
}

TEST(of_too_many_connections_those_go_that_have_waited_longest) {
  for (const bool by_address : {true, false}) {
    Clients all(6);
    ConnectionWatch watch(all.port());
    const ConnectionRules rules = rules_of(1000, by_address ? 4 : 100, by_address ? 100 : 4);
    CHECK_EQ(watch.look(0, rules, {}), 0u);
    for (const int i : {0, 1, 3, 5}) {
      all.ask(i);
      all.answer(i);
    }
    CHECK_EQ(watch.look(2, rules, {}), 0u);
    CHECK_EQ(watch.look(4, rules, {}), 2u);
    for (int i = 0; i < 6; ++i) CHECK_EQ(all.is_shut(i), i == 2 || i == 4);
  }
}

TEST(connections_of_other_ports_are_left_alone) {
  Clients all(2);
  ConnectionWatch watch(1);
  CHECK_EQ(watch.look(0, rules_of(10, 1, 1), {}), 0u);
  CHECK_EQ(watch.look(1000, rules_of(10, 1, 1), {}), 0u);
  CHECK(!all.is_shut(0) && !all.is_shut(1));
}
#endif
