// The core's error kinds, its tick, and the harness itself.
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "base/tick.hpp"
#include "check.hpp"

using namespace sdclattice;

[[noreturn]] static void fail_large() {
  throw TooLargeError("more than 10 states");
}

TEST(error_kinds_are_told_apart_by_type) {
  CHECK_THROWS(TooLargeError, fail_large());
  CHECK_THROWS(std::runtime_error, fail_large());
  CHECK(!std::is_base_of_v<InputError, TooLargeError>);
  CHECK(!std::is_base_of_v<InfeasibleError, InputError>);
}

TEST(errors_keep_their_text) {
  CHECK_EQ(std::string(InputError("`x` must not be empty").what()), "`x` must not be empty");
}

TEST(an_empty_tick_is_never_called) {
  report(Tick(), .5);
  CHECK(true);
}

TEST(a_tick_sees_the_share_done_and_may_stop_the_work) {
  double seen = -1;
  report([&seen](double done) { seen = done; }, .25);
  CHECK_EQ(seen, .25);
  CHECK_THROWS(int, report([](double) { throw 1; }, 1));
}

TEST(the_harness_compares_numbers_by_value) {
  CHECK(check::equal(1, 1u));
  CHECK(!check::equal(-1, std::numeric_limits<unsigned>::max()));
  CHECK(!check::equal(std::int64_t{-1}, std::numeric_limits<std::uint64_t>::max()));
  CHECK(check::equal(std::uint64_t{1} << 63, std::uint64_t{1} << 63));
  CHECK_NEAR(1e9, 1e9 + 1, 1e-8);
}
