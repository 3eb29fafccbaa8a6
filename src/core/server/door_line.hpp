// One connection of a door (door.hpp), from a client to R and back. It never waits: whoever has it
// calls step() when something may have happened.
#pragma once

#include <map>
#include <string>

#include "server/door_head.hpp"
#include "server/door_sockets.hpp"

namespace sdclattice {

struct DoorRules {
  DoorAddress to;      // where R listens
  std::string secret;  // by which R knows that an arrival is the door's word
  // Whole answers by their status, for requests that R never sees, and for those that it does not
  // answer (503).
  std::map<int, std::string> fixed;
  double tick = 0;             // the length of a slot, for answers that R does not give
  double patience = 10;        // seconds for a head, for a body, and for a client to take an answer
  double idle = 60;            // seconds until a connection is closed that brings no request
  double answer_within = 120;  // seconds that R may take
};

// What to wait for at a descriptor.
struct Wanted {
  int descriptor = kNoSocket;
  bool read = false;
  bool write = false;
};

// What there is at a descriptor.
struct Ready {
  bool any = false;    // may be read or written
  bool ended = false;  // nobody is at the other side any more
};

class DoorLine {
 public:
  // Takes over the descriptor of a client; `rules` outlive it.
  DoorLine(int client, const DoorRules& rules);
  ~DoorLine();
  DoorLine(const DoorLine&) = delete;
  DoorLine& operator=(const DoorLine&) = delete;

  Wanted wanted_of_client() const;
  Wanted wanted_of_r() const;
  // When step() is to be called at the latest.
  double due() const;
  void step(Ready client, Ready r);

  // No request after this one: clients are told so.
  void leave() { leaving_ = true; }
  bool is_over() const { return stage_ == Stage::over; }
  // Is there a request without its whole answer?
  bool is_busy() const;

 private:
  // A request is read, handed to R, answered there, held until its moment, and told; at last the
  // client's side is read to its end, so that the system does not take back what was told.
  enum class Stage { reading, asking, waiting, held, telling, ending, over };

  void go(Stage stage, double seconds);
  void read_client();
  void look_at_request();
  void hand_on();
  void ask();
  void read_answer();
  void look_at_answer();
  void give_up();
  void refuse(int status);
  void look_at_clock();
  void say(const std::string& text);
  void tell();
  void told();

  const DoorRules& rules_;
  int client_;
  int r_ = kNoSocket;
  Stage stage_ = Stage::reading;
  bool leaving_ = false;
  bool close_ = false;      // after this answer
  bool continued_ = false;  // the client was told to send the body
  double limit_ = 0;        // when the patience with this stage ends
  double arrival_ = 0, moment_ = 0;
  HeadScan scan_;
  std::size_t head_bytes_ = 0;
  RequestHead head_;
  std::string in_;      // of the client
  std::string ask_;     // for R
  std::string answer_;  // of R
  std::string out_;     // for the client
  std::size_t asked_ = 0, told_ = 0;
  HeadScan answer_scan_;
  std::size_t answer_head_bytes_ = 0;
  AnswerHead answer_head_;
  std::string peer_;
};

}  // namespace sdclattice
