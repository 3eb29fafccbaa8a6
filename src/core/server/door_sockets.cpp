#include "server/door_sockets.hpp"

#ifndef _WIN32

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace sdclattice {

namespace {

constexpr int kBacklog = 512;
constexpr std::size_t kMostConnections = 1000;
constexpr std::size_t kOtherDescriptors = 256;

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

bool fill_path(const std::string& path, SocketAddress& out) {
  auto* local = reinterpret_cast<sockaddr_un*>(&out.storage);
  if (path.size() >= sizeof local->sun_path) return false;
  local->sun_family = AF_UNIX;
  std::memcpy(local->sun_path, path.c_str(), path.size() + 1);
  out.size = sizeof(sockaddr_un);
  return true;
}

bool fill_port(const std::string& host, int port, SocketAddress& out) {
  auto* four = reinterpret_cast<sockaddr_in*>(&out.storage);
  if (inet_pton(AF_INET, host.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(static_cast<std::uint16_t>(port));
    out.size = sizeof(sockaddr_in);
    return true;
  }
  out.storage = {};
  auto* six = reinterpret_cast<sockaddr_in6*>(&out.storage);
  if (inet_pton(AF_INET6, host.c_str(), &six->sin6_addr) != 1) return false;
  six->sin6_family = AF_INET6;
  six->sin6_port = htons(static_cast<std::uint16_t>(port));
  out.size = sizeof(sockaddr_in6);
  return true;
}

bool fill_address(const DoorAddress& address, SocketAddress& out) {
  return address.path.empty() ? fill_port(address.host, address.port, out)
                              : fill_path(address.path, out);
}

void switch_on(int descriptor, int level, int option) {
  const int on = 1;
  // what cannot be switched on makes the door slower, and nothing else
  static_cast<void>(setsockopt(descriptor, level, option, &on, sizeof on));
}

bool prepare(int descriptor) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0) return false;
#ifdef SO_NOSIGPIPE
  switch_on(descriptor, SOL_SOCKET, SO_NOSIGPIPE);
#endif
  return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK) == 0;
}

int new_socket(int family) {
  int out = socket(family, SOCK_STREAM, 0);
  if (out >= 0 && !prepare(out)) close_socket(out);
  if (out >= 0 && family != AF_UNIX) switch_on(out, IPPROTO_TCP, TCP_NODELAY);
  return out;
}

bool is_passing(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == EINPROGRESS ||
         error == ENOTCONN;
}

}  // namespace

int listen_at(const DoorAddress& address) {
  SocketAddress at;
  if (!fill_address(address, at)) return kNoSocket;
  int out = new_socket(at.storage.ss_family);
  if (out < 0) return kNoSocket;
  if (address.path.empty()) switch_on(out, SOL_SOCKET, SO_REUSEADDR);
  // nobody can connect before it listens; then the owner and the group may
  const bool done = bind(out, at.get(), at.size) == 0 &&
                    (address.path.empty() || chmod(address.path.c_str(), 0660) == 0) &&
                    listen(out, kBacklog) == 0;
  if (!done) close_socket(out);
  return out;
}

int connect_to(const DoorAddress& address) {
  SocketAddress at;
  if (!fill_address(address, at)) return kNoSocket;
  int out = new_socket(at.storage.ss_family);
  if (out < 0) return kNoSocket;
  if (connect(out, at.get(), at.size) == 0 || errno == EINPROGRESS) return out;
  const bool busy = errno == EAGAIN;
  close_socket(out);
  return busy ? kSocketLater : kNoSocket;
}

int accept_at(int listener) {
  int out = accept(listener, nullptr, nullptr);
  if (out < 0) return is_passing(errno) || errno == ECONNABORTED ? kSocketLater : kNoSocket;
  if (!prepare(out)) close_socket(out);
  if (out >= 0) switch_on(out, IPPROTO_TCP, TCP_NODELAY);
  return out;
}

void close_socket(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = kNoSocket;
}

void end_sending(int descriptor) {
  shutdown(descriptor, SHUT_WR);
}

std::string peer_of(int descriptor) {
  SocketAddress at;
  at.size = sizeof at.storage;
  char text[INET6_ADDRSTRLEN] = "-";
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&at.storage), &at.size) != 0) return "-";
  if (at.storage.ss_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&at.storage)->sin_addr, text, sizeof text);
  } else if (at.storage.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<sockaddr_in6*>(&at.storage)->sin6_addr, text,
              sizeof text);
  }
  return text;
}

bool is_stale(int descriptor) {
  char byte = 0;
  return recv(descriptor, &byte, 1, MSG_PEEK) >= 0 || !is_passing(errno);
}

Flow receive_some(int descriptor, std::string& text, std::size_t most) {
  std::vector<char> buffer(std::min<std::size_t>(most, 16384));
  const auto got = recv(descriptor, buffer.data(), buffer.size(), 0);
  if (got > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
    return Flow::some;
  }
  return got < 0 && is_passing(errno) ? Flow::later : Flow::ended;
}

Flow send_some(int descriptor, const std::string& text, std::size_t& at) {
  const auto sent = send(descriptor, text.data() + at, text.size() - at, kSendFlags);
  if (sent < 0) return is_passing(errno) ? Flow::later : Flow::ended;
  at += static_cast<std::size_t>(sent);
  return at == text.size() ? Flow::some : Flow::later;
}

bool make_wake(int (&ends)[2]) {
  return pipe(ends) == 0 && prepare(ends[0]) && prepare(ends[1]);
}

void wake_up(int end) {
  const char byte = 0;
  // where the pipe is full, the other side wakes up anyway
  if (write(end, &byte, 1) < 0) return;
}

void forget_wakes(int end) {
  char bytes[64];
  while (read(end, bytes, sizeof bytes) > 0) {
  }
}

std::size_t most_connections() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return kMostConnections;
  }
  const auto open = static_cast<std::size_t>(limit.rlim_cur);
  const std::size_t left = open > kOtherDescriptors ? (open - kOtherDescriptors) / 3 : 0;
  return std::min(kMostConnections, std::max<std::size_t>(left, 16));
}

}  // namespace sdclattice

#endif
