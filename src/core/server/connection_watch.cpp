#include "server/connection_watch.hpp"

#ifdef __linux__
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "server/door_sockets.hpp"
#endif

namespace sdclattice {

#ifdef __linux__

namespace {

int port_of(const sockaddr_storage& at) {
  if (at.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(at).sin_port);
  if (at.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(at).sin6_port);
  return -1;
}

int own_port(int descriptor) {
  sockaddr_storage at = {};
  socklen_t size = sizeof at;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&at), &size) != 0) return -1;
  return port_of(at);
}

// -1 of what listens, too.
int port_of_peer(int descriptor) {
  sockaddr_storage at = {};
  socklen_t size = sizeof at;
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&at), &size) != 0) return -1;
  return port_of(at);
}

// What the system tells of a connection, by its place: C libraries declare the first part alone.
class TcpInfo {
 public:
  // False where the system tells less.
  bool read(int descriptor) {
    auto size = static_cast<socklen_t>(bytes_.size());
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, bytes_.data(), &size) == 0 &&
           size == bytes_.size();
  }
  // Has this side ended it?
  bool is_ended() const { return bytes_[0] != TCP_ESTABLISHED && bytes_[0] != TCP_CLOSE_WAIT; }
  std::uint64_t bytes_sent() const { return at<std::uint64_t>(120); }  // that were confirmed
  std::uint32_t sent_ms_ago() const { return at<std::uint32_t>(44); }
  std::uint32_t received_ms_ago() const { return at<std::uint32_t>(52); }

 private:
  template <class Number>
  Number at(std::size_t offset) const {
    Number out = 0;
    std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }

  std::array<unsigned char, 128> bytes_ = {};
};

std::vector<int> open_descriptors() {
  std::vector<int> out;
  DIR* folder = opendir("/proc/self/fd");
  if (folder == nullptr) return out;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') out.push_back(std::atoi(entry->d_name));
  }
  closedir(folder);
  return out;
}

}  // namespace

void ConnectionWatch::note(int descriptor, double now, std::map<int, Carried>& present) const {
  Carried is;
  is.port = port_of_peer(descriptor);
  if (is.port < 0 || own_port(descriptor) != port_) return;
  TcpInfo told;
  if (!told.read(descriptor) || told.is_ended()) return;
  is.address = peer_of(descriptor);
  is.sent = told.bytes_sent();
  is.asks = is.sent == 0 || told.received_ms_ago() < told.sent_ms_ago();
  is.since = now;
  const auto before = known_.find(descriptor);
  if (before != known_.end()) {
    const Carried& was = before->second;
    const bool is_same = is.address == was.address && is.port == was.port;
    if (is_same && is.sent == was.sent && is.asks == was.asks) is.since = was.since;
  }
  present[descriptor] = is;
}

std::size_t ConnectionWatch::look(double now, const ConnectionRules& rules,
                                  const std::set<int>& complete) {
  std::map<int, Carried> present;
  for (const int descriptor : open_descriptors()) note(descriptor, now, present);
  known_.swap(present);
  std::map<std::string, Client> clients;
  std::size_t n = 0;
  for (const auto& [descriptor, is] : known_) {
    const double waits = complete.count(is.port) > 0 ? 0 : now - is.since;
    if (is.asks && waits > rules.request_s) {
      shutdown(descriptor, SHUT_RDWR);
      ++n;
      continue;
    }
    Client& client = clients[is.address];
    ++client.connections;
    if (waits > rules.patience_s) client.waiting.emplace_back(is.since, descriptor);
  }
  return n + shut_most(clients, rules);
}

// Whoever has most connections loses one first, the one that has waited longest.
std::size_t ConnectionWatch::shut_most(std::map<std::string, Client>& clients,
                                       const ConnectionRules& rules) {
  std::vector<Client*> order;
  std::size_t all = 0;
  for (auto& [address, client] : clients) {
    std::sort(client.waiting.begin(), client.waiting.end(), std::greater<>());
    all += client.connections;
    order.push_back(&client);
  }
  std::size_t n = 0;
  while (!order.empty()) {
    const auto most = std::max_element(
        order.begin(), order.end(),
        [](const Client* a, const Client* b) { return a->connections < b->connections; });
    Client& client = **most;
    if (client.connections <= rules.most_of_address && all <= rules.most) break;
    if (client.waiting.empty()) {
      order.erase(most);
      continue;
    }
    shutdown(client.waiting.back().second, SHUT_RDWR);
    client.waiting.pop_back();
    --client.connections;
    --all;
    ++n;
  }
  return n;
}

#else

std::size_t ConnectionWatch::look(double, const ConnectionRules&, const std::set<int>&) {
  return 0;
}

#endif

}  // namespace sdclattice
