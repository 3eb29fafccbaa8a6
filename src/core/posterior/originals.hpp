// The originals themselves: how many are compatible, and which is the most probable.
//
// What is computed. Each step of a chain (chain.hpp) has codes; a word is one code for each step.
// Words are originals: different words change some law differently, and every original of the
// component is the word of at least one path. Several paths, that is several outcomes of the coins,
// may have one word, and its weight is the sum of theirs.
// Counting takes the chain for an automaton that reads words and determinises it: a set of states
// is reached by a word's beginning, and the beginnings are counted by sets. The most probable word
// is found by carrying, for each beginning, the vector of the weights with which it reaches the
// states; a beginning is dropped when another with the same states is at least as good in all of
// them, or when an upper bound of all its endings is below a word that is known. What it costs.
// Linear in the sets or vectors that are alive at a time, which is bounded by the caller. The most
// probable coins are not the most probable original: that is why vectors are carried, and not
// numbers. Agrees with enumerate.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/big_count.hpp"
#include "posterior/chain.hpp"
#include "posterior/posterior.hpp"

namespace sdclattice {

// `max_sets` bounds the sets of states alive at one time.
OriginalCount count_words(const Chain& chain, const LawWeights& weights, std::size_t max_sets,
                          const Tick& tick);
OriginalCount count_originals(PosteriorModel& model, const Prior& prior, std::size_t max_sets,
                              const Tick& tick);

// change[law], the logarithm of the weight (likelihood times prior), and of an upper bound of the
// weight of any original: equal, but for rounding, where the search was complete.
struct BestOriginal {
  std::vector<std::int8_t> change;
  double log_weight = 0, log_bound = 0;
  bool exact = true;
};

// Adds the changes of the chain's laws to `best`, and its logarithms. `max_words` bounds the
// beginnings alive at one time; where they are more, the less promising are dropped and `exact` is
// false. Returns the log weight.
double best_word(const Chain& chain, const LawWeights& weights, std::size_t max_words,
                 BestOriginal& best, const Tick& tick);
BestOriginal best_original(PosteriorModel& model, const Prior& prior, std::size_t max_words,
                           const Tick& tick);

}  // namespace sdclattice
