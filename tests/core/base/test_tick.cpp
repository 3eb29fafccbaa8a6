// Ticks: who is called, with what, and what becomes of what it throws.
#include <stdexcept>

#include "base/tick.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

struct Stopped {};

}  // namespace

TEST(an_empty_tick_is_never_called) {
  const Tick none, null = nullptr;
  report(none, .5);
  report(null, .5);
  CHECK(!none && !null);
}

TEST(a_tick_sees_each_share_in_order) {
  std::vector<double> seen;
  const Tick tick = [&seen](double done) { seen.push_back(done); };
  for (double done : {0.0, .25, .25, 1.0}) report(tick, done);
  CHECK(seen == (std::vector<double>{0, .25, .25, 1}));
}

TEST(what_a_tick_throws_arrives_as_it_is) {
  CHECK_THROWS(int, report([](double) { throw 1; }, 1));
  CHECK_THROWS(Stopped, report([](double) { throw Stopped(); }, 0));
  CHECK_THROWS(std::logic_error, report([](double) { throw std::logic_error("no"); }, 0));
}

TEST(copies_of_a_tick_share_what_they_refer_to) {
  int calls = 0;
  const Tick tick = [&calls](double) { ++calls; };
  const Tick copy = tick;
  report(tick, 0);
  report(copy, 1);
  CHECK_EQ(calls, 2);
}
