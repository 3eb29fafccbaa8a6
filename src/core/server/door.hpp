// A door for requests whose answers must leave at a moment of their own, whatever R is doing. A
// thread with nothing else to do takes POST /v1/requests at an address of its own, notes when each
// request was complete, hands it to R over the address where R listens, and sends R's answer at the
// end of the slot that began with the request. Two headers are between the two of them: "X-Door:
// <secret> <arrival> <client>" for R, and "X-Leave: <seconds>", the length of the slot, on answers
// that must wait; others leave at once. What a client says in headers of these names is dropped.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "server/door_line.hpp"

namespace sdclattice {

class Door {
 public:
  // Listens at `at`; none where nobody can, nor on Windows.
  static std::unique_ptr<Door> open(const DoorAddress& at, const DoorRules& rules);
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  // From now on clients are told to come by another connection.
  void leave();
  // How many requests have come whose answers have not left.
  std::size_t busy() const { return busy_; }

 private:
  Door(int listener, const DoorRules& rules);

  bool start();
  void run();
  void wait();
  void take_new();
  void step();

  const DoorRules rules_;
  int listener_;
  int wake_[2] = {kNoSocket, kNoSocket};
  std::thread thread_;
  std::atomic<bool> leaving_{false}, ending_{false};
  std::atomic<std::size_t> busy_{0};

  // of the thread alone
  struct Polls;
  std::unique_ptr<Polls> polls_;
  std::vector<std::unique_ptr<DoorLine>> lines_;
  std::size_t most_;
  double take_from_ = 0;  // when new connections are taken again
};

}  // namespace sdclattice
