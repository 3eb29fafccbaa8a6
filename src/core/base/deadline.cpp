#include "base/deadline.hpp"

#include <utility>

namespace sdclattice {

namespace {

const Deadline* current = nullptr;

}  // namespace

Deadline::Deadline(std::function<bool()> is_over) : is_over_(std::move(is_over)), before_(current) {
  current = this;
}

Deadline::Deadline(double working, std::function<bool()> is_passed)
    : Deadline([worked = work_seconds() + working, is_passed = std::move(is_passed)] {
        return work_seconds() >= worked || is_passed();
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
