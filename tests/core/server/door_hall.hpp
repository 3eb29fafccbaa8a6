// A folder with sockets for tests of the door, and clients.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "server/door.hpp"

namespace door_hall {

using namespace sdclattice;

// Removes its sockets with itself.
class Hall {
 public:
  Hall() {
    char name[] = "/tmp/door-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~Hall() {
    for (const std::string& name : names_) unlink(name.c_str());
    rmdir(folder_.c_str());
  }
  DoorAddress at(const std::string& name) {
    DoorAddress out;
    out.path = folder_ + "/" + name;
    names_.push_back(out.path);
    return out;
  }

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

inline void pause_a_little() {
  usleep(500);
}

inline DoorRules rules_to(const DoorAddress& to) {
  DoorRules out;
  out.to = to;
  out.secret = "secret";
  out.tick = .05;
  for (const int status : {400, 405, 411, 413, 431, 503}) {
    out.fixed[status] = "HTTP/1.1 " + std::to_string(status) +
                        " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  }
  return out;
}

inline std::string request_of(const std::string& body, const std::string& more = "") {
  return "POST /v1/requests HTTP/1.1\r\nHost: a\r\n" + more +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline std::string answer_of(const std::string& body, const std::string& more = "") {
  return "HTTP/1.1 201 Created\r\n" + more + "Content-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

// Takes the first whole message (head and body) from `text`; "" where none is there.
inline std::string take_message(std::string& text) {
  HeadScan scan;
  const std::size_t head = scan.end_in(text);
  if (head == 0) return "";
  const std::size_t at = text.find("Content-Length: ");
  const std::size_t length = at < head ? std::stoul(text.substr(at + 16)) : 0;
  if (text.size() < head + length) return "";
  const std::string out = text.substr(0, head + length);
  text.erase(0, head + length);
  return out;
}

inline std::string body_of(const std::string& message) {
  const std::size_t at = message.find("\r\n\r\n");
  return at == std::string::npos ? "" : message.substr(at + 4);
}

inline bool is_found(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

}  // namespace door_hall
