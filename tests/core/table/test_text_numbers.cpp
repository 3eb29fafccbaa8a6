// Numbers of texts against a map.
#include <map>

#include "check.hpp"
#include "table/records.hpp"
#include "table/text_numbers.hpp"

using namespace records;

TEST(texts_are_numbered_as_they_come) {
  Dice dice;
  for (int round = 0; round < 60; ++round) {
    TextNumbers numbers;
    std::map<std::string, std::uint32_t> twin;
    bool same = true;
    for (std::uint32_t n = dice.below(round % 20 == 0 ? 20000 : 300); n > 0; --n) {
      std::string text(dice.below(20), '\0');
      for (char& c : text) c = static_cast<char>(dice.below(round % 2 == 0 ? 2 : 256));
      const auto number = static_cast<std::uint32_t>(twin.size());
      same = same && numbers.number(text) == twin.emplace(text, number).first->second;
    }
    CHECK(same);
    CHECK(numbers.size() == twin.size());
    for (const auto& [text, number] : twin) same = same && numbers.text(number) == text;
    CHECK(same);
  }
}
