// FlatMap, FlatSet, KeyNumbers and slots whose words lie elsewhere against the standard library's
// tables: random keys, few and many, keys that all begin at one slot, and growth from 16 slots.
#include <array>
#include <map>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

#include "base/flat_map.hpp"
#include "base/random.hpp"
#include "check.hpp"

using namespace sdclattice;

namespace {

using Map = FlatMap<std::int32_t, -1, 4>;
using Key = std::vector<std::uint64_t>;

// x with odd * x = 1, modulo 2^64.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

// Words, and keys of one word, whose hashes have the same upper 44 bits.
std::uint64_t colliding_word(std::uint64_t i) {
  const std::uint64_t mixed = (0x123456789ab00000u + i) * inverse(0x9e3779b97f4a7c15u);
  return mixed ^ (mixed >> 32);
}
std::uint64_t colliding_key(std::uint64_t i) {
  const std::uint64_t mixed = (0x123456789ab00000u + i) * inverse(0xd6e8feb86659fd93u);
  return (mixed ^ (mixed >> 32)) * inverse(0x9e3779b97f4a7c15u);
}

// Words of some kinds: small, few bits in high places, any.
std::uint64_t random_word(PublicRandom& random, std::size_t kind) {
  const std::uint64_t x = random();
  return kind == 0   ? x % 50
         : kind == 1 ? (x % 5000) << 44
         : kind == 2 ? colliding_word(x % 300)
                     : x;
}

TEST(colliding_keys_collide) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    CHECK_EQ(hash_word(colliding_word(i)) >> 20, 0x123456789abu);
    const std::uint64_t key = colliding_key(i);
    CHECK_EQ(hash_words(&key, std::size_t{1}) >> 20, 0x123456789abu);
  }
}

TEST(a_map_agrees_with_the_standard_one) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PublicRandom random(seed);
    const std::size_t kind = random.below(4), n = random.below(seed % 8 == 0 ? 5000 : 60);
    Map map(seed % 3 == 0 ? n : 0);
    std::unordered_map<std::uint64_t, std::int32_t> twin;
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t word = random_word(random, kind);
      const auto value = static_cast<std::int32_t>(random.below(1000));
      const auto [at, is_new] = map.try_emplace(word, value);
      const auto [other, is_other_new] = twin.try_emplace(word, value);
      same = same && is_new == is_other_new && *at == other->second;
      if (!is_new) *at = other->second += 1;
      const std::uint64_t asked = random_word(random, kind);
      same = same && map.find(asked) == (twin.count(asked) ? twin[asked] : -1);
    }
    for (const auto& [word, value] : twin) same = same && map.find(word) == value;
    CHECK(same && map.size() == twin.size());
  }
}

// A slot that holds the place of its word only: its hash is asked for when the slots grow.
struct Place {
  std::size_t place = SIZE_MAX;
  bool is_free() const { return place == SIZE_MAX; }
};

TEST(slots_may_hold_places_of_words_that_lie_elsewhere) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    PublicRandom random(seed);
    const std::size_t kind = seed % 4, n = seed < 4 ? 3000 : random.below(60);
    FlatSlots<Place, 2> slots(seed % 3 == 0 ? n : 0);
    std::vector<std::uint64_t> words;
    std::unordered_map<std::uint64_t, std::size_t> twin;
    const auto place_of = [&](std::uint64_t word) -> const Place& {
      return slots.find(hash_word(word), [&](Place at) { return words[at.place] == word; });
    };
    const auto hash_of = [&](Place at) { return hash_word(words[at.place]); };
    bool same = true;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t word = random_word(random, kind);
      const Place& found = place_of(word);
      same = same && found.is_free() == twin.try_emplace(word, words.size()).second;
      if (!found.is_free()) continue;
      words.push_back(word);
      same = same && slots.fill(found, {words.size() - 1}, hash_of).place == words.size() - 1;
    }
    for (const auto& [word, place] : twin) same = same && place_of(word).place == place;
    CHECK(same && slots.size() == twin.size());
  }
}

TEST(a_map_of_nothing_finds_nothing) {
  const Map map;
  CHECK_EQ(map.size(), 0u);
  for (std::uint64_t word : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX})
    CHECK_EQ(map.find(word), -1);
}

TEST(extreme_words_are_words) {
  Map map;
  for (std::uint64_t word : {UINT64_MAX, std::uint64_t{0}, std::uint64_t{1} << 63})
    CHECK(map.try_emplace(word, static_cast<std::int32_t>(map.size())).second);
  CHECK_EQ(map.find(UINT64_MAX), 0);
  CHECK_EQ(map.find(0), 1);
  CHECK_EQ(map.find(std::uint64_t{1} << 63), 2);
}

