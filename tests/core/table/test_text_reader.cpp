// Text that was written from known fields, cut into blocks anywhere.
#include <map>

#include "base/error.hpp"
#include "check.hpp"
#include "table/records.hpp"
#include "table/text_reader.hpp"

using namespace records;

namespace {

using Fields = std::vector<std::vector<std::string>>;

std::string random_field(Dice& dice, char separator) {
  const std::string pieces[] = {"a",        "b",  "\"", "\n",
                                "\r\n",     "\r", " ",  std::string(1, separator),
                                "\xc3\xa9", "0",  "'",  "#"};
  std::string out;
  for (std::uint32_t n = dice.below(dice.below(4) == 0 ? 8 : 2); n > 0; --n)
    out += pieces[dice.below(12)];
  return out;
}

bool needs_quotes(const std::string& field, char separator, bool alone) {
  return field.find('\n') != std::string::npos || field.find(separator) != std::string::npos ||
         (!field.empty() && (field[0] == '"' || field.back() == '\r')) || (field.empty() && alone);
}

std::string written(Dice& dice, const std::string& field, char separator, bool alone) {
  if (!needs_quotes(field, separator, alone) && dice.below(3) > 0) return field;
  std::string out = "\"";
  for (char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string written(Dice& dice, const Fields& records, char separator) {
  std::string out;
  for (std::size_t r = 0; r < records.size(); ++r) {
    while (dice.below(9) == 0) out += dice.below(2) == 0 ? "\n" : "\r\n";
    for (std::size_t f = 0; f < records[r].size(); ++f)
      out += (f > 0 ? std::string(1, separator) : "") +
             written(dice, records[r][f], separator, records[r].size() == 1);
    const bool ends = r + 1 < records.size() || dice.below(2) == 0;
    if (ends) out += dice.below(2) == 0 ? "\n" : "\r\n";
  }
  return out;
}

void send(Dice& dice, TextReader& reader, const std::string& text) {
  const std::uint32_t most = dice.below(2) == 0 ? 3 : 40;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t n = std::min<std::size_t>(text.size() - at, dice.below(most));
    reader.read(text.data() + at, n);
    at += n;
  }
  reader.end();
}

// The message of the error that reading a text gives.
std::string fault(const std::string& text, std::size_t n_fields) {
  TextReader reader(',', 1);
  try {
    reader.begin(n_fields, {0}, true);
    reader.read(text.data(), text.size());
    reader.end();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(fields_come_back_as_they_were_written) {
  Dice dice;
  for (int round = 0; round < 1500; ++round) {
    const char separator = ",;\t|"[dice.below(4)];
    const std::size_t n_fields = 1 + dice.below(5);
    std::vector<std::size_t> wanted;
    for (std::size_t f = 0; f < n_fields; ++f)
      if (dice.below(3) > 0) wanted.insert(wanted.begin() + dice.below(wanted.size() + 1), f);
    TextReader reader(separator, wanted.size());
    std::vector<std::vector<std::string>> expected(wanted.size());
    // several files, whose texts are numbered together
    for (std::uint32_t file = 1 + dice.below(2); file > 0; --file) {
      const bool has_header = dice.below(2) == 0;
      Fields records(dice.below(round % 50 == 0 ? 400 : 8));
      for (auto& record : records)
        for (std::size_t f = 0; f < n_fields; ++f) record.push_back(random_field(dice, separator));
      for (std::size_t r = has_header; r < records.size(); ++r)
        for (std::size_t c = 0; c < wanted.size(); ++c)
          expected[c].push_back(records[r][wanted[c]]);
      const std::string text = written(dice, records, separator);
      if (!records.empty()) CHECK(first_record(separator, text, true) == records[0]);
      reader.begin(n_fields, wanted, has_header);
      send(dice, reader, text);
    }
    bool same = true;
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      std::map<std::string, std::int32_t> seen;
      same = same && reader.codes(c).size() == expected[c].size();
      for (std::size_t r = 0; same && r < expected[c].size(); ++r) {
        const auto code =
            seen.emplace(expected[c][r], static_cast<std::int32_t>(seen.size()) + 1).first->second;
        const std::int32_t found = reader.codes(c)[r];
        same = found == code &&
               reader.texts(c).text(static_cast<std::size_t>(found) - 1) == expected[c][r];
      }
      same = same && reader.texts(c).size() == seen.size();
    }
    CHECK(same);
  }
}

TEST(a_header_may_go_on_in_the_next_block) {
  const std::string text = "\"a \"\"b\"\"\",c\r\n1,2\n";
  const std::vector<std::string> header = {"a \"b\"", "c"};
  for (std::size_t n = 0; n < text.size(); ++n) {
    const std::vector<std::string> found = first_record(',', text.substr(0, n), false);
    CHECK(found == (n < 13 ? std::vector<std::string>() : header));
  }
  CHECK(first_record(',', "a,b", true) == std::vector<std::string>({"a", "b"}));
  CHECK(first_record(',', "\n\n", true).empty());
}

TEST(faults_are_named) {
  CHECK(fault("a,b\n1,2\n\n3\n", 2) == "Record 2 (line 4) has 1 field where there are 2 columns.");
  CHECK(fault("a,b\n\"1\n1\",2\n3,4,5\n", 2) ==
        "Record 2 (line 4) has 3 fields where there are 2 columns.");
  CHECK(fault("a,b\n\"1\"2,2\n", 2) == "Record 1 (line 2) has text after a closing quote.");
  CHECK(fault("a,b\n\"1\"\r2,2\n", 2) == "Record 1 (line 2) has text after a closing quote.");
  CHECK(fault("a,b\n1,\"2\n3,4\n", 2) == "Record 1 (line 2) has a quote that is never closed.");
  CHECK(fault(std::string("a,b\n1,\0\n", 8), 2) ==
        "The header (line 1) or a record after it has a byte of zero.");
  CHECK(fault("a,b\n1,2", 2).empty());
  CHECK(fault("a,b\n1,", 2).empty());
  CHECK(fault("", 2).empty());
}
