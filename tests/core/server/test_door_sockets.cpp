// Sockets that do not wait.
#include "check.hpp"
#include "door_hall.hpp"
#include "server/door_sockets.hpp"

using namespace sdclattice;
using namespace door_hall;

namespace {

// Both ends of a connection at this address.
struct Pair {
  int listener = kNoSocket, near = kNoSocket, far = kNoSocket;
  explicit Pair(const DoorAddress& at) : listener(listen_at(at)), near(connect_to(at)) {
    while (listener >= 0 && (far = accept_at(listener)) == kSocketLater) pause_a_little();
  }
  ~Pair() {
    for (int* one : {&listener, &near, &far}) close_socket(*one);
  }
};

}  // namespace

TEST(bytes_go_through_a_unix_socket) {
  Hall hall;
  Pair pair(hall.at("s"));
  CHECK(pair.listener >= 0 && pair.near >= 0 && pair.far >= 0);
  CHECK_EQ(peer_of(pair.far), "-");
  std::string text;
  CHECK(receive_some(pair.far, text, 10) == Flow::later);
  CHECK(!is_stale(pair.far));
  std::size_t at = 1;
  CHECK(send_some(pair.near, "hello", at) == Flow::some);
  CHECK_EQ(at, 5u);
  CHECK(is_stale(pair.far));
  CHECK(receive_some(pair.far, text, 3) == Flow::some);
  CHECK_EQ(text, "ell");
  CHECK(receive_some(pair.far, text, 3) == Flow::some);
  end_sending(pair.near);
  CHECK(receive_some(pair.far, text, 3) == Flow::ended);
  CHECK_EQ(text, "ello");
  CHECK(is_stale(pair.far));
}

TEST(what_does_not_fit_is_sent_later) {
  Hall hall;
  Pair pair(hall.at("s"));
  const std::string long_text(4000000, 'x');
  std::size_t at = 0;
  CHECK(send_some(pair.near, long_text, at) == Flow::later);
  std::string text;
  while (text.size() < long_text.size()) {
    receive_some(pair.far, text, 100000);
    if (at < long_text.size()) send_some(pair.near, long_text, at);
  }
  CHECK(text == long_text);
  close_socket(pair.far);
  at = 0;
  // no signal ends the process
  CHECK(send_some(pair.near, "hello", at) == Flow::ended);
}

TEST(nobody_listens_twice_or_nowhere) {
  Hall hall;
  const DoorAddress at = hall.at("s");
  CHECK_EQ(connect_to(at), kNoSocket);
  int listener = listen_at(at);
  CHECK(listener >= 0);
  CHECK_EQ(listen_at(at), kNoSocket);
  close_socket(listener);
  DoorAddress wrong;
  wrong.host = "localhost";
  CHECK_EQ(listen_at(wrong), kNoSocket);
  wrong.path = "/tmp/" + std::string(200, 'x');
  CHECK_EQ(listen_at(wrong), kNoSocket);
  CHECK_EQ(connect_to(wrong), kNoSocket);
}

TEST(a_wake_is_heard_once) {
  int ends[2];
  CHECK(make_wake(ends));
  for (int i = 0; i < 100000; ++i) wake_up(ends[1]);
  forget_wakes(ends[0]);
  std::string none;
  close_socket(ends[0]);
  close_socket(ends[1]);
  CHECK(most_connections() >= 16 && most_connections() <= 1000);
}
