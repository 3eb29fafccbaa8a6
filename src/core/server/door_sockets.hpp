// Sockets as a door needs them: none waits, none is inherited by programs that the process starts.
// A descriptor is a number; below 0 it is none.
#pragma once

#include <cstddef>
#include <string>

namespace sdclattice {

// A Unix socket, or where `path` is empty a numeric address and a port.
struct DoorAddress {
  std::string path;
  std::string host;
  int port = 0;
};

constexpr int kNoSocket = -1;
constexpr int kSocketLater = -2;  // whoever listens is too busy to be connected to now

int listen_at(const DoorAddress& address);
int connect_to(const DoorAddress& address);
int accept_at(int listener);
void close_socket(int& descriptor);
// Says to the other side that nothing more comes.
void end_sending(int descriptor);

// Whoever is at the other side of a port; "-" at that of a Unix socket.
std::string peer_of(int descriptor);

// Has a connection that nobody should have written to come to its end, or was it written to?
bool is_stale(int descriptor);

enum class Flow { some, later, ended };

// Appends what is there to `text`, at most `most` bytes.
Flow receive_some(int descriptor, std::string& text, std::size_t most);
// Sends from `at` on, and moves it.
Flow send_some(int descriptor, const std::string& text, std::size_t& at);

// Two ends: what is written to the second is read from the first.
bool make_wake(int (&ends)[2]);
void wake_up(int end);
void forget_wakes(int end);

// How many connections there may be, of which each takes three descriptors of this process: that of
// the client, and both sides of the one to R.
std::size_t most_connections();

}  // namespace sdclattice
