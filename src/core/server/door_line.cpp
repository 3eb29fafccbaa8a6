#include "server/door_line.hpp"

#ifndef _WIN32

#include <algorithm>
#include <cstdio>

#include "base/work_clock.hpp"
#include "server/slot.hpp"

namespace sdclattice {

namespace {

constexpr double kEnding = 2;        // seconds that a client has to close its side
constexpr double kTryAgain = 0.005;  // when R was too busy to be connected to
constexpr std::size_t kMostAhead = kMostHead + kMostBody;

// In full, so that R counts from the same moment.
std::string seconds_text(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9f", seconds);
  return text;
}

}  // namespace

DoorLine::DoorLine(int client, const DoorRules& rules)
    : rules_(rules), client_(client), peer_(peer_of(client)) {
  go(Stage::reading, rules_.idle);
}

DoorLine::~DoorLine() {
  close_socket(client_);
  close_socket(r_);
}

void DoorLine::go(Stage stage, double seconds) {
  stage_ = stage;
  limit_ = steady_seconds() + seconds;
}

Wanted DoorLine::wanted_of_client() const {
  Wanted out;
  out.descriptor = client_;
  out.read = stage_ == Stage::reading || stage_ == Stage::ending;
  out.write = told_ < out_.size();
  return out;
}

// Between two requests it is looked at when the next one is handed on.
Wanted DoorLine::wanted_of_r() const {
  Wanted out;
  out.read = stage_ == Stage::waiting;
  out.write = stage_ == Stage::asking;
  if (out.read || out.write) out.descriptor = r_;
  return out;
}

double DoorLine::due() const {
  if (stage_ == Stage::held) return moment_;
  if (stage_ == Stage::asking && r_ < 0) return std::min(limit_, steady_seconds() + kTryAgain);
  return limit_;
}

bool DoorLine::is_busy() const {
  return stage_ == Stage::asking || stage_ == Stage::waiting || stage_ == Stage::held ||
         stage_ == Stage::telling;
}

void DoorLine::step(Ready client, Ready r) {
  if (client.ended && stage_ != Stage::reading) stage_ = Stage::over;
  if (client.any && (stage_ == Stage::reading || stage_ == Stage::ending)) read_client();
  if (stage_ == Stage::asking) ask();
  if (r.any && stage_ == Stage::waiting) read_answer();
  if (stage_ != Stage::over) look_at_clock();
  if (stage_ != Stage::over && told_ < out_.size()) tell();
}

// ---- the request --------------------------------------------------------------------------------

void DoorLine::read_client() {
  const bool first = in_.empty();
  const Flow flow = receive_some(client_, in_, kMostAhead - std::min(in_.size(), kMostAhead - 1));
  if (flow == Flow::ended) stage_ = Stage::over;
  if (flow != Flow::some) return;
  if (stage_ == Stage::ending) {
    in_.clear();
    return;
  }
  if (first) go(Stage::reading, rules_.patience);
  look_at_request();
}

void DoorLine::look_at_request() {
  if (head_bytes_ == 0) {
    head_bytes_ = scan_.end_in(std::string_view(in_).substr(0, kMostHead));
    if (scan_.is_broken()) return refuse(400);
    if (head_bytes_ == 0) {
      if (in_.size() >= kMostHead) refuse(431);
      return;
    }
    head_ = read_request_head(std::string_view(in_).substr(0, head_bytes_));
    if (head_.refusal != 0) return refuse(head_.refusal);
    go(Stage::reading, rules_.patience);
  }
  if (in_.size() - head_bytes_ >= head_.body) return hand_on();
  if (head_.expects && !continued_) say("HTTP/1.1 100 Continue\r\n\r\n");
  continued_ = true;
}

// Here the request is complete, and its time begins.
void DoorLine::hand_on() {
  arrival_ = steady_seconds();
  close_ = head_.close;
  ask_ = head_.passed + "X-Door: " + rules_.secret + " " + seconds_text(arrival_) + " " + peer_ +
         "\r\n\r\n" + in_.substr(head_bytes_, head_.body);
  asked_ = 0;
  in_.erase(0, head_bytes_ + head_.body);
  scan_ = HeadScan();
  head_bytes_ = 0;
  continued_ = false;
  answer_.clear();
  answer_scan_ = HeadScan();
  answer_head_bytes_ = 0;
  if (r_ >= 0 && is_stale(r_)) close_socket(r_);
  go(Stage::asking, rules_.answer_within);
  ask();
}

void DoorLine::refuse(int status) {
  const auto found = rules_.fixed.find(status);
  close_ = true;
  say(found != rules_.fixed.end() ? found->second : std::string());
  go(Stage::telling, rules_.patience);
}

// ---- R ------------------------------------------------------------------------------------------

void DoorLine::ask() {
  if (r_ < 0) {
    const int descriptor = connect_to(rules_.to);
    if (descriptor == kSocketLater) return;
    if (descriptor < 0) return give_up();
    r_ = descriptor;
  }
  const Flow flow = send_some(r_, ask_, asked_);
  if (flow == Flow::ended) return give_up();
  if (flow == Flow::some) stage_ = Stage::waiting;
}

void DoorLine::read_answer() {
  const Flow flow = receive_some(r_, answer_, kMostAnswerHead);
  if (flow == Flow::ended) return give_up();
  if (flow == Flow::some) look_at_answer();
}

void DoorLine::look_at_answer() {
  if (answer_head_bytes_ == 0) {
    answer_head_bytes_ = answer_scan_.end_in(std::string_view(answer_).substr(0, kMostAnswerHead));
    if (answer_scan_.is_broken()) return give_up();
    if (answer_head_bytes_ == 0) {
      if (answer_.size() >= kMostAnswerHead) give_up();
      return;
    }
    answer_head_ = read_answer_head(std::string_view(answer_).substr(0, answer_head_bytes_));
    if (!answer_head_.ok) return give_up();
  }
  const std::size_t whole = answer_head_bytes_ + answer_head_.body;
  if (answer_.size() > whole) return give_up();
  if (answer_.size() < whole) return;
  answer_.erase(0, answer_head_bytes_);
  if (answer_head_.close) close_socket(r_);
  const double now = steady_seconds(), tick = answer_head_.leave;
  moment_ = tick > 0 ? slot_end(arrival_, now, tick) : now;
  stage_ = Stage::held;
}

// Nobody knows what R would have said, nor when: it is told when an answer would have left.
void DoorLine::give_up() {
  close_socket(r_);
  close_ = true;
  answer_head_ = AnswerHead();
  answer_.clear();
  moment_ = slot_end(arrival_, steady_seconds(), rules_.tick);
  stage_ = Stage::held;
}

// ---- the answer ---------------------------------------------------------------------------------

void DoorLine::look_at_clock() {
  const double now = steady_seconds();
  if (stage_ == Stage::held) {
    if (now < moment_) return;
    if (!answer_head_.ok) return refuse(503);
    close_ = close_ || leaving_;
    say(answer_head_.passed + (close_ ? "Connection: close\r\n" : "") + "\r\n" + answer_);
    go(Stage::telling, rules_.patience);
  } else if (now >= limit_) {
    const bool with_r = stage_ == Stage::asking || stage_ == Stage::waiting;
    if (with_r) {
      give_up();
    } else {
      stage_ = Stage::over;
    }
  }
}

// Behind what has not left yet.
void DoorLine::say(const std::string& text) {
  out_.erase(0, told_);
  told_ = 0;
  out_ += text;
}

void DoorLine::tell() {
  const Flow flow = send_some(client_, out_, told_);
  if (flow == Flow::ended) stage_ = Stage::over;
  if (flow != Flow::some) return;
  out_.clear();
  told_ = 0;
  if (stage_ == Stage::telling) told();
}

// What the client has sent meanwhile is its next request.
void DoorLine::told() {
  if (close_) {
    end_sending(client_);
    return go(Stage::ending, kEnding);
  }
  go(Stage::reading, in_.empty() ? rules_.idle : rules_.patience);
  if (!in_.empty()) look_at_request();
}

}  // namespace sdclattice

#else

namespace sdclattice {

DoorLine::~DoorLine() = default;

}  // namespace sdclattice

#endif
