#include "server/door.hpp"

#include <algorithm>
#include <cmath>

#ifndef _WIN32
#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include <csignal>
#endif

#include "base/work_clock.hpp"

namespace sdclattice {

#ifdef _WIN32

struct Door::Polls {};

std::unique_ptr<Door> Door::open(const DoorAddress&, const DoorRules&) {
  return nullptr;
}

Door::~Door() = default;

void Door::leave() {}

#else

namespace {

constexpr double kLongest = 60;  // seconds between two looks at the clock
constexpr double kPause = 0.05;  // before new connections are tried again that could not be taken

pollfd poll_of(const Wanted& wanted) {
  pollfd out = {};
  out.fd = wanted.descriptor;
  if (wanted.read) out.events |= POLLIN;
  if (wanted.write) out.events |= POLLOUT;
  return out;
}

Ready ready_of(const pollfd& poll) {
  Ready out;
  out.any = poll.revents != 0;
  out.ended = (poll.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
  return out;
}

// Where the system lets it, the thread has a processor as soon as it wants one: else it might wait
// for those that make answers, when one is to leave.
void let_come_first(std::thread& thread) {
  sched_param least = {};
  least.sched_priority = sched_get_priority_min(SCHED_RR);
  static_cast<void>(pthread_setschedparam(thread.native_handle(), SCHED_RR, &least));
}

}  // namespace

// The pipe, the listener, and two for each line.
struct Door::Polls {
  std::vector<pollfd> all;
};

Door::Door(int listener, const DoorRules& rules)
    : rules_(rules), listener_(listener), polls_(new Polls), most_(most_connections()) {}

std::unique_ptr<Door> Door::open(const DoorAddress& at, const DoorRules& rules) {
  const int listener = listen_at(at);
  if (listener < 0) return nullptr;
  std::unique_ptr<Door> out(new Door(listener, rules));
  if (!out->start()) return nullptr;
  return out;
}

// Signals are for the thread of R.
bool Door::start() {
  if (!make_wake(wake_)) return false;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  let_come_first(thread_);
  return true;
}

Door::~Door() {
  ending_ = true;
  if (thread_.joinable()) {
    wake_up(wake_[1]);
    thread_.join();
  }
  close_socket(listener_);
  close_socket(wake_[0]);
  close_socket(wake_[1]);
}

void Door::leave() {
  leaving_ = true;
  wake_up(wake_[1]);
}

void Door::run() {
  while (!ending_) {
    wait();
    step();
    take_new();
  }
  lines_.clear();
}

void Door::wait() {
  const double now = steady_seconds();
  const bool take = lines_.size() < most_ && now >= take_from_;
  double due = now + kLongest;
  if (lines_.size() < most_ && !take) due = take_from_;
  std::vector<pollfd>& all = polls_->all;
  all.clear();
  all.push_back(poll_of({wake_[0], true, false}));
  all.push_back(poll_of({take ? listener_ : kNoSocket, true, false}));
  for (const auto& line : lines_) {
    all.push_back(poll_of(line->wanted_of_client()));
    all.push_back(poll_of(line->wanted_of_r()));
    due = std::min(due, line->due());
  }
  // rounded up: nothing leaves before its moment
  const double ms = std::ceil(1000 * std::max(0.0, due - steady_seconds()));
  if (poll(all.data(), static_cast<nfds_t>(all.size()), static_cast<int>(ms)) <= 0) {
    for (pollfd& one : all) one.revents = 0;
  }
  if (all[0].revents != 0) forget_wakes(wake_[0]);
}

void Door::step() {
  const std::vector<pollfd>& all = polls_->all;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (leaving_) lines_[i]->leave();
    lines_[i]->step(ready_of(all[2 + 2 * i]), ready_of(all[3 + 2 * i]));
  }
  lines_.erase(std::remove_if(lines_.begin(), lines_.end(),
                              [](const auto& line) { return line->is_over(); }),
               lines_.end());
  busy_ = static_cast<std::size_t>(std::count_if(lines_.begin(), lines_.end(),
                                                 [](const auto& line) { return line->is_busy(); }));
}

// Where there is no descriptor left, those who come wait in the queue of the system.
void Door::take_new() {
  if (polls_->all[1].revents == 0) return;
  while (lines_.size() < most_) {
    const int client = accept_at(listener_);
    if (client == kNoSocket) take_from_ = steady_seconds() + kPause;
    if (client < 0) return;
    lines_.push_back(std::make_unique<DoorLine>(client, rules_));
  }
}

#endif

}  // namespace sdclattice
