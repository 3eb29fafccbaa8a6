// Signals that end serving: noted while they are watched, so that what is under way is answered.
#include <csignal>

#include "base_vectors.h"

namespace {

volatile std::sig_atomic_t seen = 0;

#ifndef _WIN32

struct sigaction before_interrupt, before_terminate;
bool watching = false;

// The second one does what it does elsewhere.
extern "C" void note_signal(int number) {
  if (seen != 0) {
    sigaction(SIGINT, &before_interrupt, nullptr);
    sigaction(SIGTERM, &before_terminate, nullptr);
    raise(number);
    return;
  }
  seen = number;
}

#endif

}  // namespace

// Begins and ends watching. On Windows, where interrupts reach R in another way, it does nothing.
// [[Rcpp::export]]
void cpp_watch_signals(bool on) {
#ifndef _WIN32
  if (on == watching) return;
  watching = on;
  if (on) {
    seen = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before_interrupt);
    sigaction(SIGTERM, &action, &before_terminate);
  } else {
    sigaction(SIGINT, &before_interrupt, nullptr);
    sigaction(SIGTERM, &before_terminate, nullptr);
  }
#else
  (void)on;
#endif
}

// Which signal came: "", "interrupt" or "terminate".
// [[Rcpp::export]]
std::string cpp_signal_seen() {
  if (seen == 0) return "";
  return seen == SIGINT ? "interrupt" : "terminate";
}
