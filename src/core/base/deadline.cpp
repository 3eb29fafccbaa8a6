#include "base/deadline.hpp"

#include <utility>

namespace sdclattice {

namespace {

const Deadline* current = nullptr;

}  // namespace

Deadline::Deadline(std::function<bool()> is_over) : is_over_(std::move(is_over)), before_(current) {
  current = this;
}

Deadline::Deadline(double working, double passing)
    : Deadline([worked = work_seconds() + working, passed = steady_seconds() + passing] {
        return work_seconds() >= worked || steady_seconds() >= passed;
      }) {
  worked_ = work_seconds() + working;
}

Deadline::~Deadline() {
  current = before_;
}

void poll() {
  if (current != nullptr && current->is_over()) throw WorkTimeUp();
}

}  // namespace sdclattice
