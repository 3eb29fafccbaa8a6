// The file of a certified release: what is written is read, and what is damaged is not.
#include "base/error.hpp"
#include "check.hpp"
#include "release/certificate_file.hpp"
#include "release/certificate_files.hpp"

using namespace certificate_files;

namespace {

bool is_read(const std::string& text) {
  try {
    read_certificate_file(text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

bool same(const CertificateFile& a, const CertificateFile& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.name == y.name && x.levels == y.levels;
  };
  return a.beta == b.beta && a.names_cells == b.names_cells && a.risk == b.risk &&
         std::equal(a.variables.begin(), a.variables.end(), b.variables.begin(), b.variables.end(),
                    equal) &&
         a.tables == b.tables && a.keys == b.keys && a.counts == b.counts && a.target == b.target &&
         a.start == b.start && a.cell == b.cell && a.by == b.by;
}

// A text with one place changed, and a right checksum.
std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string out = unsealed(text);
  const std::size_t at = out.find("\n" + from);
  if (at == std::string::npos) return "";
  out.replace(at + 1, from.size(), to);
  return sealed(out);
}

}  // namespace

TEST(what_is_written_is_read) {
  PublicRandom random(1);
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const Certificates c = random_certificates(random);
    const CertificateFile file =
        file_of(c, 1 + static_cast<std::int64_t>(random.below(3)), round % 2 == 0);
    const std::string text = write_certificate_file(file);
    const CertificateFile again = read_certificate_file(text);
    wrong += !same(file, again);
    wrong += write_certificate_file(again) != text;
    // as a list of certificates of the table it is the same file once more
    CertificateFile third = again;
    third.keys.clear(), third.target.clear(), third.cell.clear(), third.by.clear();
    third.start = {0};
    if (third.names_cells) third.risk.clear();
    const Layout layout = again.layout();
    put_certificates(third, c.stored.view(), c.stored.at_risk, again.list(layout));
    wrong += !same(third, again);
  }
  CHECK_EQ(wrong, 0);
}

TEST(keys_of_several_words) {
  PublicRandom random(2);
  Certificates c = random_certificates(random);
  CertificateFile file = file_of(c, 1);
  // a variable of many levels before and after: the same cells, in two words
  for (int k = 0; k < 5; ++k) {
    CertificateFile::Variable many{"many" + std::to_string(k), {}};
    for (int l = 0; l < 9000; ++l) many.levels.emplace_back(std::to_string(l));
    file.variables.push_back(many);
  }
  const Layout narrow = c.stored.layout, wide = file.layout();
  CHECK_EQ(wide.n_words(), 2u);
  const std::vector<std::uint64_t> keys = file.keys;
  file.keys.assign(2 * keys.size(), 0);
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t v = 0; v < wide.n_variables(); ++v)
      wide.put(
          &file.keys[2 * i], v,
          v < 3 ? narrow.level(&keys[i], v) : 8999 - static_cast<unsigned>(i < keys.size() / 2));
  CHECK(same(read_certificate_file(write_certificate_file(file)), file));
}

TEST(no_byte_can_be_changed) {
  PublicRandom random(3);
  const std::string text = write_certificate_file(file_of(random_certificates(random), 1));
  CHECK(is_read(text));
  int read = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string bad = text;
    bad[i] = static_cast<char>(bad[i] ^ (1 << random.below(7)));
    read += is_read(bad);
    if (i % 50 == 0) read += is_read(text.substr(0, i)) + is_read(text.substr(i + 1));
  }
  CHECK_EQ(read, 0);
  CHECK(!is_read(text + "\n"));
  CHECK(!is_read(""));
}

// With a right checksum.
TEST(what_is_not_well_formed_is_not_read) {
  // 2 x 2, one cell at risk and a swap
  const std::vector<std::int64_t> counts{1, 3, 4, 5};
  const std::string text =
      write_certificate_file(file_of(Certificates({{2, 2}, counts}, {1, 2}), 1));
  CHECK(is_read(text));
  const auto reads = [&](const std::string& from, const std::string& to) {
    const std::string bad = replaced(text, from, to);
    return bad.empty() || is_read(bad);
  };
  CHECK(reads("# CONFIDENTIAL", "# other remark"));
  CHECK(reads("beta 1", "beta 9007199254740992"));
  CHECK(!reads("beta 1", "beta 9007199254740993"));
  CHECK(!reads("beta 1", "beta 0"));
  CHECK(!reads("risk counts 1 2", "risk counts 2 1"));
  CHECK(!reads("risk counts 1 2", "risk counts 1 1"));
  CHECK(!reads("risk counts 1 2", "risk counts 0 1"));
  CHECK(!reads("risk counts 1 2", "risk counts"));
  CHECK(!reads("risk counts 1 2", "risk people 1 2"));
  CHECK(!reads("risk counts 1 2", "risk cells 5"));
  CHECK(reads("risk counts 1 2", "risk cells 1 4"));
  CHECK(!reads("variables 2", "variables 3"));
  CHECK(!reads("variables 2", "variables 0"));
  CHECK(!reads("variable 2 ", "variable 1 "));
  CHECK(!reads("variable 2 v \\n\\\\", "variable 2 v \\\\"));
  CHECK(!reads("missing", "missing x"));
  CHECK(!reads("missing", "level \\\\n, \"1"));
  CHECK(!reads("tables 2", "tables 0"));
  CHECK(!reads("tables 2", "tables 1"));
  CHECK(!reads("table 1", "table 3"));
  CHECK(!reads("table 1", "table 2 1"));
  CHECK(!reads("table 1", "table 1 1"));
  CHECK(reads("table 1", "table"));
  CHECK(reads("table 1", "table 1 2"));
  CHECK(!reads("cells 4", "cells 5"));
  CHECK(!reads("cells 4", "cells 99999999999"));
  CHECK(!reads("cell 1 1 1", "cell 1 1"));
  CHECK(!reads("cell 1 1 1", "cell 1 3 1"));
  CHECK(!reads("cell 1 1 1", "cell 1 1 -1"));
  CHECK(reads("cell 1 1 1", "cell 1 1 9007199254740980"));
  CHECK(!reads("cell 1 1 1", "cell 1 1 9007199254740981"));
  CHECK(!reads("cell 1 1 1", "cell 2 1 1"));
  CHECK(!reads("cell 1 2 4", "cell 2 1 4"));
  CHECK(!reads("certificates 1", "certificates 2"));
  CHECK(!reads("certificates 1", "certificates 0"));
  CHECK(!reads("certificate 1", "certificate 5"));
  CHECK(!reads("certificate 1", "certificate 0"));
  CHECK(!reads("one ", "two "));
  CHECK(!reads("one ", "one 1 0 "));
  CHECK(!reads("one ", "one 5 1 "));
  CHECK(!reads("one ", "one 1 1 "));
  CHECK(!reads("one ", "one 1 2147483648 "));
  CHECK(!reads("other 1 3", "other 1 3 3"));
  CHECK(!is_read(sealed(unsealed(text) + "one\n")));
  CHECK(!is_read(sealed(unsealed(text) + "\n")));
  CHECK(is_read(sealed(unsealed(text) + "# remark\n")));
  CHECK(!is_read(sealed("sdclattice-certificates 2" + unsealed(text).substr(25))));
}

TEST(a_cell_at_risk_without_certificate_cannot_be_written) {
  PublicRandom random(4);
  Certificates c = random_certificates(random);
  c.target[0] = c.target[0] == 0 ? 1 : 0;
  bool thrown = false;
  try {
    file_of(c, 1);
  } catch (const InputError&) {
    thrown = true;
  }
  CHECK(thrown);
}
