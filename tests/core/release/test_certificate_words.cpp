// The description in files of certificates: with and without lines "coarser".
#include "check.hpp"
#include "release/certificate_words.hpp"

using namespace sdclattice;

TEST(files_by_level_say_what_coarser_lines_are) {
  const std::string plain = certificate_description(false),
                    by_level = certificate_description(true);
  CHECK(plain.find("coarser") == std::string::npos);
  CHECK(by_level.find("#     coarser <variable>") != std::string::npos);
  CHECK(by_level.size() > plain.size());
  CHECK(plain.back() == '\n' && by_level.back() == '\n');
}