TEST(a_set_agrees_with_the_standard_one) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PublicRandom random(seed);
    const std::size_t kind = random.below(4), n = random.below(seed % 8 == 0 ? 5000 : 60);
    FlatSet set;
    std::unordered_set<std::uint64_t> twin;
    bool same = !set.contains(1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t word = random_word(random, kind) | 1;
      same = same && set.insert(word) == twin.insert(word).second;
      const std::uint64_t asked = random_word(random, kind) | 1;
      same = same && set.contains(asked) == (twin.count(asked) > 0);
    }
    CHECK(same && set.size() == twin.size());
  }
}

TEST(words_in_rows_and_at_both_ends_crowd_one_place) {
  std::vector<std::uint64_t> in, out;
  for (std::uint64_t i = 1; i <= 500; ++i) {
    in.insert(in.end(), {i, i << 54, ~i, i << 32 | i});
    out.insert(out.end(), {i + 500, (i << 20) + 7});
  }
  const FlatSet set(in);
  const std::unordered_set<std::uint64_t> twin(in.begin(), in.end());
  bool same = set.size() == twin.size();
  for (std::uint64_t word : in) same = same && set.contains(word);
  for (std::uint64_t word : out) same = same && set.contains(word) == (twin.count(word) > 0);
  CHECK(same);
}

// Numbers keys and counts them in their extra words.
template <class Width>
bool numbers_agree(Width width, std::uint64_t seed) {
  PublicRandom random(seed);
  const std::size_t kind = random.below(4), n = random.below(seed % 8 == 0 ? 5000 : 60);
  KeyNumbers<Width> numbers(width, 1, seed % 3 == 0 ? n : 0);
  std::map<Key, std::uint32_t> twin;
  std::vector<std::uint64_t> times;
  bool same = true;
  for (std::size_t i = 0; i < n; ++i) {
    Key key(width);
    for (std::uint64_t& word : key)
      word = kind == 3 && width == 1 ? colliding_key(random.below(300))
                                     : random_word(random, kind) % (width > 1 ? 7 : UINT64_MAX);
    const bool known = twin.count(key) > 0;
    same = same && (numbers.find(key.data()) == numbers.kNone) == !known;
    numbers.prefetch_slot(key.data());
    numbers.prefetch_row(key.data());
    const std::uint32_t number = numbers.number(key.data());
    same = same && number == twin.try_emplace(key, twin.size()).first->second;
    if (!known) times.push_back(0);
    ++times[number];
    ++*numbers.extra(number);
  }
  Key rows(twin.size() * (width + 1));
  for (const auto& [key, number] : twin) {
    same = same && std::equal(key.begin(), key.end(), numbers.key(number));
    same = same && numbers.find(numbers.key(number)) == number;
    std::copy(key.begin(), key.end(), rows.begin() + number * (width + 1));
    rows[number * (width + 1) + width] = times[number];
  }
  same = same && numbers.size() == twin.size() && numbers.take() == rows && numbers.size() == 0;
  return same;
}

TEST(keys_are_numbered_in_the_order_in_which_they_come) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CHECK(numbers_agree(std::integral_constant<std::size_t, 1>{}, seed));
    CHECK(numbers_agree(static_cast<std::size_t>(1 + seed % 4), seed));
  }
}

TEST(a_key_without_words_is_a_key) {
  KeyNumbers<> numbers(0);
  CHECK_EQ(numbers.find(nullptr), numbers.kNone);
  CHECK_EQ(numbers.number(nullptr), 0u);
  CHECK_EQ(numbers.number(nullptr), 0u);
  CHECK_EQ(numbers.size(), 1u);
}

TEST(cleared_numbers_begin_anew) {
  KeyNumbers<> numbers(2, 1);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::array<std::uint64_t, 2> key{i, 7};
    *numbers.extra(numbers.number(key.data())) = i;
  }
  numbers.clear(10);
  const std::array<std::uint64_t, 2> key{99, 7};
  CHECK_EQ(numbers.find(key.data()), numbers.kNone);
  CHECK_EQ(numbers.number(key.data()), 0u);
  CHECK_EQ(*numbers.extra(0), 0u);
}

TEST(growing_looks_at_the_deadline_and_loses_nothing) {
  Map map;
  bool over = false;
  const Deadline deadline([&over] { return over; });
  std::int32_t n = 0;
  for (; n < 1000; ++n) map.try_emplace(static_cast<std::uint64_t>(n), n);
  over = true;
  CHECK_THROWS(WorkTimeUp, [&] {
    for (;; ++n) map.try_emplace(static_cast<std::uint64_t>(n), n);
  }());
  bool same = map.size() == static_cast<std::size_t>(n);
  for (std::int32_t i = 0; i < n; ++i) same = same && map.find(static_cast<std::uint64_t>(i)) == i;
  CHECK(same && n > 1000);
}

}  // namespace
