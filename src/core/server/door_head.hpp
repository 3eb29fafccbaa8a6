// The heads of requests and answers that pass a door (door.hpp): what they must be, and what of
// them is handed on. Whatever two readers could understand differently is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sdclattice {

constexpr std::size_t kMostHead = 8192;
constexpr std::size_t kMostBody = 16384;
// Of answers, which are ours.
constexpr std::size_t kMostAnswerHead = 32768;
constexpr std::size_t kMostAnswerBody = 4194304;

// Looks for the end of a head in bytes that come by and by.
class HeadScan {
 public:
  // The length of the head with its empty line; 0 as long as it is not there. `text`: what was
  // given before, and more.
  std::size_t end_in(std::string_view text);
  // Is a line ended by something else than CR LF, or is there a byte 0?
  bool is_broken() const { return broken_; }

 private:
  std::size_t at_ = 0;
  bool broken_ = false;
};

struct RequestHead {
  int refusal = 0;  // the status that it is refused with, or 0
  std::size_t body = 0;
  bool close = false;    // this is the client's last request
  bool expects = false;  // the client waits for "100 Continue"
  std::string passed;    // its lines that are handed on, from the first one
};

// `head`: as HeadScan finds it.
RequestHead read_request_head(std::string_view head);

struct AnswerHead {
  bool ok = false;
  std::size_t body = 0;
  bool close = false;
  double leave = 0;  // the length of the slot at whose end it leaves; 0: it leaves at once
  std::string passed;
};

AnswerHead read_answer_head(std::string_view head);

}  // namespace sdclattice
