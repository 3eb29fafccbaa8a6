// An auditor's questions: whatever is edited in a file, the answer is that of a slow judge.
#include "base/error.hpp"
#include "check.hpp"
#include "release/certificate_audit.hpp"
#include "release/certificate_files.hpp"

using namespace certificate_files;

namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> out(1);
  for (char c : text)
    if (c == by)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

std::string join(const std::vector<std::string>& parts, char by) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? "" : std::string(1, by)) + parts[i];
  return out;
}

// One number of a line changed, a line taken out, written twice, or swapped with the next one.
std::string edited(const std::string& text, PublicRandom& random) {
  std::vector<std::string> lines = split(unsealed(text), '\n');
  std::size_t first = 1;
  while (lines[first][0] == '#') ++first;
  const std::size_t at = first + random.below(lines.size() - 1 - first);
  std::vector<std::string> words = split(lines[at], ' ');
  const std::size_t way = random.below(12);
  if (way == 0)
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  else if (way == 1)
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
  else if (way == 2 && at + 2 < lines.size())
    std::swap(lines[at], lines[at + 1]);
  else if (std::string& word = words[random.below(words.size())];
           word.find_first_not_of("-0123456789") == std::string::npos && !word.empty())
    word = std::to_string(std::stoi(word) + (random.below(2) == 0 ? 1 : -1)),
    lines[at] = join(words, ' ');
  return sealed(join(lines, '\n'));
}

std::string label_of(const CertificateFile::Variable& variable, std::uint32_t level) {
  const auto& label = variable.levels[level];
  if (!label) return "";
  std::string out = "\"";
  for (char c : *label) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

// A published table: a row for each cell of the margin, zeros included.
struct Published {
  std::string header;
  std::vector<std::pair<std::string, std::int64_t>> rows;

  Published(const CertificateFile& file, const Dense& x, Mask set) {
    for (std::size_t v = 0; v < x.n_variables(); ++v)
      if (in(set, v)) header += "\"" + file.variables[v].name + "\",";
    for (const auto& [at, count] : x.margin(set)) {
      std::string labels;
      for (std::size_t v = 0, k = 0; v < x.n_variables(); ++v)
        if (in(set, v)) labels += label_of(file.variables[v], at[k++]) + ",";
      rows.emplace_back(labels, count);
    }
  }
  std::string csv() const {
    std::string out = header + "count\n";
    for (const auto& [labels, count] : rows) out += labels + std::to_string(count) + "\r\n";
    return out;
  }
};

PublishedFault judged(const CertificateFile& file, const Published& published) {
  return audit_published(file, published.csv()).fault;
}

bool is_released(const std::vector<Mask>& sets, Mask set) {
  return std::any_of(sets.begin(), sets.end(), [&](Mask s) { return inside(set, s); });
}

}  // namespace

