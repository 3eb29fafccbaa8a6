// Signals that end serving: noted while they are watched, so that what is under way is answered.
#include <csignal>

#include "base_vectors.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

volatile std::sig_atomic_t seen = 0;
volatile std::sig_atomic_t hung_up = 0;
volatile std::sig_atomic_t reopen = 0;

#ifndef _WIN32

struct sigaction before_interrupt, before_terminate, before_hang_up, before_user;
bool watching = false, watching_hang_up = false;

// The second one does what it does elsewhere.
extern "C" void note_signal(int number) {
  if (number == SIGUSR1) {
    reopen = 1;
    return;
  }
  if (number == SIGHUP) {
    hung_up = 1;
    return;
  }
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

// Begins and ends watching; SIGHUP only where it is wanted. On Windows, where interrupts reach R in
// another way, it does nothing.
// [[Rcpp::export]]
void cpp_watch_signals(bool on, bool hang_up = false) {
#ifndef _WIN32
  if (on == watching) return;
  watching = on;
  if (on) {
    seen = hung_up = reopen = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &before_interrupt);
    sigaction(SIGTERM, &action, &before_terminate);
    sigaction(SIGUSR1, &action, &before_user);
    watching_hang_up = hang_up;
    if (hang_up) sigaction(SIGHUP, &action, &before_hang_up);
  } else {
    sigaction(SIGINT, &before_interrupt, nullptr);
    sigaction(SIGTERM, &before_terminate, nullptr);
    sigaction(SIGUSR1, &before_user, nullptr);
    if (watching_hang_up) sigaction(SIGHUP, &before_hang_up, nullptr);
  }
#else
  (void)on;
  (void)hang_up;
#endif
}

// Which signal came: "", "interrupt" or "terminate".
// [[Rcpp::export]]
std::string cpp_signal_seen() {
  if (seen == 0) return "";
  return seen == SIGINT ? "interrupt" : "terminate";
}

// Whether SIGHUP came since this was asked last.
// [[Rcpp::export]]
bool cpp_hang_up_seen() {
  const bool was = hung_up != 0;
  hung_up = 0;
  return was;
}

// Whether SIGUSR1 came since this was asked last: logs are to be opened anew.
// [[Rcpp::export]]
bool cpp_reopen_seen() {
  const bool was = reopen != 0;
  reopen = 0;
  return was;
}

// 0 where there are no such numbers.
// [[Rcpp::export]]
int cpp_parent_pid() {
#ifndef _WIN32
  return getppid();
#else
  return 0;
#endif
}

// Has this child ended? What is left of it is taken away.
// [[Rcpp::export]]
bool cpp_child_ended(int pid) {
#ifndef _WIN32
  return waitpid(pid, nullptr, WNOHANG) != 0;
#else
  return pid != 0;
#endif
}
