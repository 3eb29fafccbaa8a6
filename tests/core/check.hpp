// A test harness in one header. A file of tests is a program: it opens with this header, holds
// TEST(name) { ... } blocks, and has no main() of its own. Each CHECK counts as one test.
#pragma once

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace check {

struct Test {
  const char* name;
  void (*run)();
};

inline std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

struct Score {
  int passed = 0;
  int failed = 0;
};

inline Score& score() {
  static Score now;
  return now;
}

struct Register {
  Register(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline void pass() {
  ++score().passed;
}

inline void fail(const char* file, int line, const std::string& what) {
  ++score().failed;
  std::cerr << file << ":" << line << ": " << what << "\n";
}

// Where a check stands there is a call only: strings are for those that fail, as compilers need
// most of their time for what each place has of its own.
inline void record(bool ok, const char* file, int line, const char* what) {
  ok ? pass() : fail(file, line, what);
}

template <class T, class = void>
struct is_shown : std::false_type {};
template <class T>
struct is_shown<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<T>())>>
    : std::true_type {};

template <class T>
std::string show(const T& x) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
    out << static_cast<int>(x);
  } else if constexpr (is_shown<const T&>::value) {
    out << x;
  } else {
    out << "(a value without <<)";
  }
  return out.str();
}

template <class T>
std::string show(const std::vector<T>& x) {
  std::string out = "{";
  for (std::size_t i = 0; i < x.size(); ++i) out += (i ? ", " : "") + show<T>(x[i]);
  return out + "}";
}

// Numbers of different types compare by value: 1 == 1u, and -1 is no unsigned number.
template <class A, class B>
bool equal(const A& a, const B& b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    if ((a < A{}) != (b < B{})) return false;
    return static_cast<std::make_unsigned_t<std::common_type_t<A, B, int>>>(a) ==
           static_cast<std::make_unsigned_t<std::common_type_t<A, B, int>>>(b);
  } else {
    return a == b;
  }
}

template <class A, class B>
void record_equal(const A& a, const B& b, const char* file, int line, const char* what) {
  if (equal(a, b)) return pass();
  fail(file, line, std::string(what) + ": " + show(a) + " is not " + show(b));
}

// Within an absolute or a relative distance, whichever is wider.
inline void record_near(double a, double b, double by, const char* file, int line,
                        const char* what) {
  const double scale = std::fmax(1.0, std::fmax(std::fabs(a), std::fabs(b)));
  if (a == b || std::fabs(a - b) <= by * scale) return pass();
  fail(file, line, std::string(what) + ": " + show(a) + " is not near " + show(b));
}

inline void record_throw(const char* fault, const char* file, int line, const char* what) {
  if (fault == nullptr) return pass();
  fail(file, line, std::string(what) + ": " + fault);
}

// An exception that escapes a test is one failure, and the other tests still run.
inline void run_one(const Test& test) {
  try {
    test.run();
  } catch (const std::exception& e) {
    fail(test.name, 0, std::string("stopped by an exception: ") + e.what());
  } catch (...) {
    fail(test.name, 0, "stopped by an exception of unknown type");
  }
}

// The number of random cases: of `all` with SDCLATTICE_LONG=1, else `usual`.
inline int cases(int usual, int all) {
  const char* asked = std::getenv("SDCLATTICE_LONG");
  return asked != nullptr && std::string(asked) == "1" ? all : usual;
}

inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Tests that take more than a second are named, with their seconds of processor time.
inline int run_all() {
  for (const Test& test : tests()) {
    const double before = processor_seconds();
    run_one(test);
    const double seconds = processor_seconds() - before;
    if (seconds > 1) std::cout << "seconds: " << seconds << " " << test.name << std::endl;
  }
  std::cout << score().passed << " passed, " << score().failed << " failed" << std::endl;
  return score().failed == 0 && score().passed > 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                            \
  static void test_##name();                                  \
  static check::Register register_##name(#name, test_##name); \
  static void test_##name()

#define CHECK(...) check::record(bool(__VA_ARGS__), __FILE__, __LINE__, "CHECK(" #__VA_ARGS__ ")")

#define CHECK_EQ(a, b) check::record_equal((a), (b), __FILE__, __LINE__, "CHECK_EQ(" #a ", " #b ")")

#define CHECK_NEAR(a, b, by) \
  check::record_near((a), (b), (by), __FILE__, __LINE__, "CHECK_NEAR(" #a ", " #b ", " #by ")")

#define CHECK_THROWS(type, ...)                                                                    \
  do {                                                                                             \
    const char* caught_ = "nothing was thrown";                                                    \
    try {                                                                                          \
      static_cast<void>(__VA_ARGS__);                                                              \
    } catch (const type&) {                                                                        \
      caught_ = nullptr;                                                                           \
    } catch (...) {                                                                                \
      caught_ = "something else was thrown";                                                       \
    }                                                                                              \
    check::record_throw(caught_, __FILE__, __LINE__, "CHECK_THROWS(" #type ", " #__VA_ARGS__ ")"); \
  } while (false)

int main() {
  return check::run_all();
}
