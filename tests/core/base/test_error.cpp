// The core's error kinds, and the harness itself.
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
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

TEST(no_kind_is_another) {
  CHECK(!std::is_base_of_v<InputError, InfeasibleError>);
  CHECK(!std::is_base_of_v<InfeasibleError, TooLargeError>);
  CHECK(!std::is_base_of_v<TooLargeError, InputError>);
  CHECK(!std::is_base_of_v<TooLargeError, InfeasibleError>);
}

TEST(errors_keep_their_text) {
  const std::string text = "`x` must not be empty";
  CHECK_EQ(std::string(InputError(text).what()), text);
  CHECK_EQ(std::string(InfeasibleError(text).what()), text);
  CHECK_EQ(std::string(TooLargeError(text).what()), text);
  try {
    fail_large();
  } catch (const std::exception& e) {
    CHECK_EQ(std::string(e.what()), "more than 10 states");
  }
}

TEST(the_harness_compares_numbers_by_value) {
  CHECK(check::equal(1, 1u));
  CHECK(!check::equal(-1, std::numeric_limits<unsigned>::max()));
  CHECK(!check::equal(std::int64_t{-1}, std::numeric_limits<std::uint64_t>::max()));
  CHECK(check::equal(std::uint64_t{1} << 63, std::uint64_t{1} << 63));
  CHECK_NEAR(1e9, 1e9 + 1, 1e-8);
}
