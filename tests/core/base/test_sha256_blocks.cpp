// The compression of SHA-256: against a twin that follows the standard word by word, its constants
// computed from the roots of primes, and against the standard's own examples.
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <string>

#include "base/random.hpp"
#include "base/sha256_blocks.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using boost::multiprecision::cpp_int;
using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fraction of a root: the largest x with x^degree <= prime 2^(32 degree).
std::uint32_t root_bits(unsigned prime, unsigned degree) {
  const cpp_int target = cpp_int(prime) << (32 * degree);
  cpp_int x = 0;
  for (int bit = 40; bit >= 0; --bit) {
    const cpp_int next = x + (cpp_int(1) << bit);
    if (pow(next, degree) <= target) x = next;
  }
  return static_cast<std::uint32_t>(x & 0xffffffffu);
}

std::vector<unsigned> primes(std::size_t n) {
  std::vector<unsigned> out;
  for (unsigned x = 2; out.size() < n; ++x) {
    bool prime = true;
    for (unsigned p : out) prime = prime && x % p != 0;
    if (prime) out.push_back(x);
  }
  return out;
}

State first_state() {
  State out{};
  const auto p = primes(8);
  for (std::size_t i = 0; i < 8; ++i) out[i] = root_bits(p[i], 2);
  return out;
}

const std::vector<std::uint32_t>& constants() {
  static const std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> out;
    for (unsigned p : primes(64)) out.push_back(root_bits(p, 3));
    return out;
  }();
  return all;
}

std::uint32_t turn(std::uint32_t x, unsigned by) {
  std::uint32_t out = 0;
  for (unsigned b = 0; b < 32; ++b) out |= (x >> b & 1) << ((b + 32 - by) % 32);
  return out;
}

void slow_block(State& state, const std::uint8_t* bytes) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t)
    for (std::size_t i = 0; i < 4; ++i) w[t] = w[t] * 256 + bytes[4 * t + i];
  for (std::size_t t = 16; t < 64; ++t)
    w[t] = (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
           (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t one =
        h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants()[t] + w[t];
    const std::uint32_t two =
        (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const State after = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += after[i];
}

std::vector<std::uint8_t> padded(const std::string& text) {
  std::vector<std::uint8_t> out(text.begin(), text.end());
  out.push_back(0x80);
  while (out.size() % 64 != 56) out.push_back(0);
  for (int i = 7; i >= 0; --i)
    out.push_back(static_cast<std::uint8_t>(std::uint64_t{text.size()} * 8 >> (8 * i)));
  return out;
}

std::string hex(const State& state) {
  std::string out;
  for (std::uint32_t word : state)
    for (int i = 7; i >= 0; --i) out += "0123456789abcdef"[word >> (4 * i) & 15];
  return out;
}

std::string digest(Sha256Blocks by, const std::string& text) {
  State state = first_state();
  const auto bytes = padded(text);
  by(state.data(), bytes.data(), bytes.size() / 64);
  return hex(state);
}

// All ways that this processor has.
std::vector<Sha256Blocks> ways() {
  std::vector<Sha256Blocks> out = {sha256_portable, sha256_blocks()};
  if (sha256_by_instructions() != nullptr) out.push_back(sha256_by_instructions());
  return out;
}

}  // namespace

TEST(the_faster_way_is_the_one_by_instructions_where_there_is_one) {
  CHECK(sha256_blocks() ==
        (sha256_by_instructions() != nullptr ? sha256_by_instructions() : sha256_portable));
}

TEST(examples_of_the_standard) {
  for (Sha256Blocks by : ways()) {
    CHECK_EQ(digest(by, ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK_EQ(digest(by, "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK_EQ(digest(by, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK_EQ(digest(by, std::string(1000000, 'a')),
             "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}

TEST(random_blocks_from_random_states) {
  PublicRandom random(1);
  for (int round = 0; round < 60; ++round) {
    State start{};
    for (std::uint32_t& word : start) word = static_cast<std::uint32_t>(random());
    const std::size_t n_blocks = random.below(5), shift = random.below(8);
    std::vector<std::uint8_t> bytes(n_blocks * 64 + shift);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random());
    State expected = start;
    for (std::size_t i = 0; i < n_blocks; ++i) slow_block(expected, bytes.data() + shift + 64 * i);
    for (Sha256Blocks by : ways()) {
      State state = start;
      by(state.data(), bytes.data() + shift, n_blocks);
      CHECK_EQ(hex(state), hex(expected));
    }
  }
}

TEST(extreme_blocks) {
  for (std::uint8_t byte : {0x00, 0x80, 0xff, 0x01}) {
    const std::vector<std::uint8_t> bytes(128, byte);
    for (std::uint32_t word : {0u, 0xffffffffu, 0x80000000u}) {
      State expected;
      expected.fill(word);
      const State start = expected;
      slow_block(expected, bytes.data());
      slow_block(expected, bytes.data() + 64);
      for (Sha256Blocks by : ways()) {
        State state = start;
        by(state.data(), bytes.data(), 2);
        CHECK_EQ(hex(state), hex(expected));
      }
    }
  }
}

TEST(blocks_may_come_one_by_one) {
  PublicRandom random(2);
  std::vector<std::uint8_t> bytes(64 * 9);
  for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random());
  for (Sha256Blocks by : ways()) {
    State whole = first_state(), parts = whole;
    by(whole.data(), bytes.data(), 9);
    for (std::size_t i = 0; i < 9; ++i) by(parts.data(), bytes.data() + 64 * i, 1);
    CHECK_EQ(hex(whole), hex(parts));
    by(parts.data(), bytes.data(), 0);
    CHECK_EQ(hex(whole), hex(parts));
  }
}