TEST(certificates_of_all_tables_are_safe_up_to_their_width) {
  PublicRandom random(1);
  int wrong = 0, narrow = 0;
  for (int round = 0; round < 100; ++round) {
    const Certificates c = random_certificates(random);
    for (std::int64_t beta = 1; beta <= c.width() + 2; ++beta) {
      const CertificateFile file = file_of(c, beta, round % 2 == 0);
      const CertificateAudit found = audit_certificates(file, {});
      wrong += is_safe(file) != (beta <= c.width()) || found.n_at_risk != c.target.size();
      wrong += (found.fault == AuditFault::none) != (beta <= c.width());
      if (beta <= c.width()) continue;
      ++narrow;
      wrong += found.fault != AuditFault::narrow;
      wrong += place(file, found.cell) != c.stored.risk_cell(0) && c.width(0) < beta;
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(narrow > 50);
}

TEST(every_edit_is_judged_as_a_slow_judge_does) {
  PublicRandom random(2);
  int wrong = 0, unread = 0, kept = 0;
  std::vector<int> faults(7, 0);
  for (int round = 0; round < 150; ++round) {
    const Certificates c = random_certificates(random);
    const std::string text =
        write_certificate_file(file_of(c, std::max<std::int64_t>(1, c.width()), round % 3 == 0));
    for (int edit = 0; edit < 30; ++edit) {
      std::string bad = edited(text, random);
      if (random.below(2) == 0) bad = edited(bad, random);
      try {
        const CertificateFile file = read_certificate_file(bad);
        const AuditFault fault = audit_certificates(file, {}).fault;
        wrong += (fault == AuditFault::none) != is_safe(file);
        ++faults[static_cast<std::size_t>(fault)];
        kept += fault == AuditFault::none;
      } catch (const InputError&) {
        ++unread;
      }
    }
  }
  CHECK_EQ(wrong, 0);
  CHECK(unread > 500 && kept > 100);
  for (int n : faults) CHECK(n > 2);
}

TEST(the_cell_and_the_table_that_fail_are_named) {
  // two cells at risk in 2 x 2 x 2; the released tables are the three pairs
  const Certificates c({{2, 2, 2}, {1, 4, 4, 4, 4, 4, 4, 2}}, {3, 5, 6});
  CertificateFile file = file_of(c, 1);
  CHECK(audit_certificates(file, {}).fault == AuditFault::none);
  CertificateFile bad = file;
  bad.tables = {{0, 1}, {0, 1, 2}};
  CertificateAudit found = audit_certificates(bad, {});
  CHECK(found.fault == AuditFault::margin);
  CHECK_EQ(found.table, 1u);
  CHECK_EQ(found.cell, 0u);
  bad = file;
  bad.by.back() += 1;
  found = audit_certificates(bad, {});
  CHECK(found.fault == AuditFault::margin);
  CHECK_EQ(found.table, bad.tables.size());
  CHECK_EQ(found.cell, 7u);
}

TEST(published_tables_are_those_of_the_file) {
  PublicRandom random(3);
  int wrong = 0, differ = 0, hidden = 0;
  for (int round = 0; round < 300; ++round) {
    const Certificates c = random_certificates(random);
    const CertificateFile file = file_of(c, 1);
    const Mask set = 1 + random.below(7);
    Published published(file, c.x, set);
    if (!is_released(c.sets, set)) {
      // what no table has is no column of it: a variable of one level, that of missing values
      Mask shown = 0;
      for (std::size_t v = 0; v < 3; ++v)
        if (in(set, v) && c.x.levels[v] > 1) shown |= Mask{1} << v;
      wrong +=
          (judged(file, published) == PublishedFault::not_released) == is_released(c.sets, shown);
      ++hidden;
      continue;
    }
    wrong += judged(file, published) != PublishedFault::none;
    const std::size_t at = random.below(published.rows.size());
    published.rows[at].second += 1;
    wrong += judged(file, published) != PublishedFault::differs;
    ++differ;
    published.rows[at].second -= 1;
    const auto row = published.rows[at];
    published.rows.push_back(row);
    wrong += judged(file, published) != PublishedFault::repeated;
    published.rows.back().first.insert(row.first[0] == '"' ? 1 : 0, "x");
    wrong += judged(file, published) != PublishedFault::no_level;
    published.rows.pop_back();
    published.rows.erase(published.rows.begin() + static_cast<std::ptrdiff_t>(at));
    // without rows a table has no variables
    if (published.rows.empty()) continue;
    wrong += judged(file, published) !=
             (row.second == 0 ? PublishedFault::none : PublishedFault::differs);
  }
  CHECK_EQ(wrong, 0);
  CHECK(differ > 50 && hidden > 20);
}

TEST(published_tables_follow_each_other) {
  const Certificates c({{2, 2}, {1, 3, 4, 5}}, {1, 2});
  CertificateFile file = file_of(c, 1);
  file.variables = {{"a", {"x", "y"}}, {"b", {"u", std::nullopt}}};
  const auto audit = [&](const std::string& csv) { return audit_published(file, csv); };
  const std::string good = "b,count,a,sub_table\n,5,x,1\n,8,y,1\nu,4,,2\n,9,,2\n";
  CHECK(audit(good).fault == PublishedFault::none);
  CHECK_EQ(audit(good).tables.size(), 2u);
  CHECK(audit(good + ",13,,3\n").fault == PublishedFault::none);  // the total
  CHECK(audit(good + ",12,,3\n").fault == PublishedFault::differs);
  CHECK(audit("a,b,freq\nx,u,1\n").fault == PublishedFault::not_released);
  const PublishedAudit label = audit("a,count\nx,4\nz,8\n");
  CHECK(label.fault == PublishedFault::no_level);
  CHECK_EQ(label.line, 3u);
  CHECK_EQ(label.tables.size(), 1u);
  const auto refused = [&](const std::string& csv) {
    try {
      audit(csv);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  for (const char* bad :
       {"", "a\nx\n", "a,a,count\nx,x,4\n", "a,c,count\nx,x,4\n", "a,count,freq\nx,4,4\n",
        "a,count\nx,4,5\n", "a,count\nx,\n", "a,count\nx,-1\n", "a,count\nx,4.0\n",
        "a,count\nx,9007199254740993\n", "a,count\n\"x,4\n", "a,count\n\"x\"y,4\n"})
    CHECK(refused(bad));
}
