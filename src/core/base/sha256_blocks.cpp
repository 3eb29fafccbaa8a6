#include "base/sha256_blocks.hpp"

#include <array>

#if defined(__x86_64__) && defined(__GNUC__)
#define SDCLATTICE_SHA_INSTRUCTIONS
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace sdclattice {

namespace {

alignas(16) constexpr std::array<std::uint32_t, 64> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t rotated(std::uint32_t x, int n) {
  return x >> n | x << (32 - n);
}

using Word = std::uint32_t;

void one_round(Word a, Word b, Word c, Word& d, Word e, Word f, Word g, Word& h, Word added) {
  const Word first =
      h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + added;
  d += first;
  h = first + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

std::uint32_t big_endian(const std::uint8_t* b) {
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

// The eight words keep their places and the rounds turn around them, eight at a time.
void compress(std::uint32_t* state, const std::uint8_t* block) {
  std::array<std::uint32_t, 64> w;
  for (int t = 0; t < 16; ++t) w[t] = big_endian(block + 4 * t);
  for (int t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + w[t - 7] +
           (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  Word a = state[0], b = state[1], c = state[2], d = state[3];
  Word e = state[4], f = state[5], g = state[6], h = state[7];
  for (int t = 0; t < 64; t += 8) {
    one_round(a, b, c, d, e, f, g, h, kRound[t] + w[t]);
    one_round(h, a, b, c, d, e, f, g, kRound[t + 1] + w[t + 1]);
    one_round(g, h, a, b, c, d, e, f, kRound[t + 2] + w[t + 2]);
    one_round(f, g, h, a, b, c, d, e, kRound[t + 3] + w[t + 3]);
    one_round(e, f, g, h, a, b, c, d, kRound[t + 4] + w[t + 4]);
    one_round(d, e, f, g, h, a, b, c, kRound[t + 5] + w[t + 5]);
    one_round(c, d, e, f, g, h, a, b, kRound[t + 6] + w[t + 6]);
    one_round(b, c, d, e, f, g, h, a, kRound[t + 7] + w[t + 7]);
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

#ifdef SDCLATTICE_SHA_INSTRUCTIONS

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0)
    return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & 1u << 29) != 0;
}

// The instructions want the words as a b e f and c d g h, the last first; four rounds come at a
// time, with the message words t, ..., t + 3 in one register, from which those 16 further on are
// made.
__attribute__((target("sha,sse4.1,ssse3"))) void compress_by_instructions(std::uint32_t* state,
                                                                          const std::uint8_t* bytes,
                                                                          std::size_t n_blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i* const words = reinterpret_cast<__m128i*>(state);
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (; n_blocks > 0; --n_blocks, bytes += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i)
      w[i] =
          _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i)), swap);
    for (int i = 0; i < 16; ++i) {
      __m128i& now = w[i % 4];
      const __m128i& last = w[(i + 3) % 4];
      __m128i added = _mm_add_epi32(
          now, _mm_load_si128(reinterpret_cast<const __m128i*>(kRound.data() + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      added = _mm_shuffle_epi32(added, 0x0e);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, added);
      if (i >= 12) continue;
      const __m128i middle = _mm_alignr_epi8(last, w[(i + 2) % 4], 4);
      now = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, w[(i + 1) % 4]), middle),
                                 last);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

#endif

}  // namespace

void sha256_portable(std::uint32_t* state, const std::uint8_t* bytes, std::size_t n_blocks) {
  for (; n_blocks > 0; --n_blocks, bytes += 64) compress(state, bytes);
}

Sha256Blocks sha256_by_instructions() {
#ifdef SDCLATTICE_SHA_INSTRUCTIONS
  static const bool there = has_instructions();
  if (there) return compress_by_instructions;
#endif
  return nullptr;
}

Sha256Blocks sha256_blocks() {
  const Sha256Blocks fast = sha256_by_instructions();
  return fast != nullptr ? fast : sha256_portable;
}

}  // namespace sdclattice
