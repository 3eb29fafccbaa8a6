// Lines of a text that somebody else wrote.
#include "base/error.hpp"
#include "base/random.hpp"
#include "check.hpp"
#include "release/certificate_text.hpp"

using namespace sdclattice;

namespace {

// What is said when the text is read, or nothing.
template <class Read>
std::string refusal(const std::string& text, Read read) {
  TextLines lines(text, 1);
  try {
    read(lines);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::string number_refusal(const std::string& line) {
  return refusal(line, [](TextLines& lines) {
    lines.open("n");
    lines.number(1, 9);
    lines.close();
  });
}

}  // namespace

TEST(labels_come_back_and_stay_on_one_line) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 500; ++round) {
    std::string label;
    for (std::size_t i = random.below(8); i > 0; --i)
      label += "\\n\r\na #,\"\xc3\xa4"[random.below(11)];
    const std::string line = "level " + escaped_label(label) + "\n";
    wrong += line.find('\n') + 1 != line.size();
    TextLines lines("# a remark\n" + line);
    const std::string held = "# a remark\n" + line;
    TextLines again(held);
    wrong += !again.is_next("level");
    again.open("level");
    wrong += again.label() != label || !again.at_end() || again.has_more();
  }
  CHECK_EQ(wrong, 0);
}

TEST(numbers_and_words) {
  const std::string text = "n 3 -4 word\n#\nn\n";
  TextLines lines(text);
  lines.open("n");
  CHECK_EQ(lines.number(3, 3), 3);
  CHECK_EQ(lines.number(-4, 0), -4);
  CHECK_EQ(std::string(lines.word()), "word");
  lines.close();
  CHECK(lines.is_next("n"));
  CHECK(!lines.is_next(""));
  lines.open("n");
  CHECK(lines.at_end());
  CHECK(!lines.has_more());
}

TEST(what_is_wrong_is_said_with_its_line) {
  CHECK_EQ(number_refusal("n 9\n"), "");
  CHECK_EQ(number_refusal("n 0\n"), "Line 2 has a number out of range.");
  CHECK_EQ(number_refusal("#\nn 10\n"), "Line 3 has a number out of range.");
  CHECK_EQ(number_refusal("n 99999999999999999999\n"), "Line 2 must have whole numbers.");
  CHECK_EQ(number_refusal("n 1.5\n"), "Line 2 must have whole numbers.");
  CHECK_EQ(number_refusal("n +1\n"), "Line 2 must have whole numbers.");
  CHECK_EQ(number_refusal("n 1 2\n"), "Line 2 has too many words.");
  CHECK_EQ(number_refusal("n 1 \n"), "Line 2 has too many words.");
  CHECK_EQ(number_refusal("n  1\n"), "Line 2 must have one space between words.");
  CHECK_EQ(number_refusal("n\n"), "Line 2 has too few words.");
  CHECK_EQ(number_refusal("no 1\n"), "Line 2 must begin with: n.");
  CHECK_EQ(number_refusal(""), "Line 2 must begin with: n.");
  CHECK_EQ(number_refusal("n 1"), "Line 2 does not end in a line feed.");
  const auto label = [](TextLines& lines) {
    lines.open("l");
    lines.label();
  };
  CHECK_EQ(refusal("l a\\t\n", label), "Line 2 has a backslash that means nothing.");
  CHECK_EQ(refusal("l a\\\n", label), "Line 2 has a backslash that means nothing.");
}
