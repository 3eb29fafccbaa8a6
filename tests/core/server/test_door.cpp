// The door with its thread, many clients, and somebody who answers as R does.
#include <atomic>
#include <thread>

#include "base/work_clock.hpp"
#include "check.hpp"
#include "door_hall.hpp"
#include "server/door.hpp"

using namespace sdclattice;
using namespace door_hall;

namespace {

// Gives each body back; to one that begins with "hold" at the end of its slot.
class Echo {
 public:
  explicit Echo(const DoorAddress& at) : listener_(listen_at(at)), thread_([this] { run(); }) {}
  ~Echo() {
    ending_ = true;
    thread_.join();
    close_socket(listener_);
    for (Talk& talk : talks_) close_socket(talk.socket);
  }

 private:
  struct Talk {
    int socket = kNoSocket;
    std::string heard;
  };
  void run() {
    while (!ending_) {
      const int taken = accept_at(listener_);
      if (taken >= 0) talks_.push_back({taken, ""});
      for (Talk& talk : talks_) serve(talk);
      pause_a_little();
    }
  }
  static void serve(Talk& talk) {
    if (talk.socket < 0) return;
    if (receive_some(talk.socket, talk.heard, 100000) == Flow::ended) close_socket(talk.socket);
    const std::string body = body_of(take_message(talk.heard));
    if (talk.socket < 0 || body.empty()) return;
    std::size_t at = 0;
    const bool holds = body.compare(0, 4, "hold") == 0;
    send_some(talk.socket, answer_of(body, holds ? "X-Leave: 0.05\r\n" : ""), at);
  }

  int listener_;
  std::vector<Talk> talks_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

struct Client {
  int socket;
  std::string heard;
  double said = 0;

  explicit Client(const DoorAddress& at) : socket(connect_to(at)) {}
  ~Client() { close_socket(socket); }
  Client(const Client&) = delete;
  void say(const std::string& text) {
    std::size_t at = 0;
    said = steady_seconds();
    send_some(socket, text, at);
  }
  std::string wait() {
    for (int i = 0; i < 10000; ++i) {
      receive_some(socket, heard, 100000);
      const std::string out = take_message(heard);
      if (!out.empty()) return out;
      pause_a_little();
    }
    return "";
  }
};

}  // namespace

TEST(many_clients_each_hear_their_own_answer_and_none_too_early) {
  Hall hall;
  const DoorAddress r_at = hall.at("r"), at = hall.at("door");
  Echo echo(r_at);
  const auto door = Door::open(at, rules_to(r_at));
  CHECK(door != nullptr);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 30; ++i) clients.push_back(std::make_unique<Client>(at));
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 30; ++i) {
      clients[i]->say(request_of((i % 2 ? "hold" : "go") + std::to_string(i + turn)));
    }
    for (int i = 0; i < 30; ++i) {
      CHECK_EQ(body_of(clients[i]->wait()), (i % 2 ? "hold" : "go") + std::to_string(i + turn));
      CHECK(i % 2 == 0 || steady_seconds() - clients[i]->said >= .05);
    }
  }
  CHECK_EQ(door->busy(), 0u);
}

TEST(a_port_is_a_door_too) {
  Hall hall;
  const DoorAddress r_at = hall.at("r");
  Echo echo(r_at);
  DoorAddress at;
  at.host = "127.0.0.1";
  std::unique_ptr<Door> door;
  for (at.port = 23000 + static_cast<int>(getpid() % 1000); !door && at.port < 30000;) {
    ++at.port;
    door = Door::open(at, rules_to(r_at));
  }
  CHECK(door != nullptr);
  Client client(at);
  for (int i = 0; i < 1000 && client.heard.empty(); ++i) {
    client.say("GET / HTTP/1.1\r\n\r\n");
    receive_some(client.socket, client.heard, 1000);
    pause_a_little();
  }
  CHECK_EQ(client.heard.substr(9, 3), "405");
}

TEST(a_door_that_leaves_says_so_and_one_that_ends_lets_nobody_wait) {
  Hall hall;
  const DoorAddress r_at = hall.at("r"), at = hall.at("door");
  Echo echo(r_at);
  auto door = Door::open(at, rules_to(r_at));
  Client client(at), other(at);
  client.say(request_of("hold"));
  while (door->busy() == 0) pause_a_little();
  door->leave();
  CHECK(is_found(client.wait(), "Connection: close"));
  other.say("POST /v1");
  door.reset();
  std::string rest;
  CHECK(receive_some(other.socket, rest, 100) == Flow::ended);
}

TEST(nobody_opens_a_door_where_one_is) {
  Hall hall;
  const DoorAddress at = hall.at("door");
  const auto door = Door::open(at, rules_to(at));
  CHECK(door != nullptr);
  CHECK(Door::open(at, rules_to(at)) == nullptr);
}
