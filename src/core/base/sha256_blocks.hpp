// The compression of SHA-256 (FIPS 180-4): whole blocks of 64 bytes into the eight words of a
// state.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sdclattice {

using Sha256Blocks = void (*)(std::uint32_t* state, const std::uint8_t* bytes,
                              std::size_t n_blocks);

void sha256_portable(std::uint32_t* state, const std::uint8_t* bytes, std::size_t n_blocks);

// By the instructions that some processors have for it, several times as fast; the same digests.
// nullptr where there are none.
Sha256Blocks sha256_by_instructions();

// The faster of the two.
Sha256Blocks sha256_blocks();

}  // namespace sdclattice
