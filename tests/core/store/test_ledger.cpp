#include "base/random.hpp"
#include "check.hpp"
#include "store/ledger.hpp"

using namespace sdclattice;

namespace {

std::string sha256(std::string_view text) {
  return lower_hex(TextHash("")(text));
}

// The examples of FIPS 180-4, one and two blocks, and a million letters.
TEST(published_digests) {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, cases 1, 2 and 6 (a key that is longer than a block).
TEST(published_hmacs) {
  CHECK(lower_hex(TextHash(std::string(20, '\x0b'))("Hi There")) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(lower_hex(TextHash("Jefe")("what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(lower_hex(TextHash(std::string(131, '\xaa'))(
            "Test Using Larger Than Block-Size Key - Hash Key First")) ==
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// In whatever pieces the bytes come.
TEST(pieces_do_not_matter) {
  for (std::size_t n = 0; n < 200; ++n) {
    const std::string text(n, 'x');
    for (std::size_t cut = 0; cut <= n; cut += 7) {
      Sha256 parts;
      parts.update(text.substr(0, cut));
      parts.update(text.substr(cut));
      CHECK(lower_hex(parts.finish()) == sha256(text));
    }
  }
}

// The portable code is the twin of what special instructions do, and both give the published state
// of one block ("abc", padded).
TEST(instructions_agree_with_portable_code) {
  const Sha256Blocks fast = sha256_blocks();
  PublicRandom random(1);
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<std::uint8_t> bytes(64 * n + 1);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random.below(256));
    std::array<std::uint32_t, 8> a, b;
    for (std::size_t i = 0; i < 8; ++i)
      a[i] = b[i] = static_cast<std::uint32_t>(random.below(1u << 31));
    // blocks need not be aligned
    sha256_portable(a.data(), bytes.data() + 1, n);
    fast(b.data(), bytes.data() + 1, n);
    CHECK(a == b);
  }
}

TEST(json_strings) {
  std::string out;
  append_json_string(out, "a\"b\\c\n\x01\x1f\x7f\xc3\xa4");
  CHECK(out == "\"a\\\"b\\\\c\\u000a\\u0001\\u001f\x7f\xc3\xa4\"");
}

}  // namespace
